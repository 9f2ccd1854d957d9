"""Utilization trap: the fleet's jobs and 8-GPU jobs on the same GPUs, side by side in time."""

import math
from functools import lru_cache

import numpy as np
import pandas as pd

from lessons.utilization_trap.settings import Fleet
from physics import constants as k
from physics.films import Film, film, in_lanes
from physics.queueing import simulate_queue
from ui.base import format as f
from ui.films import Kind, Showing

#: GPUs of a small job, where the fleet's jobs are not smaller still.
SMALL = 8
#: Job lengths that both queues run before the film begins, and that it shows at most.
WARM_UP, SHOWN = 200, 10
#: Stretches of a run among which a typical one is chosen.
STRETCHES = 40
#: Small jobs that a film shows at most, and moments at which Little's law is counted, so that it stays light.
MOST, COUNTS = 700, 150


def _run(fleet: Fleet, share: int, length: float) -> pd.DataFrame:
    """Simulate the fleet with its jobs cut into so many pieces each, over the warm-up and 40 stretches."""
    rate, servers = fleet.arrival_rate * share, fleet.servers * share
    jobs = int(rate * (WARM_UP * fleet.job_length + STRETCHES * length) * 1.1) + 50
    rng = np.random.default_rng(int(k.POLICY_SEED))
    return simulate_queue(rate, fleet.job_length, servers, fleet.scv, jobs, rng)


def _typical(fleet: Fleet, own: pd.DataFrame, length: float) -> float:
    """Return when the stretch begins in which the share of jobs that wait is nearest to that of the long run."""
    first = WARM_UP * fleet.job_length
    waited = (own["start"] > own["arrival"]).to_numpy()
    stretch = np.floor((own["arrival"].to_numpy() - first) / length)
    inside = [waited[stretch == number] for number in range(STRETCHES)]
    off = [abs(one.mean() - fleet.now.prob_wait) if len(one) else math.inf for one in inside]
    return first + length * int(np.argmin(off))


def both(fleet: Fleet) -> Film:
    """The film of both queues, see `made`."""
    return made(fleet)[0]


@lru_cache(maxsize=16)
def made(fleet: Fleet) -> tuple[Film, tuple[tuple[float, float, float, float], ...]]:
    """Simulate the fleet's own jobs and small ones at the same utilization; the same seed is the same film.

    A row of places is one job of the fleet's own size; below, in as many rows, each place is one small job. An
    overloaded fleet is shown from its empty start on: it has no steady state to begin with. Beside it Little's law for
    the own jobs, as `little` counts it.
    """
    row, rows = fleet.gpus_per_job // min(SMALL, fleet.gpus_per_job), fleet.servers
    length = min(SHOWN * fleet.job_length, MOST / (fleet.arrival_rate * row))
    own = _run(fleet, 1, length)
    begin = _typical(fleet, own, length) if fleet.now.stable else 0.0
    end = begin + length
    queues = [("own", own, row, rows, 0)]
    if row > 1:
        queues.append(("small", _run(fleet, row, length), 1, rows * row, rows * row))
    boxes, waiting = [], []
    for kind, records, width, servers, first in queues:
        boxes += _boxes(records, kind, width, servers, first, begin, end)
        shown = records[(records["start"] > begin) & (records["arrival"] < end)]
        waiting += [(width, arrival, start, kind) for arrival, start in shown[["arrival", "start"]].to_numpy()]
    return film(len(queues) * rows * row, begin, end, boxes, waiting), little(own, begin, end)


def little(records: pd.DataFrame, begin: float, end: float) -> tuple[tuple[float, float, float, float], ...]:
    """Count Little's law along: time [s], mean number waiting until then L [1], arrivals λ [1/s], mean wait W [s].

    Who waits at the begin counts as arrived then, and a wait as far as it has come: so L = λW holds at every moment,
    not in the long run only (Little, A proof for the queuing formula: L = λW, Operations Research 9, 1961). It begins
    after a tenth of the time: a rate of a few jobs in a few seconds says nothing.

    >>> jobs = pd.DataFrame({"arrival": [0.0, 1.0], "start": [0.0, 3.0]})
    >>> little(jobs, 0.0, 4.0)
    ((1.0, 0.0, 2.0, 0.0), (3.0, 0.6666666666666666, 0.6666666666666666, 1.0), (4.0, 0.5, 0.5, 1.0))
    """
    seen = records[(records["start"] >= begin) & (records["arrival"] < end)]
    since, until = seen["arrival"].clip(lower=begin).to_numpy(), seen["start"].to_numpy()
    events = np.unique(np.concatenate([since, until]))
    events = events[(events > begin + (end - begin) / 10) & (events < end)]
    events = np.append(events[:: 1 + len(events) // COUNTS], end)
    found = []
    for now in events.tolist():
        come = since <= now
        waited = float((np.minimum(until[come], now) - since[come]).sum())
        number, past = int(come.sum()), now - begin
        found.append((now, waited / past, number / past, waited / number if number else 0.0))
    return tuple(found)


def showing(fleet: Fleet) -> Showing:
    """The film with its words."""
    size = min(SMALL, fleet.gpus_per_job)
    places = {"own": fleet.servers, "small": fleet.servers * fleet.gpus_per_job // size}
    sizes, halves = {"own": fleet.gpus_per_job, "small": size}, {"own": "upper", "small": "lower"}
    kinds = ["own", "small"] if fleet.gpus_per_job > size else ["own"]
    played = both(fleet)
    start = (
        "a stretch in which about as many jobs wait as in the long run" if fleet.now.stable else "from its empty start"
    )
    shown = [
        f"{f.count(places[kind], 'place')} for jobs of {f.count(sizes[kind], 'GPU')}, a place free for "
        f"{f.share(free(played, kind, places[kind]), 2)} of the film"
        for kind in kinds
    ]
    return Showing(
        played,
        {
            kind: Kind(f"{f.count(sizes[kind], 'GPU')} a job ({halves[kind]} half)", tone)
            for kind, tone in zip(kinds, ("accent", "good"), strict=False)
        },
        caption=f"Above: {'. Below: '.join(shown)}. {f.duration(played.end - played.begin, 2)} of one simulated run of "
        f"many, {start}; the same settings show the same run. After a tenth of it Little's law is counted along for "
        "the jobs above: who waits at the start counts as arrived then, and a wait as far as it has come.",
        alt=f"Jobs come, wait and run at {f.share(fleet.now.utilization)}. {'; '.join(shown)}.",
        columns=max(8, min(64, fleet.gpus_per_job // size)),
        tall=210,
        notes=tuple((time, _counted(*law)) for time, *law in made(fleet)[1]),
    )


def _counted(waiting: float, rate: float, wait: float) -> str:
    """Write Little's law with its numbers."""
    jobs = f"{f.significant(rate * k.HOUR)} jobs an hour"
    return f"Little's law so far, above: {f.significant(waiting)} wait on average = {jobs} × {f.duration(wait)} each"


def free(played: Film, kind: str, places: int) -> float:
    """Share of the film in which a place of this kind is free [1]."""
    boxes = played.boxes[played.boxes["kind"] == kind]
    times = np.concatenate([boxes["begin"], boxes["end"], [played.begin, played.end]])
    steps = np.concatenate([np.ones(len(boxes)), -np.ones(len(boxes)), [0, 0]])
    order = np.argsort(times, kind="stable")
    busy = np.cumsum(steps[order])[:-1]
    return float(np.diff(times[order])[busy < places].sum() / (played.end - played.begin))


def _boxes(
    records: pd.DataFrame, kind: str, width: int, servers: int, first: int, begin: float, end: float
) -> list[tuple]:
    """Place the jobs that run during the film, lowest free server first."""
    shown = records[(records["end"] > begin) & (records["start"] < end)]
    starts, ends = shown["start"].to_numpy(), shown["end"].to_numpy()
    lanes = in_lanes(starts, ends, np.ones(len(shown), dtype=int), servers)
    return [
        (first + lane * width, first + (lane + 1) * width - 1, start, until, kind, f"job {number}" if width > 1 else "")
        for number, (lane, start, until) in enumerate(zip(lanes, starts, ends, strict=True), 1)
    ]
