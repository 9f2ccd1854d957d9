"""Utilization trap, second chart: how the size of the jobs moves the highest utilization that meets the target."""

import math
from bisect import bisect_left
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.utilization_trap.settings import Fleet, knee_of
from physics.queueing import mgc
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts.look import Look, only, shortened, specification

#: Up to this many servers every step of the staircase is drawn; beyond, the steps are too small to see.
STEPS = 32


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


def knee_frame(fleet: Fleet) -> pd.DataFrame:
    """Rows of the chart: GPUs per job, highest utilization and a label, by kind."""
    gpus, now = fleet.fleet + fleet.added, min(fleet.now.utilization, 1.2)
    rows = [("curve", size, knee, "") for size, knee in _staircase(gpus, fleet.target / fleet.job_length, fleet.scv)]
    rows += [("now", size, now, "") for size in (1, gpus)]
    # The line is named at the left where the curve leaves room above it, else at the right.
    left = rows[0][2] - now > 0.12
    words = f"your utilization, {f.share(fleet.now.utilization)}"
    rows.append(("now left" if left else "now right", 1 if left else gpus, now, words))
    side = "right" if fleet.gpus_per_job**4 < gpus else "left"
    rows += [
        (kind, fleet.gpus_per_job, fleet.knee, f"your jobs: {f.share(fleet.knee)}") for kind in ("here", f"here {side}")
    ]
    rows.append(("beyond", 1, 1.2, "overload"))
    if largest := largest_job(fleet):
        rows.append(("largest", largest, now, ""))
        # The curve falls: there is room above it at the right, as far as the chart goes on there.
        across = math.log(largest) / math.log(max(2, gpus))
        side = "right" if across < 0.6 else "middle" if across < 0.85 else "left"
        rows.append((f"largest {side}", largest, now, f"up to {f.count(largest, 'GPU')}"))
    return pd.DataFrame(rows, columns=["kind", "gpus", "utilization", "label"])


@lru_cache(maxsize=8)
def knee_spec(look: Look) -> dict:
    """Highest utilization against GPUs per job; the present utilization is a line, the present job size a point."""
    base = alt.Chart().encode(
        x=alt.X(
            "gpus:Q", title="GPUs per job", scale=alt.Scale(type="log", base=2, nice=False), axis=alt.Axis(format="d")
        ),
        y=alt.Y(
            "utilization:Q",
            title="highest utilization",
            scale=alt.Scale(domain=[0, 1.2], nice=False),
            axis=alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1, 1.2]),
        ),
    )
    tooltip = [alt.Tooltip("gpus:Q", title="GPUs per job"), alt.Tooltip("utilization:Q", format=".1%")]

    def text(kind: str, color: str, **options: object) -> alt.Chart:
        chart = base.transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        return chart.encode(text=shortened("replace(datum.label, 'your utilization, ', '')"))

    now = base.transform_filter(only("now"))
    beyond = base.transform_filter(only("beyond"))
    layers = [
        beyond.mark_rect(color=look.bad, opacity=0.1).encode(x=alt.value(0), x2=alt.value("width"), y2=alt.datum(1.0)),
        text("beyond", look.bad, align="left", baseline="top", dx=6, dy=6),
        base.transform_filter(only("curve"))
        .mark_line(color=look.good, strokeWidth=look.stroke, clip=True)
        .encode(order="gpus:Q", tooltip=tooltip),
        now.mark_line(color=look.accent, strokeWidth=1.5, strokeDash=[8, 4]),
        base.transform_filter(only("largest")).mark_point(
            color=look.good, shape="diamond", size=110, filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5
        ),
        base.transform_filter(only("here")).mark_point(
            color=look.accent, size=130, filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5
        ),
        text("now left", look.accent, align="left", baseline="bottom", dx=6, dy=-5),
        text("now right", look.accent, align="right", baseline="top", dx=-6, dy=6),
        *(
            text(f"largest {side}", look.good, align=align, baseline="bottom", dx=dx, dy=-7, fontWeight="bold")
            for side, align, dx in (("left", "right", 4), ("middle", "center", 0), ("right", "left", 6))
        ),
        text("here left", look.ink, align="right", baseline="top", dx=-10, dy=4, fontWeight="bold"),
        text("here right", look.ink, align="left", baseline="top", dx=4, dy=12, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look)


def knee_alt(fleet: Fleet) -> str:
    """The chart in one sentence with its numbers."""
    gpus = fleet.fleet + fleet.added
    whole = knee_of(fleet.target / fleet.job_length, 1, fleet.scv)
    return (
        f"Highest utilization that meets {f.duration(fleet.target)} against GPUs per job: {f.share(fleet.knee)} at "
        f"{f.significant(fleet.gpus_per_job, 5)}, {f.share(whole)} if a job takes all {f.significant(gpus, 5)}."
    )


def knee_words(fleet: Fleet) -> str:
    """What the chart says about the present utilization."""
    target, busy = f.duration(fleet.target), f.share(fleet.now.utilization)
    if not fleet.now.stable:
        return f"At {busy} no job size meets {target}: smaller jobs move the knee, never beyond 100 %."
    largest = largest_job(fleet)
    if largest is None:
        return f"At {busy} not even 1-GPU jobs meet {target}."
    return (
        f"At {busy}, with arrivals scaled to keep it, jobs of up to {f.count(largest, 'GPU')} meet {target}. "
        "The same fleet is more servers to smaller jobs, and more servers bear a higher utilization."
    )


def figure(fleet: Fleet, look: Look) -> Figure:
    """The second chart."""
    title = "How job size moves the knee: which utilization still meets the target?"
    return Figure("knee", title, knee_frame(fleet), knee_spec(look), knee_alt(fleet))
