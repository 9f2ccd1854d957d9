"""DRF story: the visitor allocates executors one click at a time until the pool is full."""

from collections.abc import Sequence
from functools import lru_cache

from lessons.drf_story.jobs import MOST_JOBS, NAMES, Job
from physics import constants as k
from physics.fairness import Allocation
from physics.fairness.serving import serve

#: Most executors that the visitor can allocate.
MOST = int(k.DRF_EXECUTORS.high)


def parse(text: str) -> tuple[int, ...]:
    """Parse the rows of the served jobs in order, one digit each.

    Raises
    ------
    ValueError
        One sentence, for text that is no such order.
    """
    rows = map(str, range(1, MOST_JOBS + 1))
    if len(text) > MOST or not set(text).issubset(rows):
        raise ValueError(f"it must be at most {MOST} digits from 1 to {MOST_JOBS}")
    return tuple(map(int, text))


def write(given: Sequence[int]) -> str:
    """Write the rows of the served jobs in order, one digit each.

    >>> write((3, 1, 3)), parse("313")
    ('313', (3, 1, 3))
    """
    return "".join(str(row) for row in given)


@lru_cache(maxsize=256)
def allocate(jobs: tuple[Job, ...], pool: tuple[float, ...], given: tuple[int, ...]) -> Allocation:
    """Allocate executors to the jobs in these rows, in order; skip those that do not fit."""
    claimants = [job.claimant() for job in jobs]
    order = [claimants[row - 1].name for row in given if row <= len(jobs)]
    return serve(claimants, dict(zip(NAMES, pool, strict=False)), order)
