"""Jobs simulated per second by the cluster simulator: `python -m benchmarks.scheduling`.

One table: a plain queue beside SimPy and Ciw; the lesson's mix, or a recorded trace, squeezed to 1, 2, and 4 times what
the machine can do; and the lesson's mix under its policies. Times include making the frame of results; they are of the
processor, so that a busy machine counts little, and the table quotes the best of several rounds.
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import queueing
from benchmarks.queueing import Row, best, table
from physics import constants as c
from physics.jobs import platform_mix, read_swf, sample_jobs
from physics.queueing import simulate_queue
from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.policy import BACKFILLS, ORDERS

#: Processors of the machine whose trace is quoted, KTH's SP2.
PROCESSORS = 100
LOADS = (1, 2, 4)
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


def measure(workload: str, jobs: pd.DataFrame, capacity: int, name: str, policy: Policy, rounds: int) -> Row:
    """Simulate a workload under a policy."""
    seconds, schedule = best(lambda: simulate(jobs, capacity, policy), rounds)
    return workload, name, len(jobs), int(schedule.timeline["queue_length"].max()), seconds


def plain_queue(rounds: int) -> Iterator[Row]:
    """M/M/4 at ρ = 0.95: this simulator on jobs of 8 GPUs, and those of queues."""
    records = simulate_queue(queueing.UTILIZATION * 4, 1.0, 4, 1.0, 100_000, np.random.default_rng(1))
    jobs = pd.DataFrame({"submit": records["arrival"], "runtime": records["end"] - records["start"], "gpus": 8})
    yield measure(f"M/M/4, ρ = {queueing.UTILIZATION}", jobs, 32, "this simulator", Policy(), rounds)
    yield from queueing.measure(4, 1)


def trace(path: Path, rounds: int) -> Iterator[Row]:
    """A recorded log with its users' estimates, whole, and its first jobs squeezed until the machine is overloaded."""
    whole = read_swf(path)
    for kind in BACKFILLS:
        yield measure("trace, whole", whole, PROCESSORS, kind, Policy(backfill=kind), rounds)
    yield from overload("trace, 5,000", whole.head(5_000), PROCESSORS, rounds)


def overload(workload: str, jobs: pd.DataFrame, capacity: int, rounds: int) -> Iterator[Row]:
    """Squeeze the submissions of a workload until they ask for 1, 2 and 4 times the machine."""
    submit = jobs["submit"] - jobs["submit"].min()
    load = (jobs["gpus"] * jobs["runtime"]).sum() / capacity / submit.max()
    for order, kind, factor in itertools.product(ORDERS, BACKFILLS, LOADS):
        squeezed = jobs.assign(submit=submit * load / factor)
        policy = Policy(order=order, backfill=kind)
        yield measure(f"{workload}, load × {factor}", squeezed, capacity, f"{order}, {kind}", policy, rounds)


def rows(path: Path | None, rounds: int) -> Iterator[Row]:
    """All rows; without a trace the overload is that of the lesson's mix."""
    yield from plain_queue(rounds)
    mix = sample_jobs(platform_mix(), c.SIMULATED_TIME, np.random.default_rng(1))
    yield from trace(path, rounds) if path else overload("lesson", mix, int(c.FLEET_GPUS), rounds)
    for name, policy in LESSON.items():
        yield measure("lesson, 60 days", mix, int(c.FLEET_GPUS), name, policy, rounds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scheduling", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the best of (default 3)")
    parser.add_argument("--trace", type=Path, help="an SWF file of 100 processors in place of the mix")
    chosen = parser.parse_args()
    for line in table(rows(chosen.trace, max(1, chosen.rounds))):
        print(line, flush=True)


if __name__ == "__main__":
    main()
