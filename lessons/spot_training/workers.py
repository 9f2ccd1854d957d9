"""Spot training, second act: how many workers to take for a goal, in words and charts."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.spot_training.crew import GOALS, MOST, Crew
from lessons.spot_training.settings import Plan, hours
from physics import constants as k
from physics.checkpointing import all_reduce_time, amdahl_knee
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: The three charts: field of the frame to its question, the title of its axis, and the axis' top.
CHARTS = {
    "time": ("How long does it take?", "time ÷ one worker's", 1.1),
    "cost": ("What does it cost?", "cost ÷ one worker's", 5.0),
    "efficiency": ("How well are the workers used?", "speed-up per worker", 1.15),
}
#: What is said of one worker: the best, or as good as any other.
PER_DOLLAR = {False: "1: most per dollar", True: "1: as good as any"}


def figures(plan: Plan, look: Look) -> list[Figure]:
    """The three charts."""
    crew = plan.crew
    return [
        Figure(f"workers_{field}", title, worker_frame(crew, field), worker_spec(look, field), worker_alt(crew, field))
        for field, (title, *_) in CHARTS.items()
    ]


def answers(crew: Crew) -> list[str]:
    """The best number of workers for each goal, one sentence each."""
    deadline, budget, knee, _ = crew.best.values()
    sentences = [
        f"**Deadline** {hours(crew.train_deadline)}: " + _result(crew, deadline, "no number of workers meets it"),
        f"**Budget** {f.money(crew.budget)}: " + _result(crew, budget, "even one worker costs more"),
        f"**Knee** at {f.share(crew.efficiency)} efficiency: " + _result(crew, knee, "not reached"),
        "**Performance per cost**: "
        + (
            "1 worker, whatever the network; it only ever says not to scale."
            if not crew.tied
            else "a tie. Nothing is serial and nothing is sent, so every number of workers costs the same."
        ),
    ]
    return [*sentences, scaling_words(crew)]


def scaling_words(crew: Crew) -> str:
    """Strong scaling beside weak, at the visitor's number of workers."""
    n = crew.workers
    if n == 1:
        return f"**Strong or weak**: 1 worker cuts no batch and enlarges none; both ways use it to {f.share(1)}."
    return (
        f"**Strong or weak**: a batch cut in {n} uses {f.count(n, 'worker')} to {f.share(crew.speedup(n) / n)}; "
        f"a batch {n} times as large, to {f.share(crew.weak(n))}, if the larger batch teaches as much."
    )


def _result(crew: Crew, n: int | float | None, otherwise: str) -> str:
    if n is None:
        return f"{otherwise}."
    if math.isinf(n):
        return "the more the better: without a serial share and a network nothing is lost."
    return f"{f.count(n, 'worker')}, {hours(crew.time(int(n)))} and {f.money(crew.cost(int(n)))}."


def worker_alt(crew: Crew, field: str) -> str:
    """One of the three charts in one sentence with its numbers."""
    n = crew.workers
    start = {
        "time": f"Time against workers: {hours(crew.time(n))} with {f.count(n, 'worker')}",
        "cost": f"Cost against workers: {f.money(crew.cost(n))} with {f.count(n, 'worker')}",
        "efficiency": f"Speed-up per worker: {f.share(crew.speedup(n) / n)} with {f.count(n, 'worker')}",
    }[field]
    told = [
        f"the best for the {goal} is {f.significant(best, 5)}"
        for goal, best in crew.best.items()
        if GOALS[goal] == field and best is not None and not (crew.tied and goal == "performance per cost")
    ]
    if field == "efficiency":
        told.append(f"with n times the work it is {f.share(crew.weak(n))}")
    return "; ".join([start, *told]) + "."


def _values(crew: Crew, field: str, numbers: np.ndarray) -> list[float]:
    """Time or cost beside one worker's, or the speed-up per worker [1]."""
    gains = [crew.speedup(int(n)) for n in numbers]
    if field == "time":
        return [1 / gain for gain in gains]
    return [n / gain if field == "cost" else gain / n for n, gain in zip(numbers, gains, strict=True)]


@lru_cache(maxsize=64)
def worker_frame(crew: Crew, field: str) -> pa.Table:
    """Rows of one of the three charts: workers, and time, cost or efficiency, by kind; what leaves has an arrow."""
    top = CHARTS[field][2]
    numbers = np.unique(np.geomspace(1, MOST, 60).round().astype(int))
    wanted, words = {
        "time": (crew.train_deadline / crew.work, hours(crew.train_deadline)),
        "cost": (crew.budget / crew.cost(1), f.money(crew.budget)),
        "efficiency": (crew.efficiency, f.share(crew.efficiency)),
    }[field]
    n = crew.workers
    you = {
        "time": f"you: {hours(crew.time(n))}",
        "cost": f"you: {f.money(crew.cost(n))}",
        "efficiency": f"you: {f.share(crew.speedup(n) / n)}",
    }[field]
    # Costs rise with n, the others fall: the labels stand where the curve is not.
    left, right = {"align": "left", "dx": 8}, {"align": "right", "dx": -8}
    beside, other = (right, left) if field == "cost" else (left, right)
    rows = []
    for name, best in crew.best.items():
        if GOALS[name] == field and best is not None and best <= MOST:
            label = PER_DOLLAR[crew.tied] if name == "performance per cost" else f"{int(best)}: {name}"
            rows += _marked(int(best), _values(crew, field, [best])[0], label, top, left if best == 1 else beside)
    rows += _marked(n, _values(crew, field, [n])[0], you, top, other, "accent")
    parts = []
    if field == "efficiency":
        parts = [{"kind": "weak", "workers": numbers, "value": [crew.weak(int(one)) for one in numbers]}]
        side, dy = (right, -11) if crew.weak(MOST) > 0.6 else (right, 12)
        words_of_weak = f"weak scaling: {f.share(crew.weak(n))}"
        rows.append(marks.label(MOST, crew.weak(MOST), words_of_weak, dy=dy, tone="s2", short="weak", **side))
    beyond = wanted > top
    words, dy = f"{words} ↑" if beyond else words, -10 if field == "cost" and not beyond else 12
    rows.append(marks.label(MOST, min(wanted, top), words, align="right", dy=dy, dx=-4, tone="good"))
    return stack(
        [
            {"kind": "curve", "workers": numbers, "value": _values(crew, field, numbers)},
            *parts,
            {"kind": "goal", "value": None if beyond else wanted},
            *marks.renamed(rows, "workers", "value"),
        ]
    )


def _marked(n: int, value: float, words: str, top: float, side: dict, tone: str = "good") -> list[dict]:
    """A point with its words; the best ones are diamonds with words above, the visitor's has them below."""
    beyond, yours = value > top, tone == "accent"
    shape = "triangle-up" if beyond else "circle" if yours else "diamond"
    dy = 12 if yours or beyond else -12
    words, place = f"{words} ↑" if beyond else words, min(value, top)
    text = marks.label(n, place, words, dy=dy, bold=yours, tone="ink" if yours else tone, **side)
    return [marks.point(n, place, shape=shape, tone=tone), text]


@lru_cache(maxsize=24)
def worker_spec(look: Look, field: str) -> dict:
    """Time, cost or efficiency against the number of workers, with the best number for its goal."""
    _, title, top = CHARTS[field]
    x = axes.x(
        "workers:Q", "workers n", [1, MOST], type="log", base=2, values=[1, 2, 4, 8, 16, 32, 64, 128], format="d"
    )
    shares = {} if field == "cost" else {"format": ".0%", "values": [0, 0.2, 0.4, 0.6, 0.8, 1]}
    y = axes.y("value:Q", title, [0, top], **shares)
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("workers:Q", format="d"), alt.Tooltip("value:Q", format=".3~g", title=title)]
    layers = [
        marks.level(base, "goal", color=look.good, strokeDash=[8, 4], strokeWidth=1.5),
        base.transform_filter(only("curve"))
        .mark_line(color=look.accent, strokeWidth=look.stroke, clip=True)
        .encode(order="workers:Q", tooltip=tips),
        base.transform_filter(only("weak"))
        .mark_line(color=look.series[2], strokeDash=[5, 3], strokeWidth=look.stroke, clip=True)
        .encode(order="workers:Q", tooltip=tips),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 280 if look.present else 230, halo=False)


def crew_values(crew: Crew) -> dict[str, str]:
    """Numbers of the second act that the lesson's words need, at these settings."""
    n, network = crew.workers, (crew.gradient, crew.bandwidth, crew.latency)
    knee = amdahl_knee(crew.serial, crew.efficiency)
    gain = crew.speedup(n)
    return {
        "crew_workers": f.count(n, "worker"),
        "crew_speedup": f.significant(gain),
        "crew_efficiency": f.share(gain / n),
        "crew_weak": f.share(crew.weak(n)),
        "story_strong_64": f.share(Plan().crew.speedup(64) / 64),
        "story_weak_64": f.share(Plan().crew.weak(64)),
        "crew_ring": hours(all_reduce_time(n, *network)),
        "crew_step": hours(float(k.SPOT_STEP_TIME)),
        "crew_time": hours(crew.time(n)),
        "crew_cost": f.money(crew.cost(n), 4),
        "crew_one_cost": f.money(crew.cost(1), 4),
        "crew_wanted": f.share(crew.efficiency),
        "crew_knee": f.significant(knee) if math.isfinite(knee) else "without limit",
        "notes_knee_slope": f.significant(1 / 0.7 - 1, 4),
        "story_knee": f.count(Plan().crew.best["knee"] or 0, "worker"),
        "story_deadline_workers": f.count(Plan().crew.best["deadline"] or 0, "worker"),
        "story_budget_workers": f.count(Plan().crew.best["budget"] or 0, "worker"),
        "story_train_deadline": hours(float(k.SPOT_TRAIN_DEADLINE)),
        "story_budget": f.money(float(k.SPOT_BUDGET)),
    }
