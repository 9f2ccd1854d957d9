"""Storage architecture: charts of two lines over one setting on log scales, such as bytes and
opens.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import altair as alt
import numpy as np

from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach, Verdict
from ui.charts import Look, axes, box, level, line, marks, plane, stack, upright
from ui.knobs.remedies import told

Pair = tuple[float, float]
#: Names closer than this factor would touch.
GAP = 2.3


@dataclass(frozen=True, eq=False)
class Frame:
    """View whose chart has two lines over one setting: the lines and the axes, of which only the
    top may vary.
    """

    view: str
    title: str
    grab: Grab
    across: str
    here: str  #: how the knob's value is written
    values: Callable[[Design], Pair]  #: of the lines
    names: tuple[str, str] = ("bandwidth", "metadata servers")
    left: float = 4e-3
    right: float = 1e3
    ticks: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
    up: str = "load ÷ capacity"
    low: float = 1e-3
    high: float = 1e2
    shares: bool = True  #: whether it is a chart of loads, where 1 is saturated
    rises: bool = False  #: whether what leaves its lines rises to the right
    verdict: Callable[[Design], Verdict] | None = None  #: None: the lesson's

    def figure(self, design: Design, look: Look, end: float = 0.0) -> Figure:
        """Chart of the lines with the current setting."""
        return drawn(replace(self, high=end or self.high), design, look)


BOTH = attrgetter("loads.bandwidth", "loads.metadata")
TITLE = "At how many GPUs is each limit reached?"
TICKS = (128.0, 512.0, 2048.0, 4096.0, 8192.0, 16384.0)
ENDS = {"left": k.STORAGE_FLEET.low, "right": k.STORAGE_FLEET.high, "ticks": TICKS, "rises": True}
FRAME = Frame(
    "loads", TITLE, Grab("accelerators", says="GPU"), "GPUs", "accelerators:count GPU", BOTH, **ENDS
)
#: What may be changed to let all reads through; the fleet is the task and stays.
FIXES = ("metadata_servers", "file_size", "storage_nodes")


def figure(
    design: Design,
    look: Look,
    guess: str | None = None,
    playing: bool = False,
    end: float = FRAME.high,
) -> Figure:
    """Chart of the loads against GPUs, with the prediction and the goal of a challenge in
    progress.
    """
    return drawn(
        replace(FRAME, high=end), design, look, _goal(end) if playing else _said(design, guess)
    )


def _goal(top: float) -> list[marks.Row]:
    """Draw the challenge's goal: both lines below a load up to a number of GPUs."""
    gpus = float(k.STORAGE_CHALLENGE_FLEET)
    text = f"below {f.share(QUEUES)}"
    return [
        {"kind": "goal", "x": gpus, "y": QUEUES},
        *marks.limit("fleet", gpus, top, f"goal: both lines {text} here", short=text, dx=-6, dy=10),
    ]


def _said(design: Design, guess: str | None) -> list[marks.Row]:
    """Mark what an answer says: which limit is reached first, or that none is."""
    if guess == "c":
        return [
            marks.label(
                FRAME.left,
                1.0,
                "you said: nothing gets up here",
                dx=6,
                dy=-26,
                short="you said: nothing",
            )
        ]
    limits = {"a": ("bandwidth", design.bytes_full), "b": ("metadata servers", design.opens_full)}
    if guess not in limits:
        return []
    name, at = limits[guess]
    if at > FRAME.right:
        arrow = " →"
    elif at < FRAME.left:
        arrow = " ←"
    else:
        arrow = ""
    x = min(max(at, FRAME.left), FRAME.right)
    # Above its line and the name of its place; near the left end there is no room for it.
    if x > FRAME.left * 4:
        side = {"dx": -12, "dy": -26}
    else:
        side = {"dx": 12, "dy": 12}
    return marks.said(x, 1.0, f"you said: {name} first{arrow}", short=f"you said{arrow}", **side)


def verdict(design: Design) -> Verdict:
    """Return the verdict that names the bottleneck."""
    if design.loads.highest < QUEUES:
        return Verdict(say("room", design), True)
    if design.loads.holds:
        return Verdict(say(f"{design.loads.binding}_queue", design), None)
    return Verdict(say(f"{design.loads.binding}_full", design), False)


def remedies(design: Design) -> str:
    """List every single change that lets all reads through, each as small as possible."""
    return told(say, design, attrgetter("loads.holds"), FIXES)


def judge(design: Design) -> Verdict:
    """Judge the challenge for a design."""
    if design.file_size != k.STORAGE_FILE_SIZE:
        return Verdict(say("wrong_files", design))
    if design.accelerators < k.STORAGE_CHALLENGE_FLEET:
        return Verdict(say("too_few", design))
    if design.loads.highest >= QUEUES:
        return Verdict(say(f"{design.loads.binding}_high", design), False)
    if design.cost > k.STORAGE_CHALLENGE_BUDGET:
        return Verdict(say("too_expensive", design), False)
    return Verdict(say("won", design), True)


def drawn(frame: Frame, design: Design, look: Look, more: Sequence[marks.Row] = ()) -> Figure:
    """Draw two lines in their frame, the current setting on both, and further layers."""
    rows: list[marks.Row] = []
    if frame.shares:
        rows.append({"kind": "overload", "x": frame.left, "y": frame.high})
        rows += marks.limit("saturated", frame.left, 1.0, "overloaded", dx=6, dy=-9, tone="bad")
    knob = frame.grab.knob
    unit = frame.grab.unit
    values = frame.values(design)
    now = getattr(design, knob)
    places = np.geomspace(frame.left, frame.right, 97, dtype=type(now))
    for name, y in zip(
        frame.names, frame.values(replace(design, **{knob: places * unit})), strict=True
    ):
        inside = (y >= frame.low) & (y <= frame.high)
        rows.append({"kind": "line", "limit": name, "x": places[inside], "y": y[inside]})
    drawn = stack(
        [*rows, *more, *_here(frame, now / unit, say.written(frame.here, design), values)]
    )
    if frame.shares:
        reach = Reach(max(values), frame.high)
    else:
        reach = None
    alt = say(f"{frame.view}_chart", design)
    return Figure(
        frame.view, frame.title, drawn, _spec(look, frame), alt, ("line",), frame.grab, reach
    )


def _here(frame: Frame, x: float, words: str, values: Pair) -> list[marks.Row]:
    """Mark the present setting on both lines, each with its name and value; an arrow is beyond the
    frame.
    """
    right = math.log(x / frame.left) > 0.4 * math.log(frame.right / frame.left)
    if right:
        dx = -10
    else:
        dx = 10
    close = max(values) < GAP * min(values)
    found = marks.limit("setting", x, frame.low, words, dx=dx, dy=-9, tone="ink")
    for name, tone, value in zip(frame.names, ("s0", "s1"), values, strict=True):
        y = min(max(value, frame.low), frame.high)
        if value > y:
            beyond = " ↑"
            shape = "triangle-up"
        elif value < y:
            beyond = " ↓"
            shape = "triangle-down"
        else:
            beyond = ""
            shape = "circle"
        found.append(marks.point(x, y, shape=shape, tone=tone, role="here"))
        # A line rises or falls away from its name; two that are close stand above and below.
        if close:
            above = value == max(values)
        else:
            above = right == frame.rises
        if beyond == " ↑" or not (above or beyond):
            down = 13
        else:
            down = -13
        down -= 11 * (
            down < 0 and frame.shares and 0.35 < value < 0.7
        )  # else a line at 100% runs through it
        down += 22 * (
            down > 0 and close and right == frame.rises and not beyond
        )  # below where its line falls to
        if frame.shares:
            written = load_words(value)
        else:
            written = f.duration(value * k.HOUR)
        found.append(
            marks.label(
                x, y, f"{name} {written}{beyond}", dx=dx, dy=down, tone=tone, bold=True, short=name
            )
        )
    return found


@plane
def _spec(look: Look, frame: Frame) -> tuple:
    """Two lines on log scales that stand still; where they are loads, 1 is saturated."""
    ends = [frame.left, frame.right]
    if frame.shares:
        form = ",~%"
    else:
        form = ",~g"
    x = axes.x("x:Q", frame.across, ends, type="log", format=",~g", values=frame.ticks, grid=False)
    powers = [
        10.0**power
        for power in range(round(math.log10(frame.low)), round(math.log10(frame.high)) + 1)
    ]
    y = axes.y("y:Q", frame.up, [frame.low, frame.high], type="log", format=form, values=powers)
    color = alt.Color(
        "limit:N",
        scale=alt.Scale(domain=list(frame.names), range=list(look.series[:2])),
        legend=None,
    )
    tooltip = [
        alt.Tooltip("x:Q", format=",.4~g", title=frame.across),
        alt.Tooltip("y:Q", format=form, title=frame.up),
    ]
    across = {"x": alt.value(0), "x2": alt.value("width"), "y2": alt.datum(1)}
    return (
        x,
        y,
        box("overload", "bad", opacity=0.08, **across),
        level("saturated", "bad"),
        level("goal", "good"),
        upright("fleet", "good"),
        upright("setting", "quiet", (2, 3)),
        line("line", color=color, tooltip=tooltip),
    )


def _objects_verdict(design: Design) -> Verdict:
    """Say which of an object store's two limits is the bottleneck."""
    holds = design.objects.holds
    return Verdict(
        say("objects_hold" if holds else f"{design.objects.binding}_full", design), holds
    )


def _copying(design: Design) -> Pair:
    return design.copy.carrying / k.HOUR, design.copy.opening / k.HOUR


def _copy_verdict(design: Design) -> Verdict:
    """Say whether the data fit on the nodes' own drives, and what the copy onto them waits for."""
    if design.local.space > 1:
        return Verdict(say("no_space", design), False)
    return Verdict(say("copying", design), True)


FILES = (Grab("file_size", k.MB), "file size (MB)", "file_size:data")
GETS = (Grab("request_size", k.MB), "size of one GET (MB)", "request_size:data")
TIMES = {"names": ("bytes", "opens"), "up": "time to copy (h)", "high": 1e4, "shares": False}
objects = Frame(
    "objects",
    "What limits the reads from an object store?",
    *GETS,
    attrgetter("objects.requests", "objects.connections"),
    ("prefixes", "connections"),
    verdict=_objects_verdict,
)
local = Frame(
    "local",
    "How long does the copy take before the first read?",
    *FILES,
    _copying,
    **TIMES,
    verdict=_copy_verdict,
)
