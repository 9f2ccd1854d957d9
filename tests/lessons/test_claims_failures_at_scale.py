"""Eight times the GPUs: every number of its words, its verdicts, pictures, and the challenge."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lessons import FAILURES_AT_SCALE as LESSON
from lessons.failures_at_scale import curve, safe, spares, strips
from lessons.failures_at_scale.elsewhere import choir, crew
from lessons.failures_at_scale.laboratory import published
from lessons.failures_at_scale.settings import GPUS, INTERVALS, START, Run, say
from physics import constants as k
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import read

DAY = 86400.0
MINUTE = 60.0
MTBFS = k.SPOT_CLUSTER_MTBF.positions
LOOK = Look()
TODAY = Run()
GROWN = Run(gpus=131072)
LIVE = LESSON.values(TODAY)


def filled(text: str) -> str:
    return fill(text, LIVE)


def feedback(option: str) -> str:
    return filled(LESSON.prediction.option(option).feedback)


def share(gpus: int, interval: float, recovery: float, days: float = 264, stall: float = 0):
    """Useful share, from the formula itself; minutes."""
    mtbf = days * 24 * 60 / (gpus / 8)
    return interval / (mtbf * math.exp(recovery / mtbf) * math.expm1((interval + stall) / mtbf))


# The message and its question


def test_the_default_settings_are_the_messages_case():
    message = " ".join(LESSON.message.split())
    assert "16,384 GPUs" in message and TODAY.gpus == 16384
    assert "every three hours" in message and TODAY.mtbf / 3600 == pytest.approx(3.09, abs=0.005)
    assert "one checkpoint per hour" in message and TODAY.interval == 3600 and TODAY.stall == 0
    assert "ten minutes to recover" in message and TODAY.recovery == 600
    assert "80% of the run's time" in message and TODAY.share == pytest.approx(0.80, abs=0.005)
    assert "131,072 GPUs" in message and 8 * TODAY.gpus == GROWN.gpus == k.SCALE_GROWN


def test_all_causes_stop_the_run_and_faulty_nodes_alone_need_a_repair():
    node_time = k.SPOT_PUBLISHED_SPAN * 2048
    assert node_time / 419 == pytest.approx(k.SPOT_CLUSTER_MTBF, rel=1e-3)
    assert node_time / 289 == pytest.approx(k.SCALE_FAULT_MTBF, rel=1e-3)
    text = say("spares_words", TODAY)
    assert "289 of the published run's 419" in text
    assert "faulty once in 383 days" in text and "interrupt a node once in 264 days" in text
    assert "All 419 failures of a published run count here" in say("curve_words", TODAY)


def test_eight_times_the_gpus_do_1_36_times_the_work():
    assert GROWN.share == pytest.approx(share(131072, 60, 10), rel=1e-12)
    assert GROWN.gain == pytest.approx(1.365, abs=0.001)
    assert "from 80.3% to 13.7%" in feedback("a") and "8.19 times" in feedback("a")
    assert "1.36 times the work" in feedback("d") and "every 23.2 min" in feedback("d")
    assert "1.96 times today's work" in feedback("c") and "5.18 times" in feedback("b")
    assert share(131072, 5, 2) * 131072 / TODAY.useful == pytest.approx(8.19, abs=0.005)
    assert share(131072, 10, 10) * 131072 / TODAY.useful == pytest.approx(5.18, abs=0.005)
    looks = [option.test.look for option in LESSON.prediction.options]
    assert sum("every 23 minutes" in look for look in looks) == 2


def test_the_peak_is_where_no_other_number_of_gpus_does_more():
    sizes = range(8, 262144 + 1, 8)
    best = max(sizes, key=lambda gpus: gpus * share(gpus, 60, 10))
    assert TODAY.peak == best == 65680
    assert TODAY.peak_useful == pytest.approx(25840, abs=1)
    for gpus in (0.9 * best, 1.1 * best):
        assert gpus * share(gpus, 60, 10) > 0.99 * TODAY.peak_useful
    assert "65,680 GPUs, of which 25,840 are useful" in filled(LESSON.takeaways[1])


def test_reply_and_fix_quote_the_models_numbers():
    texts = " ".join(filled(text) for text in (LESSON.reply, LESSON.fix()))
    for words in ("once in 23.2 min", "1.36 times", "5.18 times", "8.19 times", "3.93 times"):
        assert words in texts
    assert share(131072, 60, 10, days=528) * 131072 / TODAY.useful == pytest.approx(3.93, abs=0.005)
    assert "82.2% of 131,072" in filled(LESSON.takeaways[2])


# The tour, the reflection, the guesses


def test_the_tour_rises_to_the_peak_falls_beyond_it_and_moves_it():
    stages = [read(LESSON.settings, stop.settings)[0] for stop in LESSON.tour]
    assert [stage.state for stage in stages] == ["grows", "near", "past", "grows"]
    works = [stage.useful for stage in stages]
    assert works[0] < works[2] < works[1] < works[3]
    assert TODAY.mtbf > 3 * TODAY.interval  # "through several checkpoints"
    assert stages[1].mtbf < stages[1].interval  # "before an hour of work is over"
    kept = math.exp(-stages[2].interval / stages[2].mtbf)
    assert kept < 0.1  # "nearly every hour of work is struck"
    assert stages[3].peak > 2 * stages[2].peak
    assert not any(curve.judge(stage).good for stage in stages)


def test_a_late_checkpoint_costs_exactly_as_much_as_a_longer_recovery():
    often = Run(interval=600.0)
    late = replace(often, write=600.0)
    assert late.share == pytest.approx(replace(often, recovery=1200.0).share, rel=1e-12)
    right = filled(LESSON.reflection.option("b").feedback)
    assert LESSON.reflection.right == "b" and "87.4%" in right and "from 92.2% to" in right
    assert (often.share, late.share) == pytest.approx((0.922, 0.874), abs=5e-4)
    assert "89.7%" in filled(LESSON.reflection.option("c").feedback)
    assert share(16384, 20, 10) == pytest.approx(0.897, abs=5e-4)


def test_a_simulated_run_with_late_checkpoints_keeps_the_share_that_the_part_says():
    """Periods between failures: a recovery, then work; checkpoints at multiples are safe later."""
    run = Run(gpus=131072, interval=600.0, write=600.0)
    rng = np.random.default_rng(11)
    gaps = rng.exponential(run.mtbf, 200_000)
    worked = np.maximum(gaps - run.recovery - run.write, 0)
    kept = np.floor(worked / run.interval) * run.interval
    half_width = 4 * float(np.std(kept)) / len(gaps) ** 0.5 / run.mtbf
    assert kept.mean() / gaps.mean() == pytest.approx(run.share, abs=2 * half_width)
    # A failure during a recovery begins another one: the same gap, so that nothing is kept.


def test_the_guesses_offer_the_models_number_and_two_others():
    enough = LESSON.guesses["spares"]
    assert TODAY.enough == 10 and filled(enough.values[0]) == "10 spare nodes"
    assert TODAY.waiting_with(9) > 0.02 >= TODAY.waiting_with(10)
    assert TODAY.waiting == pytest.approx(0.8425, abs=5e-4)
    assert pytest.approx(205, abs=0.5) == 2048 / 10  # "one for every 205 nodes"
    assert round(0.02 * 2048) == 41 and round(0.1 * 2048) == 205
    late = LESSON.guesses["safe"]
    assert [filled(value) for value in late.values] == ["52%", "41%", "34%"]
    assert filled(late.model) == "34%" and GROWN.mtbf / 60 == pytest.approx(23.2, abs=0.05)


# Verdicts, pictures, and the challenge


@pytest.mark.parametrize(
    ("changes", "good", "words"),
    [
        ({}, True, "More GPUs still do more work"),
        ({"gpus": 65536}, None, "Hardly any more work is possible"),
        ({"gpus": 131072}, False, "Fewer GPUs would do more work"),
        ({"interval": 60.0, "stall": 120.0}, True, "Checkpoints cost more time than failures"),
    ],
)
def test_the_verdict_says_whether_more_gpus_would_do_more(changes, good, words):
    run = replace(TODAY, **changes)
    result = curve.verdict(run)
    if run.state == "writing":
        good = None
    assert result.good is good and words in result.text
    more = replace(run, gpus=round(run.gpus * 1.2 / 8) * 8)
    if run.state in ("past", "grows"):
        assert (more.useful > run.useful) is (run.state == "grows")


def test_every_change_that_is_offered_brings_the_run_below_its_peak():
    text = curve.remedies(GROWN)
    assert "use 65,536 GPUs" in text and "every 20 min" in text and "528 days" in text
    assert not curve.remedies(TODAY)


def test_26_000_useful_gpus_take_32_768_with_a_checkpoint_every_10_or_15_minutes():
    wins = [
        (gpus, interval)
        for gpus, interval in product(GPUS, INTERVALS)
        if curve.judge(Run(gpus=gpus, interval=float(interval), **START)).good
    ]
    assert wins == [(32768, 10 * MINUTE), (32768, 15 * MINUTE)]
    enough = [
        (gpus, interval)
        for gpus, interval in product(GPUS, INTERVALS)
        if gpus * share(gpus, interval / MINUTE, 10, stall=0.5) >= 26000
    ]
    assert len(enough) == 53 and min(enough)[0] == 32768
    most = Run(gpus=GPUS[-1], interval=MINUTE, **START)
    assert not curve.judge(most).good
    assert "keep" not in curve.judge(replace(most, recovery=60.0)).text
    assert curve.judge(replace(most, recovery=60.0)).good is None


@pytest.mark.parametrize("guess", "abcd")
def test_a_guess_is_drawn_at_131_072_gpus_and_the_work_that_it_says(guess):
    rows = curve.figure(TODAY, LOOK, guess=guess).frame
    row = rows[rows.label.fillna("").str.startswith("you said")].iloc[0]
    assert row.gpus == 131072
    assert row.useful == pytest.approx(curve.GUESSES[guess] * TODAY.useful)


@pytest.mark.parametrize(
    "run",
    [
        TODAY,
        GROWN,
        Run(gpus=GPUS[-1], interval=7200.0, node_mtbf=MTBFS[0], recovery=1800.0, stall=120.0),
        Run(gpus=GPUS[0], interval=MINUTE, node_mtbf=MTBFS[-1], recovery=MINUTE),
        Run(gpus=GPUS[-1], interval=MINUTE, node_mtbf=MTBFS[0], recovery=MINUTE),
    ],
    ids=range(5),
)
def test_every_picture_stays_in_its_frame_and_the_strips_are_whole_and_light(run):
    rows = curve.figure(run, LOOK, playing=True).frame
    assert rows.useful.dropna().between(curve.FOOT, curve.TOP).all()
    assert (rows.role == "here").sum() == 1 and (rows.kind == "goal").sum() == 1
    drawn = strips.figure(run, LOOK)
    spans = drawn.frame[drawn.frame.kind.isin(strips.KINDS.values())]
    assert spans.x2.between(0, strips.END).all() and drawn.rows.nbytes < 250_000
    for _, strip in spans.groupby("y"):
        assert (strip.x2 - strip.x).sum() == pytest.approx(strips.END)
    for part in (spares, safe):
        assert len(part.figure(run, LOOK).frame) > 10


def test_the_half_day_that_is_drawn_is_close_to_the_mean_at_several_sizes():
    for run in (TODAY, Run(gpus=32768), Run(gpus=65536), GROWN, replace(GROWN, interval=600.0)):
        spans = strips.play(run).query("kind == 'kept'")
        kept = (spans.end.clip(upper=43200) - spans.begin).sum() / 3600
        assert kept == pytest.approx(12 * run.share, abs=1)
    labels = set(strips.figure(GROWN, LOOK).frame.label.dropna())
    assert labels == {"today: 16,384 GPUs keep 9.7 of 12 h", "131,072 GPUs keep 2 of 12 h"}


# Published runs


def test_the_model_explains_the_published_useful_shares():
    shares = [case.run.share for case in published.RUNS]
    assert shares == pytest.approx([0.720, 0.934, 0.941, 0.922, 0.969], abs=5e-4)
    assert shares[0] == pytest.approx(share(16000, 60, 5, days=1000 / 6.5), rel=1e-9)
    assert shares[2] == pytest.approx(share(100000, 2, 2, days=1000 / 2.34), rel=1e-9)
    for case in published.RUNS:
        if case.at_least:
            assert case.run.share > case.share
    assert "at most 2 percentage points" in published.verdict(TODAY).text
    labels = published.figure(TODAY, LOOK).labels
    assert "Llama 3, 16,384 GPUs: 92.2%, published over 90%" in labels
    assert "your settings: 80.3%" in labels


# Elsewhere


def test_twice_the_singers_need_more_than_twice_the_time_for_a_piece():
    for singers, piece, cough in ((20, 360.0, 4800.0), (30, 280.0, 6000.0)):
        pieces = choir(singers, piece, cough)
        rate = singers / cough
        assert pieces["now"] == pytest.approx(math.expm1(rate * piece) / rate)
        assert pieces["larger"] > pieces["twice"] == 2 * pieces["now"]


def test_most_is_done_when_a_phone_rings_once_in_the_pause_that_it_causes():
    for call, pause in ((3600.0, 300.0), (7200.0, 360.0), (5400.0, 180.0)):
        best = crew(call, pause)["best"]
        assert best == round(call / pause)
        work = {people: people * math.exp(-people * pause / call) for people in range(1, 200)}
        assert max(work, key=work.get) == best
