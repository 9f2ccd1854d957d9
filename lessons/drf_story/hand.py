"""DRF story: the visitor hands out the executors, one tap each, until nothing fits any more."""

from collections.abc import Sequence
from functools import lru_cache

from lessons.drf_story.jobs import MOST_JOBS, NAMES, Job
from physics import constants as k
from physics.fairness import Allocation, Claimant, allocate

#: The most executors that are handed out by hand.
MOST = int(k.DRF_EXECUTORS.high)


def parse(text: str) -> tuple[int, ...]:
    """Read the rows of the jobs in the order in which they were served, a digit each.

    Raises
    ------
    ValueError
        One sentence, for text that is no such order.
    """
    rows = "".join(str(row) for row in range(1, MOST_JOBS + 1))
    if len(text) > MOST or not set(text) <= set(rows):
        raise ValueError(f"it must be at most {MOST} digits from 1 to {MOST_JOBS}")
    return tuple(int(row) for row in text)


def write(given: Sequence[int]) -> str:
    """Write the rows of the jobs that were served, in order.

    >>> write((3, 1, 3)), parse("313")
    ('313', (3, 1, 3))
    """
    return "".join(str(row) for row in given)


@lru_cache(maxsize=256)
def handed(jobs: tuple[Job, ...], pool: tuple[float, ...], given: tuple[int, ...]) -> Allocation:
    """Return what the jobs of these rows get one after the other; what does not fit is left out."""
    counts = [0] * len(jobs)
    log = []
    history = []
    result = _stand(jobs, pool, counts)
    for row in given:
        if row > len(jobs) or not fits(jobs, pool, tuple(counts), row):
            continue
        name = jobs[row - 1].name
        before = result.dominant_share
        counts[row - 1] += 1
        result = _stand(jobs, pool, counts)
        log.append(name)
        step = {"step": len(log), "name": name, "reason": f"You gave it to {name}"}
        shares = {
            "shares": before,
            "share_before": before[name],
            "share_after": result.dominant_share[name],
        }
        history.append(step | shares)
    executors = {job.name: count for job, count in zip(jobs, counts, strict=True)}
    is_full = not any(fits(jobs, pool, tuple(counts), row + 1) for row in range(len(jobs)))
    if is_full:
        stop = "no_fit"
    else:
        stop = "max_steps"
    return Allocation(log, executors, result.dominant_share, result.free, stop, history)


@lru_cache(maxsize=1024)
def fits(jobs: tuple[Job, ...], pool: tuple[float, ...], counts: tuple[int, ...], row: int) -> bool:
    """Return whether one more executor of the job in a row fits into the pool and below its cap."""
    claimants = _claimants(jobs, counts, row)
    return bool(allocate(claimants, dict(zip(NAMES, pool, strict=False)), steps=1).log)


def _stand(jobs: tuple[Job, ...], pool: tuple[float, ...], counts: Sequence[int]) -> Allocation:
    """Return shares and free resources after so many executors of each job."""
    return allocate(_claimants(jobs, counts), dict(zip(NAMES, pool, strict=False)), steps=0)


def _claimants(jobs: tuple[Job, ...], counts: Sequence[int], row: int = 0) -> list[Claimant]:
    """Return the jobs with their executors as what they hold; only the one in `row` may get more."""
    claimants = []
    for number, (job, count) in enumerate(zip(jobs, counts, strict=True), 1):
        held = {}
        for name, start, need in zip(NAMES, job.holds, job.takes, strict=True):
            held[name] = round(start + count * need, 6)
        ceiling = 0.0
        if number == row:
            ceiling = job.ceiling
        if ceiling is not None:
            ceiling = max(0.0, ceiling - count)
        demand = job.claimant().demand
        claimants.append(Claimant(job.name, demand, held, job.weight, ceiling))
    return claimants
