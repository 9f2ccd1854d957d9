"""Spot training, second act: how many workers to take for a goal, in words and charts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache, partial

import altair as alt
import numpy as np
import pandas as pd

from lessons.spot_training.settings import hours
from physics import constants as k
from physics.checkpointing import all_reduce_time, amdahl_knee, speedup, workers_for
from physics.numerics.checks import count, finite
from ui.base import format as f
from ui.charts.look import Look, label, only, specification

#: The three charts: field of the frame to its question.
CHARTS = {
    "time": "How long does it take?",
    "cost": "What does it cost?",
    "efficiency": "How well are the workers used?",
}
#: What is said of one worker: the best, or as good as any other.
PER_DOLLAR = {False: "1: most per dollar", True: "1: as good as any"}
#: Goal to its name in `workers_for`, its chart and its letter in the charts.
GOALS = {"deadline": "time", "budget": "cost", "knee": "efficiency", "performance per cost": "efficiency"}
#: Fields of a crew whose knob has another name.
NAMES = {"deadline": "train_deadline", "price": "on_demand_price"}
MOST = int(k.SPOT_WORKERS.high)
BANDWIDTHS = (1, 2, 5, 10, 12.5, 25, 50, 100, 200, 400, 900)  #: what the select slider offers


@dataclass(frozen=True)
class Crew:
    """A job on n workers that are never taken away; all SI, price a worker and hour."""

    workers: int = int(k.SPOT_WORKERS)
    serial: float = float(k.SPOT_SERIAL)
    gradient: float = float(k.SPOT_GRADIENT)
    bandwidth: float = float(k.SPOT_BANDWIDTH)
    latency: float = float(k.SPOT_LATENCY)
    deadline: float = float(k.SPOT_TRAIN_DEADLINE)
    budget: float = float(k.SPOT_BUDGET)
    efficiency: float = float(k.SPOT_EFFICIENCY)
    work: float = float(k.SPOT_WORK)
    price: float = float(k.SPOT_ON_DEMAND_PRICE)

    def speedup(self, n: int) -> float:
        """S(n) [1]."""
        return speedup(n, self.serial, self.gradient, self.bandwidth, self.latency, float(k.SPOT_STEP_TIME))

    def time(self, n: int) -> float:
        """Time of the job on n workers [s]."""
        return self.work / self.speedup(n)

    def cost(self, n: int) -> float:
        """Cost of the job on n workers [$]."""
        return n * self.price * self.time(n) / k.HOUR

    @property
    def tied(self) -> bool:
        """Whether every number of workers costs the same: nothing is serial and nothing is sent."""
        return not (self.serial or self.gradient)

    @property
    def best(self) -> dict[str, int | float | None]:
        """Best number of workers for each goal."""
        return _best(self)


@lru_cache(maxsize=64)
def _best(crew: Crew) -> dict[str, int | float | None]:
    """Ask the model for the best number of workers for each goal."""
    return {
        goal: workers_for(
            goal,
            serial=crew.serial,
            gradient_size=crew.gradient,
            bandwidth=crew.bandwidth,
            latency=crew.latency,
            step_time=float(k.SPOT_STEP_TIME),
            work=crew.work,
            deadline=crew.deadline,
            budget=crew.budget,
            price=crew.price / k.HOUR,
            efficiency=crew.efficiency,
        )
        for goal in GOALS
    }


def settings(quantities: Mapping[str, object]) -> Crew:
    """Read the knobs of the second act, SI by quantity; a quantity that is missing has its default.

    Raises
    ------
    ValueError
        When a quantity is not a number or the workers are not whole.
    """
    found = {NAMES.get(field.name, field.name): field.name for field in fields(Crew)}
    read = {name: count if name == "workers" else finite for name in found}
    return Crew(**{field: read[name](name, quantities[name]) for name, field in found.items() if name in quantities})


def answers(crew: Crew) -> list[str]:
    """The best number of workers for each goal, one sentence each."""
    deadline, budget, knee, _ = crew.best.values()
    sentences = [
        f"**Deadline** {hours(crew.deadline)}: " + _result(crew, deadline, "no number of workers meets it"),
        f"**Budget** {f.money(crew.budget)}: " + _result(crew, budget, "even one worker costs more"),
        f"**Knee** at {f.share(crew.efficiency)} efficiency: " + _result(crew, knee, "not reached"),
        "**Performance per cost**: "
        + (
            "1 worker, whatever the network; it only ever says not to scale."
            if not crew.tied
            else "a tie. Nothing is serial and nothing is sent, so every number of workers costs the same."
        ),
    ]
    return sentences


def _result(crew: Crew, n: int | float | None, otherwise: str) -> str:
    if n is None:
        return f"{otherwise}."
    if math.isinf(n):
        return "the more the better: without a serial share and a network nothing is lost."
    return f"{f.count(n, 'worker')}, {hours(crew.time(int(n)))} and {f.money(crew.cost(int(n)), 4)}."


def worker_alt(crew: Crew, field: str) -> str:
    """One of the three charts in one sentence with its numbers."""
    n = crew.workers
    start = {
        "time": f"Time against workers: {hours(crew.time(n))} with {f.count(n, 'worker')}",
        "cost": f"Cost against workers: {f.money(crew.cost(n), 4)} with {f.count(n, 'worker')}",
        "efficiency": f"Speed-up per worker: {f.share(crew.speedup(n) / n)} with {f.count(n, 'worker')}",
    }[field]
    marks = [
        f"the best for the {goal} is {f.significant(best, 5)}"
        for goal, best in crew.best.items()
        if GOALS[goal] == field and best is not None and not (crew.tied and goal == "performance per cost")
    ]
    return f"{start}; {'; '.join(marks)}." if marks else f"{start}."


@lru_cache(maxsize=64)
def worker_frame(crew: Crew, field: str) -> pd.DataFrame:
    """Rows of one of the three charts: workers, and time (h), cost ($) or efficiency, by kind."""
    value = {
        "time": lambda n: crew.time(n) / k.HOUR,
        "cost": crew.cost,
        "efficiency": lambda n: crew.speedup(n) / n,
    }[field]
    numbers = np.unique(np.geomspace(1, MOST, 60).round().astype(int))
    rows = [("curve", int(n), value(int(n)), "") for n in numbers]
    goal = {
        "time": (crew.deadline / k.HOUR, hours(crew.deadline)),
        "cost": (crew.budget, f.money(crew.budget)),
        "efficiency": (crew.efficiency, f.share(crew.efficiency)),
    }[field]
    tallest = max(row[2] for row in rows)
    if goal[0] <= 1.3 * tallest:
        rows.append(("goal", 1, *goal))
    for name, best in crew.best.items():
        if GOALS[name] == field and best is not None and best <= MOST:
            words = PER_DOLLAR[crew.tied] if name == "performance per cost" else f"{int(best)}: {name}"
            rows.append(("first" if best == 1 else "best", int(best), value(int(best)), words))
    rows.append(("here", crew.workers, value(crew.workers), "you"))
    return pd.DataFrame(rows, columns=["kind", "workers", "value", "label"])


@lru_cache(maxsize=24)
def worker_spec(look: Look, field: str) -> dict:
    """Time, cost or efficiency against the number of workers, with the best number for its goal."""
    title, axis = {
        "time": ("time (hours)", alt.Axis()),
        "cost": ("cost ($)", alt.Axis(format="$,.0f")),
        "efficiency": ("speed-up per worker", alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])),
    }[field]
    x = alt.X(
        "workers:Q",
        title="workers n",
        scale=alt.Scale(type="log", base=2, domain=[1, MOST], nice=False),
        axis=alt.Axis(values=[1, 2, 4, 8, 16, 32, 64, 128], format="d"),
    )
    scale = alt.Scale(domain=[0, 1.15], nice=False) if field == "efficiency" else alt.Scale(zero=True, nice=False)
    y = alt.Y("value:Q", title=title, axis=axis, scale=scale)
    base = alt.Chart().encode(x=x, y=y)

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    text = partial(label, base, look=look)
    tips = [
        alt.Tooltip("workers:Q", format="d"),
        alt.Tooltip("value:Q", format=".3~g", title=title),
    ]
    # Costs rise with n, the others fall: the labels stand where the curve is not.
    left, right = {"align": "left", "dx": 6}, {"align": "right", "dx": -6}
    best_side, here_side = (right, left) if field == "cost" else (left, right)
    layers = [
        part("goal")
        .mark_rule(color=look.good, strokeDash=[8, 4], strokeWidth=1.5)
        .encode(x=alt.value(0), x2=alt.value("width")),
        part("curve").mark_line(color=look.accent, strokeWidth=look.stroke).encode(order="workers:Q", tooltip=tips),
        part("best")
        .mark_point(color=look.good, shape="diamond", filled=True, size=110, opacity=1)
        .encode(tooltip=tips),
        part("first")
        .mark_point(color=look.good, shape="diamond", filled=True, size=110, opacity=1)
        .encode(tooltip=tips),
        part("here")
        .mark_point(color=look.accent, filled=True, size=120, opacity=1, stroke=look.paper, strokeWidth=1.5)
        .encode(tooltip=tips),
        text("best", look.good, baseline="bottom", dy=-8, **best_side),
        text("first", look.good, align="left", baseline="bottom", dx=4, dy=-8),
        text("here", look.ink, baseline="top", dy=9, fontWeight="bold", **here_side),
        text("goal", look.good, baseline="top", dy=5, **right).encode(x=alt.value({"expr": "width"})),
    ]
    return specification(alt.layer(*layers), look, 280 if look.present else 230)


def crew_values(crew: Crew) -> dict[str, str]:
    """Numbers of the second act that the lesson's words need, at these settings."""
    n, network = crew.workers, (crew.gradient, crew.bandwidth, crew.latency)
    knee = amdahl_knee(crew.serial, crew.efficiency)
    gain = crew.speedup(n)
    return {
        "crew_workers": f.count(n, "worker"),
        "crew_speedup": f.significant(gain),
        "crew_efficiency": f.share(gain / n),
        "crew_ring": hours(all_reduce_time(n, *network)),
        "crew_step": hours(float(k.SPOT_STEP_TIME)),
        "crew_time": hours(crew.time(n)),
        "crew_cost": f.money(crew.cost(n), 4),
        "crew_one_cost": f.money(crew.cost(1), 4),
        "crew_wanted": f.share(crew.efficiency),
        "crew_knee": f.significant(knee) if math.isfinite(knee) else "without limit",
        "notes_knee_slope": f.significant(1 / 0.7 - 1, 4),
        "story_knee": f.count(Crew().best["knee"] or 0, "worker"),
        "story_deadline_workers": f.count(Crew().best["deadline"] or 0, "worker"),
        "story_budget_workers": f.count(Crew().best["budget"] or 0, "worker"),
        "story_train_deadline": hours(float(k.SPOT_TRAIN_DEADLINE)),
        "story_budget": f.money(float(k.SPOT_BUDGET)),
    }
