"""Fair queueing, going further: B's return when the two shares are not equal."""

from dataclasses import replace

from lessons.fair_queueing import rows
from lessons.fair_queueing.settings import JOB, WEIGHTS, Teams, say
from ui.base.lesson import Figure
from ui.charts import Look

#: Names of the strips: B's weight over A's.
NAMES = {ratio: f"B weighs {ratio:g}" for ratio in WEIGHTS}


def figure(teams: Teams, look: Look) -> Figure:
    """Whose job runs when, for each weight of B."""
    orders = {name: replace(teams, weight_ratio=ratio).order() for ratio, name in NAMES.items()}
    frame = rows.frame(orders, round(teams.alone / JOB), NAMES[teams.weight_ratio])
    title, words = "B returns with another share: whose job runs when?", say("weights_chart", teams)
    return Figure("weights", title, frame, rows.spec(look, tuple(orders), 300), words)
