"""DRF story: every job's dominant share over the steps of both allocations."""

import altair as alt

from lessons.drf_story import log, pool
from lessons.drf_story.jobs import MOST_JOBS
from lessons.drf_story.settings import Scenario
from ui.base import format as f
from ui.base.lesson import Figure, View
from ui.charts import Look, axes, line, marks, plane, stack, upright

DASHES = ((), (7, 3), (3, 2), (9, 3, 2, 3), (1, 2))


def charts(scenario: Scenario, look: Look) -> list[Figure]:
    """Charts of dominant shares over the steps of both policies, on the same axes."""
    highest = max(max(result.dominant_share.values()) for _, result in scenario.both)
    return [_figure(scenario, number, look, 1.12 * highest or 1.0) for number in (0, 1)]


def _figure(scenario: Scenario, number: int, look: Look, top: float) -> Figure:
    """Chart of the first or second policy's shares, on an axis that ends at `top` [1]."""
    label, result = scenario.both[number]
    end = max(1, scenario.last)
    step = min(scenario.at, len(result.log))
    history = [row["shares"] for row in result.history]
    history.append(result.dominant_share)  # before each step, and after the last one
    rows = [{"kind": "here", "x": step, "y": 0}, marks.point(end, top, size=0)]
    final = result.dominant_share
    gap = 0.26 if look.present else 0.1
    heights = marks.apart(list(final.values()), gap * top, 0.96 * top)
    for i, (name, height) in enumerate(zip(result.executors, heights, strict=True)):
        shares = [row[name] for row in history]
        rows.append({"kind": f"job {i}", "x": range(len(shares)), "y": shares, "label": name})
        rows.append(marks.point(step, shares[step], tone=f"s{i}", size=60))
        words = f"{name} +{result.executors[name]}"
        rows.append(marks.label(end, height, words, tone=f"s{i}", bold=True, dx=8))
    ends = [f"{name} ends at {f.share(share)}" for name, share in final.items()]
    text = f"Dominant shares over the steps of {label}: {'; '.join(ends)}."
    spec = _spec(look) | {"height": 400 if look.present else 235}
    title = f"{label}: whose dominant share grows?"
    return Figure(("one", "two")[number], title, stack(rows), spec, text)


@plane
def _spec(look: Look) -> tuple:
    """Specification: one line of dominant shares per job, and a mark at the current step."""
    # The labels at the ends of the lines are next to the plot.
    edges = [0, alt.ExprRef(f"max(120, width - {12.2 * look.text_size:.0f})")]
    steps = {"zero": True, "range": edges, "format": "d", "tickMinStep": 1, "tickCount": 6}
    x = axes.x("x:Q", "executors allocated", **steps)
    y = axes.y("y:Q", "share" if look.present else "dominant share", zero=True, format=".0%")
    lines = (line(f"job {i}", f"s{i}", DASHES[i], look.stroke) for i in range(MOST_JOBS))
    return x, y, upright("here", "quiet", ()), *lines


view = View("shares", charts=charts, draw=pool.draw, below=log.below)
