"""Small logs with one fault or trap each: the numbers of their reports, and what must be said."""

import json
import shlex

import pytest
from recorded import CASES as FOLDER
from recorded import needs_cases

from physics.cluster import read_log, what_happened
from physics.cluster.__main__ import main

pytestmark = needs_cases

LOGS = FOLDER / "cluster"

#: Cases that hold; the others are of formats that are not read.
HOLD = (
    *("02", "04", "16", "17", "19", "21", "23"),
    *("01", "06", "08", "10", "11", "13", "30", "31", "32", "32b", "33", "34", "35", "36", "37"),
    *("40", "41", "42b", "43", "44", "47", "verdict1"),
)
if LOGS.exists():
    CASES = json.loads((LOGS / "cases.json").read_text(encoding="utf-8"))["cases"]
else:
    CASES = []
BY_NAME = {case["id"]: case for case in CASES}


def words_of(case, capsys, *more):
    """Status of the command of a case, and what it printed in small letters."""
    words = shlex.split(case["call"])[3:]
    path = LOGS / case["file"]
    if path.exists():
        words = [str(path) if word == case["file"] else word for word in words]
    status = main([*words, *more])
    printed = capsys.readouterr()
    return status, (printed.out + printed.err).lower()


@pytest.mark.parametrize("name", HOLD)
def test_a_report_says_what_is_wrong_with_its_log(name, capsys):
    case = BY_NAME[name]
    status, words = words_of(case, capsys)
    assert status == case["expect"].get("exit", 0)
    for texts in case["must_say_one_of_each"]:
        assert any(text.lower() in words for text in texts), texts
    for text in case["must_not_say"]:
        assert text.lower() not in words


@pytest.mark.parametrize(
    ("name", "chosen"), [("32", "alpha"), ("32", "beta"), ("32b", "alpha"), ("32b", "beta")]
)
def test_each_of_several_clusters_is_a_machine_of_its_own(name, chosen):
    case = BY_NAME[name]
    right = case["expect"]["clusters"][chosen]
    happened = what_happened(read_log(LOGS / case["file"], cluster=chosen))
    mean = happened.waits.loc["all", "mean"] / 3600
    assert (happened.jobs, happened.gpus) == (right["jobs"], right["size"])
    assert mean == pytest.approx(right["mean_wait_h"])
    assert happened.part == f"cluster {chosen}"


def test_jobs_on_slices_count_as_sevenths_of_a_gpu():
    happened = what_happened(read_log(LOGS / "33-mig.txt"))
    assert (happened.jobs, happened.gpus) == (160, 2)
    assert happened.utilization == pytest.approx(1, abs=0.001)
    assert happened.users["gpu_time"].sum() == pytest.approx(40 * 3600)


def test_jobs_on_shards_are_left_out_until_the_user_says_how_many_a_gpu_has():
    jobs = read_log(LOGS / "34-shards.txt")
    assert len(jobs) == 4 and jobs.attrs["left_out"] == {"shards": 40}
    told = read_log(LOGS / "34-shards.txt", shards_per_gpu=4)
    assert len(told) == 44 and sorted(set(told["gpus"])) == [0.5, 1.0]


def test_run_times_across_a_change_of_the_clocks_are_those_that_slurm_counted():
    jobs = read_log(LOGS / "30-dst-autumn.txt")
    assert sorted(jobs["runtime"]) == sorted(BY_NAME["30"]["expect"]["run_s"])
    assert jobs.attrs["off_by_an_hour"] == {
        "jobs": 1, "of": 3, "early": 1, "days": ["2025-10-26"],
    }  # fmt: skip


def test_a_suspended_job_keeps_its_gpus():
    jobs = read_log(LOGS / "31-suspended.txt")
    assert jobs.attrs["suspended"] == {"jobs": 1, "time": 8 * 3600.0}
    assert jobs["runtime"].max() == 10 * 3600
