"""Grades of a model's fit to a log, in every group of jobs and both halves of the log."""

import math
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
import pandas as pd

from physics.cluster.jobs import Log, by_need, table
from physics.cluster.say import say

#: Jobs that a group must have to be judged.
LEAST_JOBS = 100
#: Distance from the recorded mean wait up to which a model is close, and factor up to which it is
#: so roughly.
CLOSE = 0.15
ROUGHLY = 2.0
#: A difference below this, and waits below it, are those of a scheduler's own steps [s].
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
        apart = abs(self.simulated - self.record)
        if apart < BRIEF:
            return 0.0
        if self.record == 0:
            return math.inf
        return apart / self.record

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
    """Table of recorded and simulated waits by time limit, by width, and in total, in both halves
    of a log.

    Returns: A row a group that has jobs with both waits: jobs [1], record, simulated, and of each
    half early_record, early, late_record, late [s]; NaN for a half without any.
    """
    compared = log.recorded & np.isfinite(wait)

    def row(mine: np.ndarray) -> tuple:
        """Number of jobs in a group, and their recorded and simulated mean waits, also by half."""
        halves = [mine & log.early, mine & ~log.early]
        values = [pd.Series(times[half]).mean() for half in halves for times in (log.wait, wait)]
        return int(mine.sum()), log.wait[mine].mean(), wait[mine].mean(), *values

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
    grades = [
        Grade("close", _factor(record, simulated), f"{name}, {half} half", record, simulated)
        for name, row in groups[groups["jobs"] >= LEAST_JOBS].iterrows()
        for half, record, simulated in (
            ("first", row["early_record"], row["early"]),
            ("second", row["late_record"], row["late"]),
        )
        if math.isfinite(simulated)
    ]
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
    """Longer ÷ shorter of two waits; 1 where both are 0."""
    longer = max(record, simulated)
    shorter = min(record, simulated)
    if longer == 0:
        return 1.0
    if shorter == 0:
        return math.inf
    return longer / shorter
