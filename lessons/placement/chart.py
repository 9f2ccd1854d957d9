"""Placement, main chart: start scattered now, or wait for the node and run faster. And one step, taken apart."""

from functools import lru_cache

import altair as alt
import pyarrow as pa

from lessons.placement.settings import Training
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Right end of the time axis [h]: the longest wait and the longest run on a node.
END = float(k.PLACE_WAIT.high + k.PLACE_RUNTIME.high) / k.HOUR
#: Right end of the step's axis, in times of its computing.
STEP_END = 4.0
#: What the options of the question mean, as the visitor's own break-even [h].
SAID = {"a": (0.0, "not at all"), "b": (1.0, "1 h"), "c": (10.0, "10 h"), "d": (END, "as long as it takes →")}


def figure(training: Training, look: Look, guess: str | None = None, end: float = END) -> Figure:
    """The main chart up to so many hours, with the visitor's guess."""
    title, grab = "Start now on scattered GPUs, or wait for a whole node?", Grab("wait", float(k.HOUR))
    reach = Reach(max(training.now_ends, training.break_even) / k.HOUR, end)
    return Figure("wait", title, frame(training, guess, end), spec(look, end), alt_text(training), (), grab, reach)


def frame(training: Training, guess: str | None = None, end: float = END) -> pa.Table:
    """Rows of the main chart: bars from x to x2 [h] in two lanes, the break-even, labels and points."""
    slow, wait, done = (time / k.HOUR for time in (training.now_ends, training.wait, training.later_ends))
    even = training.break_even / k.HOUR
    rows = [
        _bar("slow", 0.0, slow, 0.7, end),
        _bar("wait", 0.0, wait, 1.9, end),
        _bar("fast", wait, done, 1.9, end),
        {"kind": "end", "x": min(slow, end), "y": 0.7, "y2": 2.3},
        {"kind": "even", "x": min(even, end), "y": 1.9, "y2": 2.55},
    ]
    place = f.count(training.nodes, "node")
    waiting = f"wait {hours(training.wait)} for one node" if training.wait else "start now on one node"
    labels = [
        marks.label(
            0,
            0.5,
            f"start now on {place}: done after {hours(training.now_ends)}",
            short=_short("scattered", slow),
            bold=True,
        ),
        marks.label(
            0,
            1.7,
            f"{waiting}: done after {hours(training.later_ends)}",
            short=_short("one node", done),
            bold=True,
        ),
    ]
    if slow > end:
        labels.append(marks.point(end, 0.9, shape="triangle-right", tone="bad"))
    words = f"worth waiting up to {hours(training.break_even)}" if even else "not worth waiting"
    shape = {"shape": "triangle-right"} if even > end else {"shape": "diamond"}
    labels += [marks.point(min(even, end), 2.55, tone="good", **shape), _beside(even, 2.55, words, end, tone="good")]
    if guess in SAID:
        at, said = SAID[guess]
        at = end if at == END else at
        labels.append(marks.point(at, 2.85, tone="paper", rim="quiet", rim_width=2))
        labels.append(_beside(at, 2.85, f"you said: {said}", end, tone="quiet"))
    return stack([*rows, *labels])


def pinned(training: Training, look: Look, end: float = END) -> Figure:
    """What a pin leaves: when each of the two was done; what is beyond the frame, at its edge."""
    rows = []
    for time, y in ((training.now_ends, 0.9), (training.later_ends, 2.1)):
        shape = "circle" if time / k.HOUR <= end else "triangle-right"
        rows.append(marks.point(min(time / k.HOUR, end), y, shape=shape, role="here"))
    return Figure("wait", "", stack(rows), spec(look, end), alt_text(training))


def hours(seconds: float) -> str:
    """Write a time in hours, however long; in minutes where it is short.

    >>> hours(81076), hours(1986), hours(360_000)
    ('22.5 h', '33.1 min', '100 h')
    """
    return f"{f.significant(seconds / k.HOUR)} h" if seconds >= k.HOUR else f.duration(seconds)


def _short(words: str, time: float) -> str:
    return f"{words}: done after {hours(time * k.HOUR)}"


def _bar(kind: str, start: float, stop: float, top: float, end: float) -> dict[str, object]:
    return {"kind": kind, "x": min(start, end), "x2": min(stop, end), "y": top, "y2": top + 0.4, "hours": stop - start}


def _beside(at: float, y: float, words: str, end: float, **looks: object) -> dict[str, object]:
    """Words on the side of a point on which there is room."""
    side = {"align": "right", "dx": -11} if at > 0.5 * end else {"align": "left", "dx": 11}
    return marks.label(min(at, end), y, words, **side, **looks)


@lru_cache(maxsize=32)
def spec(look: Look, end: float = END) -> dict:
    """Two bars in time: slow at once, fast after a wait; the break-even below."""
    ticks = {"values": [*range(0, int(END) + 1, 6)]} if end == END else {"tickCount": 8}
    x = axes.x("x:Q", "hours from now", [0, end], **ticks)
    y = axes.y("y:Q", ends=[3, 0.3], axis=None)
    base = alt.Chart().encode(x=x, y=y)
    layers = [
        _fill(base, "slow", look.bad, "running scattered (h)"),
        _fill(base, "wait", look.faint, "waiting (h)", stroke=look.quiet, strokeDash=[3, 3]),
        _fill(base, "fast", look.accent, "running on one node (h)"),
        base.transform_filter(only("end")).mark_rule(color=look.bad, strokeDash=[4, 4]).encode(y2="y2:Q"),
        base.transform_filter(only("even")).mark_rule(color=look.good, strokeWidth=2).encode(y2="y2:Q"),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look)


def _fill(base: alt.Chart, kind: str, color: str, title: str, field: str = "hours", **mark: object) -> alt.Chart:
    """Draw the bars of one kind."""
    tips = [alt.Tooltip(f"{field}:Q", title=title, format=".3~g")]
    return base.transform_filter(only(kind)).mark_rect(color=color, **mark).encode(x2="x2:Q", y2="y2:Q", tooltip=tips)


def alt_text(training: Training) -> str:
    """The main chart in one sentence with its numbers."""
    return (
        f"Two bars in time: scattered and started now, the run is done after {hours(training.now_ends)}; on one node "
        f"after a wait of {hours(training.wait)} it is done after {hours(training.later_ends)}. Waiting pays up to "
        f"{hours(training.break_even)}."
    )


def step_figure(training: Training, look: Look) -> Figure:
    """One step on a node and scattered: computing, communication, and what of it is hidden."""
    title = "What is one step made of?"
    return Figure("step", title, step_frame(training), step_spec(look), step_alt(training))


def step_frame(training: Training) -> pa.Table:
    """Rows of the step chart: bars from x to x2, in times of the step's computing."""
    rows: list[dict[str, object]] = []
    for top, words, short, communication in (
        (0.8, "on one node", "one node", training.near),
        (2.3, f"on {f.count(training.nodes, 'node')}", "scattered", training.far),
    ):
        step = training.step(communication)
        begin, end = (step - communication) / training.compute, step / training.compute
        spans = {"computing": (0.0, 1.0, top, training.compute), "talking": (begin, end, top + 0.45, communication)}
        for kind, (start, stop, y, seconds) in spans.items():
            bar = {"x": min(start, STEP_END), "x2": min(stop, STEP_END), "y": y, "y2": y + 0.4}
            rows.append({"kind": kind, "seconds": seconds} | bar)
        said = f"{words}: a step of {f.duration(step, 4)}, {f.duration(communication)} of communication"
        brief = f"{short}: {f.duration(step)}"
        rows.append(marks.label(0, top - 0.25, said, short=brief, bold=True))
        rows.append(_told(training.hidden(communication), end, top + 0.65))
        if end > STEP_END:
            rows.append(marks.point(STEP_END, top + 0.65, shape="triangle-right", tone="paper"))
    rows.append(marks.label(0.03, 1.0, "computing", tone="paper"))
    return stack(rows)


def _told(hidden: float, end: float, y: float) -> dict[str, object]:
    """Name the communication beside its bar, or inside a long one."""
    words = f"communication, {f.duration(hidden)} of it hidden" if hidden else "communication"
    if end > 0.55 * STEP_END:
        return marks.label(min(end, STEP_END), y, words, align="right", dx=-14, tone="paper", short="communication")
    return marks.label(end, y, words, dx=6, tone="quiet", short="communication")


@lru_cache(maxsize=8)
def step_spec(look: Look) -> dict:
    """Computing above, communication below it, one over the other where it is hidden."""
    x = axes.x("x:Q", "time, in times of the computing of a step", [0, STEP_END], tickCount=4)
    y = axes.y("y:Q", ends=[3.3, 0.3], axis=None)
    base = alt.Chart().encode(x=x, y=y)
    layers = [
        _fill(base, "computing", look.quiet, "computing (s)", "seconds"),
        _fill(base, "talking", look.accent, "communication (s)", "seconds"),
        marks.points(base, look),
    ]
    return specification(alt.layer(*layers, marks.labels(base, look, halo=False)), look, halo=False)


def step_alt(training: Training) -> str:
    """The step chart in one sentence with its numbers."""
    return (
        f"A step computes for {f.duration(training.compute)}. On one node {f.duration(training.near)} of communication "
        f"make it {f.duration(training.step(training.near), 4)}; scattered {f.duration(training.far)} make it "
        f"{f.duration(training.step(training.far), 4)}; {f.duration(training.hidden(training.far))} of it hidden."
    )
