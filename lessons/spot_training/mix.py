"""Spot training: a service on spot replicas and replicas on demand."""

import altair as alt

from lessons.spot_training.settings import Plan, say
from ui.base import format as f
from ui.base.lesson import Figure, Verdict
from ui.charts import Look, axes, level, marks, only, plane, stack

#: Top of the chart: the price of all on demand is 1.
TOP = 2.0


def figure(plan: Plan, look: Look) -> Figure:
    """Price of the fleet against the share that is on demand."""
    held, safe = plan.base, plan.mixed["safe"]
    prices = {number / plan.needed: plan.fleet_price(number) / safe for number in range(plan.needed + 1)}
    inside = {share: one for share, one in prices.items() if one <= TOP}
    x, y = held / plan.needed, prices[held / plan.needed]
    words, over = f"you: {held} on demand, {f.count(plan.mixed['spot'], 'spot replica')}", y > TOP
    demand, at = f"all on demand: {f.money(safe)} an hour", min(y, TOP)
    rows = [
        {"kind": "each", "x": list(inside), "y": list(inside.values())},
        {"kind": "demand", "y": 1.0},
        marks.point(x, at, shape="triangle-up" if over else "circle", tone="ink", size=140),
        marks.label(x, at, words + " ↑" * over, bold=True, dy=14, short="you", dx=-10 if x > 0.5 else 10),
        marks.label(0.5, 1, demand, align="center", dy=-10, short="all on demand"),
    ]
    title = "Price of the fleet against the share on demand"
    return Figure("mix", title, stack(rows), _spec(look), say("mix_chart", plan))


@plane
def _spec(look: Look) -> tuple:
    """Price against the share on demand."""
    x = axes.x("x:Q", "replicas on demand ÷ needed", [-0.03, 1.03], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("y:Q", "price ÷ all on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5, 2])
    return x, y, level("demand", "ink"), _each


def _each(base: alt.Chart, look: Look) -> alt.Chart:
    return base.transform_filter(only("each")).mark_line(color=look.accent, strokeWidth=1, point={"size": 30})


def verdict(plan: Plan) -> Verdict:
    """Say how many spot replicas keep the promise, and what they cost."""
    return Verdict(say("mix" if plan.base < plan.needed else "mix_none", plan), plan.mixed["cheap"])
