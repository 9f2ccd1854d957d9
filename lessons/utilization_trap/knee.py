"""Utilization trap, beyond the message: how the size of jobs moves the highest utilization that meets the target."""

from bisect import bisect_left
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.utilization_trap.settings import Fleet, knee_of, say
from physics import constants as k
from physics.queueing import mgc
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, box, line, marks, plane, stack

#: Up to this many servers every step of the staircase is drawn; beyond, the steps are too small to see.
STEPS = 32
#: GPUs of the largest fleet, with the largest purchase: the right end of the chart.
MOST = int(k.TRAP_FLEET.high + k.TRAP_ADDED.high)


@lru_cache(maxsize=64)
def _staircase(gpus: int, target: float, scv: float) -> dict[int, float]:
    """Highest utilization by job size, at both ends of every step; the target in job lengths."""
    few = {gpus // servers for servers in range(1, min(gpus, STEPS) + 1)}
    firsts = {gpus // (gpus // last + 1) + 1 for last in few}
    sizes = sorted(few | firsts | {int(size) for size in np.geomspace(1, max(1, gpus // STEPS), 14)})
    return {size: knee_of(target, gpus // size, scv) for size in sizes}


def largest_job(fleet: Fleet) -> int | None:
    """GPUs of the largest job that meets the target at the present utilization, arrivals scaled; None if not even 1."""

    def shortness(servers: int) -> float:
        return -mgc(fleet.load * servers, 1.0, servers, fleet.scv).mean_wait

    # The wait falls as the same load is spread over more servers.
    fewer = bisect_left(range(1, fleet.gpus + 1), -fleet.target / fleet.job_length, key=shortness)
    return fleet.gpus // (fewer + 1) if fewer < fleet.gpus else None


def figure(fleet: Fleet, look: Look) -> Figure:
    """GPUs per job and highest utilization, the present ones, and the largest job that fits."""
    gpus, now, mine = fleet.gpus, min(fleet.load, 1.2), f.share(fleet.load)
    stairs = _staircase(gpus, fleet.target / fleet.job_length, fleet.scv)
    rows = [
        marks.label(MOST, 1.2, "overload", dx=-6, dy=11, tone="bad"),
        marks.label(1, now, f"your utilization, {mine}", tone="accent", short=mine, dx=6, dy=12),
        marks.point(fleet.gpus_per_job, fleet.knee, size=130),
    ]
    dx, yours = 4 if fleet.gpus_per_job < 8 else -10, f"your jobs: {f.share(fleet.knee)}"
    rows.append(marks.label(fleet.gpus_per_job, fleet.knee, yours, bold=True, dx=dx, dy=20))
    if largest := largest_job(fleet):
        # The curve falls: there is room above it at the right, as far as the chart goes on there.
        dx, size = 6 if largest < 800 else -6, f.count(largest, "GPU")
        rows.append(marks.point(largest, now, shape="diamond", tone="good"))
        rows.append(marks.label(largest, now, f"up to {size}", short=size, dx=dx, dy=-14, bold=True, tone="good"))
    parts = [
        {"kind": "beyond", "utilization": 1.2},
        {"kind": "curve", "gpus": list(stairs), "utilization": list(stairs.values())},
        {"kind": "now", "gpus": [1, gpus], "utilization": [now, now]},
    ]
    drawn = stack([*parts, *marks.renamed(rows, "gpus", "utilization")])
    title = "How job size moves the knee: which utilization still meets the target?"
    words = say("knee_chart", fleet, whole=f.share(stairs[gpus]))
    return Figure("knee", title, drawn, _spec(look), words, grab=Grab("gpus_per_job"))


@plane
def _spec(look: Look) -> tuple:
    """Highest utilization against GPUs per job; the present utilization is a line, the present job size a point."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2]
    tips = [alt.Tooltip("gpus:Q", title="GPUs per job"), alt.Tooltip("utilization:Q", format=".1%")]
    return (
        axes.x("gpus:Q", "GPUs per job", [1, MOST], type="log", base=2, format="d"),
        axes.y("utilization:Q", "highest utilization", [0, 1.2], format=".0%", values=ticks),
        box("beyond", "bad", x=alt.value(0), x2=alt.value("width"), y2=alt.datum(1.0), opacity=0.1),
        line("curve", "good", tooltip=tips),
        line("now", dash=(8, 4)),
    )


def words(fleet: Fleet) -> str:
    """What the chart says about the present utilization."""
    if largest := largest_job(fleet):
        return say("knee", fleet, largest=f.count(largest, "GPU"))
    return say("knee_no_job", fleet)
