"""Scenarios of the DRF story from jobs and amounts, as tests think of them."""

from collections.abc import Sequence

from lessons.drf_story.jobs import Job
from lessons.drf_story.settings import Scenario
from physics import constants as k

TRUTH = (1.0, 1.0)


def scenario_of(
    jobs: Sequence[Job],
    pool: Sequence[float],
    executors: int = 15,
    step: int = 1,
    policies: tuple[str, str] = ("drf", "round_robin"),
    measure: str = "dominant_share",
    liar: int = 0,
    claims: Sequence[float] = TRUTH,
) -> Scenario:
    """Make a scenario: amounts of the pool in vCPU, GB, GPUs and GB, the liar by its row from 0."""
    claimed = dict(zip(("claim_cpu", "claim_mem"), claims, strict=True))
    return Scenario(
        tuple(jobs),
        executors,
        step,
        *policies,
        **pool_of(pool),
        measure=measure,
        liar=str(liar + 1),
        **claimed,
    )


def pool_of(amounts: Sequence[float]) -> dict[str, float]:
    """The knobs of a pool of vCPU, GB, GPUs and GB of GPU memory."""
    cpu, mem, gpu, gpu_mem = amounts
    return {"cpu": cpu, "mem": mem * k.GB, "gpu": gpu, "gpu_mem": gpu_mem * k.GB}
