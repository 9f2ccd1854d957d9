"""What goes into a simulation and what comes out: frames kept as they are, nonsense refused, rules by hand."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.preemption import least_set_of_groups


def frame(rows, **columns):
    names = ["submit", "runtime", "gpus", "estimate", "job_class"]
    return pd.DataFrame(rows, columns=names[: len(rows[0])]).assign(**columns)


def starts(rows, capacity, **policy):
    return simulate(frame(rows), capacity, Policy(**policy)).jobs["start"].tolist()


# --- frames ---
def test_rows_order_index_and_columns_of_the_input_are_kept():
    jobs = frame([(5, 1, 1), (0, 9, 2), (5, 2, 1)], note=["x", "y", "z"])
    jobs.index = ["c", "a", "a"]
    before = jobs.copy()
    found = simulate(jobs, 2).jobs
    pd.testing.assert_frame_equal(jobs, before)
    pd.testing.assert_frame_equal(found[list(jobs.columns)], before)
    assert found["start"].tolist() == [9, 0, 9]
    added = ["start", "end", "wait", "slowdown", "preemptions", "lost", "requeued", "can_start"]
    assert list(found.columns) == [*jobs.columns, *added]


def test_without_estimates_and_classes_runtimes_are_known_and_there_is_one_class():
    jobs = frame([(0, 10, 3), (1, 5, 4), (2, 8, 1), (3, 9, 1)])
    for order in ("arrival", "priority", "fair_share"):
        assert simulate(jobs, 4, Policy(order, "easy")).jobs["start"].tolist() == [0, 10, 2, 15]


def test_missing_and_categorical_classes_rank_last_without_error():
    jobs = frame([(0, 5, 1), (1, 5, 1), (2, 5, 1), (3, 5, 1)])
    for names in (["x", None, "y", "interactive"], pd.Categorical(["x", None, "y", "interactive"])):
        found = simulate(jobs.assign(job_class=names), 1, Policy(order="priority")).jobs
        assert found["start"].tolist() == [0, 10, 15, 5]


def test_whole_numbers_may_come_as_floats_and_as_nullable_integers():
    jobs = frame([(0, 5, 2.0), (0, 5, 1.0)])
    assert simulate(jobs, 2.0).jobs["start"].tolist() == [0, 5]
    assert simulate(jobs.astype("Int64"), 2).jobs["start"].tolist() == [0, 5]


@pytest.mark.parametrize("kind", ["int32", "uint16", "float16", "Int32", "category"])
def test_executed_gpu_seconds_do_not_depend_on_the_kind_of_number_in_the_frame(kind):
    jobs = frame([(0, 30_000, 512), (1, 20_000, 256)])
    narrow = jobs.astype({"runtime": kind, "gpus": kind})
    assert simulate(narrow, 1024).executed == simulate(jobs, 1024).executed == 512 * 30_000 + 256 * 20_000


def test_no_jobs_give_an_empty_schedule():
    for policy in (Policy(), Policy(backfill="conservative"), Policy(order="fair_share", backfill="easy")):
        schedule = simulate(frame([(0, 5, 1)]).iloc[:0], 4, policy)
        assert len(schedule.jobs) == len(schedule.timeline) == len(schedule.runs) == 0 and schedule.executed == 0


def test_a_job_that_can_never_start_is_reported_and_blocks_nobody():
    jobs = frame([(0, 5, 9), (1, 5, 2), (2, 5, 4)])
    schedule = simulate(jobs, 8, Policy(reserved={"job": 1, "other": 5}))  # 1 of its own and 2 shared
    assert schedule.jobs["can_start"].tolist() == [False, True, False]
    assert schedule.jobs["start"].isna().tolist() == [True, False, True]
    assert schedule.never_started.index.tolist() == [0, 2]


def test_policies_of_the_same_choices_are_the_same_key():
    one = Policy(reserved={"a": 1, "b": 2}, weights={"a": 3})
    assert one == Policy(weights={"a": 3}, reserved={"b": 2, "a": 1})
    lent = Policy(quotas={"a": 1, "b": 2})
    assert len({one, lent, Policy(quotas={"b": 2, "a": 1}), Policy(), Policy(quotas={"a": 1}, borrowing=False)}) == 4


# --- rules, by hand ---
def test_easy_lets_in_what_ends_by_the_shadow_time_or_fits_beside_the_head():
    running, head = (0, 10, 4, 10), (1, 5, 6, 5)
    assert starts([running, head, (2, 8, 4, 8)], 8, backfill="easy") == [0, 10, 2]  # ends at 10, when the head starts
    assert starts([running, head, (2, 9, 4, 9)], 8, backfill="easy") == [0, 10, 15]  # would end at 11
    assert starts([running, head, (2, 9, 2, 9)], 8, backfill="easy") == [0, 10, 2]  # 2 are left over
    two = [running, head, (2, 9, 1, 9), (2, 9, 1, 9), (2, 9, 1, 9)]
    assert starts(two, 8, backfill="easy") == [0, 10, 2, 2, 11]  # the third would take one of the head's


@pytest.mark.parametrize("waiting", [3, 100])
@pytest.mark.parametrize("reserved", [None, {"other": 0, "job": 1}])
@pytest.mark.parametrize(
    ("order", "backfill"),
    [("arrival", "easy"), ("fair_share", "easy"), ("arrival", "conservative"), ("priority", "conservative")],
)
def test_a_job_that_ends_just_by_the_reservation_starts_however_long_the_queue(order, backfill, reserved, waiting):
    now, length = 3e7, 0.7  # a year of seconds: the head's reservation lies a little less than 0.7 s from now
    assert now + length - now < length
    rows = [(now, length, 1), (now, 5, 2), (now, 5, 1), *[(now, 7, 2)] * waiting, (now, length, 1)]
    assert starts(rows, 2, order=order, backfill=backfill, reserved=reserved)[-1] == now


def test_conservative_backfill_keeps_the_reservation_of_every_waiting_job():
    rows = [(0, 10, 6), (1, 10, 4), (2, 10, 4), (3, 12, 2)]
    assert starts(rows, 8, backfill="easy") == [0, 10, 15, 3]  # the fourth delays the third, which is not the head
    assert starts(rows, 8, backfill="conservative") == [0, 10, 10, 20]


def test_fair_share_lets_the_class_that_has_used_least_for_its_weight_go_first():
    rows = [(0, 10, 1, 10, "training"), (1, 10, 1, 10, "training"), (2, 10, 1, 10, "search"), (3, 5, 1, 5, "training")]
    assert starts(rows, 1, order="fair_share") == [0, 20, 10, 30]
    assert starts(rows, 1) == [0, 10, 20, 30]
    # At 20 both have used 10 GPU-seconds, but training's are older; at equal weights it goes first again.
    heavy = {"training": 100, "search": 1}
    assert starts([*rows[:3], (3, 5, 1, 5, "search")], 1, order="fair_share", weights=heavy) == [0, 20, 10, 30]


def test_a_preempted_job_keeps_its_checkpoint_and_pays_the_restart():
    rows = [(0, 100, 4, 100, "training"), (50, 10, 4, 10, "interactive")]
    schedule = simulate(frame(rows), 4, Policy(order="priority", preemption=Preemption(20, 5)))
    training, interactive = schedule.jobs.to_dict("records")
    assert (interactive["start"], interactive["end"], interactive["wait"]) == (50, 60, 0)
    # 40 of 50 s were saved: from 60 on, 5 s of restart and 60 s of work.
    assert (training["start"], training["wait"], training["end"]) == (0, 0, 125)
    assert (training["preemptions"], training["requeued"], training["lost"]) == (1, 10, 4 * (10 + 5))
    assert schedule.runs.to_numpy().tolist() == [[0, 0, 50, 4], [1, 50, 60, 4], [0, 60, 125, 4]]


def test_victims_are_the_least_gpus_that_suffice_then_the_latest_starts():
    def stopped(victims, head=(10, 1, 4, 1, "interactive"), capacity=8):
        rows = [(start, 50, gpus, 50, name) for start, gpus, name in victims]
        found = simulate(frame([*rows, head]), capacity, Policy(order="priority", preemption=Preemption(60, 0))).jobs
        assert found["start"].iloc[-1] == 10 or found["preemptions"].sum() == 0
        return found["preemptions"].iloc[:-1].tolist()

    assert stopped([(0, 3, "training"), (1, 5, "training")]) == [0, 1]
    assert stopped([(0, 4, "training"), (1, 4, "training")]) == [0, 1]
    assert stopped([(0, 4, "training"), (1, 2, "training"), (2, 2, "training")]) == [0, 1, 1]
    assert stopped([(0, 2, "training"), (1, 2, "training"), (2, 4, "training")]) == [0, 0, 1]
    assert stopped([(0, 5, "search"), (1, 3, "training")]) == [0, 0]  # the lowest class alone does not suffice
    assert stopped([(0, 4, "search"), (1, 4, "training")]) == [0, 1]
    assert stopped([(0, 4, "interactive"), (1, 4, "interactive")]) == [0, 0]


def sets_that_suffice(sizes, over, least):
    """Places of every set of victims that frees enough, by the formula of shared use."""
    for places in (list(some) for count in range(len(sizes) + 1) for some in combinations(range(len(sizes)), count)):
        freed = Counter()
        for place in places:
            freed.update({sizes[place][0]: sizes[place][1]})
        if sum(min(gpus, max(0, over[group])) for group, gpus in freed.items()) >= least:
            yield places


@given(st.data())
def test_victims_that_use_several_reservations_are_the_least_gpus_that_suffice_then_the_first(data):
    sizes = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 12)), min_size=1, max_size=7))
    least = data.draw(st.integers(1, 20))
    over = {group: data.draw(st.integers(-3, 12)) if group else least for group, _ in sizes}
    best = min(
        sets_that_suffice(sizes, over, least),
        key=lambda places: (sum(sizes[place][1] for place in places), [i not in places for i in range(len(sizes))]),
        default=None,
    )
    assert least_set_of_groups(sizes, over, least) == best


def test_victims_of_unnamed_classes_with_reserved_gpus_are_found_among_hundreds():
    rng, names = np.random.default_rng(1), ("a", "b", "c")
    rows = [(0, 1000, int(gpus), 1000, names[i % 3]) for i, gpus in enumerate(rng.integers(1, 9, 220))]
    policy = Policy("priority", "easy", ("interactive",), Preemption(60, 5), {"a": 100, "b": 150, "c": 200})
    found = simulate(frame([*rows, (10, 5, 333, 5, "interactive")]), 1024, policy).jobs
    # 1,024 GPUs less the 450 reserved: what the three classes use beyond their own must come down to 574 − 333.
    kept = found[(found["preemptions"] == 0) & (found["start"] == 0)].groupby("job_class")["gpus"].sum()
    beyond = sum(max(0, kept.get(name, 0) - own) for name, own in policy.reserved.items())
    assert found["start"].iloc[-1] == 10 and found["preemptions"].sum() > 20
    assert beyond == 574 - 333
