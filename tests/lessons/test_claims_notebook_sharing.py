"""Notebook sharing: every number of its words by hand, the laws behind its verdicts, and the
challenge.
"""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons import NOTEBOOK_SHARING as LESSON
from lessons.notebook_sharing import pair
from lessons.notebook_sharing.laboratory import combinations, gpu
from lessons.notebook_sharing.settings import SCHEDULERS, TIE, Study, say
from physics import constants as k
from physics.notebooks import ThinkTime, alone, antt, greatest_median, least_idle_share, run
from physics.notebooks.node import COMBINATIONS, synthetic
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of

PAIR = Study()
LIVE = LESSON.values(PAIR)
#: Every setting of the pair, in coarser steps than its sliders.
PAIRS = st.builds(
    Study,
    second_start=st.integers(0, 15).map(lambda n: 5 * n),
    second_length=st.integers(1, 18).map(lambda n: 5 * n),
    second_cores=st.integers(1, 8),
    overhead=st.integers(0, 60).map(lambda n: n / 2),
    loss=st.integers(0, 30).map(lambda n: n / 100),
)


def shown(study: Study, **known) -> list[dict]:
    """The rows of the first picture that are shown at its start of the second notebook."""
    rows = pair.figure(study, Look(), **known).rows.to_pylist()
    return [row for row in rows if row["at"] in (-1, study.second_start)]


def feedback(option: str, question=LESSON.prediction) -> str:
    return fill(question.option(option).feedback, LIVE)


def told(*texts: str) -> str:
    return " ".join(fill(text, LIVE) for text in texts)


# The message, its question, and what is found


def test_the_message_is_a_short_cell_behind_a_long_one_whose_mean_slowdown_rises():
    message = " ".join(LESSON.message.split())
    assert (
        "8 cores" in message and "a cell of 60 seconds, and right behind it a cell of 20" in message
    )
    equal = PAIR.equal
    ordered = PAIR.ordered
    assert (equal.one, equal.two, ordered.one, ordered.two) == (80, 40, 60, 80)
    assert f"{equal.one / 60:.3g} and {equal.two / 20:.3g} times as long as alone" in message
    assert "1.67 times on average" in message and equal.antt == pytest.approx(
        (80 / 60 + 40 / 20) / 2
    )
    assert ordered.antt == pytest.approx((60 / 60 + 80 / 20) / 2) and ordered.antt == 2.5
    for option in "abcd":
        assert "rises from 1.67 to 2.5" in feedback(option)
    assert (
        "waits three times its own length before it starts, so it takes 4 times as long"
        in feedback("b")
    )
    assert 60 == 3 * 20 and PAIR.quick_slowdown == 4
    assert "done after 80 s, and the mean" in feedback(
        "a"
    ) and "it was done after 40 s" in feedback("a")
    assert "gains 20 s, a third of its length" in feedback("c") and PAIR.gain == 60 / 3
    assert "loses 40 s, twice its length" in feedback("c") and PAIR.delay == 2 * 20
    assert (LESSON.prediction.right, LESSON.reflection.right) == ("b", "b")


def test_two_equal_cells_are_done_as_the_message_says():
    message = " ".join(LESSON.message.split())
    pair_of_60 = replace(PAIR, second_length=60)
    assert (
        "both were done after 120 seconds. One after the other, they were done after 60 and 120"
        in message
    )
    assert pair_of_60.equal.run.end == [120, 120] and pair_of_60.ordered.run.end == [60, 120]


def test_each_test_of_the_prediction_has_the_numbers_of_its_own_settings():
    found = {o.id: fill(o.test.found, LIVE) for o in LESSON.prediction.options}
    assert found["a"].startswith(
        "it rises from 1.67 to 2.5; if both cells take 60 s, it falls from 2 to 1.5"
    )
    assert found["c"].endswith("with a second cell of 35 s it hardly changes, from 1.79 to 1.86")
    assert found["b"].endswith("with a second cell of 10 s from 1.58 to 4")
    assert found["d"].endswith("even if notebook 2 starts 20 s later, it rises to 2")
    for option in LESSON.prediction.options:
        study = replace(PAIR, **option.test.settings)
        assert (study.ordered.antt > study.equal.antt) == (option.id != "a")


def test_behind_a_long_cell_the_mean_is_worse_below_the_golden_ratio_of_its_length():
    assert PAIR.even_length == pytest.approx(37.08, abs=0.01)
    for length in (5, 20, 35, 37, 38, 40, 60, 90):
        study = replace(PAIR, second_length=length)
        assert (study.ordered.antt > study.equal.antt) == (length < PAIR.even_length)


def test_with_the_short_cell_first_nobody_loses_and_the_mean_is_the_lowest():
    first = PAIR.short_first
    assert (first.one, first.two) == (80, 20) and PAIR.equal.one == 80
    assert first.antt == pytest.approx((80 / 60 + 1) / 2) and first.antt < PAIR.equal.antt
    right = fill(LESSON.reflection.option("b").feedback, LIVE)
    assert "after 20 s instead of 40 s" in right and "falls from 1.67 to 1.17" in right
    assert "done after 20 s and 80 s, and nobody loses" in told(LESSON.reply)
    # The takeaway's "whatever the lengths": the short one needs half as long, the long one ends
    # the work.
    for length in (5, 20, 35, 60):
        equal = replace(PAIR, second_length=length).equal
        assert length <= equal.two and 60 + length <= equal.one + TIE


def test_each_step_of_the_tour_is_true():
    wait, slow, equal, tiny = LESSON.tour
    assert (
        PAIR.ordered.run.cells[1].start == pytest.approx(60) and "until the long cell" in wait.text
    )
    assert "three times as much" in slow.text and 60 / PAIR.second_length == 3
    pair_of_60 = replace(PAIR, **equal.settings)
    assert pair_of_60.delay == 0 and "costs the other nothing" in equal.text
    shorter = replace(PAIR, **tiny.settings)
    assert shorter.equal.two < PAIR.equal.two and shorter.ordered.antt > PAIR.ordered.antt


@pytest.mark.parametrize("start", [0, 20, 30, 60, 75])
@pytest.mark.parametrize("length", [5, 20, 60, 90])
@pytest.mark.parametrize("cores", [1, 4, 8])
def test_gain_and_loss_are_those_of_the_derivation(start, length, cores):
    study = Study(second_start=start, second_length=length, second_cores=cores)
    left = max(0, 60 - start)
    moved = min(left, length) * cores / 8
    assert (
        study.left == left
        and study.gain == pytest.approx(moved)
        and study.delay == pytest.approx(left - moved)
    )
    assert study.nobody_loses == (left == 0 or (cores == 8 and length >= left))


def test_the_reply_and_the_takeaways_quote_what_the_page_shows():
    said = told(LESSON.reply, *LESSON.takeaways, LESSON.staff.ten, LESSON.staff.thirty)
    assert "one is done after 60 s, and the other no later" in said
    assert "A cell of 20 s behind one of 60 s is done after 80 s instead of 40 s." in said
    assert "takes 4 times as long as alone, so the mean slowdown rises from 1.67 to 2.5." in said
    assert "finish after 60 s and 120 s, while with equal shares both finish after 120 s" in said
    assert "no longer lowers the mean slowdown (20 s per cell)" in said
    for overhead, better in ((19.99, True), (20.01, False)):
        study = replace(PAIR, second_length=60, overhead=overhead)
        assert (study.ordered.antt < study.equal.antt) is better
    assert "A time-out of an hour saves most of it" in said and ThinkTime().recovered(3600) > 0.5


def test_four_equal_cells_have_the_mean_slowdown_of_the_derivation():
    ordered = PAIR.four_ordered
    equal = PAIR.four_equal
    assert ordered.run.end == [60, 120, 180, 240] and (ordered.antt, equal.antt) == (2.5, 4)
    assert ordered.stp == pytest.approx(float(1 + Fraction(1, 2) + Fraction(1, 3) + Fraction(1, 4)))
    text = " ".join(fill(step.text, LIVE) for step in LESSON.derivation)
    assert (
        "four users wait 2.5 times as long as alone on average; with equal shares, 4 times." in text
    )


# Verdicts, numbers, fixes


@given(PAIRS)
@settings(deadline=None)
def test_at_every_setting_the_verdict_says_who_gains_who_loses_and_why(study):
    found = pair.verdict(study)
    gain = study.gain
    delay = study.delay
    assert ("Both policies give the same result" in found.text) == (gain == 0 == delay)
    assert ("nobody is done sooner" in found.text) == (gain <= 0 < delay)
    assert (found.good is True) == (gain > 0 >= delay) and (found.good is False) == (delay > 0)
    if "do the same" in found.text:
        assert study.ordered.one <= study.second_start and not study.overhead
    if "holds its cores" in found.text:
        assert study.overhead > 0
    if "equal shares lose part of the speed" in found.text:
        assert study.loss > 0 and replace(study, loss=0.0).delay >= 0
    named = {
        "overhead": "holds its cores" in found.text,
        "second_cores": "cannot use all the cores" in found.text,
        "second_length": "short cell has to wait" in found.text,
    }
    if gain > 0 and delay > 0:
        cured = {"overhead": 0.0, "second_cores": 8, "second_length": 60}
        without = {name: cured[name] for name, is_named in named.items() if is_named}
        assert without and replace(study, **without).delay <= 0
        for name in without:  # and none of them is blamed without need
            kept = {other: value for other, value in without.items() if other != name}
            assert replace(study, **kept).delay > 0


@given(PAIRS)
@settings(deadline=None)
def test_the_pair_stays_within_the_picture_and_has_time_for_all_its_work(study):
    for outcome in (study.equal, study.ordered):
        assert max(outcome.run.end) <= pair.END
        assert outcome.last * 8 >= study.work * (1 - 1e-9)


@given(PAIRS)
@settings(deadline=None, max_examples=10)
def test_every_fix_that_the_page_names_helps_and_nothing_is_fixed_where_nobody_loses(study):
    text = pair.remedies(study)
    knobs = knobs_of(Study)
    assert (text == "") == study.nobody_loses
    for name in pair.FIXES:
        helps = [v for v in knobs[name].values({}) if replace(study, **{name: v}).nobody_loses]
        stem = knobs[name].change.split("{}")[0]
        assert not text or (stem in text) == bool(helps), (name, text)
        if stem in text and text:
            written = text.split(stem)[1].split(";")[0]
            assert any(
                knobs[name].change.format(knobs[name].words(v)).removeprefix(stem) in written
                for v in helps
            )


# The picture


def test_the_areas_of_a_notebook_are_its_work_under_both_policies():
    for study in (PAIR, replace(PAIR, second_start=30, second_length=40, second_cores=3)):
        rows = [row for row in shown(study) if row["kind"] == "span"]
        for top, bottom in ((0, pair.FIRST + 1), (pair.SECOND, pair.BOTTOM)):
            for name, work in (("1", 480), ("2", study.second_length * study.second_cores)):
                own = [
                    row
                    for row in rows
                    if row["notebook"] == name and top <= row["y"] and row["y2"] <= bottom
                ]
                assert sum(row["cores"] * (row["x2"] - row["x"]) for row in own) == pytest.approx(
                    work
                )


def test_overhead_is_hollow_and_the_start_that_is_dragged_is_drawn():
    rows = shown(replace(PAIR, overhead=20.0, second_start=30))
    hollow = [
        (row["x"], row["x2"]) for row in rows if row["kind"] == "span" and row["tone"] == "paper"
    ]
    assert hollow == [(0, 20), (80, 100)]
    assert [row["x"] for row in rows if row["kind"] == "point"] == [30]
    assert pair.figure(PAIR, Look()).grab.knob == "second_start"


def test_the_rows_hold_the_picture_of_every_start_so_that_the_browser_can_follow_the_pointer():
    whole = pair.figure(PAIR, Look()).rows.to_pylist()
    starts = knobs_of(Study)["second_start"].values({})
    assert sorted({row["at"] for row in whole}) == [-1, *starts] and len(whole) < 400
    for at in starts:
        here = [row for row in whole if row["at"] in (-1, at)]
        words = {row["label"] for row in here if row["kind"] == "label"}
        assert here == [row | {"held": 0.0} for row in shown(replace(PAIR, second_start=at))]
        done = f"1 done: {60 + min(20, max(0, 60 - at))} s"
        if at == 40:
            done = "both done: 80 s"
        assert done in words and "1 done: 60 s" in words


@pytest.mark.parametrize("guess", "abcd")
def test_what_the_visitor_said_stands_where_the_mean_would_not_change(guess):
    marked = [row["x"] for row in shown(PAIR, guess=guess) if "you said" in str(row["label"])]
    assert marked == [pytest.approx(20 * (2 * PAIR.equal.antt - 1))]
    assert (marked[0] / 20 + 60 / 60) / 2 == pytest.approx(PAIR.equal.antt)
    assert PAIR.ordered.two > marked[0]


# The challenge


def test_the_challenge_is_won_between_two_starts_and_by_no_end_of_a_knob():
    start = replace(PAIR, **pair.START)
    assert (
        "at least 15 s sooner" in LESSON.challenge.task()
        and "at most 5 s later" in LESSON.challenge.task()
    )
    positions = knobs_of(Study)["second_start"].values({})
    won = [at for at in positions if pair.judge(replace(start, second_start=at)).good]
    # Notebook 1 gains the shorter of what it has left and the 20 s; notebook 2 loses the rest.
    assert (
        won
        == [at for at in positions if min(60 - at, 20) >= 15 and 60 - at - 20 <= 5]
        == [35, 40, 45]
    )
    for name in ("second_start", "second_length", "second_cores", "overhead", "loss"):
        values = knobs_of(Study)[name].values({})
        assert not any(
            pair.judge(replace(start, **{name: value})).good for value in (values[0], values[-1])
        )


def test_the_challenge_says_what_is_missing():
    start = replace(PAIR, **pair.START)
    changed = replace(PAIR, second_length=60)
    assert pair.judge(changed).text.startswith("Not yet. First set these back")
    assert pair.judge(start).text == (
        "Not yet: notebook 2 is done 40 s later than with equal shares; the limit is 5 s."
    )
    late = replace(start, second_start=55)
    assert pair.judge(late).text == (
        "Not yet: notebook 1 is done only 5 s sooner than with equal shares; the goal is 15 s."
    )
    won = [pair.judge(replace(start, second_start=at)).text for at in (35, 40)]
    assert won[0].endswith(
        "is done 20 s sooner than with equal shares, and notebook 2 only 5 s later."
    )
    assert won[1].endswith("is done 20 s sooner than with equal shares, and notebook 2 no later.")
    drawn = pair.figure(start, Look(), "b", playing=True)
    assert {"goal for 1", "goal for 2"} <= set(drawn.labels) and not [
        one for one in drawn.labels if "you said" in one
    ]
    assert pair.goals_of(start) == pytest.approx((80 - 15, 40 + 5))


# Mixed notebooks


def test_the_notebooks_take_2_3_6_and_8_minutes_alone():
    assert "A to D take 2, 3, 6, and 8 minutes" in say("mix_words", PAIR)
    assert alone([synthetic(name, 8) for name in "ABCD"], 8) == [120, 180, 360, 480]


@pytest.mark.parametrize(
    ("cores", "loss", "overhead"), [(8, 0.0, 0.0), (8, 0.2, 0.0), (64, 0.0, 2.0)]
)
def test_counts_of_mixes_are_those_of_own_runs(cores, loss, overhead):
    study = Study(cores=cores, loss=loss, overhead=overhead)
    best = dict.fromkeys(("naive", "partitioned", "dynamic"), 0)
    for names in COMBINATIONS:
        books = [synthetic(name, cores) for name in names]
        options = {
            "naive": {"oversubscription_loss": loss},
            "partitioned": {},
            "dynamic": {"overhead": overhead},
        }
        found = {
            s: antt(run(books, cores, s, **own).end, alone(books, cores))
            for s, own in options.items()
        }
        for name, value in found.items():
            best[name] += len(names) > 1 and value <= min(found.values()) * (1 + 1e-9)
            assert study.table[names][name] == pytest.approx(value)
    view = LESSON.view("combinations")
    shown = LESSON.speaker(view, "metrics")(study)
    assert [one.value for one in shown] == [str(number) for number in best.values()]
    text = LESSON.speaker(view, "verdict")(study).text
    assert re.search(rf"equal shares (have the lowest mean slowdown )?in {best['naive']}\b", text)
    assert ("A tie counts for both" in text) == (sum(best.values()) > PAIR.mixes)


def test_the_tie_is_c_and_d_which_end_at_the_same_moments_under_both_policies():
    row = PAIR.table["CD"]
    assert row["naive"] == pytest.approx(row["dynamic"]) and PAIR.tied == 1
    equal = PAIR.mixed("CD", "naive")
    ordered = PAIR.mixed("CD", "dynamic")
    assert equal.run.end == pytest.approx(ordered.run.end)
    assert any(cell.start > cell.ready for cell in ordered.run.cells)


def test_throughput_is_named_in_the_laboratory_alone_and_its_best_need_not_slow_least():
    assert "STP" not in told(
        LESSON.reply, *LESSON.takeaways, *(o.feedback for o in LESSON.prediction.options)
    )
    assert "STP" in say("combinations_words", PAIR)
    throughputs = PAIR.throughputs
    assert max(throughputs, key=throughputs.get) == "naive"
    assert PAIR.lowest["winners"] == "equal shares"


@pytest.mark.parametrize("names", ["A", "AC", "ABCD"])
def test_the_verdict_on_a_mix_names_the_lowest_mean_slowdown(names):
    study = Study(combination=names, loss=0.1)
    found = study.outcomes
    lowest = min(one.antt for one in study.outcomes.values())
    text = LESSON.view("mix").speaker("verdict")(study).text
    for name, words in SCHEDULERS.items():
        assert (words.lower() in text) == (found[name].antt == pytest.approx(lowest))
    assert f"is {lowest:.3g}, with" in text


# Pauses


def test_three_figures_force_where_the_idle_time_is():
    # Both bounds are proved for all laws in test_think_time.py.
    assert (
        greatest_median(15, 696, 40_000) < 5.8
        and f"{least_idle_share(3600, 15, 696, 40_000):.4f}" == "0.7887"
    )
    found = told(
        *(one.found for one in LESSON.corrections), *(step.text for step in LESSON.derivation)
    )
    assert (
        "At least 78.8%" in found and "at most 5.8 s" in found and "s is at least 78.87%." in found
    )
    assert "a mean of 15 s, a standard deviation of 696 s, and a maximum of 40,000 s" in found
    assert "pause 15 s on average" in LESSON.view("pauses").asks and k.THINK_MEAN == 15


def test_the_assumed_distribution_has_a_median_of_half_a_second_and_is_called_assumed():
    law = ThinkTime()
    text = say("pauses_chart", PAIR)
    assert "91.7% for the assumed one, whose median pause is 0.5 s" in text
    assert law.median == pytest.approx(0.5, abs=0.01) and law.idle_share(3600) == pytest.approx(
        0.917, abs=5e-4
    )
    assert all(
        getattr(k, name).kind == "assumed" for name in ("THINK_SHORT_MEDIAN", "THINK_SHORT_SIGMA")
    )
    assert "longer than 12 s" in k.THINK_SHORT_SIGMA.source and law.pause_share(
        12
    ) == pytest.approx(0.01, abs=1e-3)


def test_a_time_out_of_an_hour_saves_most_idle_time():
    law = ThinkTime()
    text = say("pauses_verdict", PAIR)
    assert f"saves {100 * law.recovered(3600):.1f}%" in text
    # From a quarter of an hour to eight hours a time-out cuts the same pauses, so no number is
    # told.
    assert law.pause_share(900) == pytest.approx(law.pause_share(8 * 3600), rel=0.02)
    assert "1 pause in" not in text and "pauses longer than 1 h loses" in text
    assert k.NOTEBOOK_CULL.high < k.THINK_MAXIMUM  # no time-out is longer than every pause


# Pauses and one GPU


EVERY_GPU = [Study(users=users, gpu_cell=cell) for users in range(1, 7) for cell in (10, 30, 60)]


@pytest.mark.parametrize("study", EVERY_GPU, ids=lambda study: f"{study.users}-{study.gpu_cell}")
def test_what_the_page_says_of_pauses_and_the_gpu_is_true_at_each_setting(study):
    spreads = study.gpu
    text = LESSON.view("gpu").speaker("verdict")(study).text
    assert ("serves others" in text) == (spreads["semi"].average < spreads["batch"].average)
    assert ("One notebook never waits" in text) == (study.users == 1)
    for spread in spreads.values():
        assert 1 <= spread.best <= spread.average <= spread.worst < gpu.END
        assert study.users > 1 or spread.worst == 1


def test_a_gpu_that_is_held_overnight_is_idle_almost_always():
    # Ten rounds of 30 s and 30 s, nine pauses of a minute, and 14 h.
    length = 10 * 60 + 9 * 60 + 14 * 3600
    held = PAIR.gpu_held["night"]
    assert held["idle"] == pytest.approx(1 - 300 / length) and held["idle"] > 0.99
    assert held["cost"] == pytest.approx(4 * (length - 300) / 3600 * 2.5)


def test_all_combinations_name_a_cause_only_where_it_decides():
    for cores in (8, 9, 16, 34, 64):
        for loss in (0.0, 0.22):
            study = replace(PAIR, cores=cores, loss=loss)
            text = combinations.verdict(study).text
            by_cell = study.best["dynamic"] >= study.best["naive"]
            assert "because a short cell waits" not in text or not by_cell, (cores, loss)
            assert "because equal shares lose" not in text or (by_cell and loss > 0), (cores, loss)
