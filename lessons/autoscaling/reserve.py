"""Autoscaling: how much of a load to reserve when what is reserved is cheaper, and paid used or not."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.autoscaling.settings import Fleet, span
from physics.autoscaling import reserve
from physics.autoscaling.fleet import reservation_cost
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Ends of the axis of what is reserved: they belong to the load.
WIDTHS = (2, 4, 8, 12, 16, 20)
MOST = 2.0  #: height of the frame, in units of the cost with all on demand
POINTS = 97


def width(fleet: Fleet) -> int:
    """The end of the axis of what is reserved."""
    return next(one for one in WIDTHS if one >= min(fleet.loads.max(), WIDTHS[-1]))


def relative(fleet: Fleet, reserved: float) -> float:
    """Cost with so much reserved ÷ cost with all on demand [1]."""
    return reservation_cost(fleet.loads, reserved, fleet.price_ratio) / float(fleet.loads.mean())


def used(fleet: Fleet) -> float:
    """Share of the time in which the load is above what is reserved [1]."""
    return float((fleet.loads > fleet.reserved).mean())


def best(fleet: Fleet) -> float:
    """The cheapest level [replicas' worth of work]."""
    return reserve(fleet.loads, fleet.price_ratio)


def figure(fleet: Fleet, look: Look) -> Figure:
    """What a reservation makes of the bill."""
    title = "What does a reservation make of the bill?"
    return Figure("reserve", title, _frame(fleet), _spec(look, width(fleet)), alt_text(fleet))


@lru_cache(maxsize=32)
def _frame(fleet: Fleet) -> pa.Table:
    end, mean = width(fleet), float(fleet.loads.mean())
    levels = np.linspace(0, end, POINTS)
    curve = [relative(fleet, float(level)) for level in levels]
    now, here = relative(fleet, fleet.reserved), min(fleet.reserved, end)
    far = fleet.reserved > end or now > MOST
    words = f"you: {f.significant(fleet.reserved)} → {f.share(now)}" if far else f"you: {f.share(now)}"
    left = here > 0.6 * end
    rows = [
        marks.point(here, min(now, MOST)),
        marks.label(here, min(now, MOST), words, dx=-10 if left else 10, dy=-14, bold=True, tone="accent",
                    align="right" if left else "left"),
        marks.label(min(mean, end), 0, f"mean load {f.significant(mean)}", dx=5, dy=-10, tone="quiet",
                    align="left"),
        marks.label(end, 1, "all on demand", align="right", dx=-4, dy=-9, tone="quiet"),
    ]  # fmt: skip
    parts = [{"kind": "curve", "reserved": levels, "cost": curve}, {"kind": "mean", "reserved": mean, "cost": 0.0}]
    return stack([*parts, {"kind": "rule", "reserved": 0.0, "cost": 1.0}, *marks.renamed(rows, "reserved", "cost")])


@lru_cache(maxsize=32)
def _spec(look: Look, end: int) -> dict:
    x = axes.x("reserved:Q", "reserved (replicas' worth of work)", [0, end])
    y = axes.y("cost:Q", "cost ÷ all on demand", [0, MOST], format="%", tickCount=5)
    base = alt.Chart().encode(x=x, y=y)
    line = base.transform_filter(only("curve")).mark_line(color=look.accent, strokeWidth=look.stroke, clip=True)
    mean = base.transform_filter(only("mean")).mark_rule(color=look.quiet, strokeDash=[2, 3])
    tips = [alt.Tooltip("reserved:Q", format=".3~g"), alt.Tooltip("cost:Q", format=".1%")]
    layers = [
        marks.level(base, "rule", color=look.quiet, strokeDash=[6, 4]),
        mean.encode(y=alt.datum(0), y2=alt.datum(MOST)),
        line.encode(order="reserved:Q", tooltip=tips),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_text(fleet: Fleet) -> str:
    """The chart in one sentence."""
    return (
        f"Cost over what is reserved, for a load of {span(fleet.loads)}: "
        f"{f.share(relative(fleet, fleet.reserved))} of all on demand at your "
        f"{f.significant(fleet.reserved)}."
    )


def metrics(fleet: Fleet) -> list[Metric]:
    """What the reservation costs and how much of it is used."""
    mean, now = float(fleet.loads.mean()), relative(fleet, fleet.reserved)
    busy = float(np.minimum(fleet.loads, fleet.reserved).mean()) / fleet.reserved if fleet.reserved else None
    saved = f"{f.share(now)} of all on demand"
    return [
        Metric("Reserved", f.significant(fleet.reserved), f"the load is {f.significant(mean)} on average"),
        Metric("All on demand", f"{f.money(mean * fleet.price)} an hour", "for the load itself"),
        Metric("With your reservation", f"{f.money(now * mean * fleet.price)} an hour", saved),
        Metric("Reservation in use", "nothing reserved" if busy is None else f.share(busy), "averaged over the time"),
    ]


def verdict(fleet: Fleet) -> Verdict:
    """Say what the last part of the reservation earns, and what it costs."""
    now = relative(fleet, fleet.reserved)
    over = used(fleet)
    change = "as much as" if abs(now - 1) < 1e-9 else f"{f.share(now)} of what"
    start = f"Reserving {f.significant(fleet.reserved)} costs {change} all on demand does."
    return Verdict(
        f"{start} The load is above it {f.share(over)} of the time; a reserved replica costs "
        f"{f.share(fleet.price_ratio)} of one on demand, used or not.",
        None,
    )


def words(fleet: Fleet) -> str:
    """What is counted."""
    return (
        f"The load of “{fleet.load_words}” is bought exactly, parts of a replica too, with no room for latency and no "
        "cold start; prices and the reservation are below “What is paid”."
    )


def answer(fleet: Fleet) -> str:
    """The cheapest reservation and why."""
    level, ratio = best(fleet), f.share(fleet.price_ratio)
    above, mean = float((fleet.loads > level).mean()), f.significant(float(fleet.loads.mean()))
    return (
        f"Reserve {f.significant(level)}: {f.share(relative(fleet, level))} of the cost with all on demand. The load "
        f"is above that {f.share(above)} of the time, and at or above it no less than the {ratio} that a reserved "
        f"replica costs. It is the load's (1 − {ratio}) quantile, as for a newsvendor who must order before the day; "
        f"the mean load is {mean}."
    )
