"""Scheduling policy: a day without some of the nodes, and how each policy works off the backlog."""

from lessons.scheduling_policy.laboratory.outages import AFTER, behind
from lessons.scheduling_policy.settings import DAY, HOUR, Scenario, say
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

TOP = 20_000.0
RIGHT = 15.0


@chart(say, "outage", x=[0, RIGHT], y=[-2_500, TOP])
def figure(scenario: Scenario) -> Rows:
    """Chart of the fleet's backlog under FIFO and under the current policy."""
    x = AFTER / DAY
    fifo = behind(Scenario()).mean(axis=0) / HOUR
    current = behind(scenario).mean(axis=0) / HOUR
    return [
        {"kind": "fifo", "x": x, "y": fifo},
        marks.label(RIGHT, TOP, "FIFO", dx=-6, dy=10, tone="quiet"),
        {"kind": "mine", "x": x, "y": current},
        marks.label(RIGHT, TOP, "you are here", dx=-6, dy=26, tone="accent", bold=True),
    ]


view = View("outage", figure=figure)
