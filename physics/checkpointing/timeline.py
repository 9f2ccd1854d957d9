"""One checkpointed run, interruption by interruption: when it works, what it loses, when it resumes."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics.arguments import Count, NonNegative, Positive, PositiveOrInfinite, within_range
from physics.checkpointing.interruptions import notice_saves


@dataclass(frozen=True)
class Timeline:
    """One run, from its start until it is done or the record ends."""

    #: one row a span: begin and end [s], kind ("kept": segments with their dumps; "part": work saved by a notice, with
    #: its dump; "lost"; "restart"), the first and last segment it is about, numbered from 0
    rows: pd.DataFrame
    done: bool  #: whether the work is done; False where the record ends before
    saved: int  #: segments in a checkpoint at the end
    struck: int  #: interruptions, those of restarts included

    @property
    def end(self) -> float:
        """When the record ends [s]: the run time, if the run is done."""
        return float(self.rows["end"].iloc[-1])


@within_range
def play_run(
    work: Positive,
    interval: Positive,
    dump: NonNegative,
    restart: NonNegative,
    mtbf: Positive,
    rng: np.random.Generator,
    notice: float = 0.0,
    until: PositiveOrInfinite = math.inf,
    most: Count = 1000,
) -> Timeline:
    """Record of one simulated run, span by span in order of time [s].

    Args:
        work, interval, dump, restart, mtbf, notice: As in `simulate_runs` [s].
        rng: Source of chance. Whatever the interval, the same state strikes at the same times, if no notice saves.
        until: The record ends with the first span that ends at this time or later [s].
        most: Interruptions after which the record ends.

    The model of `physics.checkpointing.interruptions`, but that the last segment ends with the work: the mean run time
    is `expected_runtime_short_tail`.

    >>> run = play_run(3600, 600, 60, 60, 1e300, np.random.default_rng(1))  # never interrupted
    >>> run.end, run.done, run.saved, run.struck
    (3960.0, True, 6, 0)
    """
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, got {rng!r}")
    interval, safe = min(interval, work), notice_saves(dump, notice)
    tail, whole = math.modf(work / interval)
    tail, whole = (tail, int(whole)) if tail <= 1 - 1e-9 else (0.0, int(whole) + 1)
    segments = whole + (tail > 1e-9)
    rows: list[tuple] = []
    clock, saved, struck, reached, left = 0.0, 0, 0, 0.0, float(rng.exponential(mtbf))

    def span(length: float, kind: str, last: int) -> None:
        nonlocal clock
        rows.append((clock, clock + length, kind, saved, last))
        clock += length

    while saved < segments and clock < until and struck < most:
        while saved < segments:  # take every segment that gets through before the interruption
            full = saved < whole
            length = (interval if full else tail * interval) + dump - reached
            # Whole segments are alike: as many as fit are taken at once, but the one that a notice has cut is itself.
            fit = int(min(left / length, whole - saved)) if full and not reached else 1
            fit -= length * fit > left  # rounding
            if fit < 1:
                break
            span(length * fit, "kept", saved + fit - 1)
            left -= length * fit
            saved, reached = saved + fit, 0.0
        else:
            break
        struck += 1
        if safe:
            reached += left
            span(left + dump, "part", saved)
        else:
            span(left, "lost", saved)
        left = float(rng.exponential(mtbf))
        while left < restart and struck < most:
            span(left, "restart", saved)
            struck += 1
            left = float(rng.exponential(mtbf))
        if restart and left >= restart:
            span(restart, "restart", saved)
            left -= restart
    frame = pd.DataFrame(rows, columns=["begin", "end", "kind", "first", "last"])
    return Timeline(frame, saved >= segments, saved, struck)
