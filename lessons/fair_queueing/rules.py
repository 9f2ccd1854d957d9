"""Fair queueing: B's return under four policies with different memories, and with other shares."""

from collections.abc import Mapping
from dataclasses import replace

import altair as alt

from lessons.fair_queueing.settings import JOB, SHOWN, WEIGHTS, Teams, say
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Look, axes, box, marks, plane, stack, upright

#: Names of the policies in the order of the picture, by the rule that serves the jobs.
POLICIES = {
    "fifo": "FIFO (by arrival)",
    "fair": "Fair share",
    "banked": "Banked turns",
    "sfq": "SFQ",
}
#: Names of the strips with other shares, by B's weight ÷ A's.
RATIOS = {ratio: f"B's weight: {ratio:g}" for ratio in WEIGHTS}
#: Days of the picture before B's return.
BEFORE = 5
#: Width of a note at a strip's end [days].
NOTE = 16


def figure(teams: Teams, look: Look) -> Figure:
    """Chart of the jobs run per day under four policies."""
    orders = {name: teams.order(rule) for rule, name in POLICIES.items()}
    return _strips(teams, look, "flows", "B returns: whose job runs when?", orders)


def weights_figure(teams: Teams, look: Look) -> Figure:
    """Chart of the jobs run per day for each weight of B."""
    orders = {name: replace(teams, weight_ratio=ratio).order() for ratio, name in RATIOS.items()}
    title = "B returns with another share: whose job runs when?"
    return _strips(teams, look, "weights", title, orders, RATIOS[teams.weight_ratio])


@verdict_of(say)
def verdict(teams: Teams) -> Outcome:
    """Return the verdict on what each policy remembers."""
    if len(set(teams.others.values())) == 1:
        return "flows_alike", None
    return "flows", None


def _strips(
    teams: Teams,
    look: Look,
    name: str,
    title: str,
    orders: Mapping[str, str],
    chosen: str | None = None,
) -> Figure:
    """Chart of a strip for each row of `orders`, with the team whose job runs on each day.

    Day 0 is B's return. If A has no job within the strip, a note at its end says when A's next job
    starts. The `chosen` strip has a mark.
    """
    shown_days = min(round(teams.alone / JOB), BEFORE)
    top = next(iter(orders))
    style = {"dx": 4, "dy": -24, "bold": True}
    labels = []
    if shown_days:
        labels.append(marks.label(-shown_days, top, "A", tone="s0", **style))
    labels.append(marks.label(0, top, "B returns", tone="s1", **style))
    rows: list[dict] = [{"kind": "return", "day": 0}]
    for strip, order in orders.items():
        end = SHOWN
        if "A" not in order[:SHOWN]:
            end -= NOTE
            start = f"day {order.index('A'):,} →"
            note = {"short": f"A: {start}", "dx": -4, "bold": True}
            labels.append(marks.label(SHOWN, strip, f"A starts on {start}", **note))
        for day, team in enumerate("A" * shown_days + order[:end], start=-shown_days):
            rows.append({"kind": team, "row": strip, "day": day, "end": day + 1})
    if chosen:
        labels.append(marks.point(-BEFORE - 0.6, chosen, shape="triangle-right", tone="ink"))
    table = stack([*rows, *marks.renamed(labels, "day", "row")])
    return Figure(name, title, table, _spec(look, tuple(orders)), say(f"{name}_chart", teams))


@plane
def _spec(look: Look, names: tuple[str, ...]) -> tuple:
    """Specification: a strip for each name, with a box per job that is lower for B than for A."""
    ends = [-BEFORE - 1.2, SHOWN]
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
weights = View("weights", figure=weights_figure)
