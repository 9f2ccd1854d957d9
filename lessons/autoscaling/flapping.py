"""Autoscaling: at which steady loads it oscillates, for each pair of fleets."""

from functools import lru_cache

import altair as alt

from lessons.autoscaling.settings import Fleet, say
from physics.autoscaling import flapping_loads
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, only, specification, stack, upright

#: Pairs of fleets that are drawn, and the end of the axis of loads, with room for words.
PAIRS, RIGHT = range(1, 7), 8.5


def figure(fleet: Fleet, look: Look) -> Figure:
    """For each pair of fleets, the steady loads between which it oscillates, and the load now."""
    rows = []
    for n in PAIRS:
        pair, ends = f"{n} and {n + 1}", flapping_loads(fleet.upper, fleet.lower, n)
        low, high = ends or sorted((fleet.upper * n, fleet.lower * (n + 1)))
        kind, tone = ("swings", "bad") if ends else ("rests", "good")
        words = f"oscillates from {f.significant(low)} to {f.significant(high)}" if ends else "settles"
        rows.append({"kind": kind, "pair": pair, "load": low, "end": high, "n": n})
        label = marks.label(high, pair, words, dx=6, tone=tone, short="oscillates" if ends else "settles")
        rows += marks.renamed([label | {"n": n}], "load", "pair")
    rows.append({"kind": "here", "load": fleet.base, "pair": pair, "n": n})
    side = 5 if fleet.base < 6 else -5
    here = marks.label(fleet.base, pair, "your load", tone="accent", bold=True, dx=side, dy=17)
    rows += marks.renamed([here | {"n": n}], "load", "pair")
    pairs = f"{sum(row['kind'] == 'swings' for row in rows)} of {len(PAIRS)}"
    text = say("chart_loads", fleet, pairs=pairs)
    return Figure("flapping", "Which steady loads oscillate?", stack(rows), _spec(look), text)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Intervals of load for each pair of fleets."""
    pairs = [f"{n} and {n + 1}" for n in PAIRS]
    x = axes.x("load:Q", "steady load (replicas' worth of work)", [0, RIGHT], tickCount=8, format="d")
    base = alt.Chart().encode(x=x, y=axes.y("pair:N", "between … replicas", pairs))
    layers = [
        upright("here", "accent", ())(base, look),
        base.transform_filter(only("swings")).mark_bar(color=look.bad, height=12).encode(x2="end:Q"),
        base.transform_filter(only("rests")).mark_bar(color=look.good, height=3).encode(x2="end:Q"),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look)
