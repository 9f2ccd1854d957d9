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
from ui.charts import Look, axes, box, level, line, marks, plane, stack, upright
from ui.charts.axes import tip
from ui.charts.described import Rows
from ui.knobs.remedies import fix_sentence

Pair = tuple[float, float]
#: Names closer than this factor would touch.
GAP = 2.3


@dataclass(frozen=True, eq=False)
class Frame:
    """Chart of two lines over one setting: the lines and the axes, of which only the top may
    vary.
    """

    view: str
    values: Callable[[Design], Pair]  #: of the lines
    grab: Grab
    title: str
    across: str
    here: str  #: how the knob's value is written
    names: Sequence[str] = ("bandwidth", "metadata servers")
    left: float = 4e-3
    right: float = 1e3
    ticks: Sequence[float] = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
    up: str = "load (% of capacity)"
    low: float = 1e-3
    high: float = 1e2
    shares: bool = True  #: whether it is a chart of loads, where 1 is saturated
    rises: bool = False  #: whether what leaves its lines rises to the right

    def figure(self, design: Design, look: Look, end: float = 0.0) -> Figure:
        """Chart of the lines with the current setting."""
        return drawn(replace(self, high=end or self.high), design, look)


def frame(view: str, values: Callable[[Design], Pair]) -> Frame:
    """Return the frame that `[charts.<view>]` of lesson.toml describes."""
    charts = declared(Design.page, "charts", Mapping[str, Mapping[str, Any]])
    table = dict(charts[view])
    grab = Grab(**table.pop("grab"))
    return Frame(view, values, grab, **table)


BOTH = attrgetter("loads.bandwidth", "loads.metadata")
FRAME = frame("loads", BOTH)
#: What may be changed to let all reads through; the fleet is the task and stays.
FIXES = ("metadata_servers", "file_size", "storage_nodes")


def figure(
    design: Design,
    look: Look,
    guess: str | None = None,
    playing: bool = False,
    end: float = FRAME.high,
) -> Figure:
    """Chart of the loads against GPUs, with the prediction and the challenge's goal."""
    overlay = _goal(end) if playing else _said(design, guess)
    return drawn(replace(FRAME, high=end), design, look, overlay)


def _goal(top: float) -> Rows:
    """Draw the challenge's goal: both lines below a load up to a number of GPUs."""
    gpus = float(k.STORAGE_CHALLENGE_FLEET)
    text = f"below {f.share(QUEUES)}"
    return [
        {"kind": "goal", "x": gpus, "y": QUEUES},
        *marks.limit("fleet", gpus, top, f"goal: both lines {text} here", short=text, dx=-6, dy=10),
    ]


def _said(design: Design, guess: str | None) -> Rows:
    """Mark what an answer says: which limit is reached first, or that none is."""
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
    # Above its line and the name of its place; near the left end there is no room for it.
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


def drawn(frame: Frame, design: Design, look: Look, more: Sequence[marks.Row] = ()) -> Figure:
    """Draw two lines in their frame, the current setting on both, and further layers."""
    rows: Rows = []
    if frame.shares:
        rows.append({"kind": "overload", "x": frame.left, "y": frame.high})
        rows += marks.limit("saturated", frame.left, 1.0, "overloaded", dx=6, dy=-9, tone="bad")
    grab = frame.grab
    values = frame.values(design)
    current = getattr(design, grab.knob)
    xs = np.geomspace(frame.left, frame.right, 97, dtype=type(current))
    curves = frame.values(replace(design, **{grab.knob: xs * grab.unit}))
    for name, y in zip(frame.names, curves, strict=True):
        inside = (y >= frame.low) & (y <= frame.high)
        rows.append({"kind": "line", "limit": name, "x": xs[inside], "y": y[inside]})
    here = _here(frame, current / grab.unit, say.written(frame.here, design), values)
    return Figure(
        frame.view,
        frame.title,
        stack([*rows, *more, *here]),
        _spec(look, frame),
        say(f"{frame.view}_chart", design),
        ("line",),
        grab,
        Reach(max(values), frame.high) if frame.shares else None,
    )


def _here(frame: Frame, x: float, words: str, values: Pair) -> Rows:
    """Mark the present setting on both lines, each with its name and value; an arrow is beyond the
    frame.
    """
    right = math.log(x / frame.left) > 0.4 * math.log(frame.right / frame.left)
    dx = -10 if right else 10
    close = max(values) < GAP * min(values)
    rows = marks.limit("setting", x, frame.low, words, dx=dx, dy=-9, tone="ink")
    for name, tone, value in zip(frame.names, ("s0", "s1"), values, strict=True):
        y = min(max(value, frame.low), frame.high)
        beyond = ""
        shape = "circle"
        if value > y:
            beyond = " ↑"
            shape = "triangle-up"
        elif value < y:
            beyond = " ↓"
            shape = "triangle-down"
        rows.append(marks.point(x, y, shape=shape, tone=tone, role="here"))
        # A line rises or falls away from its name; two that are close stand above and below.
        above = right == frame.rises
        if close:
            above = value == max(values)
        dy = -13
        if beyond == " ↑" or not (above or beyond):
            dy = 13
            if close and right == frame.rises and not beyond:
                dy = 35  # below where its line falls to
        elif frame.shares and 0.35 < value < 0.7:
            dy = -24  # else a line at 100% runs through it
        written = load_words(value) if frame.shares else f.duration(value * k.HOUR)
        text = f"{name} {written}{beyond}"
        rows.append(marks.label(x, y, text, dx=dx, dy=dy, tone=tone, bold=True, short=name))
    return rows


@plane
def _spec(look: Look, frame: Frame) -> tuple:
    """Two lines on log scales that stand still; where they are loads, 1 is saturated."""
    ends = [frame.left, frame.right]
    form = ",~%" if frame.shares else ",~g"
    low = round(math.log10(frame.low))
    powers = [10.0**power for power in range(low, round(math.log10(frame.high)) + 1)]
    colors = alt.Scale(domain=list(frame.names), range=list(look.series[:2]))
    color = alt.Color("limit:N", scale=colors, legend=None)
    tooltip = [tip("x:Q", frame.across, ",.4~g"), tip("y:Q", frame.up, form)]
    across = {"x": alt.value(0), "x2": alt.value("width"), "y2": alt.datum(1)}
    return (
        axes.x("x:Q", frame.across, ends, type="log", format=",~g", values=frame.ticks, grid=False),
        axes.y("y:Q", frame.up, [frame.low, frame.high], type="log", format=form, values=powers),
        box("overload", "bad", opacity=0.08, **across),
        level("saturated", "bad"),
        level("goal", "good"),
        upright("fleet", "good"),
        upright("setting", "quiet", (2, 3)),
        line("line", color=color, tooltip=tooltip),
    )


@verdict_of(say)
def _objects_verdict(design: Design) -> Outcome:
    """Say which of an object store's two limits is the bottleneck."""
    holds = design.objects.holds
    return "objects_hold" if holds else f"{design.objects.binding}_full", holds


def _copying(design: Design) -> Pair:
    return design.copy.carrying / k.HOUR, design.copy.opening / k.HOUR


@verdict_of(say)
def _copy_verdict(design: Design) -> Outcome:
    """Say whether the data fit on the nodes' own drives, and what the copy onto them waits for."""
    if design.local.space > 1:
        return "no_space", False
    return "copying", True


OBJECTS = frame("objects", attrgetter("objects.requests", "objects.connections"))
LOCAL = frame("local", _copying)
SIZE = frame("size", BOTH)

view = View("loads", figure=figure, verdict=verdict, remedies=remedies)
objects = View("objects", figure=OBJECTS.figure, verdict=_objects_verdict)
local = View("local", figure=LOCAL.figure, verdict=_copy_verdict)
size = View("size", figure=SIZE.figure)
