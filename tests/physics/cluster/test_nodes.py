"""What part of a cluster a log is of, how large that is, and what was down."""

import math

import pandas as pd
import pytest

from physics.cluster import calibrate, report, synthetic_log, to_json, to_text, what_happened, what_if, what_is_needed
from physics.cluster.change import Change
from physics.cluster.files import read_report
from physics.scheduling import Policy, simulate

JOBS = pd.DataFrame({"submit": [0, 0, 10, 60], "runtime": [5, 35, 30, 20], "gpus": [2, 2, 4, 4]}).assign(
    recorded_wait=[0, 0, 25, 5]
)


# --- nodes that are down ---
@pytest.mark.parametrize(
    ("down", "utilization", "wasted", "out"),
    [
        ((), 260 / 320, 50, 0),
        (((10, 35, 1),), 260 / 295, 25, 25),  # of 2 idle GPUs beside a job that waits, one is down
        (((10, 35, 2), (70, math.inf, 1)), 260 / 270, 0, 50),  # what a job still runs on is in use
        (((0, 90, 4),), 1, 0, 60),
    ],
)
def test_what_is_down_is_neither_idle_nor_there_to_be_used(down, utilization, wasted, out):
    jobs = JOBS.copy()
    jobs.attrs["down"] = down
    found = what_happened(jobs)
    assert (found.utilization, found.wasted, found.down) == pytest.approx((utilization, wasted, out))
    assert ("Nodes were down for " in to_text(report(found))) == (out > 0)


def test_a_record_with_nodes_down_is_reproduced_if_it_is_told_and_not_otherwise():
    jobs, easy = synthetic_log(seed=3, days=80), Policy(backfill="easy")
    start = jobs["submit"].min()
    down = tuple((start + 86_400.0 * day, start + 86_400.0 * (day + 9), 256) for day in (10, 25, 40))
    jobs = jobs.assign(recorded_wait=simulate(jobs, 1024, easy, down).jobs["wait"])
    blind = calibrate(jobs, 1024, {"EASY": easy})
    jobs.attrs["down"] = down
    told = calibrate(jobs, 1024, {"EASY": easy})
    assert told.gap == pytest.approx(0, abs=1e-9) and told.unexplained < 1 < blind.unexplained and blind.gap > 0.1
    assert told.waits.loc["EASY", "idle"] == pytest.approx(told.waits.loc["record", "idle"], rel=1e-6)
    assert what_if(jobs, 1024, told, Change(gpus=1024)).classes.loc["all", "difference"] == 0
    assert what_is_needed(jobs, 1024, told, "mean", told.waits.loc["record", "mean"]).gpus <= 1024


# --- what is remembered ---
def test_a_report_says_what_part_of_a_log_it_is_of_and_older_ones_are_read():
    jobs = JOBS.copy()
    jobs.attrs |= {"part": "partition gpu", "size": 9, "size_name": "nodes", "nodes": "0a" * 32}
    whole = report(what_happened(jobs))
    assert {name: whole["settings"][name] for name in ("gpus", "size", "part", "nodes")} == {
        "gpus": 9, "size": "nodes", "part": "partition gpu", "nodes": "0a" * 32
    }  # fmt: skip
    assert read_report(to_json(whole)) == whole and "This is partition gpu alone" in to_text(whole)
    for name in ("size", "part", "nodes"):
        del whole["settings"][name]
    assert read_report(to_json(whole)) == whole
    with pytest.raises(ValueError, match="settings"):
        read_report(to_json(whole | {"settings": whole["settings"] | {"part": 5}}))
