"""Fair queueing: B's return with unequal shares."""

from dataclasses import replace

from lessons.fair_queueing import rules
from lessons.fair_queueing.settings import WEIGHTS, Teams
from ui.base.lesson import Figure, View
from ui.charts import Look

#: Names of the strips: B's weight over A's.
NAMES = {ratio: f"B's weight: {ratio:g}" for ratio in WEIGHTS}


def figure(teams: Teams, look: Look) -> Figure:
    """Chart of the jobs run per day for each weight of B."""
    orders = {name: replace(teams, weight_ratio=ratio).order() for ratio, name in NAMES.items()}
    title = "B returns with another share: whose job runs when?"
    return rules.drawn(teams, look, "weights", title, orders, NAMES[teams.weight_ratio])


view = View("weights", figure=figure)
