"""Trials of policies: weeks by hand, wrong choices by counting every pair, weeks needed, and
bandits' regret.
"""

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.experiments import (
    BANDITS,
    WEEK,
    bandit,
    best_missed,
    take_turns,
    weekly,
    weeks_needed,
    wrong_choice,
)
from physics.jobs import platform_mix, sample_jobs
from physics.scheduling import Policy, simulate

cells = st.one_of(st.integers(0, 4).map(float), st.just(math.nan))


def tables(rows, columns):
    return st.lists(
        st.lists(cells, min_size=columns, max_size=columns), min_size=rows, max_size=rows
    ).map(np.array)


def schedule_of(rows, capacity=2):
    return simulate(
        pd.DataFrame(rows, columns=["submit", "runtime", "gpus", "job_class"]), capacity
    )


def test_weeks_by_hand_their_begin_included_their_end_not():
    day = 86400.0
    rows = [
        (0, day, 2, "a"),
        (3600, 60, 1, "b"),
        (WEEK, 60, 1, "a"),
        (3 * WEEK - 1, 60, 1, "b"),
        (5, 60, 9, "a"),
    ]
    schedule = schedule_of(rows)
    assert weekly(schedule).tolist() == pytest.approx([(0 + day - 3600) / 2, 0, 0])
    assert weekly(schedule, job_class="b").tolist() == pytest.approx(
        [day - 3600, math.nan, 0], nan_ok=True
    )
    assert weekly(schedule, begin=4 * WEEK).tolist() == []


@given(
    st.lists(st.integers(0, 400), min_size=1),
    st.integers(-50, 300),
    st.sampled_from([0.1, 0.3, 7.0]),
)
def test_every_job_is_in_the_week_whose_ends_are_around_it(times, begin, length):
    submit = [begin * 0.1 + time * length / 3 for time in times]
    schedule = schedule_of([(time, 1.0, 1, "a") for time in submit], capacity=1)
    found = weekly(schedule, "submit", begin=begin * 0.1, length=length)
    for k, mean in enumerate(found):
        inside = [
            one
            for one in submit
            if begin * 0.1 + k * length <= one < begin * 0.1 + (k + 1) * length
        ]
        assert mean == pytest.approx(np.mean(inside) if inside else math.nan, nan_ok=True)


def counted(worse, better, weeks, paired):
    """Every pair of windows, one by one."""

    def windows(table):
        cut = [
            row[k : k + weeks]
            for row in table.tolist()
            for k in range(0, len(row) - weeks + 1, weeks)
        ]
        return [[x for x in one if not math.isnan(x)] for one in cut]

    bad = windows(worse)
    good = windows(better)
    pairs = [
        (a, b)
        for a, b in (zip(bad, good, strict=True) if paired else product(bad, good))
        if a and b
    ]
    score = [
        (sum(a) * len(b) < sum(b) * len(a)) + (sum(a) * len(b) == sum(b) * len(a)) / 2
        for a, b in pairs
    ]
    if score:
        return sum(score) / len(score)
    return None


@given(st.data(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 7), st.booleans())
def test_wrong_choices_are_those_of_counting_every_pair(data, weeks, rows, columns, paired):
    columns = max(columns, weeks)
    worse = data.draw(tables(rows, columns))
    better = data.draw(tables(rows, columns) if paired else tables(rows + 1, columns))
    expected = counted(worse, better, weeks, paired)
    if expected is None:
        with pytest.raises(ValueError, match="leave at least one choice"):
            wrong_choice(worse, better, weeks, paired)
    else:
        assert wrong_choice(worse, better, weeks, paired) == pytest.approx(expected, abs=1e-12)


def test_means_of_the_same_weeks_in_another_order_are_a_tie():
    assert wrong_choice([[0.1, 0.2, 0.3]], [[0.3, 0.2, 0.1]], 3) == 0.5


def test_weeks_needed_find_a_true_difference_half_of_the_time():
    """Means of autoregressive weeks, as long as it says: the interval of the difference leaves out
    0 in half.
    """
    rng = np.random.default_rng(3)
    r = 0.6
    sigma = 1.0
    delta = 0.4
    weeks = round(weeks_needed(sigma**2, r, delta))
    noise = rng.standard_normal((2, 4000, weeks)) * sigma * math.sqrt(1 - r**2)
    series = np.empty_like(noise)
    series[:, :, 0] = rng.standard_normal((2, 4000)) * sigma
    for t in range(1, weeks):
        series[:, :, t] = r * series[:, :, t - 1] + noise[:, :, t]
    difference = series[0].mean(axis=1) - series[1].mean(axis=1) + delta
    half = NormalDist().inv_cdf(0.975) * sigma * math.sqrt(2 * (1 + r) / ((1 - r) * weeks))
    assert np.mean(difference > half) == pytest.approx(0.5, abs=0.04)


ARMS = [0.2, 0.5, 0.8], [0.5, 0.5, 0.5]


@pytest.mark.parametrize("rule", BANDITS)
def test_regret_is_the_sum_of_what_the_means_say(rule):
    played = bandit(*ARMS, 300, rule, np.random.default_rng(1))
    assert played["regret"].to_numpy() == pytest.approx(
        np.cumsum(0.8 - np.array(ARMS[0])[played["arm"]])
    )
    assert played["round"].tolist() == list(range(1, 301))
    assert played.equals(bandit(*ARMS, 300, rule, np.random.default_rng(1)))


def test_ucb1_without_noise_by_hand():
    # 0.5 and 0 at once; then √(2 ln t): after two plays 0 is ahead by 0.5; at t = 3 it is 0.5 +
    # 1.048 against 1.482, at t = 4 0.5 + 0.961 against 1.665
    assert bandit([0.5, 0.0], [0, 0], 5, "ucb1", np.random.default_rng(1))["arm"].tolist() == [
        0,
        1,
        0,
        0,
        1,
    ]


def test_ties_go_to_the_lowest_arm_and_committing_is_for_good():
    arms = bandit([1, 1, 1], [0, 0, 0], 9, "epsilon_greedy", np.random.default_rng(1), epsilon=0)[
        "arm"
    ]
    assert arms.tolist() == [0, 1, 2] + [0] * 6
    arms = bandit([0, 1], [3, 3], 50, "explore_then_commit", np.random.default_rng(2), explore=4)[
        "arm"
    ]
    assert arms[:8].tolist() == [0, 1] * 4
    assert arms[8:].nunique() == 1


def test_the_mean_regret_of_ucb1_stays_below_its_bound():
    rounds = 1000
    gaps = [0.6, 0.3]
    regret = [
        bandit(*ARMS, rounds, "ucb1", np.random.default_rng(seed))["regret"].iloc[-1]
        for seed in range(30)
    ]
    assert np.mean(regret) < sum(
        8 * math.log(rounds) / gap + (1 + math.pi**2 / 3) * gap for gap in gaps
    )


@given(
    st.floats(-1e6, 1e6), st.floats(1e-3, 1e3), st.sampled_from(["explore_then_commit", "thompson"])
)
def test_rules_without_a_scale_of_their_own_choose_the_same_for_other_units(shift, unit, rule):
    plain = bandit(*ARMS, 60, rule, np.random.default_rng(5))["arm"]
    means = [shift + unit * mean for mean in ARMS[0]]
    deviations = [unit * one for one in ARMS[1]]
    moved = bandit(means, deviations, 60, rule, np.random.default_rng(5))["arm"]
    assert moved.tolist() == plain.tolist()


# --- several policies ---
@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=4), min_size=3, max_size=4))
def test_the_best_of_several_is_missed_as_often_as_counting_every_combination_says(policies):
    best, *others = policies
    chances = [(one[0] == min(one)) / one.count(min(one)) for one in product(best, *others)]
    found = best_missed([[one] for one in others], [best], 1)
    assert found == pytest.approx(1 - sum(chances) / len(chances), abs=1e-12)


# --- policies in turns ---
@pytest.mark.parametrize("order", ["arrival", "priority", "shortest"])
@pytest.mark.parametrize("backfill", ["none", "easy"])
@pytest.mark.parametrize("estimates", [1.0, 3.0])
def test_a_change_to_the_same_policy_changes_nothing(order, backfill, estimates):
    jobs = sample_jobs(platform_mix(overestimate=estimates), 3 * WEEK, np.random.default_rng(4))
    policy = Policy(order=order, backfill=backfill)
    for length in (WEEK, WEEK / 5.5):
        turned = take_turns(jobs, 1024, [policy, policy], length)
        plain = simulate(jobs, 1024, policy)
        assert turned.jobs["start"].to_numpy() == pytest.approx(
            plain.jobs["start"].to_numpy(), abs=1e-3
        )
        assert (turned.timeline["busy"] <= 1024).all()


def test_policies_in_turns_by_hand():
    rows = pd.DataFrame(
        {"submit": [0, 1, 2, 55, 0], "runtime": [30, 5, 8, 1, 1], "gpus": [3, 4, 1, 4, 9]},
        index=list("vwxyz"),
    )
    turned = take_turns(rows, 4, [Policy(), Policy(backfill="easy")], length=10).jobs
    assert turned["start"].tolist()[:4] == [0, 30, 10, 55] and turned.index.tolist() == list(
        "vwxyz"
    )
    assert turned["wait"].tolist()[:4] == [0, 29, 8, 0] and turned["can_start"].tolist() == [
        True
    ] * 4 + [False]
    other = take_turns(rows, 4, [Policy(backfill="easy"), Policy()], length=10).jobs
    assert other["start"].tolist()[2] == 2
