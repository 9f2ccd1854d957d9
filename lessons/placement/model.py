"""Placement: a stream of jobs placed on eight nodes by a policy, and the unusable free GPUs."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from physics import constants as k
from physics.placement import place, unusable
from ui.base.format import Mean

SEED = 20191010  #: of the random numbers, together with the number of the stream
NODE = int(k.SLICES_NODE_GPUS)
NODES = int(k.PLACE_NODES)
JOBS = int(k.PLACE_JOBS)
#: Number of streams that are averaged, and the numbers of those that the chart shows.
STREAMS = int(k.PLACE_STREAMS)
CHARTED = range(1, int(k.PLACE_DRAW.high) + 1)
#: Jobs in the backlog with which the highest load that can be served is measured.
SATURATING = 60_000
#: Columns with the times of a job.
TIMES = ["arrival", "start", "end"]
#: Half-width of a 95% interval, in standard errors.
QUANTILE = 1.96
#: Share of the jobs by number of GPUs, for each kind of stream.
MIXES = {"powers": {1: 0.4, 2: 0.2, 4: 0.2, 8: 0.2}, "five": {1: 0.2, 2: 0.2, 5: 0.6}}


@dataclass(frozen=True)
class Run:
    """Results of one stream of jobs under one policy.

    All states are those just before each arrival, when the new job is not yet placed.
    """

    served: pd.DataFrame  #: as `physics.placement.place` returns it
    free: np.ndarray  #: free GPUs of each node, shape (jobs, nodes)
    waiting: np.ndarray  #: number of waiting jobs, shape (jobs,)
    unusable: np.ndarray  #: mean free GPUs on nodes with too few for the next job, shape (jobs,)

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
    return _run(place(_jobs(mix, load, draw, slow), NODES, NODE, policy, whole), mix)


@lru_cache(maxsize=64)
def averages(
    mix: str, load: float, policy: str, whole: bool, slow: tuple[float, ...]
) -> dict[str, Mean]:
    """Average the fields of a `Run` over all streams.

    The parameters are those of `serve`. All streams are served in one run, each long after the
    stream before has ended.
    """
    streams = []
    start = 0.0
    for draw in range(1, STREAMS + 1):
        jobs = _jobs(mix, load, draw, slow)
        jobs["arrival"] += start
        start = float(jobs["arrival"].iloc[-1] + (jobs["runtime"] * jobs["slowdown"]).sum())
        streams.append(jobs)
    served = place(pd.concat(streams, ignore_index=True), NODES, NODE, policy, whole)
    runs = [_run(served[first : first + JOBS], mix) for first in range(0, len(served), JOBS)]
    means = {}
    for name in ("completion", "wait", "chance", "pieces"):
        values = np.array([getattr(run, name) for run in runs])
        error = float(values.std(ddof=1)) / STREAMS**0.5
        means[name] = Mean(float(values.mean()), QUANTILE * error)
    return means


@lru_cache(maxsize=64)
def saturation(mix: str, policy: str, whole: bool, slow: tuple[float, ...]) -> float:
    """Return the highest load that a policy can serve, measured while jobs always wait [1].

    From this load on the queue has no steady state. The load is the work of all started jobs, with
    their run times on one node, ÷ the GPU time until the last start.
    """
    jobs = _jobs(mix, 1.0, 0, slow, SATURATING).assign(arrival=0.0)
    starts = place(jobs, NODES, NODE, policy, whole)["start"]
    work = float((jobs["gpus"] * jobs["runtime"]).sum())
    return work / (NODES * NODE * float(starts.iloc[-1]))


def _jobs(
    mix: str, load: float, draw: int, slow: tuple[float, ...], number: int = JOBS
) -> pd.DataFrame:
    """Draw one stream of jobs, as `physics.placement.place` takes it."""
    sizes = MIXES[mix]
    rng = np.random.default_rng([SEED, draw])
    mean_size = sum(size * share for size, share in sizes.items())
    kinds = rng.choice(len(sizes), size=number, p=list(sizes.values()))
    runtime = k.PLACE_STREAM_RUNTIME
    rate = load * NODES * NODE / (mean_size * runtime)
    return pd.DataFrame(
        {
            "arrival": np.cumsum(rng.exponential(1 / rate, number)),
            "gpus": np.array(list(sizes))[kinds],
            "runtime": rng.exponential(runtime, number),
            "slowdown": np.array(slow)[kinds],
        }
    )


def _run(served: pd.DataFrame, mix: str) -> Run:
    """Return the results of one stream after its jobs have been placed."""
    arrival, start, end = served[TIMES].to_numpy().T
    moment = arrival[:, None]
    allocated = np.zeros((len(served), NODES), int)
    for job, pieces in enumerate(served["nodes"]):
        for node, gpus in pieces:
            allocated[job, node] = gpus
    running = (start < moment) & (moment < end)
    free = NODE - running.astype(int) @ allocated
    waiting = ((arrival < moment) & (start >= moment)).sum(axis=1)
    return Run(served, free, waiting, _unusable(mix)[free].sum(axis=1))


@lru_cache(maxsize=4)
def _unusable(mix: str) -> np.ndarray:
    """GPUs that the next job cannot use on average on a node with 0, 1, 2, … free GPUs."""
    return np.array([unusable([free], MIXES[mix]) for free in range(NODE + 1)])
