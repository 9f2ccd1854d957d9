"""DRF story: one scenario, and what its two policies do with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from lessons.drf_story.jobs import NAMES, RESOURCES, Job, parse, story, table_words, uses_gpus, write
from physics import constants as k
from physics.fairness import Allocation, allocate, jain_index
from ui.knobs import MORE, Group, choice, knob, text, toggle

POLICIES = {
    "drf": "DRF",
    "round_robin": "Round-robin",
    "asset": "Asset fairness",
    "single:cpu": "CPU only",
    "single:mem": "Memory only",
    "single:gpu": "GPUs only",
    "single:gpu_mem": "GPU memory only",
}
MISFITS = {"skip": "Skip it", "stop": "Stop"}
MEASURES = {
    "dominant_share": "Dominant shares",
    "weighted_share": "Dominant shares ÷ weight",
    "executors": "New executors",
    **{resource: f"Shares of {name}" for resource, name in NAMES.items()},
}
CLAIMS = (0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 10)
LIES = Group(
    "Settings for part 3",
    ":material/theater_comedy:",
    "They act on the view “Misreporting” alone.",
    name="knobs_of_the_third_act",
)
_CLAIMED = {"cpu": "vCPU", "mem": "memory", "gpu": "GPUs", "gpu_mem": "GPU memory"}


def _rows(before: Mapping[str, Any]) -> dict[str, str]:
    """Who can lie: the jobs of the table by row."""
    return {str(number): job.name for number, job in enumerate(before.get("table", story()), 1)}


def _claim(resource: str) -> Any:
    return knob(
        k.DRF_CLAIM,
        f"Claims × its {_CLAIMED[resource]}",
        positions=CLAIMS,
        help="1 is the truth; no effect on what it does not need.",
        group=LIES,
    )


@dataclass(frozen=True)
class Scenario:
    """Jobs, pool and rules; the jobs' amounts are in vCPU, GB, GPUs and GB of GPU memory."""

    page: ClassVar[str] = "drf_story"

    table: tuple[Job, ...] = text(story(), parse=parse, write=write, spoken=table_words)
    executors: int = knob(k.DRF_EXECUTORS, typed=True)
    step: int = knob(k.DRF_STEP, high=lambda before: max(1, before["executors"]))
    policy_one: str = choice(POLICIES)
    policy_two: str = choice(POLICIES, default="round_robin")
    cpu: int = knob(k.DRF_CPU, typed=True)
    mem: float = knob(k.DRF_MEMORY, unit=k.GB, typed=True)
    measure: str = choice(MEASURES, group=MORE)
    misfit: str = choice(MISFITS, segmented=True, group=MORE)
    gpu: int = knob(k.DRF_GPUS, typed=True, group=MORE)
    gpu_mem: float = knob(k.DRF_GPU_MEMORY, unit=k.GB, typed=True, group=MORE)
    gpus: bool = toggle(group=MORE)
    liar: str = choice(_rows, group=LIES)
    claim_cpu: float = _claim("cpu")
    claim_mem: float = _claim("mem")
    claim_gpu: float = _claim("gpu")
    claim_gpu_mem: float = _claim("gpu_mem")

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The rows of the table."""
        return self.table

    @property
    def pool(self) -> tuple[float, float, float, float]:
        """What there is: vCPU, GB, GPUs, GB of GPU memory."""
        return (float(self.cpu), round(self.mem / k.GB, 9), float(self.gpu), round(self.gpu_mem / k.GB, 9))

    @property
    def policies(self) -> tuple[str, str]:
        """Both policies."""
        return (self.policy_one, self.policy_two)

    @property
    def claims(self) -> tuple[float, float, float, float]:
        """The liar's claimed over its true demand."""
        return (self.claim_cpu, self.claim_mem, self.claim_gpu, self.claim_gpu_mem)

    @property
    def liar_row(self) -> int:
        """Row of the job that lies in the third act."""
        return int(self.liar) - 1

    @property
    def ended(self) -> bool:
        """Whether the step shown is the last of both hand-outs."""
        return self.step >= max(len(result.log) for result in self.runs)

    def idle(self) -> dict[str, str]:
        """Name the knobs that have no effect at the moment, with the reason."""
        unused = [r for r, need in zip(RESOURCES, self.jobs[self.liar_row].need, strict=True) if not need]
        found = dict.fromkeys((f"claim_{r}" for r in unused), "the liar needs none of it")
        return found if uses_gpus(self.jobs) else found | dict.fromkeys(("gpu", "gpu_mem"), "no job uses GPUs")

    @property
    def runs(self) -> tuple[Allocation, Allocation]:
        """What the two policies do."""
        return tuple(run(self.jobs, self.pool, p, self.executors, self.misfit) for p in self.policies)

    @property
    def labels(self) -> tuple[str, str]:
        """Names of the two policies."""
        return tuple(POLICIES[policy] for policy in self.policies)

    @property
    def used(self) -> list[int]:
        """Resources that a job holds or needs."""
        found = [r for r in range(len(RESOURCES)) if any(job.need[r] or job.start[r] for job in self.jobs)]
        return found or [0]


def capacity(pool: tuple[float, ...]) -> dict[str, float]:
    """A pool as the model knows it."""
    return dict(zip(RESOURCES, pool, strict=True))


@lru_cache(maxsize=48)
def run(jobs: tuple[Job, ...], pool: tuple[float, ...], policy: str, executors: int, misfit: str) -> Allocation:
    """Hand out executors by one policy; kept for the next rerun."""
    return allocate([job.claimant() for job in jobs], capacity(pool), policy, executors, misfit)


def measured(scenario: Scenario, which: int, measure: str) -> list[float]:
    """Return what each job has in the end under one policy, in the measure that the student chose."""
    result = scenario.runs[which]
    if measure == "executors":
        return [float(count) for count in result.executors.values()]
    if measure in ("dominant_share", "weighted_share"):
        shares = list(result.dominant_share.values())
        if measure == "weighted_share":
            return [share / job.weight for share, job in zip(shares, scenario.jobs, strict=True)]
        return shares
    r = RESOURCES.index(measure)
    counts = result.executors.values()
    return [(job.start[r] + n * job.need[r]) / scenario.pool[r] for job, n in zip(scenario.jobs, counts, strict=True)]


def fairness(scenario: Scenario, which: int, measure: str) -> float:
    """Jain's index of one policy's outcome."""
    return jain_index(measured(scenario, which, measure))
