"""DRF story: its named scenarios."""

from lessons.drf_story.jobs import Job, story, write
from physics import constants as k
from ui.base.lesson import Preset


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
    "message": Preset("The message's pool"),
    "full": Preset("Until the pool is full", {"executors": 20, "step": 14}),
    "ceilings": Preset(
        "Ceilings of 5", {"table": write(story(float(k.DRF_SMALL_CEILING))), "executors": 20, "step": 15}
    ),
    "too_large": Preset(
        "An executor larger than the pool",
        {
            "table": _jobs(
                ("Heaviest", 256.0, 16.0), ("Medium", 2.0, 16.0), ("Light evaluation", 2.0, 16.0), starts=True
            )
        },
    ),
    "weight": Preset(
        "A weight that starves",
        {
            "table": _jobs(
                ("Heaviest", 2.0, 16.0, 10.0), ("Medium", 2.0, 16.0), ("Light evaluation", 2.0, 16.0), starts=True
            )
        },
    ),
    "unlike": Preset("Part 2: unlike executors", {"table": _UNLIKE, "executors": 60}),
    "one_resource": Preset(
        "Unlike executors, one resource",
        {"table": _UNLIKE, "executors": 60, "policy_one": "single:mem", "policy_two": "single:cpu"},
    ),
    "lie": Preset(
        "Part 3: a lie under CEEI",
        {"table": _LIE, **_pool(100, 100), "executors": 60, "claim_mem": 8},
        view="lie",
    ),
    "paper": Preset(
        "The paper's example", {"table": _jobs(("A", 1.0, 4.0), ("B", 3.0, 1.0)), **_pool(9, 18), "policy_two": "asset"}
    ),
    "paper_weight": Preset(
        "The paper's example, A of weight 2",
        {"table": _jobs(("A", 1.0, 4.0, 2.0), ("B", 3.0, 1.0)), **_pool(9, 18)},
    ),
    "whole": Preset(
        "Whole executors leave C nothing",
        {"table": _jobs(("A", 4.0, 1.0), ("B", 4.0, 4.0), ("C", 1.0, 1.0)), **_pool(8, 12)},
    ),
    "asset": Preset(
        "Asset fairness: less than a slice",
        {
            "table": _jobs(("A", 1.0, 3.0), ("B", 1.0, 1.0)),
            **_pool(30, 30),
            "executors": 40,
            "policy_two": "asset",
        },
    ),
    "cpu_only": Preset(
        "CPU only: less than a slice",
        {"table": _LIE, **_pool(100, 100), "executors": 60, "policy_two": "single:cpu"},
    ),
    "turns": Preset(
        "Round-robin: envy, and a lie pays",
        {
            "table": _jobs(("A", 1.0, 1.0), ("B", 2.0, 2.0)),
            **_pool(12, 12),
            "claim_cpu": 2,
            "claim_mem": 2,
        },
        view="lie",
    ),
}
#: Presets that show a policy breaking a property, by the policy and the property.
COUNTEREXAMPLES = ("asset", "cpu_only", "turns", "lie", "whole")
