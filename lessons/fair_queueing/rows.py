"""Strips of jobs, one below the other: whose job runs on each day."""

from collections.abc import Mapping
from functools import lru_cache

import altair as alt

from lessons.fair_queueing.turns import SHOWN
from ui.charts import Look, axes, marks, only, specification, stack

#: The first day that is shown, as of B's return, and the days at the end of a strip that a note on it takes.
FIRST, NOTE = -5, 16


def frame(orders: Mapping[str, str], alone: int, chosen: str = "") -> object:
    """Return the rows of a picture: for each name whose job runs on each day from B's return on.

    A strip without a job of A in sight says at its end when A's next one starts; the one that is chosen has a mark.
    """
    before = range(-min(alone, -FIRST), 0)
    parts, rows = [], [marks.label(0, next(iter(orders)), "B returns", dx=5, dy=-24, tone="quiet")]
    for name, order in orders.items():
        end = SHOWN if "A" in order[:SHOWN] else SHOWN - NOTE
        day = [*before, *range(end)]
        team = ["A"] * len(before) + list(order[:end])
        parts.append({"kind": "job", "row": name, "team": team, "day": day, "end": [one + 1 for one in day]})
        if end < SHOWN:
            starts = f"day {order.index('A')} →"
            rows.append(marks.label(SHOWN, name, f"A starts on {starts}", short=f"A: {starts}", dx=-4, bold=True))
    if chosen:
        rows.append(marks.point(FIRST - 0.6, chosen, shape="triangle-right", size=110, tone="ink"))
    return stack([*parts, {"kind": "return", "day": 0}, *marks.renamed(rows, "day", "row")])


@lru_cache(maxsize=8)
def spec(look: Look, names: tuple[str, ...], height: int) -> dict:
    """A row for each name, a box for each job."""
    ends = [FIRST - 1.2, SHOWN]
    x = axes.x("day:Q", "days after B's return; every job takes one", ends, values=[0, 10, 20, 30, 40], grid=False)
    looks = {"paddingInner": 0.3, "paddingOuter": 0.4, "labelLimit": 190, "domain": False, "ticks": False}
    y = axes.y("row:N", None, names, sort=list(names), **looks)
    base = alt.Chart().encode(x=x, y=y)
    colors = alt.Scale(domain=["A", "B"], range=list(look.series[:2]))
    whose = alt.Color("team:N", scale=colors, legend=alt.Legend(title=None, orient="top", offset=4))
    job, middle = base.transform_filter(only("job")), axes.x("middle:Q", ends=ends)
    letter = alt.value({"expr": "width < 560 ? '' : datum.team"})

    def boxes(team: str, height: float) -> alt.Chart:
        """Draw a team's jobs, whose height tells them apart without color."""
        drawn = job.transform_filter(f"datum.team === '{team}'")
        bar = drawn.mark_bar(stroke=look.paper, strokeWidth=1, height=alt.RelativeBandSize(height))
        return bar.encode(x2="end:Q", color=whose, tooltip=["team:N", "day:Q"])

    layers = [
        boxes("A", 1.0),
        boxes("B", 0.7),
        job.transform_calculate(middle="(datum.day + datum.end) / 2")
        .mark_text(color=look.paper, fontSize=look.text_size - 2, fontWeight="bold")
        .encode(x=middle, text=letter),
        alt.Chart().transform_filter(only("return")).mark_rule(color=look.ink, strokeDash=[4, 3]).encode(x="day:Q"),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, height)
