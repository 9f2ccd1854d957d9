"""Jobs simulated per second, beside Ciw and SimPy: `python -m benchmarks.queueing`.

Each simulator sends Poisson arrivals with exponential service times through one line at ρ = 0.95 and keeps one record a
job. Rounds alternate between the simulators, so that a busy machine slows all of them; the table quotes medians.
"""

import argparse
import importlib.util
import platform
import statistics
import time
from collections.abc import Callable

import numpy as np

from benchmarks import queueing_errors as errors
from physics.queueing import simulate_queue

UTILIZATION = 0.95
SERVERS = (4, 128)
#: Jobs a round: enough for a second or so of each simulator.
JOBS = {"fleet what-if": 1_000_000, "ciw": 10_000, "simpy": 20_000}


def run_ours(servers: int, jobs: int, seed: int) -> int:
    """Simulate with `physics.queueing` and count the records."""
    return len(simulate_queue(UTILIZATION * servers, 1.0, servers, 1.0, jobs, np.random.default_rng(seed)))


def run_ciw(servers: int, jobs: int, seed: int) -> int:
    """Simulate with Ciw and count its records."""
    import ciw

    ciw.seed(seed)
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate=UTILIZATION * servers)],
        service_distributions=[ciw.dists.Exponential(rate=1.0)],
        number_of_servers=[servers],
    )
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_customers(jobs, method="Finish")
    return len(simulation.get_all_records())


def run_simpy(servers: int, jobs: int, seed: int) -> int:
    """Simulate with SimPy, one process a job, and count the records."""
    import simpy

    rng = np.random.default_rng(seed)
    gaps = rng.exponential(1 / (UTILIZATION * servers), jobs).tolist()
    services = rng.exponential(1.0, jobs).tolist()
    environment, records = simpy.Environment(), []
    resource = simpy.Resource(environment, capacity=servers)

    def job(service):
        arrival = environment.now
        with resource.request() as request:
            yield request
            start = environment.now
            yield environment.timeout(service)
            records.append((arrival, start, environment.now))

    def source():
        for gap, service in zip(gaps, services, strict=True):
            yield environment.timeout(gap)
            environment.process(job(service))

    environment.process(source())
    environment.run()
    return len(records)


RUNNERS: dict[str, Callable[[int, int, int], int]] = {"fleet what-if": run_ours, "ciw": run_ciw, "simpy": run_simpy}


def installed(name: str) -> bool:
    """Whether this simulator can be measured here."""
    return name == "fleet what-if" or importlib.util.find_spec(name) is not None


def measure(rounds: int = 5, jobs: dict[str, int] = JOBS) -> dict[tuple[str, int], float]:
    """Median jobs per second of each installed simulator at each number of servers."""
    rates: dict[tuple[str, int], list[float]] = {}
    for seed in range(rounds):
        for servers in SERVERS:
            for name in filter(installed, RUNNERS):
                begin = time.perf_counter()
                done = RUNNERS[name](servers, jobs[name], seed)
                rates.setdefault((name, servers), []).append(done / (time.perf_counter() - begin))
    return {key: statistics.median(values) for key, values in rates.items()}


def table(medians: dict[tuple[str, int], float], rounds: int) -> str:
    """Write the medians as a table, with a line for each simulator that is not installed."""
    lines = [
        f"M/M/c at ρ = {UTILIZATION}, one record a job, median of {rounds} rounds, one core",
        f"Python {platform.python_version()}, NumPy {np.__version__}",
        f"{'simulator':<16}" + "".join(f"{f'c = {servers}, jobs/s':>20}" for servers in SERVERS) + f"{'ours is':>20}",
    ]
    for name in RUNNERS:
        rates = [(medians.get((name, servers)), medians["fleet what-if", servers]) for servers in SERVERS]
        if not installed(name):
            lines.append(f"{name:<16}{'not installed: pip install -r requirements-dev.txt':>56}")
        else:
            ratio = " and ".join(f"×{ours / rate:.0f}" for rate, ours in rates)
            lines.append(f"{name:<16}" + "".join(f"{rate:>20,.0f}" for rate, _ in rates) + f"{ratio:>20}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.queueing", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of (default 5)")
    parser.add_argument("--errors", action="store_true", help="errors of the approximations instead, 15 minutes")
    asked = parser.parse_args()
    if asked.errors:
        for line in errors.table((point, errors.measure_error(*point)) for point in errors.points()):
            print(line, flush=True)
        return
    rounds = max(1, asked.rounds)
    print(table(measure(rounds), rounds))


if __name__ == "__main__":
    main()
