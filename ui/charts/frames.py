"""Positions of rows on a chart [px], as far as its specification determines them without a browser.

The size of the plot is assumed for each kind of screen: a browser gives it another width, but the
room between marks hardly changes.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from ui.charts.layers import kinds_of

#: Width of a letter as a share of the font's size, plain and bold.
LETTER = 0.52
BOLD = 0.56
_WORDS = re.compile(r"\s+")


class Box(NamedTuple):
    """Rectangle on a chart [px], measured from the plot's upper left corner to the right and
    down.
    """

    left: float
    right: float
    top: float
    bottom: float

    def shared(self, other: "Box") -> float:
        """Return the area of overlap with another box [px²]."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)

    def crossed(self, start: tuple[float, float], end: tuple[float, float]) -> float:
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
        self.scales: dict[str, tuple[str, Mapping[str, Any]]] = {}
        text = screen.text
        if screen.narrow:
            lines = 2  # of a title
        else:
            lines = 1
        for axis in ("x", "y"):
            for channel in self._channels(axis):
                scale = channel.get("scale") or {}
                if isinstance(scale.get("domain"), list) and axis not in self.scales:
                    self.scales[axis] = channel["type"], scale
        if "x" in self.scales and _is_drawn(self._channels("x")):
            below = 4.8 * text
        else:
            below = 8
        above = (lines * text + 11) * titled
        self.width = screen.width - self._left()
        self.height = max(60.0, spec.get("height", 290) - below - above)

    def _channels(self, axis: str) -> list[Mapping]:
        """Return how the layers describe an axis."""
        return [layer["encoding"][axis] for layer in self.layers if axis in layer["encoding"]]

    def _left(self) -> float:
        """Return the room of the y axis [px]."""
        text = self.screen.text
        if not _is_drawn(self._channels("y")):
            return 10
        kind, scale = self.scales.get("y", ("quantitative", {}))
        if kind in ("nominal", "ordinal"):
            names = [str(name) for name in scale["domain"]]
            if self.screen.narrow:
                names = [word for name in names for word in _WORDS.split(name)]
            return min(160.0, LETTER * text * max(map(len, names))) + 12
        return 6 * text

    def across(self, channel: Mapping, row: Mapping) -> float | None:
        """Return a row's position on the x axis [px]; None if it is unknown."""
        return self._place("x", self.width, channel, row)

    def down(self, channel: Mapping, row: Mapping) -> float | None:
        """Return a row's position on the y axis from the top [px]; None if it is unknown."""
        return self._place("y", self.height, channel, row)

    def _place(self, axis: str, size: float, channel: Mapping, row: Mapping) -> float | None:
        ends = {"width": self.width, "height": self.height}
        if "value" in channel:
            position = channel["value"]
            if isinstance(position, str):
                position = ends.get(position)
            if isinstance(position, int | float):
                return float(position)
            return None
        if "field" in channel:
            value = row.get(channel["field"])
        else:
            value = channel.get("datum")
        share = self._share(axis, value)
        if share is None:
            return None
        if axis == "y" and self.scales["y"][0] == "quantitative":
            share = 1 - share
        return share * size

    def _share(self, axis: str, value: object) -> float | None:
        """Return how far along its axis a value is, from 0 to 1."""
        kind, scale = self.scales.get(axis, ("", {}))
        domain: list = scale.get("domain") or []
        if kind in ("nominal", "ordinal"):
            if value not in domain:
                return None
            return (domain.index(value) + 0.5) / len(domain)
        if kind != "quantitative" or not isinstance(value, int | float):
            return None
        if len(domain) != 2 or not all(isinstance(end, int | float) for end in domain):
            return None
        low, high = domain
        bent = _BENT.get(scale.get("type", "linear"))
        if bent is None or math.isnan(value):
            return None
        value, low, high = (bent(end) for end in (value, low, high))
        if low == high:
            return None
        share = (value - low) / (high - low)
        if scale.get("reverse"):
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
        if row.get("bold"):
            letter = BOLD
        else:
            letter = LETTER
        width = letter * size * len(self.text(row))
        left = x + row["dx"] - width * {"left": 0, "right": 1}.get(row["align"], 0.5)
        above = {"top": 0, "bottom": 1, "alphabetic": 0.8}.get(row["baseline"], 0.5)
        top = y + row["dy"] - 1.1 * size * above
        return Box(left, left + width, top, top + 1.1 * size)

    def lines(
        self, rows: Mapping[str, list[Mapping]]
    ) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """Yield the segments of all lines and rules of these rows, by kind."""
        for layer in self.layers:
            mark = layer["mark"]
            if mark.get("opacity") == 0 or mark["type"] not in ("line", "rule"):
                continue
            encoding = layer["encoding"]
            if "x" not in encoding or "y" not in encoding:
                continue
            drawn = [row for kind in kinds_of(layer) for row in rows.get(kind, ())]
            if mark["type"] == "rule":
                yield from self._rules(encoding, drawn)
            else:
                yield from self._curves(encoding, drawn, str(mark.get("interpolate", "")))

    def _rules(self, encoding: Mapping, rows: Iterable[Mapping]) -> Iterator[tuple]:
        for row in rows:
            places = [
                self.across(encoding["x"], row),
                self.down(encoding["y"], row),
                self.across(encoding.get("x2", encoding["x"]), row),
                self.down(encoding.get("y2", encoding["y"]), row),
            ]
            if None not in places:
                yield tuple(places[:2]), tuple(places[2:])

    def _curves(self, encoding: Mapping, rows: Iterable[Mapping], how: str) -> Iterator[tuple]:
        fields = [
            encoding[name]["field"]
            for name in ("detail", "color", "strokeDash")
            if "field" in (encoding.get(name) or {})
        ]
        curves: dict[tuple, list[tuple[float, float]]] = {}
        for row in rows:
            x = self.across(encoding["x"], row)
            y = self.down(encoding["y"], row)
            curve = curves.setdefault((row["kind"], *(row.get(name) for name in fields)), [])
            if x is not None and y is not None:
                curve.append((x, y))
        for curve in curves.values():
            for start, end in pairwise(curve):
                if how != "step-after":
                    yield start, end
                    continue
                corner = end[0], start[1]
                yield start, corner
                yield corner, end


def _is_drawn(channels: Iterable[Mapping]) -> bool:
    """Say whether one of the channels has an axis that is drawn."""
    return any("field" in channel and channel.get("axis", "") is not None for channel in channels)


def _log(value: float) -> float:
    return math.log(max(value, 1e-300))


def _root(value: float) -> float:
    return math.copysign(math.sqrt(abs(value)), value)


def _symlog(value: float) -> float:
    return math.copysign(math.log1p(abs(value)), value)


_BENT: dict[str, Callable[[Any], float]] = {
    "linear": float,
    "log": _log,
    "sqrt": _root,
    "symlog": _symlog,
}
