"""Every sentence of Placement that holds a number, quoted and proved."""

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from lessons.placement import LESSON, challenge, film, stream, values, verdict
from lessons.placement.chart import hours
from lessons.placement.settings import BETWEEN, COMPUTE, INSIDE, MIXES, PARAMETERS, Training
from physics import constants as k
from physics.placement import place
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look
from ui.films import message
from ui.knobs.declared import knobs_of

WORDS = values.live_values(Training())


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def reflected(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS)


def by_hand(one: Training) -> tuple[float, float, float]:
    """Step on a node, step when scattered, and the break-even, without the models of `physics`."""
    size, nodes, here = 2 * one.parameters, 8 // one.spread, one.spread
    near = 14 * size / 8 / one.inside
    far = 2 * (here - 1) * size / here / one.inside + 2 * (nodes - 1) * size / 8 / one.between
    steps = [max(one.compute + (1 - one.overlap) * talk, talk) for talk in (near, far)]
    return *steps, one.runtime * (steps[1] / steps[0] - 1)


def at_random(seed: int) -> Training:
    """Any settings of the knobs of the first act, their ends among them."""
    draw = random.Random(seed)
    return Training(
        wait=draw.choice([0.0, 0.5, 6.0, 24.0, draw.randrange(49) / 2]) * k.HOUR,
        runtime=float(draw.randint(1, 24) * k.HOUR),
        parameters=draw.choice(PARAMETERS) * 1e9,
        compute=float(draw.choice(COMPUTE)),
        between=draw.choice(BETWEEN) * 1e9,
        spread=draw.choice((1, 2, 4)),
        overlap=draw.choice([0.0, 1.0, draw.randrange(21) / 20]),
        inside=draw.choice(INSIDE) * 1e9,
    )


def test_the_message_and_the_knobs_tell_the_same_story():
    own = Training()
    assert (own.parameters, own.compute, own.runtime) == (7e9, 1, 12 * 3600) and own.gradient == 14e9
    assert (own.inside, own.between, own.nodes, own.spread) == (450e9, 25e9, 8, 1)
    for words in ("one on each of eight nodes", "7 billion parameters", "for 1 s", "12 h", "450 GB/s", "at 25 GB/s"):
        assert words in LESSON.message
    assert LESSON.prediction.right == "c" and LESSON.reflection.right == "b"


def test_a_step_of_1054_ms_becomes_1980_and_12_hours_22_and_a_half():
    near, far, even = by_hand(Training())
    assert (near, far) == pytest.approx((1.0544, 1.98), abs=5e-5)
    assert even / 3600 == pytest.approx(10.53, abs=5e-3)
    assert "A step takes 1.05 s on one node and 1.98 s scattered, 1.88 times as long." in said("c")
    assert "12 h become 22.5 h, and the difference, 10.5 h" in said("c")
    assert "1.98 s instead of 1.05 s, and the run ends after 22.5 h instead of 12 h" in said("a")
    assert "in an hour ends it after 13 h, 9.53 h earlier" in said("a") and 12 + even / 3600 - 13 == pytest.approx(
        9.53, abs=5e-3
    )
    assert "ends after 13 h; scattered it would end after 22.5 h" in said("b") and "So 9.53 h more" in said("b")
    assert "the message's after 22.5 h" in said("d") and "done after 36 h" in said("d") and "Beyond 10.5 h" in said("d")


def test_350_million_parameters_are_worth_half_an_hour():
    near, far, even = by_hand(Training(parameters=0.35e9))
    assert even / 60 == pytest.approx(33.2, abs=0.05) and (near, far) == pytest.approx((1.0027, 1.049), abs=5e-5)
    assert "a twentieth to send: 700 MB. That takes 49 ms" in reflected("a")
    assert "4.6 % longer, not 88 %: worth waiting 33.2 min" in reflected("a")
    assert (
        "takes 2.72 ms on one node and 49 ms scattered, with 1 s of computing. 4.6 % of 12 h is 33.2 min"
        in reflected("b")
    )
    whole = by_hand(Training())[2]
    assert 19 < whole / even < 20 and "a factor of about 20, from 10.5 h to 33.2 min" in reflected("c")
    assert by_hand(Training(overlap=0.5))[2] / 3600 == pytest.approx(5.41, abs=5e-3) and "5.41 h" in reflected("c")
    assert by_hand(Training(overlap=0.5))[2] / whole == pytest.approx(0.5, abs=0.02)
    assert "700 MB a step, which takes 49 ms between nodes" in reflected("d")


def test_the_reply_the_takeaways_and_the_plan_for_staff():
    reply = fill(LESSON.reply, WORDS)
    assert "free within 10.5 h" in reply and "18 times as long between nodes as inside one" in reply and 450 / 25 == 18
    assert "waits 10 h for the node is done after 22 h" in reply and "done after 22.5 h" in reply
    takeaways = " ".join(fill(text, WORDS) for text in LESSON.takeaways)
    assert "14 GB a step cost 54.4 ms inside a node and 980 ms between nodes" in takeaways
    assert [14 * 14 / 8 / link for link in (450, 25)] == pytest.approx([0.0544, 0.98], abs=5e-5)
    assert "waiting pays for 33.2 min only" in takeaways
    assert by_hand(Training(spread=4))[2] / 3600 == pytest.approx(1.5, abs=5e-3)
    assert "({four_even})" in LESSON.staff.ten and WORDS["four_even"] == "1.5 h"
    assert by_hand(replace(Training(), runtime=86400.0))[2] == pytest.approx(2 * by_hand(Training())[2])


def test_every_sentence_of_the_first_act_says_what_is_computed_by_hand():
    for seed in range(400):
        one = at_random(seed)
        near, far, even = by_hand(one)
        assert (one.step(one.near), one.step(one.far)) == pytest.approx((near, far), rel=1e-12), one
        assert one.break_even == pytest.approx(even, abs=1e-6), one
        # From here on the model's own last digit, where a rounded number would be between two.
        near, far, even, text = one.step(one.near), one.step(one.far), one.break_even, verdict.verdict(one).text
        if far == one.compute:
            assert text.startswith("Computing hides all communication"), one
        else:
            assert f"A scattered step takes {f.duration(far)}, {f.times(far / near, 3)} that on one node" in text, one
            assert f"for {f.duration(far - one.compute)} of it the GPUs wait" in text, one
        gain = one.later_ends - one.now_ends
        assert gain == pytest.approx(one.wait - even, abs=1e-6)
        if abs(gain) < 1e-6:
            end = "Both starts end at the same time."
        elif gain < 0:
            start = f"Waiting {hours(one.wait)} for a node" if one.wait else "A node is free at once: the run"
            end = f"{start} ends {hours(-gain)} earlier{'' if one.wait else ' on it'}."
        else:
            end = f"Starting now ends {hours(gain)} earlier than waiting {hours(one.wait)}."
        assert text.endswith(end), one


def test_knobs_that_are_said_to_have_no_effect_have_none():
    said = 0
    for seed in range(60):
        one = replace(at_random(seed), overlap=1.0)
        for name in one.idle():
            said += 1
            turned = [replace(one, **{name: value}) for value in knobs_of(Training)[name].values({})]
            assert len({(t.now_ends, t.later_ends, t.break_even, t.slowdown(8)) for t in turned}) == 1, (one, name)
    assert said and not Training().idle()


def test_where_nothing_is_left_of_the_communication_both_starts_tie_at_no_wait():
    free = Training(wait=0.0, overlap=1.0)
    assert free.break_even == 0 and verdict.verdict(free).text.endswith("Both starts end at the same time.")
    assert verdict.remedies(free) == ""


def test_what_would_mend_it_is_said_only_where_it_must():
    for seed in range(40):
        one = at_random(seed)
        told = verdict.remedies(one)
        assert (told == "") == (one.ratio <= 1.1), one
        if told and "No single knob" not in told:
            assert told.startswith("A scattered run at most 10 % longer than on one node: "), one


def test_each_remedy_of_the_message_is_the_smallest_change_that_does():
    assert "train 0.76 billion parameters; or compute 10 s a step; or hide 90 %" in verdict.remedies(Training())
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


def test_links_inside_a_node_are_never_slower_than_those_between():
    ends = knobs_of(Training)
    assert min(ends["inside"].values({})) > max(ends["between"].values({}))
    for seed in range(200):
        assert at_random(seed).ratio >= 1


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("rule", ["best", "worst", "first"])
def test_the_stream_counts_what_is_free_and_who_waits_at_each_arrival(mix, whole, rule):
    one = Training(mix=mix, whole=whole, rule=rule, load=0.9, draw=3, between=6.25e9)
    found = stream.run(one)
    for row in (0, 17, 60, 119):
        at, free, waiting = found.served["arrival"].iloc[row], [8] * 8, 0
        for job in found.served.itertuples():
            for node, size in job.nodes:
                free[node] -= size if job.start < at < job.end else 0
            waiting += job.arrival < at <= job.start
        assert found.free[row].tolist() == free and found.waiting[row] == waiting
        useless = sum(share * sum(one for one in free if one < size) for size, share in MIXES[mix][1].items())
        assert found.unusable[row] == pytest.approx(useless)
    assert found.completion == pytest.approx(found.wait + float((found.served["end"] - found.served["start"]).mean()))
    assert (found.free >= 0).all() and found.scattered.any() != whole


def test_with_leave_to_scatter_nobody_waits_while_enough_gpus_are_free():
    """As the switch says, whatever the size; jobs of a whole node are no exception."""
    eights = 0
    for rule in ("best", "worst", "first"):
        found = stream.run(Training(whole=False, rule=rule, load=0.9, draw=3))
        heads = found.served.sort_values("start", kind="stable")
        eights += sum(len(job.nodes) > 1 for job in heads.itertuples() if job.gpus == 8)
        for row, job in enumerate(heads.itertuples()):
            before = heads.iloc[:row]
            if job.start in (job.arrival, *before["start"]):
                continue  # at once, or right behind the one that stood before it
            held = before["gpus"][(before["start"] < job.start) & (before["end"] >= job.start)].sum()
            assert 64 - held < job.gpus, (rule, job)
    assert eights


def test_the_axis_of_the_stream_holds_every_stream():
    for mix in MIXES:
        for load in (0.3, 0.7, 0.9):
            for draw in range(1, 21, 4):
                for rule in ("best", "worst"):
                    assert stream.run(Training(mix=mix, load=load, draw=draw, rule=rule)).unusable.max() <= stream.TOP


@pytest.mark.nightly
def test_best_fit_keeps_whole_nodes_free_in_both_mixes_at_every_load_scattered_or_not():
    for mix, load, whole in product(MIXES, (0.5, 0.7, 0.9), (True, False)):
        one = Training(mix=mix, load=load, whole=whole)
        best, worst = ([stream.run(replace(one, draw=n), rule) for n in range(1, 21)] for rule in ("best", "worst"))
        assert np.mean([run.chance for run in best]) > 1.3 * np.mean([run.chance for run in worst]), one
        assert np.mean([run.unusable.mean() for run in best]) < np.mean([run.unusable.mean() for run in worst]), one


def test_best_fit_keeps_more_whole_nodes_free_than_worst_fit_on_average_over_all_streams():
    runs = {rule: [stream.run(Training(draw=draw), rule) for draw in range(1, 21)] for rule in ("best", "worst")}
    chance = {rule: np.mean([one.chance for one in found]) for rule, found in runs.items()}
    useless = {rule: np.mean([one.unusable.mean() for one in found]) for rule, found in runs.items()}
    assert chance["best"] > 2 * chance["worst"] and useless["best"] < 0.6 * useless["worst"]
    text = stream.twenty(Training())
    assert f.share(float(chance["best"])) in text and f.significant(float(useless["worst"]), 2) in text


@pytest.mark.slow
def test_links_that_pay_in_the_challenge_pay_on_average_over_all_streams():
    own = {name: value for name, value in challenge.START.items() if name != "draw"}

    def mean(**change):
        return np.mean([stream.run(Training(**(own | change), draw=draw)).completion for draw in range(1, 21)])

    bought = mean(rule="best", whole=False, between=25e9)
    others = [mean(rule=rule, whole=True) for rule in ("best", "worst", "first")]
    others += [mean(rule=rule, whole=False, between=25e9) for rule in ("worst", "first")]
    others += [mean(rule="best", whole=False, between=link * 1e9) for link in BETWEEN if link < 25]
    assert bought < min(others)
    assert bought < challenge.LIMIT / 1.02
    assert "$50 for each GB/s of each GPU" in challenge.task() and 50e-9 * 25e9 * 64 == 80_000
    # With jobs that fill nodes it is not so: whole nodes come free in time.
    usual = {"mix": "powers", "rule": "best"}
    assert mean(**usual) <= 1.02 * mean(**usual, whole=False, between=25e9)


def long_wait(one: Training, jobs: int) -> float:
    """Mean wait of the last quarter of a long stream of its own [h]."""
    sizes, rng = MIXES[one.mix][1], np.random.default_rng([1, jobs])
    kinds = rng.choice(len(sizes), size=jobs, p=list(sizes.values()))
    mean, runtime = sum(size * share for size, share in sizes.items()), float(k.PLACE_STREAM_RUNTIME)
    asked = pd.DataFrame(
        {
            "arrival": np.cumsum(rng.exponential(mean * runtime / one.load / 64, jobs)),
            "gpus": np.array(list(sizes))[kinds],
            "runtime": rng.exponential(runtime, jobs),
            "slowdown": np.array([1.0 if one.whole else one.slowdown(size) for size in sizes])[kinds],
        }
    )
    served = place(asked, 8, 8, one.rule, one.whole)
    return float((served["start"] - served["arrival"])[-jobs // 4 :].mean()) / k.HOUR


@pytest.mark.slow
def test_the_challenge_has_a_limit_and_scattering_pays_in_a_long_stream_too():
    own = {name: value for name, value in challenge.START.items() if name != "draw"}
    won = Training(**(own | {"rule": "best", "whole": False, "between": 25e9}))
    assert not stream.backlog(won) and not stream.backlog(Training(**own))
    waits = [long_wait(won, jobs) for jobs in (1000, 4000)]
    assert max(waits) < 1 and waits[-1] < long_wait(Training(**(own | {"rule": "best"})), 4000) < 2


@pytest.mark.slow
def test_permission_to_scatter_pays_at_first_and_fills_the_cluster_at_70_percent():
    """The last takeaway, for both mixes: hours of waiting in a long stream whole, days scattered."""
    for mix in MIXES:
        whole, loose = (Training(mix=mix, whole=whole) for whole in (True, False))
        first = [np.mean([stream.run(replace(one, draw=draw)).wait for draw in range(1, 9)]) for one in (whole, loose)]
        assert first[1] < first[0], "first waits are shorter"
        assert long_wait(whole, 2000) < 24 < 2 * 24 < long_wait(loose, 3000)
        assert "a backlog can grow and stay" in stream.verdict(loose).text and loose.load == 0.7
    assert "At 70 % the longer runs fill the cluster, and in a long stream jobs wait for days" in LESSON.takeaways[4]
    assert "for jobs of 5 GPUs at 55 % load" in LESSON.takeaways[4] and challenge.START["load"] == 0.55


def test_where_whole_nodes_cannot_hold_what_is_asked_a_growing_backlog_is_told():
    """At 80 % jobs of 5 GPUs ask for 42.7 of the 40 GPUs that they can hold, one job a node."""
    text = stream.verdict(Training(mix="five", load=0.8)).text
    assert "Jobs of 5 GPUs ask for 42.7 GPUs on average, and whole nodes hold 40 of theirs" in text
    assert pytest.approx(42.67, abs=0.01) == 0.8 * 64 * 0.6 * 5 / (0.2 + 0.4 + 3)
    assert "a backlog grows" in text and "backlog" not in stream.verdict(Training(mix="five", load=0.7)).text
    assert long_wait(Training(mix="five", load=0.8), 8000) > 24
    for mix in MIXES:
        for load in (0.3, 0.5, 0.7, 0.9):
            loose = Training(mix=mix, load=load, whole=False)
            sizes = MIXES[mix][1]
            gpus = sum(size * share * loose.slowdown(size) for size, share in sizes.items())
            asked = load * gpus / sum(size * share for size, share in sizes.items())
            assert bool(stream.backlog(loose)) == (asked > 1)


def test_gpus_that_a_scattered_job_may_use_are_not_called_unusable():
    assert stream.metrics(Training())[2].label == "Unusable GPUs"
    loose = Training(whole=False)
    assert "a job that may scatter uses them" in stream.metrics(loose)[2].help
    said = [
        stream.metrics(loose)[2].label,
        stream.verdict(loose).text,
        stream.twenty(loose),
        stream.figure(loose, Look()).title,
    ]
    assert "nusable" not in " ".join(said) and "of no use" not in " ".join(said)


def test_the_film_shows_each_job_on_as_many_gpus_as_it_holds():
    for one in (Training(), Training(mix="five", whole=False, load=0.9, rule="worst")):
        shown, found = film.showing(one), stream.run(one)
        message(shown, Look())  # weighs at most 100 kB
        for row in (30, 75, 110):
            at = float(found.served["arrival"].iloc[row]) - 1e-6
            boxes, waiting = shown.film.at(at)
            held = np.zeros(64, int)
            for box in boxes.itertuples():
                held[box.first : box.last + 1] += 1
            assert held.max() <= 1 and (8 - held.reshape(8, 8).sum(axis=1)).tolist() == found.free[row].tolist()
            assert len(waiting) == found.waiting[row]


def test_what_runs_scattered_is_told_and_slowed_by_its_slowest_link():
    one = Training(whole=False, mix="five", load=0.9)
    found, many = stream.run(one), int(stream.run(one).scattered.sum())
    longer = ((found.served["end"] - found.served["start"]) / found.served["runtime"]).to_numpy()
    assert np.allclose(longer[~found.scattered], 1)
    five = (1 + 2 * 4 * 14 / 5 / 25) / (1 + 2 * 4 * 14 / 5 / 450)
    assert longer.max() == pytest.approx(five)
    words = "job ran" if many == 1 else "jobs ran"
    assert f"{many} of 120 {words} scattered, {f.times(float(longer[found.scattered].mean()), 3)} as long" in (
        stream.verdict(one).text
    )


@pytest.mark.parametrize("spread", [1, 2, 4])
def test_the_links_that_a_scattered_sum_crosses_are_named_those_inside_too(spread):
    one = Training(spread=spread, inside=64e9, between=50e9)
    inside = "over links of 50 GB/s between nodes and 64 GB/s inside"
    assert (inside in verdict.verdict(one).text) == (spread > 1)
    within = 2 * (spread - 1) * one.gradient / spread / one.inside
    assert (within > 0) == (spread > 1) and within <= one.far


def test_where_both_rules_end_alike_it_is_said_in_how_many_streams():
    anywhere = Training(whole=False, overlap=1.0, parameters=0.125e9, compute=10.0)
    assert "in 0 of them; in 20 both have the same." in stream.twenty(anywhere)
    assert "both have the same" not in stream.twenty(Training(load=0.9))
