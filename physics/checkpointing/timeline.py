"""One checkpointed run, interruption by interruption: when it works, what it loses, when it resumes."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from physics.checkpointing.interruptions import notice_saves
from physics.numerics.checks import MANY, count, non_negative, positive, positive_or_infinite, within_range

__all__ = ["Timeline", "play_run"]

_COLUMNS = ("begin", "end", "kind", "first", "last", "paid")


@dataclass(frozen=True)
class Timeline:
    """One run, from its start until it is done or the record ends."""

    #: one row a span: begin and end [s], kind ("kept": segments with their dumps; "part": work saved by a notice, with
    #: its dump; "lost"; "wait" for missing nodes; "restart"), the first and last segment it is about, numbered from 0,
    #: and how much of it is paid, in time of the whole gang [s]
    rows: pd.DataFrame
    done: bool  #: whether the work is done; False where the record ends before
    saved: int  #: segments in a checkpoint at the end
    struck: int  #: nodes taken away, also while the gang restarts or stands

    @cached_property
    def end(self) -> float:
        """When the record ends [s]: the run time, if the run is done."""
        return float(self.rows["end"].iloc[-1])

    @cached_property
    def paid(self) -> float:
        """Paid time of the whole job; missing nodes are not paid [s]."""
        return self.paid_by(math.inf)

    def paid_by(self, moment: float) -> float:
        """Time that has been paid for up to a moment [s]; a span that is under way counts in proportion."""
        begin, end = self.rows["begin"], self.rows["end"]
        return float((self.rows["paid"] * ((moment - begin) / (end - begin)).clip(0, 1)).sum())


@within_range
def play_run(
    work: float,
    interval: float,
    dump: float,
    restart: float,
    mtbf: float,
    rng: np.random.Generator,
    notice: float = 0.0,
    until: float = math.inf,
    most: int = 1000,
    delay: float = 0.0,
    nodes: int = 1,
) -> Timeline:
    """Record of one simulated run, span by span in order of time [s].

    Args:
        work, interval, dump, restart, mtbf, notice: As in `simulate_runs` [s].
        rng: Source of chance. Whatever the interval, the same state strikes at the same times, if no notice saves.
        until: The record ends with the first span that ends at this time or later [s].
        most: Nodes taken away after which the record ends.
        delay: Mean time until a struck node is replaced [s]; exponential. The gang stands until all are there.
        nodes: Nodes in the gang; `mtbf` is that of the gang, and those that stand are struck as well.

    Spans follow each other without a gap. The model is that of `physics.checkpointing.interruptions`, but that the last
    segment ends with the work: the mean run time is `expected_runtime_short_tail`. Its statistics are drawn faster by
    `simulate_runs`; this is for looking at.

    Source: Daly (2006), see `simulate_runs`: the same assumptions, event by event.

    >>> run = play_run(3600, 600, 60, 60, 1e300, np.random.default_rng(1))  # never interrupted
    >>> run.end, run.done, run.saved, run.struck
    (3960.0, True, 6, 0)
    """
    work, interval, mtbf = positive("work", work), positive("interval", interval), positive("mtbf", mtbf)
    dump, restart = non_negative("dump", dump), non_negative("restart", restart)
    until = positive_or_infinite("until", until)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, got {rng!r}")
    delay, nodes, most = non_negative("delay", delay), count("nodes", nodes, most=MANY), count("most", most)
    run = _Run(work, min(interval, work), dump, restart, mtbf, rng, notice_saves(dump, notice), delay, nodes, most)
    while not run.done and run.clock < until and run.struck < most:
        run.advance()
    return Timeline(pd.DataFrame(run.rows, columns=list(_COLUMNS)), run.done, run.saved, run.struck)


class _Run:
    """A run while it is played."""

    def __init__(
        self,
        work: float,
        interval: float,
        dump: float,
        restart: float,
        mtbf: float,
        rng: np.random.Generator,
        safe: bool,
        delay: float,
        nodes: int,
        most: int,
    ) -> None:
        self.interval, self.dump, self.restart = interval, dump, restart
        self.delay, self.nodes, self.most = delay, nodes, most
        self.mtbf, self.rng, self.safe = mtbf, rng, safe
        tail, whole = math.modf(work / interval)
        self.whole, self.tail = (int(whole), tail) if tail <= 1 - 1e-9 else (int(whole) + 1, 0.0)
        self.segments = self.whole + (self.tail > 1e-9)
        self.clock, self.saved, self.struck, self.reached = 0.0, 0, 0, 0.0
        self.rows: list[tuple] = []
        self.left = self._gap()

    @property
    def done(self) -> bool:
        return self.saved >= self.segments

    def _gap(self) -> float:
        return float(self.rng.exponential(self.mtbf))

    def _span(self, length: float, kind: str, last: int, paid: float | None = None) -> None:
        self.rows.append((self.clock, self.clock + length, kind, self.saved, last, length if paid is None else paid))
        self.clock += length

    def advance(self) -> None:
        """Work until the next interruption or the end; after an interruption other than the last, wait and restart."""
        self._finish_segments()
        if self.done:
            return
        self.struck += 1
        if self.safe:
            self.reached += self.left
            self._span(self.left + self.dump, "part", self.saved)
        else:
            self._span(self.left, "lost", self.saved)
        complete = self._wait()
        self.left = self._gap()
        while complete and self.left < self.restart and self.struck < self.most:
            self._span(self.left, "restart", self.saved)
            self.struck += 1
            complete = self._wait()
            self.left = self._gap()
        if not complete or self.left < self.restart:
            return
        if self.restart:
            self._span(self.restart, "restart", self.saved)
        self.left -= self.restart

    def _wait(self) -> bool:
        """Wait for every node, and return whether that ends before the last interruption of the record."""
        missing, length, paid = 1 if self.delay else 0, 0.0, 0.0
        while missing and self.struck < self.most:
            there = 1 - missing / self.nodes
            strikes, returns = there / self.mtbf, missing / self.delay
            gap = float(self.rng.exponential(1 / (strikes + returns)))
            length, paid = length + gap, paid + there * gap
            struck = self.rng.random() * (strikes + returns) < strikes
            missing += 1 if struck else -1
            self.struck += struck
        if length:
            self._span(length, "wait", self.saved, paid)
        return not missing

    def _finish_segments(self) -> None:
        """Take every segment that gets through before the interruption."""
        while not self.done:
            full = self.saved < self.whole
            length = (self.interval if full else self.tail * self.interval) + self.dump - self.reached
            # Whole segments are alike: as many as fit are taken at once, but the one that a notice has cut is itself.
            fit = int(min(self.left / length, self.whole - self.saved)) if full and not self.reached else 1
            fit -= length * fit > self.left  # rounding
            if fit < 1:
                return
            self._span(length * fit, "kept", self.saved + fit - 1)
            self.left -= length * fit
            self.saved, self.reached = self.saved + fit, 0.0
