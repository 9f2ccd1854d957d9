"""Autoscaling: at which steady loads it oscillates, for each pair of fleets."""

from lessons.autoscaling.settings import Fleet, say
from physics.autoscaling import flapping_loads
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, plane, span, stack, upright

#: Pairs of fleets that are drawn, and the end of the axis of loads, with room for words.
PAIRS, RIGHT = [f"{n} and {n + 1}" for n in range(1, 7)], 8.5


def figure(fleet: Fleet, look: Look) -> Figure:
    """For each pair of fleets, the steady loads between which it oscillates, and the load now."""
    rows, swinging = [{"kind": "here", "x": fleet.base, "y": PAIRS[-1]}], 0
    for n, pair in enumerate(PAIRS, 1):
        ends = flapping_loads(fleet.upper, fleet.lower, n)
        low, high = ends or sorted((fleet.upper * n, fleet.lower * (n + 1)))
        kind, tone, short = ("swings", "bad", "oscillates") if ends else ("rests", "good", "settles")
        words = f"oscillates from {f.significant(low)} to {f.significant(high)}" if ends else short
        rows.append({"kind": kind, "x": low, "y": pair, "end": high})
        rows.append(marks.label(high, pair, words, dx=6, tone=tone, short=short))
        swinging += ends is not None
    side = 5 if fleet.base < 6 else -5
    rows.append(marks.label(fleet.base, PAIRS[-1], "your load", tone="accent", bold=True, dx=side, dy=17))
    text = say("chart_loads", fleet, pairs=f"{swinging} of {len(PAIRS)}")
    return Figure("flapping", "Which steady loads oscillate?", stack(rows), _spec(look), text)


@plane
def _spec(look: Look) -> tuple:
    """Intervals of load for each pair of fleets."""
    x = axes.x("x:Q", "steady load (replicas' worth of work)", [0, RIGHT], tickCount=8, format="d")
    spans = span("swings", "bad", width=12, x2="end:Q"), span("rests", "good", width=3, x2="end:Q")
    return x, axes.y("y:N", "between … replicas", PAIRS), upright("here", "accent", ()), *spans
