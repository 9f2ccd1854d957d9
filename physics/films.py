"""Animations of simulated time: contents of each slot, waiting jobs, and counters.

`ui.films` plays them.

Places are the slots that jobs occupy: GPUs, servers, nodes, workers, cores, replicas, or slices,
numbered from 0. A film is made from a model's own record and adds nothing to it: what is on screen
at a moment is what the model says of that moment.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics.arguments import Finite, count, within_range

__all__ = ["Film", "film", "in_lanes"]

BOXES = ("first", "last", "begin", "end", "kind", "words")
WAITING = ("size", "begin", "end", "kind")
CURVES = ("time", "value", "kind")


@dataclass(frozen=True)
class Film:
    """Animation of a stretch of simulated time."""

    places: int  #: number of places [1]
    begin: float  #: first moment [s]
    end: float  #: last moment [s]
    #: one row per box: first and last slot, start and end [s], kind, and the text on it
    boxes: pd.DataFrame
    #: one row per waiting job: width in slots, start and end of the wait [s], kind
    waiting: pd.DataFrame
    #: one row per change of a quantity, such as the load: time [s], value from then on, kind
    curves: pd.DataFrame

    def busy(self, kind: str, place: int) -> float:
        """Return the share of time in which a box of one kind covers a slot [1]."""
        rows = self.boxes.query("kind == @kind and first <= @place <= last")
        return float((rows["end"] - rows["begin"]).sum() / (self.end - self.begin))

    @property
    def moments(self) -> list[float]:
        """Times of all changes in order, including the animation's start and end [s]."""
        times = {self.begin, self.end}
        for rows in (self.boxes, self.waiting):
            times |= {float(time) for column in ("begin", "end") for time in rows[column]}
        return sorted(time for time in times if self.begin <= time <= self.end)


@within_range
def film(
    places: int,
    begin: Finite,
    end: Finite,
    boxes: Iterable[tuple] | pd.DataFrame,
    waiting: Iterable[tuple] | pd.DataFrame = (),
    curves: Iterable[tuple] | pd.DataFrame = (),
) -> Film:
    """Make an animation from rows of boxes, waits, and curves, cut to its time span.

    Rows have the columns of BOXES, WAITING and CURVES; a curve's are in the order of time, and its
    first is not after the begin. A stretch that is empty, a place that is not there, two boxes in
    one place at a time, and a curve that is unknown at the begin or out of order are ValueErrors.

    >>> boxes = [(0, 0, -5, 4, "job", "a"), (0, 1, 4, 20, "job", "b")]
    >>> film(2, 0, 10, boxes, [(2, 1, 4, "job")]).moments
    [0.0, 1.0, 4.0, 10.0]
    """
    places = count("places", places, most=1_000_000)
    if end <= begin:
        raise ValueError(f"end must be later than begin, got {begin:g} to {end:g}")
    visible = _cut(boxes, BOXES, begin, end)
    if not visible["first"].ge(0).all() or not visible["last"].lt(places).all():
        raise ValueError(f"boxes must lie on the places 0 to {places - 1}")
    if _collide(visible, places):
        raise ValueError("two boxes are in one place at the same time")
    waits = _cut(waiting, WAITING, begin, end)
    return Film(places, begin, end, visible, waits, _changes(curves, begin, end))


def in_lanes(start: np.ndarray, end: np.ndarray, places: int, last: float) -> np.ndarray:
    """Return the lowest free slot for each job that starts before `last`; −1 if no slot is free.

    >>> in_lanes(np.array([0.0, 1, 2, 9]), np.array([5.0, 3, 4, 10]), 2, 9.0).tolist()
    [0, 1, -1, -1]
    """
    busy_until = np.full(places, -np.inf)
    lanes = np.full(len(start), -1)
    for job in np.argsort(start, kind="stable"):
        free = busy_until <= start[job] + _tolerance(start[job])
        if start[job] < last and free.any():
            lanes[job] = np.argmax(free)
            busy_until[lanes[job]] = end[job]
    return lanes


def _cut(
    rows: Iterable[tuple] | pd.DataFrame, columns: tuple[str, ...], begin: float, end: float
) -> pd.DataFrame:
    """Return the rows that lie within the time span, cut to it."""
    frame = _framed(rows, columns)
    starts = frame["begin"]
    is_inside = (starts < end) & (frame["end"] > begin) & (starts < frame["end"])
    inside = frame[is_inside].copy()
    inside[["begin", "end"]] = inside[["begin", "end"]].clip(begin, end).astype(float)
    return inside.sort_values("begin", kind="stable", ignore_index=True)


def _framed(rows: Iterable[tuple] | pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return rows as a frame with these columns."""
    if not isinstance(rows, pd.DataFrame):
        rows = pd.DataFrame(list(rows), columns=list(columns))
    return rows[list(columns)]


def _changes(rows: Iterable[tuple] | pd.DataFrame, begin: float, end: float) -> pd.DataFrame:
    """Return the changes of a curve within the time span, and its value at the start."""
    frame = _framed(rows, CURVES)
    changes = []
    for kind, curve in frame.groupby("kind", sort=False):
        if not (curve["time"].iloc[0] <= begin and curve["time"].is_monotonic_increasing):
            raise ValueError(
                f"curve {kind} must be in the order of time and known from {begin:g} on"
            )
        curve = curve.assign(time=curve["time"].clip(lower=begin).astype(float))
        curve = curve[curve["time"] < end].drop_duplicates("time", keep="last")
        changes.append(curve[curve["value"] != curve["value"].shift()])
    return pd.concat(changes, ignore_index=True) if changes else frame


def _tolerance(time: float) -> float:
    """Largest difference between two sums of the same times in different order [s]."""
    return 1e-9 * abs(time)


def _collide(boxes: pd.DataFrame, places: int) -> bool:
    """Return whether two boxes occupy one slot at the same time."""
    busy_until = np.full(places, -np.inf)
    for first, last, begin, end in boxes[["first", "last", "begin", "end"]].itertuples(index=False):
        if (busy_until[first : last + 1] > begin + _tolerance(begin)).any():
            return True
        busy_until[first : last + 1] = end
    return False
