"""Policies that a cluster may have had, as candidates for its baseline."""

from dataclasses import replace

import numpy as np
import pandas as pd

from physics.arguments import LimitedCount, within_range
from physics.cluster.jobs import Log, tested
from physics.cluster.machine.steps import in_service
from physics.cluster.trust.habits import emptied_hours
from physics.scheduling import Policy

#: Most jobs with which policies are tried whose work grows with the queue; fewer above a load.
MOST_CONSERVATIVE = 30_000
MOST_FAIR = 100_000
MOST_OVERLOADED = 3_000
HEAVY = 0.95
#: Names of candidates.
FIFO = "first come, first served"
EASY = "EASY"
EMPTIED = "EASY with emptied hours"


@within_range
def candidates(jobs: pd.DataFrame, gpus: LimitedCount | None = None) -> dict[str, Policy]:
    """Policies that a cluster of this size may have had, by name.

    In the order of priorities, classes that waited less in the record are the higher ones.
    Conservative backfill is tried for at most 30,000 jobs and fair share for at most 100,000, since
    their work grows with the queue; both for at most 3,000 jobs that ask for more than 95% of the
    GPU time. Fair share is among classes. Where the log shows that the machine is emptied at fixed
    hours (`physics.cluster.trust.habits`), EASY with these hours is tried too.

    Raises ValueError as `physics.cluster.what_happened`.

    >>> list(candidates(pd.DataFrame({"submit": [0, 1], "runtime": [1, 1], "gpus": [1, 1]})))
    ['first come, first served', 'EASY', 'conservative']
    """
    log = tested(jobs)
    waits = pd.Series(log.wait).groupby(log.classes)
    classes = tuple(waits.mean().dropna().sort_values(kind="stable").index)
    heavy = gpus is not None and _load(log, in_service(log, gpus)) > HEAVY
    too_long = heavy and len(jobs) > MOST_OVERLOADED
    policies = {FIFO: Policy(classes=classes), EASY: Policy(backfill="easy", classes=classes)}
    if len(jobs) <= MOST_CONSERVATIVE and not too_long:
        policies["conservative"] = Policy(backfill="conservative", classes=classes)
    if len(classes) > 1:
        policies["priority"] = Policy(order="priority", classes=classes)
        policies["priority, EASY"] = Policy(order="priority", backfill="easy", classes=classes)
        if len(jobs) <= MOST_FAIR and not too_long:
            policies["fair share, EASY"] = replace(policies["priority, EASY"], order="fair_share")
    hours = emptied_hours(log)[0]
    if hours is not None:
        policies[EMPTIED] = replace(policies[EASY], emptied=hours)
    return policies


def _load(log: Log, gpus: float) -> float:
    """GPU time that jobs request ÷ GPU time between their first and last submission [1]."""
    submit = log.submit[log.within]
    return float((log.gpus * log.runtime)[log.within].sum() / (gpus * np.ptp(submit)))
