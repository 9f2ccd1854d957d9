"""DRF story: jobs that share a pool, and their allocations under two policies."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import itemgetter, truediv
from typing import Any, ClassVar

from lessons.drf_story import hand
from lessons.drf_story.jobs import NAMES, STORY, WITH_GPUS, Job, amounts
from lessons.drf_story.laboratory.table import in_words, parse, write
from physics import constants as k
from physics.fairness import Allocation, allocate
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, text

POLICIES = {
    "drf": "DRF",
    "round_robin": "Round-robin",
    "asset": "Asset fairness",
    "single:cpu": "CPU only",
    "single:mem": "Memory only",
}
#: Policies to compare the first one with, or the visitor's own allocation.
SECOND = POLICIES | {"hand": "By hand"}
#: The model's names of policies that consider a single resource.
SINGLE = {"single:cpu": "single:CPU", "single:mem": "single:memory", "single:gpu": "single:GPU"}
CLAIMS = (0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 10)


# The bounds of a knob get the values of the knobs that are declared before it.
def _job_rows(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the jobs that can misreport, by their row in the table."""
    return {str(number): job.name for number, job in enumerate(values.get("table", STORY), 1)}


def _min_cpu(values: Mapping[str, Any]) -> int:
    """Return the smallest pool that fits the jobs' initial allocations [vCPU]."""
    return max(1, math.ceil(sum(job.start[0] for job in values.get("table", ()))))


def _min_memory(values: Mapping[str, Any]) -> float:
    """Return the smallest pool that fits the jobs' initial allocations, in whole GB [B]."""
    return k.GB * max(1, math.ceil(sum(job.start[1] for job in values.get("table", ()))))


def _min_gpus(values: Mapping[str, Any]) -> int:
    """Return the fewest GPUs of a pool: one if any job needs GPUs, else none."""
    return int(any(job.gpu for job in values.get("table", ())))


@dataclass(frozen=True)
class Scenario:
    """Jobs, pool, and policies of the DRF story; the jobs' amounts are in vCPU and GB."""

    page: ClassVar[str] = "drf_story"

    table: tuple[Job, ...] = text(STORY, parse=parse, write=write, spoken=in_words)
    executors: int = knob(k.DRF_EXECUTORS, typed=True)
    step: int = knob(k.DRF_STEP, high="executors")
    policy_one: str = choice(POLICIES)
    policy_two: str = choice(SECOND, default="round_robin", pushed=True)
    cpu: int = knob(k.DRF_CPU, typed=True, low=_min_cpu)
    mem: float = knob(k.DRF_MEMORY, unit=k.GB, typed=True, low=_min_memory)
    liar: str = choice(_job_rows)
    claim_cpu: float = knob(k.DRF_CLAIM, positions=CLAIMS)
    claim_mem: float = knob(k.DRF_CLAIM, positions=CLAIMS)
    gpu: int = knob(k.DRF_GPUS, typed=True, low=_min_gpus)
    given: tuple[int, ...] = text((), parse=hand.parse, write=hand.write)
    names: int = knob(k.DRF_NAMES, spoken="name")
    check: str = choice(("none", "users", "use"))
    cap: float = knob(k.DRF_CAP, unit=0.01, spoken=f.share)

    @property
    def pool(self) -> tuple[float, ...]:
        """Capacity of the pool: vCPU, GB, and GPUs if it has any."""
        sizes = (float(self.cpu), round(self.mem / k.GB, 9))
        if self.gpu:
            sizes = (*sizes, float(self.gpu))
        return sizes

    @property
    def by_hand(self) -> bool:
        """Whether the visitor allocates the executors of the lower half."""
        return self.policy_two == "hand"

    @property
    def limit(self) -> int:
        """Maximum number of executors of an allocation [1].

        By hand it continues until the pool is full.
        """
        if self.by_hand:
            return hand.MOST
        return self.executors

    @property
    def at(self) -> int:
        """Number of executors that each half has allocated at the current step [1]."""
        if self.by_hand:
            return len(self.two.log)
        return min(self.step, self.executors)

    @property
    def one(self) -> Allocation:
        """Allocation under the first policy."""
        return run(self.table, self.pool, self.policy_one, self.limit)

    @property
    def two(self) -> Allocation:
        """Allocation under the second policy, or by the visitor's hand."""
        if self.by_hand:
            return hand.allocate(self.table, self.pool, self.given)
        return run(self.table, self.pool, self.policy_two, self.limit)

    @property
    def both(self) -> tuple[tuple[str, Allocation], tuple[str, Allocation]]:
        """Name and allocation of each of the two policies."""
        return (POLICIES[self.policy_one], self.one), (SECOND[self.policy_two], self.two)

    @property
    def one_now(self) -> Allocation:
        """Allocation under the first policy at the current step."""
        return run(self.table, self.pool, self.policy_one, self.at)

    @property
    def two_now(self) -> Allocation:
        """Allocation under the second policy, or by the visitor's hand, at the step on screen."""
        if self.by_hand:
            return self.two
        return run(self.table, self.pool, self.policy_two, self.at)

    def idle(self) -> dict[str, str]:
        """Reasons why a setting has no effect now, by quantity."""
        if self.by_hand:
            return dict.fromkeys(("step", "executors"), "you allocate until the pool is full")
        return {}

    @property
    def liar_job(self) -> Job:
        """Job that misreports."""
        return self.table[int(self.liar) - 1]

    @property
    def who(self) -> str:
        """Name of the job that misreports."""
        return self.liar_job.name

    @property
    def last(self) -> int:
        """Step at which both allocations are complete."""
        return max(len(self.one.log), len(self.two.log))

    @property
    def gains(self) -> str:
        """Increase of each job's dominant share per executor, as text."""
        gains = []
        for job in self.table:
            most = max(map(truediv, job.takes, self.pool))
            gains.append(f"{job.name} {f.share(most)}")
        return ", ".join(gains)


def capacity(pool: tuple[float, ...]) -> dict[str, float]:
    """Capacity of a pool in the model's format."""
    return dict(zip(NAMES, pool, strict=False))


@lru_cache(maxsize=64)
def run(jobs: tuple[Job, ...], pool: tuple[float, ...], policy: str, executors: int) -> Allocation:
    """Allocate executors under one policy; results are cached."""
    claimants = [job.claimant() for job in jobs]
    return allocate(claimants, capacity(pool), SINGLE.get(policy, policy), executors)


def signed(difference: float, write: Callable[[float], str]) -> str:
    """Write a difference with its sign.

    >>> signed(0.1, f.share), signed(-2, f.significant), signed(0, f.share)
    ('+10%', '−2', '0%')
    """
    sign = ("", "+", "−")[(difference > 0) - (difference < 0)]
    return f"{sign}{write(abs(difference))}"


def spread(values: Collection[float]) -> str:
    """Write shares as a range with one percent sign.

    >>> spread([0.1, 0.4, 0.4]), spread([0.2, 0.2])
    ('10 to 40%', '20%')
    """
    low = f.share(min(values))
    high = f.share(max(values))
    if low == high:
        return low
    return f"{low.removesuffix('%')} to {high}"


def each(shares: Collection[float]) -> str:
    """Write each job's share, or only the range if there are many jobs.

    >>> each([0.1, 0.4, 0.4]), each([0.1, 0.4, 0.4, 0.4])
    ('10 · 40 · 40%', '10 to 40%')
    """
    if len(shares) > 3:
        return spread(shares)
    return " · ".join(map(f.share, shares)).replace("% ", " ")


def _counts(join: Callable[[list[str]], str], result: Allocation) -> str:
    """Write the number of executors of each job, and join the texts."""
    return join(list(map(str, result.executors.values())))


def _shares(join: Callable[[list[str]], str], result: Allocation) -> str:
    """Write the dominant share of each job, and join the texts."""
    return join(list(map(f.share, result.dominant_share.values())))


def _share_range(result: Allocation) -> str:
    """Write the range of the jobs' dominant shares."""
    return spread(result.dominant_share.values())


def _share_of_user(result: Allocation) -> str:
    """Write the total share of the message's last job and of the jobs that are named after it."""
    shares = result.dominant_share
    return f.share(sum(shares[name] for name in shares if name.startswith(STORY[-1].name)))


#: The pool with GPUs, which the reflection asks about.
SECOND_POOL = {
    "cpu": int(k.DRF_SECOND_CPU),
    "mem": float(k.DRF_SECOND_MEMORY),
    "gpu": int(k.DRF_SECOND_GPUS),
    "executors": 20,
    "step": 20,
    "table": WITH_GPUS,
}

say = Sentences(
    Scenario,
    formats={
        "counts": partial(_counts, f.listed),
        "shares": partial(_shares, f.listed),
        "first": partial(_counts, itemgetter(0)),
        "last": partial(_counts, itemgetter(-1)),
        "ahead": partial(_shares, itemgetter(0)),
        "handed": lambda result: f.count(len(result.log), "executor"),
        "free": lambda result: amounts(result.free.values()) or "nothing",
        "ends": _share_range,
        "dots": partial(_counts, " · ".join),
        "each": lambda result: each(result.dominant_share.values()),
        "user": _share_of_user,
        "policy": SECOND.__getitem__,
        "rows": in_words,
    },
    cases={
        "asset": {"policy_two": "asset"},
        "memory": {"policy_two": "single:mem"},
        "cpu": {"policy_two": "single:cpu"},
        "full": {"executors": int(k.DRF_EXECUTORS.high)},
        "gpus": SECOND_POOL,
        "gpus_only": SECOND_POOL | {"policy_one": "single:gpu"},
        "named": {
            "executors": int(k.DRF_EXECUTORS.high),
            "table": (*STORY, *(replace(STORY[-1], name=f"Evaluation {n}") for n in (2, 3))),
        },
    },
)
