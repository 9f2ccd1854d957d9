"""Synthetic logs: one of the scheduling lesson's fleet, and one similar to a machine of the
1990s.
"""

import hashlib

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import LimitedWhole, Positive, refusing
from physics.cluster.log import MOST_DAYS
from physics.cluster.writing import to_sacct
from physics.jobs import platform_mix, sample_jobs
from physics.jobs.sacct import COLUMNS
from physics.scheduling import Policy, Schedule, simulate
from physics.scheduling.policy import Emptied

#: Submission of a synthetic log's first possible job: Monday, 1 January 2024, 00:00 UTC [s since
#: 1970].
SYNTHETIC_BEGIN = 1_704_067_200
#: Estimate over runtime of a synthetic job, before it is rounded up to whole minutes.
SYNTHETIC_ESTIMATE = 2.0


@refusing
def synthetic_log(
    seed: LimitedWhole = 1,
    days: Positive = 365,
    gpus: int = int(c.FLEET_GPUS),
    policy: Policy | None = None,
) -> pd.DataFrame:
    """Make a log of the scheduling lesson's mix, with simulated waits under a policy as the
    recorded ones.

    Args:
        seed: Of the random draw; the same seed gives the same log.
        days: Time during which jobs are submitted [days].
        gpus: GPUs of the fleet that the waits are simulated on [1].
        policy: By default EASY in order of arrival. Estimates are twice the runtime, rounded up to
            minutes.

    Returns: As `read_log`; whole seconds from Monday, 1 January 2024, so that it can be written and
    read back as it is.

    Raises ValueError for a seed that is no whole number of at least 0, days that are not above zero
    or in which no job comes.

    >>> jobs = synthetic_log(days=30)
    >>> sorted(set(jobs["job_class"])), bool((jobs["recorded_wait"] >= 0).all())
    (['interactive', 'search', 'training'], True)
    """
    if days > MOST_DAYS / 10:
        raise ValueError(f"days must be at most {MOST_DAYS // 10:,}, got {days:g}")
    drawn = sample_jobs(platform_mix(), days * c.DAY, np.random.default_rng(seed))
    if drawn.empty:
        raise ValueError(f"days must hold at least one job, got none in {days:g}")
    runtime = np.ceil(drawn["runtime"].to_numpy())
    requested = 60 * np.ceil(SYNTHETIC_ESTIMATE * runtime / 60)
    frame = drawn.assign(
        submit=SYNTHETIC_BEGIN + np.floor(drawn["submit"]), runtime=runtime, estimate=requested
    )
    classes = frame["job_class"].to_numpy(object)
    users = np.array([str(user) for user in (frame["user"] + 1).tolist()], dtype=object)
    frame = frame.assign(requested=requested, user=users, partition=classes)
    return _recorded(
        frame, simulate(frame, gpus, Policy(backfill="easy") if policy is None else policy), "gpu"
    )


# What was counted in the log KTH-SP2-1996-2.1-cln of the Parallel Workloads Archive (see
# `kth_like_log`).
PROCESSORS = 100
KTH_JOBS = 28_467
KTH_DAYS = 333
#: Share of the submissions in each hour of the day and on each day of the week, Monday first, in
#: thousandths.
HOURS = (14, 9, 5, 3, 3, 8, 23, 54, 74, 76, 71, 76, 88, 87, 89, 80, 69, 34, 31, 26, 24, 24, 18, 16)
DAYS = (156, 178, 184, 186, 155, 66, 75)
#: Processors of a job, and how many jobs of a thousand ask for them.
WIDTHS = {
    1: 329,
    2: 134,
    3: 48,
    4: 104,
    5: 39,
    6: 24,
    7: 11,
    8: 87,
    9: 39,
    10: 21,
    12: 11,
    15: 10,
    16: 48,
    17: 5,
    20: 7,
    24: 5,
    25: 5,
    32: 23,
    40: 7,
    48: 6,
    64: 15,
    80: 10,
}
#: Groups of jobs by time limit: jobs of a thousand, common limits [min], and deciles and quartiles
#: of the share of the limit that they run for, at 0, 10, 25, 50, 75, 90 and 100%.
LIMITS = (
    (495, (1, 2, 5, 5, 10, 10, 15, 20, 30, 60), (0.001, 0.025, 0.06, 0.202, 0.526, 0.897, 1)),
    (315, (120, 150, 200, 230, 240, 240), (0.0005, 0.006, 0.22, 0.728, 0.918, 0.996, 1)),
    (171, (300, 500, 600, 720, 800, 870, 880, 890), (0.0003, 0.001, 0.268, 0.856, 0.999, 0.999, 1)),
    (19, (1000, 1200, 2000, 2400, 3500, 3600), (0.0003, 0.001, 0.397, 0.925, 1, 1, 1)),
)
PARTS_AT = (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1)
#: Users, and the exponent by which the jobs of the next most active one are fewer.
USERS = 214
ZIPF = 0.9
#: When a tenth of the processors is down, which the log does not tell: every so many days, for so
#: long [days].
DOWN_EVERY = 40
DOWN_FOR = 4


@refusing
def kth_like_log(seed: LimitedWhole = 1) -> pd.DataFrame:
    """Make a log similar to that of KTH's SP2 with 100 processors in 1996 and 1997, with
    unexplainable waits.

    Args:
        seed: Of the random draw; the same seed gives the same log.

    Returns: As `read_log`; CPUs, in whole seconds from Monday, 1 January 2024. The recorded waits
    are those of EASY on a machine that is emptied at 8:00 and 17:00 of working days, as KTH's seems
    to have been, and of which a tenth is down now and then, which the log does not say.

    Jobs come at random by hour and weekday; width, time limit, and the share of the limit that a
    job runs for are drawn apart, from how often each was counted in KTH's log.

    Source: L. Malinowsky, KTH-SP2-1996-2.1-cln, Parallel Workloads Archive.

    >>> jobs = kth_like_log()
    >>> jobs.attrs["size"], int(jobs["gpus"].max()) <= 100, bool(2 < jobs["recorded_wait"].mean() / 3600 < 8)
    (100, True, True)
    """
    rng = np.random.default_rng(seed)
    weights = np.outer(DAYS, HOURS).ravel().astype(float)
    hours = np.arange(KTH_DAYS * 24)
    number = rng.poisson(KTH_JOBS * weights[hours % 168] / weights[hours % 168].sum())
    jobs = int(number.sum())
    submit = (
        np.sort(np.repeat(hours, number) * 3600 + rng.integers(0, 3600, jobs)) + SYNTHETIC_BEGIN
    )
    width = np.array(list(WIDTHS))
    often = np.array(list(WIDTHS.values()), float)
    share = np.array([group[0] for group in LIMITS], float)
    group = rng.choice(len(LIMITS), jobs, p=share / share.sum())
    limit = np.zeros(jobs)
    runtime = np.zeros(jobs)
    for place, (_, minutes, parts) in enumerate(LIMITS):
        mine = group == place
        limit[mine] = 60 * rng.choice(minutes, int(mine.sum()))
        runtime[mine] = np.maximum(
            1, np.floor(limit[mine] * np.interp(rng.random(int(mine.sum())), PARTS_AT, parts))
        )
    users = 1 / np.arange(1, USERS + 1) ** ZIPF
    frame = pd.DataFrame(
        {"submit": submit, "runtime": runtime, "estimate": limit, "requested": limit}
    )
    frame["gpus"] = rng.choice(width, jobs, p=often / often.sum())
    names = np.array([f"user {one}" for one in range(1, USERS + 1)], dtype=object)
    frame["user"] = rng.choice(names, jobs, p=users / users.sum())
    frame = frame.assign(job_class="batch", partition="batch")
    down = [
        (begin, begin + DOWN_FOR * c.DAY, PROCESSORS // 10)
        for begin in np.arange(submit[0], submit[-1], DOWN_EVERY * c.DAY)
    ]
    policy = Policy(backfill="easy", emptied=Emptied((8 * c.HOUR, 17 * c.HOUR)))
    found = _recorded(frame, simulate(frame, PROCESSORS, policy, down), "cpu")
    found.attrs |= {"size": PROCESSORS, "size_name": "MaxProcs"}
    return found


def _recorded(jobs: pd.DataFrame, schedule: Schedule, resource: str) -> pd.DataFrame:
    """Jobs that can start, with their waits in a simulation as the recorded ones."""
    blank = np.full(len(jobs), "", dtype=object)
    frame = jobs.assign(recorded_wait=schedule.jobs["wait"], account=blank, qos=blank)
    frame["state"] = np.full(len(jobs), "COMPLETED", dtype=object)
    frame["elapsed"] = frame["runtime"]
    frame = frame[schedule.jobs["can_start"].to_numpy()].reset_index(drop=True)[list(COLUMNS)]
    if len(schedule.never_started):
        left_out = {"wider than the fleet": len(schedule.never_started)}
    else:
        left_out = {}
    attrs = {
        "left_out": left_out,
        "resource": resource,
        "unit": resource.upper(),
        "format": "synthetic",
        "dated": True,
    }
    frame.attrs = attrs
    frame.attrs["digest"] = hashlib.sha256(to_sacct(frame).encode()).hexdigest()
    return frame
