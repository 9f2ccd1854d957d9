"""Scheduling policy: a day without some of the nodes, and how each policy works off the backlog."""

from lessons.scheduling_policy.laboratory.outages import AFTER, behind
from lessons.scheduling_policy.settings import DAY, HOUR, Scenario, say
from ui.charts import axes, line, marks, picture

TOP = 20_000.0
RIGHT = 15.0


@picture(
    say,
    "outage",
    "How much work is behind? Half of the nodes are gone on the first day",
    axes.x(
        "day:Q", "days since the nodes went", [0, RIGHT], values=list(range(0, int(RIGHT) + 1, 2))
    ),
    axes.y("work:Q", "GPU-hours behind", [-2_500, TOP], tickCount=5),
    line("fifo", "quiet", width=1.2),
    line("mine"),
    lines=("mine",),
)
def figure(scenario: Scenario) -> list[marks.Row]:
    """Chart of the fleet's backlog under FIFO and under the current policy."""
    rows: list[marks.Row] = []
    shown = {"FIFO": (Scenario(), "fifo", "quiet"), "you are here": (scenario, "mine", "accent")}
    for place, (words, (one, kind, tone)) in enumerate(shown.items()):
        rows.append({"kind": kind, "x": AFTER / DAY, "y": behind(one).mean(axis=0) / HOUR})
        rows.append(
            marks.label(RIGHT, TOP, words, dx=-6, dy=10 + 16 * place, tone=tone, bold=bool(place))
        )
    return rows
