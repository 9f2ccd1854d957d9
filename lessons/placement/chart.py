"""Placement, first picture: start scattered now, or wait for a node and run faster.

The waiting bar is dragged.

The browser moves the rows that say so by the wait: `x` of those with `begins`, and `x2` of those
with `ends`, from where they stand without a wait (`from`, `from2`). All rows hold the wait that the
server knows of and, in `told`, the moment of the last press that the server has heard of. As long
as there is a newer press, the browser takes the wait at which the chart is held. It computes anew
with the rows that it has computed, so no step may read what it writes.
"""

from dataclasses import replace

import altair as alt

from lessons.placement.settings import RUNS, TIE, TOGETHER, Training, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Outcome, Reach, View, verdict_of
from ui.charts import NARROW, Look, axes, box, marks, only, plane, span, stack
from ui.charts.handle import DOT, UNSEEN, followed
from ui.knobs import remedies as search
from ui.knobs.declared import moved

MOST_WAIT = k.PLACE_WAIT.high / k.HOUR
#: Right end of the time axis [h]: the longest wait and the longest run on a node.
END = MOST_WAIT + k.PLACE_RUNTIME.high / k.HOUR
#: What the options of the question mean, as the visitor's own break-even [h].
SAID = {
    "a": (0.0, "not at all"),
    "b": (1.0, "1 h"),
    "c": (10.0, "10 h"),
    "d": (END, "as long as it takes →"),
}
#: Where the two bars begin, how tall they are, and how far above and below them words stand.
NOW = 0.5
LATER = 1.8
TALL = 0.45
ABOVE = 0.17
UNDER = 0.19
#: Where the visitor's guess stands.
GUESS = 2.88
#: Steps that are drawn in each bar, out of many thousands.
STEPS = 6
#: The wait that is drawn [h].
HELD = followed(k.PLACE_WAIT.step / k.HOUR, 0, MOST_WAIT)
#: Room at both sides for words that are centered, as a share of the axis.
MARGIN = 0.07
#: What the challenge leaves as it is in the message.
FIXED = ("between", "spread", "overlap")
#: Times as long as on a node at which a scattered run is called as good.
CLOSE = 1.1


def figure(
    training: Training,
    look: Look,
    guess: str | None = None,
    end: float = END,
    playing: bool = False,
) -> Figure:
    """Chart of both starts as strips of steps up to an hour, with the visitor's guess."""
    now = training.ends["now"] / k.HOUR
    edge = min(now, end)
    later = training.ends["later"] / k.HOUR
    done = hours(training.ends["now"])
    arrow = {"shape": "triangle-right"}
    if now <= end:
        arrow = {"size": 0}
    run = training.runtime / k.HOUR
    middle = LATER + TALL / 2
    bar = {"x": 0.0, "y": LATER, "y2": LATER + TALL}
    scattered = f"start now on {f.count(training.nodes, 'node')}"
    head = NOW - ABOVE
    words = f"done after {done}"
    center = {"bold": True, "align": "center"}
    right = {"align": "right"}
    rows = [
        {"kind": "slow", "x": 0.0, "x2": edge, "y": NOW, "y2": NOW + TALL},
        {"kind": "wait", "x2": 0.0, "ends": True} | bar,
        {"kind": "run", "x2": run, "begins": True, "ends": True} | bar,
        *_computing(training, "far", end),
        *_computing(training, "near", end),
        {"kind": "end", "x": edge, "y": NOW + TALL + 2 * UNDER, "y2": LATER + TALL},
        marks.label(0, head, scattered, short="start now", bold=True),
        marks.label(0.7 * end, head, "■ computing", **right, tone="accent", short="■ computing"),
        marks.label(end, head, "■ waiting for links", **right, tone="bad", short="■ links"),
        marks.label(_within(now, end), NOW + TALL + UNDER, words, short=done, **center),
        marks.label(0, LATER - ABOVE, "", bold=True) | {"says": "wait"},
        marks.label(run, LATER + TALL + UNDER, "", **center) | {"says": "done", "begins": True},
        marks.point(0.0, middle, size=170, tone="paper", rim="ink", rim_width=2) | {"begins": True},
        {"kind": "dot", "x": 0.0, "y": middle, "begins": True},
        # Where the bars end is what a pin leaves; the bars' own ends need no mark.
        marks.point(edge, NOW + TALL / 2, role="here", tone="bad", **arrow),
        marks.point(later, middle, size=0, role="here"),
    ]
    if guess in SAID and not playing:
        at, said = SAID[guess]
        if at == END:
            at = end
        dx = -11 if at > 0.5 * end else 11
        rows += marks.guess(at, GUESS, f"you said: {said}", size=110, short=None, dx=dx)
    grab = Grab("wait", k.HOUR)
    reach = Reach(now, end)
    title = "Start now on scattered GPUs, or wait for a whole node?"
    drag = {"held": training.wait / k.HOUR, "told": None}
    rows = stack(row | drag | {"from": row["x"], "from2": row.get("x2")} for row in rows)
    spec = _spec(look, end) | {"transform": _moved(end)}
    return Figure("wait", title, rows, spec, say("wait_chart", training), (), grab, reach)


def _computing(training: Training, distance: str, end: float) -> list[marks.Row]:
    """Return the computing of each drawn step of the scattered run ("far"), or of the run on one
    node ("near"); for the rest of a step the GPUs wait for links.
    """
    run = training.runtime / k.HOUR
    bar = {"y": LATER, "y2": LATER + TALL, "begins": True, "ends": True}
    if distance == "far":
        run = training.ends["now"] / k.HOUR
        bar = {"y": NOW, "y2": NOW + TALL}
    step = run / STEPS
    share = training.compute / training.steps[distance]
    rows = []
    for number in range(STEPS):
        begin = step * number
        row = {"kind": "computing", "x": begin, "x2": min(begin + share * step, end)}
        if begin < end:
            rows.append(row | bar)
    return rows


def _within(at: float, end: float) -> float:
    """Return the place of words that stand centered below an end, within the frame."""
    return min(max(at, MARGIN * end), (1 - MARGIN) * end)


def _moved(end: float) -> list[dict[str, str]]:
    """What the browser computes of the wait that is drawn: it moves rows, and says how long the
    wait is.
    """
    wait = f"'wait ' + format({HELD}, '.3~g') + ({NARROW} ? ' h' : ' h for one node, then run')"
    done = f"({NARROW} ? '' : 'done after ') + format(datum.moved, '.3~g') + ' h'"
    said = f"datum.says === 'wait' ? ({HELD} ? {wait} : 'start now on one node') : {done}"
    within = f"clamp(datum.moved, {MARGIN * end}, {(1 - MARGIN) * end})"
    steps = {
        "at": HELD,
        "moved": f"(isValid(datum.from) ? datum.from : datum.x) + (datum.begins ? {HELD} : 0)",
        "x": f"datum.says === 'done' ? {within} : datum.moved",
        "x2": f"datum.from2 + (datum.ends ? {HELD} : 0)",
        "label": f"datum.says ? ({said}) : datum.label",
    }
    return [{"calculate": how, "as": what} for what, how in steps.items()]


@plane
def _spec(look: Look, end: float = END) -> tuple:
    """Two bars in time, slow at once and fast after a wait."""
    ticks = {"tickCount": 8}
    if end == END:
        ticks = {"values": [*range(0, int(END) + 1, 6)]}
    # Points at the left end would else push the chart to the right.
    x = axes.x("x:Q", "hours from now", [0, end], range=[12, alt.ExprRef("width")], **ticks)

    def dot(base: alt.Chart, look: Look) -> alt.Chart:
        return base.transform_filter(only("dot")).mark_point(**UNSEEN).properties(name=DOT)

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
    # As close as the knob can bring them, but for rounding.
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
    """List the smallest change of each setting with which a scattered run is almost as fast as one
    on a node.
    """
    names = ("between", "spread", "overlap", "parameters", "compute")
    aim = f.share(CLOSE - 1)
    return search.fix_sentence(
        say, training, lambda run: run.steps["ratio"] <= CLOSE, names, aim=aim
    )


view = View("wait", figure=figure, verdict=verdict, remedies=remedies)
