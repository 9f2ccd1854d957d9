"""CPU seconds for a cluster's log: `python -m benchmarks.logs`.

Reading what `sacct` prints of 300,000 jobs, and what happened, calibration and one what-if of 100,000 jobs of the
synthetic log. The best of several rounds, on one core.
"""

import argparse
import gzip
import platform
import time
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from benchmarks.scheduling import best
from physics import constants as c
from physics.cluster import Change, calibrate, read_log, synthetic_log, to_sacct, what_happened, what_if
from physics.scheduling import Policy

READ, COMPUTED = 300_000, 100_000
GPUS = int(c.FLEET_GPUS)

Row = tuple[str, int, float]  #: what, jobs, seconds


def jobs_of(count: int) -> pd.DataFrame:
    """So many jobs of the synthetic log, one year after another."""
    year = synthetic_log(1)
    copies = -(-count // len(year))
    shift = np.repeat(np.arange(copies) * 365 * float(c.DAY), len(year))
    jobs = pd.concat([year] * copies, ignore_index=True)
    jobs = jobs.assign(submit=jobs["submit"] + shift).head(count)
    jobs.attrs = year.attrs
    return jobs


def measure(read: int, computed: int, rounds: int) -> Iterator[Row]:
    """Time each step."""
    text = to_sacct(jobs_of(read)).encode()
    packed = gzip.compress(text, 1)
    yield f"reading {len(text) / 1e6:.0f} MB of sacct", read, timed(lambda: read_log(packed), rounds)
    jobs = jobs_of(computed)
    yield "what happened", computed, timed(lambda: what_happened(jobs, GPUS), rounds)
    seconds, found = best(lambda: calibrate(jobs, GPUS), rounds)
    yield f"calibration, {len(found.policies)} policies", computed, seconds
    change = Change(policy=Policy(order="priority", backfill="easy", reserved={"interactive": 32}))
    yield "one what-if, reserved slice", computed, timed(lambda: what_if(jobs, GPUS, found, change), rounds)


def timed(run: Callable[[], object], rounds: int) -> float:
    return best(run, rounds)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--read", type=int, default=READ, help=f"jobs that are read (default: {READ:,})")
    parser.add_argument("--jobs", type=int, default=COMPUTED, help=f"jobs that are computed (default: {COMPUTED:,})")
    parser.add_argument("--rounds", type=int, default=2, help="rounds, of which the best counts (default: 2)")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, CPU seconds")
    begin = time.process_time()
    for what, jobs, seconds in measure(options.read, options.jobs, options.rounds):
        print(f"{what:<34}{jobs:>10,} jobs{seconds:>8.2f} s", flush=True)
    print(f"{'all rounds and making the logs':<34}{'':>15}{time.process_time() - begin:>8.2f} s")


if __name__ == "__main__":
    main()
