"""Autoscaling: at which steady loads it oscillates, for each pair of fleets."""

from lessons.autoscaling.settings import Fleet, say
from physics.autoscaling import flapping_loads
from ui.base import format as f
from ui.charts import axes, marks, picture, span, upright

#: Pairs of fleets that are drawn, and the end of the axis of loads, with room for words.
PAIRS = [f"{n} and {n + 1}" for n in range(1, 7)]
RIGHT = 8.5


@picture(
    say,
    "flapping",
    "Which steady loads oscillate?",
    axes.x("x:Q", "steady load (replicas' worth of work)", [0, RIGHT], tickCount=8, format="d"),
    axes.y("y:N", "between … replicas", PAIRS),
    upright("here", "accent", ()),
    span("swings", "bad", width=12, x2="end:Q"),
    span("rests", "good", width=3, x2="end:Q"),
    told="chart_loads",
)
def figure(fleet: Fleet) -> list[marks.Row]:
    """For each pair of fleets, the steady loads between which it oscillates, and the load now."""
    looks = {"dx": 5 if fleet.base < 6 else -5, "dy": 17, "tone": "accent", "bold": True}
    rows = marks.limit("here", fleet.base, PAIRS[-1], "your load", **looks)
    for n, pair in enumerate(PAIRS, 1):
        ends = flapping_loads(fleet.upper, fleet.lower, n)
        low, high = ends or sorted((fleet.upper * n, fleet.lower * (n + 1)))
        if ends:
            kind = "swings"
            tone = "bad"
            short = "oscillates"
        else:
            kind = "rests"
            tone = "good"
            short = "settles"
        if ends:
            words = f"oscillates from {f.significant(low)} to {f.significant(high)}"
        else:
            words = short
        rows.append({"kind": kind, "x": low, "y": pair, "end": high})
        rows.append(marks.label(high, pair, words, dx=6, tone=tone, short=short))
    return rows
