"""Two formulas for the wait in a log, and their inputs."""

import math
from functools import partial

import numpy as np

from physics import pace
from physics.cluster.jobs import Log
from physics.cluster.weeks import of_weeks
from physics.queueing import SteadyState, mgc, mmc

MARKOV = "M/M/c"
ALLEN = "Allen–Cunneen"


def formulas(
    log: Log, gpus: float, week: np.ndarray
) -> tuple[dict[str, float], dict[str, SteadyState], dict[str, tuple[float, float]]]:
    """Both formulas' inputs from the jobs within the log's time span, results, and intervals."""
    within = log.within
    runtime = log.runtime[within]
    gaps = np.append(np.diff(log.submit[within]), 0.0)
    ones = np.ones(len(gaps))
    arrivals = np.append(ones[1:], 0.0)
    work = log.gpus[within] * runtime
    columns = (arrivals, ones, gaps, gaps**2, runtime, runtime**2, work)
    weekly = np.column_stack(
        [np.bincount(week[within], column, int(week[-1]) + 1) for column in columns]
    )
    inputs = _inputs(gpus, *weekly.sum(axis=0).tolist())

    def wait(name: str, *sums: float) -> float:
        """Mean wait by one formula from job sums over all weeks, or over all weeks but one [s].

        The result is NaN without arrivals.
        """
        pace.step()
        if sums[0] > 0 < sums[2]:
            return _formulas(_inputs(gpus, *sums))[name].mean_wait
        return math.nan

    ends = {name: of_weeks(weekly, partial(wait, name)) for name in (MARKOV, ALLEN)}
    return inputs | {"mean_width": float(log.gpus.mean())}, _formulas(inputs), ends


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
    """Arguments of the formulas from sums over jobs."""
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
    """Both formulas; the service time takes up what rounding the servers leaves over."""
    time = inputs["load"] * inputs["servers"] / inputs["arrival_rate"]
    rate = inputs["arrival_rate"]
    servers = int(inputs["servers"])
    scvs = (inputs["length_scv"], inputs["arrival_scv"])
    return {MARKOV: mmc(rate, time, servers), ALLEN: mgc(rate, time, servers, *scvs)}
