"""Sentences of Autoscaling at the knobs' ends, the presets, exact ties and random settings, each against the run."""

import math
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from rotating import rotated

from lessons.autoscaling import LESSON, charts, flapping, reserve, values
from lessons.autoscaling import verdict as verdicts
from lessons.autoscaling.settings import CONTROLLERS, FORECASTS, GROWTHS, LENGTHS, MULTIPLY, SHAPES, Fleet
from physics.autoscaling import HPA, scale_up_limit, simulate_autoscaler
from ui.base import format as f
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

KNOBS = {name: one for name, one in knobs_of(Fleet).items() if one.constant is not None}


def preset(name: str) -> Fleet:
    return read(Fleet, LESSON.presets[name].changes)[0]


def on_knob(name: str, share: float) -> float:
    """A value that the knob can take, a share of the way from its lower to its upper end."""
    low, high = float(KNOBS[name].constant.low), float(KNOBS[name].constant.high)
    step = KNOBS[name].step * KNOBS[name].unit
    value = min(high, max(low, round((low + share * (high - low)) / step) * step))
    return round(value) if name in ("start", "floor", "ceiling") else round(value, 6)


def fleet_of(rng: random.Random, load: str = "steady") -> Fleet:
    """Random settings; each knob stands at its default, at an end or anywhere."""
    values = {}
    for name in KNOBS:
        values[name] = rng.choice(
            [getattr(Fleet(), name), on_knob(name, rng.choice([0, 1])), on_knob(name, rng.random())]
        )
    values["ceiling"] = max(values["ceiling"], values["floor"])
    choices = {"controller": rng.choice(list(CONTROLLERS)), "multiply": rng.choice(list(MULTIPLY))}
    choices |= {"forecast": rng.choice(list(FORECASTS)), "growth": rng.choice(list(GROWTHS))}
    choices["beside"] = rng.choice(["none", *CONTROLLERS])
    return Fleet(**values, **choices, load=load, kept=rng.random() < 0.3)


def prolonged(fleet: Fleet) -> np.ndarray:
    """Requests of the same fleet over three hours of the same steady load."""
    run = simulate_autoscaler(
        [fleet.base] * 720,
        fleet.rule,
        start=fleet.start,
        cold_start=fleet.cold_start,
        cool_down_up=fleet.cool_down_up,
        cool_down_down=fleet.cool_down_down,
        floor=fleet.floor,
        ceiling=fleet.ceiling,
        backlog="kept" if fleet.kept else "lost",
        service_time=fleet.service_time,
        growth=fleet.limit,
        past=fleet.past if fleet.learns else (),
    )
    return run["wanted"].to_numpy()


def check(fleet: Fleet) -> None:
    """Compare every kind of sentence with what the run, or a longer one, shows."""
    words, summary = f"{verdicts.verdict(fleet).text} {verdicts.remedies(fleet)}", fleet.summary
    assert "nan" not in words and "inf" not in words
    if fleet.load == "steady":
        check_rest(fleet, words)
    if "The target is missed" in words:
        assert not fleet.meets
    check_new(fleet, words)
    if "at rest" in verdicts.slo_words(fleet):
        assert fleet.run["slo_met"][fleet.run["time"] >= fleet.rest.since].all() and not fleet.meets
    if summary.cost_ratio < 1 and fleet.comparable:
        assert fleet.meets
    if not fleet.meets and math.isfinite(summary.cheapest_cost):
        assert "target missed" in verdicts.cost_words(fleet)
    if found := re.search(r"No single one of these changes was found to mend it: (.*?)\.", words):
        assert "Ceiling" in found[1] or fleet.daily
    if found := re.search(r"the request rises ([\d, ]+), because", words):
        assert summary.most_requested == int(found[1].split(", ")[-1])
    if "Overshoot" in words:
        calm = replace(fleet, multiply="ready").summary
        if f.share(calm.slo_share) != f.share(summary.slo_share):
            assert f"the target is {'then ' if calm.slo_share > summary.slo_share else ''}met" in words.lower()
    if found := re.search(r"swings between (\d+) and (\d+)", values.live_values(fleet)["flap_words"]):
        assert fleet.floor <= int(found[1]) < int(found[2]) <= fleet.ceiling
    pairs = flapping.frame(fleet).to_pandas()
    swinging = pairs[pairs["kind"] == "swings"]
    assert swinging["n"].between(fleet.floor, fleet.ceiling - 1).all()


def check_new(fleet: Fleet, words: str) -> None:
    """Compare what is said of forecasts, growth, misses, reservations and the other controller with own sums."""
    run, loads = fleet.run, fleet.loads
    assert ("no forecast" in values.results(fleet)[4].text) == (fleet.controller != "predictive")
    if fleet.controller == "predictive":
        forecast, came = fleet.peaks
        ahead = int(fleet.horizon // 15)
        held = np.concatenate([loads, np.full(ahead + 1, loads[-1])])
        assert came == pytest.approx([held[i + 1 : i + 2 + ahead].max() for i in range(len(loads))])
        off = np.abs(forecast - came) / came
        assert fleet.off == pytest.approx((off.mean(), math.sqrt(((forecast - came) ** 2).mean())), abs=1e-12)
    if "the forecast is lower than the load" in words:
        assert (fleet.peaks[0][:-1] < loads[1:]).any()
    if "the growth of requests is limited" in words:
        assert fleet.growth != "free" and not replace(fleet, growth="free").run["requested"].equals(run["requested"])
    missed = sum(
        load * 15 / fleet.service_time for load, met in zip(run["load"], run["slo_met"], strict=True) if not met
    )
    assert fleet.missed == pytest.approx(missed) and fleet.total >= fleet.summary.cost
    turned = run["lost"].sum() / fleet.service_time
    assert fleet.missed >= turned * (1 - 1e-9)
    assert reserve.relative(fleet, reserve.best(fleet)) <= min(
        reserve.relative(fleet, level) for level in [0.0, fleet.reserved, *np.quantile(loads, [0, 0.2, 0.5, 0.8, 1])]
    ) * (1 + 1e-9)
    assert f.share(float((loads > fleet.reserved).mean())) in reserve.verdict(fleet).text
    said = verdicts.derived_words(fleet)
    assert ("Beside it" in said) == (fleet.beside not in ("none", fleet.controller) and fleet.possible), said
    if "Beside it" in said:
        other = replace(fleet, controller=fleet.beside)
        assert f"the target is met {f.share(other.run['slo_met'].mean())} of the time" in said
    for name in ("fleet", "utilization", "cost", "reserve"):
        figure = charts.figure(name, fleet, Look())
        assert "nan" not in figure.alt and len(figure.frame)


def check_rest(fleet: Fleet, words: str) -> None:
    """Compare what is said of a steady load with three hours of it."""
    wanted = prolonged(fleet)
    here = len(fleet.run)
    if fleet.rest:
        assert (wanted[here:] == fleet.rest.replicas).all(), fleet
        assert "It rests at" in words or "It comes to rest at" in words
    if found := re.search(r"It swings between (\d+) and (\d+) for ever", words):
        assert set(wanted[here:]) == {int(found[1]), int(found[2])}, fleet
        percent = re.findall(r"only below ([\d.]+) %", words)[0]
        assert float(percent) == int(float(percent))
        if float(percent) <= 90:
            calmed = prolonged(replace(fleet, lower=float(percent) / 100))
            assert len(set(calmed[here:])) == 1, fleet
    if "has not come to rest" in words:
        assert fleet.rest is None
    if "comes to rest" not in words and "It rests" not in words:
        assert fleet.rest is None or "for ever" in words


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LESSON.presets))
def test_no_sentence_of_a_preset_is_contradicted_by_its_run(name):
    check(preset(name))


@pytest.mark.slow
def test_no_sentence_at_random_settings_is_contradicted_by_a_run_of_three_hours():
    rng = random.Random(20250301)
    for _ in range(24):
        check(fleet_of(rng))


@pytest.mark.parametrize("load", [name for name in SHAPES if LENGTHS[name] < 86400 and name != "steady"])
def test_no_sentence_under_a_moving_load_is_contradicted_by_its_run(load):
    rng = random.Random(len(load))
    for _ in range(3):
        check(fleet_of(rng, load))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "controller"), rotated(KNOBS, CONTROLLERS))
def test_no_sentence_at_the_ends_of_a_knob_is_contradicted(name, controller):
    for end in (0, 1):
        value = on_knob(name, end)
        more = {"ceiling": max(20, value)} if name == "floor" else {}
        check(replace(Fleet(controller=controller), **{name: value, **more}))


def test_the_gap_that_is_wide_enough_is_said_to_rest_and_shows_nothing_amiss():
    fleet = preset("gap")
    assert verdicts.verdict(fleet).text.startswith("It comes to rest at 2 replicas: one change after 15 s.")
    assert fleet.good and verdicts.met_at_rest(fleet) is None and "below the goal" not in verdicts.slo_words(fleet)
    assert not Fleet().good and verdicts.met_at_rest(Fleet()) is False


def test_being_cheaper_than_what_meets_the_target_is_no_merit():
    story = Fleet()
    assert story.summary.cost_ratio < 1 and story.comparable is None
    assert verdicts.cost_words(story).endswith("; target missed")


def test_the_cure_of_the_overshoot_says_what_it_costs():
    words = verdicts.remedies(preset("overshoot"))
    assert "the target is met 70 % of the time, with the overshoot 83.3 %" in words


@pytest.mark.slow
def test_a_lower_ceiling_is_among_the_savings():
    fleet = Fleet(controller="hpa", load="steady", base=2, start=13)
    assert replace(fleet, ceiling=3).good and "No single one of these" not in verdicts.remedies(fleet)
    offered = verdicts.savings(fleet, most=9)
    assert any(text.startswith(("allow at most", "begin with")) for text in offered)
    for text in offered:
        if text.startswith("allow at most"):
            assert replace(fleet, ceiling=int(text.split()[3])).thrifty


def test_a_target_within_the_tolerance_of_100_percent_asks_for_nothing():
    words = values.live_values(Fleet(controller="hpa", target=0.95))["hpa_words"]
    assert "saturated replicas never ask for more" in words and "tolerance of 10 %" in words
    assert "2 saturated ones ask for 4" in values.live_values(Fleet(tolerance=0.5, target=0.6))["hpa_words"]
    assert "never ask for more" in values.live_values(Fleet(tolerance=0.5, target=0.7))["hpa_words"]


def test_a_floor_of_six_swings_between_six_and_seven():
    fleet = Fleet(floor=6, start=6, base=5, lower=0.75)
    assert "swings between 6 and 7" in values.live_values(fleet)["flap_words"]
    assert "Between 6 and 7 replicas" in flapping.words(fleet)


def test_growth_is_limited_to_a_doubling_or_four_more_in_15_seconds():
    assert [scale_up_limit(n) for n in (0, 1, 2, 3, 4, 5, 10)] == [4, 5, 6, 7, 8, 10, 20]
    run = simulate_autoscaler([100] * 8, HPA(target=0.3, limited=True), start=2, cold_start=0)
    assert run["wanted"].tolist()[:6] == [6, 12, 24, 48, 96, 100]
    free = simulate_autoscaler([100] * 8, HPA(target=0.3), start=2, cold_start=0)
    assert free["wanted"].tolist()[:3] == [7, 24, 80]


@pytest.mark.parametrize("sync", [5, 7.5, 15, 30])
@pytest.mark.parametrize("target", [0.1, 0.2, 0.3, 0.45])
def test_no_15_seconds_see_more_than_the_limit_however_often_the_autoscaler_looks(sync, target):
    hpa = HPA(target=target, sync=sync, limited=True)
    run = simulate_autoscaler([300] * 60, hpa, start=1, step=sync, cold_start=0, ceiling=1000)
    wanted, looks = [1, *run["wanted"]], max(1, math.ceil(15 / sync))
    for now in range(len(wanted)):
        before = wanted[max(0, now - looks)]
        assert wanted[now] <= scale_up_limit(before)
    assert wanted[1] == min(5, math.ceil(1 / target))


@pytest.mark.parametrize("target", [0.5, 0.6, 0.8, 0.95])
@pytest.mark.parametrize("multiply", ["ready", "requested"])
def test_the_limit_never_binds_at_a_target_of_half_or_more(target, multiply):
    def run(limited):
        rule = HPA(target=target, multiply=multiply, limited=limited)
        return simulate_autoscaler([40] * 60, rule, start=1, cold_start=60)

    assert run(True).equals(run(False))


@pytest.mark.parametrize(
    "tie",
    [
        {"base": 0.8},
        {"lower": 0.45},
        {"base": 0.3, "upper": 0.3, "lower": 0.2},
        {"controller": "hpa", "base": 1.2, "start": 2},
        {"controller": "hpa", "base": 1.32, "start": 2},
        {"controller": "predictive", "base": 1.2, "error": 0.0},
        {"floor": 2, "ceiling": 2},
    ],
)
def test_no_sentence_at_an_exact_tie_is_contradicted(tie):
    check(replace(Fleet(), **tie))


def test_the_hpa_step_says_where_the_ceiling_forbids_what_it_names():
    for ceiling in (1, 2, 6, 7, 8, 40):
        fleet = Fleet(controller="hpa", tolerance=0.0, ceiling=ceiling)
        text = values.live_values(fleet)["hpa_words"]
        assert "the request goes to 7" in text and (f"were there no ceiling of {ceiling}" in text) == (ceiling < 7)


def test_where_the_ceiling_of_a_day_is_in_the_way_a_higher_one_is_tried():
    fleet = Fleet(load="day", controller="hpa", ceiling=2, start=2, base=1.0, peak=6.0)
    assert "the ceiling of 2 replicas forbids more" in verdicts.verdict(fleet).text
    assert "Ceiling" in verdicts.remedies(fleet) or "allow at most" in verdicts.remedies(fleet)
