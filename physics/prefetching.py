"""Prefetching: the timeline of a few steps, and the simulation of a bounded buffer between reader and accelerator."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics.checks import count, finite, fraction, non_negative, positive
from physics.dataloading import InputPipeline

#: Two-sided 99 % point of the normal distribution, for intervals over many independent replications.
_Z99 = 2.5758
#: Below this SCV gamma times are constant to six digits.
_CONSTANT_BELOW = 1e-12
_DRAWS_AT_MOST = 50_000_000
_STEPS_DRAWN_AT_MOST = 1_000


@dataclass(frozen=True)
class PrefetchRun:
    """What a simulated buffer did, over all replications; the interval is of the mean over replications."""

    depth: int  #: D, slots of the buffer, in batches [1]
    stalled: float  #: share of steps that waited for their batch [1]
    stalled_half_width: float  #: half width of the 99 % confidence interval of `stalled` [1]
    accelerator_utilization: float  #: AU, share of the time in which the accelerator computed [1]
    utilization_half_width: float  #: half width of the 99 % confidence interval of `accelerator_utilization` [1]


def timeline(pipeline: InputPipeline, steps: int = 5) -> pd.DataFrame:
    """Who does what in the first steps of a training run, from a cold start, with every time at its mean.

    Parameters
    ----------
    pipeline : InputPipeline
        Result of `physics.dataloading.input_pipeline`.
    steps : int
        Steps to draw, 1 to 1,000.

    Returns
    -------
    pandas.DataFrame
        One row per activity: `step` (from 1), `resource` ("workers" or "accelerator"), `activity` ("fetch", "decode",
        "compute" or "idle"), `start`, `end` [s]. A row of no length is left out. "idle" is the accelerator waiting for
        a batch, the wait for the very first one included; workers that wait for a free slot have no row.

    Raises
    ------
    ValueError
        For a number of steps that is not a whole one from 1 to 1,000.

    Notes
    -----
    F(i) = max(F(i−1), S(i−D)) + T_io, S(i) = max(F(i), E(i−1)), E(i) = S(i) + T_c, with F a batch read, S and E a step
    begun and ended: a slot of the buffer frees when the step on its batch begins. Without prefetch
    F(i) = E(i−1) + T_io. The workers of an accelerator fetch and decode many samples at once; a batch is drawn as all
    its fetching and then all its decoding, in proportion to the time each takes.

    Examples
    --------
    >>> from physics.dataloading import input_pipeline
    >>> run = input_pipeline(batch_size=10, sample_size=1e6, compute_time=0.020, accelerators=1, workers=1,
    ...     fetch_latency=0, stream_bandwidth=1e9, decode_time=0, prefetch_depth=1,
    ...     node_bandwidth=25e9, storage_bandwidth=25e9)
    >>> frame = timeline(run, steps=2)
    >>> frame[frame["activity"] == "compute"]["start"].round(6).tolist()
    [0.01, 0.03]
    """
    shown = count("steps", steps)
    if shown > _STEPS_DRAWN_AT_MOST:
        raise ValueError(f"steps must be at most {_STEPS_DRAWN_AT_MOST}, got {steps}")
    starts: list[float] = []
    rows: list[tuple[int, str, str, float, float]] = []
    read = end = 0.0
    for step in range(1, shown + 1):
        begin = _reading_begins(starts, read, end, pipeline.prefetch_depth)
        read = begin + pipeline.io_time
        decoding = read - pipeline.decode_time
        start = max(read, end)
        rows += [
            (step, "workers", "fetch", begin, decoding),
            (step, "workers", "decode", decoding, read),
            (step, "accelerator", "idle", end, start),
            (step, "accelerator", "compute", start, start + pipeline.compute_time),
        ]
        starts.append(start)
        end = start + pipeline.compute_time
    frame = pd.DataFrame(rows, columns=["step", "resource", "activity", "start", "end"])
    return frame[frame["end"] > frame["start"]].reset_index(drop=True)


def simulate_prefetch(
    depth: int,
    utilization: float,
    io_scv: float,
    compute_scv: float = 0.0,
    *,
    steps: int = 2_000,
    warmup: int = 2_000,
    replications: int = 200,
    rng: np.random.Generator,
) -> PrefetchRun:
    """Simulate one reader that fills a buffer of `depth` batches ahead of one accelerator, with gamma times.

    Parameters
    ----------
    depth : int
        D, batches read ahead; 0 for none (every step then waits).
    utilization : float
        ρ, mean time to read a batch ÷ mean time to compute on it [1]; may be 1 or more.
    io_scv, compute_scv : float
        Squared coefficients of variation of the two times [1]; 0 is constant.
    steps, warmup : int
        Steps counted, and steps left out before them, in each replication.
    replications : int
        Independent runs, at least 2.
    rng : numpy.random.Generator

    Returns
    -------
    PrefetchRun

    Raises
    ------
    ValueError
        For counts that are not whole or too small, quantities that are negative or not finite, a utilization of 0, or
        more than 50 million pairs of times.

    Notes
    -----
    F(i) = max(F(i−1), S(i−D)) + T_io(i), S(i) = max(F(i), E(i−1)), E(i) = S(i) + T_c(i): the reader is one server that
    holds a slot from the moment it begins a batch, and the slot frees when the step on that batch begins. A step waits
    if F(i) > E(i−1). Times are independent and in units of the mean compute time.

    References
    ----------
    The recursion is that of two machines in line with a finite buffer between them, blocking before service:
    T. Altiok, "Performance Analysis of Manufacturing Systems" (1997).

    Examples
    --------
    >>> run = simulate_prefetch(1, 0.5, io_scv=0.0, rng=np.random.default_rng(1))
    >>> run.stalled, run.accelerator_utilization
    (0.0, 1.0)
    """
    slots, counted, skipped = count("depth", depth, 0), count("steps", steps), count("warmup", warmup, 0)
    lanes = count("replications", replications, 2)
    total = counted + skipped
    if total * lanes > _DRAWS_AT_MOST:
        raise ValueError(f"(steps + warmup) × replications must be at most {_DRAWS_AT_MOST}, got {total * lanes}")
    io_times = _times(positive("utilization", utilization), non_negative("io_scv", io_scv), lanes, rng)
    compute_times = _times(1.0, non_negative("compute_scv", compute_scv), lanes, rng)

    ring = np.zeros((max(min(slots, total), 1), lanes))
    read, end, waits, computed, began = (np.zeros(lanes) for _ in range(5))
    for i in range(total):
        if i == skipped:
            waits, computed, began = np.zeros(lanes), np.zeros(lanes), end
        slot = ring[i % len(ring)]
        read = (np.maximum(read, slot) if slots else end) + next(io_times)
        waits = waits + (read > end)
        slot[:] = np.maximum(read, end)
        compute = next(compute_times)
        computed = computed + compute
        end = slot + compute
    stalled, busy = waits / counted, computed / np.maximum(end - began, np.finfo(float).tiny)
    return PrefetchRun(slots, float(stalled.mean()), _half_width(stalled), float(busy.mean()), _half_width(busy))


def simulated_depth(
    utilization: float,
    io_scv: float,
    compute_scv: float = 0.0,
    stall: float = 0.01,
    *,
    deepest: int = 1_024,
    rng: np.random.Generator,
    **sizes: int,
) -> int | float:
    """Return the smallest depth whose simulated share of waiting steps is at most `stall`.

    Parameters
    ----------
    utilization, io_scv, compute_scv
        As in `simulate_prefetch`.
    stall : float
        ε, share of steps that may wait [1]. 1 is met by a depth of 0.
    deepest : int
        Depths beyond it are not tried.
    rng : numpy.random.Generator
        Every depth is simulated with the same random numbers.
    **sizes : int
        `steps`, `warmup` and `replications` of `simulate_prefetch`.

    Returns
    -------
    int or float
        `math.inf` for ρ ≥ 1 (the reader is too slow on average, every depth runs dry), and where `deepest` does not do.

    Raises
    ------
    ValueError
        As `simulate_prefetch`; also for a `stall` outside 0 to 1.

    Examples
    --------
    >>> simulated_depth(0.5, io_scv=0.0, rng=np.random.default_rng(1))
    1
    """
    share, limit = fraction("stall", stall), count("deepest", deepest)
    seed = int(rng.integers(2**63))

    def stalls(depth: int) -> bool:
        same = np.random.default_rng(seed)
        return simulate_prefetch(depth, utilization, io_scv, compute_scv, rng=same, **sizes).stalled > share

    if not stalls(0):
        return 0
    if utilization >= 1:
        return math.inf
    too_shallow, enough = 0, 1
    while stalls(enough):
        if enough >= limit:
            return math.inf
        too_shallow, enough = enough, min(2 * enough, limit)
    while enough - too_shallow > 1:
        middle = (too_shallow + enough) // 2
        too_shallow, enough = (middle, enough) if stalls(middle) else (too_shallow, middle)
    return enough


def _reading_begins(starts: list[float], read: float, end: float, depth: int) -> float:
    """Time at which the next batch's reading begins: the readers are free and a slot is."""
    if depth == 0:
        return end
    return max(read, starts[-depth]) if len(starts) >= depth else read


def _times(mean: float, scv: float, lanes: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield gamma times with the given mean and SCV, one for each replication."""
    scale = finite("mean × SCV of a time", mean * scv)
    while True:
        if scv < _CONSTANT_BELOW:
            yield np.full(lanes, mean)
        else:
            yield from rng.gamma(1 / scv, scale, (256, lanes))


def _half_width(values: np.ndarray) -> float:
    return float(_Z99 * values.std(ddof=1) / math.sqrt(len(values)))
