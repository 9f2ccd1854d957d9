"""Fair queueing: B's return under four policies with different memories."""

from collections.abc import Mapping

import altair as alt

from lessons.fair_queueing.settings import JOB, SHOWN, Teams, say
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Look, axes, box, marks, plane, stack, upright

#: Rules in the order of the picture.
RULES = {"fifo": "FIFO (by arrival)", "fair": "Fair share", "banked": "Banked turns", "sfq": "SFQ"}
#: The first day that is shown, as of B's return, and the days at the end of a strip that a note on
#: it takes.
FIRST = -5
NOTE = 16


def figure(teams: Teams, look: Look) -> Figure:
    """Chart of the jobs run per day under four policies."""
    orders = {name: teams.order(rule) for rule, name in RULES.items()}
    return drawn(teams, look, "flows", "B returns: whose job runs when?", orders)


@verdict_of(say)
def verdict(teams: Teams) -> Outcome:
    """Return the verdict on what each policy remembers."""
    if len({*teams.others.values()}) == 1:
        return "flows_alike", None
    return "flows", None


def drawn(
    teams: Teams,
    look: Look,
    name: str,
    title: str,
    orders: Mapping[str, str],
    chosen: str | None = None,
) -> Figure:
    """Draw a strip per policy with the team whose job runs on each day after B's return.

    One without a job of A in sight says at its end when A's next one starts; the one that is chosen
    has a mark.
    """
    first = -min(round(teams.alone / JOB), -FIRST)
    top = next(iter(orders))
    style = {"dx": 4, "dy": -24, "bold": True}
    rows = [
        marks.label(FIRST, top, "A", tone="s0", **style),
        marks.label(0, top, "B returns", tone="s1", **style),
    ]
    parts: list[dict] = [{"kind": "return", "day": 0}]
    for row, order in orders.items():
        end = SHOWN
        if "A" not in order[:SHOWN]:
            end -= NOTE
            day = f"day {order.index('A'):,} →"
            note = {"short": f"A: {day}", "dx": -4, "bold": True}
            rows.append(marks.label(SHOWN, row, f"A starts on {day}", **note))
        for day, team in zip(range(first, end), "A" * -first + order, strict=False):
            parts.append({"kind": team, "row": row, "day": day, "end": day + 1})
    if chosen:
        rows.append(marks.point(FIRST - 0.6, chosen, shape="triangle-right", tone="ink"))
    frame = stack([*parts, *marks.renamed(rows, "day", "row")])
    return Figure(name, title, frame, _spec(look, tuple(orders)), say(f"{name}_chart", teams))


@plane
def _spec(look: Look, names: tuple[str, ...]) -> tuple:
    """A row for each name, a box for each job; the height of a team's boxes tells them apart
    without color.
    """
    ends = [FIRST - 1.2, SHOWN]
    days = {"values": [0, 10, 20, 30, 40], "grid": False}
    bands = {"paddingInner": 0.3, "paddingOuter": 0.4, "labelLimit": 190}
    boxes = []
    for team, tone, height in (("A", "s0", 1.0), ("B", "s1", 0.7)):
        style = {"stroke": look.paper, "height": alt.RelativeBandSize(height), "tooltip": "day:Q"}
        boxes.append(box(team, tone, "end:Q", alt.Undefined, **style))
    return (
        axes.x("day:Q", "days after B's return; every job takes one day", ends, **days),
        axes.y("row:N", None, names, sort=list(names), domain=False, ticks=False, **bands),
        *boxes,
        upright("return", "ink"),
    )


view = View("flows", figure=figure, verdict=verdict)
