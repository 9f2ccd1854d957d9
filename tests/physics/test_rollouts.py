"""Steps that wait for many answers: closed forms, played steps beside them, and the challenge's
winner by brute force.
"""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import lesson_cases, needs_lesson_cases

from physics import constants as k
from physics import rollouts
from physics.numerics import mean_interval
from physics.rollouts import (
    busy_share,
    draw_lengths,
    kept_mean,
    last_of,
    play_step,
    simulate_steps,
    stale_share,
    step_time,
)

numbers = st.integers(1, 60)


@needs_lesson_cases
def test_all_reference_cases_agree():
    cases = lesson_cases("B", "last_of", "step_time", "busy_share", "kept_mean", "stale_share")
    assert len(cases) == 20
    for case in cases:
        function = getattr(rollouts, case["function"].rpartition(".")[2])
        expected = pytest.approx(case["expected"], rel=case["rel"])
        assert function(**case["arguments"]) == expected, case["id"]


# --- the story's numbers ---
def test_half_the_gpus_make_the_step_4_percent_longer_and_an_eighth_of_them_two_thirds():
    longer = [step_time(1024, places) / last_of(1024) - 1 for places in (512, 256, 128)]
    assert longer == pytest.approx([0.041, 0.215, 0.656], abs=0.005)
    busy = [busy_share(1024, places) for places in (1024, 512, 256, 128, 64)]
    assert busy == pytest.approx([0.13, 0.26, 0.44, 0.64, 0.81], abs=0.005)


def test_starting_five_percent_more_cuts_the_step_to_3_minutes_and_the_answers_by_15_percent():
    extras = {0.01: 10, 0.02: 20, 0.05: 51, 0.1: 102, 0.25: 256}
    steps = [step_time(1024, extra=extra) for extra in extras.values()]
    assert steps == pytest.approx([4.59, 3.93, 3.04, 2.40, 1.61], abs=0.005)
    shorter = [1 - kept_mean(1024, extra=extras[share]) for share in (0.01, 0.05, 0.1, 0.25)]
    assert shorter == pytest.approx([0.045, 0.151, 0.239, 0.402], abs=0.001)
    kept = {
        share: busy_share(1024, extra=round(1024 * share))
        * kept_mean(1024, extra=round(1024 * share))
        for share in np.arange(1, 41) / 100
    }
    assert kept[0.05] == pytest.approx(0.266, abs=0.005)
    assert max(kept.values()) == pytest.approx(0.299, abs=0.001)


def winners(gpus, shares):
    """Settings whose step is no longer than today's and whose answers are at most 5% shorter."""
    today = step_time(1024)
    kept = []
    for number, share in product(gpus, shares):
        extra = round(1024 * share / 100)
        places = number * int(k.LAST_PLACES_PER_GPU)
        shorter = 1 - kept_mean(1024, places, extra)
        if step_time(1024, places, extra) <= today and shorter <= k.LAST_SHORTER:
            kept.append((number, share))
    return kept


def test_twelve_gpus_and_one_percent_more_is_the_only_winner_on_the_fewest_gpus():
    every = winners(range(1, 65), range(21))
    fewest = min(every)[0]
    assert (len(every), [setting for setting in every if setting[0] == fewest]) == (54, [(12, 1)])
    steps = range(int(k.LAST_GPUS.low), int(k.LAST_GPUS.high) + 1, int(k.LAST_GPUS.step))
    with_knobs = winners(steps, range(26))
    assert len(with_knobs) == 15 and min(with_knobs) == (12, 1)
    assert step_time(1024, 192, 10) == pytest.approx(7.29, abs=0.005)
    assert kept_mean(1024, 192, 10) == pytest.approx(1 - 0.038, abs=0.0005)


# --- laws ---
@given(numbers, numbers, st.integers(0, 30))
def test_more_places_or_more_extra_answers_never_make_the_step_longer(answers, places, extra):
    step = step_time(answers, places, extra)
    assert step_time(answers, places + 1, extra) <= step * (1 + 1e-12)
    assert step_time(answers, places, extra + 1) <= step * (1 + 1e-12)
    assert step >= answers / places * (1 - 1e-12)


@given(numbers, st.integers(0, 30))
def test_with_a_place_for_every_answer_the_kept_ones_are_shorter_in_step_with_the_step(
    answers, extra
):
    expected = 1 - extra / answers * step_time(answers, extra=extra)
    assert kept_mean(answers, extra=extra) == pytest.approx(expected, abs=1e-9)


@given(numbers, numbers)
def test_without_extra_answers_none_is_dropped_and_one_place_is_always_busy(answers, places):
    assert kept_mean(answers, places) == pytest.approx(1, abs=1e-12)
    assert busy_share(answers, 1) == pytest.approx(1)
    assert stale_share(answers, 0) == 0


def test_equal_answers_take_waves_and_a_spread_near_none_almost_the_same():
    assert step_time(1024, 512, mean=60, cv=0) == 120
    assert step_time(1000, 512, extra=48, cv=0) == 2
    assert step_time(5, 2, cv=0, longest=0.5) == 1.5
    assert step_time(1024, 512, cv=1e-4) == pytest.approx(2, rel=1e-3)


def test_the_integral_gives_a_single_answers_mean_and_the_exponential_sum():
    for cv in (0.1, 1.0, 3.0, 10.0):
        assert step_time(1, mean=60, cv=cv) == pytest.approx(60, rel=1e-6)
    for answers, extra in ((1, 0), (16, 0), (1024, 0), (1024, 51), (100_000, 5_000)):
        exact = step_time(answers, extra=extra)
        assert step_time(answers, extra=extra, longest=1e6) == pytest.approx(exact, rel=1e-9)


# --- played steps ---
@pytest.mark.parametrize(
    ("answers", "places", "extra"), [(256, 256, 0), (256, 128, 0), (256, 128, 13), (64, 16, 6)]
)
def test_played_steps_of_memoryless_answers_agree_with_all_three_formulas(answers, places, extra):
    played = simulate_steps(
        answers, np.random.default_rng(answers + places + extra), places, extra, steps=600
    )
    exact = {
        "step": step_time(answers, places, extra),
        "kept": kept_mean(answers, places, extra),
        "all": 1.0,
    }
    for column, value in exact.items():
        mean, half = mean_interval(played[column].tolist(), 0.9999)
        assert abs(mean - value) <= half, column
    # The busy share is a ratio of means over many steps.
    writing = (played["busy"] - busy_share(answers, places, extra)) * played["step"]
    mean, half = mean_interval(writing.tolist(), 0.9999)
    assert abs(mean) <= half


@pytest.mark.parametrize("spread", [{"cv": 0.5}, {"cv": 2.0}, {"longest": 3.0}])
@pytest.mark.parametrize(("places", "extra"), [(269, 13), (64, 13)])
def test_played_steps_of_other_lengths_agree_with_the_step_time(spread, places, extra):
    played = simulate_steps(256, np.random.default_rng(8), places, extra, **spread, steps=400)
    mean, half = mean_interval(played["step"].tolist(), 0.9999)
    assert abs(mean - step_time(256, places, extra, **spread)) <= half + 0.002 * mean


def test_half_the_places_cost_what_the_docstring_says_for_other_spreads():
    longer = [step_time(1024, 512, cv=cv) / step_time(1024, cv=cv) - 1 for cv in (0.5, 1, 2)]
    assert longer == pytest.approx([0.16, 0.03, 0.005], abs=0.005)
    cut = [
        step_time(1024, 512, longest=most) / step_time(1024, longest=most) - 1
        for most in (8, 6, 4, 3)
    ]
    assert cut == pytest.approx([0.04, 0.08, 0.23, 0.32], abs=0.015)


def test_a_played_step_uses_each_place_for_one_answer_at_a_time_and_ends_with_the_last_kept_one():
    lengths = draw_lengths(40, np.random.default_rng(2), mean=60.0)
    table = play_step(lengths, places=7, kept=36)
    step = table.loc[table["kept"], "end"].max()
    assert table["kept"].sum() == 36 and (table["end"] <= step).all()
    for _, answers in table.groupby("place"):
        assert (answers["start"].to_numpy()[1:] == answers["end"].to_numpy()[:-1]).all()
    written = (table["end"] - table["start"])[table["kept"]].sort_values().to_numpy()
    assert np.isin(np.round(written, 9), np.round(lengths, 9)).all()


def test_answers_that_go_on_in_the_next_step_are_old_as_often_as_said_and_as_long_as_all():
    rng = np.random.default_rng(4)
    answers, extra = 64, 6
    left = rng.exponential(size=extra)  # what is still to be written of the unfinished ones
    written = np.zeros(extra)
    old = []
    means = []
    for _ in range(3000):
        remaining = np.concatenate([left, rng.exponential(size=answers)])
        total = np.concatenate([written, np.zeros(answers)]) + remaining
        order = np.argsort(remaining)
        step = remaining[order[answers - 1]]
        old.append(np.mean(order[:answers] < extra))
        means.append(total[order[:answers]].mean())
        waiting = order[answers:]
        left = remaining[waiting] - step
        written = total[waiting] - left
    share, half = mean_interval(old, 0.9999)
    assert abs(share - stale_share(answers, extra)) <= half
    length, half = mean_interval(means[100:], 0.9999)
    assert abs(length - 1) <= 1.5 * half  # successive steps share answers


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: last_of(0), "n must be at least 1, got 0"),
        (lambda: step_time(10, cv=11), "cv must be from 0 to 10, got 11"),
        (lambda: step_time(2_000_000), "answers must be at most 1,000,000, got 2e+06"),
        (
            lambda: play_step([1.0], 1, 2),
            "kept must be at most the number of answers, 1, got 2",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == sentence
    assert math.isfinite(last_of(1_000_000))
