"""Spot training: a job that grows and shrinks with the spot price, and what a band around the price spares it."""

import math
from functools import lru_cache

import numpy as np

from lessons.spot_training.settings import Plan, say
from lessons.spot_training.workers import MOST, network
from physics import constants as k
from physics.checkpointing import ElasticRun, elastic_run, speedup, workers_worth
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, line, marks, plane, stack

TICK, SPAN = float(k.SPOT_PRICE_TICK), float(k.SPOT_PRICE_SPAN)
#: The same prices at every setting.
SEED = 19890619


@lru_cache(maxsize=1)
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


def ways(plan: Plan) -> dict[str, tuple[float, str]]:
    """What the work is worth beyond its cost [$], and resizes or workers in words, by the way of resizing."""
    speed, hour = speedup(fixed(plan), *network(plan)) if fixed(plan) else 0.0, plan.worth / k.HOUR
    still = TICK * float((speed - prices(plan) * fixed(plan)).sum()) * hour
    runs = {"plain": run(plan, 0.0), "banded": run(plan, plan.band)}
    found = {way: (one.gain * hour, f.count(one.resizes, "resize")) for way, one in runs.items()}
    return found | {"still": (still, f.count(fixed(plan), "worker"))}


def figure(plan: Plan, look: Look) -> Figure:
    """Workers over time on one path of prices."""
    plain, banded = run(plan, 0.0).workers, run(plan, plan.band).workers
    counts = {way: count for way, (_, count) in ways(plan).items()}
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
    return x, y, line("still", "ink", (6, 3)), line("plain", "s4", width=1.2), line("banded", "s0")


def metrics(plan: Plan) -> list[Metric]:
    """What each way gains: worth of the work beyond its cost."""
    labels = ("Gain, following every price", "Gain with the band", "Gain, never resized")
    return [Metric(one, f.money(gain), count) for one, (gain, count) in zip(labels, ways(plan).values(), strict=True)]


def verdict(plan: Plan) -> Verdict:
    """Say which way gains most on this path."""
    way, (gain, _) = max(ways(plan).items(), key=lambda one: one[1][0])
    counts = {name: count for name, (_, count) in ways(plan).items()}
    return Verdict(say(f"most_{way}", plan, gain=f.money(gain), **counts))
