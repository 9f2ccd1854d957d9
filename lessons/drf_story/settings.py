"""DRF story: one scenario, what its two policies do with it, and the presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from lessons.drf_story.jobs import NAMES, RESOURCES, Job, parse, story, write
from physics import constants as k
from physics.fairness import Allocation, allocate, jain_index

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
VIEWS = {
    "before": "Before and after",
    "pool": "The pool",
    "log": "Step log",
    "fairness": "How fair?",
    "properties": "Properties",
    "lie": "A lie",
}
CLAIMS = (0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 10)


@dataclass(frozen=True)
class Scenario:
    """Jobs, pool and rules; amounts in vCPU, GB, GPUs and GB of GPU memory."""

    jobs: tuple[Job, ...]
    pool: tuple[float, float, float, float]
    executors: int = int(k.DRF_EXECUTORS)
    step: int = int(k.DRF_STEP)
    policies: tuple[str, str] = ("drf", "round_robin")
    misfit: str = "skip"
    measure: str = "dominant_share"
    liar: int = 0  #: row of the job that lies in the third act
    claims: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)  #: its claimed over its true demand

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


def defaults() -> Scenario:
    """Return the settings that the page opens with: the message's own pool."""
    return Scenario(story(), (float(k.DRF_CPU), k.DRF_MEMORY / k.GB, float(k.DRF_GPUS), k.DRF_GPU_MEMORY / k.GB))


def settings(quantities: Mapping[str, object]) -> Scenario:
    """Read the knobs, SI by quantity, and the table, a text; a table that is no scenario is the story's."""
    try:
        jobs = parse(str(quantities.get("table", "")))
    except ValueError:
        jobs = story()
    gigabytes = {name: round(float(quantities[name]) / k.GB, 9) for name in ("mem", "gpu_mem")}
    policies = tuple(
        quantities[name] if quantities[name] in POLICIES else "drf" for name in ("policy_one", "policy_two")
    )
    return Scenario(
        jobs,
        (float(quantities["cpu"]), gigabytes["mem"], float(quantities["gpu"]), gigabytes["gpu_mem"]),
        int(quantities["executors"]),
        int(quantities["step"]),
        policies,
        quantities["misfit"] if quantities["misfit"] in MISFITS else "skip",
        quantities["measure"] if quantities["measure"] in MEASURES else "dominant_share",
        max(1, min(int(quantities["liar"]), len(jobs))) - 1,
        tuple(float(quantities[f"claim_{resource}"]) for resource in RESOURCES),
    )


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


def _jobs(*rows: tuple, starts: bool = False) -> str:
    """Write a preset's table: name, vCPU and GB of an executor, and further fields; the story's starts on demand."""
    begin = [job.start for job in story()] if starts else [(0.0, 0.0, 0.0, 0.0)] * len(rows)
    return write(
        Job(name, start, (cpu, mem, 0.0, 0.0), *rest)
        for (name, cpu, mem, *rest), start in zip(rows, begin, strict=True)
    )


def _pool(cpu: float, mem: float) -> dict[str, float]:
    return {"cpu": cpu, "mem": mem * k.GB}


_UNLIKE = _jobs(("Heaviest", 8.0, 8.0), ("Medium", 2.0, 32.0), ("Light evaluation", 2.0, 8.0), starts=True)
_LIE = _jobs(("A", 16.0, 1.0), ("B", 1.0, 2.0))
PRESETS = {
    "The message's pool": {},
    "Until the pool is full": {"executors": 20, "step": 14},
    "Ceilings of 5": {"table": write(story(float(k.DRF_SMALL_CEILING))), "executors": 20, "step": 15},
    "An executor larger than the pool": {
        "table": _jobs(("Heaviest", 256.0, 16.0), ("Medium", 2.0, 16.0), ("Light evaluation", 2.0, 16.0), starts=True)
    },
    "A weight that starves": {
        "table": _jobs(
            ("Heaviest", 2.0, 16.0, 10.0), ("Medium", 2.0, 16.0), ("Light evaluation", 2.0, 16.0), starts=True
        )
    },
    "Second act: unlike executors": {"table": _UNLIKE, "executors": 60},
    "Unlike executors, one resource": {
        "table": _UNLIKE,
        "executors": 60,
        "policy_one": "single:mem",
        "policy_two": "single:cpu",
    },
    "Third act: a lie under CEEI": {
        "table": _LIE,
        **_pool(100, 100),
        "executors": 60,
        "claim_mem": 8,
        "view": "lie",
    },
    "The paper's example": {"table": _jobs(("A", 1.0, 4.0), ("B", 3.0, 1.0)), **_pool(9, 18), "policy_two": "asset"},
    "The paper's example, A of weight 2": {"table": _jobs(("A", 1.0, 4.0, 2.0), ("B", 3.0, 1.0)), **_pool(9, 18)},
    "Whole executors leave C nothing": {
        "table": _jobs(("A", 4.0, 1.0), ("B", 4.0, 4.0), ("C", 1.0, 1.0)),
        **_pool(8, 12),
    },
    "Asset fairness: less than a slice": {
        "table": _jobs(("A", 1.0, 3.0), ("B", 1.0, 1.0)),
        **_pool(30, 30),
        "executors": 40,
        "policy_two": "asset",
    },
    "CPU only: less than a slice": {
        "table": _LIE,
        **_pool(100, 100),
        "executors": 60,
        "policy_two": "single:cpu",
    },
    "Round-robin: envy, and a lie pays": {
        "table": _jobs(("A", 1.0, 1.0), ("B", 2.0, 2.0)),
        **_pool(12, 12),
        "claim_cpu": 2,
        "claim_mem": 2,
        "view": "lie",
    },
}
#: Presets that show a policy breaking a property, by the policy and the property.
COUNTEREXAMPLES = (
    "Asset fairness: less than a slice",
    "CPU only: less than a slice",
    "Round-robin: envy, and a lie pays",
    "Third act: a lie under CEEI",
    "Whole executors leave C nothing",
)
