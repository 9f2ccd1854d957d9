"""Utilization trap: what an order of service can do on one server, and who pays."""

import re

import numpy as np
import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked

from lessons.utilization_trap import LESSON, order
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mg1_response_of
from ui.base.words import fill
from ui.charts.look import Look


def test_the_view_shows_four_orders_at_the_pages_utilization_and_scv():
    app = unlocked("utilization_trap", {"trap_view": "order"})
    assert not app.exception
    assert list(metrics(app).values()) == ["20", "20", "20", "5.54"]
    frame = chart_frame(charts(app)[0])
    assert set(frame[frame.kind == "line"].order) == {"FIFO", "PS", "FB", "SRPT"}
    app.slider(key="trap_scv").set_value(40.0).run()
    assert not app.exception and "One server, 95% busy" in all_text(app)


def test_at_the_traces_scv_seeing_lengths_takes_380_to_4_and_one_job_in_a_thousand_pays():
    found = order.means(0.95, 38.9)
    assert found["FIFO"] == pytest.approx(380.05, rel=1e-4) and found["SRPT"] == pytest.approx(3.705, rel=1e-3)
    length, jobs, work = order.payers(0.95, 38.9)
    assert 58 <= length < 59 and jobs == pytest.approx(1e-3, rel=0.1) and work == pytest.approx(0.12, abs=0.005)
    words = fill(LESSON.derivation[-1].text, LESSON.values(Fleet()))
    assert "(SCV 38.9), the mean response falls from 380 to 3.7 mean lengths, and about one job in a thousand" in words


@pytest.mark.parametrize("utilization", [0.1, 0.5, 0.95, 1.0, 1.2])
@pytest.mark.parametrize("scv", [0.0, 0.5, 1.0, 4.0, 40.0])
def test_the_view_says_the_truth_at_every_setting(utilization, scv):
    fleet = Fleet(utilization=utilization, scv=scv)
    found, text = order.means(utilization, scv), order.verdict(fleet).text
    assert found["SRPT"] <= min(found.values()) * (1 + 1e-9)
    figure = order.figure(fleet, Look())
    assert not re.search("nan|inf|None", figure.alt + text)
    rows = figure.frame
    assert (
        rows[rows.kind == "line"].slow.between(1 - 1e-9, order.TOP).all()
        and rows.length.dropna().between(0.03, 300).all()
    )
    pays = order.payers(utilization, scv)
    assert (pays is None) == (utilization >= 1 or scv == 0) and ("no limit" in text) == (utilization >= 1)
    if pays:
        lengths = order.lengths_of(scv)
        for factor, later in ((0.98, False), (1.02, True)):
            length = pays[0] * factor
            slow = {name: mg1_response_of(name, utilization, lengths, length) for name in ("srpt", "fifo")}
            assert (slow["srpt"] > slow["fifo"]) == later
        drawn = lengths.sample(np.random.default_rng(3), 400_000)
        assert (drawn > pays[0]).mean() == pytest.approx(pays[1], rel=0.1, abs=2e-4)
    elif scv == 0 and utilization < 1:
        assert "gains nothing" in text and found["SRPT"] == pytest.approx(found["FIFO"])


def test_on_a_nearly_idle_server_what_seeing_lengths_gains_is_not_rounded_away():
    mostly_bought = Fleet(fleet=8, gpus_per_job=8, utilization=0.5, added=1024)
    found = re.search(r"from ([\d.]+) to ([\d.]+) mean lengths", order.verdict(mostly_bought).text)
    blind, seeing = map(float, found.groups())
    true = order.means(mostly_bought.now.utilization, mostly_bought.scv)
    assert 1 < seeing < blind and (seeing, blind) == pytest.approx((true["SRPT"], true["FIFO"]), rel=5e-3)
