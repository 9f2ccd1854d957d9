"""The last answer: every number of its words, the laws behind its verdicts, and the one winner of
its challenge.
"""

from dataclasses import replace

import numpy as np
import pytest

from lessons import LAST_ANSWER as LESSON
from lessons.last_answer import carry, gpus, spreads, steps
from lessons.last_answer.settings import LIMITS, SPREADS, Rollout, bus, play
from physics import constants as k
from physics.numerics import mean_interval
from physics.rollouts import draw_lengths, last_of, simulate_steps
from physics.serving import decode_step_time
from ui.base.words import fill
from ui.charts import Look
from ui.knobs.declared import knobs_of, read

STORY = Rollout()
BACK = Rollout(gpus=32)
WIN = Rollout(gpus=12, extra=0.01)
LIVE = LESSON.values(STORY)


def feedback(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, LIVE)


# The message, its question, and what is found


def test_the_default_settings_are_the_messages_case():
    message = LESSON.message
    for words in ("1,024 answers", "64 GPUs, 16 on each", "seven and a half minutes"):
        assert words in message
    assert (STORY.answers, STORY.gpus, STORY.places, STORY.extra) == (1024, 64, 1024, 0)
    assert STORY.step / 60 == pytest.approx(7.51, abs=0.005)
    assert "one minute on average" in message and STORY.mean == 60
    assert f"{int(k.LAST_REQUESTED_GPUS)} GPUs back" in message


def test_half_the_gpus_make_the_step_four_percent_longer():
    assert BACK.step / 60 == pytest.approx(7.82, abs=0.005)
    assert STORY.halved == pytest.approx(0.041, abs=0.0005)
    assert "by 4.1%, from 7.51 min to 7.82 min" in feedback("c")
    assert "only 26% of the time" in feedback("b")
    assert "9.12 min, and with 32 it takes 7.82 min" in feedback("d")
    assert "from 1 min to 2 min" in feedback("a")


def test_the_formulas_of_the_page_are_those_of_simulated_steps():
    for rollout in (BACK, WIN):
        table = simulate_steps(
            1024, np.random.default_rng(3), rollout.places, rollout.extra_answers, 60.0, steps=200
        )
        for values, value in (
            (table["step"], rollout.step),
            (table["kept"] / 60, rollout.kept),
        ):
            mean, half = mean_interval(values.tolist(), 0.999)
            assert abs(mean - value) <= half


def test_after_two_minutes_most_places_have_nothing_to_write():
    table = play(STORY)
    assert (table["end"] > 120).mean() < 0.2
    assert np.exp(-2) < 0.14  # memoryless: the share that is longer than two means


def test_the_step_that_is_drawn_is_as_long_as_the_mean_step():
    for size in (64, 48, 32, 16, 8):
        rollout = Rollout(gpus=size)
        assert play(rollout)["end"].max() == pytest.approx(rollout.step, rel=0.035)
    steps_of = simulate_steps(1024, np.random.default_rng(1), steps=300)["step"]
    assert steps_of.std() / steps_of.mean() == pytest.approx(0.17, abs=0.03)


def test_answers_keep_their_lengths_and_order_at_every_setting():
    lengths = play(STORY)["end"] - play(STORY)["start"]
    fewer = play(Rollout(gpus=8))
    assert np.allclose(fewer["end"] - fewer["start"], lengths)
    one_more = draw_lengths(1034, np.random.default_rng(7), 60.0)
    assert np.array_equal(draw_lengths(1024, np.random.default_rng(7), 60.0), one_more[:1024])


# The tour


def test_each_step_of_the_tour_shows_its_cause():
    story, back, eight, more = (read(Rollout, stop.settings)[0] for stop in LESSON.tour)
    assert story.busy < 0.15 and back.step < 1.05 * story.step
    table = play(eight)
    starts = np.sort(table["start"])
    assert starts[-1] > 0.5 * table["end"].max()  # until then all slots are busy
    assert eight.work > 0.6 * eight.step and back.work < 0.3 * back.step
    assert more.shorter > 0.2 and more.step < 0.4 * story.step
    dropped = play(more)[~play(more)["kept"]]
    assert (dropped["end"] - dropped["start"]).mean() > 1.5 * STORY.mean
    assert not any(steps.judge(rollout).good for rollout in (story, back, eight, more))


# Takeaways, reflection, reply


def test_takeaways_reply_and_fix_quote_the_models_numbers():
    quoted = " ".join(fill(text, LIVE) for text in (*LESSON.takeaways, LESSON.reply, LESSON.fix()))
    for words in (
        "mean of one minute take 7.51 min, so the slots are busy only 13% of the time",
        "4.1% longer",
        "from 7.51 min to 4.59 min",
        "the kept ones are 4.5% shorter",
        "7.82 min instead of 7.51 min",
        "takes 4.91 min on 32 GPUs, but the kept answers are 4.4% shorter",
    ):
        assert words in quoted
    assert Rollout(gpus=4).busy > 0.8


def test_sixteen_times_as_many_answers_add_less_than_three_minutes():
    later = float(last_of(16_384)) - float(last_of(1024))
    assert later < 3 and later == pytest.approx(np.log(16), abs=0.001)
    texts = {option.id: option.text for option in LESSON.reflection.options}
    assert "10.3 minutes" in texts["b"]
    assert float(last_of(16_384)) == pytest.approx(10.3, abs=0.05)
    assert 16 * STORY.step == pytest.approx(2 * 3600, rel=0.01)  # the answer "2 hours"


def test_few_answers_on_a_gpu_are_written_at_a_pace_that_hardly_depends_on_their_number():
    model = {
        "weights": 2 * float(k.STUTTER_PARAMETERS),
        "kv_bytes": 131_072,
        "parameters": float(k.STUTTER_PARAMETERS),
        "bandwidth": float(k.STUTTER_BANDWIDTH),
        "compute": float(k.STUTTER_COMPUTE),
    }
    paces = {batch: float(decode_step_time(batch, 1000, **model)) for batch in (1, 16, 64)}
    assert paces[16] < 1.15 * paces[1] and paces[64] > 1.4 * paces[1]


# Parts


def test_unfinished_answers_that_go_on_cost_no_length_and_a_share_of_older_answers():
    five = Rollout(extra=0.05)
    assert five.extra_answers == 51 and five.stale == pytest.approx(51 / 1075)
    assert five.shorter == pytest.approx(0.151, abs=0.0005)
    values = [fill(value, LIVE) for value in LESSON.guesses["carry"].values]
    assert values == ["4.7%", "15%", "60%"]
    assert five.step / STORY.step == pytest.approx(0.405, abs=0.001)  # 60% shorter
    labels = carry.figure(five, Look()).labels
    assert labels == ["dropped", "15.1% shorter", "continued", "4.74% older"]


def test_half_the_gpus_cost_more_the_less_lengths_differ():
    costs = {spread: Rollout(spread=spread).halved for spread in SPREADS}
    assert costs["same"] == 1 and costs["half"] == pytest.approx(0.16, abs=0.01)
    assert costs["one"] == pytest.approx(0.03, abs=0.006) and costs["two"] < 0.012
    assert sorted(costs.values(), reverse=True)[:2] == [costs["same"], costs["half"]]
    values = [fill(value, LIVE) for value in LESSON.guesses["spreads"].values]
    assert values[1] == "16%"
    assert set(spreads.NAMES) == set(SPREADS)


def test_a_limit_cuts_off_the_share_that_is_longer():
    for spread in ("memoryless", "half", "one", "two"):
        rng = np.random.default_rng(5)
        lengths = draw_lengths(200_000, rng, 1.0, SPREADS[spread])
        for limit in ("3", "8"):
            share = Rollout(spread=spread, longest=limit).cut_off
            half = 4 * np.sqrt(max(share, 1e-5) / len(lengths))
            assert (lengths > LIMITS[limit]).mean() == pytest.approx(share, abs=half)


# Verdicts and pictures


@pytest.mark.parametrize(
    ("changes", "good", "words"),
    [
        ({}, False, "The slots are busy only 13% of the time"),
        ({"gpus": 8}, True, "The slots are busy 64% of the time"),
        ({"extra": 0.1}, False, "the kept answers are 24% shorter"),
        ({"longest": "4"}, False, "Of all answers, 1.8% are never finished"),
        ({"spread": "same"}, True, "The slots are busy 100% of the time"),
    ],
)
def test_the_verdict_names_what_sets_the_length_of_the_step(changes, good, words):
    verdict = steps.verdict(replace(STORY, **changes))
    assert verdict.good is good and words in verdict.text


@pytest.mark.parametrize(
    "rollout", [STORY, BACK, Rollout(gpus=4), Rollout(extra=0.25), Rollout(answers=64)]
)
def test_bars_of_a_place_do_not_overlap_and_one_of_them_ends_the_step(rollout):
    frame = steps.figure(rollout, Look()).frame
    bars = frame[frame["kind"].isin(["answer", "last", "dropped", "idle"])]
    assert bars["row"].nunique() == min(steps.MAX_SLOTS, rollout.places)
    for _, place in bars.sort_values("minutes").groupby("row"):
        assert (place["minutes"].to_numpy()[1:] >= place["x2"].to_numpy()[:-1] - 1e-9).all()
    assert (frame["kind"] == "last").sum() == 1


def test_the_step_is_longer_than_the_work_and_the_last_answer_alone():
    for size in knobs_of(Rollout)["gpus"].values({}):
        rollout = Rollout(gpus=size)
        bound = max(rollout.work, rollout.longest_wait)
        together = rollout.work + rollout.longest_wait
        assert bound <= rollout.step <= together
    assert gpus.figure(Rollout(gpus=4), Look()).labels[-1] == "4 GPUs: 19.7 min"


# The challenge


def test_exactly_one_setting_wins_the_challenge_and_none_on_fewer_gpus_meets_both_limits():
    knobs = knobs_of(Rollout)
    meets = []
    for size in knobs["gpus"].values({}):
        for extra in knobs["extra"].values({}):
            rollout = Rollout(gpus=size, extra=extra)
            if rollout.in_time and rollout.long_enough:
                meets.append(rollout)
    assert len(meets) == 15 and min(meets, key=lambda one: one.gpus) == WIN
    assert [rollout for rollout in meets if steps.judge(rollout).good] == [WIN]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"answers": 512}, "must stay as in the message"),
        ({"longest": "8"}, "must stay as in the message"),
        ({"gpus": 8}, "longer than today's 7.51 min"),
        ({"extra": 0.0}, "a step takes 10.2 min, longer than today's 7.51 min"),
        ({"extra": 0.02}, "more than the allowed 5%"),
        ({"gpus": 16}, "16 GPUs meet both limits, but fewer are enough"),
    ],
)
def test_neighbors_of_the_winner_fail_for_what_the_page_says(changes, words):
    judged = steps.judge(replace(WIN, **changes))
    assert judged.good is False and judged.text.startswith("Not yet: ") and words in judged.text


# Elsewhere


def test_the_bus_leaves_much_sooner_without_the_last_two():
    place = bus(pupils=40, left=2, late=5.0, times=2)
    assert place["all"] / 60 == pytest.approx(21.4, abs=0.05)
    assert place["without"] / 60 == pytest.approx(13.9, abs=0.05)


def test_a_limit_on_lengths_is_named_only_where_it_ends_the_step_sooner():
    dropped = Rollout(gpus=44, longest="8", extra=0.06)
    assert dropped.step == pytest.approx(replace(dropped, longest="none").step, rel=0.01)
    assert "Dropping long answers" in steps.verdict(dropped).text
    limited = Rollout(gpus=60, longest="8")
    assert limited.step < 0.99 * replace(limited, longest="none").step
    assert "long answers are cut off" in steps.verdict(limited).text
