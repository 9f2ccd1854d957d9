"""Synthetic logs: one of the scheduling lesson's fleet, and one like a machine of the 1990s."""

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
from physics.texts import toml_beside

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
    """Make a log of the scheduling lesson's mix of jobs; its recorded waits are simulated.

    Args:
        seed: Seed of the random draw; the same seed gives the same log.
        days: Time during which jobs are submitted [days].
        gpus: GPUs of the fleet on which the waits are simulated [1].
        policy: Policy of the simulation, by default EASY in order of arrival. Estimates are twice
            the runtime, rounded up to minutes.

    Returns: Log as `read_log` returns it, in whole seconds from Monday, 1 January 2024, so that it
    can be written and read back unchanged.

    Raises ValueError for a seed that is no whole number of at least 0, days that are not above zero
    or in which no job comes.

    >>> jobs = synthetic_log(days=30)
    >>> sorted(set(jobs["job_class"])), bool((jobs["recorded_wait"] >= 0).all())
    (['interactive', 'search', 'training'], True)
    """
    if days > MOST_DAYS / 10:
        raise ValueError(f"days must be at most {MOST_DAYS // 10:,}, got {days:g}")
    sample = sample_jobs(platform_mix(), days * c.DAY, np.random.default_rng(seed))
    if sample.empty:
        raise ValueError(f"days must hold at least one job, got none in {days:g}")
    runtime = np.ceil(sample["runtime"].to_numpy())
    requested = 60 * np.ceil(SYNTHETIC_ESTIMATE * runtime / 60)
    frame = sample.assign(
        submit=SYNTHETIC_BEGIN + np.floor(sample["submit"]),
        runtime=runtime,
        estimate=requested,
        requested=requested,
        user=(sample["user"] + 1).map(str),
        partition=sample["job_class"].to_numpy(object),
    )
    return _recorded(frame, simulate(frame, gpus, policy or Policy(backfill="easy")), "gpu")


#: Counts of jobs in the log KTH-SP2-1996-2.1-cln (see `kth_like_log`).
KTH = toml_beside(__file__, "kth.toml")


@refusing
def kth_like_log(seed: LimitedWhole = 1) -> pd.DataFrame:
    """Make a log like that of KTH's SP2, of 1996 and 1997, with waits that no policy explains.

    Args:
        seed: Seed of the random draw; the same seed gives the same log.

    Returns: Log of CPUs as `read_log` returns it, in whole seconds from Monday, 1 January 2024. The
    recorded waits are those of EASY on a machine that is emptied at 8:00 and 17:00 of working days,
    as KTH's seems to have been. A tenth of it is down now and then, which the log does not say.

    Jobs arrive at random by hour and weekday. Width, time limit, and the share of the limit that a
    job runs for are drawn independently, each from its counts in KTH's log.

    Source: L. Malinowsky, KTH-SP2-1996-2.1-cln, Parallel Workloads Archive.

    >>> jobs = kth_like_log()
    >>> jobs.attrs["size"], int(jobs["gpus"].max()) <= 100
    (100, True)
    >>> bool(2 < jobs["recorded_wait"].mean() / 3600 < 8)
    True
    """
    rng = np.random.default_rng(seed)
    weights = np.outer(KTH["weekdays"], KTH["hours"]).ravel().astype(float)
    hours = np.arange(KTH["days"] * 24)
    number = rng.poisson(KTH["jobs"] * weights[hours % 168] / weights[hours % 168].sum())
    jobs = int(number.sum())
    seconds = np.repeat(hours, number) * 3600 + rng.integers(0, 3600, jobs)
    submit = np.sort(seconds) + SYNTHETIC_BEGIN
    limits = KTH["limits"]
    group = _draw(rng, np.arange(len(limits)), [limit["jobs"] for limit in limits], jobs)
    limit = np.zeros(jobs)
    runtime = np.zeros(jobs)
    for index, counts in enumerate(limits):
        in_group = group == index
        size = int(in_group.sum())
        limit[in_group] = 60 * rng.choice(counts["minutes"], size)
        share = np.interp(rng.random(size), KTH["shares_at"], counts["shares"])
        runtime[in_group] = np.maximum(1, np.floor(limit[in_group] * share))
    frame = pd.DataFrame(
        {"submit": submit, "runtime": runtime, "estimate": limit, "requested": limit}
    )
    processors, often = np.array(KTH["widths"]).T
    frame["gpus"] = _draw(rng, processors, often, jobs)
    users = np.arange(1, KTH["users"] + 1)
    names = np.array([f"user {number}" for number in users], dtype=object)
    frame["user"] = _draw(rng, names, 1 / users ** KTH["zipf"], jobs)
    frame = frame.assign(job_class="batch", partition="batch")
    size = KTH["processors"]
    down = [
        (begin, begin + KTH["down_for"] * c.DAY, size // 10)
        for begin in np.arange(submit[0], submit[-1], KTH["down_every"] * c.DAY)
    ]
    policy = Policy(backfill="easy", emptied=Emptied((8 * c.HOUR, 17 * c.HOUR)))
    log = _recorded(frame, simulate(frame, size, policy, down), "cpu")
    log.attrs |= {"size": size, "size_name": "MaxProcs"}
    return log


def _draw(
    rng: np.random.Generator, values: np.ndarray, weights: np.ndarray | list[int], number: int
) -> np.ndarray:
    """Draw a number of values, each with a chance in proportion to its weight."""
    chances = np.array(weights, float)
    return rng.choice(values, number, p=chances / chances.sum())


def _recorded(jobs: pd.DataFrame, schedule: Schedule, resource: str) -> pd.DataFrame:
    """Log of the jobs that can start, with their simulated waits as the recorded ones."""
    frame = jobs.assign(recorded_wait=schedule.jobs["wait"], elapsed=jobs["runtime"])
    for name, text in (("account", ""), ("qos", ""), ("state", "COMPLETED")):
        frame[name] = np.full(len(jobs), text, dtype=object)
    frame = frame[schedule.jobs["can_start"].to_numpy()].reset_index(drop=True)[list(COLUMNS)]
    left_out = {}
    if len(schedule.never_started):
        left_out["wider than the fleet"] = len(schedule.never_started)
    frame.attrs = {
        "left_out": left_out,
        "resource": resource,
        "unit": resource.upper(),
        "format": "synthetic",
        "dated": True,
    }
    frame.attrs["digest"] = hashlib.sha256(to_sacct(frame).encode()).hexdigest()
    return frame
