"""Utilization trap: a stretch of the fleet next to the curve, and an animation of two job sizes."""

from dataclasses import replace
from functools import lru_cache

from lessons.utilization_trap.settings import Fleet, say
from physics import films
from ui.base import format as f
from ui.base.lesson import Film, Outcome, verdict_of
from ui.films import Kind, Showing

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
    each = 1
    columns = -(-servers // ROWS)
    if servers <= 2 * ROWS:
        each = max(1, fleet.gpus_per_job // 8)
        columns = each
    unit = fleet.job_length / 100
    return {
        "places": servers * each,
        "columns": columns,
        "tick": unit,
        "end": day.length * unit,
        "each": each,
        "numbers": day.number.tolist() if each > 4 else [],
        "jobs": [day.lanes, day.arrival.tolist(), day.start.tolist(), day.end.tolist()],
        "ghost": None if day is least else least.waits.tolist(),
        "names": ["waiting", f"at {f.share(Fleet().utilization)}"],
        "top": max(8.0, 1.25 * float(least.line.max())),
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
    rows = -(-max(width * fleet.servers for fleet, width in widths.items()) // COLUMNS)
    places = rows * COLUMNS
    for half, (fleet, width) in enumerate(widths.items()):
        shown = fleet.stretched(LONG)
        jobs = zip(shown.lanes, shown.start, shown.end, shown.number, strict=True)
        for lane, start, end, number in jobs:
            if lane >= 0:
                first = half * places + lane * width
                span = (first, first + width - 1, start * tick, end * tick)
                boxes.append((*span, f"runs {half}", f"job {number}"))
        for come, start in shown.waits.T:
            waiting.append((width, come * tick, start * tick, f"waits {half}"))
    return films.film(2 * places, 0.0, LONG * large.job_length, boxes, waiting)


def showing(fleet: Fleet) -> Showing:
    """Return the animation: the start of the stretch with large jobs above and small jobs below."""
    large = fleet.large_jobs
    small = fleet.small_jobs
    kinds = {}
    for half in (0, 1):
        for does, tone in COLORS.items():
            kinds[f"{does} {half}"] = Kind(does, tone, half)
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
