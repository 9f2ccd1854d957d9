"""Compare jobs simulated per second with Ciw and SimPy: `python -m benchmarks.scheduling`.

Every simulator sends Poisson arrivals with exponential service times through one line at ρ = 0.95
and keeps one record a job. The cluster simulator also runs the lesson's mix, or a recorded trace,
squeezed to 1, 2, and 4 times what the machine can do, and the lesson's mix as it is. Times are of
the processor, so that a busy machine counts little; the table quotes the best of several rounds.
"""

import itertools
import platform
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import ciw
import numpy as np
import pandas as pd
import simpy

from benchmarks import options
from physics import constants as c
from physics.jobs import platform_mix, read_swf, sample_jobs
from physics.queueing import simulate_queue
from physics.scheduling import Policy, simulate
from physics.scheduling.policy import BACKFILLS, ORDERS

#: Workload, simulator or policy, jobs, longest queue, seconds.
Row = tuple[str, str, int, int | None, float]

UTILIZATION = 0.95
SERVERS = (4, 128)
#: Jobs a round of each simulator: enough for a second or so.
JOBS = {"fleet what-if": 1_000_000, "cluster simulator": 100_000, "ciw": 10_000, "simpy": 20_000}
#: Processors of the machine whose trace is quoted, KTH's SP2.
PROCESSORS = 100
LOADS = (1, 2, 4)
#: Rounds of which the best is quoted.
ROUNDS = 3


def run_queue(servers: int, jobs: int) -> pd.DataFrame:
    """Simulate the plain queue with `physics.queueing` and return one record per job."""
    return simulate_queue(UTILIZATION * servers, 1.0, servers, 1.0, jobs, np.random.default_rng(1))


def run_cluster(servers: int, jobs: int) -> list:
    """Simulate the plain queue with `physics.scheduling` as one-GPU jobs; return their records."""
    rng = np.random.default_rng(1)
    arrivals = np.cumsum(rng.exponential(1 / (UTILIZATION * servers), jobs))
    runtimes = rng.exponential(1.0, jobs)
    stream = pd.DataFrame({"submit": arrivals, "runtime": runtimes, "gpus": 1})
    return simulate(stream, servers, Policy()).jobs


def run_ciw(servers: int, jobs: int) -> list:
    """Simulate the plain queue with Ciw and return one record per job."""
    ciw.seed(1)
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate=UTILIZATION * servers)],
        service_distributions=[ciw.dists.Exponential(rate=1.0)],
        number_of_servers=[servers],
    )
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_customers(jobs, method="Finish")
    return simulation.get_all_records()


def run_simpy(servers: int, jobs: int) -> list:
    """Simulate the plain queue with SimPy, one process per job; return one record per job."""
    rng = np.random.default_rng(1)
    gaps = rng.exponential(1 / (UTILIZATION * servers), jobs).tolist()
    records: list[tuple[float, float, float]] = []
    environment = simpy.Environment()
    resource = simpy.Resource(environment, capacity=servers)
    environment.process(_arrivals(environment, resource, gaps, rng, records))
    environment.run()
    return records


def _arrivals(environment, resource, gaps, rng, records) -> Iterator:
    """Process of SimPy that starts a job after each gap."""
    for gap in gaps:
        yield environment.timeout(gap)
        environment.process(_job(environment, resource, rng.exponential(), records))


def _job(environment, resource, service, records) -> Iterator:
    """Process of SimPy for one job, which records its arrival, start, and end."""
    arrival = environment.now
    with resource.request() as request:
        yield request
        start = environment.now
        yield environment.timeout(service)
        records.append((arrival, start, environment.now))


RUNNERS: dict[str, Callable[[int, int], object]] = dict(
    zip(JOBS, (run_queue, run_cluster, run_ciw, run_simpy), strict=True)
)


def best(run: Callable[[], object]) -> tuple[float, object]:
    """Return the shortest processor time [s] of several rounds, and the last round's result."""
    times = []
    result = None
    for _ in range(ROUNDS):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


def simulators() -> Iterator[Row]:
    """Yield a row per simulator and number of servers: its time for the plain queue."""
    for servers, (name, run) in itertools.product(SERVERS, RUNNERS.items()):
        seconds = best(partial(run, servers, JOBS[name]))[0]
        yield f"M/M/{servers}, ρ = {UTILIZATION}", name, JOBS[name], None, seconds


def measure(workload: str, jobs: pd.DataFrame, capacity: int, order: str, backfill: str) -> Row:
    """Simulate a workload under a policy; return the table row with jobs and processor time [s]."""
    policy = Policy(order=order, backfill=backfill)
    seconds, schedule = best(lambda: simulate(jobs, capacity, policy))
    longest = int(schedule.timeline["queue_length"].max())
    return workload, f"{order}, {backfill}", len(jobs), longest, seconds


def overload(workload: str, jobs: pd.DataFrame, capacity: int) -> Iterator[Row]:
    """Yield rows for a workload whose arrivals are compressed to 1, 2, and 4 times the capacity."""
    submit = jobs["submit"] - jobs["submit"].min()
    load = (jobs["gpus"] * jobs["runtime"]).sum() / capacity / submit.max()
    for *policy, factor in itertools.product(ORDERS, BACKFILLS, LOADS):
        squeezed = jobs.assign(submit=submit * load / factor)
        yield measure(f"{workload}, load × {factor}", squeezed, capacity, *policy)


def rows(path: Path | None) -> Iterator[Row]:
    """Yield the table's rows: the plain queue, an overloaded workload, and the lesson's mix.

    The overloaded workload is the first jobs of the trace at `path`, which also runs whole with its
    users' estimates, or else the lesson's mix.
    """
    yield from simulators()
    mix = sample_jobs(platform_mix(), c.SIMULATED_TIME, np.random.default_rng(1))
    fleet = int(c.FLEET_GPUS)
    if path:
        trace = read_swf(path)
        for kind in BACKFILLS:
            yield measure("trace, whole", trace, PROCESSORS, "arrival", kind)
        yield from overload("trace, 5,000", trace.head(5_000), PROCESSORS)
    else:
        yield from overload("lesson", mix, fleet)
    for policy in itertools.product(ORDERS, BACKFILLS):
        yield measure("lesson, 60 days", mix, fleet, *policy)


def main() -> None:
    """Measure, and print each row as soon as it is ready."""
    trace = options.parser("scheduling", __doc__).parse_args().trace
    print(f"Python {platform.python_version()}, NumPy {np.__version__}; one core")
    print(
        f"{'workload':<28}{'policy or simulator':<30}{'jobs':>10}{'longest queue':>15}"
        f"{'ms':>10}{'jobs/s':>12}"
    )
    for workload, name, jobs, longest, seconds in rows(trace):
        queue = "" if longest is None else f"{longest:,}"
        numbers = f"{jobs:>10,}{queue:>15}{seconds * 1000:>10,.1f}{jobs / seconds:>12,.0f}"
        print(f"{workload:<28}{name:<30}{numbers}", flush=True)


if __name__ == "__main__":
    main()
