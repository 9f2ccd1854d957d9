"""Position a chart's labels next to their marks, without covering other marks or labels.

A label keeps the position that its row prefers if it covers nothing there. Otherwise it moves to
another side of its mark, or further away.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import pyarrow as pa

from ui.base.lesson import Figure
from ui.charts.frames import Box, Frame, Point, Screen
from ui.charts.layers import kinds_of

#: Cost of a position for each px² over a mark or another label, and for each px² outside.
COVERED = 20.0
OUTSIDE = 8.0
#: Cost for each px of a crossed line, and for each px of distance from the preferred position.
CROSSED = 2.0
MOVED = 0.5
#: How far a label may overhang the frame or another label [px].
MARGIN = 2.0
#: Distances of a label from the center of its mark: across [px], and up or down [lines of text].
GAPS = (6, 10, 16)
LINES = (0, 0.5, 1, 1.6, 2.4, 3.3, 4.3)
#: Columns of a row for the position of its label, and their types.
STANDS = {"align": pa.string(), "baseline": pa.string(), "dx": pa.float64(), "dy": pa.float64()}


class Label(NamedTuple):
    """Chart label: its row, the position of its mark, and the allowed positions of its text."""

    number: int  #: of the row
    row: Mapping[str, Any]
    x: float
    y: float
    moves: bool  #: whether the label may be moved


@lru_cache(maxsize=256)
def placed(figure: Figure, screen: Screen) -> Figure:
    """Return a chart whose labels cover no mark and no other label, if there is enough space.

    If only the browser can compute the positions, all labels stay.
    """
    spec = figure.spec
    table = figure.rows
    if "label" not in table.column_names or "layer" not in spec or "transform" in spec:
        return figure
    positions = _new_positions(Frame(spec, screen, bool(figure.title)), table)
    if not positions:
        return figure
    for name, kind in STANDS.items():
        values = table[name].to_pylist()
        for number, position in positions.items():
            values[number] = position[name]
        index = table.column_names.index(name)
        table = table.set_column(index, name, pa.array(values, type=kind, from_pandas=True))
    return replace(figure, rows=table)


def labels_of(frame: Frame, table: pa.Table) -> Iterator[Label]:
    """Yield labels with a known position, including those on fills, which never move."""
    for mark, number, row, (x, y) in _marked(frame, table, "text"):
        if mark.get("dx") == {"expr": "datum.dx"} and frame.text(row):
            on_fill = row.get("tone") == "paper" or ("stroke" not in mark and not row["dx"])
            yield Label(number, row, x, y, row["kind"] == "label" and not on_fill)


def points_of(frame: Frame, table: pa.Table) -> Iterator[Box]:
    """Yield the boxes of a chart's points."""
    for mark, _, row, (x, y) in _marked(frame, table, "point"):
        if mark.get("opacity") != 0 and isinstance(row.get("size"), int | float):
            x += row.get("dx") or 0
            # A point's size is the area of the square around it.
            half = 0.5 * row["size"] ** 0.5
            yield Box(x - half, x + half, y - half, y + half)


def _marked(
    frame: Frame, table: pa.Table, kind_of_mark: str
) -> Iterator[tuple[Mapping, int, Mapping[str, Any], Point]]:
    """Yield the rows with a known position that some marks draw: mark, number, row, position."""
    row_kinds = table["kind"].to_pylist()
    for layer in frame.layers:
        if layer["mark"]["type"] != kind_of_mark:
            continue
        kinds = kinds_of(layer)
        numbers = [number for number, kind in enumerate(row_kinds) if kind in kinds]
        rows = table.take(pa.array(numbers, pa.int64())).to_pylist()
        for number, row in zip(numbers, rows, strict=True):
            point = frame.at(layer["encoding"], row)
            if point:
                yield layer["mark"], number, row, point


def _new_positions(frame: Frame, table: pa.Table) -> dict[int, Mapping[str, Any]]:
    """Return the new columns `STANDS` of the labels that have to move, by number of the row."""
    labels = list(labels_of(frame, table))
    marks = list(points_of(frame, table))
    boxes = {label.number: frame.box(label.x, label.y, label.row) for label in labels}
    moving = [label for label in labels if label.moves and not _is_free(label, boxes, marks, frame)]
    if not moving:
        return {}
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for row in table.to_pylist():
        by_kind.setdefault(str(row["kind"]), []).append(row)
    lines = list(frame.lines(by_kind))
    numbers = {label.number for label in moving}
    obstacles = marks + [box for number, box in boxes.items() if number not in numbers]
    positions = {}
    # Labels of the present settings stay near their marks; less important ones give way.
    for label in sorted(moving, key=_rank):
        positions[label.number], box = _best(frame, label, obstacles, lines)
        obstacles.append(box)
    return positions


def _best(
    frame: Frame, label: Label, obstacles: list[Box], lines: list[tuple]
) -> tuple[Mapping[str, Any], Box]:
    """Return the best position of a label, and its box there."""
    preferred = frame.box(label.x, label.y, label.row)
    sides = []
    for side in _sides(label.row, frame.screen.text):
        box = frame.box(label.x, label.y, {**label.row, **side})
        away = abs(box.left + box.right - preferred.left - preferred.right) / 2
        cost = MOVED * (away + abs(box.top - preferred.top))
        sides.append((cost + OUTSIDE * _outside(frame, label, side, box), side, box))
    sides.sort(key=itemgetter(0))
    left, right, top, bottom = zip(*(box for _, _, box in sides), strict=True)
    around = Box(min(left), max(right), min(top), max(bottom))
    near = [segment for segment in lines if around.crossed(*segment) > 0]
    least = math.inf
    for cost, side, box in sides:
        if cost >= least:
            break
        cost += COVERED * sum(box.shared(other) for other in obstacles)
        if cost < least:
            cost += CROSSED * sum(box.crossed(*segment) for segment in near)
        if cost < least:
            least = cost
            best = side, box
    return best


def _rank(label: Label) -> int:
    """Return a label's rank for placing: 0 for bold, 1 for colored, and 2 for quiet labels."""
    if label.row.get("bold"):
        return 0
    return 1 + (label.row.get("tone") == "quiet")


def _is_free(label: Label, boxes: Mapping[int, Box], marks: Iterable[Box], frame: Frame) -> bool:
    """Return whether a label may stay at its preferred position."""
    box = shrunk(boxes[label.number])
    others = (shrunk(other) for number, other in boxes.items() if number != label.number)
    if any(box.shared(other) > 0 for other in (*marks, *others)):
        return False
    return _outside(frame, label, label.row, box) <= 0


def _sides(row: Mapping[str, Any], text: float) -> Iterator[dict[str, Any]]:
    """Yield the positions of a label beside its mark, its preferred position first."""
    preferred = {name: row[name] for name in STANDS}
    yield preferred
    for lines in LINES:
        for dy in {1.15 * text * lines, -1.15 * text * lines}:
            middle = {"baseline": "middle", "dy": dy}
            yield preferred | middle
            for gap in GAPS:
                yield middle | {"align": "left", "dx": gap}
                yield middle | {"align": "right", "dx": -gap}
            if lines >= 1:
                yield middle | {"align": "center", "dx": 0}


def _outside(frame: Frame, label: Label, row: Mapping[str, Any], box: Box) -> float:
    """Return how much of a label overhangs the frame [px²].

    A label may overhang an edge of the frame if its mark is at this edge.
    """
    # Below and above the frame there is a gap of half a line before other texts begin.
    gap = 0.5 * frame.screen.text
    across = 0.0
    down = 0.0
    if label.x >= MARGIN or row["align"] != "right":
        across += max(0.0, -MARGIN - box.left)
    if label.x <= frame.width - MARGIN or row["align"] != "left":
        across += max(0.0, box.right - frame.width - MARGIN)
    if label.y >= MARGIN:
        down += max(0.0, -gap - box.top)
    if label.y <= frame.height - MARGIN:
        down += max(0.0, box.bottom - frame.height - gap)
    return (box.bottom - box.top) * across + (box.right - box.left) * down


def shrunk(box: Box) -> Box:
    """Return a label's box without its margin, because letters seldom fill the margin."""
    return Box(box.left + 1, box.right - 1, box.top + MARGIN, box.bottom - MARGIN)
