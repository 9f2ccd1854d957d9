"""Jobs simulated per second, beside Ciw and SimPy: `python -m benchmarks.queueing`.

Each simulator sends Poisson arrivals with exponential service times through one line at ρ = 0.95 and keeps one record a
job. Times are of the processor, so that a busy machine counts little; the table quotes the best of several rounds.
"""

import argparse
import platform
import time
from collections.abc import Callable, Iterable, Iterator

import ciw
import numpy as np
import simpy

from benchmarks import queueing_errors as errors
from physics.queueing import simulate_queue

Row = tuple[str, str, int, int | None, float]  #: workload, simulator or policy, jobs, longest queue, seconds

UTILIZATION = 0.95
SERVERS = (4, 128)
#: Jobs a round: enough for a second or so of each simulator.
JOBS = {"fleet what-if": 1_000_000, "ciw": 10_000, "simpy": 20_000}


def run_ours(servers: int, jobs: int, seed: int) -> int:
    """Simulate with `physics.queueing` and count the records."""
    return len(simulate_queue(UTILIZATION * servers, 1.0, servers, 1.0, jobs, np.random.default_rng(seed)))


def run_ciw(servers: int, jobs: int, seed: int) -> int:
    """Simulate with Ciw and count its records."""
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


def best(run: Callable[[], object], rounds: int) -> tuple[float, object]:
    """Least processor time of some rounds, and what the last one returned."""
    times, result = [], None
    for _ in range(rounds):
        begin = time.process_time()
        result = run()
        times.append(time.process_time() - begin)
    return min(times), result


def measure(servers: int, rounds: int) -> Iterator[Row]:
    """Time each simulator."""
    for name, run in RUNNERS.items():
        seconds = best(lambda run=run, count=JOBS[name]: run(servers, count, 1), rounds)[0]
        yield f"M/M/{servers}, ρ = {UTILIZATION}", name, JOBS[name], None, seconds


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Write one line a row, as they come."""
    yield f"Python {platform.python_version()}, NumPy {np.__version__}; one core"
    yield f"{'workload':<28}{'policy or simulator':<30}{'jobs':>10}{'longest queue':>15}{'ms':>10}{'jobs/s':>12}"
    for workload, name, jobs, longest, seconds in rows:
        queue = "" if longest is None else f"{longest:,}"
        yield f"{workload:<28}{name:<30}{jobs:>10,}{queue:>15}{seconds * 1000:>10,.1f}{jobs / seconds:>12,.0f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.queueing", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the best of (default 3)")
    parser.add_argument("--errors", action="store_true", help="errors of the approximations instead, 15 minutes")
    asked = parser.parse_args()
    lines = table(row for servers in SERVERS for row in measure(servers, max(1, asked.rounds)))
    if asked.errors:
        lines = errors.table((point, errors.measure_error(*point)) for point in errors.points())
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
