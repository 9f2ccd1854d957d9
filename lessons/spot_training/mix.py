"""Spot training: a service on spot replicas and replicas on demand."""

import altair as alt

from lessons.spot_training.settings import Plan, say
from physics import constants as k
from physics.checkpointing import replicas_for
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look, stack
from ui.charts.plane import level, plane

#: Top of the chart: the price of all on demand is 1.
TOP = 2.0


def spot(plan: Plan, held: int, block: int) -> int:
    """Spot replicas asked for in addition to so many on demand, in whole blocks that vanish together."""
    return replicas_for(plan.needed - held, plan.up, plan.target, block) if held < plan.needed else 0


def price(plan: Plan, held: int) -> float:
    """Expected price an hour with so many on demand [$/h]: a spot replica that is away costs nothing."""
    return held * k.SPOT_ON_DEMAND_PRICE + spot(plan, held, plan.block) * plan.up * k.SPOT_PRICE


def figure(plan: Plan, look: Look) -> Figure:
    """Price of the fleet against the share that is on demand."""
    held, safe = min(plan.base, plan.needed), price(plan, plan.needed)
    prices = [(number / plan.needed, price(plan, number) / safe) for number in range(plan.needed + 1)]
    inside = [(share, one) for share, one in prices if one <= TOP]
    (x, at), over = prices[held], prices[held][1] > TOP
    side = {"align": "right", "dx": -10} if x > 0.5 else {"dx": 10}
    words = f"you: {held} on demand, {spot(plan, held, plan.block)} on spot" + (" ↑" if over else "")
    rows = [
        {"kind": "each", "x": [share for share, _ in inside], "y": [one for _, one in inside]},
        {"kind": "demand", "y": 1.0},
        marks.point(x, min(at, TOP), shape="triangle-up" if over else "circle", tone="ink", size=140),
        marks.label(x, min(at, TOP), words, bold=True, dy=14, short="you", **side),
        marks.label(0.5, 1, f"all on demand: {f.money(safe)} an hour", align="center", dy=-10, short="all on demand"),
    ]
    title = "Price of the fleet against the share on demand"
    return Figure("mix", title, stack(rows), _spec(look), say("mix_chart", plan, **_numbers(plan)))


@plane
def _spec(look: Look) -> tuple:
    """Price against the share on demand."""
    x = axes.x("x:Q", "replicas on demand ÷ needed", [-0.03, 1.03], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("y:Q", "price ÷ all on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5, 2])
    return x, y, level("demand", "ink"), _each


def _each(base: alt.Chart, look: Look) -> alt.Chart:
    return base.transform_filter(only("each")).mark_line(color=look.accent, strokeWidth=1, point={"size": 30})


def _numbers(plan: Plan) -> dict[str, str]:
    held = min(plan.base, plan.needed)
    replicas = {
        name: f.count(spot(plan, held, block), "spot replica") for name, block in (("spot", plan.block), ("alone", 1))
    }
    return replicas | {"cost": f.money(price(plan, held)), "safe": f.money(price(plan, plan.needed)), "base": str(held)}


def metrics(plan: Plan) -> list[Metric]:
    """How many replicas are asked for, and what they cost."""
    said, held = _numbers(plan), min(plan.base, plan.needed)
    cheap = price(plan, held) <= price(plan, plan.needed)
    return [
        Metric("Spot replicas", f.significant(spot(plan, held, plan.block), 4), f"{plan.needed} must be up"),
        Metric("Replicas on demand", said["base"]),
        Metric("Price per hour", said["cost"], f"all on demand {said['safe']}", cheap),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say how many spot replicas keep the promise, and what they cost."""
    if plan.base >= plan.needed:
        return Verdict(say("mix_none", plan, **_numbers(plan)))
    cheap = price(plan, plan.base) <= price(plan, plan.needed)
    return Verdict(say("mix_pays" if cheap else "mix_too_expensive", plan, **_numbers(plan)), cheap)


def words(plan: Plan) -> str:
    """Say what is assumed, and what vanishing together adds."""
    alone = plan.block > 1 and plan.base < plan.needed
    return say("mix_words", plan) + (f" {say('mix_alone', plan, **_numbers(plan))}" if alone else "")
