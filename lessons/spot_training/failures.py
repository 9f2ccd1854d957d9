"""Spot training: a large run on nodes that fail, the same law with failures in the place of interruptions."""

from dataclasses import replace

from lessons.spot_training.settings import Plan, say
from physics import constants as k
from physics.checkpointing import expected_breakdown, job_mtbf, optimal_interval, replicas_for, young
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import Look, axes, level, line, marks, plane, stack

PUBLISHED, MOST = float(k.SPOT_PUBLISHED_USEFUL), int(k.SPOT_CLUSTER_NODES.high or 1)
#: Numbers of nodes at which the curve is drawn, and the share of the time for which spares are to be enough.
SIZES = sorted({round(2 ** (step / 4)) for step in range(49)})
ENOUGH = 0.99


def shares(plan: Plan, nodes: int) -> tuple[float, float, float]:
    """Shares of the time for useful work, for checkpoints and lost work, and for restarts at the best interval [1]."""
    mtbf = job_mtbf(plan.cluster_mtbf, nodes)
    every = optimal_interval(plan.save, mtbf)
    found = expected_breakdown(every, every, plan.save, plan.recovery, mtbf)
    return every / found.runtime, (found.dumps + found.lost) / found.runtime, found.restarts / found.runtime


def spares(plan: Plan) -> int:
    """Spare nodes that replace those in repair for 99 % of the time."""
    up = plan.cluster_mtbf / (plan.cluster_mtbf + plan.repair)
    return replicas_for(plan.cluster_nodes, up, ENOUGH) - plan.cluster_nodes


def _numbers(plan: Plan) -> dict[str, str]:
    n = plan.cluster_nodes
    useful, guarding, restarting = shares(plan, n)
    faster = shares(replace(plan, save=plan.save / 2), n)[0]
    sooner = shares(replace(plan, recovery=plan.recovery / 2), n)[0]
    said = {"useful": useful, "guarding": guarding, "restarting": restarting, "faster": faster, "sooner": sooner}
    mtbf, few = f.duration(job_mtbf(plan.cluster_mtbf, n)), f.count(spares(plan), "spare node")
    return {name: f.share(share) for name, share in said.items()} | {"between": mtbf, "spares": few}


def figure(plan: Plan, look: Look) -> Figure:
    """Share of useful time against the number of nodes."""
    curve, n = [shares(plan, size)[0] for size in SIZES], plan.cluster_nodes
    here = shares(plan, n)[0]
    rows = [
        {"kind": "curve", "x": SIZES, "y": curve},
        {"kind": "published", "y": PUBLISHED},
        marks.label(1.1, PUBLISHED, "published: over 90 %", tone="good", dy=12, short="over 90 %"),
        marks.point(n, here, tone="ink", size=130, role="here"),
        marks.label(n, here, f"you: {f.share(here)}", bold=True, dx=-10, dy=14),
    ]
    title, grab = "Useful time against the number of nodes", Grab("cluster_nodes")
    words = say("failures_chart", plan, **_numbers(plan))
    return Figure("failures", title, stack(rows), _spec(look), words, ("curve",), grab)


@plane
def _spec(look: Look) -> tuple:
    """Useful time against nodes."""
    ticks = [1, 4, 16, 64, 256, 1024, 4096]
    x = axes.x("x:Q", "nodes", [1, MOST], type="log", base=2, values=ticks, format=",d")
    y = axes.y("y:Q", "useful share of the time", [0, 1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    return x, y, level("published", "good"), line("curve")


def metrics(plan: Plan) -> list[Metric]:
    """How often the run fails, what interval follows, what is left, and the spares."""
    said, mtbf = _numbers(plan), job_mtbf(plan.cluster_mtbf, plan.cluster_nodes)
    first, exact = f.duration(young(plan.save, mtbf)), f.duration(optimal_interval(plan.save, mtbf))
    return [
        Metric("One failure every", said["between"], f.count(plan.cluster_nodes, "node")),
        Metric("Best interval", exact, f"{first} by Young's formula"),
        Metric("Useful time", said["useful"], "published: over 90 %", shares(plan, plan.cluster_nodes)[0] >= PUBLISHED),
        Metric("Spare nodes", f.significant(spares(plan), 4), "enough for 99 % of the time"),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say what is lost to what, and what would help."""
    return Verdict(say("failures", plan, **_numbers(plan)))


def words(plan: Plan) -> str:
    """Say what is published, what is assumed, and what spares do."""
    return say("failures_words", plan, **_numbers(plan))
