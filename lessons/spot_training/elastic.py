"""Spot training: a job that grows and shrinks with the spot price, and what a band around the price spares it."""

import altair as alt
import numpy as np

from lessons.spot_training.models import MOST, TICK
from lessons.spot_training.settings import Plan, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look, stack
from ui.charts.plane import Layer, line, plane

SPAN = float(k.SPOT_PRICE_SPAN) / k.HOUR


def figure(plan: Plan, look: Look) -> Figure:
    """Workers over time on one path of prices."""
    job = plan.elastic
    plain, banded = job.plain.workers, job.banded.workers
    time = np.arange(len(plain)) * TICK / k.HOUR
    rows = [
        {"kind": "plain", "x": time, "y": plain.astype(float)},
        {"kind": "banded", "x": time, "y": banded.astype(float)},
        {"kind": "still", "x": [0.0, SPAN], "y": [float(job.fixed)] * 2},
        marks.label(1, 112, f"every price: {f.count(job.plain.resizes, 'resize')}", tone="s1"),
        marks.label(
            1, 84, f"band of {f.share(job.band)}: {f.count(job.banded.resizes, 'resize')}", tone="s0", bold=True
        ),
        marks.label(1, 60, f"never resized: {f.count(job.fixed, 'worker')}", tone="quiet"),
    ]
    title = "Workers over two days of a spot price that changes"
    return Figure("resized", title, stack(rows), _spec(look), say("elastic_chart", plan))


@plane
def _spec(look: Look) -> tuple:
    """Workers over time, with and without a band, and never resized."""
    x = axes.x("x:Q", "time (h)", [0, SPAN], values=[0, 12, 24, 36, 48])
    y = axes.y("y:Q", "workers", [0, MOST], type="sqrt", values=[0, 4, 16, 36, 64, 100], format="d")
    return x, y, line("still", "quiet", (6, 3)), _steps("plain", "s1", 1.2), _steps("banded", "s0", 2.5)


def _steps(kind: str, tone: str, width: float) -> Layer:
    tips = [alt.Tooltip("x:Q", format=".2~f", title="h"), alt.Tooltip("y:Q", format="d", title="workers")]
    return lambda base, look: (
        base.transform_filter(only(kind))
        .mark_line(color=look.series[int(tone[1])], strokeWidth=width, interpolate="step-after")
        .encode(order="x:Q", tooltip=tips)
    )


def metrics(plan: Plan) -> list[Metric]:
    """What each way gains: worth of the work beyond its cost."""
    job = plan.elastic
    plain, banded, still = (f.money(gain) for gain in job.gains.values())
    return [
        Metric("Gain, following every price", plain, f.count(job.plain.resizes, "resize")),
        Metric("Gain with the band", banded, f.count(job.banded.resizes, "resize")),
        Metric("Gain, never resized", still, f.count(job.fixed, "worker")),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say which way gains most on this path."""
    gains = plan.elastic.gains
    way = max(gains, key=gains.__getitem__)
    return Verdict(say(f"most_{way}", plan, gain=f.money(gains[way])))


def words(plan: Plan) -> str:
    """Say what the rule does, and that one path is luck."""
    return say("elastic_words", plan)
