"""The trap's film is the chosen day with jobs of two sizes; what its caption says is what it shows."""

import json
import re

import numpy as np
import pytest
from driving import charts, unlocked

from lessons.utilization_trap import day
from lessons.utilization_trap.film import both, days, queues, showing
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mgc
from ui.charts.look import Look
from ui.films import message

SETTINGS = [
    Fleet(),
    Fleet(utilization=1.1),
    Fleet(gpus_per_job=8),
    Fleet(gpus_per_job=1),
    Fleet(gpus_per_job=1024, added=256),
    Fleet(fleet=4096, gpus_per_job=1000, scv=40.0),
    Fleet(scv=0.0, job_length=24 * 3600.0),
]


@pytest.mark.parametrize("fleet", SETTINGS, ids=str)
def test_a_film_can_be_sent_and_its_caption_has_few_digits(fleet):
    assert len(json.dumps(message(showing(fleet), Look()))) < 100_000
    assert not re.search(r"\d\.\d{3}|10⁻", showing(fleet).caption)


@pytest.mark.parametrize("changes", [{}, {"gpus_per_job": 300}, {"gpus_per_job": 12}, {"added": 256}])
@pytest.mark.parametrize("utilization", [0.7, 0.95, 1.1])
def test_the_caption_gives_the_films_own_numbers_and_those_of_the_long_run_beside_them(changes, utilization):
    fleet = Fleet(utilization=utilization, **changes)
    played, moments = both(fleet), np.linspace(0, both(fleet).end, 1500, endpoint=False)
    number = r"(\d[\d,]*(?:\.\d+)?)"
    said = re.findall(
        rf"{number} places? for jobs of {number} GPUs?: one is free for {number} % of the time"
        rf"(?: \([a-z ]* {number} %\))?, and {number} jobs wait on average(?: \([a-z ]* {number}\))?",
        showing(fleet).caption,
    )
    assert len(said) == (2 if fleet.gpus_per_job > 15 else 1)
    for half, (places, size, free, free_then, waits, waits_then) in enumerate(said):
        boxes = played.boxes[played.boxes["kind"] == f"runs {half}"]
        busy = ((boxes["begin"].to_numpy() <= moments[:, None]) & (moments[:, None] < boxes["end"].to_numpy())).sum(1)
        places, pieces = int(places), queues(fleet)[int(size)]
        assert busy.max() <= places == fleet.servers * pieces
        assert float(free) / 100 == pytest.approx((busy < places).mean(), abs=0.02)
        line = played.waiting[played.waiting["kind"] == f"waits {half}"]
        assert float(waits) == pytest.approx((line["end"] - line["begin"]).sum() / played.end, rel=0.06, abs=0.02)
        assert bool(waits_then) == fleet.now.stable
        if waits_then:
            then = mgc(fleet.arrival_rate * fleet.job_length * pieces, 1.0, places, fleet.scv)
            assert float(free_then) / 100 == pytest.approx(1 - then.prob_wait, rel=0.06)
            assert float(waits_then) == pytest.approx(then.mean_in_queue, rel=0.06, abs=0.005)


def test_the_upper_half_is_the_day_beside_the_curve():
    shown, whole = days(Fleet())[0], day.of(Fleet())
    inside = whole.arrival < shown.length
    assert shown.length < whole.length and shown.number.tolist() == whole.number[inside].tolist()
    assert shown.start.tolist() == whole.start[inside].tolist()


def test_the_lines_of_both_sizes_are_counted_apart_and_jobs_have_the_days_colors():
    """Together they would be the queue of nobody: each half is a fleet of its own."""
    sent = message(showing(Fleet()), Look())
    assert sent["lines"] == ["256-GPU jobs", "8-GPU jobs"] and sent["lineOf"] == [0, 0, 1, 1]
    assert [color for _, color in sent["kinds"][:2]] == [color for _, color in day.sent(Fleet(), Look())["kinds"]]
    assert message(showing(Fleet(gpus_per_job=8)), Look())["lines"] == [""]


def test_the_film_is_sent_when_it_is_chosen_only():
    assert "trap_film_fleet" not in str(unlocked("utilization_trap"))
    app = unlocked("utilization_trap", {"trap_view": "film"})
    assert not app.exception and not charts(app)
    assert any("jobs wait on average" in caption.value for caption in app.caption)


def test_at_the_messages_utilization_a_free_quarter_is_rare_and_a_free_eight_comes_up_far_more_often():
    own, small = mgc(3.8, 1.0, 4).prob_wait, mgc(0.95 * 128, 1.0, 128).prob_wait
    assert 1 - own < 0.15 and 1 - small > 0.5
    own, small = days(Fleet())
    assert own.free < 0.15 and small.free > 0.4
