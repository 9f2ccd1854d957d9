"""Fair queueing, going further: B's return under four rules, each of which remembers for another time."""

from lessons.fair_queueing import rows
from lessons.fair_queueing.settings import Teams, say
from ui.base.lesson import Figure, Verdict
from ui.charts import Look

#: Rules in the order of the picture.
RULES = {"fifo": "FIFO (by arrival)", "fair": "Fair share", "banked": "Banked turns", "sfq": "SFQ"}


def figure(teams: Teams, look: Look) -> Figure:
    """Whose job runs when, under four rules."""
    orders = {name: teams.order(rule) for rule, name in RULES.items()}
    title, spec = "B returns: whose job runs when?", rows.spec(look, tuple(orders)) | {"height": 270}
    return Figure("flows", title, rows.frame(orders, teams), spec, say("flows_chart", teams))


def verdict(teams: Teams) -> Verdict:
    """Say what each rule remembers."""
    return Verdict(say("flows_alike" if teams.banked == teams.fresh else "flows", teams))
