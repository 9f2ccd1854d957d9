"""DRF story: jobs that share a pool, and what two policies do with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from lessons.drf_story.jobs import NAMES, RESOURCES, Job, draft, parse, story, table_words, write
from physics import constants as k
from physics.fairness import Allocation, allocate, divide, jain_index
from physics.metrics import balance, jain
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
MEASURES = {
    "dominant_share": "Dominant shares",
    "weighted_share": "Dominant shares ÷ weight",
    "executors": "New executors",
    "cpu": "Shares of CPU",
    "mem": "Shares of memory",
}
CLAIMS = (0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 10)
#: More executors than any pool of the lesson holds: a hand-out of so many goes on until nothing fits.
MANY = 400


def _rows(before: Mapping[str, Any]) -> dict[str, str]:
    """Who can misreport: the jobs of the table by row."""
    return {str(number): job.name for number, job in enumerate(before.get("table", story()), 1)}


@dataclass(frozen=True)
class Scenario:
    """Jobs, pool and policies; the jobs' amounts are in vCPU, GB, GPUs and GB of GPU memory."""

    page: ClassVar[str] = "drf_story"

    table: tuple[Job, ...] = text(story(), parse=parse, write=write, spoken=table_words)
    executors: int = knob(k.DRF_EXECUTORS, typed=True)
    step: int = knob(k.DRF_STEP, high=lambda before: max(1, before["executors"]))
    policy_one: str = choice(POLICIES)
    policy_two: str = choice(POLICIES, default="round_robin")
    cpu: int = knob(k.DRF_CPU, typed=True)
    mem: float = knob(k.DRF_MEMORY, unit=k.GB, typed=True)
    measure: str = choice(MEASURES)
    gpu: int = knob(k.DRF_GPUS, typed=True)
    gpu_mem: float = knob(k.DRF_GPU_MEMORY, unit=k.GB, typed=True)
    liar: str = choice(_rows)
    claim_cpu: float = knob(k.DRF_CLAIM, positions=CLAIMS)
    claim_mem: float = knob(k.DRF_CLAIM, positions=CLAIMS)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The rows of the table."""
        return self.table

    @property
    def table_words(self) -> str:
        """What an executor of each job takes."""
        return table_words(self.table)

    @property
    def pool(self) -> tuple[float, float, float, float]:
        """What there is: vCPU, GB, GPUs, GB of GPU memory."""
        return (float(self.cpu), self.mem_gb, float(self.gpu), round(self.gpu_mem / k.GB, 9))

    @property
    def mem_gb(self) -> float:
        """Memory of the pool [GB]."""
        return round(self.mem / k.GB, 9)

    @property
    def policies(self) -> tuple[str, str]:
        """Both policies."""
        return (self.policy_one, self.policy_two)

    @property
    def runs(self) -> tuple[Allocation, Allocation]:
        """What the two policies do."""
        return tuple(run(self.jobs, self.pool, policy, self.executors) for policy in self.policies)

    @property
    def labels(self) -> tuple[str, str]:
        """Names of the two policies."""
        return (self.label_one, self.label_two)

    @property
    def label_one(self) -> str:
        """Name of the first policy."""
        return POLICIES[self.policy_one]

    @property
    def label_two(self) -> str:
        """Name of the second policy."""
        return POLICIES[self.policy_two]

    @property
    def claims(self) -> tuple[float, float, float, float]:
        """Claimed over needed amount of each resource, of the job that misreports [1]."""
        return (self.claim_cpu, self.claim_mem, 1.0, 1.0)

    @property
    def liar_row(self) -> int:
        """Row of the job that misreports."""
        return int(self.liar) - 1

    @property
    def last(self) -> int:
        """Step at which both hand-outs have ended."""
        return max(len(result.log) for result in self.runs)

    @property
    def ended(self) -> bool:
        """Whether both hand-outs have ended at the step shown."""
        return self.step >= self.last

    @property
    def at_end(self) -> "Scenario":
        """The same at its last step."""
        return replace(self, step=max(1, self.last))

    def idle(self) -> dict[str, str]:
        """Name the knobs that have no effect at the moment, with the reason."""
        needs = self.jobs[self.liar_row].need
        return {
            f"claim_{name}": "the job needs none of it"
            for name, need in zip(RESOURCES[:2], needs[:2], strict=True)
            if not need
        }

    @property
    def used(self) -> list[int]:
        """Resources that a job holds or needs."""
        found = [r for r in range(len(RESOURCES)) if any(job.need[r] or job.start[r] for job in self.jobs)]
        return found or [0]

    # Hand-outs of these jobs, whatever the two policies

    @property
    def by_drf(self) -> Allocation:
        """The hand-out by DRF."""
        return run(self.jobs, self.pool, "drf", self.executors)

    @property
    def by_turns(self) -> Allocation:
        """The hand-out by round-robin."""
        return run(self.jobs, self.pool, "round_robin", self.executors)

    @property
    def by_asset(self) -> Allocation:
        """The hand-out by asset fairness."""
        return run(self.jobs, self.pool, "asset", self.executors)

    @property
    def by_memory(self) -> Allocation:
        """The hand-out by shares of memory alone."""
        return run(self.jobs, self.pool, "single:mem", self.executors)

    @property
    def by_cpu(self) -> Allocation:
        """The hand-out by shares of CPUs alone."""
        return run(self.jobs, self.pool, "single:cpu", self.executors)

    @property
    def to_full(self) -> Allocation:
        """The hand-out by DRF until nothing fits."""
        return run(self.jobs, self.pool, "drf", MANY)

    @property
    def turns_to_full(self) -> Allocation:
        """The hand-out by round-robin until nothing fits."""
        return run(self.jobs, self.pool, "round_robin", MANY)

    @property
    def gains(self) -> list[float]:
        """Largest share of any resource that one executor takes, of each job [1]."""
        return [max(need / size for need, size in zip(job.need, self.pool, strict=True)) for job in self.jobs]

    @property
    def large_gain(self) -> float:
        """That of the first job [1]."""
        return self.gains[0]

    @property
    def small_gain(self) -> float:
        """That of the last job [1]."""
        return self.gains[-1]

    @property
    def gain_ratio(self) -> float:
        """That of the first job over that of the last [1]."""
        return self.large_gain / self.small_gain

    @property
    def large_end(self) -> float:
        """The highest dominant share at the end of DRF [1]."""
        return max(self.by_drf.dominant_share.values())

    @property
    def gains_words(self) -> str:
        """That of each job, in words."""
        parts = []
        for job, gain in zip(self.jobs, self.gains, strict=True):
            where = next(r for r in range(4) if job.need[r] / self.pool[r] == gain)
            parts.append(f"{job.name} {f.share(gain)} ({NAMES[RESOURCES[where]]})")
        return ", ".join(parts)

    @property
    def user_share(self) -> float:
        """Dominant shares of all that is named after the message's last job, together, in the full pool [1]."""
        name = story()[-1].name
        return sum(share for job, share in self.to_full.dominant_share.items() if job.startswith(name))

    @property
    def divided(self) -> str:
        """What DRF gives each job if executors are divisible, in words."""
        return _divided(self.jobs, self.pool)

    # Of the notebook

    @property
    def one_too_many(self) -> int:
        """One executor more than fit."""
        return len(self.to_full.log) + 1

    @property
    def overdrawn(self) -> float:
        """Memory that so many executors of the first job would use with what is held [GB]."""
        return sum(job.start[1] for job in self.jobs) + self.one_too_many * self.jobs[0].need[1]

    @property
    def beyond_limits(self) -> float:
        """One executor more than the jobs' limits allow."""
        return sum(job.ceiling or 0 for job in self.jobs) + 1

    @property
    def overtakes(self) -> int:
        """Executors after which DRF serves another job than the last one of the table for the first time."""
        return next(i for i, name in enumerate(self.by_drf.log) if name != self.jobs[-1].name)

    @property
    def overtaken(self) -> float:
        """Dominant share of the last job by then [1]."""
        return self.by_drf.history[self.overtakes]["shares"][self.jobs[-1].name]

    @property
    def overtaken_others(self) -> float:
        """Dominant share of the first job by then [1]."""
        return self.by_drf.history[self.overtakes]["shares"][self.jobs[0].name]

    @property
    def beside_memory(self) -> str:
        """Whether DRF ends as fairness of memory alone, in words."""
        return "the same as" if self.by_drf.executors == self.by_memory.executors else "not the same as"

    # What is counted

    def counted(self, which: int, measure: str = "", start: bool = False) -> list[float]:
        """Return what each job has at the end, or at the start, under one policy in a measure, usually the chosen."""
        measure, result = measure or self.measure, self.runs[which]
        counts = [0 if start else count for count in result.executors.values()]
        if measure == "executors":
            return [float(count) for count in counts]
        if measure in RESOURCES:
            r = RESOURCES.index(measure)
            return [(job.start[r] + n * job.need[r]) / self.pool[r] for job, n in zip(self.jobs, counts, strict=True)]
        shares = run(self.jobs, self.pool, "drf", 0).dominant_share if start else result.dominant_share
        weights = [job.weight if measure == "weighted_share" else 1.0 for job in self.jobs]
        return [share / weight for share, weight in zip(shares.values(), weights, strict=True)]

    @property
    def measured_words(self) -> str:
        """What is counted, in the middle of a sentence."""
        return MEASURES[self.measure][0].lower() + MEASURES[self.measure][1:]

    @property
    def index_one(self) -> float:
        """Jain's index of what is counted under the first policy [1]."""
        return jain_index(self.counted(0))

    @property
    def index_two(self) -> float:
        """Jain's index of what is counted under the second policy [1]."""
        return jain_index(self.counted(1))

    @property
    def balance_one(self) -> float:
        """Least over most of what is counted under the first policy [1]."""
        return balance(self.counted(0))

    @property
    def balance_two(self) -> float:
        """Least over most of what is counted under the second policy [1]."""
        return balance(self.counted(1))

    @property
    def starved_index(self) -> float:
        """Jain's index of many users who have the same, and one who has nothing [1]."""
        return jain([1.0] * (int(k.DRF_CROWD) - 1) + [0.0])


def capacity(pool: tuple[float, ...]) -> dict[str, float]:
    """A pool as the model knows it."""
    return dict(zip(RESOURCES, pool, strict=True))


@lru_cache(maxsize=64)
def run(jobs: tuple[Job, ...], pool: tuple[float, ...], policy: str, executors: int) -> Allocation:
    """Hand out executors by one policy; kept for the next turn of a knob."""
    return allocate([job.claimant() for job in jobs], capacity(pool), policy, executors)


@lru_cache(maxsize=32)
def _divided(jobs: tuple[Job, ...], pool: tuple[float, ...]) -> str:
    result = divide([job.claimant() for job in jobs], capacity(pool), "drf")
    return ", ".join(f"{name} {f.significant(tasks)}" for name, tasks in result.executors.items())


def index(value: float) -> str:
    """Write Jain's index or a balance; what is not 1 is not rounded to 1.

    >>> index(1.0), index(0.66667), index(0.99999)
    ('1.000', '0.667', '0.99999')
    """
    digits = 3
    while value < 1 and round(value, digits) == 1 and digits < 12:
        digits += 1
    return f"{value:.{digits}f}"


def listed(words: list[str]) -> str:
    """Join words with commas and "and".

    >>> listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])
    ('A', 'A and B', 'A, B, and C')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}{',' * (len(words) > 2)} and {words[-1]}"


def _three_names() -> tuple[Job, ...]:
    """The message's jobs, the last one under three names."""
    one = story()[-1]
    return (*story(), *(replace(one, name=f"{one.name} {number}") for number in (2, 3)))


say = Sentences(
    Scenario,
    formats={
        "index": index,
        "counts": lambda result: listed([f.significant(count, 6) for count in result.executors.values()]),
        "shares": lambda result: listed([f.share(share) for share in result.dominant_share.values()]),
        "first": lambda result: f.significant(next(iter(result.executors.values()))),
        "last": lambda result: f.significant(list(result.executors.values())[-1]),
        "steps": lambda result: f.significant(len(result.log)),
    },
    cases={
        "draft": {"table": draft(), "executors": int(k.DRF_NOTEBOOK_EXECUTORS)},
        "thirty": {"table": draft(float(k.DRF_CEILING))},
        "five": {"table": draft(float(k.DRF_SMALL_CEILING))},
        "named": {"table": _three_names()},
    },
)
