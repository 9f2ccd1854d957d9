"""The measurement of a hall runs, with few newcomers, on a real server."""

import subprocess
import sys

import pytest

from benchmarks.server import ROOT


@pytest.mark.nightly
def test_newcomers_and_those_who_turn_knobs_are_both_timed():
    command = [sys.executable, "-m", "benchmarks.rush", "--newcomers", "3", "--within", "2"]
    done = subprocess.run(
        [*command, "--others", "2"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    heads, row = done.stdout.splitlines()[-2:]
    assert heads.split()[0] == "version" and row.split()[0] == "page"
    cells = [float(cell) for cell in row.split()[1:]]
    assert cells[0] == 3 and all(cell > 0 for cell in cells[1:7]) and cells[-1] == 0
