"""Scheduling policy, the animation: days of the busiest week under two policies, on the same jobs."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd

from lessons.scheduling_policy import queue, runs
from lessons.scheduling_policy.runs import CLASSES, FLEET
from lessons.scheduling_policy.settings import DAY, EASY, Scenario, say
from lessons.scheduling_policy.week import WEEK, week_of
from physics.films import Film, film
from physics.scheduling import Schedule
from physics.scheduling.lanes import assign_lanes
from ui.base import format as f
from ui.films import Kind, Showing
from ui.knobs.declared import knobs_of

#: GPUs of a place: of the smallest job.
PLACE = 8
#: Rows that a film holds at most, so that it stays light.
MOST = 2_200


def policies(scenario: Scenario) -> dict[str, Scenario]:
    """Return the two policies: FIFO above, below it the present one, or EASY where that is FIFO itself."""
    plain, fifo = scenario.effective, queue.fifo(scenario)
    if plain == fifo:
        return {"FIFO": fifo, "Priority with EASY": replace(fifo, **EASY).effective}
    chosen = [knobs_of(Scenario)[name].words(getattr(plain, name)) for name in ("order", "backfill")]
    chosen += ["quotas"] if plain.quotas != "none" else ["preemption"] if plain.preemption else []
    return {"FIFO": fifo, ", ".join(chosen): plain}


def queued(one: Schedule) -> pd.DataFrame:
    """Every stretch of waiting: row of the job, from when until when [s]; stopped jobs wait again."""
    runs = one.runs.sort_values(["row", "start"])
    since = runs.groupby("row")["end"].shift().fillna(one.jobs["submit"].iloc[runs["row"]].set_axis(runs.index))
    found = pd.DataFrame({"row": runs["row"], "begin": since, "end": runs["start"]})
    return found[found["end"] > found["begin"]]


@lru_cache(maxsize=8)
def _film(plain: Scenario, week: int) -> Film:
    begin, finish, lanes = (week - 1) * WEEK, week * WEEK, FLEET // PLACE
    boxes, waiting = [], []
    for half, one in enumerate(map(runs.first, policies(plain).values())):
        kinds, gpus = (one.jobs[name].to_numpy() for name in ("job_class", "gpus"))
        held = one.runs[one.runs["start"] < finish]
        pieces = assign_lanes(held, FLEET)
        pieces = pieces[pieces["end"] > begin]
        row = held["row"].to_numpy()[pieces["run"].to_numpy()]
        first, last = pieces["low"] // PLACE + half * lanes, pieces["high"] // PLACE - 1 + half * lanes
        kind = [f"{name} {half}" for name in kinds[row]]
        words = [str(size) if name == "training" else "" for name, size in zip(kinds[row], gpus[row], strict=True)]
        boxes += list(zip(first, last, pieces["start"], pieces["end"], kind, words, strict=True))
        line = queued(one)
        line = line[(line["begin"] < finish) & (line["end"] > begin)]
        kind = [f"{name} {half}" for name in kinds[line["row"]]]
        waiting += list(zip(gpus[line["row"]] // PLACE, line["begin"], line["end"], kind, strict=True))
    starts = sorted([box[2] for box in boxes] + [one[1] for one in waiting])
    end = min(finish, max(begin + DAY / 2, starts[:MOST][-1])) if starts else finish
    return film(2 * lanes, begin, end, boxes, waiting)


def showing(scenario: Scenario) -> Showing:
    """The film of the week in which most jobs wait under FIFO, with its words."""
    plain, week = scenario.effective, week_of(scenario)
    played, both = _film(plain, week), policies(plain)
    told = dict(zip(("above", "below"), both, strict=True)) | {"week": str(week)}
    for name, one in zip(("idle", "kept"), both.values(), strict=True):
        told[name] = f.share(idle_beside_queue(runs.first(one), played.begin, played.end), 2)
    told["span"] = f.duration(played.end - played.begin, 2)
    return Showing(
        played,
        {f"{name} {half}": Kind(name, f"s{place}", half) for half in (0, 1) for place, name in enumerate(CLASSES)},
        caption=say("film_caption", scenario, **told),
        alt=say("film_chart", scenario, **told),
        columns=32,
        tall=220,
        unit=DAY,
        unit_name="d",
        digits=2,
        lines=("above", "below"),
    )


def idle_beside_queue(one: Schedule, begin: float, end: float) -> float:
    """Share of the GPU-hours between two times that is idle while jobs wait [1]."""
    line = one.timeline
    times = np.clip(np.append(line["time"].to_numpy(), end), begin, end)
    free = (one.capacity - line["busy"].to_numpy()) * (line["queue_length"].to_numpy() > 0)
    return float((free * np.diff(times)).sum() / (one.capacity * (end - begin)))
