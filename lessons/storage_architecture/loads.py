"""Storage architecture, main chart: the load of each limit over the number of GPUs, or over the size of a read."""

import math
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.storage_architecture.settings import SIZE_OF, Design
from lessons.storage_architecture.verdict import fleet_words, load_words
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts import axes, marks
from ui.charts.look import Look, specification, stack

#: Color of each limit: those of an object store and of local drives are never in one chart.
TONES = {"bandwidth": "s0", "metadata": "s1", "requests": "s2", "connections": "s3", "drives": "s2", "space": "s3"}
ALTERNATIVE = {"files": "objects", "shards": "objects", "objects": "files", "local": "files"}
FEWEST, MOST = int(k.STORAGE_FLEET.low), int(k.STORAGE_FLEET.high)
FLEET_TICKS = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]
#: Sizes of one read on the second chart [MB]; the line of connections is the only one that bends.
SIZES = np.geomspace(4e-3, 10e3, 17)
SIZE_TICKS = [0.01, 0.1, 1, 10, 100, 1000, 10000]
#: The frame stands still: from a thousandth of the capacity to a hundred times. What is beyond stands at its edge.
LOW, HIGH = 1e-3, 1e2
LOAD_TICKS = [10.0**power for power in range(-3, 7)]
#: Labels closer than this factor would touch.
GAP = 2.3
#: The limit that an option of the prediction names.
GUESSED = {"a": "bandwidth", "b": "metadata"}
Row = dict[str, object]


def figure(design: Design, look: Look, guess: str | None = None, every: bool = False, end: float = HIGH) -> Figure:
    """Draw loads against the number of GPUs: the limits in use, and on request those of the alternative."""
    title, rows = "Which limit saturates at how many GPUs?", fleet_frame(design, guess, every, end)
    drawn, grab = _spec(look, "GPUs", False, end), Grab("accelerators")
    return Figure("loads", title, rows, drawn, fleet_alt(design), ("used",), grab, _reach(design, end))


def size_figure(design: Design, look: Look, end: float = HIGH) -> Figure:
    """Draw loads against the size of a read, for both ways to keep the dataset."""
    title, rows = "How does the size of a read change the loads?", size_frame(design, end)
    drawn, grab = _spec(look, "size of one read (MB)", True, end), Grab(SIZE_OF[design.organization], k.MB)
    return Figure("size", title, rows, drawn, size_alt(design), ("used",), grab, _reach(design, end))


def _reach(design: Design, end: float) -> Reach:
    """The highest of the present loads; on a log axis there is room for any."""
    return Reach(max(getattr(design.loads, name) for name in design.used), end, math.inf)


def fleet_frame(design: Design, guess: str | None = None, every: bool = False, high: float = HIGH) -> pa.Table:
    """Rows over the number of GPUs: lines, saturation points, you are here, and the limit that was guessed."""
    here, rows = design.accelerators, []
    kinds = {"used": design.organization} | ({"unused": ALTERNATIVE[design.organization]} if every else {})
    for kind, organization in kinds.items():
        for name, load in _loads(design, organization).items():
            grows = _grows(design, name)
            ends = [(gpus, load * (gpus / here) ** grows) for gpus in (FEWEST, MOST)]
            rows += [_line(kind, name, *end) for end in ends]
            if kind == "unused":
                # Beside “you are here” there is no room: the name stands at the other end, a level line's at this one.
                right = (math.sqrt(FEWEST * MOST) > here) == bool(grows)
                looks = {"align": "right", "dx": -6, "dy": -9} if right else {"dx": 6, "dy": 10}
                rows.append(_name(name, *_inside(*ends[right], ends), **looks))
    for name in design.used:
        said = "you said: " if GUESSED.get(guess or "") == name else ""
        rows += _full(design, name, said)
    rows += _here(design, here, FEWEST, MOST, high, GUESSED.get(guess or ""))
    return _frame(rows, here, FEWEST, MOST, high, f"{f.significant(here)} GPUs")


def size_frame(design: Design, high: float = HIGH) -> pa.Table:
    """Rows over the size of one read [MB] at the present fleet."""
    rows, here = [], design.unit_size / k.MB
    #: Where on its falling line a limit that is not in use is named: right of the outer line, left of the inner ones.
    named = {"requests": (HIGH / 1.5, "left"), "metadata": (LOW * 12, "right"), "connections": (LOW * 600, "right")}
    for organization in ("files", "local" if design.local else "objects"):
        used = design.apart == (organization != "files")
        loads = [
            _loads(replace(design, file_size=size * k.MB, request_size=size * k.MB), organization) for size in SIZES
        ]
        for name in loads[0]:
            line = [(size, load[name]) for size, load in zip(SIZES.tolist(), loads, strict=True)]
            if name not in ("connections", "drives"):
                line = [line[0], line[-1]]
            rows += [_line("used" if used else "unused", name, *point) for point in line]
            if used:
                continue
            if name == "bandwidth":
                rows.append(_name(name, *line[-1], align="right", dx=-6, dy=-9))
            else:
                height, side = named[name]
                dx, dy = (8, -6) if side == "left" else (-8, 6)
                rows.append(_name(name, _crossing(line, height), height, align=side, dx=dx, dy=dy))
    rows += _here(design, here, SIZES[0], SIZES[-1], high, rises=False)
    return _frame(rows, here, SIZES[0], SIZES[-1], high, f.data(design.unit_size))


def _loads(design: Design, organization: str) -> dict[str, float]:
    return {name: load for name, load in vars(design.loads_of(organization)).items() if load > 0}


def _grows(design: Design, name: str) -> float:
    """Power of the number of GPUs that a load goes with: drives come with the GPUs, and space if it is for a share."""
    if name == "space":
        return 0.0 if design.whole else -1.0
    return 0.0 if name in ("connections", "drives") else 1.0


def _line(kind: str, name: str, x: float, load: float) -> Row:
    return {"kind": kind, "limit": name, "x": x, "y": load, "label": name}


def _name(name: str, x: float, load: float, **looks: object) -> Row:
    """Name a line that is not in use."""
    return marks.label(x, _clamped(load), f"{name} (not used)", short=name, tone=TONES[name], **looks) | {"limit": name}


def _full(design: Design, name: str, said: str) -> list[Row]:
    """Mark where a limit saturates; beyond the frame only if that was the guess."""
    at = design.saturates_at[name]
    near = 1 / GAP < getattr(design.loads, name) < GAP  # “you are here” stands there and names it
    if _grows(design, name) == 0 or not math.isfinite(at) or (near and not said):
        return []
    inside = FEWEST <= at <= MOST
    if not inside and not said:
        return []
    x = min(max(at, FEWEST), MOST)
    arrow = "" if inside else " →" if at > MOST else " ←"
    words = f"{said}{name} at {fleet_words(at)}{arrow}" if said else fleet_words(at)
    # A line rises to its saturation: there is room above it at the left. That of space falls.
    left = x > (MOST / 4 if name == "space" else FEWEST * 4)
    looks = {"align": "right", "dx": -9} if left else {"align": "left", "dx": 9}
    if name == "space":
        words = f"fits from {fleet_words(at)}"
    point = marks.point(x, 1.0, shape="diamond", tone="paper" if said else TONES[name], rim=TONES[name], rim_width=2)
    found = [point | {"limit": name, "role": "full"}]
    if not near:
        tone, short = ("quiet", f"you said{arrow}") if said else ("ink", words)
        found.append(marks.label(x, 1.0, words, short=short, dy=-10, tone=tone, **looks))
    return found


def _here(
    design: Design, x: float, low: float, last: float, high: float, guessed: str | None = None, rises: bool = True
) -> list[Row]:
    """Mark the loads of the limits in use, each with its name; two that are close stand above and below.

    Lines rise with the fleet and fall with the size of a read, so the free side is above at the left, or at the right.
    """
    loads = sorted(((getattr(design.loads, name), name) for name in design.used), reverse=True)
    close = _clamped(loads[0][0], high) < GAP * _clamped(loads[1][0], high)
    across = math.log(x / low) / math.log(last / low)
    rows, above = [], math.inf  # height of a load whose name stands below it
    for place, (load, name) in enumerate(loads):
        beyond = " ↑" if load > high else " ↓" if load < LOW else ""
        words = f"{name} {load_words(load)}{beyond}"
        if guessed == name and 1 / GAP < load < GAP:
            words += " (you said: first)"
        shown = _clamped(load, high)
        # Above, unless another label, the frame's edge or the line itself is in the way.
        cramped = across < 0.35 if rises else across > 0.65
        below = place == 1 if close else shown > high / 4 or (cramped and shown > LOW * 4)
        dy = -13
        if below or above < 20 * shown:
            dy, above = (29 if place and above < GAP * shown else 13), shown
        side = {"align": "right", "dx": -10} if rises != cramped else {"align": "left", "dx": 10}
        if rises and _grows(design, name) < 0 and across < 0.8:  # this line falls: the free side is at the right
            side = {"align": "left", "dx": 10}
        dot = {"limit": name, "role": "here", "load": load}
        shape = {" ↑": "triangle-up", " ↓": "triangle-down"}.get(beyond, "circle")
        rows.append(marks.point(x, shown, shape=shape, tone=TONES[name]) | dot)
        side |= {"short": f"{name}{beyond}", "bold": True}
        rows.append(marks.label(x, shown, words, dy=dy, tone=TONES[name], **side) | dot)
    return rows


def _frame(rows: list[Row], x: float, low: float, last: float, high: float, words: str) -> pa.Table:
    """Add the line of saturation, the region beyond it and the place of the present setting."""
    far = math.log(x / low) / math.log(last / low) > 0.7
    side = {"align": "right", "dx": -5} if far else {"align": "left", "dx": 5}
    rows = [
        {"kind": "overload", "x": low, "y": high},
        {"kind": "saturated", "x": low, "y": 1.0},
        {"kind": "setting", "x": x, "y": LOW},
        *rows,
        marks.label(x, LOW, words, dy=-9, **side),
        marks.label(last, high, "overloaded", align="right", dx=-6, dy=10, tone="bad"),
    ]
    return stack(rows)


def _inside(x: float, load: float, ends: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the point of a straight line that is nearest to this end of it within the frame."""
    if LOW < load < HIGH or ends[0][1] == ends[1][1]:
        return x, load
    return _crossing(ends, min(max(load, LOW * 3), HIGH / 3)), min(max(load, LOW * 3), HIGH / 3)


def _crossing(line: list[tuple[float, float]], height: float) -> float:
    """Return where a line in the log-log chart has this height; its nearest end where it never has."""
    ordered = sorted((math.log(load), math.log(x)) for x, load in line)
    return math.exp(float(np.interp(math.log(height), *zip(*ordered, strict=True))))


def _clamped(load: float, high: float = HIGH) -> float:
    return min(max(load, LOW), high)


@lru_cache(maxsize=32)
def _spec(look: Look, title: str, sizes: bool, high: float = HIGH) -> dict:
    """Loads on log scales that stand still; 1 is saturated, what is not in use is dashed."""
    ends = [SIZES[0], SIZES[-1]] if sizes else [FEWEST, MOST]
    x = axes.x(
        "x:Q",
        f"{title}, log scale",
        ends,
        type="log",
        format=",~g",
        values=SIZE_TICKS if sizes else FLEET_TICKS,
        grid=False,
    )
    words = "load ÷ capacity" if look.present else "load ÷ capacity, log scale"  # large type has no room for more
    ticks = [tick for tick in LOAD_TICKS if tick <= high]
    y = axes.y("y:Q", words, [LOW, high], type="log", format=",~%", values=ticks)
    base = alt.Chart().encode(x=x, y=y)
    colors = [look.series[int(tone[1:])] for tone in TONES.values()]

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(f"datum.kind === '{kind}'")

    def line(kind: str, **looks: object) -> alt.Chart:
        color = alt.Color("limit:N", scale=alt.Scale(domain=list(TONES), range=colors), legend=None)
        tooltip: list[alt.Tooltip] = [
            alt.Tooltip("limit:N"),
            alt.Tooltip("x:Q", format=",.4~g", title=title),
            alt.Tooltip("y:Q", format=",.3~%", title="load"),
        ]
        return of(kind).mark_line(clip=True, **looks).encode(color=color, tooltip=tooltip)

    layers = [
        of("overload")
        .mark_rect(color=look.bad, opacity=0.08)
        .encode(x=alt.value(0), x2=alt.value("width"), y2=alt.datum(1)),
        marks.level(base, "saturated", color=look.bad, strokeWidth=1.5, strokeDash=[8, 4]),
        marks.upright(base, "setting", color=look.quiet, strokeWidth=1, strokeDash=[2, 3]),
        marks.ghosts(base, look, "x:Q", clip=True),
        line("unused", strokeWidth=1.5, strokeDash=[5, 4], opacity=0.75),
        line("used", strokeWidth=look.stroke),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def fleet_alt(design: Design) -> str:
    """The main chart in one sentence with its numbers."""
    return (
        f"Load of each limit against the number of GPUs, 100 % is saturated. At "
        f"{f.significant(design.accelerators)} GPUs: {_said(design)}; "
        f"{f.share(design.loads.achieved)} of the reads get through."
    )


def size_alt(design: Design) -> str:
    """The size chart in one sentence with its numbers."""
    return (
        f"Load of each limit against the size of one read. At {f.data(design.unit_size)}: {_said(design)}. "
        "Bandwidth does not depend on the size; metadata and requests are inversely proportional to it"
        f"{f'; drives below {f.data(k.LOCAL_DRIVE_READ / k.LOCAL_DRIVE_READS)} alone' if design.local else ''}."
    )


def _said(design: Design) -> str:
    return " and ".join(f"{name} {load_words(getattr(design.loads, name))}" for name in design.used)
