"""The tables of turns and of first pages: every page is there, beside its empty twin."""

import subprocess
import sys

import pytest

from benchmarks import first, pages


def test_the_table_has_a_line_for_each_page_with_its_ratios():
    assert {"app", "utilization_trap", "sources", "corrections"} <= set(pages.names())
    small = {"cpu": [0.004], "messages": [20], "bytes": [6000]}
    large = {"cpu": [0.012], "messages": [30], "bytes": [9000], "metric": [90.0], "chart": [130.0]}
    rows = {
        "app": {"page": small, "empty": small},
        "utilization_trap": {
            "page": large,
            "empty": small | {"metric": [40.0]},
            "before": {"cpu": [0.008]},
        },
    }
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


def test_the_table_of_first_pages_compares_each_page_with_an_empty_one_and_another_version():
    page = {"cpu": [0.012], "messages": [30], "bytes": [9000], "cold": [900], "start_cpu": [1.2]}
    empty = {"cpu": [0.004], "cold": [600], "start_cpu": [0.8]}
    before = {"cpu": [0.3], "cold": [1200], "start_cpu": [2.4]}
    rows = {"app": {"page": page, "empty": empty, "before": before}}
    cells = first.table(rows).splitlines()[2].split()
    assert cells[:6] == ["app", "12.0", "3.00", "0.04", "30", "9.0"]
    assert cells[6:11] == ["900", "1.50", "0.75", "–", "–"]
    assert cells[11:] == ["–", "–", "1.20", "0.50"]


@pytest.mark.nightly
def test_first_pages_are_measured_on_real_servers_from_the_start_of_the_process():
    command = [sys.executable, "-m", "benchmarks.pages", "--first", "app", "class"]
    command += ["--rounds", "2", "--keys", "0", "--starts", "1"]
    done = subprocess.run(
        command, cwd=pages.ROOT, check=True, capture_output=True, text=True, timeout=300
    )
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()[3:]}
    assert list(rows) == ["app", "class"]
    for row in rows.values():
        assert float(row[1]) > 0 and float(row[2]) > 1, "a page costs more than an empty one"
        assert float(row[11]) > 0 and float(row[13]) > 0, "the process was started"
