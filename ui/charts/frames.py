"""Positions of rows on a chart [px], as far as its specification determines them without a browser.

The size of the plot is an assumption for each kind of screen: in a browser its width differs, but
the distances between marks hardly change.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from ui.charts.layers import kinds_of

#: Width of a letter as a share of the font's size, plain and bold.
LETTER = 0.52
BOLD = 0.56
#: Types of axes with names.
NAMED = ("nominal", "ordinal")
#: Position on a plot, measured from its upper left corner to the right and down [px].
Point = tuple[float, float]


class Box(NamedTuple):
    """Rectangle on a chart [px], measured from the plot's upper left corner."""

    left: float
    right: float
    top: float
    bottom: float

    def shared(self, other: "Box") -> float:
        """Return the area of overlap with another box [px²]."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)

    def crossed(self, start: Point, end: Point) -> float:
        """Return the length of a line segment inside the box [px]."""
        first = 0.0
        last = 1.0
        sides = ((self.left, self.right), (self.top, self.bottom))
        for (low, high), a, b in zip(sides, start, end, strict=True):
            if a == b:
                if not low < a < high:
                    return 0.0
                continue
            ends = sorted(((low - a) / (b - a), (high - a) / (b - a)))
            first = max(first, ends[0])
            last = min(last, ends[1])
        return max(0.0, last - first) * math.dist(start, end)


class Screen(NamedTuple):
    """Screen on which a chart is shown."""

    name: str
    width: float  #: of a chart with its axes [px]
    text: int  #: size of letters [px]
    narrow: bool = False  #: whether short forms of labels are shown


DESK = Screen("desk", 878, 12)
PHONE = Screen("phone", 362, 12, narrow=True)
PROJECTOR = Screen("projector", 745, 17)
SCREENS = (DESK, PHONE, PROJECTOR)


def screen_of(spec: Mapping, phone: bool) -> Screen:
    """Return the screen for which a specification was made."""
    if spec["config"]["text"]["fontSize"] >= PROJECTOR.text:
        return PROJECTOR
    if phone:
        return PHONE
    return DESK


class Frame:
    """Plot area of a layered chart on a screen, with its scales and text size."""

    def __init__(self, spec: Mapping, screen: Screen, titled: bool):
        self.screen = screen
        self.layers = [layer for layer in spec["layer"] if "encoding" in layer]
        #: type and scale of each axis with fixed ends
        self.scales: dict[str, tuple[str, Mapping[str, Any]]] = {}
        drawn_axes = set()
        for layer in self.layers:
            for axis in layer["encoding"].keys() & {"x", "y"}:
                channel = layer["encoding"][axis]
                scale = channel.get("scale") or {}
                if isinstance(scale.get("domain"), list):
                    self.scales.setdefault(axis, (channel["type"], scale))
                if "field" in channel and channel.get("axis", "") is not None:
                    drawn_axes.add(axis)
        left = 10.0
        if "y" in drawn_axes:
            left = self._left()
        below = 8.0
        if "x" in self.scales and "x" in drawn_axes:
            below = 4.8 * screen.text
        title_lines = 2 if screen.narrow else 1
        above = (title_lines * screen.text + 11) * titled
        self.width = screen.width - left
        self.height = max(60.0, spec.get("height", 290) - below - above)

    def _left(self) -> float:
        """Return the width of the y axis [px]."""
        text = self.screen.text
        kind, scale = self.scales.get("y", ("", {}))
        if kind not in NAMED:
            return 6 * text
        names = list(map(str, scale["domain"]))
        if self.screen.narrow:
            names = " ".join(names).split()
        return min(160.0, LETTER * text * max(map(len, names))) + 12

    def at(self, encoding: Mapping, row: Mapping, end: str = "") -> Point | None:
        """Return a row's position [px]; with `end` "2", the position of the row's other end.

        The result is None if it is unknown.
        """
        x = self._along("x", self.width, encoding.get("x" + end) or encoding.get("x") or {}, row)
        y = self._along("y", self.height, encoding.get("y" + end) or encoding.get("y") or {}, row)
        if x is None or y is None:
            return None
        return x, y

    def _along(self, axis: str, size: float, channel: Mapping, row: Mapping) -> float | None:
        """Return a row's position along one axis [px]; None if it is unknown."""
        if "value" in channel:
            position = channel["value"]
            if isinstance(position, str):
                position = {"width": self.width, "height": self.height}.get(position)
            if isinstance(position, int | float):
                return float(position)
            return None
        value = channel.get("datum")
        if "field" in channel:
            value = row.get(channel["field"])
        share = self._share(axis, value)
        if share is None:
            return None
        return share * size

    def _share(self, axis: str, value: Any) -> float | None:
        """Return a value's position along its axis, from 0 to 1, to the right or down."""
        kind, scale = self.scales.get(axis, ("", {}))
        domain: list = scale.get("domain") or []
        if kind in NAMED:
            if value not in domain:
                return None
            return (domain.index(value) + 0.5) / len(domain)
        bent = _BENT.get(scale.get("type", "linear"))
        numbers = [value, *domain]
        is_number = all(isinstance(number, int | float) for number in numbers)
        if kind != "quantitative" or bent is None or len(domain) != 2 or not is_number:
            return None
        value, low, high = map(bent, numbers)
        if low == high or math.isnan(value):
            return None
        share = (value - low) / (high - low)
        if bool(scale.get("reverse")) != (axis == "y"):
            return 1 - share
        return share

    def text(self, row: Mapping) -> str:
        """Return the text of a label on this screen."""
        if self.screen.narrow and row.get("short") is not None:
            return row["short"]
        return row["label"] or ""

    def box(self, x: float, y: float, row: Mapping) -> Box:
        """Return the approximate box of a label's text at a point."""
        size = self.screen.text
        letter = LETTER
        if row.get("bold"):
            letter = BOLD
        width = letter * size * len(self.text(row))
        left = x + row["dx"] - width * {"left": 0, "right": 1}.get(row["align"], 0.5)
        above = {"top": 0, "bottom": 1, "alphabetic": 0.8}.get(row["baseline"], 0.5)
        top = y + row["dy"] - 1.1 * size * above
        return Box(left, left + width, top, top + 1.1 * size)

    def lines(self, rows: Mapping[str, list[Mapping]]) -> Iterator[tuple[Point, Point]]:
        """Yield the segments of all lines and rules in these rows; `rows` is {kind: its rows}."""
        for layer in self.layers:
            mark = layer["mark"]
            encoding = layer["encoding"]
            if mark.get("opacity") == 0 or not {"x", "y"} <= encoding.keys():
                continue
            layer_rows = [row for kind in kinds_of(layer) for row in rows.get(kind, ())]
            if mark["type"] == "rule":
                for row in layer_rows:
                    start = self.at(encoding, row)
                    end = self.at(encoding, row, "2")
                    if start and end:
                        yield start, end
            elif mark["type"] == "line":
                yield from self._curves(
                    encoding, layer_rows, mark.get("interpolate") == "step-after"
                )

    def _curves(
        self, encoding: Mapping, rows: Iterable[Mapping], stepped: bool
    ) -> Iterator[tuple[Point, Point]]:
        """Yield the segments of the lines that a layer draws through rows."""
        channels = [encoding.get(name) or {} for name in ("detail", "color", "strokeDash")]
        fields = ["kind", *(channel["field"] for channel in channels if "field" in channel)]
        curves: dict[tuple, list[Point]] = {}
        for row in rows:
            point = self.at(encoding, row)
            if point:
                curves.setdefault(tuple(map(row.get, fields)), []).append(point)
        for curve in curves.values():
            for start, end in pairwise(curve):
                if stepped:
                    corner = (end[0], start[1])
                    yield start, corner
                    start = corner
                yield start, end


def _log(value: float) -> float:
    """Return the logarithm, of a tiny number for values up to zero."""
    return math.log(max(value, 1e-300))


def _root(value: float) -> float:
    """Return the square root of the magnitude, with the value's sign."""
    return math.copysign(math.sqrt(abs(value)), value)


def _symlog(value: float) -> float:
    """Return the logarithm of one plus the magnitude, with the value's sign."""
    return math.copysign(math.log1p(abs(value)), value)


#: Functions that make scales linear, by the scale's type.
_BENT: dict[str, Callable[[Any], float]] = {
    "linear": float,
    "log": _log,
    "sqrt": _root,
    "symlog": _symlog,
}
