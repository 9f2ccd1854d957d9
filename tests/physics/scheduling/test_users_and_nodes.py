"""Limits per user, nodes and fair share among users, against instances and rules written out."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from recorded import CASES, KTH, needs_cases, needs_log
from reference_scheduler import reference_schedule

from physics.jobs import read_swf
from physics.scheduling import Policy, floor, placed, simulate

INSTANCES = CASES / "scheduling.json"
BACKFILL = {"fcfs": "none", "easy": "easy"}


def instances():
    """Every run of every instance, with its jobs and its size."""
    if not INSTANCES.exists():
        return []
    cases = json.loads(INSTANCES.read_text())["cases"]
    return [(case, run) for case in cases for run in case["runs"]]


def words(run):
    """A short name of a run."""
    return "-".join(str(run.get(name)) for name in ("policy", "by", "limit", "placement"))


@needs_cases
@pytest.mark.parametrize("long", [1, 64])
@pytest.mark.parametrize(
    ("case", "run"),
    instances(),
    ids=lambda part: part["name"][:3] if "name" in part else words(part),
)
def test_every_start_and_what_is_fragmented_are_those_of_the_instances(
    case, run, long, monkeypatch
):
    for module in (floor, placed):
        monkeypatch.setattr(module, "LONG", long)
    limits = {}
    nodes = {}
    if run["limit"]:
        limits[f"{run['by']}_limit"] = run["limit"]
    if "nodes" in run:
        nodes = {"gpus_per_node": run["per_node"], "fit": run["placement"]}
    policy = Policy(backfill=BACKFILL[run["policy"]], **limits)
    schedule = simulate(pd.DataFrame(case["jobs"]), case["capacity"], policy, **nodes)
    starts = [None if np.isnan(start) else start for start in schedule.jobs["start"]]
    assert starts == run["start"]
    assert schedule.fragmented == run.get("fragmented", 0)
    assert schedule.jobs["can_start"].tolist() == [start is not None for start in run["start"]]


def drawn(seed, jobs=60, widths=(1, 2, 3, 4, 6, 8)):
    """Jobs of three users on a crowded machine."""
    rng = np.random.default_rng(seed)
    runtime = rng.integers(1, 200, jobs)
    return pd.DataFrame(
        {
            "submit": np.sort(rng.integers(0, 1500, jobs)),
            "runtime": runtime,
            "estimate": runtime * rng.integers(1, 4, jobs),
            "gpus": rng.choice(widths, jobs),
            "user": rng.choice(["a", "b", "c"], jobs),
        }
    )


@pytest.mark.parametrize("seed", range(5))
def test_nodes_named_one_by_one_are_nodes_of_one_size(seed):
    jobs = drawn(seed)
    policy = Policy(order="shortest", backfill="easy")
    alike = simulate(jobs, 12, policy, gpus_per_node=4, fit="worst")
    named = simulate(jobs, 12, policy, nodes=[4, 4, 4], fit="worst")
    assert alike.jobs["start"].equals(named.jobs["start"])
    assert alike.fragmented == named.fragmented


@pytest.mark.parametrize("backfill", ["none", "easy"])
@pytest.mark.parametrize("seed", range(3))
def test_one_node_and_a_limit_that_binds_nobody_change_nothing_in_arrival_order(seed, backfill):
    jobs = drawn(seed)
    plain = simulate(jobs, 8, Policy(backfill=backfill))
    free = simulate(jobs, 8, Policy(backfill=backfill, user_limit=100))
    assert plain.jobs["start"].equals(free.jobs["start"])
    assert plain.fragmented == free.fragmented == 0
    if backfill == "none":
        node = simulate(jobs, 8, Policy(), gpus_per_node=8)
        assert plain.jobs["start"].equals(node.jobs["start"])


def test_unlike_nodes_hold_a_job_on_one_or_take_it_on_whole_ones():
    jobs = pd.DataFrame({"submit": [0, 0, 0, 1], "runtime": [10] * 4, "gpus": [3, 5, 4, 12]})
    schedule = simulate(jobs, 16, Policy(), nodes=[4, 8, 4])
    # 3 on the first node, 5 on the second, 4 on the third; 12 needs the first two, wholly
    assert schedule.jobs["start"].tolist() == [0, 0, 0, 10]
    jobs["gpus"] = [3, 5, 5, 17]
    assert simulate(jobs, 16, Policy(), nodes=[4, 8, 4]).jobs["can_start"].tolist() == [
        True, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("backfill", ["none", "easy", "conservative"])
def test_fair_share_among_users_is_that_among_classes_named_as_they_are(seed, backfill):
    jobs = drawn(seed, jobs=40)
    weights = {"a": 3.0}
    by_user = Policy(
        order="fair_share", share_by="user", backfill=backfill, weights=weights, half_life=300
    )
    shared = simulate(jobs, 8, by_user)
    by_class = Policy(
        order="fair_share",
        backfill=backfill,
        weights=weights,
        half_life=300,
        classes=("a", "b", "c"),
    )
    columns = ["submit", "runtime", "gpus", "estimate", "user"]
    rows = list(jobs[columns].itertuples(index=False, name=None))
    checked = reference_schedule(rows, 8, by_class)
    assert shared.jobs["start"].tolist() == [job.first_start for job in checked]


@pytest.mark.parametrize(
    ("policy", "arguments", "name"),
    [
        ({"order": "fair_share", "user_limit": 4}, {}, "order"),
        ({"backfill": "conservative", "account_limit": 4}, {}, "backfill"),
        ({"quotas": {"a": 1}, "user_limit": 4}, {}, "quotas"),
        ({"quotas": {"a": 1}, "share_by": "user"}, {}, "share_by"),
        ({"reserved": {"a": 1}}, {"gpus_per_node": 4}, "reserved"),
        ({}, {"gpus_per_node": 5}, "multiple"),
        ({}, {"nodes": [8, 4]}, "add up"),
        ({}, {"nodes": [8], "gpus_per_node": 8}, "nodes"),
        ({}, {"gpus_per_node": 4, "fit": "least"}, "fit"),
        ({"user_limit": 4}, {}, "user"),
    ],
)
def test_what_does_not_go_together_is_refused_by_name(policy, arguments, name):
    jobs = drawn(1).drop(columns="user")
    with pytest.raises(ValueError, match=name):
        simulate(jobs, 8, Policy(**policy), **arguments)


@needs_log
def test_easy_with_nodes_takes_at_most_five_times_as_long():
    jobs = read_swf(KTH)
    policy = Policy(backfill="easy")

    def seconds(**nodes):
        spent = []
        for _ in range(3):
            begin = time.process_time()
            simulate(jobs, 100, policy, **nodes)
            spent.append(time.process_time() - begin)
        return min(spent)

    usual = seconds()
    for size in (1, 4):
        assert seconds(gpus_per_node=size) < 5 * usual, size
