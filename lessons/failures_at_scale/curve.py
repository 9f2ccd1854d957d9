"""Eight times the GPUs, main picture: useful GPUs against GPUs, next to half a day of the run."""

from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from lessons.failures_at_scale import strips
from lessons.failures_at_scale.settings import GPUS, INTERVALS, START, Run, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks
from ui.knobs.remedies import fix_sentence

#: Foot of the chart, and its top, which is also its right end [GPUs].
FOOT = 1024
TOP = GPUS[-1]
#: Numbers of GPUs at which the curve is computed: whole nodes.
SIZES = [8 * round(nodes) for nodes in np.geomspace(GPUS[0] / 8, TOP / 8, 57)]
#: Useful work that each option of the prediction means, relative to today's run.
GUESSES = {"a": 8.0, "b": 5.0, "c": 2.5, "d": 1.4}


def beside(page: Any, run: Run) -> None:
    """Draw half a day of today's run and of the current one next to the chart."""
    page.figure(strips.figure(run, page.look))


@chart(say, "curve", x=[GPUS[0], TOP], y=[FOOT, TOP])
def figure(run: Run, guess: str | None = None, playing: bool = False) -> Rows:
    """Chart of useful GPUs against GPUs, with the peak, today's run, and the current run."""
    today = Run()
    useful = {gpus: replace(run, gpus=gpus).useful for gpus in SIZES}
    inside = {gpus: work for gpus, work in useful.items() if work >= FOOT}
    number = f.significant(run.useful)
    words = f"{number} useful"
    if run.useful < FOOT:
        words += " ↓"
    style = {"short": number, "dx": -10 if run.gpus > k.SCALE_GPUS else 10, "dy": -16}
    if run.gpus > run.peak:
        style["dy"] = 28  # below the labels of the peak and of today's run
    rows = [
        {"kind": "ideal", "x": [GPUS[0], TOP], "y": [GPUS[0], TOP]},
        marks.label(GPUS[0], 16384, "all GPUs useful", dx=4, tone="quiet"),
        {"kind": "curve", "x": list(inside), "y": list(inside.values())},
        {"kind": "today", "x": today.gpus, "y": today.useful},
        marks.label(today.gpus, today.useful, "today", dx=10, dy=12),
        *_peak(run),
        *marks.here(run.gpus, max(run.useful, FOOT), words, **style),
    ]
    if playing:
        words = f"goal: {k.SCALE_GOAL:,.0f} useful"
        rows += marks.limit("goal", GPUS[0], k.SCALE_GOAL, words, dx=6, dy=-10)
    elif guess in GUESSES:
        times = GUESSES[guess]
        gpus = int(k.SCALE_GROWN)
        rows += marks.guess(gpus, times * today.useful, f"you said: {f.times(times)}", dx=-14)
    return rows


def _peak(run: Run) -> Rows:
    """Return the point with the most useful GPUs and its label, if the point is in the chart."""
    useful = run.peak_useful
    if not GPUS[0] < run.peak < TOP or useful < FOOT:
        return []
    words = f"peak: {f.significant(useful)} with {run.peak:,} GPUs"
    return [
        marks.point(run.peak, useful, shape="diamond", tone="good"),
        marks.label(run.peak, useful, words, short="peak", align="center", dy=-18, tone="good"),
    ]


@verdict_of(say)
def verdict(run: Run) -> Outcome:
    """Return the verdict on whether more GPUs would do more work, and why."""
    good = {"past": False, "grows": True}.get(run.state)
    return run.state, good


def remedies(run: Run) -> str:
    """List the smallest change of each setting that brings the run back below its peak."""
    names = ("gpus", "interval", "recovery", "node_mtbf")
    return fix_sentence(say, run, lambda tried: tried.state != "past", names)


@verdict_of(say)
def judge(run: Run) -> Outcome:
    """Return the verdict on the challenge: reach the useful GPUs with as few GPUs as possible."""
    if run != replace(Run(**START), gpus=run.gpus, interval=run.interval):
        return "reset_first", None
    if not run.goal_met:
        return "too_few", False
    if run.gpus > min_gpus():
        return "fewer_can", None
    return "won", True


@lru_cache(maxsize=1)
def min_gpus() -> int:
    """Number of GPUs of the smallest run that reaches the challenge's goal [1]."""
    runs = (Run(*settings, **START) for settings in product(GPUS, INTERVALS))
    return next(run.gpus for run in runs if run.goal_met)


view = View("curve", figure=figure, beside=beside, verdict=verdict, remedies=remedies)
