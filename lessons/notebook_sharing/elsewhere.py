"""Notebook sharing elsewhere: two pieces of work on one machine, which shares itself or does one after the other."""

from lessons.notebook_sharing.settings import TIE, Outcome
from physics.notebooks import Cell, run


def machine(first: float, second: float) -> dict[str, object]:
    """Return the outcomes of two pieces of work that begin together [s], and the mean and the sum of their ends."""
    work, alone = [[Cell(1, first)], [Cell(1, second)]], (first, second)
    equal, ordered = (run(work, 1, scheduler, starts=(0.0, TIE)) for scheduler in ("naive", "dynamic"))
    total = sum(ordered.end)
    outcomes = {"equal": Outcome(equal, equal.end, alone), "ordered": Outcome(ordered, ordered.end, alone)}
    return outcomes | {"mean": total / 2, "sum": total}
