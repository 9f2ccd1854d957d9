"""Simulated queue to compare with the formulas: random arrivals, one line, equal servers."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heapreplace

import numpy as np
import pandas as pd

from physics import pace
from physics.arguments import LimitedCount, NonNegative, Positive, Share, within_range
from physics.numerics import mean_interval

#: Jobs sent through a queue between two calls of `pace.step`, which may pause or stop it.
BLOCK = 5_000


class QueueRecords(pd.DataFrame):
    """Table with one row per job, in order of arrival: `arrival`, `start`, and `end` [s].

    Statistics named as in `SteadyState`.
    """

    @property
    def _constructor(self) -> type:
        """Type of what operations on the table return, such as a selection of rows."""
        return QueueRecords

    @property
    def wait(self) -> pd.Series:
        """Time in queue of each job, without service [s]."""
        return self["start"] - self["arrival"]

    @property
    def response(self) -> pd.Series:
        """Each job's time in queue plus its time in service [s]."""
        return self["end"] - self["arrival"]

    @property
    def prob_wait(self) -> float:
        """Share of jobs that had to queue [1]."""
        return float((self["start"] > self["arrival"]).mean())

    @property
    def mean_wait(self) -> float:
        """Mean time in queue [s]."""
        return float(self.wait.mean())

    @property
    def mean_response(self) -> float:
        """Mean time in queue plus time in service [s]."""
        return float(self.response.mean())

    @within_range
    def wait_percentile(self, q: Share = 0.99) -> float:
        """Wait that a share q of the jobs does not exceed [s]."""
        return float(self.wait.quantile(q))

    @within_range
    def response_percentile(self, q: Share = 0.99) -> float:
        """Time in system that a share q of the jobs does not exceed [s]."""
        return float(self.response.quantile(q))

    def mean_in_system(self, since: float, until: float) -> float:
        """Mean number of jobs waiting or in service from `since` to `until` [1].

        The area under the number of jobs, of which all that were there must be among the rows; not
        from the mean response, so that Little's law can be tested on it.
        """
        inside = self["end"].clip(since, until) - self["arrival"].clip(since, until)
        return float(inside.sum() / (until - since))


@within_range
def simulate_queue(
    arrival_rate: Positive,
    service_time: Positive,
    servers: LimitedCount,
    service_scv: NonNegative,
    jobs: LimitedCount,
    rng: np.random.Generator,
    lengths: np.random.Generator | None = None,
) -> QueueRecords:
    """Table of jobs sent through an empty FIFO queue: each job's `arrival`, `start`, and `end` [s].

    Poisson arrivals; service times gamma distributed with the given SCV (1 is exponential, 0
    constant). Each job takes the server that is free first. With ρ ≥ 1 the line simply grows. The
    first rows are from an almost empty queue, so a steady state needs a warm-up left out.

    Args:
        arrival_rate, service_time, servers, service_scv: As for `physics.queueing.mgc`.
        jobs, rng: Rows to make [1], and where the chance comes from.
        lengths: Where that of the service times comes from. With a stream of its own, job n is as
            long at every load and with every number of servers (common random numbers).

    Source: Kiefer, J. and Wolfowitz, J., *On the theory of queues with many servers*, 1955: the
    recursion start = max(arrival, least of the servers' free times).

    >>> records = simulate_queue(0.5, 1.0, 1, 0.0, jobs=200_000, rng=np.random.default_rng(1))
    >>> 0.48 < records.mean_wait < 0.52  # M/D/1 at ρ = 0.5 waits half a service time
    True
    """
    gap = 1 / arrival_rate
    rng = np.random.default_rng(rng)
    arrival = np.cumsum(rng.exponential(gap, jobs))
    service = _service_times(service_time, service_scv, jobs, rng if lengths is None else lengths)
    if servers == 1:
        start = _starts_of_one(arrival, service)
    else:
        start = _starts(arrival, service, min(servers, jobs))
    return QueueRecords({"arrival": arrival, "start": start, "end": start + service}, copy=False)


@dataclass(frozen=True)
class Replications:
    """Results so far of independent runs of one queue, each measured after its warm-up."""

    runs: int  #: runs finished [1]
    mean_wait: float  #: Wq, mean over the runs [s]
    wait_low: float  #: lower end of the confidence interval of Wq; minus infinity after one run [s]
    wait_high: float  #: upper end; infinity after one run [s]
    arrival_rate: float  #: λ as measured: arrivals over clock time [1/s]
    mean_response: float  #: W as measured: mean over jobs [s]
    mean_in_system: float  #: L as measured: mean over clock time [1]


@within_range
def replicate_queue(
    arrival_rate: float,
    service_time: float,
    servers: int,
    service_scv: float,
    jobs: LimitedCount,
    rng: np.random.Generator,
    runs: LimitedCount = 10,
    warm_up: Share = 0.25,
    confidence: float = 0.95,
) -> Iterator[Replications]:
    """Yield estimates after each independent run of `simulate_queue` [s, 1/s, 1].

    They come one by one, so that progress can be shown. The runs' means are independent, so their
    interval is Student's t. Very near ρ = 1 no run of this length has forgotten that it started
    empty, and means come out low: the time to forget grows like S / (1 − ρ)².

    Args:
        arrival_rate, service_time, servers, service_scv, jobs, rng: As for `simulate_queue`; jobs
            is per run, at least 2 after the warm-up.
        runs: Independent runs [1].
        warm_up: Share of each run's jobs left out at its beginning (Welch's remedy), since a run
            starts empty [1].
        confidence: Coverage of the interval of the mean wait [1].

    Source: Law, A. M., *Simulation Modeling and Analysis*, 5th ed., 2015, section 9.5.2
    (replication and deletion).

    >>> *_, last = replicate_queue(0.5, 1.0, 1, 1.0, jobs=20_000, rng=np.random.default_rng(1))
    >>> last.runs, last.wait_low < 1.0 < last.wait_high
    (10, True)
    """
    skipped = int(warm_up * jobs)
    if jobs - skipped < 2:
        raise ValueError(
            f"jobs must leave at least 2 after the warm-up, got {jobs} with a warm_up of {warm_up}"
        )
    queue = (arrival_rate, service_time, servers, service_scv, jobs, np.random.default_rng(rng))
    return _replicate(queue, runs, skipped, confidence)


def _replicate(queue: tuple, runs: int, skipped: int, confidence: float) -> Iterator[Replications]:
    """Yield the estimates after each run of `simulate_queue` with these arguments."""
    measured = []
    for _ in range(runs):
        measured.append(_measure(simulate_queue(*queue), skipped))
        yield replications(measured, confidence)


@within_range
def replications(measured: list[tuple[float, ...]], confidence: float) -> Replications:
    """Estimates from the measurements of all runs so far."""
    waits, rates, responses, numbers = zip(*measured, strict=True)
    wait, half = mean_interval(waits, confidence)
    rate, response, number = (
        math.fsum(column) / len(measured) for column in (rates, responses, numbers)
    )
    return Replications(len(measured), wait, wait - half, wait + half, rate, response, number)


def _measure(records: QueueRecords, skipped: int) -> tuple[float, ...]:
    """Wq, λ, W and L from the first job after the warm-up to the last arrival."""
    jobs = records.iloc[skipped:]
    start = float(jobs["arrival"].iloc[0])
    end = float(jobs["arrival"].iloc[-1])
    rate = (len(jobs) - 1) / (end - start)
    return jobs.mean_wait, rate, jobs.mean_response, records.mean_in_system(start, end)


def _service_times(mean: float, scv: float, jobs: int, rng: np.random.Generator) -> np.ndarray:
    """Draw gamma service times with a mean and SCV; all equal if the SCV is 0 [s]."""
    if scv and math.isfinite(1 / scv):
        return rng.gamma(1 / scv, mean * scv, jobs)
    return np.full(jobs, mean)


def _starts(arrivals: np.ndarray, services: np.ndarray, servers: int) -> np.ndarray:
    """Start times, from a heap of the times at which servers become free [s]."""
    free = [0.0] * servers
    every_start = np.empty(len(arrivals))
    replace = heapreplace  # local names and plain floats make the loop fast
    for first in range(0, len(arrivals), BLOCK):
        pace.step()
        block = slice(first, first + BLOCK)
        starts: list[float] = []
        add = starts.append
        for start, service in zip(arrivals[block].tolist(), services[block].tolist(), strict=True):
            if free[0] > start:
                start = free[0]
            add(start)
            replace(free, start + service)
        every_start[block] = starts
    return every_start


def _starts_of_one(arrivals: np.ndarray, services: np.ndarray) -> np.ndarray:
    """Start times for one server, five times as fast as `_starts` [s].

    start = work before it + max over jobs so far (arrival − work). A job that finds the server idle
    starts when it arrives, to the last bit; one that waits, when the one before it ends, to
    rounding.
    """
    starts = np.empty(len(arrivals))
    ended = 0.0
    for first in range(0, len(arrivals), 10 * BLOCK):
        pace.step()
        block = slice(first, first + 10 * BLOCK)
        arrival = arrivals[block]
        # work of this block's jobs before each of them, and of all
        work = np.concatenate(([0.0], np.cumsum(services[block])))
        lead = arrival - work[:-1]
        latest = np.maximum.accumulate(np.maximum(lead, ended))
        starts[block] = np.where(lead == latest, arrival, np.maximum(arrival, latest + work[:-1]))
        ended = latest[-1] + work[-1]
    return np.maximum.accumulate(starts)
