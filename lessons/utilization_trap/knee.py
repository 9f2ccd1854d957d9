"""Utilization trap, second chart: how the size of the jobs moves the highest utilization that meets the target."""

import math
from bisect import bisect_left
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.utilization_trap.settings import Fleet, knee_of, say
from physics import constants as k
from physics.queueing import mgc
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Up to this many servers every step of the staircase is drawn; beyond, the steps are too small to see.
STEPS = 32
#: GPUs of the largest fleet, with the largest purchase: the right end of the chart.
MOST = int(k.TRAP_FLEET.high + k.TRAP_ADDED.high)


@lru_cache(maxsize=64)
def _staircase(gpus: int, target: float, scv: float) -> tuple[tuple[int, float], ...]:
    """Job size and highest utilization at every end of a step; the target in job lengths."""
    few = {gpus // servers for servers in range(1, min(gpus, STEPS) + 1)}
    many = {int(size) for size in np.geomspace(1, max(1, gpus // STEPS), 14)}
    points = []
    for last in sorted(few | many):
        servers = gpus // last
        knee = knee_of(target, servers, scv)
        first = gpus // (servers + 1) + 1
        points += [(size, knee) for size in sorted({first, last}) if servers <= STEPS or size == last]
    return tuple(points)


def largest_job(fleet: Fleet) -> int | None:
    """GPUs of the largest job that meets the target at the present utilization, arrivals scaled; None if not even 1."""
    gpus, utilization = fleet.fleet + fleet.added, fleet.now.utilization
    # The wait falls as the same load is spread over more servers.
    waits = _Waits(utilization, fleet.scv)
    fewest = bisect_left(waits, -fleet.target / fleet.job_length, 1, gpus + 1)
    return gpus // fewest if fewest <= gpus else None


class _Waits:
    """Minus the mean wait in job lengths by number of servers: a rising sequence, computed only where it is asked."""

    def __init__(self, utilization: float, scv: float):
        self.utilization, self.scv = utilization, scv

    def __getitem__(self, servers: int) -> float:
        return -mgc(self.utilization * servers, 1.0, servers, self.scv).mean_wait


def knee_frame(fleet: Fleet) -> pa.Table:
    """Rows of the chart: GPUs per job and highest utilization, the present ones, and the largest job that fits."""
    gpus, now = fleet.fleet + fleet.added, min(fleet.now.utilization, 1.2)
    stairs = _staircase(gpus, fleet.target / fleet.job_length, fleet.scv)
    # The line is named at the left where the curve leaves room above it, else at the right.
    above = {"dx": 6, "dy": -11} if stairs[0][1] - now > 0.12 else {"align": "right", "dx": -6, "dy": 12}
    mine = f.share(fleet.now.utilization)
    words, x = f"your utilization, {mine}", 1 if "align" not in above else gpus
    jobs = f"your jobs: {f.share(fleet.knee)}"
    side = {"dx": 4, "dy": 18} if fleet.gpus_per_job**4 < gpus else {"align": "right", "dx": -10, "dy": 11}
    rows = [
        marks.label(1, 1.2, "overload", dx=6, dy=11, tone="bad"),
        marks.label(x, now, words, tone="accent", short=mine, **above),
        marks.point(fleet.gpus_per_job, fleet.knee, size=130),
        marks.label(fleet.gpus_per_job, fleet.knee, jobs, bold=True, **side),
    ]
    if largest := largest_job(fleet):
        # The curve falls: there is room above it at the right, as far as the chart goes on there.
        across = math.log(largest) / math.log(MOST)
        beside = {"dx": 6} if across < 0.6 else {"align": "right", "dx": 4}
        words = f"up to {f.count(largest, 'GPU')}"
        rows.append(marks.point(largest, now, shape="diamond", tone="good"))
        rows.append(marks.label(largest, now, words, dy=-14, bold=True, tone="good", **beside))
    return stack(
        [
            {"kind": "beyond", "utilization": 1.2},
            {"kind": "curve", "gpus": [size for size, _ in stairs], "utilization": [knee for _, knee in stairs]},
            {"kind": "now", "gpus": [1, gpus], "utilization": [now, now]},
            *marks.renamed(rows, "gpus", "utilization"),
        ]
    )


@lru_cache(maxsize=8)
def knee_spec(look: Look) -> dict:
    """Highest utilization against GPUs per job; the present utilization is a line, the present job size a point."""
    base = alt.Chart().encode(
        x=axes.x("gpus:Q", "GPUs per job", [1, MOST], type="log", base=2, format="d"),
        y=axes.y(
            "utilization:Q", "highest utilization", [0, 1.2], format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1, 1.2]
        ),
    )
    tooltip = [alt.Tooltip("gpus:Q", title="GPUs per job"), alt.Tooltip("utilization:Q", format=".1%")]
    layers = [
        base.transform_filter(only("beyond"))
        .mark_rect(color=look.bad, opacity=0.1)
        .encode(x=alt.value(0), x2=alt.value("width"), y2=alt.datum(1.0)),
        base.transform_filter(only("curve"))
        .mark_line(color=look.good, strokeWidth=look.stroke)
        .encode(order="gpus:Q", tooltip=tooltip),
        base.transform_filter(only("now")).mark_line(color=look.accent, strokeWidth=1.5, strokeDash=[8, 4]),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def knee_alt(fleet: Fleet) -> str:
    """The chart in one sentence with its numbers."""
    whole = f.share(knee_of(fleet.target / fleet.job_length, 1, fleet.scv))
    return say("knee_chart", fleet, whole=whole, gpus=f.significant(fleet.fleet + fleet.added, 5))


def words(fleet: Fleet) -> str:
    """What the chart says about the present utilization."""
    if not fleet.now.stable:
        return say("knee_overload", fleet)
    largest = largest_job(fleet)
    if largest is None:
        return say("knee_no_job", fleet)
    return say("knee", fleet, largest=f.count(largest, "GPU"))


def figure(fleet: Fleet, look: Look) -> Figure:
    """The second chart."""
    title = "How job size moves the knee: which utilization still meets the target?"
    return Figure("knee", title, knee_frame(fleet), knee_spec(look), knee_alt(fleet), grab=Grab("gpus_per_job"))
