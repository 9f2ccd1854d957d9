"""Two formulas at what a log measures: a queue of one width, M/M/c and Allen–Cunneen."""

import math
from functools import partial

import numpy as np

from physics import pace
from physics.cluster.jobs import Log
from physics.cluster.weeks import of_weeks
from physics.queueing import SteadyState, mgc, mmc

MARKOV, ALLEN = "M/M/c", "Allen–Cunneen"


def measured(log: Log, gpus: int) -> tuple[dict[str, float], dict[str, SteadyState]]:
    """The formulas at what the log measures, of the jobs submitted in the time that it covers."""
    submit, runtime, width = (values[log.asked] for values in (log.submit, log.runtime, log.gpus))
    gaps = np.diff(submit)
    sums = [float(values.sum()) for values in (gaps, gaps**2, runtime, runtime**2, width * runtime)]
    inputs = _inputs(len(gaps), len(submit), *sums, gpus)
    inputs |= {"mean_width": float(log.gpus.mean())}
    return inputs, _formulas(inputs)


def _inputs(
    arrivals: float, jobs: float, gap: float, gap2: float, length: float, length2: float, work: float, gpus: int
) -> dict[str, float]:
    """Arguments of the formulas from sums over jobs."""
    rate, mean, width = arrivals / gap, length / jobs, work / length
    servers = max(1, round(gpus / width))
    return {
        "arrival_rate": rate,
        "arrival_scv": max(0.0, gap2 / arrivals / (gap / arrivals) ** 2 - 1),
        "length": mean,
        "length_scv": max(0.0, length2 / jobs / mean**2 - 1),
        "running_width": width,
        "servers": servers,
        "load": rate * mean * width / gpus,
    }


def _formulas(inputs: dict[str, float]) -> dict[str, SteadyState]:
    """Both formulas; the service time takes up what rounding the servers leaves over."""
    time = inputs["load"] * inputs["servers"] / inputs["arrival_rate"]
    rate, servers = inputs["arrival_rate"], inputs["servers"]
    scvs = (inputs["length_scv"], inputs["arrival_scv"])
    return {MARKOV: mmc(rate, time, servers), ALLEN: mgc(rate, time, servers, *scvs)}


def intervals(log: Log, gpus: int, week: np.ndarray, weeks: int) -> dict[str, tuple[float, float]]:
    """Intervals of the formulas' waits: their inputs measured anew without each week."""
    submit, runtime, width = (values[log.asked] for values in (log.submit, log.runtime, log.gpus))
    gaps = np.append(np.diff(submit), 0.0)
    counted = np.append(np.ones(len(submit) - 1), 0.0)
    columns = (counted, np.ones(len(gaps)), gaps, gaps**2, runtime, runtime**2, width * runtime)
    weekly = np.column_stack([np.bincount(week[log.asked], column, weeks) for column in columns])

    def wait(name: str, *sums: float) -> float:
        pace.step()
        return _formulas(_inputs(*sums, gpus))[name].mean_wait if sums[0] > 0 < sums[2] else math.nan

    ends = {name: of_weeks(weekly, partial(wait, name)) for name in (MARKOV, ALLEN)}
    return {name: (max(low, 0.0) if math.isfinite(low) else low, high) for name, (low, high) in ends.items()}
