"""Spot training, main picture: eight single runs next to the mean cost against the interval.

Costs are drawn as shares of the same work's cost on demand, so that the axis stands still whatever
the knobs say; the labels have dollars.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from lessons.spot_training import following, runs
from lessons.spot_training.settings import HIGH, INTERVALS, LOW, WORK, Plan, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import Layer, Look, axes, level, line, marks, picture
from ui.knobs.declared import moved

#: The challenge: at most this share of the cost on demand, with these knobs, on which the cost
#: depends, left alone.
GOAL = 0.5
FIXED = ("mtbf", "dump", "restart", "warning")
#: Top of the chart, as a share of the cost on demand.
TOP = 1.5
LENGTHS = "datum.value < 60 ? datum.value + ' min' : datum.value / 60 + ' h'"
TICKS = {"type": "log", "values": [1, 3, 10, 30, 60, 180, 600, 1440], "labelExpr": LENGTHS}
#: Columns of the upper edges of the parts, from below.
EDGES = ("work", "written", "y")
#: The interval that each option of the prediction means [s].
GUESSES = {"a": 10 * k.MINUTE, "b": 40 * k.MINUTE, "c": 5 * k.HOUR, "d": 2 * k.HOUR}


def beside(page: Any, plan: Plan) -> None:
    """Draw eight runs with the current settings next to the cost chart."""
    page.figure(following.figure(plan, page.look))


def _area(color: int, low: str, high: str) -> Layer:
    """What one part adds."""

    def layer(base: alt.Chart, look: Look) -> alt.Chart:
        mark = base.transform_filter("isValid(datum.work)").mark_area(
            color=look.series[color], clip=True, line=False
        )
        y = base.encoding.y.copy()
        y.shorthand = f"{high}:Q"
        return mark.encode(y=y, y2=f"{low}:Q" if low else alt.datum(0))

    return layer


@picture(
    say,
    "cost",
    "Mean cost against the checkpoint interval",
    axes.x("x:Q", "checkpoint interval", [1, 1440], **TICKS),
    axes.y("y:Q", "cost ÷ cost on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5]),
    *map(_area, runs.PARTS.values(), ("", *EDGES), EDGES),
    level("on demand", "ink"),
    level("goal", "good"),
    line("curve", "ink"),
    lines=("curve",),
    grab=Grab("interval", k.MINUTE),
)
def figure(
    plan: Plan, guess: str | None = None, told: bool = False, playing: bool = False
) -> list[marks.Row]:
    """Main chart with the prediction; the best interval once it is `told`, and the goal while
    `playing`.

    Its rows hold intervals [min] and upper edges of the parts of the cost [shares of the cost on
    demand].
    """
    low, high = plan.within(TOP) or (math.inf, math.inf)
    places = sorted(
        {*np.geomspace(LOW, HIGH, 61).tolist(), *(end for end in (low, high) if LOW < end < HIGH)}
    )
    # To both sides of the curve the cost is above the frame, which the areas fill.
    curve, beyond = (
        [place for place in places if (low <= place <= high) is inside] for inside in (True, False)
    )
    x = plan.interval / k.MINUTE
    best = plan.best
    over = plan.relative > TOP
    rows = [
        _edges("curve", plan, curve),
        _edges("beyond", plan, beyond),
        *marks.limit(
            "on demand", 38, 1.0, "on demand", align="center", dy=-9, bold=True, tone="ink"
        ),
        *marks.here(
            x,
            plan.relative,
            "you",
            top=TOP,
            fill="ink",
            dx=10 if x < 60 else -10,
            dy=10 if over else -14,
        ),
    ]
    if playing:
        rows += marks.limit(
            "goal", 1400, GOAL, f"goal: {f.share(GOAL)}", align="right", dy=10, bold=True
        )
    if told and best.relative <= TOP:
        at = best.interval / k.MINUTE, best.relative
        rows.append(marks.point(*at, shape="diamond", tone="good", rim_width=1))
        rows.append(
            marks.label(*at, f"best: {hours(best.interval)}", align="center", dy=-30, tone="good")
        )
    if guess in GUESSES and not playing:
        x = GUESSES[guess] / k.MINUTE
        y = replace(plan, interval=float(GUESSES[guess])).relative
        if y > TOP:
            side = {"dx": 10 if x < 60 else -10, "dy": 28}
        else:
            side = {"align": "center", "dy": 22}
        rows += marks.said(
            x, min(y, TOP), "you said" + " ↑" * (y > TOP), tone="ink", bold=True, short=None, **side
        )
    return rows


def _edges(kind: str, plan: Plan, intervals: list[float]) -> marks.Row:
    """Upper edges of the parts of the mean cost at some intervals, within the frame."""
    plans = [replace(plan, interval=one) for one in intervals]
    unit = plan.price / plan.on_demand / k.HOUR
    written = [min((WORK + at.where.dumps) * unit, TOP) for at in plans]
    tops = {"work": WORK * unit, "written": written, "y": [min(at.relative, TOP) for at in plans]}
    return {"kind": [kind] * len(plans), "x": [one / k.MINUTE for one in intervals]} | tops


def verdict(plan: Plan) -> Verdict:
    """Return the verdict that names the excessive kind of waste."""
    if not plan.cheap:
        return Verdict(
            say("over_lost" if plan.redone > plan.where.dumps else "over_writing", plan), False
        )
    if plan.near:
        return Verdict(say("near", plan), True)
    return Verdict(say("too_long" if plan.interval > plan.best.interval else "too_short", plan))


def judge(plan: Plan) -> Verdict:
    """Judge the challenge: the most nodes for which spot still costs half of on-demand."""
    labels = moved(plan, {name for name in plan.__dataclass_fields__ if name not in FIXED})
    if labels:
        return Verdict(say("reset_first", plan, labels=", ".join(labels)))
    if plan.relative > GOAL:
        return Verdict(say("too_expensive", plan), False)
    if plan.nodes >= most():
        return Verdict(say("won", plan), True)
    return Verdict(say("more_can", plan))


@lru_cache(maxsize=1)
def most() -> int:
    """Nodes of the largest run that meets the goal at an available checkpoint interval."""
    sizes = range(1, int(k.SPOT_NODES.high or 1) + 1)
    plans = (
        Plan(nodes=nodes, interval=minutes * k.MINUTE) for nodes in sizes for minutes in INTERVALS
    )
    return max(plan.nodes for plan in plans if plan.relative <= GOAL)


def remedies(plan: Plan) -> str:
    """Return the intervals at which spot is cheaper."""
    if plan.near and plan.cheap:
        return ""
    if not (plan.best.cheap and (ends := plan.within(1.0))):
        return say("never_pays", plan)
    return say("pays", plan, shortest=hours(ends[0]), farthest=hours(min(ends[1], HIGH)))
