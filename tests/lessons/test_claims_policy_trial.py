"""Every sentence of the policy trial that holds a number, quoted and proved."""

import math
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from lessons.policy_trial import ACTS, LESSON, bandits, challenge, choices, needed, often, single, values, weeks
from lessons.policy_trial.settings import PAIRS, RULES, WAYS, Trial
from physics import constants as k
from physics.experiments import WEEK, best_missed, weeks_needed, wrong_choice
from physics.jobs import sample_jobs
from physics.scheduling import simulate
from ui.base.words import fill
from ui.knobs.declared import knobs_of

HOUR, DAY = 3600.0, 86400.0
WORDS = values.live_values(Trial())
KEPT = weeks.table()
STRICT, EASY = KEPT["strict"], KEPT["easy"]


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def reflected(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS)


def first(text: str) -> float:
    """The first number of a text."""
    return float(re.search(r"\d[\d,]*(\.\d+)?", text)[0].replace(",", ""))


# --- the table ---
@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 41])
def test_a_run_of_the_table_comes_out_again_to_the_minute(number):
    again = weeks.run(number)
    assert again.keys() == KEPT.keys()
    for name, row in again.items():
        assert (row * weeks.STEP == KEPT[name][number]).all(), name


def test_the_table_is_small_and_has_the_shapes_that_its_constants_say():
    assert weeks.TABLE.stat().st_size < 200_000
    shapes = {name: rows.shape for name, rows in KEPT.items()}
    assert shapes == {
        "fifo": (choices.RUNS, 192), "strict": (choices.RUNS, 192), "easy": (choices.RUNS, 192),
        "two": (choices.RUNS, 96), "three": (choices.RUNS, 96), "blocks": (choices.RUNS, 24), "jobs": (choices.RUNS, 3),
    }  # fmt: skip
    assert k.TRIAL_NUMBER.high == choices.RUNS and choices.RUNS % choices.GROUPS == 0


def test_no_week_is_without_training_jobs():
    assert all(np.isfinite(rows).all() for rows in KEPT.values())
    jobs = sample_jobs(weeks.platform_mix(), 4 * WEEK, np.random.default_rng(1))
    assert weeks.draw(np.random.default_rng(1), 4).equals(jobs)


# --- the message ---
def test_the_message_and_the_knobs_tell_the_same_story():
    trial = Trial()
    assert (trial.way, trial.weeks, trial.policies) == ("after", 8, "two")
    assert "strict priority for eight weeks and priority with EASY for eight weeks" in LESSON.message
    assert LESSON.prediction.right == LESSON.reflection.right == "c"
    for name, rows, told in (("strict", STRICT, 35), ("easy", EASY, 19)):
        mean, half = choices.mean(name)
        assert mean == pytest.approx(rows.mean()) and abs(mean / HOUR - told) < 0.5 and half / HOUR < 2.5
    assert "from about 35 to 19 hours" in LESSON.message
    assert pytest.approx(0.78, abs=0.002) == choices.LOAD


def test_over_jobs_the_means_are_higher_and_those_of_a_longer_study_are_inside_the_intervals():
    # 240 runs of 192 weeks: 35.9 ± 1.1 and 20.6 ± 0.4 h over jobs, 33.9 and 19.2 h over weeks.
    for name, over_jobs, over_weeks in (("strict", 35.9, 33.9), ("easy", 20.6, 19.2)):
        (jobs, half), (week, width) = choices.over_jobs(name), choices.mean(name)
        assert jobs > week and abs(jobs / HOUR - over_jobs) < half / HOUR + 0.5
        assert abs(week / HOUR - over_weeks) < width / HOUR + 0.5


def test_a_third_by_counting_every_pair():
    windows = [[row[at : at + 8].sum() for row in rows for at in range(0, 192, 8)] for rows in (STRICT, EASY)]
    pairs = np.subtract.outer(*windows)
    counted = ((pairs < 0) + 0.5 * (pairs == 0)).mean()
    found = choices.share(Trial())
    assert counted == pytest.approx(found.value) and first(WORDS["wrong_eight"]) == pytest.approx(
        100 * counted, abs=0.5
    )
    assert found.value == wrong_choice(STRICT, EASY, 8) and abs(found.value - 0.317) < found.half + 0.004
    assert found.value - found.half > 0.28 and found.value + found.half < 0.36  # about a third, and no other option
    assert said("c").startswith(WORDS["wrong_eight"]) and f"{choices.RUNS} simulated runs of 192 weeks" in said("c")
    for option in "bd":
        assert WORDS["wrong_eight"] in said(option)


def test_back_to_back_it_is_a_third_too():
    blocks = KEPT["blocks"]
    wrong = (blocks[:, ::2] < blocks[:, 1::2]).mean() + 0.5 * (blocks[:, ::2] == blocks[:, 1::2]).mean()
    found, gap = choices.blocks()
    assert found.value == pytest.approx(wrong) and 0.28 < wrong < 0.42
    assert WORDS["block"] in said("c") and gap < STRICT.mean() - EASY.mean()


def test_weeks_stray_and_hang_together():
    assert first(WORDS["strays"]) == pytest.approx(STRICT.std() / HOUR, rel=0.05)
    assert first(WORDS["strays_easy"]) == pytest.approx(EASY.std() / HOUR, rel=0.05)
    for rows, name in ((STRICT, "r_strict"), (EASY, "r_easy")):
        before, after = rows[:, :-1] - rows.mean(), rows[:, 1:] - rows.mean()
        assert first(WORDS[name]) == pytest.approx((before * after).mean() / rows.var(), abs=0.02)
        assert first(WORDS[name]) > 0.6
    assert STRICT.std() > STRICT.mean() - EASY.mean()


# --- the second question ---
def test_after_half_a_year_it_is_still_a_fifth():
    found = choices.interval("two", "after", 26)
    assert abs(found.value - 0.218) < found.half + 0.006 and 0.17 < found.value < 0.25
    for option in "abcd":
        assert WORDS["wrong_long"] in reflected(option)
    year = choices.interval("two", "after", 52)
    assert year.value + year.half > 0.1 and WORDS["wrong_year"] in reflected("b")


def test_shuffled_weeks_would_average_out():
    assert choices.shuffled(26) == pytest.approx(0.04, abs=0.015) and WORDS["free_long"] in reflected("a")
    assert choices.shuffled(26) < choices.shuffled(8) / 2 < choices.share(Trial()).value / 2
    # Independent weeks are also nearly normal on average: the normal approximation is of the same size.
    gap, variance = STRICT.mean() - EASY.mean(), (STRICT.var() + EASY.var()) / 26
    assert choices.shuffled(26) == pytest.approx(0.5 * math.erfc(gap / math.sqrt(2 * variance)), abs=0.02)


def test_one_replayed_week_errs_less_than_half_a_year_of_each():
    tied, worse = (STRICT == EASY).mean(), (STRICT < EASY).mean()
    found = choices.interval("two", "replay", 1)
    assert found.value == pytest.approx(worse + tied / 2) and abs(found.value - 0.055) < found.half + 0.002
    assert f"in {WORDS['tied']} of the weeks" in reflected("c") and f"in {WORDS['strictly']} the worse" in reflected(
        "c"
    )
    assert first(WORDS["tied"]) == pytest.approx(100 * tied, rel=0.05)
    assert found.value + found.half < choices.missed("two", "after", 26) / 2
    four = choices.interval("two", "replay", 4)
    assert abs(four.value - 0.0056) < four.half + 0.0014 and WORDS["replay_four"] in fill(LESSON.reply, WORDS)


# --- weeks needed ---
def test_the_weeks_needed_are_the_formula_and_half_of_them_would_not_do():
    variance, r = (STRICT.var() + EASY.var()) / 2, (choices.spread("strict")[1] + choices.spread("easy")[1]) / 2
    hand = 2 * 1.959964**2 * variance * (1 + r) / (1 - r) / (15 * HOUR) ** 2
    assert needed.number(Trial()) == pytest.approx(hand) == weeks_needed(variance, r, 15 * HOUR)
    assert WORDS["story_needed"] == f"{math.ceil(hand)}" and hand > 100 > needed.number(Trial(), correlation=0.0)
    for trial in (Trial(), Trial(way="turns"), Trial(difference=HOUR, confidence=0.99)):
        assert "only half of the time" in needed.verdict(trial).text
    assert "one after the other, 15 h take 280 of each policy" in fill(LESSON.takeaways[3], WORDS)


def half_width(way: str, n: int) -> float:
    """Half the width of the middle 95 % of trials of n weeks each, were they normal, read off the table [h]."""
    strict, easy = (
        rows[:, : rows.shape[1] // n * n].reshape(72, -1, n).mean(axis=2) for rows in choices.tables("two", way)
    )
    return 1.96 * float((strict - easy).std() if way == "turns" else math.hypot(strict.std(), easy.std())) / HOUR


def test_weeks_needed_are_near_what_the_table_shows_in_turns_and_one_after_the_other():
    """In turns adjacent weeks share the queue, so that ten hours take about ten weeks, not hundreds."""
    assert half_width("turns", 8) == pytest.approx(10.9, abs=0.05) and half_width("turns", 12) < 9
    assert 8 <= needed.number(Trial(way="turns", difference=10 * HOUR)) <= 12
    for way, numbers in (("turns", (4, 8, 12)), ("after", (48, 96))):
        for n in numbers:
            trial = Trial(way=way, difference=half_width(way, n) * HOUR)
            assert needed.number(trial) == pytest.approx(n, rel=0.25)
    assert "2 σ² is the variance of the difference of adjacent weeks" in values.live_values(Trial(way="turns"))["meant"]


def test_replayed_weeks_are_counted_since_their_difference_is_one_sided():
    """A normal variance would ask for 227 weeks where one errs in 6 %."""
    apart = (STRICT - EASY).ravel()
    assert (apart < 0).mean() < 0.05 and apart.mean() > 2 * np.median(apart)
    assert np.sort(apart)[-len(apart) // 4 :].sum() > apart.sum() / 2
    for confidence in (0.8, 0.9, 0.95, 0.99):
        trial = Trial(way="replay", confidence=confidence)
        n = needed.number(trial)
        assert choices.missed("two", "replay", n) <= 1 - confidence + 1e-9
        assert n == 1 or choices.missed("two", "replay", n - 1) > 1 - confidence
        assert f"{n} week" in needed.verdict(trial).text and "difference" in trial.idle()
        assert needed.metrics(trial)[0].value == str(n) and needed.frame(trial).num_rows == 2
    assert needed.number(Trial(way="replay")) == 2


def week_alone(number: int) -> list[tuple[float, float, float]]:
    """Say of some weeks whether the worse looks better: with twelve weeks before, alone, and from its state."""
    jobs = weeks.draw(np.random.default_rng([7, number]), 36)
    ran = [simulate(jobs, weeks.FLEET, weeks.POLICIES[name]).jobs for name in ("strict", "easy")]
    lead, found = DAY, []
    for begin in (week * WEEK for week in range(12, 28, 2)):
        counted = jobs["submit"].between(begin, begin + WEEK, inclusive="left")
        real = ran[0]
        runs, waits = (
            (real["start"] < begin) & (real["end"] > begin),
            (real["submit"] < begin) & (real["start"] >= begin),
        )
        left, planned = real["end"] - begin + lead, real["start"] + jobs["estimate"] - begin + lead
        held = jobs.assign(submit=begin - lead, runtime=left, estimate=np.maximum(planned, left))[runs]
        idle = jobs.iloc[:1].assign(
            submit=begin - lead, runtime=lead, estimate=lead, gpus=weeks.FLEET - held["gpus"].sum()
        )
        queue = jobs[waits].sort_values("submit")
        queue = queue.assign(submit=begin - 1 + np.arange(len(queue)) / (len(queue) + 1))
        state = pd.concat([idle[idle["gpus"] > 0], held, queue, jobs[counted]], ignore_index=True)
        row = []
        for frame, last in ((None, 0), (jobs[counted], 0), (state, len(state) - counted.sum())):
            means = []
            for name, whole in zip(("strict", "easy"), ran, strict=True):
                done = (
                    whole[counted] if frame is None else simulate(frame, weeks.FLEET, weeks.POLICIES[name]).jobs[last:]
                )
                means.append(round(done.loc[done["job_class"] == "training", "wait"].mean() / 60))
            row.append((means[0] < means[1]) + (means[0] == means[1]) / 2)
        found.append(tuple(row))
    return found


@pytest.mark.nightly
def test_a_week_replayed_alone_errs_twice_as_often_as_one_with_its_queue():
    """The reply's condition and the derivation's figures, over 800 weeks; intervals by run."""
    runs = np.array([np.mean(week_alone(number), axis=0) for number in range(100)])
    (warm, alone, state), half = runs.mean(axis=0), 1.98 * runs.std(axis=0, ddof=1) / 10
    assert abs(alone - 0.12) < half[1] + 0.01 and abs(state - 0.06) < half[2] + 0.01
    assert abs(warm - choices.missed("two", "replay", 1)) < half[0] + 0.01 and alone > 1.5 * max(warm, state)


def test_the_reply_says_what_is_recorded_with_a_week():
    assert "if the weeks before are replayed too" in LESSON.reply
    assert "which jobs run and which wait when it begins" in LESSON.reply
    step = next(one.text for one in LESSON.derivation if one.title == "Replaying the same weeks")
    assert "follows twelve weeks under its own policy" in step and weeks.WARM == 12


def test_two_or_three_digits_in_prose_and_no_error_outside_the_derivation():
    for policies, way, n in product(PAIRS, WAYS, (1, 8, 26)):
        trial = Trial(policies=policies, way=way, weeks=n)
        for act in ACTS.values():
            rows = act.metrics(trial)
            texts = [act.verdict(trial).text, *(f"{row.value} {row.note}" for row in rows)]
            assert not [text for text in texts if "±" in text or re.search(r"[1-9][.,]?\d[.,]?\d[.,]?[1-9]", text)], (
                texts
            )
    prose = [LESSON.reply, *LESSON.takeaways, *(one.feedback for one in LESSON.prediction.options)]
    assert "±" not in " ".join(fill(text, WORDS) for text in prose)


def test_guessing_is_right_half_of_the_time_between_two_and_a_third_among_three():
    for policies, level, words in (
        ("two", 1 / 2, "tossing a coin between two"),
        ("three", 2 / 3, "guessing among three"),
    ):
        frame = often.frame(Trial(policies=policies)).to_pandas()
        assert frame.loc[frame.kind == "half", "y"].tolist() == pytest.approx([level])
        assert frame.loc[frame.label == words, "y"].tolist() == pytest.approx([level])


def test_at_that_number_a_true_difference_is_found_half_of_the_time():
    rng, n = np.random.default_rng(5), 4000
    half_width = 1.959964 * math.sqrt(2 / 40)  # weeks_needed(1, 0, this) is 40
    assert weeks_needed(1.0, 0.0, half_width) == pytest.approx(40, rel=1e-6)
    seen = rng.normal(half_width, 1, (n, 40)).mean(axis=1) - rng.normal(0, 1, (n, 40)).mean(axis=1)
    assert (seen > half_width).mean() == pytest.approx(0.5, abs=3 * math.sqrt(0.25 / n))


# --- turns and bandits ---
def test_in_turns_the_difference_shrinks_beyond_chance():
    turned = KEPT["two"]
    gaps = (turned[:, ::2] - turned[:, 1::2]).mean(axis=1), (STRICT - EASY).mean(axis=1)
    (short, half), (long, width) = (choices.mean_interval(one / HOUR) for one in gaps)
    assert short + half < (long - width) / 2
    assert first(WORDS["turns_gap"]) == pytest.approx(short, rel=0.05)
    assert first(WORDS["apart"]) == pytest.approx(long, rel=0.005)
    text = bandits.verdict(Trial()).text
    for words in (WORDS["strict_turns"], WORDS["easy_turns"], WORDS["strict"], WORDS["easy"]):
        assert words in text


def test_the_bound_is_true_and_says_nothing_yet_at_every_length():
    rounds = knobs_of(Trial)["rounds"].values({})
    for policies, weeks_played in product(PAIRS, rounds):
        trial = Trial(policies=policies, rounds=weeks_played)
        means, deviations, unit = bandits.arms(policies)
        gaps = [max(means) - one for one in means if one < max(means)]
        hand = sum(8 * math.log(weeks_played) / gap for gap in gaps) + (1 + math.pi**2 / 3) * sum(gaps)
        assert max(deviations) == pytest.approx(0.5)
        assert bandits.bound(trial) == pytest.approx(hand * unit / HOUR)
        assert bandits.bound(trial) > max(bandits.gaps(trial)) * weeks_played


@pytest.mark.parametrize("policies", PAIRS)
@pytest.mark.parametrize(("rounds", "explore"), [(26, 26), (26, 13), (130, 26), (208, 26), (208, 1)])
def test_bandits_that_all_choose_alike_lose_one_number(policies, rounds, explore):
    """Whoever explores for longer than the trial lasts tries the arms in turns, and all lose the same."""
    trial = Trial(policies=policies, rule="explore_then_commit", rounds=rounds, explore=explore)
    alike = np.ptp(bandits.regret(trial)[:, -1]) < 1e-6
    said, told = bandits.verdict(trial).text, values.live_values(trial)["regret"]
    assert f"loses {told} h·weeks" in said
    assert (bandits.metrics(trial)[0].note == "by each of 30 bandits") == alike
    assert first(told) == pytest.approx(bandits.regret(trial)[:, -1].mean(), rel=0.006)
    arms = len(bandits.arms(policies)[0])
    assert alike or explore * arms < rounds


@pytest.mark.parametrize("rule", RULES)
def test_the_band_of_the_bandits_holds_half_of_them_and_claims_no_confidence(rule):
    """Few bandits that lose much make the regret skewed: a t interval of 30 held its mean in 85 % for ε-greedy."""
    trial = Trial(rule=rule)
    frame, last = bandits.frame(trial).to_pandas(), bandits.regret(trial)[:, -1]
    lower, upper = frame.loc[frame.kind == "band", ["y", "y2"]].iloc[-1]
    assert ((last >= lower) & (last <= upper)).mean() >= 0.5 >= ((last > lower) & (last < upper)).mean()
    texts = [bandits.words(trial), *(metric.note for metric in bandits.metrics(trial))]
    assert "the middle half" in texts[0] and "95 %" not in " ".join(texts)


# --- sentences at every setting ---
def test_each_act_says_the_truth_at_many_settings():
    for policies, way, n in product(PAIRS, WAYS, (1, 8, 26)):
        trial = Trial(policies=policies, way=way, weeks=n, number=5)
        for act in ACTS.values():
            text = act.verdict(trial).text
            assert "nan" not in text and not re.search(r"\b1 weeks", text)
            assert len(act.metrics(trial)) == (3 if act is single and policies == "two" else 4)
        share, half = choices.missed(policies, way, n), choices.share(trial).half
        told, sure = often.verdict(trial), not half or abs(share - 0.05) > half
        assert told.good is (share <= 0.05 if sure else None)
        assert ("do not tell whether that is at most 5 %" in told.text) == (not sure)
        assert ("none of the trials" in told.text) == (share == 0)
        means = {name: rows.mean() for name, rows in single.weekly(trial).items()}
        assert single.kept(trial) == min(means, key=means.get)
        found = choices.tables(policies, way)
        assert share == pytest.approx(best_missed(found[:-1], found[-1], n, way != "after"), abs=1e-12)


def test_the_policy_that_is_kept_never_looks_like_another():
    """At every setting of the act: two means that differ are written differently, and the lowest is kept."""
    for policies, way, n, number in product(PAIRS, WAYS, range(1, 27), range(1, choices.RUNS + 1, 5)):
        trial = Trial(policies=policies, way=way, weeks=n, number=number)
        means = {name: rows.mean() for name, rows in single.weekly(trial).items()}
        told = {name: first(words) for name, words in single.told(trial).items()}
        kept = [name for name, one in told.items() if one == min(told.values())]
        assert single.kept(trial) == (kept[0] if len(kept) == 1 else ""), trial
        assert all(told[name] == pytest.approx(means[name] / HOUR, rel=5e-3, abs=1e-9) for name in means), trial
        assert all(rows.max() / HOUR <= single.TOP for rows in single.weekly(trial).values())
    close = single.verdict(Trial(number=7, weeks=7)).text
    assert "strict priority 20.8 h, priority with EASY 20.8 h" not in close and "keeps strict priority" in close


@pytest.mark.slow
def test_the_weeks_that_would_do_are_counted_with_their_interval():
    for policies in PAIRS:
        words = often.remedies(Trial(policies=policies))
        for way, name in WAYS.items():
            part = words.split(f"{name.lower()}: ")[1].split(";")[0]
            found = choices.tables(policies, way)
            share = {n: best_missed(found[:-1], found[-1], n, way != "after") for n in range(1, 27)}
            least = min((n for n in share if share[n] <= 0.05), default=27)
            assert part.startswith(f"{least} weeks of each (" if least < 27 else "more than 26 weeks"), words
            assert least == 27 or first(part.split("(")[1]) == pytest.approx(100 * share[least], rel=0.05)


def test_the_intervals_hold_the_share_of_the_other_half_of_the_runs():
    for way, n in product(WAYS, (1, 8)):
        found = choices.tables("two", way)
        halves = [
            wrong_choice(*(one[part] for one in found), n, way != "after") for part in (slice(0, 36), slice(36, 72))
        ]
        half = choices.interval("two", way, n).half
        # Each half strays √2 times as far as the whole, their difference twice as far: within three times its interval.
        assert abs(halves[0] - halves[1]) < 3 * half + 1e-9


def test_easy_is_the_best_of_the_three_and_the_task_says_how_many_weeks():
    means = {name: choices.mean(name) for name in weeks.POLICIES}
    assert min(means, key=lambda name: means[name][0]) == choices.BEST
    easy, fifo = means["easy"], means["fifo"]
    assert easy[0] + easy[1] < fifo[0] - fifo[1]
    assert "With at most 20 weeks in all" in challenge.task() and "at least 90 % of all draws" in challenge.task()
