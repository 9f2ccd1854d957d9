"""Weekly mean waits under two policies, for the lesson on trials: `python -m benchmarks.trial`.

Simulates every run that the lesson keeps and writes `lessons/policy_trial/weeks.npz`; about two
seconds a run on one core. Prints the mean of each table with its 95% interval over the runs, to
compare with the old one.
"""

import numpy as np

from lessons.policy_trial import weeks
from physics import constants as k
from physics.numerics import mean_interval

if __name__ == "__main__":
    runs = [weeks.run(number) for number in range(int(k.TRIAL_RUNS))]
    tables = {name: np.stack([run[name] for run in runs]) for name in runs[0]}
    np.savez_compressed(weeks.PATH, **tables)
    for name, rows in tables.items():
        mean, half = mean_interval(rows.mean(axis=1) * weeks.RESOLUTION / k.HOUR)
        print(f"{name:<12}{mean:>8.2f} ± {half:.2f} h")
