"""Spot training: the main picture with a notice before each interruption."""

import math

from lessons.spot_training import cost
from lessons.spot_training.cost import beside, figure
from lessons.spot_training.settings import Plan, say
from ui.base.lesson import Verdict, View


def verdict(plan: Plan) -> Verdict:
    """Return the verdict on the value of the notice, or why it has none for an endless run."""
    if math.isinf(plan.cost):
        return cost.verdict(plan)
    return Verdict(say("faster_verdict", plan))


view = View("faster", figure=figure, beside=beside, verdict=verdict)
