"""Spot training: a service on spot replicas and replicas on demand."""

import altair as alt

from lessons.spot_training.settings import Plan, say
from physics import constants as k
from physics.checkpointing import replicas_for
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, level, marks, only, plane, stack

#: Top of the chart: the price of all on demand is 1.
TOP = 2.0


def spot(plan: Plan, held: int, block: int) -> int:
    """Spot replicas asked for in addition to so many on demand, in whole blocks that vanish together."""
    return replicas_for(plan.needed - held, plan.up, plan.target, block) if held < plan.needed else 0


def price(plan: Plan, held: int) -> float:
    """Expected price an hour with so many on demand [$/h]: a spot replica that is away costs nothing."""
    return held * k.SPOT_ON_DEMAND_PRICE + spot(plan, held, plan.block) * plan.up * k.SPOT_PRICE


def _numbers(plan: Plan) -> tuple[int, float, float, dict[str, str]]:
    """Replicas on demand, price an hour, that of all on demand [$/h], and these in words."""
    held = min(plan.base, plan.needed)
    cost, safe = price(plan, held), price(plan, plan.needed)
    asked, alone = (f.count(spot(plan, held, block), "spot replica") for block in (plan.block, 1))
    said = {"held": str(held), "spot": asked, "alone": alone, "cost": f.money(cost), "safe": f.money(safe)}
    return held, cost, safe, said


def figure(plan: Plan, look: Look) -> Figure:
    """Price of the fleet against the share that is on demand."""
    held, cost, safe, said = _numbers(plan)
    prices = {number / plan.needed: price(plan, number) / safe for number in range(plan.needed + 1)}
    inside = {share: one for share, one in prices.items() if one <= TOP}
    x, at, over = held / plan.needed, min(cost / safe, TOP), cost > TOP * safe
    words = f"you: {held} on demand, {said['spot']}" + (" ↑" if over else "")
    rows = [
        {"kind": "each", "x": list(inside), "y": list(inside.values())},
        {"kind": "demand", "y": 1.0},
        marks.point(x, at, shape="triangle-up" if over else "circle", tone="ink", size=140),
        marks.label(x, at, words, bold=True, dy=14, short="you", dx=-10 if x > 0.5 else 10),
        marks.label(0.5, 1, f"all on demand: {said['safe']} an hour", align="center", dy=-10, short="all on demand"),
    ]
    title = "Price of the fleet against the share on demand"
    return Figure("mix", title, stack(rows), _spec(look), say("mix_chart", plan, **said))


@plane
def _spec(look: Look) -> tuple:
    """Price against the share on demand."""
    x = axes.x("x:Q", "replicas on demand ÷ needed", [-0.03, 1.03], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("y:Q", "price ÷ all on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5, 2])
    return x, y, level("demand", "ink"), _each


def _each(base: alt.Chart, look: Look) -> alt.Chart:
    return base.transform_filter(only("each")).mark_line(color=look.accent, strokeWidth=1, point={"size": 30})


def metrics(plan: Plan) -> list[Metric]:
    """How many replicas are asked for, and what they cost."""
    held, cost, safe, said = _numbers(plan)
    return [
        Metric("Spot replicas", f.significant(spot(plan, held, plan.block), 4), f"{plan.needed} must be up"),
        Metric("Replicas on demand", said["held"]),
        Metric("Price per hour", said["cost"], f"all on demand {said['safe']}", cost <= safe),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say how many spot replicas keep the promise, and what they cost."""
    held, cost, safe, said = _numbers(plan)
    return Verdict(say("mix" if held < plan.needed else "mix_none", plan, **said), cost <= safe)


def words(plan: Plan) -> str:
    """Say what is assumed, and what vanishing together adds."""
    more = f" {say('mix_alone', plan, **_numbers(plan)[-1])}" if plan.block > 1 and plan.base < plan.needed else ""
    return say("mix_words", plan) + more
