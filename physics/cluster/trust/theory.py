"""Two formulas for the wait in a log, and their inputs."""

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from physics import pace
from physics.cluster.jobs import Log
from physics.cluster.weeks import of_weeks
from physics.queueing import SteadyState, mgc, mmc

MARKOV = "M/M/c"
ALLEN = "Allen–Cunneen"


class Theory(NamedTuple):
    """Inputs of two formulas, their results, and the ranges of their mean waits [s]."""

    inputs: dict[str, float]  #: see `physics.cluster.calibrate`
    results: dict[str, SteadyState]  #: by the formula's name
    ranges: dict[str, tuple[float, float]]  #: lower and upper end, likewise


def formulas(log: Log, gpus: float) -> Theory:
    """Compute two formulas for the jobs submitted within a log's time span."""
    within = log.within
    runtime = log.runtime[within]
    gaps = np.append(np.diff(log.submit[within]), 0.0)
    ones = np.ones(len(gaps))
    arrivals = np.append(ones[1:], 0.0)
    work = log.gpus[within] * runtime
    columns = (arrivals, ones, gaps, gaps**2, runtime, runtime**2, work)
    weeks = int(log.week[-1]) + 1
    weekly = np.column_stack([np.bincount(log.week[within], column, weeks) for column in columns])
    inputs = _inputs(gpus, *weekly.sum(axis=0).tolist())

    def wait(name: str, *sums: float) -> float:
        """Mean wait by a formula, from sums over the jobs of some weeks; NaN without arrivals."""
        pace.step()
        if sums[0] > 0 < sums[2]:
            return _formulas(_inputs(gpus, *sums))[name].mean_wait
        return math.nan

    ranges = {name: of_weeks(weekly, partial(wait, name)) for name in (MARKOV, ALLEN)}
    all_inputs = inputs | {"mean_width": float(log.gpus.mean())}
    return Theory(all_inputs, _formulas(inputs), ranges)


def _inputs(
    gpus: float,
    arrivals: float,
    jobs: float,
    gap: float,
    gap2: float,
    length: float,
    length2: float,
    work: float,
) -> dict[str, float]:
    """Inputs of the formulas from sums over jobs; gap: time between two submissions [s]."""
    rate = arrivals / gap
    mean = length / jobs
    width = work / length
    return {
        "arrival_rate": rate,
        "arrival_scv": max(0.0, gap2 / arrivals / (gap / arrivals) ** 2 - 1),
        "length": mean,
        "length_scv": max(0.0, length2 / jobs / mean**2 - 1),
        "running_width": width,
        "servers": max(1, round(gpus / width)),
        "load": rate * mean * width / gpus,
    }


def _formulas(inputs: dict[str, float]) -> dict[str, SteadyState]:
    """Results of both formulas; the service time makes up for rounding the servers."""
    rate = inputs["arrival_rate"]
    servers = int(inputs["servers"])
    queue = (rate, inputs["load"] * servers / rate, servers)
    general = mgc(*queue, inputs["length_scv"], inputs["arrival_scv"])
    return {MARKOV: mmc(*queue), ALLEN: general}
