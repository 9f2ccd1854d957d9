"""Scheduling policy, the animation: a week under two policies, on the same jobs."""

from dataclasses import replace
from functools import lru_cache
from math import gcd

import numpy as np
import pandas as pd

from lessons.scheduling_policy import queue, runs
from lessons.scheduling_policy.runs import CLASSES
from lessons.scheduling_policy.settings import BACKFILLS, DAY, EASY, ORDERS, Scenario, say
from lessons.scheduling_policy.week import WEEK, week_of
from physics.films import Film, film
from physics.scheduling import Schedule, simulate
from physics.scheduling.lanes import assign_lanes
from ui.base import format as f
from ui.base import time_slices
from ui.films import Kind, Showing

#: GPUs of a place: of the smallest job.
PLACE = 8
#: Rows that a film holds at most, so that it stays light; and by how much it is cut until it does [s].
MOST, CUT = 2_200, DAY / 2


def policies(scenario: Scenario) -> dict[str, Scenario]:
    """Return the two policies: FIFO above, below it the present one, or EASY where that is FIFO itself."""
    plain, fifo = scenario.effective, queue.fifo(scenario).effective
    if plain == fifo:
        return {"FIFO": fifo, "Priority with EASY": replace(fifo, **EASY).effective}
    return {"FIFO": fifo, _named(plain): plain}


def _named(plain: Scenario) -> str:
    return f"{ORDERS[plain.order]}, {BACKFILLS[plain.backfill]}" + (
        ", quotas" if plain.quotas != "none" else ", preemption" if plain.preemption else ""
    )


@lru_cache(maxsize=8)
def schedules(plain: Scenario) -> tuple[Schedule, Schedule]:
    """The first replication under both policies: the same jobs, as many as the present policy is given."""
    *_, second = policies(plain).values()
    jobs = runs.draw(second, 0)
    with time_slices.turn():
        first, other = (simulate(jobs, plain.fleet, one.policy) for one in policies(plain).values())
    return first, other


def queued(one: Schedule) -> pd.DataFrame:
    """Every stretch of waiting: row of the job, from when until when [s]; stopped jobs wait again."""
    runs = one.runs.sort_values(["row", "start"])
    row, start = runs["row"].to_numpy(), runs["start"].to_numpy()
    since = np.concatenate(([np.nan], runs["end"].to_numpy()[:-1]))
    first = np.concatenate(([True], row[1:] != row[:-1])) if len(row) else np.zeros(0, bool)
    since = np.where(first, one.jobs["submit"].to_numpy(float)[row], since[: len(row)])
    return pd.DataFrame({"row": row, "begin": since, "end": start})


@lru_cache(maxsize=8)
def _film(plain: Scenario, week: int) -> Film:
    begin, lanes = (week - 1) * WEEK, plain.fleet // PLACE
    boxes, waiting = [], []
    for half, one in enumerate(schedules(plain)):
        kinds, gpus = (one.jobs[name].to_numpy() for name in ("job_class", "gpus"))
        runs = one.runs[one.runs["start"] < begin + WEEK]
        pieces = assign_lanes(runs, plain.fleet)
        pieces = pieces[pieces["end"] > begin]
        row = runs["row"].to_numpy()[pieces["run"].to_numpy()]
        first = pieces["low"].to_numpy() // PLACE + half * lanes
        last = pieces["high"].to_numpy() // PLACE - 1 + half * lanes
        kind = [f"{name} {half}" for name in kinds[row]]
        words = [str(size) if name == "training" else "" for name, size in zip(kinds[row], gpus[row], strict=True)]
        boxes += list(zip(first, last, pieces["start"], pieces["end"], kind, words, strict=True))
        line = queued(one)
        line = line[(line["begin"] < begin + WEEK) & (line["end"] > begin) & (line["end"] > line["begin"])]
        row = line["row"].to_numpy()
        kind = [f"{name} {half}" for name in kinds[row]]
        waiting += list(zip(gpus[row] // PLACE, line["begin"], line["end"], kind, strict=True))
    end = begin + WEEK
    while True:
        shown = film(2 * lanes, begin, end, boxes, waiting)
        if len(shown.boxes) + len(shown.waiting) <= MOST or end <= begin + CUT:
            return shown
        end -= CUT


def showing(scenario: Scenario) -> Showing:
    """The film of the week in which most jobs wait under FIFO, with its words."""
    plain, week = scenario.effective, week_of(scenario)
    played, lanes = _film(plain, week), plain.fleet // PLACE
    (above, below), week = policies(plain), str(week)
    idle, kept = (f.share(idle_beside_queue(one, played.begin, played.end), 2) for one in schedules(plain))
    told = {"above": above, "below": below, "idle": idle, "kept": kept, "week": week}
    told["span"] = f.duration(played.end - played.begin, 2)
    return Showing(
        played,
        {f"{name} {half}": Kind(name, f"s{place}", half) for half in (0, 1) for place, name in enumerate(CLASSES)},
        caption=say("film_caption", scenario, **told),
        alt=say("film_chart", scenario, **told),
        columns=gcd(lanes, 32),
        tall=220,
        unit=DAY,
        unit_name="d",
        digits=2,
        lines=("above", "below"),
    )


def idle_beside_queue(one: Schedule, begin: float, end: float) -> float:
    """Share of the GPU-hours between two times that is idle while jobs wait [1]."""
    line = one.timeline
    times = np.clip(np.append(line["time"].to_numpy(), max(end, begin)), begin, end)
    free = (one.capacity - line["busy"].to_numpy()) * (line["queue_length"].to_numpy() > 0)
    return float((free * np.diff(times)).sum() / (one.capacity * (end - begin)))
