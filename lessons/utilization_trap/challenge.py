"""Utilization trap: the challenge, the largest jobs that a busy fleet can start in time."""

from functools import lru_cache
from itertools import count

from lessons.utilization_trap.settings import TIE, Fleet
from physics.queueing import mgc
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import moved

#: Wanted: at least this utilization, of the servers.
BUSY = 0.9


def task() -> str:
    """The task in words."""
    return (
        f"Buy nothing, keep the servers at least {f.share(BUSY)} busy, and bring the mean wait of the 1-hour jobs "
        f"within {f.duration(Fleet().target)}, with jobs so large that the fleet holds as few as possible at once."
    )


def judge(fleet: Fleet) -> Verdict:
    """Say how far a fleet has come."""
    if labels := moved(fleet, ("gpus_per_job", "utilization")):
        return Verdict(f"Put back first: {', '.join(labels)}.")
    jobs = (
        f"{f.count(fleet.servers, 'server')} of {f.count(fleet.gpus_per_job, 'GPU')}, {f.share(fleet.utilization)} busy"
    )
    if fleet.left_over:
        jobs += f" ({f.share(fleet.utilization * (1 - fleet.left_over / fleet.fleet))} of all GPUs)"
    if fleet.utilization < BUSY - TIE:
        return Verdict(f"{jobs}: not busy enough.", False)
    if not fleet.on_target:
        return Verdict(f"{jobs}: the wait is too long.", False)
    if fleet.servers > fewest():
        return Verdict(f"{jobs}: in time. Larger jobs can be, too.")
    return Verdict(f"Won: {jobs}. With fewer than {f.count(fewest(), 'server')} no such fleet meets the target.", True)


@lru_cache(maxsize=8)
def fewest() -> int:
    """Servers that the director's jobs need to meet the target at the wanted utilization."""
    fleet = Fleet()
    return next(c for c in count(1) if mgc(BUSY * c, 1.0, c, fleet.scv).mean_wait <= fleet.target / fleet.job_length)
