"""Every sentence of Placement that holds a number, quoted and proved."""

import math
import random
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from filmed import seen_at

from lessons.placement import LESSON, chart, step, stream
from lessons.placement.laboratory import film
from lessons.placement.model import MIXES
from lessons.placement.settings import (
    POLICIES,
    RUNS,
    Training,
    hours,
    say,
)
from physics import constants as k
from physics.placement import place
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look
from ui.films import message
from ui.knobs.declared import knobs_of, read

WORDS = say.live(Training())


def said(option: str, question=LESSON.prediction) -> str:
    return fill(question.option(option).feedback, WORDS)


def by_hand(one: Training) -> tuple[float, float, float]:
    """Step on a node, step when scattered, and the break-even, without the models of `physics`."""
    size = 2 * one.parameters
    nodes = 8 // one.spread
    here = one.spread
    near = 14 * size / 8 / one.inside
    far = 2 * (here - 1) * size / here / one.inside + 2 * (nodes - 1) * size / 8 / one.between
    steps = [max(one.compute + (1 - one.overlap) * talk, talk) for talk in (near, far)]
    return *steps, one.runtime * (steps[1] / steps[0] - 1)


def at_random(seed: int) -> Training:
    """Any settings of the training run, their ends among them."""
    draw = random.Random(seed)
    return Training(
        wait=draw.choice([0.0, 0.5, 6.0, 24.0, draw.randrange(49) / 2]) * k.HOUR,
        runtime=float(draw.randint(1, 24) * k.HOUR),
        parameters=draw.choice(k.PLACE_PARAMETERS.positions),
        compute=float(draw.choice(k.PLACE_COMPUTE.positions)),
        between=draw.choice(k.PLACE_BETWEEN.positions),
        spread=draw.choice((1, 2, 4)),
        overlap=draw.choice([0.0, 1.0, draw.randrange(21) / 20]),
    )


def test_the_message_and_the_knobs_tell_the_same_story():
    own = Training()
    assert (own.parameters, own.compute, own.runtime) == (
        7e9,
        1,
        12 * 3600,
    ) and own.gradient == 14e9
    assert (own.inside, own.between, own.nodes, own.spread) == (450e9, 25e9, 8, 1)
    for words in (
        "one on each of eight nodes",
        "7 billion parameters",
        "for 1 s",
        "12 h",
        "450 GB/s",
        "at 25 GB/s",
    ):
        assert words in LESSON.message


def test_a_step_of_1054_ms_becomes_1980_and_12_hours_22_and_a_half():
    near, far, even = by_hand(Training())
    assert (near, far) == pytest.approx((1.0544, 1.98), abs=5e-5)
    assert even / 3600 == pytest.approx(10.53, abs=5e-3)
    assert "on one node and 1.98 s on scattered GPUs, which is 1.88 times as long." in said("c")
    assert "takes 22.5 h on scattered GPUs. The difference, 10.5 h," in said("c")
    assert "1.98 s instead of 1.05 s, so the run is done after 22.5 h" in said("a")
    assert "done after 13 h" in said(
        "a"
    ) and "after 13 h, and the scattered run after 22.5 h" in said("b")
    assert (
        "run is done after 22.5 h" in said("d")
        and "done after 36 h" in said("d")
        and "more than 10.5 h" in said("d")
    )
    found = {option.id: fill(option.test.found, WORDS) for option in LESSON.prediction.options}
    assert all(text.startswith("up to 10.5 h. ") for text in found.values())
    for option, wait, gain in (
        ("a", 1, "9.53 h earlier"),
        ("b", 2, "8.53 h earlier"),
        ("d", 24, "13.5 h later"),
    ):
        assert gain in found[option] and abs(even / 3600 - wait) == pytest.approx(
            float(gain.split()[0]), abs=0.05
        )
    assert "within 32 min" in found["c"] and (even / 3600 - 10) * 60 == pytest.approx(32, abs=0.1)


def test_what_computing_can_hide_is_worth_no_wait():
    own = Training(overlap=1.0)
    near, far, even = by_hand(own)
    assert (near, far, even) == (1, 1, 0) and own.far == pytest.approx(0.98)
    for option in "abcd":
        assert "980 ms" in said(option, LESSON.reflection)
    assert "worth a wait of 5.41 h" in said("c", LESSON.reflection)
    assert by_hand(Training(overlap=0.5))[2] / 3600 == pytest.approx(5.41, abs=5e-3)
    assert "overlap" not in LESSON.pictures[0].knobs


def test_the_tour_tells_causes_that_hold():
    own = Training()
    assert own.faster == 18 and "18 times as fast" in say.filled(LESSON.tour[1].text, own)
    near = own.steps["near"] - own.compute
    far = own.steps["far"] - own.compute
    assert near / own.steps["near"] < 0.06 and far / own.steps["far"] > 0.45
    # four GPUs a node: all but one seventh of what crossed the slow links stays inside
    four = Training(spread=4)
    crossing = 2 * (4 - 1) * four.gradient / 4 / four.inside
    assert four.far - crossing == pytest.approx(own.far / 7)
    small = Training(parameters=0.35e9)
    assert by_hand(small)[2] / 3600 == pytest.approx(0.554, abs=5e-4)
    assert (small.steps["far"] - small.compute) / small.steps["far"] < 0.05


def test_the_guesses_are_three_different_numbers_and_the_model_s_is_its_own():
    half = Training(overlap=0.5)
    assert (by_hand(half)[1]) == pytest.approx(1.49)
    worst = Training().averages["worst"]["chance"]
    best = Training().averages["best"]["chance"]
    assert worst < 0.6 * 0.65 < 0.65 < best - 0.03


def test_the_reply_the_takeaways_and_the_plan_for_staff():
    reply = fill(LESSON.reply, WORDS)
    assert (
        "free within 10.5 h" in reply
        and "18 times as long between nodes as inside one" in reply
        and 450 / 25 == 18
    )
    assert "done after 22.5 h. If it waits 10 h for the node, it is done 32 min sooner" in reply
    assert by_hand(Training())[2] / 60 - 600 == pytest.approx(32, abs=0.5)
    takeaways = " ".join(fill(text, WORDS) for text in LESSON.takeaways)
    assert (
        "22.5 h if it starts immediately on scattered GPUs, and after 22 h if it waits 10 h"
        in takeaways
    )
    assert "worth a wait of only 33.2 min" in takeaways
    assert by_hand(replace(Training(), runtime=86400.0))[2] == pytest.approx(
        2 * by_hand(Training())[2]
    )
    assert by_hand(Training(spread=4))[2] / 3600 == pytest.approx(1.5, abs=0.02)
    heard = " ".join(fill(text, WORDS) for text in LESSON.staff.heard)
    assert (
        "14 GB" in heard
        and "980 ms in every step" in heard
        and pytest.approx(0.98) == 14 * 14 / 8 / 25
    )


def test_every_sentence_of_the_pictures_says_what_is_computed_by_hand():
    for seed in range(400):
        one = at_random(seed)
        near, far, even = by_hand(one)
        assert (one.steps["near"], one.steps["far"]) == pytest.approx((near, far), rel=1e-12), one
        gain = one.ends["gain"]
        apart = hours(one.ends["apart"])
        assert (one.break_even, gain) == pytest.approx((even, even - one.wait), abs=1e-6)
        first = chart.verdict(one).text
        taken = step.verdict(one).text
        assert ("Computing hides all communication" in first) == (far <= near * (1 + 1e-9)), one
        if one.steps["seen"] > 1e-9 * one.steps["far"]:
            assert f"{f.times(one.steps['ratio'], 3)} as long as a step on one node" in taken, one
            assert f"for {f.duration(one.steps['seen'])} of it the GPUs wait" in taken, one
            assert ("GB/s inside" in taken) == (one.spread > 1), one
        else:
            assert taken.startswith("Computing hides all"), one
        if far <= near * (1 + 1e-9):
            continue
        assert (f"{apart} earlier" in first) == (
            even > one.wait and (not one.wait or even - one.wait > 900)
        )
        assert (f"{apart} later" in first) == (one.wait - even > 900), one
        assert ("Both runs end together" in first) == (
            one.wait > 0 and abs(even - one.wait) <= 900
        ), one


def test_half_an_hour_of_the_knob_brings_the_ends_together_and_no_other_does():
    met = [
        one
        for one in (Training(wait=hour * 1800.0) for hour in range(49))
        if "end together" in chart.verdict(one).text
    ]
    assert [one.wait / k.HOUR for one in met] == [10.5]


def test_knobs_that_are_said_to_have_no_effect_have_none():
    told = 0
    for seed in range(60):
        one = replace(at_random(seed), overlap=1.0)
        for name in one.idle():
            told += 1
            turned = [
                replace(one, **{name: value}) for value in knobs_of(Training)[name].values({})
            ]
            assert len({(*t.ends.values(), t.break_even, t.slowdown(8)) for t in turned}) == 1, (
                one,
                name,
            )
    assert told and not Training().idle()


def test_each_remedy_of_the_message_is_the_smallest_change_that_does():
    assert "train 0.76 billion parameters; or compute 10 s per step; or hide 90%" in chart.remedies(
        Training()
    )
    for name, does, fails in (
        ("parameters", 0.76e9, 1.3e9),
        ("compute", 10.0, 5.0),
        ("overlap", 0.9, 0.85),
    ):
        ends = [by_hand(replace(Training(), **{name: value})) for value in (does, fails)]
        assert [far / near <= 1.1 for near, far, _ in ends] == [True, False]
    for change in ({"between": 50e9}, {"spread": 4}):
        near, far, _ = by_hand(replace(Training(), **change))
        assert far / near > 1.1
    for seed in range(40):
        assert (chart.remedies(at_random(seed)) == "") == (at_random(seed).steps["ratio"] <= 1.1)


def test_the_node_goes_to_neither_the_largest_nor_the_longest_nor_the_most_slowed_run():
    runs = {name: Training(**run) for name, run in RUNS.items()}
    saved = {name: by_hand(run)[2] / 3600 for name, run in runs.items()}
    assert saved == pytest.approx({"A": 4.08, "B": 2.74, "C": 7.21}, abs=5e-3)
    assert max(runs, key=lambda name: runs[name].parameters) == "A"
    assert max(runs, key=lambda name: runs[name].runtime) == "A"
    assert max(runs, key=lambda name: runs[name].steps["ratio"]) == "B"
    for name, run in runs.items():
        judged = chart.judge(run)
        assert judged.good == (name == "C")
        assert f"run {name} {hours(run.break_even)}" in judged.text
    task = LESSON.challenge.task()
    assert "Run A takes 24 h on the node, has 13 billion parameters, and computes 10 s" in task
    assert "Run B takes 4 h, has 2.7 billion parameters, and computes 500 ms per step" in task
    assert "Run C takes 16 h, has 7 billion parameters, and computes 2 s per step" in task
    start = LESSON.challenge.preset.changes
    assert read(Training, start)[0] == replace(runs["A"], wait=0.0)


def test_the_challenge_names_what_was_changed_beside_the_runs():
    won = Training(**RUNS["C"])
    assert chart.judge(replace(won, wait=7 * k.HOUR)).good
    for name in chart.FIXED:
        values = knobs_of(Training)[name].values({})
        other = next(value for value in values if value != getattr(won, name))
        judged = chart.judge(replace(won, **{name: other}))
        assert not judged.good and knobs_of(Training)[name].label in judged.text
    assert "none of the three runs" in chart.judge(replace(won, compute=1.0)).text


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("rule", POLICIES)
def test_the_stream_counts_what_is_free_and_who_waits_at_each_arrival(mix, whole, rule):
    found = Training(mix=mix, whole=whole, rule=rule, load=0.9, draw=3, between=6.25e9).stream
    for row in (0, 17, 60, 119):
        at = found.served["arrival"].iloc[row]
        free = [8] * 8
        waiting = 0
        for job in found.served.itertuples():
            for node, size in job.nodes:
                if job.start < at < job.end:
                    free[node] -= size
            waiting += job.arrival < at <= job.start
        assert found.free[row].tolist() == free and found.waiting[row] == waiting
        useless = sum(
            share * sum(one for one in free if one < size) for size, share in MIXES[mix].items()
        )
        assert found.unusable[row] == pytest.approx(useless)
    assert found.completion == pytest.approx(
        found.wait + float((found.served["end"] - found.served["start"]).mean())
    )
    assert (found.free >= 0).all() and found.scattered.any() != whole


def test_best_fit_keeps_a_whole_node_free_twice_as_often_as_worst_fit():
    own = Training()
    best = own.averages["best"]
    worst = own.averages["worst"]
    assert best["chance"] > 2 * worst["chance"]
    assert best["pieces"] < 0.6 * worst["pieces"]
    text = stream.verdict(own).text
    assert f"at {f.share(best['chance'])} of the arrivals under best fit" in text
    assert "because worst fit" in text
    rows = stream.figure(own, Look()).frame
    for lane, policy in enumerate(POLICIES):
        points = rows[(rows.kind == "point") & (rows.y == lane + 0.65)]
        assert sorted(points.x) == pytest.approx(sorted(run.chance for run in own.streams[policy]))
        mean = own.averages[policy]["chance"]
        half = mean.half_width
        (bar,) = rows[(rows.kind == "interval") & (rows.y == lane + 0.65)].itertuples()
        assert (bar.x, bar.x2) == pytest.approx((mean - half, mean + half))


@pytest.mark.parametrize("own", [Training(), Training(mix="five", whole=False, load=0.6)])
def test_the_averages_are_those_of_all_streams_served_one_by_one(own):
    runs = [own.run("worst", draw) for draw in range(1, Training.draws + 1)]
    for name in ("completion", "wait", "chance", "pieces"):
        values = np.array([getattr(run, name) for run in runs])
        mean = own.averages["worst"][name]
        assert mean == pytest.approx(values.mean(), rel=1e-6)
        assert mean.half_width == pytest.approx(
            1.96 * values.std(ddof=1) / len(runs) ** 0.5, rel=1e-6
        )


def test_other_streams_have_their_average_within_the_interval():
    """Streams of another seed: means differ by less than four standard errors of their
    difference.
    """
    own = Training(load=0.6)
    waits = []
    for draw in range(1001, 1201):
        served = own.run("best", draw).served
        waits.append(float((served["start"] - served["arrival"]).mean()))
    mean = own.averages["best"]["wait"]
    error = math.hypot(mean.half_width / 1.96, np.std(waits, ddof=1) / len(waits) ** 0.5)
    assert abs(np.mean(waits) - mean) < 4 * error


@pytest.mark.nightly
def test_best_fit_keeps_whole_nodes_free_in_both_mixes_at_every_load_scattered_or_not():
    for mix, load, whole in product(MIXES, (0.5, 0.7, 0.9), (True, False)):
        one = Training(mix=mix, load=load, whole=whole)
        best = one.averages["best"]
        worst = one.averages["worst"]
        assert best["chance"] > 1.3 * worst["chance"], one
        assert best["pieces"] < worst["pieces"], one


def long_wait(one: Training, jobs: int) -> float:
    """Mean wait of the last quarter of a long stream of its own [h]."""
    sizes = MIXES[one.mix]
    rng = np.random.default_rng([1, jobs])
    kinds = rng.choice(len(sizes), size=jobs, p=list(sizes.values()))
    mean = sum(size * share for size, share in sizes.items())
    runtime = float(k.PLACE_STREAM_RUNTIME)
    asked = pd.DataFrame(
        {
            "arrival": np.cumsum(rng.exponential(mean * runtime / one.load / 64, jobs)),
            "gpus": np.array(list(sizes))[kinds],
            "runtime": rng.exponential(runtime, jobs),
            "slowdown": np.array([1.0 if one.whole else one.slowdown(size) for size in sizes])[
                kinds
            ],
        }
    )
    served = place(asked, 8, 8, one.rule, one.whole)
    return float((served["start"] - served["arrival"])[-jobs // 4 :].mean()) / k.HOUR


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("rule", POLICIES)
@pytest.mark.parametrize("whole", [True, False])
def test_a_long_stream_settles_below_the_saturation_and_not_above_it(mix, rule, whole):
    one = Training(mix=mix, rule=rule, whole=whole)
    most = one.saturation[rule]
    below, above = (replace(one, load=load) for load in (0.9 * most, 1.1 * most))
    assert long_wait(below, 6000) < 24
    # Above it the line grows by a tenth of the jobs: the last quarter waits for that of 7/8 of
    # them.
    mean = sum(size * share for size, share in MIXES[mix].items())
    grown = (1 - 1 / 1.1) * 0.875 * 6000 / (most * 64 / mean / 4)
    assert long_wait(above, 6000) == pytest.approx(grown, rel=0.4)


def test_a_load_without_a_steady_state_is_told_with_what_each_policy_can_serve():
    full = Training(load=0.9)
    text = stream.verdict(full).text
    assert "the line would keep growing in a longer stream under any policy" in text
    for policy in POLICIES:
        assert f.share(full.saturation[policy]) in text
    assert full.saturation["best"] == pytest.approx(0.845, abs=0.007)
    assert full.saturation["worst"] == pytest.approx(0.81, abs=0.007)
    assert stream.backlog(Training(load=0.85)) and not stream.backlog(Training(load=0.8))
    # Whole nodes hold 40 GPUs of jobs of 5: their load is at most 40/64 · 3.6/3.
    five = Training(mix="five", load=0.75)
    assert all(most <= 40 / 64 * 3.6 / 3 + 0.01 for most in five.saturation.values())
    loose = Training(whole=False)
    assert "because scattered jobs hold their GPUs for longer" in stream.verdict(loose).text


def test_averages_have_no_more_digits_than_their_intervals_allow():
    for load in (0.3, 0.5, 0.7, 0.9):
        own = Training(load=load)
        for policy in ("best", "worst"):
            for name in ("completion", "wait", "chance"):
                mean = own.averages[policy][name]
                step = 10.0 ** (math.floor(math.log10(mean)) - mean.digits + 1)
                assert mean.digits == 1 or step > mean.half_width / 10, (load, policy, name)


def test_the_animation_draws_each_job_on_a_node_in_one_piece():
    for one in (Training(), Training(load=0.9, rule="worst"), Training(mix="five", whole=False)):
        shown = film.showing(one)
        found = one.stream
        for row in range(25, 120, 9):
            at = float(found.served["arrival"].iloc[row]) - 1e-6
            boxes, _ = seen_at(shown.film, at)
            sizes = sorted((boxes["last"] - boxes["first"] + 1).tolist())
            running = found.served[(found.served["start"] < at) & (found.served["end"] > at)]
            assert sizes == sorted(size for job in running["nodes"] for _, size in job)


def test_the_animation_shows_each_job_on_as_many_gpus_as_it_holds():
    for one in (Training(), Training(mix="five", whole=False, load=0.9, rule="worst")):
        shown = film.showing(one)
        found = one.stream
        message(shown, Look())  # weighs at most 100 kB
        for row in (30, 75, 110):
            at = float(found.served["arrival"].iloc[row]) - 1e-6
            boxes, waiting = seen_at(shown.film, at)
            held = np.zeros(64, int)
            for box in boxes.itertuples():
                held[box.first : box.last + 1] += 1
            assert (
                held.max() <= 1
                and (8 - held.reshape(8, 8).sum(axis=1)).tolist() == found.free[row].tolist()
            )
            assert len(waiting) == found.waiting[row]


def test_what_runs_scattered_is_told_and_slowed_by_its_slowest_link():
    one = Training(whole=False, mix="five", load=0.9)
    found = one.stream
    many = int(one.stream.scattered.sum())
    longer = ((found.served["end"] - found.served["start"]) / found.served["runtime"]).to_numpy()
    assert np.allclose(longer[~found.scattered], 1)
    five = (1 + 2 * 4 * 14 / 5 / 25) / (1 + 2 * 4 * 14 / 5 / 450)
    assert longer.max() == pytest.approx(five)
    told = (
        f"Of 120 jobs, {many} ran scattered and took "
        f"{f.times(float(longer[found.scattered].mean()), 3)} as long"
    )
    assert told in film.verdict(one).text


def test_the_streams_are_as_many_as_the_constants_promise():
    assert (Training.draws, Training.shown) == (k.PLACE_STREAMS, 20)
    assert all(len(runs) == 20 for runs in Training().streams.values())
