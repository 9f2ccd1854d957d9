"""Closed queue of readers that wait for one file open at a time."""

import math
from dataclasses import dataclass

import numpy as np

from physics.arguments import LimitedCount, Positive, elementwise


@dataclass(frozen=True)
class ReaderQueue:
    """Steady state of readers that queue at servers to have their files opened."""

    busy: float  #: share of the time in which a server works [1]
    waiting: float  #: readers that wait for a server, on average [1]
    wait: float  #: time from asking until a server begins the open, on average [s]
    pace: float  #: reads that are done ÷ those that would be done if nothing took time to open [1]


@elementwise
def reader_queue(
    readers: LimitedCount, read_time: Positive, open_time: Positive, servers: LimitedCount = 1
) -> ReaderQueue:
    """Waiting readers [1], wait [s], and pace [1] of readers that open one file at a time.

    N `readers`, at most 100,000, each take Z, `read_time`, for a file [s], and then ask one of c
    `servers` for the next one, which takes S, `open_time` [s]. With random, exponential times n
    readers are at the servers with probability p(n) ∝ p(n − 1) × (N − n + 1) S ÷ (min(n, c) Z). The
    readers that wait slow down, so no line grows without limit: with many readers and too few
    servers the pace is c Z ÷ (N S).

    Source: Gross, Shortle, Thompson, Harris, "Fundamentals of Queueing Theory" (4th edition, 2008),
    section 2.8, finite-source queues (M/M/c//N).

    >>> queue = reader_queue(4096, 0.050, 60e-6)
    >>> round(queue.waiting), round(queue.pace, 3)
    (3262, 0.203)
    """
    if readers > 100_000:
        raise ValueError(f"readers must be at most 100000, got {readers}")
    number = np.arange(1, readers + 1)
    at_work = np.minimum(number, servers)
    # logarithms one by one: the ratio of the times may leave floating point
    ratio = math.log(open_time) - math.log(read_time)
    odds = np.log(readers - number + 1) + ratio - np.log(at_work)
    weights = np.concatenate([[0.0], np.cumsum(odds)])
    chances = np.exp(weights - weights.max())
    chances /= chances.sum()
    working = float((at_work * chances[1:]).sum())
    waiting = float(((number - at_work) * chances[1:]).sum())
    pace = working * read_time / (readers * open_time)
    return ReaderQueue(working / servers, waiting, waiting * open_time / working, pace)
