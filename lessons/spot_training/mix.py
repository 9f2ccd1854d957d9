"""Spot training: a service on spot replicas and replicas on demand."""

from lessons.spot_training.settings import Plan, say
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look, stack
from ui.charts.plane import Layer, level, plane

#: Top of the chart: the price of all on demand is 1.
TOP = 2.0


def figure(plan: Plan, look: Look) -> Figure:
    """Price of the fleet against the share that is on demand."""
    mix = plan.mix
    prices = [(held / mix.needed, mix.cost_with(held) / mix.safe) for held in range(mix.needed + 1)]
    inside = [(share, price) for share, price in prices if price <= TOP]
    x, price = mix.base / mix.needed, mix.cost / mix.safe
    side, over = {"align": "right", "dx": -10} if x > 0.5 else {"dx": 10}, price > TOP
    words = f"you: {mix.base} on demand, {mix.spot} on spot" + (" ↑" if over else "")
    rows = [
        {"kind": "each", "x": [share for share, _ in inside], "y": [price for _, price in inside]},
        {"kind": "demand", "y": 1.0},
        marks.point(x, min(price, TOP), shape="triangle-up" if over else "circle", tone="ink", size=140),
        marks.label(x, min(price, TOP), words, bold=True, dy=14, short="you", **side),
        marks.label(
            0.5, 1, f"all on demand: {f.money(mix.safe)} an hour", align="center", dy=-10, short="all on demand"
        ),
    ]
    title = "Price of the fleet against the share on demand"
    return Figure("mix", title, stack(rows), _spec(look), say("mix_chart", plan))


@plane
def _spec(look: Look) -> tuple:
    """Price against the share on demand."""
    x = axes.x("x:Q", "replicas on demand ÷ needed", [-0.03, 1.03], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("y:Q", "price ÷ all on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5, 2])
    return x, y, level("demand", "ink"), _each()


def _each() -> Layer:
    return lambda base, look: base.transform_filter(only("each")).mark_line(
        color=look.accent, strokeWidth=1, point={"size": 30}
    )


def metrics(plan: Plan) -> list[Metric]:
    """How many replicas are asked for, and what they cost."""
    mix = plan.mix
    return [
        Metric("Spot replicas", f.significant(mix.spot, 4), f"{mix.needed} must be up"),
        Metric("Replicas on demand", str(mix.base)),
        Metric("Price per hour", f.money(mix.cost), f"all on demand {f.money(mix.safe)}", mix.cost <= mix.safe),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say how many spot replicas keep the promise, and what they cost."""
    mix = plan.mix
    if not mix.spot:
        return Verdict(say("mix_none", plan))
    return Verdict(say("mix_pays" if mix.cost <= mix.safe else "mix_too_expensive", plan), mix.cost <= mix.safe)


def words(plan: Plan) -> str:
    """Say what is assumed, and what vanishing together adds."""
    alone = f.count(plan.mix.spot_with(plan.mix.base, 1), "spot replica")
    said = say("mix_alone", plan, alone=alone) if plan.block > 1 and plan.mix.spot else ""
    return f"{say('mix_words', plan)} {said}".strip()
