"""Scheduling policy, going further: a day without a share of the nodes, and how each policy catches up."""

from functools import lru_cache

import numpy as np

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.settings import DAY, HOUR, Scenario, say
from physics import constants as k
from physics.scheduling.scoreboard import mean_and_error
from physics.scheduling.simulator import work_behind
from ui.base import format as f
from ui.base import time_slices
from ui.base.lesson import Figure, Metric
from ui.charts import Look, axes, line, marks, plane, stack

NODES, RUNS = int(k.POLICY_GONE * k.FLEET_GPUS), int(k.POLICY_OUTAGE_RUNS)
#: Moments at which the work done is compared, from the beginning of the outage on, and that beginning [s].
MOMENTS, BEGIN = np.arange(0, 15 * DAY + 1, 6 * HOUR), 10 * DAY
TOP, RIGHT = 20_000.0, 15.0


@lru_cache(maxsize=16)
def behind(scenario: Scenario) -> np.ndarray:
    """Work that the outage has kept from being done by each of the MOMENTS, a row for each replication [GPU·s]."""
    found = []
    with time_slices.turn(time_slices.LONGEST):
        for replication in range(RUNS):
            jobs = runs.draw(scenario, replication)
            jobs = jobs[jobs["submit"] < BEGIN + MOMENTS[-1]].reset_index(drop=True)
            found.append(work_behind(jobs, runs.FLEET, scenario.policy, NODES, BEGIN, DAY, BEGIN + MOMENTS))
    return np.array(found)


def figure(scenario: Scenario, look: Look) -> Figure:
    """Return how far the fleet is behind, under FIFO and under the present order."""
    rows: list[dict[str, object]] = []
    shown = {"FIFO": (Scenario(), "fifo", "quiet"), "you are here": (scenario, "mine", "accent")}
    for place, (words, (one, kind, tone)) in enumerate(shown.items()):
        rows.append({"kind": kind, "x": MOMENTS / DAY, "y": behind(one).mean(axis=0) / HOUR})
        rows.append(marks.label(RIGHT, TOP, words, dx=-6, dy=10 + 16 * place, tone=tone, bold=bool(place)))
    title, (back, week) = "How much work is behind? Half of the nodes are gone on the first day", told(scenario)
    drawn = stack(marks.renamed(rows, "day", "work"))
    return Figure("outage", title, drawn, _spec(look), say("outage_chart", scenario, back=back, week=week), ("mine",))


@plane
def _spec(look: Look) -> tuple:
    """GPU-hours behind, by days since the nodes went."""
    x = axes.x("day:Q", "days since the nodes went", [0, RIGHT], values=list(range(0, int(RIGHT) + 1, 2)))
    y = axes.y("work:Q", "GPU-hours behind", [-2_500, TOP], tickCount=5)
    return x, y, line("fifo", "quiet", width=1.2), line("mine")


def told(scenario: Scenario) -> list[str]:
    """GPU-hours behind when the nodes are back and a week later, each with its standard error."""
    late = behind(scenario)[:, np.searchsorted(MOMENTS, [DAY, 8 * DAY])] / HOUR
    return [f.with_error(mean, error) for mean, error in zip(*mean_and_error(late), strict=True)]


def metrics(scenario: Scenario) -> list[Metric]:
    """Return what is gone, and how far behind the fleet is."""
    (back, week), (fifo_back, fifo_week) = told(scenario), told(Scenario())
    return [
        Metric("GPUs gone for a day", f.significant(NODES), f.share(k.POLICY_GONE)),
        Metric("GPU-hours behind then", back, f"FIFO: {fifo_back}"),
        Metric("A week later", week, f"FIFO: {fifo_week}"),
    ]
