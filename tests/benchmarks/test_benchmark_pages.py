"""The table of pages: every page is there, and its empty twin has the same widgets."""

import subprocess
import sys

import pytest

from benchmarks import pages
from benchmarks.pages import Turn


def test_the_table_has_a_line_for_each_page_with_its_ratios():
    assert {"app", "utilization_trap", "sources", "corrections"} <= set(pages.names())
    small = Turn(0.004, 20, 6000)
    large = Turn(0.012, 30, 9000)
    times = {"page": (90.0, 130.0), "empty": (40.0, None)}
    rows = [pages.Row("app", {"page": small, "empty": small})]
    rows.append(
        pages.Row(
            "utilization_trap",
            {"page": large, "empty": small, "before": Turn(0.008, 30, 9000)},
            times,
        )
    )
    text = pages.table(rows).splitlines()
    assert text[2].startswith("app") and text[2].endswith("–")
    assert [text[3].count(ratio) for ratio in ("3.00", "1.50", "2.25")] == [1, 1, 1], (
        "empty, before, and the metric"
    )


@pytest.mark.nightly
def test_turns_are_measured_on_a_real_server_beside_an_empty_page_with_the_same_widgets():
    asked = ["app", "utilization_trap", "corrections"]
    command = [sys.executable, "-m", "benchmarks.pages", *asked, "--rounds", "1", "--keys", "0"]
    done = subprocess.run(
        command, cwd=pages.ROOT, check=True, capture_output=True, text=True, timeout=300
    )
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()[3:]}
    assert list(rows) == asked
    assert all(min(map(float, row[1:3])) > 0 for row in rows.values()), (
        "processor time, and against empty"
    )
    assert float(rows["utilization_trap"][2]) > 1, "the trap draws more than its widgets"
