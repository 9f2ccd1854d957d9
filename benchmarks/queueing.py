"""Measure errors of Allen–Cunneen and of the exponential tail: `python -m benchmarks.queueing`.

It takes 15 minutes. Each point runs a queue with Poisson arrivals and gamma service times
independently, many times over. Beside it the same jobs go through one server that is as fast as all
together. Its mean wait is known exactly (Pollaczek and Khinchine), and so is its P99, from the
transform of its waits. The runs' means are regressed on those of that server (a control variate:
Law, *Simulation Modeling and Analysis*, 2015, section 11.4), and the P99 is the wait that is
exceeded as often as the fast server's known P99 is in the same runs. Both take away most of the
chance where the load is high. One server needs no simulation.
"""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from physics.numerics import rising_root
from physics.queueing import mgc
from physics.queueing.errors import LEAST_CHANCE, LOADS, MOST_OFF, SCVS, SERVERS, Error
from physics.queueing.simulation import simulate_queue

#: Jobs of a run at the most.
LONGEST = 400_000


def points() -> Iterator[tuple[int, float, float]]:
    """Yield servers, utilization, and SCV of every point at which enough jobs wait."""
    for servers in SERVERS:
        for load in LOADS:
            if mgc(load * servers, 1.0, servers).prob_wait >= LEAST_CHANCE:
                yield from ((servers, load, scv) for scv in SCVS)


def measure_error(
    servers: int, load: float, scv: float, runs: int | None = None, jobs: int | None = None
) -> Error:
    """Measure one point's relative errors of the mean and the P99, with their standard errors [1].

    A run has thirty times the jobs that a queue needs to forget that it started empty, where that
    can be had; there are more runs where it is less than a tenth of that.
    """
    state = mgc(load * servers, 1.0, servers, scv)
    p99 = state.wait_percentile(0.99)
    # The wait that one job in a hundred exceeds on one server as fast as all together.
    exact = rising_root(lambda wait: 0.01 - beyond(wait, load, scv), 0.0, 10 * p99 * servers)
    if servers == 1:
        return Error(0.0, 0.0, p99 / exact - 1, 0.0)
    needed = 120 / (1 - load) ** 2 * max(1.0, (1 + scv) / 2)
    jobs = jobs or int(min(LONGEST, max(150_000, needed)))
    runs = runs or (60 if needed > 10 * LONGEST else 20)
    rng = np.random.default_rng([servers, round(load * 1000), round(scv * 10)])
    results = [_simulate_run(servers, load, scv, jobs, rng) for _ in range(runs)]
    waits, fast_waits = map(np.array, zip(*results, strict=True))
    expected = mgc(load, 1.0, 1, scv).mean_wait / servers
    mean = _regressed(waits.mean(axis=1), fast_waits.mean(axis=1) - expected)
    mean_error = _relative(state.mean_wait, *mean)
    if p99 == 0:
        return Error(*mean_error, math.nan, math.nan)
    return Error(*mean_error, *_relative(p99, *_matched(waits, fast_waits > exact / servers)))


def _relative(value: float, truth: float, truth_off: float) -> tuple[float, float]:
    """Return a relative error and its standard error from that of the truth; infinite at 0."""
    if not truth:
        return math.inf, math.inf
    return value / truth - 1, truth_off * value / truth**2


def _matched(waits: np.ndarray, are_long: np.ndarray) -> tuple[float, float]:
    """Estimate the P99 of the waits, with its standard error, by a control.

    It is the wait that is exceeded by as large a share of the runs' jobs as wait longer than the
    exact P99 behind the fast server. Where a run is busier than it should be both are exceeded too
    often, so that most of the chance cancels. The error comes from leaving out one run after
    another (the jackknife).
    """

    runs = len(waits)
    estimates = []
    for run in range(runs):
        share = np.delete(are_long, run, axis=0).mean()
        estimates.append(np.quantile(np.delete(waits, run, axis=0), 1 - share))
    matched = np.quantile(waits, 1 - are_long.mean())
    return float(matched), float(np.sqrt((runs - 1) * np.var(estimates)))


def beyond(wait: float, load: float, scv: float) -> float:
    """Share of waits above `wait` service times, for one server with gamma service times [1].

    The transform of Pollaczek and Khinchine, inverted as J. Abate and W. Whitt, *The Fourier-series
    method for inverting transforms of probability distributions*, 1992, section 6 (Euler
    summation); to some 1e-8.

    >>> abs(beyond(3.0, 0.8, 1.0) - 0.8 * math.exp(-0.2 * 3.0)) < 1e-7
    True
    """
    if wait <= 0:
        return load
    decay = 18.4
    first_terms = 30
    averaged = 11
    s = (decay + 2j * math.pi * np.arange(first_terms + averaged + 1)) / (2 * wait)
    if scv == 0:
        service = np.exp(-s)
    else:
        service = (1 + scv * s) ** (-1 / scv)
    tail = (1 - (1 - load) * s / (s - load * (1 - service))) / s
    terms = np.exp(decay / 2) / wait * tail.real * (-1.0) ** np.arange(len(s))
    terms[0] /= 2
    sums = np.cumsum(terms)[first_terms:]
    weights = [math.comb(averaged, k) for k in range(averaged + 1)]
    return float(sums @ weights / 2**averaged)


def _simulate_run(
    servers: int, load: float, scv: float, jobs: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Waits after the warm-up, and of the same jobs behind one fast server [service times]."""
    records = simulate_queue(load * servers, 1.0, servers, scv, jobs, rng)
    measured = slice(jobs // 4, None)
    arrival = records["arrival"].to_numpy()
    work = (records["end"] - records["start"]).to_numpy() / servers
    # Lindley: the work found by an arrival is the walk's height above its lowest point so far.
    walk = np.concatenate(([0.0], np.cumsum(work[:-1] - np.diff(arrival))))
    fast_waits = walk - np.minimum.accumulate(walk)
    return records.wait.to_numpy()[measured], fast_waits[measured]


def _regressed(values: np.ndarray, control: np.ndarray) -> tuple[float, float]:
    """Mean of the runs at a control of zero, and its standard error.

    The error comes from what the control leaves unexplained.
    """
    centered = control - control.mean()
    # What the regression weighs each run by.
    weights = 1 / len(values) - control.mean() * centered / (centered @ centered)
    residuals = values - values.mean() - values @ centered / (centered @ centered) * centered
    variance = residuals @ residuals / (len(residuals) - 2) * (weights @ weights)
    return float(weights @ values), math.sqrt(variance)


def table(errors: Iterable[tuple[tuple[int, float, float], Error]]) -> Iterator[str]:
    """Yield the lines of `physics/queueing/errors.csv`, each as soon as its errors are measured."""
    yield ",".join(("servers", "utilization", "scv", *Error._fields))
    for point, error in errors:
        numbers = []
        for value, off in (error[:2], error[2:]):
            numbers += [f"{value:.3f}", f"{off:.3f}"] if off <= MOST_OFF else ["", ""]
        if any(numbers):
            yield ",".join((*map(str, point), *numbers))


if __name__ == "__main__":
    for line in table((point, measure_error(*point)) for point in points()):
        print(line, flush=True)
