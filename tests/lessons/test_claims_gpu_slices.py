"""Every sentence of GPU slices that holds a number is proved, and so is what the page says of each
layout.
"""

import math
from collections import Counter

import numpy as np
import pytest

from lessons.gpu_slices import LESSON, slots, stream
from lessons.gpu_slices.laboratory import gang
from lessons.gpu_slices.settings import (
    MIXES,
    NAMES,
    RULES,
    WANTED,
    Slices,
    dead,
    parse,
    places,
    refusal,
    say,
    trial,
    write,
)
from physics.checkpointing.spares import gang_start_probability
from physics.slicing import PROFILES, Placement, layouts, occupied, placeable, room, stranded
from physics.slicing.streams import random_requests, serve
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

KINDS = PROFILES["A100-80GB"]
WORDS = LESSON.values(Slices())
ALL = layouts(maximal=False)


def said(option: str, question=LESSON.prediction) -> str:
    return fill(question.option(option).feedback, WORDS)


def cut(line: str, **knobs) -> Slices:
    return Slices(layout=parse(line), **knobs)


def test_the_message_and_the_settings_tell_the_same_story():
    own = Slices()
    assert write(own.layout) == "" and parse("") == own.layout and parse("empty") == ()
    assert places(own.layout) == "2g.20gb at 0, 1g.20gb at 6"
    assert (
        "2g.20gb runs on memory slices 0 and 1, and a 1g.20gb on slices 6 and 7" in LESSON.message
    )
    assert (own.left.free_memory, own.left.free_compute) == (4, 4)
    assert [at for at in range(8) if own.instance_at(at) is None] == [2, 3, 4, 5]
    one = KINDS["3g.40gb"]
    assert (one.memory, one.compute) == (4, 3) and "four memory slices and three" in LESSON.message
    assert (own.needed, own.free, own.block) == (64, 0.2, 8)
    assert knobs_of(Slices)["draw"].constant.high == 20


def test_half_of_the_gpu_is_free_and_a_3g_is_refused_by_its_places_alone():
    own = Slices()
    assert own.starts == () and own.one.starts == (0, 4)
    assert [refusal(own.layout, "3g.40gb", at) for at in (0, 4)] == ["overlap", "overlap"]
    assert own.left.free_compute >= own.one.compute and own.left.free_memory >= own.one.memory
    assert f"take {own.compute} of 7" in said("a") and own.compute == 3
    assert "may begin only at slice 0 or slice 4" in said("b")
    text = slots.verdict(own).text
    assert "may begin only at slice 0 or 4, and another instance is in the way there" in text
    assert "two 2g.20gb" in LESSON.reply
    assert stranded([own.layout]).memory == 0  # two 2g.20gb use all four free slices


def test_the_tour_tells_causes_that_hold():
    small = Slices(profile="2g.20gb")
    assert small.starts == (2, 4) and small.one.starts == (0, 2, 4)
    assert cut("2g.20gb@0,1g.20gb@2").starts == (4,)
    left = cut("3g.40gb@0").left
    assert (left.free_compute, left.compute) == (4, 1)
    assert KINDS["4g.40gb"].starts == (0,) and KINDS["4g.40gb"].compute == 4
    others = [one for one in ALL if Placement(0, "3g.40gb") in one]
    assert max(Slices(layout=one).compute for one in others) == 6


def test_what_would_fix_it_does():
    for placed in ALL:
        for name in NAMES:
            wish = Slices(layout=placed, profile=name)
            fixed = slots.remedies(wish)
            assert (fixed == "") == bool(wish.starts)
            for one in placed:
                rest = tuple(other for other in placed if other != one)
                helps = bool(room(*occupied(rest), name))
                named = f"the {one.profile} at slice {one.start}" in fixed
                assert named == (helps and not wish.starts)
    assert "the 2g.20gb at slice 0 or the 1g.20gb at slice 6" in slots.remedies(Slices())


def created(order: tuple[str, ...], held: tuple[tuple[str, int], ...] = ()) -> bool:
    """Whether instances can be created one after another, each at any start that is free then."""
    mask, compute = occupied(held)
    return not order or any(
        created(order[1:], (*held, (order[0], at))) for at in room(mask, compute, order[0])
    )


def test_order_matters_where_a_set_fits():
    assert created(("3g.40gb", "1g.10gb", "1g.10gb", "2g.20gb"))
    shown, _ = read(Slices, LESSON.presets["order"].changes)
    assert Counter(one.profile for one in shown.layout) == {"1g.10gb": 2, "2g.20gb": 1}
    assert not any(not refusal(shown.layout, "3g.40gb", at) for at in range(8))


def test_the_case_of_an_answer_shows_what_the_model_is_said_to_find():
    shown = {
        option.id: read(Slices, option.test.settings)[0] for option in LESSON.prediction.options
    }
    assert shown["a"].layout == shown["b"].layout == Slices().layout
    assert shown["a"].left.free_compute == 4
    assert "may begin only at slice 0 or 4" in slots.memory_sentence(shown["b"], 2)
    assert len({one.profile for one in shown["c"].layout}) == 3
    assert shown["d"].starts == (4,) and len(shown["d"].layout) == 3
    assert set(Slices().layout) < set(shown["d"].layout)


def test_ten_customers_need_twelve_gpus():
    assert LESSON.reflection.option(LESSON.reflection.right).text == "12 GPUs"
    compute, memory = (
        10 * sum(getattr(KINDS[name], what) for name in WANTED) for what in ("compute", "memory")
    )
    assert (compute, memory) == (70, 90) and memory > 11 * 8 and compute == 10 * 7
    pair = ("3g.40gb",) * 2
    small = ("1g.10gb",)
    assert placeable(pair) and placeable(small * 7) and not placeable(small * 8)
    assert 10 <= 2 * 7  # two more GPUs hold the small ones
    assert "88 memory slices, and the instances need 90" in said("d", LESSON.reflection)
    assert "holds only seven of the ten 1g.10gb" in said("d", LESSON.reflection)
    assert "90 memory slices, and ten GPUs have 80" in said("a", LESSON.reflection)


def test_a_large_instance_at_0_strands_a_compute_slice_and_at_4_it_need_not():
    told = (
        "at slice 0, at least one compute slice stays idle whatever you add; with a 3g.40gb at "
        "slice 4, none"
    )
    assert told in LESSON.takeaways[1]
    most = {
        at: max(Slices(layout=one).compute for one in ALL if Placement(at, "3g.40gb") in one)
        for at in (0, 4)
    }
    assert most == {0: 6, 4: 7}


def test_the_starts_of_the_derivation_are_those_of_the_model():
    text = next(step.text for step in LESSON.derivation if step.title == "Start positions")
    told = {
        "1g.10gb": (
            "1g.10gb takes one slice and may begin at any slice from 0 to 6",
            1,
            tuple(range(7)),
        ),
        "1g.20gb": ("1g.20gb takes two and may begin at 0, 2, 4, or 6", 2, (0, 2, 4, 6)),
        "2g.20gb": ("2g.20gb takes two and may begin at 0, 2, or 4", 2, (0, 2, 4)),
        "3g.40gb": ("3g.40gb takes four and may begin at 0 or 4", 4, (0, 4)),
        "4g.40gb": ("4g.40gb takes four and may begin only at 0", 4, (0,)),
        "7g.80gb": ("7g.80gb takes all eight", 8, (0,)),
    }
    assert all(words in text for words, _, _ in told.values())
    assert {name: (one.memory, one.starts) for name, one in KINDS.items()} == {
        n: row[1:] for n, row in told.items()
    }
    assert len(layouts()) == 78 and any(
        "There are 78 layouts" in step.text for step in LESSON.derivation
    )


# What is said of each layout


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("5g.50gb@0", "an instance must look like 3g.40gb@4"),
        ("3g.40gb", "an instance must look like 3g.40gb@4"),
        ("3g.40gb@2", "a 3g.40gb may not begin at slice 2"),
        ("3g.40gb@4,1g.10gb@5", "the 1g.10gb at slice 5 overlaps another instance"),
        ("4g.40gb@0,2g.20gb@4,1g.10gb@6,1g.10gb@7", "a 1g.10gb may not begin at slice 7"),
    ],
)
def test_a_text_that_is_no_layout_gets_one_sentence(line, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace("(", r"\(") + "$"):
        parse(line)


def test_what_is_refused_before_a_tap_is_what_the_model_refuses_and_every_layout_survives_a_link():
    reasons = Counter()
    for placed in ALL:
        assert parse(write(placed)) == tuple(sorted(placed))
        for name in NAMES:
            for at in range(8):
                why = refusal(placed, name, at)
                reasons[why] += 1
                try:
                    occupied([*placed, Placement(at, name)])
                except ValueError as refused:
                    assert {"start": "must begin", "overlap": "overlap"}[why] in str(refused)
                else:
                    assert why == ""
    assert set(reasons) == {"", "start", "overlap"}  # compute slices are never short alone
    assert (
        "an instance that finds a start position also finds enough compute slices"
        in LESSON.derivation[0].text
    )


def test_a_tap_places_removes_or_leaves_all_as_it_is():
    wish = cut("3g.40gb@0", profile="2g.20gb")
    assert slots.tapped(wish, [4])["layout"] == parse("3g.40gb@0,2g.20gb@4")
    assert slots.tapped(wish, [2])["layout"] == ()  # any slice of an instance stands for it
    assert slots.tapped(wish, [5]) == {"layout": wish.layout, "start": 5, "profile": "2g.20gb"}
    assert slots.tapped(wish, [1, 0])["layout"] == parse("2g.20gb@0")  # removed, then placed
    assert slots.tapped(wish, ["<b>", 9, None])["layout"] == wish.layout


def test_the_ghost_says_which_instance_is_in_the_way_and_how_many_compute_slices_are_left():
    wish = cut("2g.20gb@2,1g.10gb@6", profile="3g.40gb")
    assert slots.memory_sentence(wish, 0) == "Refused: it would overlap the 2g.20gb."
    assert slots.memory_sentence(wish, 4) == "Refused: it would overlap the 1g.10gb."
    assert slots.memory_sentence(wish, 5) == "Refused: a 3g.40gb may begin only at slice 0 or 4."
    assert slots.memory_sentence(wish, 3) == "A tap removes the 2g.20gb at slice 2."


def test_a_verdict_says_what_is_missing_for_the_chosen_profile():
    seen = Counter()
    for placed in ALL:
        for name in NAMES:
            wish = Slices(layout=placed, profile=name)
            text = slots.verdict(wish).text
            starts = [at for at in range(8) if not refusal(placed, name, at)]
            assert (slots.verdict(wish).good is False) == (not starts) == ("does not fit" in text)
            assert list(wish.starts) == starts
            one = KINDS[name]
            compute = 7 - sum(KINDS[other.profile].compute for other in placed)
            memory = 8 - sum(KINDS[other.profile].memory for other in placed)
            if "Enough slices are free" in text:
                assert one.compute <= compute and one.memory <= memory
                assert all(refusal(placed, name, at) == "overlap" for at in one.starts)
                seen["place"] += 1
            elif "does not fit" in text:
                short = "memory" if one.memory > memory else "compute"
                assert f"{short} slice" in text
                assert one.memory > memory or one.compute > compute
                seen[short] += 1
    assert set(seen) == {"place", "memory", "compute"}


def test_stranded_slices_are_crossed_out_in_both_rows():
    for placed in ALL:
        rows = slots.figure(Slices(layout=placed), Look()).rows.to_pylist()
        crosses = Counter(row["y"] for row in rows if row["label"] == "×")
        left = stranded([placed])
        assert crosses[slots.BAR_COMPUTE + slots.HEIGHT / 2] == left.compute
        assert crosses[slots.BAR_MEMORY + slots.HEIGHT / 2] == len(dead(placed)) <= left.memory
        assert max(row["x2"] or row["x"] for row in rows) <= slots.RIGHT  # nothing leaves the frame


# The challenge


def test_the_challenge_is_won_just_by_where_the_large_instance_begins():
    won = [placed for placed in ALL if slots.judge(Slices(layout=placed)).good]
    assert won and all(Placement(4, "3g.40gb") in placed for placed in won)
    for placed in won:
        assert sum(KINDS[one.profile].compute for one in placed) == 7 and len(placed) >= 3
        assert sum(KINDS[one.profile].memory for one in placed) == 8


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "there is no 3g.40gb"),
        ("1g.10gb@0", "there is no 3g.40gb"),
        (
            "3g.40gb@0",
            (
                "your layout strands 1 compute slice and 0 memory slices, which no further "
                "instance can use"
            ),
        ),
        ("3g.40gb@4", "4 compute slices and 4 memory slices are free"),
        ("3g.40gb@4,4g.40gb@0", "no slice is idle, but the layout has only 2 instances"),
        ("3g.40gb@4,2g.20gb@0,1g.10gb@2", "1 compute slice and 1 memory slice are free"),
    ],
)
def test_a_challenge_that_is_not_won_says_what_is_missing(line, words):
    found = slots.judge(cut(line))
    assert not found.good and found.text == f"Not yet: {words}."


def test_the_goal_is_in_the_picture_while_the_challenge_is_played():
    label = [
        figure.labels
        for figure in (slots.figure(Slices(), Look(), "b", playing) for playing in (True, False))
    ]
    assert sum("(goal: all)" in one for one in label[0]) == 2 and not any(
        "you said" in one for one in label[0]
    )
    assert (
        not any("goal" in one for one in label[1]) and "you said: only a few positions" in label[1]
    )


# The stream


def test_best_fit_refuses_more_on_some_streams_and_fewer_on_others_and_neither_beats_the_bound():
    found = [Slices(draw=draw).trial for draw in range(1, 21)]
    behind = [one.refused["best"] - one.refused["first"] for one in found]
    assert min(behind) < 0 < max(behind)
    for one in found:
        assert all(
            used <= most
            for rule in RULES
            for used, most in zip(one.used[rule], one.bound, strict=True)
        )


def test_the_picture_of_twenty_streams_counts_each_of_them():
    for wish in (Slices(), Slices(mix="halves", gpus=1)):
        trials = [Slices(mix=wish.mix, gpus=wish.gpus, draw=draw).trial for draw in range(1, 21)]
        rows = stream.figure(wish, Look()).frame
        for rule in RULES:
            points = rows[rows.kind == rule].sort_values("x")
            assert list(points.x) == list(range(1, 21))
            assert list(points.y) == [one.refused[rule] for one in trials]
        better = sum(one.refused["best"] < one.refused["first"] for one in trials)
        assert wish.streams["best"] == better
        assert sum(wish.streams[name] for name in ("best", "first", "same")) == 20
    own = Slices().streams
    assert 0 < own["first"] < own["best"] < 16  # the other values of the guess are wrong


@pytest.mark.parametrize("settings", [{"gpus": 3}, {"mix": "halves", "gpus": 1}, {"gpus": 1}])
def test_which_policy_refuses_fewer_is_told_over_many_streams(settings):
    wish = Slices(**settings)
    weights = dict(zip(NAMES, MIXES[wish.mix], strict=True))
    gains = []
    for seed in range(400):  # streams of other chances
        requests = random_requests(60, weights, 8, np.random.default_rng([57, seed]))
        gains.append(
            serve(requests, wish.gpus, "first").refused - serve(requests, wish.gpus, "best").refused
        )
    mean = float(np.mean(gains))
    error = float(np.std(gains, ddof=1)) / len(gains) ** 0.5
    shown = wish.compared
    signed = shown["fewer"] if shown["best_ahead"] else -shown["fewer"]
    own_error = (shown["high"] - shown["fewer"]) / 1.96
    assert abs(signed - mean) < 4 * math.hypot(error, own_error)
    text = stream.verdict(wish).text
    assert ("best-fit refuses" in text) == (shown["clear"] and shown["best_ahead"])
    assert ("neither policy clearly refuses fewer" in text) == (not shown["clear"])
    assert "Over 300 streams" in text or "over 300 streams" in text


@pytest.mark.parametrize("mix", MIXES)
def test_the_streams_numbers_are_those_of_its_requests(mix):
    found = trial(mix, 2, 8, 3)
    refused = [sum(one.device is None for one in found.runs[rule].served) for rule in RULES]
    assert [found.refused["first"], found.refused["best"]] == refused
    assert (
        found.mean["first"] == pytest.approx(sum(found.used["first"]) / 60)
        and found.mean["bound"] <= 14
    )


def test_the_larger_the_next_request_the_more_free_slices_it_cannot_use():
    found = Slices(draw=3, gpus=3).trial
    for rule, run in found.runs.items():
        gpus = [held for moment in range(60) for held in run.held(moment)]
        free = [7 - sum(KINDS[one.profile].compute for one in held) for held in gpus]
        for name in NAMES:  # by trying every start of the profile
            pairs = zip(free, gpus, strict=True)
            by_hand = sum(
                left for left, held in pairs if all(refusal(held, name, at) for at in range(8))
            )
            assert found.unusable(rule, name) == pytest.approx(by_hand / sum(free))
        lost = [
            found.unusable(rule, name)
            for name in ("1g.10gb", "1g.20gb", "3g.40gb", "4g.40gb", "7g.80gb")
        ]
        assert lost == sorted(lost) and lost[0] < lost[-1]
    shown = Slices(asked="7g.80gb")
    assert say("fragments", shown).startswith(
        "On stream 1, a request for a 7g.80gb cannot use 87% of the free compute"
    )


# A job of many nodes


def test_a_verdict_says_whether_blocks_help():
    helped, hurt, alone = (
        gang.verdict(Slices(nodes=n, block=b)).text for n, b in ((256, 8), (400, 8), (256, 1))
    )
    assert (
        "2.97%. If nodes become free in blocks of 8, the chance is 30.2%" in helped
        and "98.2%. If nodes become free in blocks of 8, the chance is 81%" in hurt
    )
    assert 256 * 0.2 < 64 < 400 * 0.2  # more than the mean, and less
    assert "needs more nodes than are free on average usually gains from blocks" in say(
        "gang_words", Slices()
    )
    assert alone == (
        "The chance that at least 64 of 256 nodes are free is 2.97%, because 51.2 nodes are "
        "free on average."
    )


@pytest.mark.parametrize("block", [1, 8, 64])
def test_the_curves_go_through_the_points_of_every_number_of_nodes(block):
    for nodes in knobs_of(Slices)["nodes"].values({}):
        settings = Slices(nodes=nodes, needed=64, block=block)
        for name, size in (("chance", 1), ("together", block)):
            curve = gang._curve(name, settings.free, settings.needed, size)
            height = np.interp(nodes, curve["x"], curve["y"])
            assert height == pytest.approx(settings.gang[name], abs=1e-9)


# Elsewhere


def test_the_corrections_and_the_staff_notes_say_what_the_models_say():
    found = " ".join(fill(row.found, WORDS) for row in LESSON.corrections)
    assert (
        "3g + 3g + 1g adds up to 7/7, and yet it does not fit, because it needs 9 memory slices"
        in found
    )
    assert (
        "the chance that 64 named nodes are all free is 1.8 × 10⁻⁴⁵" in found
        and f"{0.2**64:.1e}" == "1.8e-45"
    )
    assert "3% in a cluster of 256 nodes, 52% with 320 nodes, and 98% with 400 nodes" in found
    assert gang_start_probability(0.2, 320, 64) == pytest.approx(0.522, abs=5e-4)
    assert "guesses between 1.8 × 10⁻⁴⁵ and 1, and show 52%" in fill(LESSON.staff.thirty, WORDS)
