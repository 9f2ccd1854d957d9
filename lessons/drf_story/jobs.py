"""DRF story: the jobs of a scenario as records."""

from collections.abc import Iterable
from dataclasses import dataclass

from physics import constants as k
from physics.fairness import Claimant
from ui.base import format as f

MOST_JOBS = 5
UNITS = ("vCPU", "GB", "GPU")
#: Resources of a pool; a pool without GPUs has only the first two.
NAMES = ("CPU", "memory", "GPU")


@dataclass(frozen=True)
class Job:
    """Job in a row of the table, with amounts in vCPU and GB."""

    name: str
    need: tuple[float, float]  #: of one executor [vCPU, GB]
    start: tuple[float, float] = (0.0, 0.0)  #: initial allocation [vCPU, GB]
    weight: float = 1.0
    ceiling: float | None = None  #: most executors that the job gets; None: no limit
    gpu: float = 0.0  #: GPUs of one executor

    @property
    def takes(self) -> tuple[float, ...]:
        """Needs of one executor per resource [vCPU, GB, GPUs]."""
        return (*self.need, self.gpu)

    @property
    def holds(self) -> tuple[float, ...]:
        """Initial allocation of the job per resource [vCPU, GB, GPUs]."""
        return (*self.start, 0.0)

    def claimant(self) -> Claimant:
        """The job as a claimant of the model."""
        need = dict(zip(NAMES, self.takes, strict=True))
        start = dict(zip(NAMES, self.holds, strict=True))
        return Claimant(self.name, need, start, self.weight, self.ceiling)


#: The three jobs of the message, which hold nothing yet.
STORY = (
    Job("Parsing", (float(k.DRF_PARSING_CPU), k.DRF_PARSING_MEMORY / k.GB)),
    Job("Joins", (float(k.DRF_JOINS_CPU), k.DRF_JOINS_MEMORY / k.GB)),
    Job("Evaluation", (float(k.DRF_EVALUATION_CPU), k.DRF_EVALUATION_MEMORY / k.GB)),
)
#: The jobs of the second pool, which has GPUs.
WITH_GPUS = (
    Job("Training", (8.0, 64.0), gpu=2.0),
    Job("Inference", (4.0, 32.0), gpu=1.0),
    Job("Preparation", (16.0, 64.0)),
)


def amounts(values: Iterable[float]) -> str:
    """Write the amounts of several resources with their units, without zeros.

    >>> amounts((20, 0.5)), amounts((0, 3))
    ('20 vCPU, 0.5 GB', '3 GB')
    """
    pairs = zip(values, UNITS, strict=False)
    return ", ".join(f"{f.significant(value, 6)} {unit}" for value, unit in pairs if value)
