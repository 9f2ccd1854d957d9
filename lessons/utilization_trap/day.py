"""Utilization trap: a stretch of the fleet next to the curve, and an animation of two job sizes."""

import math
from dataclasses import replace
from functools import lru_cache

from lessons.utilization_trap.settings import Fleet, say
from physics import films
from ui.base import format as f
from ui.base.lesson import Film, Outcome, verdict_of
from ui.films import Kind, Showing

#: Moment that the player shows first, as a share of the stretch.
STANDS = 10 / 24
#: Rows of the player's slots if there are too many for one row per job.
ROWS = 8
#: Tones of jobs in the animation, the same as in the stretch next to the curve.
COLORS = {"waits": "accent", "runs": "tint"}
#: Length of the animation in mean job lengths.
LONG = 9.5
#: Two queues count as equally long if the shorter one has at least this share of the other's jobs.
NEARLY = 0.8
#: Width of one of the message's jobs in the animation's cells.
COLUMNS = 32


def sent(fleet: Fleet) -> dict:
    """Return the stretch next to the curve as JSON data for the player."""
    day = fleet.stretch
    # The message's utilization is a faint line for comparison.
    story = replace(fleet, utilization=Fleet().utilization, added=0).stretch
    servers = fleet.servers
    slots_per_job = 1
    columns = math.ceil(servers / ROWS)
    if servers <= 2 * ROWS:
        slots_per_job = max(1, fleet.gpus_per_job // 8)
        columns = slots_per_job
    tick = fleet.job_length / 100
    return {
        "places": servers * slots_per_job,
        "columns": columns,
        "tick": tick,
        "end": day.length * tick,
        "each": slots_per_job,
        "numbers": day.number.tolist() if slots_per_job > 4 else [],
        "jobs": [day.lanes, day.arrival.tolist(), day.start.tolist(), day.end.tolist()],
        "ghost": None if day is story else story.waits.tolist(),
        "names": ["waiting", f"at {f.share(Fleet().utilization)}"],
        "top": max(8.0, 1.25 * float(story.line.max())),
        "mark": 9.0 * servers,
        "title": say("day_title", fleet),
        "label": say("day", fleet),
    }


@lru_cache(maxsize=16)
def both(large: Fleet, small: Fleet) -> films.Film:
    """Film with both job sizes, one above the other."""
    tick = large.job_length / 100
    boxes = []
    waiting = []
    widths = {fleet: COLUMNS * fleet.gpus_per_job // large.gpus_per_job for fleet in (large, small)}
    needed = max(width * fleet.servers for fleet, width in widths.items())
    cells = math.ceil(needed / COLUMNS) * COLUMNS  # of each half, in whole rows
    for half, (fleet, width) in enumerate(widths.items()):
        stretch = fleet.stretched(LONG)
        jobs = zip(stretch.lanes, stretch.start, stretch.end, stretch.number, strict=True)
        for lane, start, end, number in jobs:
            if lane >= 0:
                first = half * cells + lane * width
                span = (first, first + width - 1, start * tick, end * tick)
                boxes.append((*span, f"runs {half}", f"job {number}"))
        for arrival, start in stretch.waits.T:
            waiting.append((width, arrival * tick, start * tick, f"waits {half}"))
    return films.film(2 * cells, 0.0, LONG * large.job_length, boxes, waiting)


def showing(fleet: Fleet) -> Showing:
    """Return the animation: the start of the stretch with large jobs above and small jobs below."""
    large = fleet.large_jobs
    small = fleet.small_jobs
    kinds = {}
    for half in (0, 1):
        for activity, tone in COLORS.items():
            kinds[f"{activity} {half}"] = Kind(activity, tone, half)
    return Showing(
        both(large, small),
        kinds,
        say("film" if large.now.stable else "film_overload", fleet),
        alt=say("film_shows", fleet),
        columns=COLUMNS,
        tall=210,
        follows="your job",
        lines=(f"{large.gpus_per_job}-GPU jobs", f"{small.gpus_per_job}-GPU jobs"),
    )


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict that compares the two queues in the long run."""
    large = fleet.large_jobs
    if not large.now.stable:
        return "film_full", False
    if fleet.small_jobs.now.mean_in_queue >= NEARLY * large.now.mean_in_queue:
        return "film_alike", None
    return "film_slack", None


view = Film("film", showing=showing, verdict=verdict)
