"""Spot training, main picture: eight single runs next to the mean cost against the interval.

The chart shows costs as shares of the same work's cost on demand, so that its axis never changes;
the sentences have dollars.
"""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import product, starmap
from typing import Any

import altair as alt
import numpy as np

from lessons.spot_training import following, runs
from lessons.spot_training.settings import HIGH, INTERVALS, LOW, WORK_TIME, Plan, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, Verdict, View, verdict_of
from ui.charts import Layer, Look, Rows, chart, level, line, marks
from ui.knobs.declared import moved

#: The challenge: the largest cost, as a share of that on demand, and the settings to leave alone.
GOAL = 0.5
FIXED = ("mtbf", "dump", "restart", "warning")
#: Top of the chart, as a share of the cost on demand.
TOP = 1.5
#: Columns with the upper edges of the cost's parts, from the lowest part up.
EDGES = ("work", "written", "y")
#: The interval that each option of the prediction means [s].
GUESSES = {"a": 10 * k.MINUTE, "b": 40 * k.MINUTE, "c": 5 * k.HOUR, "d": 2 * k.HOUR}


def beside(page: Any, plan: Plan) -> None:
    """Draw eight runs with the current settings next to the cost chart."""
    page.figure(following.figure(plan, page.look))


def _area(color: int, low: str, high: str) -> Layer:
    """Return the layer of a part of the cost, between two columns; "" is the foot of the chart."""

    def layer(base: alt.Chart, look: Look) -> alt.Chart:
        """Draw the area of the part."""
        mark = base.transform_filter("isValid(datum.work)").mark_area(
            color=look.series[color], clip=True, line=False
        )
        y = base.encoding.y.copy()
        y.shorthand = f"{high}:Q"
        return mark.encode(y=y, y2=f"{low}:Q" if low else alt.datum(0))

    return layer


@chart(
    say,
    "cost",
    *map(_area, runs.COLOR_INDEX.values(), ("", *EDGES), EDGES),
    level("on demand", "ink"),
    level("goal", "good"),
    line("curve", "ink"),
    y=[0, TOP],
)
def figure(plan: Plan, guess: str | None = None, told: bool = False, playing: bool = False) -> Rows:
    """Chart of the mean cost against the interval [min], as a share of the cost on demand.

    It shows the prediction, the best interval once it may be `told`, and the goal while `playing`.
    """
    ends = plan.within(TOP) or (math.inf, math.inf)
    low, high = ends
    intervals = {*np.geomspace(LOW, HIGH, 61).tolist(), *(end for end in ends if LOW < end < HIGH)}
    curve = sorted(interval for interval in intervals if low <= interval <= high)
    # Further left and right the cost is above the frame, which the areas then fill.
    beyond = sorted(intervals.difference(curve))
    x = plan.interval / k.MINUTE
    best = plan.best
    dy = 10 if plan.relative > TOP else -14
    style = {"bold": True, "dy": -9, "tone": "ink", "align": "center"}
    rows = [
        _edges("curve", plan, curve),
        _edges("beyond", plan, beyond),
        *marks.limit("on demand", 38, 1.0, "on demand", **style),
        *marks.here(x, plan.relative, "you", top=TOP, fill="ink", dx=_side(x), dy=dy),
    ]
    if playing:
        goal = f"goal: {f.share(GOAL)}"
        rows += marks.limit("goal", 1400, GOAL, goal, align="right", dy=10, bold=True)
    if told and best.relative <= TOP:
        at = best.interval / k.MINUTE, best.relative
        rows.append(marks.point(*at, shape="diamond", tone="good", rim_width=1))
        name = f"best: {hours(best.interval)}"
        rows.append(marks.label(*at, name, align="center", dy=-30, tone="good"))
    if guess in GUESSES and not playing:
        x = GUESSES[guess] / k.MINUTE
        y = replace(plan, interval=float(GUESSES[guess])).relative
        style = {"tone": "ink", "bold": True, "short": None, "align": "center", "dy": 22}
        words = "you said"
        if y > TOP:
            style |= {"dx": _side(x), "align": "", "dy": 28}
            words = "you said ↑"
        rows += marks.guess(x, min(y, TOP), words, **style)
    return rows


def _side(x: float) -> int:
    """Return the offset of a label from an interval [min], toward the chart's middle [px]."""
    return 10 if x < 60 else -10


def _edges(kind: str, plan: Plan, intervals: list[float]) -> marks.Row:
    """Return the rows with the upper edges of the cost's parts at some intervals [s]."""
    plans = [replace(plan, interval=interval) for interval in intervals]
    unit = plan.price / plan.on_demand / k.HOUR
    return {
        "kind": [kind] * len(plans),
        "x": [at.interval / k.MINUTE for at in plans],
        "work": WORK_TIME * unit,
        "written": [min((WORK_TIME + at.where.dumps) * unit, TOP) for at in plans],
        "y": [min(at.relative, TOP) for at in plans],
    }


@verdict_of(say)
def verdict(plan: Plan) -> Outcome:
    """Return the verdict that names the larger waste: lost work or writing checkpoints."""
    if not plan.cheap and plan.redone > plan.where.dumps:
        return "over_lost", False
    if not plan.cheap:
        return "over_writing", False
    if plan.near:
        return "near", True
    if plan.interval > plan.best.interval:
        return "too_long", None
    return "too_short", None


@verdict_of(say)
def judge(plan: Plan) -> Outcome:
    """Return the verdict on the challenge: as many nodes as possible at half of on-demand cost."""
    labels = moved(plan, fixed=FIXED)
    if labels:
        return "reset_first", None, {"labels": labels}
    if plan.relative > GOAL:
        return "too_expensive", False
    if plan.nodes >= max_nodes():
        return "won", True
    return "more_can", None


@lru_cache(maxsize=1)
def max_nodes() -> int:
    """Number of nodes of the largest run that meets the goal at some checkpoint interval [1]."""
    sizes = range(1, int(k.SPOT_NODES.high) + 1)
    plans = starmap(Plan, product(INTERVALS, sizes))
    return max(plan.nodes for plan in plans if plan.relative <= GOAL)


def remedies(plan: Plan) -> str:
    """Return a sentence with the intervals at which spot is cheaper, or ""."""
    if plan.near and plan.cheap:
        return ""
    ends = plan.within(1.0)
    if not plan.best.cheap or not ends:
        return say("never_pays", plan)
    return say("pays", plan, shortest=hours(ends[0]), farthest=hours(min(ends[1], HIGH)))


def notice_verdict(plan: Plan) -> Verdict:
    """Return the verdict on the value of the notice, or why it has none for an endless run."""
    if math.isinf(plan.cost):
        return verdict(plan)
    return Verdict(say("faster_verdict", plan))


view = View("runs", figure=figure, beside=beside, verdict=verdict, remedies=remedies)
valley = replace(view, id="valley")
notice = View("faster", figure=figure, beside=beside, verdict=notice_verdict)
