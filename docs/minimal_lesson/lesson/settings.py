"""Minimal lesson: a full fleet whose jobs take one GPU each."""

from dataclasses import dataclass

from physics import constants as k
from ui.base import format as f
from ui.knobs import knob


@dataclass(frozen=True)
class Fleet:
    """A fleet that is always full; SI."""

    fleet: int = knob(
        k.TRAP_FLEET,
        "GPUs",
        step=8,
        help="GPUs of the fleet; each runs one job.",
        change="have {}",
        spoken=lambda number: f.count(number, "GPU"),
    )
    job_length: float = knob(
        k.TRAP_JOB_LENGTH,
        "Mean job length (h)",
        unit=k.HOUR,
        step=0.1,
        help="Mean run time of a job.",
        change="run jobs of {}",
        spoken=f.duration,
    )

    @property
    def throughput(self) -> float:
        """Jobs that end a second, by Little's law: jobs in the fleet ÷ time that each stays [1/s]."""
        return self.fleet / self.job_length
