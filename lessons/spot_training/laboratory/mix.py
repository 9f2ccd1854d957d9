"""Spot training: a service with spot and on-demand replicas."""

from lessons.spot_training.settings import Plan, say
from ui.base import format as f
from ui.base.lesson import Verdict, View
from ui.charts import Rows, chart, curve, marks

#: Top of the chart: the price of all on demand is 1.
TOP = 2.0


@chart(say, "mix", y=[0, TOP])
def figure(plan: Plan) -> Rows:
    """Chart of the fleet's price against the on-demand share."""
    safe = plan.mixed["safe"]
    reserved = range(plan.needed + 1)
    prices = {number / plan.needed: plan.fleet_price(number) / safe for number in reserved}
    x = plan.base / plan.needed
    words = f"you: {plan.base} on demand, {f.count(plan.mixed['spot'], 'spot replica')}"
    side = -10 if x > 0.5 else 10
    style = {"top": TOP, "fill": "ink", "role": None, "short": "you", "dx": side, "dy": 14}
    safest = {"short": "all on demand", "align": "center", "dy": -10, "tone": "ink"}
    return [
        *curve("each", prices, TOP),
        *marks.limit("demand", 0.5, 1.0, f"all on demand: {f.money(safe)} per hour", **safest),
        *marks.here(x, prices[x], words, **style),
    ]


def verdict(plan: Plan) -> Verdict:
    """Return the verdict on how many spot replicas keep the promise, and their cost."""
    return Verdict(say("mix" if plan.base < plan.needed else "mix_none", plan), plan.mixed["cheap"])


view = View("mix", figure=figure, verdict=verdict)
