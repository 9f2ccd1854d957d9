"""Storage architecture: what its charts on two log scales have in common."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from lessons.storage_architecture.settings import Design, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts import Look, axes, box, level, line, marks, plane, stack, upright

Row = dict[str, object]
Rows = Sequence[Row]
Pair = tuple[float, float]
Lines = Sequence[Sequence[float]]
#: Names closer than this factor would touch.
GAP = 2.3


@dataclass(frozen=True)
class Frame:
    """A chart's axes: what is on them, and where they end; only the top may follow what leaves it."""

    view: str
    title: str
    grab: Grab
    across: str
    left: float = 4e-3
    right: float = 1e3
    ticks: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
    up: str = "load ÷ capacity"
    low: float = 1e-3
    high: float = 1e2
    names: tuple[str, str] = ("bandwidth", "metadata servers")  #: of its two lines
    shares: bool = True  #: whether it is a chart of loads, where 1 is saturated
    rises: bool = False  #: whether what leaves its lines rises to the right

    def share(self, x: float) -> float:
        """Return how far along the axis a place is, from 0 to 1."""
        return math.log(x / self.left) / math.log(self.right / self.left)

    def places(self) -> np.ndarray:
        """Return the places along the axis at which lines are computed."""
        return np.geomspace(self.left, self.right, 97)


def drawn(
    frame: Frame, design: Design, look: Look, here: tuple[float, str], values: Pair, along: Lines, more: Rows = ()
) -> Figure:
    """Draw two lines over their frame, the present setting on both, and what else there is."""
    rows = stack([*_background(frame, here[0]), *_lines(frame, along), *more, *_here(frame, *here, values)])
    reach = Reach(max(values), frame.high, math.inf) if frame.shares else None
    alt = say(f"{frame.view}_chart", design)
    return Figure(frame.view, frame.title, rows, _spec(look, frame), alt, ("line",), frame.grab, reach)


def _lines(frame: Frame, along: Lines) -> Rows:
    """Return the rows of the two lines, as far as they lie in the frame."""
    found = []
    for name, values in zip(frame.names, along, strict=True):
        y = np.asarray(values, dtype=float)
        inside = (y >= frame.low) & (y <= frame.high)
        found.append({"kind": "line", "limit": name, "x": frame.places()[inside], "y": y[inside]})
    return found


def _here(frame: Frame, x: float, words: str, values: Pair) -> Rows:
    """Mark the present setting on both lines, each with its name and value; an arrow is beyond the frame."""
    across = frame.share(x)
    found: list[Row] = [{"kind": "setting", "x": x, "y": frame.low}]
    side = {"align": "right", "dx": -10} if across > 0.4 else {"align": "left", "dx": 10}
    found.append(marks.label(x, frame.low, words, dy=-9, **side))
    close = max(values) < GAP * min(values)
    for name, tone, value in zip(frame.names, ("s0", "s1"), values, strict=True):
        beyond = " ↑" if value > frame.high else " ↓" if value < frame.low else ""
        y = min(max(value, frame.low), frame.high)
        shape = {" ↑": "triangle-up", " ↓": "triangle-down"}.get(beyond, "circle")
        found.append(marks.point(x, y, shape=shape, tone=tone, role="here"))
        # A line rises or falls away from its name; two that are close stand above and below.
        above = value == max(values) if close else (across > 0.4) == frame.rises
        down = 13 if beyond == " ↑" or (not above and not beyond) else -13
        down -= 11 * (down < 0 and frame.shares and 0.35 < value < 0.7)  # else a line at 100 % runs through it
        written = load_words(value) if frame.shares else f.duration(value * k.HOUR)
        text = f"{name} {written}{beyond}"
        found.append(marks.label(x, y, text, dy=down, tone=tone, bold=True, short=name, **side))
    return found


def _background(frame: Frame, x: float) -> list[Row]:
    """Return the rows of the region beyond saturation; its name stands away from the present setting's."""
    if not frame.shares:
        return []
    end, side = (frame.left, {"dx": 6}) if frame.share(x) > 0.75 else (frame.right, {"align": "right", "dx": -6})
    words = marks.label(end, frame.high, "overloaded", dy=10, tone="bad", **side)
    return [{"kind": "overload", "x": frame.left, "y": frame.high}, {"kind": "saturated", "y": 1.0}, words]


@plane
def _spec(look: Look, frame: Frame) -> tuple:
    """Two lines on log scales that stand still; where they are loads, 1 is saturated."""
    ends, form = [frame.left, frame.right], ",~%" if frame.shares else ",~g"
    x = axes.x("x:Q", frame.across, ends, type="log", format=",~g", values=frame.ticks, grid=False)
    powers = [10.0**power for power in range(round(math.log10(frame.low)), round(math.log10(frame.high)) + 1)]
    y = axes.y("y:Q", frame.up, [frame.low, frame.high], type="log", format=form, values=powers)
    color = alt.Color("limit:N", scale=alt.Scale(domain=list(frame.names), range=list(look.series[:2])), legend=None)
    tooltip = [alt.Tooltip("x:Q", format=",.4~g", title=frame.across), alt.Tooltip("y:Q", format=form, title=frame.up)]
    drawn = line("line", color=color, tooltip=tooltip)
    setting = upright("setting", "quiet", (2, 3))
    if not frame.shares:
        return x, y, setting, drawn
    goals = (level("goal", "good"), upright("fleet", "good"))
    across = {"x": alt.value(0), "x2": alt.value("width"), "y2": alt.datum(1)}
    return x, y, box("overload", "bad", opacity=0.08, **across), level("saturated", "bad"), *goals, setting, drawn
