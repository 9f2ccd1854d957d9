"""Spot training: a large run on nodes that fail, the same law with failures in the place of
interruptions.
"""

from dataclasses import replace

from lessons.spot_training.settings import CLUSTERS, Plan, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture

#: Numbers of nodes at which the curve is drawn.
SIZES = sorted({round(2 ** (step / 4)) for step in range(49)})
LOG = {"type": "log", "base": 2, "values": [1, 4, 16, 64, 256, 1024, 4096], "format": ",d"}


@picture(
    say,
    "failures",
    "Useful time against the number of nodes",
    axes.x("x:Q", "nodes", [1, CLUSTERS[-1]], **LOG),
    axes.y("y:Q", "useful share of the time", [0, 1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    level("published", "good"),
    line("curve"),
    lines=("curve",),
    grab=Grab("cluster_nodes", says="node"),
)
def figure(plan: Plan) -> list[marks.Row]:
    """Share of useful time against the number of nodes."""
    curve = [replace(plan, cluster_nodes=size).large["useful"] for size in SIZES]
    useful = plan.large["useful"]
    published = float(k.SPOT_PUBLISHED_USEFUL)
    return [
        {"kind": "curve", "x": SIZES, "y": curve},
        *marks.limit("published", 1.1, published, "published: over 90%", short="over 90%", dy=12),
        *marks.here(
            plan.cluster_nodes, useful, f"you: {f.share(useful)}", fill="ink", dx=-10, dy=14
        ),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say what is useful, and which of two improvements would raise it visibly."""
    now = f.share(plan.large["useful"])
    raised = [name for name, useful in plan.twice_as_fast.items() if f.share(useful) != now]
    which = "both" if len(raised) == 2 else "".join(raised) or "neither"
    faster = say(f"faster_{which}", plan)
    return Verdict(say("failures", plan, faster=faster), bool(plan.large["good"]))
