"""Utilization trap: the simulation beside the theory, on the page."""

import re

import pytest
from driving import all_text, chart_frame, charts, texts, unlocked

from lessons.utilization_trap import simulation as trap_simulation
from physics.queueing import mgc
from ui.page import simulation


@pytest.fixture(autouse=True)
def shorter_runs_and_no_hurry(request, monkeypatch):
    """The claims hold for runs of any length; a busy test machine must not cut them short."""
    if "slow" not in request.keywords:
        monkeypatch.setattr(trap_simulation, "JOBS", 30_000)
        monkeypatch.setattr(trap_simulation, "MOST", 30_000)
    monkeypatch.setattr(simulation, "PATIENCE", 1e9)


def chart(app, words="Mean wait against utilization"):
    return chart_frame(next(chart for chart in charts(app) if words in chart.alt))


def mean_of(frame):
    """The row of the simulated mean."""
    return frame[frame["shape"] == "square"].iloc[0]


def spread(**address):
    """The part of the lesson that simulates."""
    return unlocked("utilization_trap", trap_view="spread", **address)


def simulated(**address):
    app = spread(**address)
    app.button(key="trap_simulate").click().run()
    assert not app.exception
    return app


def said(app):
    return next(text for text in texts(app) if "**Simulated:**" in text)


def test_the_button_puts_mean_and_interval_on_the_curve():
    app = simulated()
    frame = chart(app)
    low, high = frame.loc[frame.kind == "interval", "wait"].sort_values()
    mean = mean_of(frame).wait
    assert low < mean < high
    # Erlang C by hand: 4.457 job lengths of one hour. The dice are the same on every first press.
    assert low < 4.457 < high
    assert mean_of(frame).utilization == 0.95 and mean_of(frame).dx == 0 and "simulated" in set(frame.label)
    assert "10 runs" in said(app) and "lies inside" in said(app)


def test_nothing_is_simulated_before_the_button_is_pressed():
    app = spread()
    frame = chart(app)
    assert (
        "interval" not in set(frame.kind)
        and "square" not in set(frame["shape"])
        and "**Simulated:**" not in all_text(app)
    )


def test_the_result_belongs_to_its_settings_and_is_kept_for_them():
    app = simulated()
    before = said(app)
    app.slider(key="trap_utilization").set_value(80.0).run()
    assert "square" not in set(chart(app)["shape"]) and "**Simulated:**" not in all_text(app)
    app.slider(key="trap_target").set_value(60).run()
    app.slider(key="trap_utilization").set_value(95.0).run()
    assert said(app) == before and "square" in set(chart(app)["shape"])


def test_each_press_rolls_new_dice():
    app = simulated()
    first = said(app)
    app.button(key="trap_simulate").click().run()
    assert said(app) != first


def test_littles_law_is_shown_holding_with_each_side_measured():
    found = re.search(
        r"L = ([\d.,]+) jobs in the system; λ W = ([\d.,]+) jobs an hour × ([\d.]+) h = ([\d.,]+)", said(simulated())
    )
    number, rate, response, product = (float(text.replace(",", "")) for text in found.groups())
    assert number == pytest.approx(product, rel=0.01)
    assert rate * response == pytest.approx(product, rel=0.01)
    assert rate == pytest.approx(3.8, rel=0.02)


def test_the_formula_stands_beside_the_simulation_by_its_name():
    app = simulated(trap_gpus_per_job="8", trap_scv="10")
    formula = re.search(r"Allen–Cunneen approximation says ([\d.]+) min, which lies (inside|outside)", said(app))
    wait = mgc(0.95 * 128 / 60, 60.0, 128, 10.0).mean_wait  # minutes
    assert float(formula[1]) == pytest.approx(wait, rel=0.005)
    low, high = chart(app).query("kind == 'interval'").wait.sort_values() * 60
    assert (low <= wait <= high) is (formula[2] == "inside")
    assert "Allen–Cunneen" not in said(simulated(trap_scv="1"))


@pytest.mark.parametrize("utilization", ["100", "105"])
def test_overload_has_no_steady_state_to_simulate_and_says_so(utilization):
    app = simulated(trap_utilization=utilization)
    assert any("no steady state" in info.value for info in app.info)
    assert "square" not in set(chart(app).get("shape", ()))


def test_close_to_saturation_the_page_warns_that_the_runs_have_not_forgotten_their_start():
    assert "**Caution:**" in said(simulated(trap_utilization="99.5"))
    assert "**Caution:**" not in said(simulated(trap_utilization="80"))


@pytest.mark.slow
@pytest.mark.parametrize("gpus_per_job", ["1024", "256", "8", "1"])
def test_every_size_of_job_is_simulated_in_one_press(gpus_per_job):
    app = spread(trap_gpus_per_job=gpus_per_job, trap_fleet="4096", trap_scv="4")
    app.button(key="trap_simulate").click().run()
    assert not app.exception and "**Simulated:**" in all_text(app)


def test_the_page_names_its_formula_and_says_where_a_number_is_an_approximation():
    exact, rough = spread(), spread(trap_scv="4")
    assert "Formula: M/M/c exact." in all_text(exact) and "exponential-tail" not in all_text(exact)
    assert "Formula: Allen–Cunneen approximation." in all_text(rough)
    assert "exponential-tail approximation" in all_text(rough)
    one = all_text(spread(trap_scv="4", trap_gpus_per_job="1024"))
    assert "Formula: Pollaczek–Khinchine exact." in one and "exponential-tail approximation" in one


def test_littles_law_in_the_derivation_holds_at_the_present_settings():
    text = all_text(unlocked("utilization_trap", trap_utilization="90"))
    said = re.search(r"Here: ([\d.]+) jobs per hour, mean wait ([\d.]+) h, ([\d.]+) jobs waiting", text)
    rate, wait, jobs = map(float, said.groups())
    assert rate == pytest.approx(3.6) and rate * wait == pytest.approx(jobs, rel=0.01)
