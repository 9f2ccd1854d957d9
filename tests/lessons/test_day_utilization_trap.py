"""Utilization trap: the day beside the curve has the same jobs at every setting, and is typical where it says so."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lessons.utilization_trap import LESSON, day
from lessons.utilization_trap.settings import Fleet

DIRECTOR = Fleet()


@pytest.mark.parametrize("changes", [{}, {"utilization": 0.8}, {"utilization": 0.76}, {"added": 256}])
def test_the_mean_line_of_the_day_is_within_8_percent_of_the_long_runs(changes):
    fleet = replace(DIRECTOR, **changes)
    assert fleet.stretch.line.mean() == pytest.approx(fleet.now.mean_in_queue, rel=0.08)


def test_at_95_percent_the_line_grows_during_the_day():
    found = DIRECTOR.stretch
    assert found.line[50] < 10 and found.line[2300] > 15


def test_a_purchase_moves_no_arrival_and_no_length_and_empties_the_line_of_the_same_hour():
    before, after = DIRECTOR.stretch, replace(DIRECTOR, added=256).stretch
    both = set(before.number) & set(after.number)
    for number in both:
        one, other = (list(found.number).index(number) for found in (before, after))
        assert before.arrival[one] == after.arrival[other]
        assert before.end[one] - before.start[one] == pytest.approx(after.end[other] - after.start[other], abs=1)
    assert len(both) > 50 and before.line[1000] == 17 and after.line[1000] == 0


def test_another_utilization_stretches_the_gaps_of_the_same_jobs():
    busy, calm = DIRECTOR.stretch, replace(DIRECTOR, utilization=0.8).stretch
    lengths = [dict(zip(d.number, d.end - d.start, strict=True)) for d in (busy, calm)]
    both = lengths[0].keys() & lengths[1].keys()
    assert len(both) > 50 and all(abs(lengths[0][one] - lengths[1][one]) <= 1 for one in both)


@pytest.mark.parametrize(
    "changes", [{}, {"gpus_per_job": 64}, {"gpus_per_job": 1024}, {"utilization": 1.2}, {"scv": 4.0}]
)
def test_never_more_jobs_run_than_fit_and_nobody_waits_while_one_fits(changes):
    fleet = replace(DIRECTOR, **changes)
    found = fleet.stretch
    for moment in np.arange(0.5, found.length, 7.0):
        running = (found.start <= moment) & (found.end > moment)
        waiting = (found.arrival <= moment) & (found.start > moment)
        assert running.sum() <= fleet.servers and (running.sum() == fleet.servers or not waiting.any())
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
