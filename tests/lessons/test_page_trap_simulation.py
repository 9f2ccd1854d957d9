"""Utilization trap: the simulation beside the theory, on the page."""

import re

import pytest
from driving import chart_frame, charts, texts, unlocked

from lessons.utilization_trap import LESSON
from lessons.utilization_trap import simulation as trap_simulation
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mgc
from ui.page import simulation


@pytest.fixture(autouse=True)
def shorter_runs_and_no_hurry(request, monkeypatch):
    """The claims hold for runs of any length; a busy test machine must not cut them short."""
    if "slow" not in request.keywords:
        monkeypatch.setattr(trap_simulation, "JOBS", 30_000)
        monkeypatch.setattr(trap_simulation, "MOST", 30_000)
    monkeypatch.setattr(simulation, "PATIENCE", 1e9)


def chart(app):
    return chart_frame(next(chart for chart in charts(app) if "Mean wait against utilization" in chart.alt))


def simulated(**address):
    app = unlocked("utilization_trap", trap_view="spread", **address)
    app.button(key="trap_simulate").click().run()
    assert not app.exception
    return app


def said(app):
    return next((text for text in texts(app) if "**Simulated:**" in text), "")


def is_drawn(app):
    return "square" in set(chart(app).get("shape", ()))


def test_the_button_puts_mean_and_interval_on_the_curve_and_littles_law_holds_with_each_side_measured():
    app = simulated()
    frame, told = chart(app), said(app)
    low, high = frame.loc[frame.kind == "interval", "wait"].sort_values()
    mean = frame[frame["shape"] == "square"].iloc[0]
    # Erlang C by hand: 4.457 job lengths of one hour. The dice are the same on every first press.
    assert low < mean.wait < high and low < 4.457 < high
    assert mean.utilization == 0.95 and mean.dx == 0 and "simulated" in set(frame.label)
    assert "10 runs" in told and "lies inside" in told and "**Caution:**" not in said(simulated(trap_utilization="80"))
    found = re.search(r"L = ([\d.,]+) jobs in the system; λ W = ([\d.,]+) jobs an hour × ([\d.]+) h = ([\d.,]+)", told)
    number, rate, response, product = (float(text.replace(",", "")) for text in found.groups())
    assert number == pytest.approx(product, rel=0.01) == pytest.approx(rate * response, rel=0.02)
    assert rate == pytest.approx(3.8, rel=0.02)


def test_what_a_visitor_simulates_is_drawn_for_nobody_else():
    assert is_drawn(simulated())
    assert not is_drawn(unlocked("utilization_trap", trap_view="spread"))


def test_the_result_belongs_to_its_settings_is_kept_for_them_and_each_press_rolls_new_dice():
    app = simulated()
    before = said(app)
    app.slider(key="trap_utilization").set_value(80.0).run()
    assert not is_drawn(app) and not said(app)
    app.slider(key="trap_target").set_value(60).run()
    app.slider(key="trap_utilization").set_value(95.0).run()
    assert said(app) == before and is_drawn(app)
    app.button(key="trap_simulate").click().run()
    assert said(app) != before


def test_the_formula_stands_beside_the_simulation_by_its_name():
    app = simulated(trap_gpus_per_job="8", trap_scv="10")
    formula = re.search(r"Allen–Cunneen approximation says ([\d.]+) min, which lies (inside|outside)", said(app))
    wait = mgc(0.95 * 128 / 60, 60.0, 128, 10.0).mean_wait  # minutes
    assert float(formula[1]) == pytest.approx(wait, rel=0.005)
    low, high = chart(app).query("kind == 'interval'").wait.sort_values() * 60
    assert (low <= wait <= high) is (formula[2] == "inside")


@pytest.mark.parametrize("utilization", ["100", "105"])
def test_overload_has_no_steady_state_to_simulate_and_says_so(utilization):
    app = simulated(trap_utilization=utilization)
    assert any("no steady state" in info.value for info in app.info) and not is_drawn(app)


def test_close_to_saturation_the_page_warns_that_the_runs_have_not_forgotten_their_start():
    assert "**Caution:**" in said(simulated(trap_utilization="99.5"))


@pytest.mark.slow
@pytest.mark.parametrize("gpus_per_job", ["1024", "256", "8", "1"])
def test_every_size_of_job_is_simulated_in_one_press(gpus_per_job):
    assert said(simulated(trap_gpus_per_job=gpus_per_job, trap_fleet="4096", trap_scv="4"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Formula: M/M/c exact."),
        ({"scv": 4}, "Formula: Allen–Cunneen approximation."),
        ({"scv": 4, "gpus_per_job": 1024}, "Formula: Pollaczek–Khinchine exact."),
    ],
)
def test_the_page_names_its_formula_and_says_where_a_number_is_an_approximation(changes, words):
    fleet = Fleet(**changes)
    assert words in LESSON.view("spread").paragraph(fleet)
    p99 = LESSON.view("spread").speaker("metrics")(fleet)[1]
    assert ("exponential-tail" in p99.note) is ("scv" in changes)
