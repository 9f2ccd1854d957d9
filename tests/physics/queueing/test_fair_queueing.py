"""Fair queueing, the memory of fair share, lotteries and aging: by hand, by law, and beside
simulations.
"""

import math
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.fair_queueing import catch_up_time, lottery_draws, lottery_drought, serve
from physics.numerics import student_quantile
from physics.queueing.priority import aging_waits
from physics.scheduling import Policy, simulate

DAY = 86400.0


# --- the memory of fair share ---
@given(st.floats(0, 1e4), st.floats(1e-2, 1e4), st.floats(0.01, 100))
def test_at_the_catch_up_time_the_two_usages_over_weight_are_equal(alone, half_life, ratio):
    time = catch_up_time(alone, half_life, ratio)
    old = -math.expm1(-alone / half_life * math.log(2)) * 2 ** (-time / half_life)
    new = -math.expm1(-time / half_life * math.log(2)) / ratio
    assert new == pytest.approx(old, rel=1e-9, abs=1e-14)
    assert catch_up_time(alone, half_life) <= half_life * (1 + 1e-12)
    assert time <= ratio * alone * (1 + 1e-12)


@given(st.floats(1e-12, 1e-3), st.floats(0.01, 100))
def test_a_short_time_alone_loses_no_digits(part, ratio):
    """τ = r T (1 − (1 + r) u/2 + (1 + r)(1 + 2r) u²/6 − …) with u = T ln 2 / h."""
    u = part * math.log(2) / (1 + ratio)
    series = 1 - (1 + ratio) * u / 2 + (1 + ratio) * (1 + 2 * ratio) * u * u / 6
    alone = 3600.0
    assert catch_up_time(alone, alone / (part / (1 + ratio)), ratio) == pytest.approx(
        ratio * alone * series, rel=1e-6
    )


@pytest.mark.parametrize(("ratio", "days"), [(1.0, 6.75), (3.0, 13.625)])
def test_the_cluster_simulator_lets_the_one_that_ran_alone_start_when_the_formula_says(ratio, days):
    """Jobs of three hours on one GPU: the next start is at most one job later than the fluid
    limit.
    """
    hours = 3 * 3600.0
    alone = [(place * hours, "A") for place in range(240)]  # exactly one job at a time for 30 days
    both = [(30 * DAY, name) for name in "AB" for _ in range(150)]
    jobs = pd.DataFrame(alone + both, columns=["submit", "job_class"]).assign(runtime=hours, gpus=1)
    policy = Policy(order="fair_share", half_life=7 * DAY, weights={"A": 1.0, "B": ratio})
    done = simulate(jobs, 1, policy).jobs
    later = (
        done[(done["job_class"] == "A") & (done["submit"] == 30 * DAY)]["start"].min() - 30 * DAY
    )
    assert later / DAY == pytest.approx(days, abs=1e-9)
    assert 0 <= later - catch_up_time(30 * DAY, 7 * DAY, ratio) <= hours


# --- flows on one server ---
def frame(rows):
    return pd.DataFrame(rows, columns=["flow", "arrival", "length"])


def test_frames_are_kept_and_flows_may_be_anything_that_can_be_told_apart():
    jobs = frame([(1, 3, 1.0), (None, 0, 2.0), ((2, 3), 0, 1.0)]).assign(note="x")
    jobs.index = ["p", "q", "q"]
    served = serve(jobs, weights={1: 2.0})
    assert list(served.columns) == [*jobs.columns, "start", "end", "start_tag", "finish_tag"]
    pd.testing.assert_frame_equal(served[list(jobs.columns)], jobs)
    assert served["start"].tolist() == [3, 0, 2]
    assert len(serve(jobs.iloc[:0])) == 0


FLOWS = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from([0, 0, 0, 1, 2, 5, 11, 30]), st.integers(1, 6)
    ),
    min_size=1,
    max_size=25,
)
WEIGHTS = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from([0.5, 1.0, 2.0, 4.0]) for name in "abc"}
)


def reference(rows, weights, discipline):
    """The rules word by word, instant by instant."""
    jobs = [
        {"row": row, "flow": flow, "at": at, "length": length}
        for row, (flow, at, length) in enumerate(rows)
    ]
    coming = list(jobs)
    waiting = []
    serving = None
    served = []
    now = -1
    previous = {}
    while coming or waiting or serving:
        now += 1
        ended = serving is not None and serving["end"] == now
        for job in [
            job for job in coming if job["at"] == now
        ]:  # tagged while v is still that of a job that ends now
            coming.remove(job)
            if serving is not None:
                v = serving["S"]
            else:
                v = max((one["F"] for one in served), default=0.0)
            before = previous.get(job["flow"], 0.0)
            if discipline == "sfq":
                job["S"] = max(v, before)
            else:
                job["S"] = before
            job["F"] = previous[job["flow"]] = job["S"] + job["length"] / weights.get(
                job["flow"], 1.0
            )
            waiting.append(job)
        if ended:
            served.append(serving)
            serving = None
        if serving is None and waiting:
            if discipline == "fifo":
                key = "at"
            else:
                key = "S"
            serving = min(waiting, key=lambda job: (job[key], job["at"], job["row"]))
            waiting.remove(serving)
            serving["start"], serving["end"] = now, now + serving["length"]
    return jobs


@given(FLOWS, WEIGHTS, st.sampled_from(["fifo", "sfq", "banked"]))
def test_starts_and_tags_are_those_of_the_rules_applied_instant_by_instant(
    rows, weights, discipline
):
    served = serve(frame(rows), weights, discipline)
    expected = reference(rows, weights, discipline)
    assert served["start"].tolist() == [job["start"] for job in expected]
    if discipline != "fifo":
        assert served["start_tag"].tolist() == [job["S"] for job in expected]
        assert served["finish_tag"].tolist() == [job["F"] for job in expected]


def unfairness(served, weights):
    """Most that |W_f/r_f − W_m/r_m| exceeds l_f/r_f + l_m/r_m in an interval in which both flows
    are backlogged.
    """
    worst = -math.inf
    rows = list(served[["flow", "arrival", "length", "start", "end"]].itertuples(index=False))
    instants = sorted({moment for job in rows for moment in (job.arrival, job.start, job.end)})
    steps = list(pairwise(instants))
    backlog = [
        {job.flow for job in rows if job.arrival <= now and job.end >= then} for now, then in steps
    ]
    working = [
        {job.flow for job in rows if job.start <= now and job.end >= then} for now, then in steps
    ]
    for pair in combinations(sorted({job.flow for job in rows}), 2):
        rate = [weights.get(name, 1.0) for name in pair]
        limit = sum(
            max(job.length for job in rows if job.flow == name) / r
            for name, r in zip(pair, rate, strict=True)
        )
        for first in range(len(steps)):
            ahead = 0.0
            for (now, then), waiting, served_now in zip(
                steps[first:], backlog[first:], working[first:], strict=True
            ):
                if not waiting.issuperset(pair):
                    break
                ahead += (then - now) * (
                    (pair[0] in served_now) / rate[0] - (pair[1] in served_now) / rate[1]
                )
                worst = max(worst, abs(ahead) - limit)
    return worst


@given(FLOWS, WEIGHTS)
def test_between_two_backlogged_flows_sfq_keeps_the_bound_of_goyal_vin_and_cheng(rows, weights):
    assert unfairness(serve(frame(rows), weights), weights) <= 1e-9


@pytest.mark.parametrize("turns", [5, 20, 60])
def test_banked_turns_have_no_bound(turns):
    rows = [("a", 0, 1.0)] * (2 * turns) + [("b", turns, 1.0)] * turns
    assert unfairness(serve(frame(rows), discipline="banked"), {}) == turns - 2
    assert unfairness(serve(frame(rows), discipline="sfq"), {}) <= 0


# --- the lottery ---
def test_draws_until_the_share_is_near_and_droughts():
    assert lottery_draws(1.0, 0.1) == 0 and lottery_drought(0.1, 0) == 1
    assert (
        lottery_drought(1.0, 5) == 0
        and lottery_drought(1.0, 0) == 1
        and lottery_drought(0.0, 5) == 1
    )
    assert lottery_drought(1e-18, 10**9) == pytest.approx(1 - 1e-9, rel=1e-12)


@pytest.mark.parametrize(
    ("share", "tolerance", "confidence"), [(0.1, 0.1, 0.95), (0.5, 0.05, 0.9), (0.3, 0.1, 0.99)]
)
def test_after_so_many_draws_the_share_is_as_near_as_often_as_promised(
    share, tolerance, confidence
):
    """The binomial itself: its chance to stay within the tolerance is the confidence, but for one
    draw's width.
    """
    draws = lottery_draws(share, tolerance, confidence)
    logs = np.cumsum(np.append(0.0, np.log(np.arange(draws, 0, -1) / np.arange(1, draws + 1))))
    wins = np.arange(draws + 1)
    chance = np.exp(logs + wins * math.log(share) + (draws - wins) * math.log1p(-share))
    inside = chance[np.abs(wins / draws / share - 1) <= tolerance].sum()
    assert inside == pytest.approx(confidence, abs=2 * chance.max())


# --- aging ---
CLASSES = st.lists(
    st.tuples(st.floats(0.01, 1), st.floats(0.1, 10), st.floats(0.01, 100), st.floats(0, 5)),
    min_size=1,
    max_size=5,
)


def scaled(classes, load):
    """Rates, times, aging rates and SCVs of classes whose load is as given."""
    rates, times, aging, scvs = map(list, zip(*classes, strict=True))
    factor = load / sum(rate * time for rate, time in zip(rates, times, strict=True))
    return [rate * factor for rate in rates], times, aging, scvs


def test_two_equal_classes_at_90_percent_and_at_full_load():
    rates = [0.45, 0.45]
    times = [1.0, 1.0]
    assert aging_waits([0.5, 0.5], times, [1, 10]) == [math.inf, math.inf]
    assert aging_waits(rates, times, [7, 7]) == pytest.approx([9, 9])


@given(CLASSES, st.floats(0.05, 0.98))
def test_waits_solve_the_balance_of_who_is_served_before_whom(classes, load):
    """What a job finds before it, and who overtakes it: solved as linear equations, not class by
    class.
    """
    rates, times, aging, scvs = scaled(classes, load)
    loads = np.multiply(rates, times)
    residual = (loads * times * (1 + np.array(scvs)) / 2).sum()
    ratio = np.divide.outer(aging, aging)  # b_p / b_i by row p and column i
    found = np.minimum(1.0, 1 / ratio) * loads
    overtaking = (np.maximum(0.0, 1 - ratio) * loads).sum(axis=1)
    waits = np.linalg.solve(
        np.eye(len(loads)) * (1 - overtaking)[:, None] - found, np.full(len(loads), residual)
    )
    assert aging_waits(rates, times, aging, scvs) == pytest.approx(waits.tolist(), rel=1e-6)


@pytest.mark.slow
def test_aging_waits_lie_in_the_confidence_interval_of_a_simulation():
    rng = np.random.default_rng(5)
    runs = 14
    jobs = 6000
    rates = (0.35, 0.35)
    aging = (1.0, 5.0)
    means = []
    for _ in range(runs):
        arrival = np.cumsum(rng.exponential(1 / sum(rates), jobs)).tolist()
        kind = rng.integers(2, size=jobs).tolist()
        length = rng.exponential(1.0, jobs).tolist()
        waits = [[], []]
        lines = [[], []]
        now = 0.0
        place = 0
        while place < jobs or any(lines):
            if not any(lines):
                now = max(now, arrival[place])
            while place < jobs and arrival[place] <= now:
                lines[kind[place]].append(place)
                place += 1
            # The oldest of a class has its highest priority.
            heads = [line[0] for line in lines if line]
            job = max(heads, key=lambda one: (now - arrival[one]) * aging[kind[one]])
            lines[kind[job]].pop(0)
            waits[kind[job]].append(now - arrival[job])
            now += length[job]
        means.append([np.mean(mine[500:]) for mine in waits])
    half = student_quantile(0.9999, runs - 1) * np.std(means, axis=0, ddof=1) / math.sqrt(runs)
    expected = aging_waits(rates, [1.0, 1.0], aging)
    assert (np.abs(np.mean(means, axis=0) - expected) < half).all() and (
        half < 0.3 * np.array(expected)
    ).all()
