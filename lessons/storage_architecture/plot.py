"""Storage architecture: what its charts on two log scales have in common."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from lessons.storage_architecture.settings import load_words
from ui.base import format as f
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look
from ui.charts.plane import level, line, plane, upright

Row = dict[str, object]
#: Names closer than this factor would touch.
GAP = 2.3


@dataclass(frozen=True)
class Frame:
    """A chart's axes: what is on them, and where they end; only the top may follow what leaves it."""

    across: str
    left: float
    right: float
    up: str = "load ÷ capacity"
    low: float = 1e-3
    high: float = 1e2
    names: tuple[str, str] = ("bandwidth", "metadata servers")  #: of its two lines
    shares: bool = True  #: whether it is a chart of loads, where 1 is saturated

    @property
    def ticks(self) -> list[float]:
        """Powers of ten on the upright axis."""
        first, last = (round(math.log10(end)) for end in (self.low, self.high))
        return [10.0**power for power in range(first, last + 1)]

    def within(self, value: float) -> float:
        """Return a value, or the end of the upright axis that it lies beyond."""
        return min(max(value, self.low), self.high)

    def places(self) -> np.ndarray:
        """Return the places along the axis at which lines are computed."""
        return np.geomspace(self.left, self.right, 97)


def lines(frame: Frame, *values: Sequence[float]) -> list[Row]:
    """Return the rows of the two lines, as far as they lie in the frame."""
    x = frame.places()
    found = []
    for name, along in zip(frame.names, values, strict=True):
        y = np.asarray(along, dtype=float)
        inside = (y >= frame.low) & (y <= frame.high)
        found.append({"kind": "line", "limit": name, "x": x[inside], "y": y[inside]})
    return found


def here(
    frame: Frame, x: float, words: str, values: Sequence[float], rises: bool, written: Callable = load_words
) -> list[Row]:
    """Mark the present setting on both lines, each with its name and value; an arrow is beyond the frame."""
    across = math.log(x / frame.left) / math.log(frame.right / frame.left)
    found: list[Row] = [{"kind": "setting", "x": x, "y": frame.low}]
    side = {"align": "right", "dx": -10} if across > 0.4 else {"align": "left", "dx": 10}
    found.append(marks.label(x, frame.low, words, dy=-9, **side))
    close = max(values) < GAP * min(values)
    for name, tone, value in zip(frame.names, ("s0", "s1"), values, strict=True):
        beyond = " ↑" if value > frame.high else " ↓" if value < frame.low else ""
        shape = {" ↑": "triangle-up", " ↓": "triangle-down"}.get(beyond, "circle")
        found.append(marks.point(x, frame.within(value), shape=shape, tone=tone, role="here"))
        # A line rises or falls away from its name; two that are close stand above and below.
        above = value == max(values) if close else (across > 0.4) == rises
        down = 13 if beyond == " ↑" or (not above and not beyond) else -13
        text = f"{name} {written(value)}{beyond}"
        found.append(marks.label(x, frame.within(value), text, dy=down, tone=tone, bold=True, short=name, **side))
    return found


def background(frame: Frame) -> list[Row]:
    """Return the rows of the region beyond saturation."""
    if not frame.shares:
        return []
    words = marks.label(frame.right, frame.high, "overloaded", align="right", dx=-6, dy=10, tone="bad")
    return [{"kind": "overload", "x": frame.left, "y": frame.high}, {"kind": "saturated", "y": 1.0}, words]


def goal(frame: Frame, gpus: float, load: float) -> list[Row]:
    """Draw the challenge's goal: both lines below a load up to a number of GPUs."""
    text = f"goal: both lines below {f.share(load)} here"
    return [
        {"kind": "goal", "x": gpus, "y": load},
        {"kind": "fleet", "x": gpus, "y": load},
        marks.label(gpus, frame.high, text, align="right", dx=-6, dy=10, tone="good", short=f"below {f.share(load)}"),
    ]


@plane
def spec(look: Look, frame: Frame, ticks: tuple[float, ...]) -> tuple:
    """Two lines on log scales that stand still; where they are loads, 1 is saturated."""
    x = axes.x("x:Q", frame.across, [frame.left, frame.right], type="log", format=",~g", values=ticks, grid=False)
    form = ",~%" if frame.shares else ",~g"
    y = axes.y("y:Q", frame.up, [frame.low, frame.high], type="log", format=form, values=frame.ticks)
    color = alt.Color("limit:N", scale=alt.Scale(domain=list(frame.names), range=list(look.series[:2])), legend=None)
    tooltip = [alt.Tooltip("x:Q", format=",.4~g", title=frame.across), alt.Tooltip("y:Q", format=form, title=frame.up)]
    drawn = line("line", color=color, tooltip=tooltip)
    setting = upright("setting", "quiet", (2, 3))
    if not frame.shares:
        return x, y, setting, drawn
    goals = (level("goal", "good"), upright("fleet", "good"))
    return x, y, _overload, level("saturated", "bad"), *goals, setting, drawn


def _overload(base: alt.Chart, look: Look) -> alt.Chart:
    region = base.transform_filter(only("overload")).mark_rect(color=look.bad, opacity=0.08)
    return region.encode(x=alt.value(0), x2=alt.value("width"), y2=alt.datum(1))
