"""Storage architecture: charts of two lines over one setting, such as bytes and opens."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import altair as alt
import numpy as np

from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Outcome, Reach, View, verdict_of
from ui.base.words import declared
from ui.charts import Look, Rows, axes, box, level, line, marks, plane, stack, upright
from ui.knobs.remedies import fix_sentence

Pair = tuple[float, float]
#: Ratio of the two values below which their labels would touch.
GAP = 2.3


@dataclass(frozen=True, eq=False)
class Frame:
    """Chart of two lines over one setting: the lines and the axes."""

    view: str
    values: Callable[[Design], Pair]  #: the heights of both lines
    grab: Grab
    title: str
    across: str  #: title of the x axis
    here: str  #: placeholder that writes the current value of the knob
    names: Sequence[str] = ("bandwidth", "metadata servers")
    left: float = 4e-3
    right: float = 1e3
    ticks: Sequence[float] = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
    up: str = "load (% of capacity)"  #: title of the y axis
    low: float = 1e-3
    high: float = 1e2
    shares: bool = True  #: whether the lines are loads, of which 1 is saturated
    rises: bool = False  #: whether the labels on the left of their points are above the lines

    def figure(self, design: Design, look: Look, end: float = 0.0) -> Figure:
        """Chart of the lines with the current setting, on an axis up to `end`."""
        return frame_figure(self, design, look, end or self.high)


def frame(view: str, values: Callable[[Design], Pair]) -> Frame:
    """Return the frame that `[charts.<view>]` of lesson.toml describes."""
    charts = declared(Design.page, "charts", Mapping[str, Mapping[str, Any]])
    table = dict(charts[view])
    grab = Grab(**table.pop("grab"))
    return Frame(view, values, grab, **table)


BOTH = attrgetter("loads.bandwidth", "loads.metadata")
FRAME = frame("loads", BOTH)
#: Settings that the search for a fix changes; the fleet is given.
FIXES = ("metadata_servers", "file_size", "storage_nodes")


def figure(
    design: Design,
    look: Look,
    guess: str | None = None,
    playing: bool = False,
    end: float = FRAME.high,
) -> Figure:
    """Chart of the loads against GPUs, with the prediction and the challenge's goal."""
    overlay = _goal(end) if playing else _guess_rows(design, guess)
    return frame_figure(FRAME, design, look, end, overlay)


def _goal(top: float) -> Rows:
    """Draw the challenge's goal: both lines below a load up to a number of GPUs."""
    gpus = float(k.STORAGE_CHALLENGE_FLEET)
    text = f"below {f.share(QUEUES)}"
    return [
        {"kind": "goal", "x": gpus, "y": QUEUES},
        *marks.limit("fleet", gpus, top, f"goal: both lines {text} here", short=text, dx=-6, dy=10),
    ]


def _guess_rows(design: Design, guess: str | None) -> Rows:
    """Draw the limit that is reached first according to an answer, or that none is reached."""
    if guess == "c":
        words = "you said: nothing reaches 100%"
        return [marks.label(FRAME.left, 1.0, words, dx=6, dy=-26, short="you said: nothing")]
    limits = {"a": ("bandwidth", design.bytes_full), "b": ("metadata servers", design.opens_full)}
    if guess not in limits:
        return []
    name, gpus = limits[guess]
    arrow = ""
    if gpus > FRAME.right:
        arrow = " →"
    elif gpus < FRAME.left:
        arrow = " ←"
    x = min(max(gpus, FRAME.left), FRAME.right)
    # The label is above its line and the label "overloaded"; on the left end it has room below.
    side = {"dx": -12, "dy": -26}
    if x <= FRAME.left * 4:
        side = {"dx": 12, "dy": 12}
    return marks.guess(x, 1.0, f"you said: {name} first{arrow}", short=f"you said{arrow}", **side)


@verdict_of(say)
def verdict(design: Design) -> Outcome:
    """Return the verdict that names the bottleneck."""
    if design.loads.highest < QUEUES:
        return "room", True
    if design.loads.holds:
        return f"{design.loads.binding}_queue", None
    return f"{design.loads.binding}_full", False


def remedies(design: Design) -> str:
    """List every single change that lets all reads through, each as small as possible."""
    return fix_sentence(say, design, attrgetter("loads.holds"), FIXES)


@verdict_of(say)
def judge(design: Design) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that the design misses."""
    if design.file_size != k.STORAGE_FILE_SIZE:
        return "wrong_files", None
    if design.accelerators < k.STORAGE_CHALLENGE_FLEET:
        return "too_few", None
    if design.loads.highest >= QUEUES:
        return f"{design.loads.binding}_high", False
    if design.cost > k.STORAGE_CHALLENGE_BUDGET:
        return "too_expensive", False
    return "won", True


def frame_figure(
    frame: Frame, design: Design, look: Look, high: float, overlay: Sequence[marks.Row] = ()
) -> Figure:
    """Chart of two lines in their frame up to `high`, with the current setting on both."""
    rows: Rows = []
    if frame.shares:
        rows.append({"kind": "overload", "x": frame.left, "y": high})
        rows += marks.limit("saturated", frame.left, 1.0, "overloaded", dx=6, dy=-9, tone="bad")
    grab = frame.grab
    values = frame.values(design)
    current = getattr(design, grab.knob)
    x = np.geomspace(frame.left, frame.right, 97, dtype=type(current))
    curves = frame.values(replace(design, **{grab.knob: x * grab.unit}))
    for name, y in zip(frame.names, curves, strict=True):
        inside = (y >= frame.low) & (y <= high)
        rows.append({"kind": "line", "limit": name, "x": x[inside], "y": y[inside]})
    here = _here(frame, current / grab.unit, say.written(frame.here, design), values, high)
    return Figure(
        frame.view,
        frame.title,
        stack([*rows, *overlay, *here]),
        _spec(look, frame, high),
        say(f"{frame.view}_chart", design),
        ("line",),
        grab,
        Reach(max(values), high) if frame.shares else None,
    )


def _here(frame: Frame, x: float, words: str, values: Pair, high: float) -> Rows:
    """Rows of the current setting on both lines, each with its name and value.

    A value beyond the frame is an arrow at its edge.
    """
    is_right = math.log(x / frame.left) > 0.4 * math.log(frame.right / frame.left)
    dx = -10 if is_right else 10
    are_close = max(values) < GAP * min(values)
    rows = marks.limit("setting", x, frame.low, words, dx=dx, dy=-9, tone="ink")
    for name, tone, value in zip(frame.names, ("s0", "s1"), values, strict=True):
        y = min(max(value, frame.low), high)
        arrow = ""
        shape = "circle"
        if value > y:
            arrow = " ↑"
            shape = "triangle-up"
        elif value < y:
            arrow = " ↓"
            shape = "triangle-down"
        rows.append(marks.point(x, y, shape=shape, tone=tone, role="here"))
        # A label is on the side from which its line leads away; two close ones are above and below.
        is_above = is_right == frame.rises
        if are_close:
            is_above = value == max(values)
        dy = -13
        if arrow == " ↑" or not (is_above or arrow):
            dy = 13
            if are_close and is_right == frame.rises and not arrow:
                dy = 35  # below the end of its falling line
        elif frame.shares and 0.35 < value < 0.7:
            dy = -24  # above the line at 100%
        written = load_words(value) if frame.shares else f.duration(value * k.HOUR)
        text = f"{name} {written}{arrow}"
        rows.append(marks.label(x, y, text, dx=dx, dy=dy, tone=tone, bold=True, short=name))
    return rows


@plane
def _spec(look: Look, frame: Frame, high: float) -> tuple:
    """Specification: two lines on logarithmic axes; if they are loads, 1 is saturated."""
    ends = [frame.left, frame.right]
    form = ",~%" if frame.shares else ",~g"
    low = round(math.log10(frame.low))
    powers = [10.0**power for power in range(low, round(math.log10(high)) + 1)]
    colors = alt.Scale(domain=list(frame.names), range=list(look.series[:2]))
    color = alt.Color("limit:N", scale=colors, legend=None)
    tooltip = [axes.tip("x:Q", frame.across, ",.4~g"), axes.tip("y:Q", frame.up, form)]
    across = {"x": alt.value(0), "x2": alt.value("width"), "y2": alt.datum(1)}
    return (
        axes.x("x:Q", frame.across, ends, type="log", format=",~g", values=frame.ticks, grid=False),
        axes.y("y:Q", frame.up, [frame.low, high], type="log", format=form, values=powers),
        box("overload", "bad", opacity=0.08, **across),
        level("saturated", "bad"),
        level("goal", "good"),
        upright("fleet", "good"),
        upright("setting", "quiet", (2, 3)),
        line("line", color=color, tooltip=tooltip),
    )


@verdict_of(say)
def _objects_verdict(design: Design) -> Outcome:
    """Return the verdict on which of an object store's two limits is the bottleneck."""
    holds = design.objects.holds
    return "objects_hold" if holds else f"{design.objects.binding}_full", holds


def _copy_times(design: Design) -> Pair:
    """Times to carry the bytes of the copy and to open its files [h]."""
    return design.copy.carrying / k.HOUR, design.copy.opening / k.HOUR


@verdict_of(say)
def _copy_verdict(design: Design) -> Outcome:
    """Return the verdict on whether the data fit on the nodes' drives, and on the copy's limit."""
    if design.local.space > 1:
        return "no_space", False
    return "copying", True


OBJECTS = frame("objects", attrgetter("objects.requests", "objects.connections"))
LOCAL = frame("local", _copy_times)
SIZE = frame("size", BOTH)

view = View("loads", figure=figure, verdict=verdict, remedies=remedies)
objects = View("objects", figure=OBJECTS.figure, verdict=_objects_verdict)
local = View("local", figure=LOCAL.figure, verdict=_copy_verdict)
size = View("size", figure=SIZE.figure)
