"""Record of one checkpointed run, span by span.

The model and its arguments are stated in `physics.checkpointing.interruptions`.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physics.arguments import Count, NonNegative, Positive, PositiveOrInfinite, within_range
from physics.checkpointing.interruptions import notice_saves, split_segments


@dataclass(frozen=True)
class Timeline:
    """Record of one run, from its start until it finishes or is cut off."""

    #: one row a span: begin and end [s], kind ("kept": segments with their dumps; "part": work
    #: saved by a notice, with its dump; "lost"; "restart"), the first and last segment it is about,
    #: numbered from 0
    rows: pd.DataFrame
    done: bool  #: whether the work is done; False where the record ends before
    saved: int  #: segments in a checkpoint at the end
    struck: int  #: interruptions, those of restarts included

    @property
    def end(self) -> float:
        """Time at which the record ends [s]: the run time, if the run is finished."""
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
        rng: Source of chance. Whatever the interval, the same state strikes at the same times, if
            no notice saves.
        until: The record ends with the first span that ends at this time or later [s].
        most: Interruptions after which the record ends.

    The last segment ends with the work: the mean run time is `expected_runtime_short_tail`.

    >>> run = play_run(3600, 600, 60, 60, 1e300, np.random.default_rng(1))  # never interrupted
    >>> run.end, run.done, run.saved, run.struck
    (3960.0, True, 6, 0)
    """
    play = _Play(work, min(interval, work), dump, restart, mtbf, np.random.default_rng(rng))
    is_safe = notice_saves(dump, notice)
    while play.clock < until and play.struck < most and not play.reach_end():
        play.strike(is_safe, most)
    frame = pd.DataFrame(play.rows, columns=["begin", "end", "kind", "first", "last"])
    return Timeline(frame, play.saved >= play.segments, play.saved, play.struck)


@dataclass
class _Play:
    """Run in progress: its clock [s], the segments in a checkpoint, and the spans so far."""

    work: float
    interval: float
    dump: float
    restart: float
    mtbf: float
    rng: np.random.Generator
    clock: float = 0.0
    saved: int = 0
    struck: int = 0
    reached: float = 0.0  # time into the next segment that a notice has saved [s]
    rows: list[tuple[float, float, str, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Count the segments, and draw the time of the first interruption."""
        self.full, self.tail = split_segments(self.work, self.interval)
        self.segments = self.full + (self.tail > 0)
        self.undisturbed = self.next_gap()  # time until the next interruption [s]

    def next_gap(self) -> float:
        """Draw the time from one interruption to the next [s]."""
        return float(self.rng.exponential(self.mtbf))

    def record(self, length: float, kind: str, more: int = 0) -> None:
        """Record a span of this length [s] about the next segment and some more after it."""
        end = self.clock + length
        self.rows.append((self.clock, end, kind, self.saved, self.saved + more))
        self.clock = end

    def reach_end(self) -> bool:
        """Save all segments that end before the next interruption; return whether none is left."""
        while self.saved < self.segments:
            is_full = self.saved < self.full
            share = 1.0 if is_full else self.tail
            length = share * self.interval + self.dump - self.reached
            # Full segments are alike, so that as many as fit are taken at once, unless a notice has
            # cut the first of them.
            fit = 1
            if is_full and not self.reached:
                fit = int(min(self.undisturbed / length, self.full - self.saved))
            fit -= length * fit > self.undisturbed  # rounding
            if fit < 1:
                return False
            self.record(length * fit, "kept", fit - 1)
            self.undisturbed -= length * fit
            self.saved += fit
            self.reached = 0.0
        return True

    def strike(self, is_safe: bool, most: int) -> None:
        """Interrupt the run, which a notice may have made safe, and restart until that succeeds.

        It may not succeed before `most` interruptions.
        """
        self.struck += 1
        if is_safe:
            self.reached += self.undisturbed
            self.record(self.undisturbed + self.dump, "part")
        else:
            self.record(self.undisturbed, "lost")
        self.undisturbed = self.next_gap()
        while self.undisturbed < self.restart and self.struck < most:
            self.record(self.undisturbed, "restart")
            self.struck += 1
            self.undisturbed = self.next_gap()
        if self.restart and self.undisturbed >= self.restart:
            self.record(self.restart, "restart")
            self.undisturbed -= self.restart
