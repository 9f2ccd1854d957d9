"""Prefetching: the timeline of a few steps, and a simulated buffer before the accelerator."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from physics.arguments import (
    MANY,
    LimitedCount,
    LimitedWhole,
    NonNegative,
    Positive,
    Share,
    count,
    elementwise,
    finite,
    within_range,
)
from physics.dataloading.pipeline import InputPipeline

#: Below this SCV gamma times are constant to six digits.
_CONSTANT_BELOW = 1e-12
#: Above this SCV hardly one of the stored times is larger than zero.
_MOST_SCV = 10_000
_STEPS_AT_MOST = 50_000_000
#: Size of the simulation behind the cached curve of step times: independent lanes, steps that are
#: counted, steps left out before these, and more of them for each slot of the buffer.
_LANES = 64
_COUNTED = 1_500
_SKIPPED = 200
_SKIPPED_A_SLOT = 10
#: The curve's points, reading ÷ (reading + computing), denser around 0.5, which is a load of 1.
_READING = np.array([0, 0.1, 0.2, *np.arange(0.3, 0.701, 0.025), 0.8, 0.9, 1.0])


@dataclass(frozen=True)
class PrefetchRun:
    """Results of a simulated buffer over all replications."""

    depth: int  #: D, slots of the buffer, in batches [1]
    stalled: float  #: share of steps that waited for their batch [1]
    accelerator_utilization: float  #: AU, share of the time in which the accelerator computed [1]


def timeline(pipeline: InputPipeline, steps: int = 5) -> pd.DataFrame:
    """Table of the workers' and the accelerator's activities in the first steps, at mean times [s].

    One row per activity of some length from a cold start: `step` (from 1), `resource` ("workers" or
    "accelerator"), `activity` ("fetch", "decode", "compute" or "idle"), `start`, `end` [s].

    F(i) = max(F(i−1), S(i−D)) + T_io, S(i) = max(F(i), E(i−1)), E(i) = S(i) + T_c, with F a batch
    read, S and E a step begun and ended. Without prefetch F(i) = E(i−1) + T_io. A batch is drawn as
    all its fetching and then all its decoding.
    """
    depth = pipeline.prefetch_depth
    starts: list[float] = []
    rows = []
    read = end = 0.0
    for step in range(1, count("steps", steps, most=1_000) + 1):
        slot = 0.0 if depth else end  # when a slot for the batch becomes free
        if depth and len(starts) >= depth:
            slot = starts[-depth]
        begin = max(read, slot)
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


@within_range
def simulate_depths(
    depths: Sequence[int],
    utilization: Positive,
    io_scv: NonNegative,
    compute_scv: NonNegative = 0.0,
    *,
    steps: LimitedCount = 2_000,
    warmup: LimitedWhole = 2_000,
    replications: int = 200,
    rng: np.random.Generator,
) -> list[PrefetchRun]:
    """Share of waiting steps and accelerator utilization, simulated for several buffer depths [1].

    Args:
        depths: D, batches read ahead; 0 for none (every step then waits). All see the same random
            times.
        utilization, io_scv, compute_scv: ρ, which may be 1 or more, and the SCVs of both times, as
            in `prefetch_depth_for`.
        steps, warmup, replications: Steps counted, and left out before them, in each of at least 2
            independent runs; at most 50 million in all.

    F(i) = max(F(i−1), S(i−D)) + T_io(i), S(i) = max(F(i), E(i−1)), E(i) = S(i) + T_c(i): the reader
    holds a slot from the moment it begins a batch until the step on that batch begins. A step waits
    if F(i) > E(i−1). Times are independent, gamma distributed, and in units of the mean compute
    time.

    Source: The recursion is that of two machines in line with a finite buffer between them,
    blocking before service: T. Altiok, "Performance Analysis of Manufacturing Systems" (1997).

    >>> run = simulate_depths([1], 0.5, io_scv=0.0, rng=np.random.default_rng(1))[0]
    >>> run.stalled, run.accelerator_utilization
    (0.0, 1.0)
    """
    slots = np.array([count("depth", depth, 0, most=MANY) for depth in depths], dtype=np.int64)
    total = steps + warmup
    lanes = count("replications", replications, 2, most=MANY)
    requested = total * lanes * len(slots)
    if requested > _STEPS_AT_MOST:
        raise ValueError(
            f"depths × replications × (steps + warmup) must be at most {_STEPS_AT_MOST}, got "
            f"{requested}"
        )
    io_times = _times(utilization, io_scv, lanes, rng)
    compute_times = _times(1.0, compute_scv, lanes, rng)

    # A slot that comes round again only after the last step never blocks.
    rooms = np.clip(slots, 1, total)
    # When the step on the latest batch of each slot began, by depth, slot, and lane.
    ring = np.zeros((len(slots), int(rooms.max(initial=1)), lanes))
    buffers = np.arange(len(slots))
    alternates = (slots == 0)[:, None]  # reading and computing, without a buffer
    read, end, waits, began = (np.zeros((len(slots), lanes)) for _ in range(4))
    computed = np.zeros(lanes)
    for i in range(total):
        if i == warmup:
            waits = np.zeros_like(waits)
            computed = np.zeros(lanes)
            began = end
        free = np.where(alternates, end, ring[buffers, i % rooms])
        read = np.maximum(read, free) + next(io_times)
        start = np.maximum(read, end)
        waits += read > end
        ring[buffers, i % rooms] = start
        compute = next(compute_times)
        computed = computed + compute
        end = start + compute
    stalled = waits / steps
    busy = computed / np.maximum(end - began, np.finfo(float).tiny)
    return [
        PrefetchRun(int(depth), float(wait.mean()), float(au.mean()))
        for depth, wait, au in zip(slots, stalled, busy, strict=True)
    ]


@elementwise
def jittered_utilization(
    depth: LimitedWhole, utilization: Positive, io_scv: NonNegative, compute_scv: NonNegative = 0.0
) -> float:
    """Accelerator utilization with jitter and a finite buffer, from simulated runs [1].

    Exact where D = 0 or nothing varies; elsewhere within 0.01 of long runs of `simulate_depths` (D
    1 to 64, ρ 0.3 to 2, SCV of both times up to 4), between 1 ÷ (1 + ρ) and 1 ÷ max(1, ρ). With
    reading scaled to the share s = ρ ÷ (1 + ρ) and computing to 1 − s the mean step h(s) is convex;
    it is simulated for each depth and pair of SCVs on common random numbers at 23 values of s, and
    interpolated: AU = (1 − s) ÷ h(s).

    Source: As `simulate_depths`; P. Glasserman, D. D. Yao, "Some Guidelines and Guarantees for
    Common Random Numbers" (1992).

    >>> jittered_utilization(1, 0.5, 0.0), jittered_utilization(0, 0.25, 1.0)
    (1.0, 0.8)
    """
    scvs = io_scv, compute_scv
    if max(scvs) > _MOST_SCV:
        raise ValueError(f"io_scv and compute_scv must be at most {_MOST_SCV:,}, got {max(scvs):g}")
    if depth == 0:
        return 1 / (1 + utilization)
    if max(scvs) < _CONSTANT_BELOW:
        return 1 / max(1.0, utilization)
    reading = utilization / (1 + utilization)
    step = float(np.interp(reading, _READING, _mean_steps(min(depth, _COUNTED), *scvs)))
    return min((1 - reading) / step, 1 / max(1.0, utilization))


@lru_cache(maxsize=512)
def _mean_steps(depth: int, io_scv: float, compute_scv: float) -> np.ndarray:
    """Simulate h(s), the mean step if reading takes s and computing 1 − s on average [1].

    One value for each s of `_READING`.
    """
    skipped = _SKIPPED + _SKIPPED_A_SLOT * depth
    rng = np.random.default_rng(20260301)
    reads, computes = (_unit_times(scv, skipped, rng) for scv in (io_scv, compute_scv))
    reading = _READING[:, None]
    computing = 1 - _READING[:, None]
    ring = np.zeros((depth, len(_READING), _LANES))
    read, end, work = (np.zeros((len(_READING), _LANES)) for _ in range(3))
    began = 0.0
    for i in range(skipped + _COUNTED):
        if i == skipped:
            began = end.mean(axis=1)
        # First of the step whose slot this batch takes; then, in place, of the step on this batch.
        start = ring[i % depth]
        np.maximum(read, start, out=read)
        read += np.multiply(reading, reads[i], out=work)
        np.maximum(read, end, out=start)
        np.add(start, np.multiply(computing, computes[i], out=work), out=end)
    steps = (end.mean(axis=1) - began) / _COUNTED
    return np.clip(steps, np.maximum(_READING, 1 - _READING), 1.0)


def _unit_times(scv: float, skipped: int, rng: np.random.Generator) -> np.ndarray:
    """Gamma times of every step and lane; those that are counted have a mean of exactly 1."""
    if scv < _CONSTANT_BELOW:
        return np.ones((skipped + _COUNTED, _LANES))
    times = rng.gamma(1 / scv, scv, (skipped + _COUNTED, _LANES))
    return times / times[skipped:].mean()


@within_range
def shallowest(runs: Sequence[PrefetchRun], stall: Share = 0.01) -> int | float:
    """Smallest simulated depth whose share of waiting steps is at most `stall` [1].

    The result is infinite if there is none.
    """
    return min((run.depth for run in runs if run.stalled <= stall), default=math.inf)


def _times(mean: float, scv: float, lanes: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield gamma times with the given mean and SCV, one for each replication."""
    scale = finite("mean × SCV of a time", mean * scv)
    while True:
        if scv < _CONSTANT_BELOW:
            yield np.full(lanes, mean)
        else:
            yield from rng.gamma(1 / scv, scale, (256, lanes))
