"""DRF story: its named scenarios."""

from lessons.drf_story.jobs import Job, draft, write
from physics import constants as k
from ui.base.lesson import Preset


def _jobs(*rows: tuple, starts: bool = False) -> str:
    """Write a preset's table: name, vCPU and GB of an executor, and further fields; the notebook's starts on demand."""
    begin = [job.start for job in draft()] if starts else [(0.0,) * 4] * len(rows)
    return write(
        Job(name, start, (cpu, mem, 0.0, 0.0), *rest)
        for (name, cpu, mem, *rest), start in zip(rows, begin, strict=True)
    )


def _pool(cpu: float, mem: float) -> dict[str, float]:
    return {"cpu": cpu, "mem": mem * k.GB}


def challenge_jobs() -> tuple[Job, ...]:
    """The two jobs of the challenge: turns are fair to them where the pool has 6 GB for each vCPU."""
    needs = {"Simulation": (16.0, 16.0), "Indexing": (4.0, 96.0)}
    return tuple(Job(name, (0.0,) * 4, (*need, 0.0, 0.0)) for name, need in needs.items())


_CLAIM = _jobs(("A", 16.0, 1.0), ("B", 1.0, 2.0))
_CAPPED = write(draft(float(k.DRF_SMALL_CEILING)))
_NOTEBOOK = int(k.DRF_NOTEBOOK_EXECUTORS)
PRESETS = {
    "message": Preset(),
    "full": Preset(changes={"executors": 30, "step": 30}),
    "draft": Preset(changes={"table": write(draft()), "executors": _NOTEBOOK, "step": _NOTEBOOK}),
    "paper": Preset(
        changes={"table": _jobs(("A", 1.0, 4.0), ("B", 3.0, 1.0)), **_pool(9, 18), "policy_two": "asset", "step": 5}
    ),
    "paper_weight": Preset(
        changes={"table": _jobs(("A", 1.0, 4.0, 2.0), ("B", 3.0, 1.0)), **_pool(9, 18)}, view="jobs"
    ),
    "weight": Preset(
        changes={
            "table": _jobs(("Parsing", 20.0, 20.0, 10.0), ("Joins", 5.0, 80.0), ("Evaluation", 5.0, 20.0)),
        },
        view="jobs",
    ),
    "ceilings": Preset(changes={"table": _CAPPED, "executors": 20}, view="jobs"),
    "too_large": Preset(
        changes={"table": _jobs(("Parsing", 256.0, 20.0), ("Joins", 5.0, 80.0), ("Evaluation", 5.0, 20.0))},
        view="jobs",
    ),
    "asset": Preset(
        changes={
            "table": _jobs(("A", 1.0, 3.0), ("B", 1.0, 1.0)),
            **_pool(30, 30),
            "executors": 40,
            "policy_two": "asset",
        },
        view="jobs",
    ),
    "cpu_only": Preset(
        changes={"table": _CLAIM, **_pool(100, 100), "executors": 60, "policy_two": "single:cpu"}, view="jobs"
    ),
    "turns": Preset(
        changes={
            "table": _jobs(("A", 1.0, 1.0), ("B", 2.0, 2.0)),
            **_pool(12, 12),
            "claim_cpu": 2,
            "claim_mem": 2,
        },
        view="lie",
    ),
    "lie": Preset(
        changes={"table": _CLAIM, **_pool(100, 100), "executors": 60, "claim_mem": 8},
        view="lie",
    ),
    "whole": Preset(
        changes={"table": _jobs(("A", 4.0, 1.0), ("B", 4.0, 4.0), ("C", 1.0, 1.0)), **_pool(8, 12)}, view="jobs"
    ),
}
#: Presets that show a policy breaking a property.
COUNTEREXAMPLES = ("asset", "cpu_only", "turns", "lie", "whole")
