"""Placement: a stream of jobs placed on eight nodes by a policy, and the unusable free GPUs."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from physics import constants as k
from physics.placement import place, unusable
from ui.base.format import Mean

SEED = 20191010  #: with the number of the stream it makes the chances
NODE = int(k.SLICES_NODE_GPUS)
NODES = int(k.PLACE_NODES)
JOBS = int(k.PLACE_JOBS)
#: Streams that are averaged, and of these the ones that are drawn and can be played.
STREAMS = int(k.PLACE_STREAMS)
SHOWN = range(1, int(k.PLACE_DRAW.high) + 1)
#: Jobs that a fleet works off without a break to show the highest load that it can serve.
SATURATING = 60_000
#: Times of a job's arrival, start, and end.
TIMES = ["arrival", "start", "end"]
#: Half the width of a 95% interval, in standard errors.
SURE = 1.96
#: GPUs of a job, and how often.
MIXES = {"powers": {1: 0.4, 2: 0.2, 4: 0.2, 8: 0.2}, "five": {1: 0.2, 2: 0.2, 5: 0.6}}


@dataclass(frozen=True)
class Run:
    """Results of one stream of jobs under one policy.

    Times are taken before each job's placement. The moments are those of the arrivals, before the
    new job is placed.
    """

    served: pd.DataFrame  #: as `physics.placement.place` returns it
    free: np.ndarray  #: free GPUs of each node at each moment, shape (jobs, nodes)
    waiting: np.ndarray  #: jobs that wait at each moment
    #: free GPUs on nodes with fewer than the next job needs, on average, at each moment
    unusable: np.ndarray

    @cached_property
    def completion(self) -> float:
        """Mean time from arrival to end [s]."""
        return float((self.served["end"] - self.served["arrival"]).mean())

    @cached_property
    def wait(self) -> float:
        """Mean time from arrival to start [s]."""
        return float((self.served["start"] - self.served["arrival"]).mean())

    @cached_property
    def chance(self) -> float:
        """Share of time in which a whole-node job could start immediately [1]."""
        return float(((self.waiting == 0) & (self.free == NODE).any(axis=1)).mean())

    @cached_property
    def pieces(self) -> float:
        """Mean number of free GPUs on nodes with too few for the next job [1]."""
        return float(self.unusable.mean())

    @property
    def idle(self) -> float:
        """Mean number of free GPUs [1]."""
        return float(self.free.sum(axis=1).mean())

    @cached_property
    def scattered(self) -> np.ndarray:
        """Mask of the jobs that run on more than one node; no job is larger than a node."""
        return np.array([len(pieces) > 1 for pieces in self.served["nodes"]])

    @property
    def many(self) -> int:
        """Number of jobs that run on more than one node [1]."""
        return int(self.scattered.sum())

    @property
    def slowed(self) -> float:
        """Mean slowdown of the scattered jobs [1]."""
        return float(self.served["slowdown"][self.scattered].mean())


@lru_cache(maxsize=512)
def serve(
    mix: str, load: float, draw: int, policy: str, whole: bool, slow: tuple[float, ...]
) -> Run:
    """Serve the jobs of one stream in order of arrival under a policy.

    Parameters
    ----------
    mix, load, draw
        Kind of jobs; GPUs asked for as a share of all; number of the stream.
    policy, whole
        Which of the nodes with room is taken; whether each job must have one node.
    slow
        For each size of the mix, how many times as long a scattered job runs.
    """
    jobs = pd.DataFrame(_jobs(mix, load, draw, slow))
    served = place(jobs, NODES, NODE, policy, whole)
    free, waiting = _moments(*served[TIMES].to_numpy().T, _taken(served))
    return Run(served, free, waiting, _useless(mix)[free].sum(axis=1))


@lru_cache(maxsize=64)
def averages(
    mix: str, load: float, policy: str, whole: bool, slow: tuple[float, ...]
) -> dict[str, Mean]:
    """Average the fields of a `Run` over all streams.

    The parameters are those of `serve`. All streams are served in one run, each long after the one
    before has ended.
    """
    parts = []
    begin = 0.0
    for draw in range(1, STREAMS + 1):
        jobs = _jobs(mix, load, draw, slow)
        jobs["arrival"] += begin
        begin = float(jobs["arrival"][-1] + (jobs["runtime"] * jobs["slowdown"]).sum())
        parts.append(jobs)
    stream = {name: np.concatenate([jobs[name] for jobs in parts]) for name in parts[0]}
    served = place(pd.DataFrame(stream), NODES, NODE, policy, whole)
    at, start, end = served[TIMES].to_numpy().T.reshape(3, STREAMS, JOBS)
    taken = _taken(served).reshape(STREAMS, JOBS, NODES)
    free, waiting = map(np.array, zip(*map(_moments, at, start, end, taken), strict=True))
    numbers = {
        "completion": end - at,
        "wait": start - at,
        "chance": (waiting == 0) & (free == NODE).any(axis=2),
        "pieces": _useless(mix)[free].sum(axis=2),
    }
    return {name: _mean(values.mean(axis=1)) for name, values in numbers.items()}


def _mean(values: np.ndarray) -> Mean:
    """Return the mean over all streams with its 95% interval."""
    return Mean(float(values.mean()), SURE * float(values.std(ddof=1)) / STREAMS**0.5)


@lru_cache(maxsize=64)
def saturation(mix: str, policy: str, whole: bool, slow: tuple[float, ...]) -> float:
    """Return the highest load that a policy can serve, measured while jobs always wait [1].

    From this load on the line has no steady state. It is simulated: the work of the jobs that start
    ÷ the GPU time that passes, with the run times that jobs have on one node.
    """
    jobs = pd.DataFrame(_jobs(mix, 1.0, 0, slow, SATURATING)).assign(arrival=0.0)
    starts = place(jobs, NODES, NODE, policy, whole)["start"]
    work = float((jobs["gpus"] * jobs["runtime"]).sum())
    return work / (NODES * NODE * float(starts.iloc[-1]))


def _jobs(
    mix: str, load: float, draw: int, slow: tuple[float, ...], number: int = JOBS
) -> dict[str, np.ndarray]:
    """Draw the columns of one stream of jobs."""
    sizes = MIXES[mix]
    rng = np.random.default_rng([SEED, draw])
    mean_size = sum(size * share for size, share in sizes.items())
    kinds = rng.choice(len(sizes), size=number, p=list(sizes.values()))
    runtime = k.PLACE_STREAM_RUNTIME
    rate = load * NODES * NODE / (mean_size * runtime)
    return {
        "arrival": np.cumsum(rng.exponential(1 / rate, number)),
        "gpus": np.array(list(sizes))[kinds],
        "runtime": rng.exponential(runtime, number),
        "slowdown": np.array(slow)[kinds],
    }


@lru_cache(maxsize=4)
def _useless(mix: str) -> np.ndarray:
    """Of so many free GPUs on a node, how many the next job cannot use on average, by their
    number.
    """
    return np.array([unusable([free], MIXES[mix]) for free in range(NODE + 1)])


def _taken(served: pd.DataFrame) -> np.ndarray:
    """GPUs that each job has on each node, shape (jobs, nodes)."""
    taken = np.zeros((len(served), NODES), int)
    for row, pieces in enumerate(served["nodes"]):
        for node, size in pieces:
            taken[row, node] = size
    return taken


def _moments(
    at: np.ndarray, start: np.ndarray, end: np.ndarray, taken: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Free GPUs of each node, and jobs that wait, just before each arrival of a stream."""
    running = (start[None, :] < at[:, None]) & (at[:, None] < end[None, :])
    free = NODE - running.astype(int) @ taken
    waiting = ((at[None, :] < at[:, None]) & (start[None, :] >= at[:, None])).sum(axis=1)
    return free, waiting
