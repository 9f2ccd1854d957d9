"""Jobs simulated per second by the cluster simulator: `python -m benchmarks.scheduling`.

One table: a plain queue beside SimPy and Ciw, a recorded trace with 100 processors, the same trace squeezed to 1, 2 and
4 times what the machine can do, with perfect estimates and with those that users gave, and the lesson's mix. Times
include making the frame of results; they are of the processor, so that a busy machine counts little, and the table
quotes the best of several rounds.
"""

import argparse
import itertools
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import queueing
from physics import constants as c
from physics.jobs import platform_mix, read_swf, sample_jobs
from physics.queueing import simulate_queue
from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.policy import BACKFILLS, ORDERS

TRACE = Path("../shared/data/traces/KTH-SP2-1996-2.1-cln.swf.gz")
PROCESSORS = 100
LOADS = (1, 2, 4)
#: Jobs sent through the plain queue, fewer for the slower simulators.
QUEUE_JOBS = {"fleet what-if": 100_000, "ciw": 5_000, "simpy": 20_000}
THIRDS = dict.fromkeys(("interactive", "search", "training"), c.FLEET_GPUS // 3)
#: The lesson's policies, and one of each further kind.
LESSON = {
    "first come, first served": Policy(),
    "priority": Policy(order="priority"),
    "priority, EASY": Policy(order="priority", backfill="easy"),
    "three partitions, EASY": Policy(backfill="easy", reserved=THIRDS),
    "priority, EASY, preemption": Policy(order="priority", backfill="easy", preemption=Preemption()),
    "fair share, EASY": Policy(order="fair_share", backfill="easy"),
    "priority, conservative": Policy(order="priority", backfill="conservative"),
}

Row = tuple[str, str, int, int, float]  #: workload, simulator or policy, jobs, longest queue, seconds


def best(run: Callable[[], object], rounds: int) -> tuple[float, object]:
    """Least processor time of some rounds, and what the last one returned."""
    times, result = [], None
    for _ in range(rounds):
        begin = time.process_time()
        result = run()
        times.append(time.process_time() - begin)
    return min(times), result


def measure(workload: str, jobs: pd.DataFrame, capacity: int, name: str, policy: Policy, rounds: int) -> Row:
    """Simulate a workload under a policy."""
    seconds, schedule = best(lambda: simulate(jobs, capacity, policy), rounds)
    return workload, name, len(jobs), int(schedule.timeline["queue_length"].max()), seconds


def plain_queue(rounds: int) -> Iterator[Row]:
    """M/M/4 at ρ = 0.95: this simulator on jobs of 8 GPUs, and the others."""
    count, workload = QUEUE_JOBS["fleet what-if"], f"M/M/4, ρ = {queueing.UTILIZATION}"
    records = simulate_queue(queueing.UTILIZATION * 4, 1.0, 4, 1.0, count, np.random.default_rng(1))
    jobs = pd.DataFrame({"submit": records["arrival"], "runtime": records["end"] - records["start"], "gpus": 8})
    yield measure(workload, jobs, 32, "this simulator", Policy(), rounds)
    for name in ("ciw", "simpy"):
        if queueing.installed(name):
            run, count = queueing.RUNNERS[name], QUEUE_JOBS[name]
            yield workload, name, count, -1, best(lambda run=run, count=count: run(4, count, 1), 1)[0]
        else:
            yield workload, f"{name} (not installed)", 0, -1, 0.0


def trace(path: Path, rounds: int) -> Iterator[Row]:
    """A recorded log, as it is and squeezed until the machine is overloaded, with perfect and with users' estimates."""
    whole = read_swf(path)
    runtime = np.minimum(whole["runtime"], whole["requested"].fillna(np.inf))
    exact = whole.assign(runtime=runtime, estimate=runtime)
    for jobs, name in ((exact, "perfect"), (whole, "requested")):
        for kind in BACKFILLS:
            yield measure(f"trace, whole, {name}", jobs, PROCESSORS, kind, Policy(backfill=kind), rounds)
        first = jobs.head(5_000)
        wide, narrow = first["gpus"] > 16, first["gpus"] <= 4  # classes by width, so that the orders differ
        first = first.assign(job_class=np.select([wide, narrow], ["training", "interactive"], "search"))
        yield from overload(f"5,000, {name}", first, PROCESSORS, rounds)


def overload(workload: str, jobs: pd.DataFrame, capacity: int, rounds: int) -> Iterator[Row]:
    """Squeeze the submissions of a workload until they ask for 1, 2 and 4 times the machine."""
    submit = jobs["submit"] - jobs["submit"].min()
    load = (jobs["gpus"] * jobs["runtime"]).sum() / capacity / submit.max()
    for order, kind, factor in itertools.product(ORDERS, BACKFILLS, LOADS):
        squeezed = jobs.assign(submit=submit * load / factor)
        policy = Policy(order=order, backfill=kind)
        yield measure(f"{workload}, load × {factor}", squeezed, capacity, f"{order}, {kind}", policy, rounds)


def rows(path: Path, rounds: int) -> Iterator[Row]:
    """All rows; without a trace the overload is that of the lesson's mix."""
    yield from plain_queue(rounds)
    mix = sample_jobs(platform_mix(), c.SIMULATED_TIME, np.random.default_rng(1))
    yield from trace(path, rounds) if path.exists() else overload("lesson", mix, int(c.FLEET_GPUS), rounds)
    for name, policy in LESSON.items():
        yield measure("lesson, 60 days", mix, int(c.FLEET_GPUS), name, policy, rounds)


def table(rows: Iterator[Row]) -> Iterator[str]:
    """Write one line a row, as they come."""
    yield f"Python {platform.python_version()}, NumPy {np.__version__}, pandas {pd.__version__}; one core"
    yield f"{'workload':<28}{'policy or simulator':<30}{'jobs':>8}{'longest queue':>15}{'ms':>10}{'jobs/s':>12}"
    for workload, name, jobs, longest, seconds in rows:
        queue = "" if longest < 0 else f"{longest:,}"
        rate = f"{jobs / seconds:,.0f}" if seconds else ""
        yield f"{workload:<28}{name:<30}{jobs:>8,}{queue:>15}{seconds * 1000:>10,.1f}{rate:>12}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scheduling", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the best of (default 3)")
    parser.add_argument("--trace", type=Path, default=TRACE, help="an SWF file for the rows of the trace")
    chosen = parser.parse_args()
    for line in table(rows(chosen.trace, max(1, chosen.rounds))):
        print(line, flush=True)


if __name__ == "__main__":
    main()
