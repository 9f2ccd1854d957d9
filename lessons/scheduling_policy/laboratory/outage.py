"""Scheduling policy: a day without some of the nodes, and how each policy works off the backlog."""

from lessons.scheduling_policy.laboratory.outages import AFTER, behind
from lessons.scheduling_policy.settings import DAY, HOUR, Scenario, say
from ui.base.lesson import View
from ui.charts import marks
from ui.charts.described import Rows, chart

TOP = 20_000.0
RIGHT = 15.0


@chart(say, "outage", x=[0, RIGHT], y=[-2_500, TOP])
def figure(scenario: Scenario) -> Rows:
    """Chart of the fleet's backlog under FIFO and under the current policy."""
    rows: Rows = []
    shown = {"FIFO": (Scenario(), "fifo", "quiet"), "you are here": (scenario, "mine", "accent")}
    for place, (words, (one, kind, tone)) in enumerate(shown.items()):
        rows.append({"kind": kind, "x": AFTER / DAY, "y": behind(one).mean(axis=0) / HOUR})
        rows.append(
            marks.label(RIGHT, TOP, words, dx=-6, dy=10 + 16 * place, tone=tone, bold=bool(place))
        )
    return rows


view = View("outage", figure=figure)
