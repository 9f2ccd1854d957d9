"""Placement: a stream of jobs on eight nodes, placed by a policy, and what stays free but cannot be
used.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from physics import constants as k
from physics.placement import place, unusable

SEED = 20191010  #: with the number of the stream it makes the chances
NODE = int(k.SLICES_NODE_GPUS)
NODES = int(k.PLACE_NODES)
JOBS = int(k.PLACE_JOBS)
STREAMS = range(1, int(k.PLACE_DRAW.high or 1) + 1)
#: GPUs of a job, and how often.
MIXES = {"powers": {1: 0.4, 2: 0.2, 4: 0.2, 8: 0.2}, "five": {1: 0.2, 2: 0.2, 5: 0.6}}


@dataclass(frozen=True)
class Run:
    """One stream under one policy. The moments are those of the arrivals, before the new job is
    placed.
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
        """Share of the moments at which a job of a whole node would have one at once [1]."""
        return float(((self.waiting == 0) & (self.free == NODE).any(axis=1)).mean())

    @cached_property
    def pieces(self) -> float:
        """Free GPUs on nodes with fewer than the next job needs, on average [1]."""
        return float(self.unusable.mean())

    @property
    def idle(self) -> float:
        """Free GPUs on average [1]."""
        return float(self.free.sum(axis=1).mean())

    @cached_property
    def scattered(self) -> np.ndarray:
        """Which jobs run on more than one node; none takes more than a node."""
        return np.array([len(pieces) > 1 for pieces in self.served["nodes"]])

    @property
    def many(self) -> int:
        """Jobs that run on more than one node [1]."""
        return int(self.scattered.sum())

    @property
    def slowed(self) -> float:
        """How many times as long the scattered jobs run, on average [1]."""
        return float(self.served["slowdown"][self.scattered].mean())


@lru_cache(maxsize=512)
def serve(
    mix: str, load: float, draw: int, policy: str, whole: bool, slow: tuple[float, ...]
) -> Run:
    """Serve one stream, first come, first served.

    Parameters
    ----------
    mix, load, draw
        Kind of jobs; GPUs asked for as a share of all; number of the stream.
    policy, whole
        Which of the nodes with room is taken; whether each job must have one node.
    slow
        For each size of the mix, how many times as long a scattered job runs.
    """
    sizes = MIXES[mix]
    rng = np.random.default_rng([SEED, draw])
    kinds = rng.choice(len(sizes), size=JOBS, p=list(sizes.values()))
    runtime = float(k.PLACE_STREAM_RUNTIME)
    rate = load * NODES * NODE / (mean_size(mix) * runtime)
    jobs = pd.DataFrame(
        {
            "arrival": np.cumsum(rng.exponential(1 / rate, JOBS)),
            "gpus": np.array(list(sizes))[kinds],
            "runtime": rng.exponential(runtime, JOBS),
            "slowdown": np.array(slow)[kinds],
        }
    )
    served = place(jobs, NODES, NODE, policy, whole)
    free, waiting = _moments(served)
    return Run(served, free, waiting, np.array([unusable(row, sizes) for row in free.tolist()]))


def mean_size(mix: str) -> float:
    """Mean number of GPUs of a job [1]."""
    return sum(size * share for size, share in MIXES[mix].items())


def _moments(served: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Free GPUs of each node, and jobs that wait, just before each arrival."""
    at = served["arrival"].to_numpy()
    start = served["start"].to_numpy()
    end = served["end"].to_numpy()
    free = np.full((len(at), NODES), NODE)
    for begin, stop, pieces in zip(start, end, served["nodes"], strict=True):
        there = (begin < at) & (at < stop)
        for node, size in pieces:
            free[there, node] -= size
    waiting = ((at[None, :] < at[:, None]) & (start[None, :] >= at[:, None])).sum(axis=1)
    return free, waiting
