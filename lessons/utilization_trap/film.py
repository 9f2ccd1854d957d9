"""Utilization trap: the fleet's jobs and 8-GPU jobs on the same GPUs, side by side in time."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pandas as pd

from lessons.utilization_trap.settings import Fleet, say
from lessons.utilization_trap.verdict import metrics as of_fleet
from physics import constants as k
from physics.films import Film, film, in_lanes
from physics.queueing import SteadyState, mgc, simulate_queue
from ui.base import format as f
from ui.base.lesson import Metric
from ui.films import Kind, Showing

#: GPUs of a small job, where the fleet's jobs are not smaller still.
SMALL = 8
#: Job lengths that both queues run before the film begins, and that it shows at most.
WARM_UP, SHOWN = 200, 10
#: Films that a run of small jobs could fill, begins within each that are tried, and how close to the long run's number
#: of jobs that wait is close enough.
STRETCHES, STEPS, CLOSE = 40, 10, 0.05
#: Small jobs that a film shows at most, and moments at which Little's law is counted, so that it stays light.
MOST, COUNTS = 700, 150


def parts(fleet: Fleet) -> int:
    """Number of small jobs that take the place of one of the fleet's own [1]; 1 if those are as small."""
    return fleet.gpus_per_job // min(SMALL, fleet.gpus_per_job)


def queue(fleet: Fleet, share: int) -> SteadyState:
    """The long run of the fleet with its jobs cut into so many pieces each."""
    return mgc(fleet.arrival_rate * share, fleet.job_length, fleet.servers * share, fleet.scv)


def _run(fleet: Fleet, share: int, length: float) -> pd.DataFrame:
    """Simulate the fleet with its jobs cut into so many pieces each; time 0 is the begin of the stretch that is shown.

    Runs of large and of small jobs have about as many jobs.
    """
    rate, servers, stretches = fleet.arrival_rate * share, fleet.servers * share, STRETCHES * parts(fleet) // share
    jobs = int(rate * (WARM_UP * fleet.job_length + stretches * length) * 1.1) + 50
    rng = np.random.default_rng(int(k.POLICY_SEED))
    records = simulate_queue(rate, fleet.job_length, servers, fleet.scv, jobs, rng)
    if not fleet.now.stable:
        return records
    begins = WARM_UP * fleet.job_length + length / STEPS * np.arange((stretches - 1) * STEPS + 1)
    long_run, ends = queue(fleet, share), begins + length
    waiting = _over_time(records["arrival"], records["start"], lambda number: number, begins, ends)
    free = _over_time(records["start"], records["end"], lambda number: number < servers, begins, ends)
    off = np.abs(waiting - long_run.mean_in_queue)
    off[off < CLOSE * long_run.mean_in_queue] = 0
    return records - begins[np.lexsort((np.abs(free - 1 + long_run.prob_wait), off))[0]]


def _over_time(
    since: pd.Series,
    until: pd.Series,
    value: Callable[[np.ndarray], np.ndarray],
    begins: np.ndarray,
    ends: np.ndarray,
) -> np.ndarray:
    """Return the time averages from each begin to its end of a value of the number present [1]."""
    times = np.concatenate([since, until])
    order = np.argsort(times, kind="stable")
    number = np.cumsum(np.repeat([1, -1], len(since))[order])[:-1]
    total = np.concatenate([[0.0], np.cumsum(value(number) * np.diff(times[order]))])
    return np.diff(np.interp([begins, ends], times[order], total), axis=0)[0] / (ends - begins)


def both(fleet: Fleet) -> Film:
    """The film of both queues, see `made`."""
    return made(fleet)[0]


@lru_cache(maxsize=16)
def made(fleet: Fleet) -> tuple[Film, tuple[tuple[float, float, float, float], ...]]:
    """Simulate the fleet's own jobs and small ones at the same utilization; the same seed is the same film.

    A row of places is one job of the fleet's own size; below, in as many rows, each place is one small job. Each queue
    is a run of its own. An overloaded fleet is shown from its empty start on: it has no steady state to begin with.
    Beside the film Little's law for the own jobs, as `little` counts it.
    """
    row, rows = parts(fleet), fleet.servers
    length = min(SHOWN * fleet.job_length, MOST / (fleet.arrival_rate * row))
    own = _run(fleet, 1, length)
    queues = [("own", own, row, rows, 0)]
    if row > 1:
        queues.append(("small", _run(fleet, row, length), 1, rows * row, rows * row))
    boxes, waiting = [], []
    for kind, records, width, servers, first in queues:
        boxes += _boxes(records, kind, width, servers, first, length)
        shown = records[(records["start"] > 0) & (records["arrival"] < length)]
        waiting += [(width, arrival, start, kind) for arrival, start in shown[["arrival", "start"]].to_numpy()]
    return film(len(queues) * rows * row, 0.0, length, boxes, waiting), little(own, 0.0, length)


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


def metrics(fleet: Fleet) -> list[Metric]:
    """The headline numbers of the long run."""
    return of_fleet(fleet, day_below=False)


def showing(fleet: Fleet) -> Showing:
    """The film with its words."""
    played, row = both(fleet), parts(fleet)
    sizes = {"own": fleet.gpus_per_job} | ({"small": SMALL} if row > 1 else {})
    shares, halves = {"own": 1, "small": row}, {"own": " (upper half)", "small": " (lower half)"} if row > 1 else {}
    shown = [_shown(fleet, played, kind, shares[kind], size) for kind, size in sizes.items()]
    caption = "film" if row > 1 else "film_alone"
    start = say("film_stretch" if fleet.now.stable else "film_empty_start", fleet)
    numbers = {"above": shown[0], "below": shown[-1], "length": f.duration(played.end, 2), "start": start}
    return Showing(
        played,
        {
            kind: Kind(f"{f.count(size, 'GPU')} per job{halves.get(kind, '')}", tone, line)
            for line, ((kind, size), tone) in enumerate(zip(sizes.items(), ("accent", "good"), strict=False))
        },
        caption=say(caption, fleet, **numbers),
        alt=say("film_shows", fleet, shown=" ".join(shown)),
        columns=max(8, min(64, row)),
        tall=210,
        lines=("above", "below") if row > 1 else ("",),
        notes=tuple((time, _counted(fleet, *law)) for time, *law in made(fleet)[1]),
    )


def _counted(fleet: Fleet, waiting: float, rate: float, wait: float) -> str:
    """Write Little's law with its numbers."""
    numbers = {"waiting": f.significant(waiting), "rate": f.significant(rate * k.HOUR), "each": f.duration(wait)}
    return say("film_law", fleet, **numbers)


def _shown(fleet: Fleet, played: Film, kind: str, share: int, size: int) -> str:
    """Say what the film's own rows hold of one size of job, and the long run beside it."""
    places, long_run = fleet.servers * share, queue(fleet, share)
    numbers = {
        "places": f.count(places, "place"),
        "size": f.count(size, "GPU"),
        "free": _free(free(played, kind, places)),
        "waiting": _few(mean_waiting(played, kind)),
        "name": "long run" if long_run.exact else "by the formula",
        "free_then": _free(1 - long_run.prob_wait),
        "waiting_then": _few(long_run.mean_in_queue),
    }
    return say("film_shown" if fleet.now.stable else "film_shown_overload", fleet, **numbers)


def _free(share: float) -> str:
    """Write a share of the time; one that hardly differs from none or all is not written more finely."""
    if 0.999 < share < 1 - 1e-9:
        return "over 99.9 %"
    return f.share(round(share, 4), 2)


def _few(number: float) -> str:
    """Write a mean number of jobs; one in hundreds of looks is nearly none."""
    return f.significant(number, 2) if number >= 0.005 or number == 0 else "nearly 0"


def free(played: Film, kind: str, places: int) -> float:
    """Share of the film in which a place of this kind is free [1]."""
    boxes = played.boxes[played.boxes["kind"] == kind]
    times = np.concatenate([boxes["begin"], boxes["end"], [played.begin, played.end]])
    steps = np.concatenate([np.ones(len(boxes)), -np.ones(len(boxes)), [0, 0]])
    order = np.argsort(times, kind="stable")
    busy = np.cumsum(steps[order])[:-1]
    return float(np.diff(times[order])[busy < places].sum() / (played.end - played.begin))


def mean_waiting(played: Film, kind: str) -> float:
    """Mean number of jobs of this kind that wait during the film [1]."""
    line = played.waiting[played.waiting["kind"] == kind]
    return float((line["end"] - line["begin"]).sum() / (played.end - played.begin))


def _boxes(records: pd.DataFrame, kind: str, width: int, servers: int, first: int, length: float) -> list[tuple]:
    """Place the jobs that run during the film, lowest free server first."""
    shown = records[(records["end"] > 0) & (records["start"] < length)]
    starts, ends = shown["start"].to_numpy(), shown["end"].to_numpy()
    lanes = in_lanes(starts, ends, np.ones(len(shown), dtype=int), servers)
    return [
        (first + lane * width, first + (lane + 1) * width - 1, start, until, kind, f"job {number}" if width > 1 else "")
        for number, (lane, start, until) in enumerate(zip(lanes, starts, ends, strict=True), 1)
    ]
