"""Spot training: a service with spot and on-demand replicas."""

from lessons.spot_training.settings import Plan, say
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, layer, level, marks, picture

#: Top of the chart: the price of all on demand is 1.
TOP = 2.0


@picture(
    say,
    "mix",
    "Price of the fleet against the share on demand",
    axes.x(
        "x:Q",
        "replicas on demand ÷ replicas needed",
        [-0.03, 1.03],
        format=".0%",
        values=[0, 0.25, 0.5, 0.75, 1],
    ),
    axes.y("y:Q", "price ÷ price on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5, 2]),
    level("demand", "ink"),
    layer("each", "line", "accent", strokeWidth=1, point={"size": 30}),
)
def figure(plan: Plan) -> list[marks.Row]:
    """Chart of the fleet's price against the on-demand share."""
    held = plan.base
    safe = plan.mixed["safe"]
    prices = {
        number / plan.needed: plan.fleet_price(number) / safe for number in range(plan.needed + 1)
    }
    inside = {share: one for share, one in prices.items() if one <= TOP}
    x = held / plan.needed
    words = f"you: {held} on demand, {f.count(plan.mixed['spot'], 'spot replica')}"
    here = {
        "top": TOP,
        "fill": "ink",
        "role": None,
        "short": "you",
        "dx": -10 if x > 0.5 else 10,
        "dy": 14,
    }
    safest = {"short": "all on demand", "align": "center", "dy": -10, "tone": "ink"}
    return [
        {"kind": "each", "x": list(inside), "y": list(inside.values())},
        *marks.limit("demand", 0.5, 1.0, f"all on demand: {f.money(safe)} an hour", **safest),
        *marks.here(x, prices[x], words, **here),
    ]


def verdict(plan: Plan) -> Verdict:
    """Return the verdict on how many spot replicas keep the promise, and their cost."""
    return Verdict(say("mix" if plan.base < plan.needed else "mix_none", plan), plan.mixed["cheap"])
