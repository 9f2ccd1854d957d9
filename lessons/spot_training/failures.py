"""Spot training: a large run on nodes that fail, the same law with failures in the place of interruptions."""

from dataclasses import replace

from lessons.spot_training.settings import CLUSTERS, Plan, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, level, line, marks, plane, stack

#: Numbers of nodes at which the curve is drawn.
SIZES = sorted({round(2 ** (step / 4)) for step in range(49)})


def figure(plan: Plan, look: Look) -> Figure:
    """Share of useful time against the number of nodes."""
    curve = [replace(plan, cluster_nodes=size).large["useful"] for size in SIZES]
    n, here, published = plan.cluster_nodes, plan.large["useful"], float(k.SPOT_PUBLISHED_USEFUL)
    rows = [
        {"kind": "curve", "x": SIZES, "y": curve},
        {"kind": "published", "y": published},
        marks.label(1.1, published, "published: over 90%", tone="good", dy=12, short="over 90%"),
        marks.point(n, here, tone="ink", size=130, role="here"),
        marks.label(n, here, f"you: {f.share(here)}", bold=True, dx=-10, dy=14),
    ]
    title, grab = "Useful time against the number of nodes", Grab("cluster_nodes")
    return Figure("failures", title, stack(rows), _spec(look), say("failures_chart", plan), ("curve",), grab)


@plane
def _spec(look: Look) -> tuple:
    """Useful time against nodes."""
    ticks = [1, 4, 16, 64, 256, 1024, 4096]
    x = axes.x("x:Q", "nodes", [1, CLUSTERS[-1]], type="log", base=2, values=ticks, format=",d")
    y = axes.y("y:Q", "useful share of the time", [0, 1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    return x, y, level("published", "good"), line("curve")
