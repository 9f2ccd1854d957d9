"""Utilization trap: its page's further parts, the simulation beside the theory, orders of service,
and the knee.
"""

import re
from itertools import pairwise

import pytest
from driving import all_text, chart_frame, charts, metrics, texts, unlocked

from lessons.utilization_trap import LESSON, knee, order
from lessons.utilization_trap.laboratory import simulation
from lessons.utilization_trap.settings import Fleet
from physics import pace
from physics.queueing import highest_utilization, mg1_response_of, mgc
from ui.base import time_slices
from ui.base.words import fill
from ui.charts.look import Look


@pytest.fixture(autouse=True)
def shorter_runs_and_no_hurry(request, monkeypatch):
    """The claims hold for runs of any length; a busy test machine must not cut them short."""
    if "slow" not in request.keywords:
        monkeypatch.setattr(simulation, "JOBS", 30_000)
        monkeypatch.setattr(simulation, "MOST", 30_000)
    monkeypatch.setattr(simulation, "PATIENCE", 1e9)


def chart(app, words="Mean wait against utilization"):
    return chart_frame(next(chart for chart in charts(app) if words in chart.alt))


def simulated(**address):
    app = unlocked("utilization_trap", trap_view="spread", **address)
    app.button(key="trap_simulate").click().run()
    assert not app.exception
    return app


def said(app):
    return next((text for text in texts(app) if "**Simulated:**" in text), "")


def is_drawn(app):
    return "square" in set(chart(app).get("shape", ()))


def test_the_button_puts_mean_and_interval_on_the_curve_and_littles_law_holds_as_measured():
    app = simulated()
    frame = chart(app)
    told = said(app)
    low, high = frame.loc[frame.kind == "interval", "wait"].sort_values()
    mean = frame[frame["shape"] == "square"].iloc[0]
    # Erlang C by hand: 4.457 job lengths of one hour. The dice are the same on every first press.
    assert low < mean.wait < high and low < 4.457 < high
    assert mean.utilization == 0.95 and mean.dx == 0 and "simulated" in set(frame.label)
    assert (
        "10 runs" in told
        and "lies inside" in told
        and "**Caution:**" not in said(simulated(trap_utilization="80"))
    )
    found = re.search(
        r"L = ([\d.,]+) jobs in the system; λ W = ([\d.,]+) jobs per hour × ([\d.]+) h = ([\d.,]+)",
        told,
    )
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
    formula = re.search(
        r"Allen–Cunneen approximation says ([\d.]+) min, which lies (inside|outside)", said(app)
    )
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
        ({}, "Method: M/M/c exact."),
        ({"scv": 4}, "Method: Allen–Cunneen approximation."),
        ({"scv": 4, "gpus_per_job": 1024}, "Method: Pollaczek–Khinchine exact."),
    ],
)
def test_the_page_names_its_formula_and_says_where_a_number_is_an_approximation(changes, words):
    fleet = Fleet(**changes)
    assert words in LESSON.view("spread").paragraph(fleet)
    p99 = LESSON.view("spread").speaker("metrics")(fleet)[1]
    assert ("exponential-tail" in p99.note) is ("scv" in changes)


def test_the_view_shows_four_orders_at_the_pages_utilization_and_scv():
    app = unlocked("utilization_trap", {"trap_view": "order"})
    assert not app.exception
    assert list(metrics(app).values()) == ["20 lengths", "20 lengths", "20 lengths", "5.54 lengths"]
    frame = chart_frame(charts(app)[0])
    assert set(frame[frame.kind == "line"].order) == {"FIFO", "PS", "FB", "SRPT"}
    app.slider(key="trap_scv").set_value(40.0).run()
    assert not app.exception and "One server, 95% busy" in all_text(app)


def test_at_the_traces_scv_seeing_lengths_takes_380_to_4_and_one_job_in_a_thousand_pays():
    found = order.means(0.95, 38.9)
    assert found["FIFO"] == pytest.approx(380.05, rel=1e-4) and found["SRPT"] == pytest.approx(
        3.705, rel=1e-3
    )
    length, jobs, work = order.payers(0.95, 38.9)
    assert (
        58 <= length < 59
        and jobs == pytest.approx(1e-3, rel=0.1)
        and work == pytest.approx(0.12, abs=0.005)
    )
    words = fill(LESSON.derivation[-1].text, LESSON.values(Fleet()))
    assert (
        "(SCV 38.9), the mean response time falls from 380 to 3.7 mean job lengths, and only "
        "about one job in a thousand" in words
    )


@pytest.mark.parametrize("utilization", [0.1, 0.5, 0.95, 1.0, 1.2])
@pytest.mark.parametrize("scv", [0.0, 0.5, 1.0, 4.0, 40.0])
def test_the_view_says_the_truth_at_every_setting(utilization, scv):
    fleet = Fleet(utilization=utilization, scv=scv)
    found = order.means(utilization, scv)
    text = order.verdict(fleet).text
    assert found["SRPT"] <= min(found.values()) * (1 + 1e-9)
    figure = order.figure(fleet, Look())
    assert not re.search("nan|inf|None", figure.alt + text)
    rows = figure.frame
    assert (
        rows[rows.kind == "line"].slow.between(1 - 1e-9, order.TOP).all()
        and rows.length.dropna().between(0.03, 300).all()
    )
    pays = order.payers(utilization, scv)
    assert (pays is None) == (utilization >= 1 or scv == 0) and ("without limit" in text) == (
        utilization >= 1
    )
    if pays:
        lengths = order.lengths_of(scv)
        for factor, later in ((0.98, False), (1.02, True)):
            length = pays[0] * factor
            slow = {
                name: mg1_response_of(name, utilization, lengths, length)
                for name in ("srpt", "fifo")
            }
            assert (slow["srpt"] > slow["fifo"]) == later
    elif scv == 0 and utilization < 1:
        assert "gains nothing" in text and found["SRPT"] == pytest.approx(found["FIFO"])


def test_on_a_nearly_idle_server_what_seeing_lengths_gains_is_not_rounded_away():
    mostly_bought = Fleet(fleet=8, gpus_per_job=8, utilization=0.5, added=1024)
    found = re.search(
        r"from ([\d.]+) to ([\d.]+) mean job lengths", order.verdict(mostly_bought).text
    )
    blind, seeing = map(float, found.groups())
    true = order.means(mostly_bought.now.utilization, mostly_bought.scv)
    assert 1 < seeing < blind and (seeing, blind) == pytest.approx(
        (true["SRPT"], true["FIFO"]), rel=5e-3
    )


def dot(rows):
    """The label of the present jobs, and the place of their point."""
    label = rows[rows.label.fillna("").str.startswith("your jobs")].iloc[0]
    return (label.gpus, round(label.utilization, 3), label.label)


def knees(fleet):
    rows = knee.figure(fleet, Look()).frame
    return rows[rows.kind == "curve"].set_index("gpus").utilization.to_dict()


def test_the_chart_is_drawn_when_it_is_chosen_and_marks_the_present_jobs():
    app = unlocked("utilization_trap")
    assert not any("GPUs per job" in chart.alt for chart in charts(app))
    app.segmented_control(key="trap_view").set_value("knee").run()
    assert not app.exception
    assert dot(chart(app, "GPUs per job")) == (256, 0.747, "your jobs: 74.7%")
    app.slider(key="trap_gpus_per_job").set_value(128).run()
    assert dot(chart(app, "GPUs per job"))[2] == "your jobs: 85.4%"
    assert "85.4%" in charts(app)[0].alt


def test_every_point_of_the_curve_is_the_inverse_of_the_mean_wait():
    found = knees(Fleet())
    assert (
        found[1024] == pytest.approx(1 / 3)
        and round(found[256], 3) == 0.747
        and round(found[128], 3) == 0.854
    )
    for gpus, most in found.items():
        assert most == pytest.approx(highest_utilization(1800, 3600, 1024 // gpus), rel=1e-9)


@pytest.mark.parametrize("gpus", [8, 9, 100, 1024, 4096, 5120])
def test_smaller_jobs_never_lower_the_knee_and_the_curve_spans_all_sizes(gpus):
    found = knees(Fleet(fleet=gpus, gpus_per_job=1))
    sizes = sorted(found)
    assert (sizes[0], sizes[-1]) == (1, gpus) and len(sizes) <= 120
    assert all(found[one] >= found[other] for one, other in pairwise(sizes))


def test_a_simulation_that_takes_too_long_ends_in_one_sentence_and_keeps_nothing(monkeypatch):
    def endless(*of):
        while True:
            pace.step()
        yield

    monkeypatch.setattr(time_slices, "LONGEST", 0.05)
    monkeypatch.setattr(simulation, "replicate_queue", endless)
    said = []
    monkeypatch.setattr(simulation.st, "warning", lambda text, icon: said.append(text))
    simulation.simulate(Fleet())
    assert (
        len(said) == 1
        and said[0].startswith("This took longer than 50 ms")
        and simulation.findings(Fleet()) is None
    )
