"""Spot training: a job that grows and shrinks with the spot price, and what a band around the price spares it."""

import math
from functools import cache, lru_cache

import altair as alt
import numpy as np

from lessons.spot_training.settings import Plan, say
from lessons.spot_training.workers import MOST, network
from physics import constants as k
from physics.checkpointing import ElasticRun, elastic_run, speedup, workers_worth
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look, stack
from ui.charts.plane import Layer, line, plane

TICK, SPAN = float(k.SPOT_PRICE_TICK), float(k.SPOT_PRICE_SPAN)
#: The same prices at every setting.
SEED = 19890619


@cache
def _swings() -> np.ndarray:
    """Standard deviations of the logarithm of the price from its mean, at each tick."""
    rng, keeps = np.random.default_rng(SEED), math.exp(-TICK / k.SPOT_PRICE_MEMORY)
    shocks, found = rng.standard_normal(round(SPAN / TICK)), [0.0]
    for shock in shocks[1:].tolist():
        found.append(keeps * found[-1] + math.sqrt(1 - keeps**2) * shock)
    return np.array(found)


def prices(plan: Plan) -> np.ndarray:
    """Price at each tick ÷ worth of what one worker does [1]."""
    return k.SPOT_PRICE / plan.worth * np.exp(plan.swing * _swings() - plan.swing**2 / 2)


@lru_cache(maxsize=64)
def run(plan: Plan, band: float) -> ElasticRun:
    """The job on that path of prices, with a band."""
    return elastic_run(prices(plan), *network(plan), band=band, restart=plan.restart, tick=TICK, limit=MOST)


def fixed(plan: Plan) -> int:
    """Workers of a job that is never resized: as many as are worth the mean price."""
    return int(min(workers_worth(k.SPOT_PRICE / plan.worth, *network(plan)), MOST))


def gains(plan: Plan) -> dict[str, float]:
    """What the work is worth beyond its cost, by the way of resizing [$]."""
    speed = speedup(fixed(plan), *network(plan)) if fixed(plan) else 0.0
    still = TICK * float((speed - prices(plan) * fixed(plan)).sum())
    found = {"plain": run(plan, 0.0).gain, "banded": run(plan, plan.band).gain, "still": still}
    return {way: gain * plan.worth / k.HOUR for way, gain in found.items()}


def _counts(plan: Plan) -> dict[str, str]:
    found = {
        "plain": f.count(run(plan, 0.0).resizes, "resize"),
        "banded": f.count(run(plan, plan.band).resizes, "resize"),
    }
    return found | {"still": f.count(fixed(plan), "worker")}


def figure(plan: Plan, look: Look) -> Figure:
    """Workers over time on one path of prices."""
    plain, banded, counts = run(plan, 0.0).workers, run(plan, plan.band).workers, _counts(plan)
    time = np.arange(len(plain)) * TICK / k.HOUR
    rows = [
        {"kind": "plain", "x": time, "y": plain.astype(float)},
        {"kind": "banded", "x": time, "y": banded.astype(float)},
        {"kind": "still", "x": [0.0, SPAN / k.HOUR], "y": [float(fixed(plan))] * 2},
        marks.label(1, 112, f"every price: {counts['plain']}", tone="s4"),
        marks.label(1, 84, f"band of {f.share(plan.band)}: {counts['banded']}", tone="s0", bold=True),
        marks.label(1, 60, f"never resized: {counts['still']}"),
    ]
    title = "Workers over two days of a spot price that changes"
    return Figure("resized", title, stack(rows), _spec(look), say("elastic_chart", plan, **counts))


@plane
def _spec(look: Look) -> tuple:
    """Workers over time, with and without a band, and never resized."""
    x = axes.x("x:Q", "time (h)", [0, SPAN / k.HOUR], values=[0, 12, 24, 36, 48])
    y = axes.y("y:Q", "workers", [0, MOST], type="sqrt", values=[0, 4, 16, 36, 64, 100], format="d")
    return x, y, line("still", "ink", (6, 3)), _steps("plain", 4, 1.2), _steps("banded", 0, 2.5)


def _steps(kind: str, color: int, width: float) -> Layer:
    tips = [alt.Tooltip("x:Q", format=".2~f", title="h"), alt.Tooltip("y:Q", format="d", title="workers")]
    return lambda base, look: (
        base.transform_filter(only(kind))
        .mark_line(color=look.series[color], strokeWidth=width, interpolate="step-after")
        .encode(order="x:Q", tooltip=tips)
    )


def metrics(plan: Plan) -> list[Metric]:
    """What each way gains: worth of the work beyond its cost."""
    labels = ("Gain, following every price", "Gain with the band", "Gain, never resized")
    found = zip(labels, gains(plan).values(), _counts(plan).values(), strict=True)
    return [Metric(label, f.money(gain), count) for label, gain, count in found]


def verdict(plan: Plan) -> Verdict:
    """Say which way gains most on this path."""
    found = gains(plan)
    way = max(found, key=found.__getitem__)
    return Verdict(say(f"most_{way}", plan, gain=f.money(found[way]), **_counts(plan)))


def words(plan: Plan) -> str:
    """Say what the rule does, and that one path is luck."""
    return say("elastic_words", plan)
