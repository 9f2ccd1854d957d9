"""Utilization trap: a fleet as a queue."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from physics import constants as k
from physics.cluster import Happened
from physics.queueing import SteadyState, highest_utilization, mgc
from ui.base import format as f
from ui.knobs import knob

#: A wait or a load this close to its limit is at it: what parts the two is the rounding of floating point.
TIE = 1e-9


def _gpus(number: float) -> str:
    return f.count(number, "GPU")


@dataclass(frozen=True)
class Fleet:
    """A fleet whose GPUs are handed out in blocks of one job's size; all SI."""

    page: ClassVar[str] = "utilization_trap"

    fleet: int = knob(k.TRAP_FLEET, spoken=_gpus)
    gpus_per_job: int = knob(k.TRAP_GPUS_PER_JOB, high="fleet", spoken=_gpus)
    utilization: float = knob(k.TRAP_UTILIZATION, unit=0.01, spoken=lambda share: f.share(share, 4))
    added: int = knob(k.TRAP_ADDED, spoken=_gpus)
    job_length: float = knob(k.TRAP_JOB_LENGTH, unit=k.HOUR, spoken=f.duration)
    target: float = knob(k.TRAP_TARGET, unit=k.MINUTE)
    scv: float = knob(k.TRAP_SCV, spoken=f.significant)

    @property
    def servers_before(self) -> int:
        """Jobs that fit at once before the purchase."""
        return self.fleet // self.gpus_per_job

    @property
    def servers(self) -> int:
        """Jobs that fit at once."""
        return (self.fleet + self.added) // self.gpus_per_job

    @property
    def left_over(self) -> int:
        """GPUs too few for another job: always idle."""
        return (self.fleet + self.added) % self.gpus_per_job

    @property
    def alike(self) -> tuple[int, int]:
        """Smallest and largest job of which as many fit, before and after the purchase: all of them wait as long."""
        pairs = ((self.fleet, self.servers_before), (self.fleet + self.added, self.servers))
        return max(gpus // (fit + 1) + 1 for gpus, fit in pairs), min(gpus // fit for gpus, fit in pairs)

    @property
    def busy(self) -> float:
        """GPUs that are busy on average; in overload all that jobs can take."""
        return min(1.0, self.now.utilization) * self.servers * self.gpus_per_job

    @property
    def arrival_rate(self) -> float:
        """λ [1/s], fixed by the utilization before the purchase."""
        return self.utilization * self.servers_before / self.job_length

    @cached_property
    def before(self) -> SteadyState:
        """The queue before the purchase."""
        return self._state(self.servers_before)

    @cached_property
    def now(self) -> SteadyState:
        """The queue with what was bought."""
        return self._state(self.servers)

    @property
    def backlog_growth(self) -> float:
        """GPU-seconds of work that arrive a second beyond what the servers can do; 0 when there is room."""
        return max(0.0, self.now.utilization - 1) * self.servers * self.gpus_per_job if self.overloaded else 0.0

    @property
    def overloaded(self) -> bool:
        """Whether more work arrives than all servers can do; at exactly 100 % it does not."""
        return self.now.utilization > 1 + TIE

    @property
    def knee(self) -> float:
        """Largest utilization of the present servers that keeps the mean wait at the target."""
        return knee_of(self.target / self.job_length, self.servers, self.scv)

    @property
    def on_target(self) -> bool:
        """Whether the mean wait meets the target."""
        return self.now.mean_wait <= self.target * (1 + TIE)

    def _state(self, servers: int) -> SteadyState:
        return mgc(self.arrival_rate, self.job_length, servers, self.scv)


@lru_cache(maxsize=4096)
def knee_of(target: float, servers: int, scv: float) -> float:
    """Largest utilization for a target in job lengths."""
    return highest_utilization(target, 1.0, servers, scv)


def of_cluster(found: Happened) -> dict[str, float]:
    """The fleet of a log: jobs as wide as one that is seen running, lengths and load as measured."""
    lengths = found.lengths.loc["all"]
    return {
        "fleet": found.gpus,
        "gpus_per_job": found.running_width,
        "utilization": found.utilization,
        "job_length": lengths["mean"],
        "scv": lengths["scv"],
    }
