"""Placement, first picture: start scattered now, or wait for a node and run faster.

The visitor drags the waiting bar, and the browser moves rows to the right by the wait: `x` of the
rows with `begins`, and `x2` of those with `ends`. `from` and `from2` are these positions without a
wait. Every row also has the wait that the server last got (`held`) and the moment of the press that
set it (`told`); while there is a newer press, the wait is where the pointer is. The browser applies
the transforms again to rows that it has already transformed, so none may read a column that it
writes.
"""

from dataclasses import replace

import altair as alt
import numpy as np

from lessons.placement.settings import RUNS, TIE, TOGETHER, Training, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Outcome, Reach, View, verdict_of
from ui.charts import NARROW, Look, axes, box, marks, plane, span, stack
from ui.charts.handle import dot, followed
from ui.charts.layers import computed
from ui.knobs import remedies as search
from ui.knobs.declared import moved

#: Longest wait [h].
MAX_WAIT = k.PLACE_WAIT.high / k.HOUR
#: Right end of the time axis [h]: the longest wait and the longest run on a node.
END = MAX_WAIT + k.PLACE_RUNTIME.high / k.HOUR
#: Break-even time of each option of the question [h], and its label.
GUESSES = {
    "a": (0.0, "not at all"),
    "b": (1.0, "1 h"),
    "c": (10.0, "10 h"),
    "d": (END, "as long as it takes →"),
}
#: On the y axis: tops of the two bars, their height, and how far labels are above and below them.
NOW = 0.5
LATER = 1.8
HEIGHT = 0.45
ABOVE = 0.17
BELOW = 0.19
#: On the y axis: height of the visitor's guess.
GUESS = 2.88
#: Steps of training that each bar shows, out of many thousands.
STEPS = 6
#: Vega expression: the wait that the chart shows [h].
WAIT = followed(k.PLACE_WAIT.step / k.HOUR, 0, MAX_WAIT)
#: Room that a centered label needs at both sides, as a share of the axis.
MARGIN = 0.07
#: Settings that the challenge leaves as they are in the message.
FIXED = ("between", "spread", "overlap")
#: A scattered run that takes at most this many times as long counts as equally fast.
CLOSE = 1.1


def figure(
    training: Training,
    look: Look,
    guess: str | None = None,
    end: float = END,
    playing: bool = False,
) -> Figure:
    """Chart of both starts as strips of steps, up to `end` hours, with the visitor's guess."""
    run = training.runtime / k.HOUR
    now = training.ends["now"] / k.HOUR
    edge = min(now, end)
    done = hours(training.ends["now"])
    label_x = min(max(now, MARGIN * end), (1 - MARGIN) * end)
    label_y = NOW - ABOVE
    middle = LATER + HEIGHT / 2
    bar = {"x": 0.0, "y": LATER, "y2": LATER + HEIGHT}
    scattered = f"start now on {f.count(training.nodes, 'node')}"
    center = {"bold": True, "align": "center"}
    right = {"align": "right"}
    arrow = {"shape": "triangle-right"}
    if now <= end:
        arrow = {"size": 0}
    rows = [
        {"kind": "slow", "x": 0.0, "x2": edge, "y": NOW, "y2": NOW + HEIGHT},
        {"kind": "wait", "x2": 0.0, "ends": True} | bar,
        {"kind": "run", "x2": run, "begins": True, "ends": True} | bar,
        *_computing(training, "far", end),
        *_computing(training, "near", end),
        {"kind": "end", "x": edge, "y": NOW + HEIGHT + 2 * BELOW, "y2": LATER + HEIGHT},
        marks.label(0, label_y, scattered, short="start now", bold=True),
        marks.label(0.7 * end, label_y, "■ computing", **right, tone="accent", short="■ computing"),
        marks.label(end, label_y, "■ waiting for links", **right, tone="bad", short="■ links"),
        marks.label(label_x, NOW + HEIGHT + BELOW, f"done after {done}", short=done, **center),
        marks.label(0, LATER - ABOVE, "", bold=True) | {"says": "wait"},
        marks.label(run, LATER + HEIGHT + BELOW, "", **center) | {"says": "done", "begins": True},
        marks.point(0.0, middle, size=170, tone="paper", rim="ink", rim_width=2) | {"begins": True},
        {"kind": "dot", "x": 0.0, "y": middle, "begins": True},
        # A pinned scenario leaves these two points; on the chart itself the bars show their ends.
        marks.point(edge, NOW + HEIGHT / 2, role="here", tone="bad", **arrow),
        marks.point(training.ends["later"] / k.HOUR, middle, size=0, role="here"),
    ]
    if guess in GUESSES and not playing:
        at, text = GUESSES[guess]
        if at == END:
            at = end
        dx = -11 if at > 0.5 * end else 11
        rows += marks.guess(at, GUESS, f"you said: {text}", size=110, short=None, dx=dx)
    shared = {"held": training.wait / k.HOUR, "told": None}
    rows = stack(row | shared | {"from": row["x"], "from2": row.get("x2")} for row in rows)
    return Figure(
        "wait",
        "Start now on scattered GPUs, or wait for a whole node?",
        rows,
        _spec(look, end) | {"transform": _moved(end)},
        say("wait_chart", training),
        grab=Grab("wait", k.HOUR),
        reach=Reach(now, end),
    )


def _computing(training: Training, distance: str, end: float) -> list[marks.Row]:
    """Return the rows of a run's computing: scattered ("far"), or on one node ("near").

    For the rest of each step, the GPUs wait for links.
    """
    run = training.runtime / k.HOUR
    bar = {"y": LATER, "y2": LATER + HEIGHT, "begins": True, "ends": True}
    if distance == "far":
        run = training.ends["now"] / k.HOUR
        bar = {"y": NOW, "y2": NOW + HEIGHT}
    step = run / STEPS
    computing = training.compute / training.steps[distance] * step
    rows = []
    for start in np.arange(STEPS) * step:
        if start < end:
            rows.append({"kind": "computing", "x": start, "x2": min(start + computing, end)} | bar)
    return rows


def _moved(end: float) -> list[dict[str, str]]:
    """Return the transforms by which the browser moves rows by the wait, and writes the wait."""
    wait = f"'wait ' + format({WAIT}, '.3~g') + ({NARROW} ? ' h' : ' h for one node, then run')"
    done = f"({NARROW} ? '' : 'done after ') + format(datum.moved, '.3~g') + ' h'"
    text = f"datum.says === 'wait' ? ({WAIT} ? {wait} : 'start now on one node') : {done}"
    within = f"clamp(datum.moved, {MARGIN * end}, {(1 - MARGIN) * end})"
    columns = {
        "at": WAIT,
        "moved": f"(isValid(datum.from) ? datum.from : datum.x) + (datum.begins ? {WAIT} : 0)",
        "x": f"datum.says === 'done' ? {within} : datum.moved",
        "x2": f"datum.from2 + (datum.ends ? {WAIT} : 0)",
        "label": f"datum.says ? ({text}) : datum.label",
    }
    return computed(columns)


@plane
def _spec(look: Look, end: float = END) -> tuple:
    """Two bars in time, slow at once and fast after a wait."""
    ticks = {"tickCount": 8}
    if end == END:
        ticks = {"values": [*range(0, int(END) + 1, 6)]}
    # Without room at the left, points at the axis' end would push the chart to the right.
    x = axes.x("x:Q", "hours from now", [0, end], range=[12, alt.ExprRef("width")], **ticks)

    bars = (
        box("slow", "bad"),
        box("wait", "faint", stroke=look.quiet, strokeDash=[3, 3]),
        box("run", "bad"),
        box("computing", "accent"),
    )
    line = span("end", "bad", (4, 4), 1.5, y2="y2:Q")
    return x, axes.y("y:Q", ends=[3.1, 0.1], axis=None), *bars, line, dot


@verdict_of(say)
def verdict(training: Training) -> Outcome:
    """Return the verdict on which start finishes first, and what slows a scattered run down."""
    hidden = training.steps["longer"] <= TIE
    if hidden and training.wait:
        return "all_hidden_wait", None
    if hidden:
        return "all_hidden", None
    if not training.wait:
        return "node_free", None
    # No other wait that the slider offers brings the ends closer.
    if training.ends["apart"] <= TOGETHER * (1 + TIE):
        return "meet", None
    if training.ends["gain"] > 0:
        return "wait_wins", None
    return "now_wins", None


@verdict_of(say)
def judge(training: Training) -> Outcome:
    """Return the verdict on the challenge: the run for which waiting pays longest."""
    labels = moved(training, fixed=FIXED)
    if labels:
        return "reset", None, {"labels": labels}
    longest = max(Training(**run).break_even for run in RUNS.values())
    for name, run in RUNS.items():
        if replace(training, **run) == training:
            is_longest = training.break_even >= longest
            return "won" if is_longest else "less", is_longest, {"run": name}
    return "no_run", None


def remedies(training: Training) -> str:
    """List the smallest change of each setting that makes a scattered run almost as fast."""
    names = (*FIXED, "parameters", "compute")
    aim = f.share(CLOSE - 1)
    return search.fix_sentence(
        say, training, lambda run: run.steps["ratio"] <= CLOSE, names, aim=aim
    )


view = View("wait", figure=figure, verdict=verdict, remedies=remedies)
