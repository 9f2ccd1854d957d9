"""Autoscaling: at which steady loads ±1 scaling swings."""

from functools import lru_cache

import altair as alt
import pyarrow as pa

from lessons.autoscaling.settings import Fleet
from physics.autoscaling import flapping_loads
from ui.base import format as f
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Most pairs of fleets on the chart, from the floor up.
PAIRS = 8


def extent(floor: int) -> float:
    """The end of the axis of loads, with room for the words."""
    return 1.3 * (floor + PAIRS)


@lru_cache(maxsize=64)
def frame(fleet: Fleet) -> pa.Table:
    """For each pair of fleets, the steady loads between which ±1 scaling swings or rests, and the load now."""
    rows = []
    pairs = range(fleet.floor, max(fleet.floor + 1, min(fleet.ceiling, fleet.floor + PAIRS)))
    for n in pairs:
        pair = f"{n} and {n + 1}"
        add, remove = fleet.upper * n, fleet.lower * (n + 1)
        swings = flapping_loads(fleet.upper, fleet.lower, n) if n < fleet.ceiling else None
        low, high = swings if swings else (min(add, remove), max(add, remove))
        words = f"swings from {f.significant(low)} to {f.significant(high)}" if swings else "rests"
        kind, tone = ("swings", "bad") if swings else ("rests", "good")
        rows.append({"kind": kind, "pair": pair, "load": low, "end": high, "n": n})
        rows += marks.renamed([marks.label(high, pair, words, dx=6, tone=tone) | {"n": n}], "load", "pair")
    loads, n = fleet.loads, pairs[-1]
    here = min(loads.min(), extent(fleet.floor))
    rows.append({"kind": "here", "pair": pair, "load": here, "end": min(loads.max(), extent(fleet.floor)), "n": n})
    words, side = ("your load", {"align": "left", "dx": 5}) if here == loads.min() else (
        f"your load, {f.significant(loads.min())} →",
        {"align": "right", "dx": -5},
    )  # fmt: skip
    row = marks.label(here, pair, words, tone="accent", bold=True, dy=-14, **side)
    return stack([*rows, *marks.renamed([row | {"n": n}], "load", "pair")])


@lru_cache(maxsize=32)
def spec(look: Look, floor: int) -> dict:
    """Intervals of load for each pair of fleets."""
    base = alt.Chart().encode(
        x=axes.x(
            "load:Q",
            "steady load (replicas' worth of work)",
            [0, extent(floor)],
            tickCount=6,
            format="d",
            tickMinStep=1,
        ),
        y=axes.y("pair:N", "between … replicas", sort=alt.EncodingSortField("n", op="min")),
    )
    here = alt.Chart().transform_filter(only("here"))
    layers = [
        here.mark_rect(color=look.accent, opacity=0.15).encode(x="load:Q", x2="end:Q"),
        here.mark_rule(color=look.accent, strokeWidth=2).encode(x="load:Q"),
        base.transform_filter(only("swings")).mark_bar(color=look.bad, height=12).encode(x2="end:Q"),
        base.transform_filter(only("rests")).mark_bar(color=look.good, height=3).encode(x2="end:Q"),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def words(fleet: Fleet) -> str:
    """The chart in one sentence."""
    low = fleet.floor
    ends = flapping_loads(fleet.upper, fleet.lower, low) if low < fleet.ceiling else None
    if ends is None:
        return f"With {f.share(fleet.upper)} and {f.share(fleet.lower)} no steady load swings within floor and ceiling."
    return (
        f"Between {low} and {low + 1} replicas steady loads from {f.significant(ends[0])} to {f.significant(ends[1])} "
        "swing."
    )
