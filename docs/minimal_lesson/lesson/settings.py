"""Minimal lesson: a full fleet whose jobs take one GPU each."""

from dataclasses import dataclass
from typing import ClassVar

from physics import constants as k
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import knob


@dataclass(frozen=True)
class Fleet:
    """A fleet that is always full; SI."""

    page: ClassVar[str] = "minimal_lesson"

    fleet: int = knob(k.MINIMAL_LESSON_FLEET, spoken="GPU")
    job_length: float = knob(k.MINIMAL_LESSON_JOB_LENGTH, unit=k.HOUR, spoken=f.duration)

    @property
    def throughput(self) -> float:
        """Jobs that end per second, by Little's law: jobs in the fleet ÷ length of each [1/s]."""
        return self.fleet / self.job_length

    @property
    def enough(self) -> bool:
        """Whether the throughput meets the challenge's target."""
        return self.throughput >= k.MINIMAL_LESSON_TARGET


def hourly(rate: float) -> str:
    """Write jobs per second as jobs per hour."""
    return f.significant(rate * k.HOUR)


say = Sentences(Fleet, formats={"hourly": hourly})
