"""The table of the cluster simulator's speed: every workload is there, and the aims hold with room to spare."""

from pathlib import Path

import pytest

from benchmarks import queueing, scheduling
from physics.scheduling.policy import BACKFILLS


def test_without_a_trace_the_overload_is_that_of_the_lessons_mix(monkeypatch):
    monkeypatch.setattr(scheduling, "QUEUE_JOBS", {"fleet what-if": 300, "ciw": 0, "simpy": 300})
    monkeypatch.setattr(queueing, "installed", lambda name: name != "ciw")
    monkeypatch.setattr(scheduling, "LOADS", (1,))
    monkeypatch.setattr(scheduling, "ORDERS", ("arrival",))
    monkeypatch.setattr(scheduling, "LESSON", dict(list(scheduling.LESSON.items())[:1]))
    text = "\n".join(scheduling.table(scheduling.rows(Path("no such trace"), 1)))
    assert "ciw (not installed)" in text and "simpy" in text
    assert "lesson, load × 1" in text and "arrival, conservative" in text and "lesson, 60 days" in text


@pytest.mark.slow
def test_sixty_days_of_the_lesson_take_well_below_a_second():
    # Aim: 40 ms of one idle core, as the table shows; slow and busy machines get twelve times that.
    assert all(seconds < 0.5 for *_, seconds in scheduling.lesson(rounds=3))


@pytest.mark.slow
def test_cost_does_not_grow_with_the_square_of_the_queue():
    mix = scheduling.sample_jobs(
        scheduling.platform_mix(), scheduling.c.SIMULATED_TIME, scheduling.np.random.default_rng(1)
    )
    cost = {}
    for workload, name, _, longest, seconds in scheduling.overload(
        "lesson", mix, 1024, 2, ("arrival", "priority"), BACKFILLS
    ):
        cost[name, workload[-1]] = longest, seconds
    for order in ("arrival", "priority"):
        for kind in BACKFILLS:
            (short, quick), (long, slow) = cost[f"{order}, {kind}", "1"], cost[f"{order}, {kind}", "4"]
            assert slow / quick < 3 + long / short / 2
