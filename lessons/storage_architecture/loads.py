"""Storage architecture: loads of bytes and of opens over the GPUs, the challenge, and the log scales of other parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import altair as alt
import numpy as np

from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Reach, Verdict
from ui.charts import Look, axes, box, level, line, marks, plane, stack, upright
from ui.knobs import remedies as search

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

    def places(self) -> np.ndarray:
        """Return the places along the axis at which lines are computed."""
        return np.geomspace(self.left, self.right, 97)


TITLE, ENDS = "At how many GPUs is each limit reached?", (k.STORAGE_FLEET.low or 1, k.STORAGE_FLEET.high or 1)
TICKS = (128.0, 512.0, 2048.0, 4096.0, 8192.0, 16384.0)
FRAME = Frame("loads", TITLE, Grab("accelerators"), "GPUs", *ENDS, TICKS, rises=True)
#: What may be changed to let all reads through; the fleet is the task and stays.
FIXES = ("metadata_servers", "file_size", "storage_nodes")


def figure(
    design: Design, look: Look, guess: str | None = None, playing: bool = False, end: float = FRAME.high
) -> Figure:
    """Loads against the number of GPUs, with what the visitor said and the goal of a challenge that is playing."""
    along = [FRAME.places() * load / design.accelerators for load in design.both]
    more = _goal(end) if playing else _said(design, guess)
    here = (design.accelerators, f.count(design.accelerators, "GPU"))
    return drawn(replace(FRAME, high=end), design, look, here, design.both, along, more)


def _goal(top: float) -> list[Row]:
    """Draw the challenge's goal: both lines below a load up to a number of GPUs."""
    gpus, text = float(k.STORAGE_CHALLENGE_FLEET), f"below {f.share(QUEUES)}"
    return [
        {"kind": "goal", "x": gpus, "y": QUEUES},
        {"kind": "fleet", "x": gpus, "y": QUEUES},
        marks.label(gpus, top, f"goal: both lines {text} here", short=text, dx=-6, dy=10, tone="good"),
    ]


def _said(design: Design, guess: str | None) -> list[Row]:
    """Mark what an answer says: which limit is reached first, or that none is."""
    if guess == "c":
        return [marks.label(FRAME.left, 1.0, "you said: nothing gets up here", dx=6, dy=-26, short="you said: nothing")]
    found = {"a": ("bandwidth", design.bytes_full), "b": ("metadata servers", design.opens_full)}.get(guess or "")
    if found is None:
        return []
    name, at = found
    arrow = " →" if at > FRAME.right else " ←" if at < FRAME.left else ""
    x = min(max(at, FRAME.left), FRAME.right)
    # Above its line and the name of its place; near the left end there is no room for it.
    side = {"dx": -12, "dy": -26} if x > FRAME.left * 4 else {"dx": 12, "dy": 12}
    ring = marks.point(x, 1.0, size=260, tone="paper", rim="quiet", rim_width=2)
    words = f"you said: {name} first{arrow}"
    return [ring, marks.label(x, 1.0, words, short=f"you said{arrow}", tone="quiet", **side)]


def metrics(design: Design) -> list[Metric]:
    """What gets through, the load of bytes and of opens, and the cost."""
    highest = design.loads.highest
    state = "queues build up" if QUEUES <= highest < 1 else f"highest load {load_words(highest)}"
    return [
        Metric("Reads that get through", f.share(design.loads.achieved), state, _room(highest)),
        _load("Load of metadata servers", design.loads.metadata, say("of_metadata", design)),
        _load("Load of bandwidth", design.loads.bandwidth, say("of_bandwidth", design)),
        Metric("Cost in 30 days", f.money(design.cost), say("bought", design)),
    ]


def _load(label: str, load: float, note: str) -> Metric:
    return Metric(label, load_words(load), note, _room(load))


def _room(load: float) -> bool | None:
    """Return True where a limit has room, None where queues build up, False where it is saturated."""
    return None if QUEUES <= load < 1 else load < 1


def verdict(design: Design) -> Verdict:
    """Say which limit is the bottleneck."""
    if design.loads.highest < QUEUES:
        return Verdict(say("room", design), True)
    name = design.loads.binding
    if design.loads.holds:
        return Verdict(say(f"{name}_queue", design), None)
    through = say("just" if design.loads.highest == 1 else "through", design)
    return Verdict(f"{say(f'{name}_full', design)} {through}", False)


def remedies(design: Design) -> str:
    """List every single change that lets all reads through, each no further than needed; else two of them."""
    holds = attrgetter("loads.holds")
    if holds(design):
        return ""
    found = search.remedies(design, holds, FIXES)
    pair = None if found else search.pairs(design, holds, FIXES, FIXES)
    listed = search.listed(found) if found else " together with ".join(one.words for one in pair or ())
    text = say("remedies", design, found=listed) if listed else say("no_remedy", design)
    return f"{say('too_many_servers', design)} {text}" if design.servers_needed > k.METADATA_SERVERS_MOST else text


def judge(design: Design) -> Verdict:
    """Say how far a design has come in the challenge."""
    if design.file_size != k.STORAGE_FILE_SIZE:
        return Verdict(say("wrong_files", design))
    if design.accelerators < k.STORAGE_CHALLENGE_FLEET:
        return Verdict(say("too_few", design))
    if design.loads.highest >= QUEUES:
        return Verdict(say(f"{design.loads.binding}_high", design), False)
    if design.cost > k.STORAGE_CHALLENGE_BUDGET:
        return Verdict(say("too_expensive", design), False)
    return Verdict(say("won", design), True)


def drawn(
    frame: Frame, design: Design, look: Look, here: tuple[float, str], values: Pair, along: Lines, more: Rows = ()
) -> Figure:
    """Draw two lines over their frame, the present setting on both, and what else there is."""
    rows: list[Row] = []
    if frame.shares:
        rows += [{"kind": "overload", "x": frame.left, "y": frame.high}, {"kind": "saturated", "y": 1.0}]
        rows.append(marks.label(frame.left, 1.0, "overloaded", dx=6, dy=-9, tone="bad"))
    for name, values_ in zip(frame.names, along, strict=True):
        y = np.asarray(values_, dtype=float)
        inside = (y >= frame.low) & (y <= frame.high)
        rows.append({"kind": "line", "limit": name, "x": frame.places()[inside], "y": y[inside]})
    drawn = stack([*rows, *more, *_here(frame, *here, values)])
    reach = Reach(max(values), frame.high, math.inf) if frame.shares else None
    alt = say(f"{frame.view}_chart", design)
    return Figure(frame.view, frame.title, drawn, _spec(look, frame), alt, ("line",), frame.grab, reach)


def _here(frame: Frame, x: float, words: str, values: Pair) -> Rows:
    """Mark the present setting on both lines, each with its name and value; an arrow is beyond the frame."""
    right = math.log(x / frame.left) > 0.4 * math.log(frame.right / frame.left)
    dx, close = -10 if right else 10, max(values) < GAP * min(values)
    found: list[Row] = [{"kind": "setting", "x": x, "y": frame.low}, marks.label(x, frame.low, words, dx=dx, dy=-9)]
    for name, tone, value in zip(frame.names, ("s0", "s1"), values, strict=True):
        beyond = " ↑" if value > frame.high else " ↓" if value < frame.low else ""
        y = min(max(value, frame.low), frame.high)
        shape = {" ↑": "triangle-up", " ↓": "triangle-down"}.get(beyond, "circle")
        found.append(marks.point(x, y, shape=shape, tone=tone, role="here"))
        # A line rises or falls away from its name; two that are close stand above and below.
        above = value == max(values) if close else right == frame.rises
        down = 13 if beyond == " ↑" or (not above and not beyond) else -13
        down -= 11 * (down < 0 and frame.shares and 0.35 < value < 0.7)  # else a line at 100 % runs through it
        written = load_words(value) if frame.shares else f.duration(value * k.HOUR)
        found.append(marks.label(x, y, f"{name} {written}{beyond}", dx=dx, dy=down, tone=tone, bold=True, short=name))
    return found


@plane
def _spec(look: Look, frame: Frame) -> tuple:
    """Two lines on log scales that stand still; where they are loads, 1 is saturated."""
    ends, form = [frame.left, frame.right], ",~%" if frame.shares else ",~g"
    x = axes.x("x:Q", frame.across, ends, type="log", format=",~g", values=frame.ticks, grid=False)
    powers = [10.0**power for power in range(round(math.log10(frame.low)), round(math.log10(frame.high)) + 1)]
    y = axes.y("y:Q", frame.up, [frame.low, frame.high], type="log", format=form, values=powers)
    color = alt.Color("limit:N", scale=alt.Scale(domain=list(frame.names), range=list(look.series[:2])), legend=None)
    tooltip = [alt.Tooltip("x:Q", format=",.4~g", title=frame.across), alt.Tooltip("y:Q", format=form, title=frame.up)]
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
