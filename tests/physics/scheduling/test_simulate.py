"""What goes into a simulation and what comes out: frames kept as they are, nonsense refused, rules
by hand.
"""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_scheduler import reference_schedule
from workload_strategies import jobs_of

from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.preemption import least_set_of_groups


def starts(rows, capacity, **policy):
    return simulate(jobs_of(rows), capacity, Policy(**policy)).jobs["start"].tolist()


# --- frames ---
def test_rows_order_index_and_columns_of_the_input_are_kept():
    jobs = jobs_of([(5, 1, 1), (0, 9, 2), (5, 2, 1)], note=["x", "y", "z"])
    jobs.index = ["c", "a", "a"]
    before = jobs.copy()
    found = simulate(jobs, 2).jobs
    pd.testing.assert_frame_equal(jobs, before)
    pd.testing.assert_frame_equal(found[list(jobs.columns)], before)
    assert found["start"].tolist() == [9, 0, 9]
    added = ["start", "end", "wait", "slowdown", "preemptions", "lost", "requeued", "can_start"]
    assert list(found.columns) == [*jobs.columns, *added]


def test_missing_and_categorical_classes_rank_last_without_error():
    jobs = jobs_of([(0, 5, 1), (1, 5, 1), (2, 5, 1), (3, 5, 1)])
    for names in (["x", None, "y", "interactive"], pd.Categorical(["x", None, "y", "interactive"])):
        found = simulate(jobs.assign(job_class=names), 1, Policy(order="priority")).jobs
        assert found["start"].tolist() == [0, 10, 15, 5]


@pytest.mark.parametrize("kind", ["int32", "uint16", "float16", "Int32", "category"])
def test_executed_gpu_seconds_do_not_depend_on_the_kind_of_number_in_the_frame(kind):
    jobs = jobs_of([(0, 30_000, 512), (1, 20_000, 256)])
    narrow = jobs.astype({"runtime": kind, "gpus": kind})
    assert (
        simulate(narrow, 1024).executed
        == simulate(jobs, 1024).executed
        == 512 * 30_000 + 256 * 20_000
    )


def test_no_jobs_give_an_empty_schedule():
    for policy in (
        Policy(),
        Policy(backfill="conservative"),
        Policy(order="fair_share", backfill="easy"),
    ):
        schedule = simulate(jobs_of([(0, 5, 1)]).iloc[:0], 4, policy)
        assert (
            len(schedule.jobs) == len(schedule.timeline) == len(schedule.runs) == 0
            and schedule.executed == 0
        )


def test_a_job_that_can_never_start_is_reported_and_blocks_nobody():
    jobs = jobs_of([(0, 5, 9), (1, 5, 2), (2, 5, 4)])
    schedule = simulate(
        jobs, 8, Policy(reserved={"job": 1, "other": 5})
    )  # 1 of its own and 2 shared
    assert schedule.jobs["can_start"].tolist() == [False, True, False]
    assert schedule.jobs["start"].isna().tolist() == [True, False, True]
    assert schedule.never_started.index.tolist() == [0, 2]


def test_policies_of_the_same_choices_are_the_same_key():
    one = Policy(reserved={"a": 1, "b": 2}, weights={"a": 3})
    assert one == Policy(weights={"a": 3}, reserved={"b": 2, "a": 1})
    lent = Policy(quotas={"a": 1, "b": 2})
    assert (
        len(
            {
                one,
                lent,
                Policy(quotas={"b": 2, "a": 1}),
                Policy(),
                Policy(quotas={"a": 1}, borrowing=False),
            }
        )
        == 4
    )


# --- rules, by hand ---
def whole(rows):
    """Jobs with perfect estimates and a class, from (submit, runtime, GPUs) and perhaps the
    class.
    """
    return [(*row[:3], row[1], *(row[3:] or ["job"])) for row in rows]


RUNNING = (0, 10, 4)
HEAD = (1, 5, 6)
LATE = (2, 9, 1)
WAITING = [(0, 10, 6), (1, 10, 4), (2, 10, 4), (3, 12, 2)]
PATIENT = [(0, 100, 4, "training"), (19, 1, 4, "interactive"), (21, 1, 4, "training")]
PAYS = Preemption(20, 75, "pays")
TRAINING = [(0, 10, 1, "training"), (1, 10, 1, "training"), (2, 10, 1, "search")]


@pytest.mark.parametrize(
    ("rows", "capacity", "policy", "expected"),
    [
        (
            [RUNNING, HEAD, (2, 8, 4)],
            8,
            {"backfill": "easy"},
            [0, 10, 2],
        ),  # ends at 10, when the head starts
        ([RUNNING, HEAD, (2, 9, 4)], 8, {"backfill": "easy"}, [0, 10, 15]),  # would end at 11
        (
            [RUNNING, HEAD, *[LATE] * 3],
            8,
            {"backfill": "easy"},
            [0, 10, 2, 2, 11],
        ),  # the head leaves room for two
        (
            WAITING,
            8,
            {"backfill": "easy"},
            [0, 10, 15, 3],
        ),  # the fourth delays the third, which is not the head
        (WAITING, 8, {"backfill": "conservative"}, [0, 10, 10, 20]),
        # At 19 the victim would lose 19 s and a restart of 75 against a wait of 81; at 21 only 1 s,
        # against 79.
        *(
            (
                PATIENT,
                4,
                {"order": "priority", "backfill": backfill, "preemption": PAYS},
                [0, 21, 22 + 155],
            )
            for backfill in ("none", "easy", "conservative")
        ),
        ([*TRAINING, (3, 5, 1, "training")], 1, {"order": "fair_share"}, [0, 20, 10, 30]),
        # At 20 both have used 10 GPU-seconds, but training's are older; only a weight keeps it
        # ahead of search.
        (
            [*TRAINING, (3, 5, 1, "search")],
            1,
            {"order": "fair_share", "weights": {"training": 100}},
            [0, 20, 10, 30],
        ),
    ],
)
def test_the_simulator_and_its_slow_reference_follow_the_rules_by_hand(
    rows, capacity, policy, expected
):
    assert starts(whole(rows), capacity, **policy) == expected
    assert [
        job.first_start for job in reference_schedule(whole(rows), capacity, Policy(**policy))
    ] == expected


HIGH = (10, 1, 4, "interactive")
LATEST = Preemption(60, 0)
SAVED = [(0, 90, 4, "training"), (5, 90, 4, "training"), (22, 1, 4, "interactive")]
LENT = [(0, 100, 6, "training"), (0, 100, 2, "search"), (10, 10, 4, "interactive")]


def running(*jobs):
    """Jobs of 50 s that run, from (start, GPUs, class), when one of the highest class arrives that
    needs 4 GPUs.
    """
    return [*((start, 50, gpus, name) for start, gpus, name in jobs), HIGH]


@pytest.mark.parametrize(
    ("rows", "policy", "stopped"),
    [
        (running((0, 2, "training"), (1, 2, "training"), (2, 4, "training")), {}, [0, 0, 1, 0]),
        (
            running((0, 5, "search"), (1, 3, "training")),
            {"preemption": LATEST},
            [0, 0, 0],
        ),  # not the lowest class alone
        (running((0, 4, "interactive"), (1, 4, "interactive")), {}, [0, 0, 0]),
        # One began at 0 and was saved at 20, the other at 5 and is 17 s behind its start: at 22
        # they lose 2 and 17 s.
        (SAVED, {"preemption": Preemption(20, 5)}, [0, 1, 0]),
        (SAVED, {"preemption": Preemption(20, 5, victims="least_loss")}, [1, 0, 0]),
        # Training uses 6 of its 2: it is stopped, and search, within its quota, is not.
        (LENT, {"quotas": {"interactive": 4, "training": 2, "search": 2}}, [1, 0, 0]),
        # Both are above theirs and began together: the one further back is marked first, is too
        # little, and is spared.
        (LENT, {"quotas": {"interactive": 4}, "order": "arrival"}, [1, 0, 0]),
        # Two GPUs would have come back from search alone.
        (
            [*LENT[:2], (10, 10, 2, "interactive")],
            {"quotas": {"interactive": 4}, "order": "arrival"},
            [0, 1, 0],
        ),
    ],
)
def test_whom_both_stop_by_hand(rows, policy, stopped):
    policy = Policy(**{"order": "priority", "preemption": LATEST} | policy)
    assert simulate(jobs_of(whole(rows)), 8, policy).jobs["preemptions"].tolist() == stopped
    assert [job.preemptions for job in reference_schedule(whole(rows), 8, policy)] == stopped


@pytest.mark.parametrize("waiting", [3, 100])
@pytest.mark.parametrize("reserved", [None, {"other": 0, "job": 1}])
@pytest.mark.parametrize(
    ("order", "backfill"),
    [
        ("arrival", "easy"),
        ("fair_share", "easy"),
        ("arrival", "conservative"),
        ("priority", "conservative"),
    ],
)
def test_a_job_that_ends_just_by_the_reservation_starts_however_long_the_queue(
    order, backfill, reserved, waiting
):
    # a year of seconds: the head's reservation lies a little less than 0.7 s from now
    now = 3e7
    length = 0.7
    assert now + length - now < length
    rows = [(now, length, 1), (now, 5, 2), (now, 5, 1), *[(now, 7, 2)] * waiting, (now, length, 1)]
    assert starts(rows, 2, order=order, backfill=backfill, reserved=reserved)[-1] == now


def test_a_preempted_job_keeps_its_checkpoint_and_pays_the_restart():
    rows = [(0, 100, 4, 100, "training"), (50, 10, 4, 10, "interactive")]
    schedule = simulate(jobs_of(rows), 4, Policy(order="priority", preemption=Preemption(20, 5)))
    training, interactive = schedule.jobs.to_dict("records")
    assert (interactive["start"], interactive["end"], interactive["wait"]) == (50, 60, 0)
    # 40 of 50 s were saved: from 60 on, 5 s of restart and 60 s of work.
    assert (training["start"], training["wait"], training["end"]) == (0, 0, 125)
    assert (training["preemptions"], training["requeued"], training["lost"]) == (
        1,
        10,
        4 * (10 + 5),
    )
    assert schedule.runs.to_numpy().tolist() == [[0, 0, 50, 4], [1, 50, 60, 4], [0, 60, 125, 4]]


def sets_that_suffice(sizes, over, least):
    """Places of every set of victims that frees enough, by the formula of shared use."""
    for places in (
        list(some)
        for count in range(len(sizes) + 1)
        for some in combinations(range(len(sizes)), count)
    ):
        freed = Counter()
        for place in places:
            freed.update({sizes[place][0]: sizes[place][1]})
        if sum(min(gpus, max(0, over[group])) for group, gpus in freed.items()) >= least:
            yield places


@given(st.data())
def test_victims_that_use_several_reservations_are_the_least_gpus_that_suffice_then_the_first(data):
    sizes = data.draw(
        st.lists(st.tuples(st.integers(0, 3), st.integers(1, 12)), min_size=1, max_size=7)
    )
    least = data.draw(st.integers(1, 20))
    over = {group: data.draw(st.integers(-3, 12)) if group else least for group, _ in sizes}
    best = min(
        sets_that_suffice(sizes, over, least),
        key=lambda places: (
            sum(sizes[place][1] for place in places),
            [i not in places for i in range(len(sizes))],
        ),
        default=None,
    )
    assert least_set_of_groups(sizes, over, least) == best


def test_victims_of_unnamed_classes_with_reserved_gpus_are_found_among_hundreds():
    rng = np.random.default_rng(1)
    names = ("a", "b", "c")
    rows = [
        (0, 1000, int(gpus), 1000, names[i % 3]) for i, gpus in enumerate(rng.integers(1, 9, 220))
    ]
    policy = Policy(
        "priority", "easy", ("interactive",), Preemption(60, 5), {"a": 100, "b": 150, "c": 200}
    )
    found = simulate(jobs_of([*rows, (10, 5, 333, 5, "interactive")]), 1024, policy).jobs
    # 1,024 GPUs less the 450 reserved: what the three classes use beyond their own must come down
    # to 574 − 333.
    kept = (
        found[(found["preemptions"] == 0) & (found["start"] == 0)]
        .groupby("job_class")["gpus"]
        .sum()
    )
    beyond = sum(max(0, kept.get(name, 0) - own) for name, own in policy.reserved.items())
    assert found["start"].iloc[-1] == 10 and found["preemptions"].sum() > 20
    assert beyond == 574 - 333
