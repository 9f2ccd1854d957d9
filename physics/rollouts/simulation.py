"""Simulation of a step's answers: the slot, start, and end of each.

Arguments: `answers`, n, that the step waits for; `extra`, e, started beyond these; `places`, p,
that write at once, n + e where None; `mean` length of an answer [s]; `cv`, standard deviation over
mean of log-normal lengths, 0 for equal ones, None for exponential ones; `longest`, at which an
answer is cut off [s], None for no limit.
"""

import heapq
import math
from functools import partial
from typing import Annotated

import numpy as np
import pandas as pd

from physics.arguments import Count, Positive, Series, count, number_that, within_range

MOST = 1_000_000
Answers = Annotated[int, partial(count, most=MOST)]
Extra = Annotated[int, partial(count, least=0, most=MOST)]
Spread = Annotated[float, number_that("be from 0 to 10", lambda number: 0 <= number <= 10)]


@within_range
def draw_lengths(
    answers: Answers,
    rng: np.random.Generator,
    mean: Positive = 1.0,
    cv: Spread | None = None,
    longest: Positive | None = None,
) -> np.ndarray:
    """Draw the lengths of a number of answers [s].

    The mean is that before answers are cut off at the longest.

    >>> draw_lengths(3, np.random.default_rng(1), mean=60, cv=0).tolist()
    [60.0, 60.0, 60.0]
    """
    if cv is None:
        lengths = rng.standard_exponential(answers)
    else:
        spread = math.sqrt(math.log1p(cv**2))
        lengths = np.exp(spread * rng.standard_normal(answers) - spread**2 / 2)
    if longest is not None:
        lengths = np.minimum(lengths, longest / mean)
    return mean * lengths


@within_range
def play_step(lengths: Series, places: Count, kept: Count) -> pd.DataFrame:
    """Table of the answers of one step by start: slot, start, end [s], and whether they are kept.

    Each answer starts at the place that is free first, of those that are free the lowest. The step
    ends with the `kept`-th answer that is done: answers that start later are left out, and those
    that are not done are cut off there.

    >>> play_step([3.0, 1.0, 1.5, 5.0], places=2, kept=3).end.tolist()
    [3.0, 1.0, 2.5, 3.0]
    """
    if kept > len(lengths):
        raise ValueError(f"kept must be at most the number of answers, {len(lengths)}, got {kept}")
    slots = [(0.0, slot) for slot in range(min(places, len(lengths)))]  # when each becomes free
    rows = []
    for length in lengths.tolist():
        start, slot = slots[0]
        heapq.heapreplace(slots, (start + length, slot))
        rows.append((slot, start, start + length))
    table = pd.DataFrame(rows, columns=["place", "start", "end"])
    order = np.argsort(table["end"].to_numpy(), kind="stable")
    table["kept"] = False
    table.loc[order[:kept], "kept"] = True
    step = float(table["end"].iloc[order[kept - 1]])
    table = table[table["kept"] | (table["start"] < step)].copy()
    table["end"] = table["end"].clip(upper=step)
    return table.reset_index(drop=True)


@within_range
def simulate_steps(
    answers: Answers,
    rng: np.random.Generator,
    places: Count | None = None,
    extra: Extra = 0,
    mean: Positive = 1.0,
    cv: Spread | None = None,
    longest: Positive | None = None,
    steps: Answers = 100,
) -> pd.DataFrame:
    """Table of independent simulated steps, one row each.

    Its columns: `step`, the time until the n-th answer is done [s]; `at_once`, the same if all had
    started at once [s]; `busy`, share of the places' time in which they write [1]; `kept`, mean
    length of the kept answers [s]; `all`, that of all answers, the extra ones included [s].

    >>> simulate_steps(4, np.random.default_rng(1), places=2, cv=0, steps=1).step.tolist()
    [2.0]
    """
    started = answers + extra
    if places is None:
        places = started
    at_once = min(places, started)
    rows = []
    for _ in range(steps):
        lengths = draw_lengths(started, rng, mean, cv, longest)
        ends = _ends(lengths, at_once)
        order = np.argpartition(ends, answers - 1)
        step = float(ends[order[answers - 1]])
        writing = np.minimum(ends, step) - np.minimum(ends - lengths, step)
        rows.append(
            (
                step,
                float(np.partition(lengths, answers - 1)[answers - 1]),
                float(writing.sum() / places / step) if step else 1.0,
                float(lengths[order[:answers]].mean()),
                float(lengths.mean()),
            )
        )
    return pd.DataFrame(rows, columns=["step", "at_once", "busy", "kept", "all"])


def _ends(lengths: np.ndarray, places: int) -> np.ndarray:
    """When each answer is done, started in order at the place that is free first [s]."""
    ends = lengths.tolist()
    busy_until = ends[:places]
    heapq.heapify(busy_until)
    for index in range(places, len(ends)):
        ends[index] += busy_until[0]
        heapq.heapreplace(busy_until, ends[index])
    return np.array(ends)
