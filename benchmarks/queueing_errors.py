"""Errors of Allen–Cunneen and of the exponential tail, measured: `python -m benchmarks.queueing --errors`.

Each point runs a queue with Poisson arrivals and gamma service times independently, many times over. Beside it the same
jobs go through one server that is as fast as all together, whose mean wait is known exactly (Pollaczek and Khinchine).
The runs' results are regressed on that wait (a control variate: Law, *Simulation Modeling and Analysis*, 2015, section
11.4), which takes away most of the chance where the load is high. A P99 of each run would come out low where waits vary
much from run to run, so the share of longer waits is averaged over the runs, and solved for one job in a hundred.
"""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from physics.queueing import mgc
from physics.queueing.errors import LOADS, SCVS, SERVERS, Error
from physics.queueing.simulation import simulate_queue

#: Below this chance to wait a run of this length has too few jobs that wait to measure by.
LEAST_CHANCE = 0.02


def points() -> Iterator[tuple[int, float, float]]:
    """Yield servers, utilization and SCV of every point where enough jobs wait."""
    for servers in SERVERS:
        for load in LOADS:
            if mgc(load * servers, 1.0, servers).prob_wait >= LEAST_CHANCE:
                yield from ((servers, load, scv) for scv in SCVS)


def run_length(load: float, scv: float) -> int:
    """Jobs a run, twice what the queue needs to forget that it started empty."""
    return int(min(400_000, max(150_000, 8 / (1 - load) ** 2 * max(1.0, (1 + scv) / 2))))


def measure_error(servers: int, load: float, scv: float, runs: int = 20, jobs: int | None = None) -> Error:
    """Measure one point: relative errors of the mean and of the P99, and their standard errors."""
    jobs = jobs or run_length(load, scv)
    rng = np.random.default_rng([servers, round(load * 1000), round(scv * 10)])
    state = mgc(load * servers, 1.0, servers, scv)
    p99 = state.wait_percentile(0.99)
    found = [_one_run(servers, load, scv, jobs, rng) for _ in range(runs)]
    control = np.array([alone for _, alone in found]) - mgc(load, 1.0, 1, scv).mean_wait / servers
    # What a regression on the control weighs each run by.
    centered = control - control.mean()
    weights = 1 / runs - control.mean() * centered / (centered @ centered)
    mean, mean_off = _regressed(np.array([waits.mean() for waits, _ in found]), weights, centered)
    if p99 == 0:
        return Error(state.mean_wait / mean - 1, mean_off * state.mean_wait / mean**2, math.nan, math.nan)
    low, high = 0.0, 10 * p99
    while high - low > 1e-4 * p99:
        middle = (low + high) / 2
        beyond = weights @ [np.mean(waits > middle) for waits, _ in found]
        low, high = (middle, high) if beyond > 0.01 else (low, middle)
    _, beyond_off = _regressed(np.array([np.mean(waits > low) for waits, _ in found]), weights, centered)
    # In an exponential tail t = b ln(C / q), so that dt / t = dq / q / ln(C / q).
    p99_off = beyond_off / 0.01 / math.log(state.prob_wait / 0.01)
    return Error(
        state.mean_wait / mean - 1, mean_off * state.mean_wait / mean**2, p99 / low - 1 if low else math.inf, p99_off
    )


def _one_run(servers: int, load: float, scv: float, jobs: int, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """The waits after the warm-up, and the mean wait of the same jobs behind one fast server."""
    records = simulate_queue(load * servers, 1.0, servers, scv, jobs, rng)
    kept = slice(jobs // 4, None)
    arrival, work = records["arrival"].to_numpy(), (records["end"] - records["start"]).to_numpy() / servers
    # Lindley: the work found by an arrival is the walk's height above its lowest point so far.
    walk = np.concatenate(([0.0], np.cumsum(work[:-1] - np.diff(arrival))))
    alone = walk - np.minimum.accumulate(walk)
    return records.wait.to_numpy()[kept], float(alone[kept].mean())


def _regressed(values: np.ndarray, weights: np.ndarray, centered: np.ndarray) -> tuple[float, float]:
    """Weighted mean of the runs, and its standard error from what the control leaves unexplained."""
    slope = values @ centered / (centered @ centered)
    left = values - values.mean() - slope * centered
    return float(weights @ values), float(math.sqrt(left @ left / (len(left) - 2) * (weights @ weights)))


def table(found: Iterable[tuple[tuple[int, float, float], Error]]) -> Iterator[str]:
    """Write the errors line by line as they are measured, as rows of `physics.queueing.errors.MEASURED`."""
    yield "servers, utilization, SCV: error of the mean ± its standard error, error of the P99 ± its standard error"
    for (servers, load, scv), error in found:
        numbers = ", ".join("NAN" if math.isnan(value) else f"{value:.3f}" for value in error)
        yield f"    ({servers}, {load}, {scv}): Error({numbers}),"
