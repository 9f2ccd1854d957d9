"""Utilization trap: the day beside the curve is typical and has the same jobs at every setting; so
has its film.
"""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from driving import charts, metrics, unlocked

from lessons.utilization_trap import LESSON, day
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mgc
from ui.base import format as f
from ui.charts.look import Look
from ui.films import message

DIRECTOR = Fleet()


@pytest.mark.parametrize(
    "changes", [{}, {"utilization": 0.8}, {"utilization": 0.76}, {"added": 256}]
)
def test_the_mean_line_of_the_day_is_within_8_percent_of_the_long_runs(changes):
    fleet = replace(DIRECTOR, **changes)
    assert fleet.stretch.line.mean() == pytest.approx(fleet.now.mean_in_queue, rel=0.08)


def test_at_95_percent_the_line_grows_during_the_day():
    found = DIRECTOR.stretch
    assert found.line[50] < 10 and found.line[2300] > 15


def test_a_purchase_moves_no_arrival_and_no_length_and_empties_the_line_of_the_same_hour():
    before = DIRECTOR.stretch
    after = replace(DIRECTOR, added=256).stretch
    both = set(before.number) & set(after.number)
    for number in both:
        one, other = (list(found.number).index(number) for found in (before, after))
        assert before.arrival[one] == after.arrival[other]
        assert before.end[one] - before.start[one] == pytest.approx(
            after.end[other] - after.start[other], abs=1
        )
    assert len(both) > 50 and before.line[1000] == 17 and after.line[1000] == 0


def test_another_utilization_stretches_the_gaps_of_the_same_jobs():
    busy = DIRECTOR.stretch
    calm = replace(DIRECTOR, utilization=0.8).stretch
    lengths = [dict(zip(d.number, d.end - d.start, strict=True)) for d in (busy, calm)]
    both = lengths[0].keys() & lengths[1].keys()
    assert len(both) > 50 and all(abs(lengths[0][one] - lengths[1][one]) <= 1 for one in both)


@pytest.mark.parametrize(
    "changes",
    [{}, {"gpus_per_job": 64}, {"gpus_per_job": 1024}, {"utilization": 1.2}, {"scv": 4.0}],
)
def test_never_more_jobs_run_than_fit_and_nobody_waits_while_one_fits(changes):
    fleet = replace(DIRECTOR, **changes)
    found = fleet.stretch
    for moment in np.arange(0.5, found.length, 7.0):
        running = (found.start <= moment) & (found.end > moment)
        waiting = (found.arrival <= moment) & (found.start > moment)
        assert running.sum() <= fleet.servers and (
            running.sum() == fleet.servers or not waiting.any()
        )
        held = np.array(found.lanes)[running]
        assert (held >= 0).all() and len(set(held.tolist())) == len(held)


def test_the_day_stands_beside_the_long_run_in_the_headline_numbers():
    waiting = LESSON.metrics(DIRECTOR)[1]
    assert (waiting.value, waiting.note) == ("16.9", "16.4 in the 24 h shown")
    assert day.sent(DIRECTOR)["title"].startswith("A chosen 24 h")
    assert day.sent(replace(DIRECTOR, gpus_per_job=8))["title"].startswith("A chosen 3.75 h")


@pytest.mark.parametrize("changes", [{}, {"gpus_per_job": 1}, {"fleet": 4096, "gpus_per_job": 1}])
def test_what_is_sent_is_light(changes):
    sent = day.sent(replace(DIRECTOR, **changes))
    assert len(json.dumps(sent)) < (4_000 if not changes else 100_000)


@pytest.mark.parametrize(
    "fleet", [Fleet(), Fleet(utilization=1.2, added=8), Fleet(added=1024)], ids=str
)
def test_each_half_of_the_film_is_a_fleet_of_its_own(fleet):
    shown = day.showing(fleet)
    played = shown.film
    moments = np.linspace(0, played.end, 1500, endpoint=False)
    for half, one in enumerate((fleet.large_jobs, fleet.small_jobs)):
        boxes = played.boxes[played.boxes["kind"] == f"runs {half}"]
        assert set(boxes["first"] * 2 // played.places) == {half}
        busy = (
            (boxes["begin"].to_numpy() <= moments[:, None])
            & (moments[:, None] < boxes["end"].to_numpy())
        ).sum(1)
        free = one.stretched(day.LONG).free
        assert busy.max() <= one.servers
        assert (busy < one.servers).mean() == pytest.approx(free, abs=0.02)
    sent = message(shown, Look())
    assert len(json.dumps(sent)) < 100_000 and not re.search(r"\d\.\d{3}|10⁻", shown.caption)
    assert sent["lines"] == ["256-GPU jobs", "64-GPU jobs"] and sent["lineOf"] == [0, 0, 1, 1]


def test_the_upper_half_is_the_stretch_beside_the_curve():
    shown = Fleet().stretched(day.LONG)
    whole = Fleet().stretch
    inside = whole.arrival < shown.length
    assert shown.length < whole.length and shown.number.tolist() == whole.number[inside].tolist()
    assert shown.start.tolist() == whole.start[inside].tolist()


def test_the_film_is_sent_when_it_is_chosen_only_and_has_both_sizes_whatever_the_jobs_are():
    assert "trap_film_fleet" not in str(unlocked("utilization_trap"))
    app = unlocked("utilization_trap", {"trap_view": "film"}, trap_gpus_per_job="78")
    assert not app.exception and not charts(app)
    assert (
        metrics(app)["256-GPU jobs at once"] == "4" and metrics(app)["64-GPU jobs at once"] == "16"
    )
    app.slider(key="trap_utilization").set_value(80.0).run()
    assert list(metrics(app).values())[:2] == [
        "44.7 min",
        f.duration(Fleet(utilization=0.8, gpus_per_job=64).wait),
    ]


def test_at_the_messages_utilization_a_free_place_is_rare_for_either_size():
    for one, low, high in ((Fleet().large_jobs, 0.0, 0.15), (Fleet().small_jobs, 0.0, 0.4)):
        free = 1 - mgc(one.arrival_rate, one.job_length, one.servers).prob_wait
        assert low <= free <= high and low <= one.stretched(day.LONG).free <= high


def test_the_line_that_is_drawn_is_longer_at_every_higher_load_through_overload():
    """Every stretch begins after the same jobs; in overload these asked for exactly the fleet."""
    lines = [
        replace(DIRECTOR, utilization=load).stretch.waiting
        for load in (0.8, 0.95, 0.99, 1.0, 1.05, 1.2)
    ]
    assert lines == sorted(lines) and lines[3] > lines[1]
    shown = day.showing(replace(DIRECTOR, utilization=0.8, gpus_per_job=64, added=256))
    assert "run at 64%" in shown.alt  # that of the fleets that are drawn


def test_the_lines_of_fleets_with_other_places_are_about_as_long_and_move_at_other_speeds():
    queues = {servers: mgc(0.95 * servers, 1.0, servers, 1.0) for servers in (4, 8, 16)}
    lengths = [queue.mean_in_queue for queue in queues.values()]
    assert lengths == pytest.approx([16.9, 16.0, 14.8], abs=0.06)
    waits = [queue.mean_wait for queue in queues.values()]
    assert waits[0] / waits[1] == pytest.approx(2.1, abs=0.05)
    assert waits[1] / waits[2] == pytest.approx(2.2, abs=0.05)
