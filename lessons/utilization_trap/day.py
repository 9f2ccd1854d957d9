"""Utilization trap: a stretch of the fleet next to the curve, and an animation of two job sizes."""

from dataclasses import replace
from functools import lru_cache
from math import prod

from lessons.utilization_trap.settings import Fleet, say
from physics.films import Film, film
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.films import Kind, Showing

__all__ = ["sent", "showing"]

#: The moment at which it stands at first, as a share of the stretch.
STANDS = 10 / 24
#: Rows of places where a job is no row of its own.
ROWS = 8
#: What jobs look like in the animation: as in the stretch beside the curve.
COLORS = {"waits": "accent", "runs": "tint"}
#: The animation's length in mean job lengths, and the width of one of the message's jobs in places.
LONG = 9.5
#: Two lines are about as long if the shorter one has at least this share of the other's jobs.
NEARLY = 0.8
COLUMNS = 32


def sent(fleet: Fleet) -> dict:
    """Return the shown stretch of time as JSON data for the player."""
    # that one is a trace
    day = fleet.stretch
    least = replace(fleet, utilization=Fleet().utilization, added=0).stretch
    servers = fleet.servers
    rows = fleet.servers <= 2 * ROWS
    if rows:
        each = max(1, fleet.gpus_per_job // 8)
    else:
        each = 1
    unit = fleet.job_length / 100
    return {
        "places": servers * each,
        "columns": each if rows else -(-servers // ROWS),
        "tick": unit,
        "end": day.length * unit,
        "each": each,
        "numbers": day.number.tolist() if each > 4 else [],
        "jobs": [day.lanes, *(one.tolist() for one in (day.arrival, day.start, day.end))],
        "ghost": None if day is least else least.waits.tolist(),
        "names": ["waiting", f"at {f.share(Fleet().utilization)}"],
        "top": max(8.0, 1.25 * float(least.line.max())),
        "mark": 9.0 * servers,
        "title": say("day_title", fleet),
        "label": say("day", fleet),
    }


@lru_cache(maxsize=16)
def both(large: Fleet, small: Fleet) -> Film:
    """Film with both job sizes, one above the other."""
    tick = large.job_length / 100
    boxes = []
    waiting = []
    fleets = (large, small)
    found = [one.stretched(LONG) for one in fleets]
    widths = [COLUMNS * one.gpus_per_job // large.gpus_per_job for one in fleets]
    places = -(-max(map(prod, zip(widths, (one.servers for one in found), strict=True))) // COLUMNS)
    places *= COLUMNS
    for half, (one, width) in enumerate(zip(found, widths, strict=True)):
        for lane, start, until, number in zip(
            one.lanes, one.start, one.end, one.number, strict=True
        ):
            if lane >= 0:
                first = half * places + lane * width
                words = f"job {number}"
                boxes.append(
                    (first, first + width - 1, start * tick, until * tick, f"runs {half}", words)
                )
        waiting += [
            (width, come * tick, start * tick, f"waits {half}") for come, start in one.waits.T
        ]
    return film(2 * places, 0.0, LONG * large.job_length, boxes, waiting)


def showing(fleet: Fleet) -> Showing:
    """Return the animation: the start of the stretch with large jobs above and small jobs below."""
    large = fleet.large_jobs
    small = fleet.small_jobs
    return Showing(
        both(large, small),
        {
            f"{does} {half}": Kind(does, tone, half)
            for half in (0, 1)
            for does, tone in COLORS.items()
        },
        say("film" if large.now.stable else "film_overload", fleet),
        alt=say("film_shows", fleet),
        columns=COLUMNS,
        tall=210,
        follows="your job",
        lines=tuple(f"{one.gpus_per_job}-GPU jobs" for one in (large, small)),
    )


def verdict(fleet: Fleet) -> Verdict:
    """Return the verdict that compares the two queues in the long run."""
    large = fleet.large_jobs
    if not large.now.stable:
        return Verdict(say("film_full", fleet), False)
    if fleet.small_jobs.now.mean_in_queue >= NEARLY * large.now.mean_in_queue:
        return Verdict(say("film_alike", fleet))
    return Verdict(say("film_slack", fleet))
