"""Utilization trap: the chosen day with the fleet's jobs above, and with 8-GPU jobs on the same GPUs below."""

from functools import lru_cache

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import Fleet, say
from physics.films import Film, film
from physics.queueing import mgc
from ui.base import format as f
from ui.films import Kind, Showing

#: GPUs of a small job, where the fleet's jobs are not smaller still.
SMALL = 8
#: Mean job lengths that are shown, and small jobs of a full fleet within them, so that they stay light.
LONG, MOST = 10.0, 1216
#: Jobs have the colors that they have on the day.
COLORS = {"waits": "accent", "runs": "tint"}


def queues(fleet: Fleet) -> dict[int, int]:
    """By GPUs per job, into how many pieces each of the fleet's jobs is cut: its own first, then small ones."""
    return {fleet.gpus_per_job: 1} | ({SMALL: fleet.gpus_per_job // SMALL} if fleet.gpus_per_job >= 2 * SMALL else {})


def days(fleet: Fleet) -> list[day.Day]:
    """The same stretch of the day with jobs of each size."""
    pieces = queues(fleet).values()
    length = min(LONG, MOST / (fleet.servers_before * max(pieces)))
    return [day.of(fleet, each, length) for each in pieces]


@lru_cache(maxsize=16)
def both(fleet: Fleet) -> Film:
    """The film of both queues: a row of places holds one of the fleet's jobs, or each place a small one."""
    found, unit, row = days(fleet), fleet.job_length / 100, max(queues(fleet).values())
    boxes, waiting = [], []
    for half, (one, width) in enumerate(zip(found, (row, 1), strict=False)):
        for lane, start, until, number in zip(one.lanes, one.start, one.end, one.number, strict=True):
            first, words = half * fleet.servers * row + lane * width, f"job {number}" if width > 4 else ""
            if lane >= 0:
                boxes.append((first, first + width - 1, start * unit, until * unit, f"runs {half}", words))
        waiting += [(width, come * unit, start * unit, f"waits {half}") for come, start in one.waits.T]
    return film(len(found) * fleet.servers * row, 0.0, found[0].length * unit, boxes, waiting)


def showing(fleet: Fleet) -> Showing:
    """The film with its words."""
    played, sizes = both(fleet), list(queues(fleet))
    shown = " ".join(_shown(fleet, *one) for one in zip(days(fleet), queues(fleet).items(), strict=True))
    halves = range(len(sizes))
    return Showing(
        played,
        {f"{does} {half}": Kind(does, tone, half) for half in halves for does, tone in COLORS.items()},
        say("film" if fleet.now.stable else "film_overload", fleet, shown=shown, length=f.duration(played.end, 2)),
        alt=say("film_shows", fleet, shown=shown),
        columns=max(8, min(64, max(queues(fleet).values()))),
        tall=210,
        lines=tuple(f"{f.significant(size, 4)}-GPU jobs" for size in sizes) if len(sizes) > 1 else ("",),
    )


def _shown(fleet: Fleet, found: day.Day, queue: tuple[int, int]) -> str:
    """Say what is seen of one size of job, and the long run beside it."""
    size, pieces = queue
    long_run = mgc(fleet.arrival_rate * pieces, fleet.job_length, fleet.servers * pieces, fleet.scv)
    numbers = {
        "places": f.count(found.servers, "place"),
        "size": f.count(size, "GPU"),
        "free": f.share(round(found.free, 3)),
        "waiting": f.significant(round(found.waiting, 2)),
        "name": "long run" if long_run.exact else "by the formula",
        "free_then": f.share(round(1 - long_run.prob_wait, 3)),
        "waiting_then": f.significant(round(long_run.mean_in_queue, 2)) if long_run.stable else "",
    }
    return say("film_shown" if fleet.now.stable else "film_shown_overload", fleet, **numbers)
