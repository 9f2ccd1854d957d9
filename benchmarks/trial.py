"""Weekly mean waits under two policies, for the lesson on trials: `python -m benchmarks.trial`.

Simulates every run that the lesson keeps and writes `lessons/policy_trial/weeks.npz`; about two seconds a run on one
core. Prints the means, so that a new table can be compared with the old one.
"""

import argparse
from pathlib import Path

import numpy as np

from lessons.policy_trial import weeks
from physics import constants as k
from physics.numerics.statistics import mean_interval


def lines(tables: dict[str, np.ndarray]) -> list[str]:
    """Write the mean of each table, in hours, with its 95 % interval over the runs."""
    found = []
    for name, rows in tables.items():
        mean, half = mean_interval(rows.mean(axis=1) * weeks.STEP / k.HOUR)
        found.append(f"{name:<12}{mean:>8.2f} ± {half:.2f} h")
    return found


def main() -> None:
    """Simulate, write and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trial", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=int(k.TRIAL_RUNS), help="runs to simulate")
    parser.add_argument("--to", type=Path, default=weeks.TABLE, help="file to write")
    chosen = parser.parse_args()
    runs = []
    for number in range(chosen.runs):
        runs.append(weeks.run(number))
        print(f"run {number + 1} of {chosen.runs}", end="\r", flush=True)
    tables = {name: np.stack([one[name] for one in runs]) for name in runs[0]}
    np.savez_compressed(chosen.to, **tables)
    print("\n".join(lines(tables)))


if __name__ == "__main__":
    main()
