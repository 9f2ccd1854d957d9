"""Grades of a model's fit to a log, in every group of jobs and both halves of the log."""

import math
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
import pandas as pd

from physics.cluster.jobs import Log, by_need, ratio, table
from physics.cluster.say import say

#: Fewest jobs of a group that is graded.
LEAST_JOBS = 100
#: Relative error of a mean wait up to which a model is close, and factor up to which it is roughly
#: right.
CLOSE = 0.15
ROUGHLY = 2.0
#: Waits and differences below this are delays of a scheduler itself [s].
BRIEF = 60.0


@dataclass(frozen=True)
class Grade:
    """Grade of a model's fit to a log, by its worst group of jobs."""

    #: "close", "roughly", "not", "nothing" (no job waited), "few" (too few jobs to tell) or
    #: "unrecorded" (the log records no waits)
    name: str
    factor: float = math.nan  #: longer ÷ shorter of record and simulation in the worst group [1]
    group: str = ""  #: the worst group, and the half of the log
    record: float = math.nan  #: recorded mean wait of this group [s]
    simulated: float = math.nan  #: simulated mean wait of this group [s]

    @property
    def poor(self) -> bool:
        """Whether the model fails to reproduce the log."""
        return self.name == "not"

    @property
    def off(self) -> float:
        """Relative error of the simulated mean wait in the worst group [1].

        The result is 0 below a minute.
        """
        error = abs(self.simulated - self.record)
        if error < BRIEF:
            return 0.0
        return ratio(error, self.record)

    def doubt(self, what: str) -> str:
        """Sentence on why a model's result may be wrong; "" if there is no doubt.

        >>> Grade("few").doubt("a size")
        'This log has too few jobs to test the model, so a size may not be true of your cluster.'
        """
        if self.name not in ("not", "few"):
            return ""
        return say(f"doubt_{self.name}", what=what)


#: The grade where the log records no waits.
UNRECORDED = Grade("unrecorded")


def by_groups(log: Log, wait: np.ndarray) -> pd.DataFrame:
    """Table of recorded and simulated mean waits by time limit and by width, also by half.

    Returns: A row per group that has jobs with both waits: jobs [1], record, simulated, and of each
    half early_record, early, late_record, late [s]; NaN for a half without any.
    """
    compared = log.recorded & np.isfinite(wait)

    def row(group: np.ndarray) -> tuple:
        """Number of a group's jobs, and their recorded and simulated mean waits, also by half."""
        means = []
        for mask in (group, group & log.early, group & ~log.early):
            means += [pd.Series(log.wait[mask]).mean(), pd.Series(wait[mask]).mean()]
        return int(group.sum()), *means

    columns = "jobs record simulated early_record early late_record late"
    return table(by_need(log), compared, row, columns)


def grade_of(log: Log, groups: pd.DataFrame) -> Grade:
    """Grade a model by its worst group of at least a hundred jobs, in either half of the log.

    Within 15% of the recorded mean wait everywhere it is close, within a factor of two roughly
    right. Differences below a minute count as none.
    """
    recorded = log.wait[log.recorded]
    if not len(recorded):
        return UNRECORDED
    if recorded.max() <= BRIEF:
        return Grade("nothing")
    grades = []
    for name, row in groups[groups["jobs"] >= LEAST_JOBS].iterrows():
        for half, column in (("first", "early"), ("second", "late")):
            waits = (row[f"{column}_record"], row[column])
            if math.isfinite(row[column]):
                grades.append(Grade("close", _factor(*waits), f"{name}, {half} half", *waits))
    if not grades:
        return Grade("few")
    far = [grade for grade in grades if grade.off > CLOSE]
    if not far:
        return max(grades, key=attrgetter("off"))
    worst = max(far, key=attrgetter("factor"))
    if worst.factor <= ROUGHLY:
        return replace(worst, name="roughly")
    return replace(worst, name="not")


def _factor(record: float, simulated: float) -> float:
    """Longer ÷ shorter of two waits [1]; 1 if both are 0."""
    if record == simulated:
        return 1.0
    return ratio(max(record, simulated), min(record, simulated))
