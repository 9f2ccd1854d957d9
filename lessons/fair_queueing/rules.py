"""Fair queueing, going further: B's return under four rules, each of which remembers for another time."""

from lessons.fair_queueing import rows
from lessons.fair_queueing.settings import JOB, Teams, say
from ui.base.lesson import Figure, Verdict
from ui.charts import Look

#: Rules in the order of the picture.
RULES = {"fifo": "FIFO (by arrival)", "fair": "Fair share", "banked": "Banked turns", "sfq": "SFQ"}


def figure(teams: Teams, look: Look) -> Figure:
    """Whose job runs when, under four rules."""
    orders = {name: teams.order(rule) for rule, name in RULES.items()}
    frame, title = rows.frame(orders, round(teams.alone / JOB)), "B returns: whose job runs when?"
    return Figure("flows", title, frame, rows.spec(look, tuple(orders), 270), say("flows_chart", teams))


def verdict(teams: Teams) -> Verdict:
    """Say what each rule remembers."""
    return Verdict(say("flows_alike" if teams.banked == teams.fresh else "flows", teams))
