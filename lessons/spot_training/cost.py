"""Spot training, the lesson's picture: eight single runs, and beside them the mean cost against the interval.

Costs are drawn as shares of the same work's cost on demand, so that the axis stands still whatever the knobs say; the
labels have dollars.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.spot_training import runs
from lessons.spot_training.settings import INTERVALS, WORK, Plan, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import Layer, Look, axes, level, line, marks, plane, stack
from ui.knobs.declared import moved

#: The challenge: at most this share of the cost on demand, with these knobs, on which the cost depends, left alone.
GOAL, FIXED = 0.5, ("mtbf", "dump", "restart", "warning")
#: Top of the chart, as a share of the cost on demand.
TOP = 1.5
#: Ends of the axis of intervals, the knob's own [s].
LOW, HIGH = float(k.SPOT_INTERVAL.low or 0), float(k.SPOT_INTERVAL.high or WORK)
#: The interval that each option of the prediction means [s]; never is the longest on the slider.
GUESSES = {"a": 3 * k.MINUTE, "b": 40 * k.MINUTE, "c": 5 * k.HOUR, "d": HIGH}
_TICKS = [1, 3, 10, 30, 60, 180, 600, 1440]
_LENGTHS = "datum.value < 60 ? datum.value + ' min' : datum.value / 60 + ' h'"
#: Fields of the rows in which each part's upper edge stands, from below.
EDGES = dict(zip(runs.PARTS, ("work", "written", "share"), strict=True))


def beside(page: Any, plan: Plan) -> None:
    """Draw the eight runs beside the chart: they answer the same knobs."""
    page.figure(runs.figure(plan, page.look))


def figure(plan: Plan, look: Look, guess: str | None = None, told: bool = False, playing: bool = False) -> Figure:
    """The main chart with the visitor's answer; the best interval once it may be `told`, the goal while `playing`."""
    title, rows = "Mean cost against the checkpoint interval", frame(plan, guess, told, playing)
    return Figure("cost", title, rows, _spec(look), say("cost_chart", plan), ("curve",), Grab("interval", k.MINUTE))


@lru_cache(maxsize=128)
def frame(plan: Plan, guess: str | None = None, told: bool = False, playing: bool = False) -> pa.Table:
    """Rows of the chart: interval (min), upper edges of the parts (shares of the cost on demand), labels and points."""
    low, high = plan.within(TOP) or (HIGH, HIGH)
    drawn = np.geomspace(max(LOW, low), min(HIGH, high), 61) if low < HIGH and high > LOW else []
    curve, unit = [replace(plan, interval=float(x)) for x in drawn], plan.price / plan.on_demand / k.HOUR
    # To both sides of the curve the cost is above the frame, which the areas fill.
    ends = [LOW, curve[0].interval, curve[-1].interval, HIGH] if curve else [LOW, HIGH]
    beyond = [replace(plan, interval=end) for end in ends]

    def edges(kind: str, of: list[Plan]) -> dict[str, object]:
        written = [min((WORK + at.where.dumps) * unit, TOP) for at in of]
        tops = {"work": WORK * unit, "written": written, "share": [min(at.relative, TOP) for at in of]}
        return {"kind": [kind] * len(of), "interval": [at.interval / k.MINUTE for at in of]} | tops

    parts: list[Mapping[str, object]] = [
        edges("curve", curve),
        edges("beyond", beyond),
        {"kind": "on demand", "share": 1.0},
    ]
    on_demand = f"on demand: {f.money(plan.on_demand)}"
    rows = [marks.label(38, 1, on_demand, align="center", dy=-9, bold=True, short="on demand")]
    if not curve:
        rows.append(marks.label(38, 1.25, "all costs lie above this frame", align="center"))
    if playing:
        parts.append({"kind": "goal", "share": GOAL})
        rows.append(marks.label(1400, GOAL, f"goal: {f.share(GOAL)}", align="right", dy=10, tone="good", bold=True))
    if told and LOW <= plan.best_interval <= HIGH and plan.best.relative <= TOP:
        best, short = say("best", plan), hours(plan.best_interval)
        x = plan.best_interval / k.MINUTE
        rows.append(marks.point(x, plan.best.relative, shape="diamond", tone="good", rim_width=1))
        rows.append(marks.label(x, plan.best.relative, best, align="center", dy=-30, tone="good", short=short))
    return stack([*parts, *marks.renamed([*rows, *_said(plan, guess), *_here(plan)], "interval", "share")])


def _here(plan: Plan) -> list[dict[str, object]]:
    """The present interval: a dot on the curve."""
    side = 10 if plan.interval < k.HOUR else -10
    return _marked(plan, "you are here", {"tone": "ink", "role": "here"}, -14, bold=True, short="you", dx=side)


def _said(plan: Plan, guess: str | None) -> list[dict[str, object]]:
    """The visitor's own answer, and what it costs: a ring."""
    if guess not in GUESSES:
        return []
    ring = {"size": 260, "tone": "paper", "rim": "ink", "rim_width": 2}
    return _marked(
        replace(plan, interval=float(GUESSES[guess])), "you said", ring, 22, short="you said", align="center"
    )


def _marked(plan: Plan, name: str, point: Mapping, below: int, **looks: object) -> list[dict[str, object]]:
    """A point on the curve with its cost, or an arrow where that leaves the frame."""
    x, share, words = plan.interval / k.MINUTE, plan.relative, f"{name}: {f.money(plan.cost)}"
    if share <= TOP:
        return [marks.point(x, share, **point), marks.label(x, share, words, dy=below, **looks)]
    arrow = marks.point(x, TOP, **point | {"shape": "triangle-up", "size": 130})
    looks |= {"dy": 10 if below < 0 else 28, "align": "right", "dx": -10, "short": f"{looks['short']} ↑"}
    return [arrow, marks.label(x, TOP, f"{words} ↑", **looks)]


@plane
def _spec(look: Look) -> tuple:
    """Parts of the mean cost against the interval, one upon the other."""
    x = axes.x("interval:Q", "checkpoint interval", [1, 1440], type="log", values=_TICKS, labelExpr=_LENGTHS)
    y = axes.y("share:Q", "cost ÷ cost on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5])
    low = ["", *list(EDGES.values())[:-1]]
    areas = [_area(part, below, top) for (part, top), below in zip(EDGES.items(), low, strict=True)]
    return x, y, *areas, level("on demand", "ink"), level("goal", "good"), line("curve", "ink")


def _area(part: str, low: str, high: str) -> Layer:
    """What one part adds."""

    def layer(base: alt.Chart, look: Look) -> alt.Chart:
        color = look.series[runs.PARTS[part]]
        mark = base.transform_filter("isValid(datum.work)").mark_area(color=color, clip=True, line=False)
        y = base.encoding.y.copy()
        y.shorthand = f"{high}:Q"
        return mark.encode(y=y, y2=f"{low}:Q" if low else alt.datum(0))

    return layer


def metrics(plan: Plan) -> list[Metric]:
    """The four headline numbers: cost, time, and what the two kinds of waste take of it."""
    return [
        Metric("Expected cost", f.money(plan.cost), say("of_demand", plan), plan.cheap),
        Metric("Expected time", hours(plan.runtime), say("expected", plan)),
        Metric("Writing checkpoints", hours(plan.where.dumps), say("written", plan)),
        Metric("Lost time", hours(plan.redone), say("passed", plan)),
    ]


def verdict(plan: Plan) -> Verdict:
    """Name the kind of waste that is too large."""
    if not plan.cheap:
        lost = "over_lost" if plan.through > 1e-3 else "over_hopeless"
        return Verdict(say(lost if plan.redone > plan.where.dumps else "over_writing", plan), False)
    if plan.near:
        return Verdict(say("near", plan), True)
    return Verdict(say("too_long" if plan.interval > plan.best.interval else "too_short", plan))


def judge(plan: Plan) -> Verdict:
    """Say how far a plan has come in the challenge: the most nodes for which spot still costs half of on demand."""
    if labels := moved(plan, {name for name in plan.__dataclass_fields__ if name not in FIXED}):
        return Verdict(say("reset_first", plan, labels=", ".join(labels)))
    if plan.relative > GOAL:
        return Verdict(say("too_expensive", plan), False)
    return Verdict(say("won", plan), True) if plan.nodes >= most() else Verdict(say("more_can", plan))


@lru_cache(maxsize=1)
def most() -> int:
    """Nodes of the largest run that stays within the goal at an interval that can be set."""
    sizes = range(1, int(k.SPOT_NODES.high or 1) + 1)
    plans = (Plan(nodes=nodes, interval=minutes * k.MINUTE) for nodes in sizes for minutes in INTERVALS)
    return max(plan.nodes for plan in plans if plan.relative <= GOAL)


def remedies(plan: Plan) -> str:
    """Say at which intervals spot pays, or how many nodes would."""
    if plan.near and plan.cheap:
        return ""
    if plan.best.cheap and (ends := plan.within(1.0)):
        shortest, farthest = (hours(end) for end in ends)
        return say("pays_always" if ends[1] > HIGH else "pays", plan, shortest=shortest, farthest=farthest)
    sizes = range(1, plan.nodes)
    most = bisect_left(sizes, True, key=lambda nodes: not replace(plan, nodes=nodes).best.cheap)
    return say("never_pays", plan) + (f" {say('fewer', plan, most=f.count(most, 'node'))}" if most else "")
