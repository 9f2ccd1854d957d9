"""Utilization trap: a fleet as a queue."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from physics import constants as k
from physics.queueing import SteadyState, highest_utilization, mgc

#: GPUs are bought by the node of 8.
ADDED_STEP = 8
#: A wait or a load this close to its limit is at it: what parts the two is the rounding of floating point.
TIE = 1e-9


@dataclass(frozen=True)
class Fleet:
    """A fleet whose GPUs are handed out in blocks of one job's size; all SI."""

    gpus: int = int(k.TRAP_FLEET)
    gpus_per_job: int = int(k.TRAP_GPUS_PER_JOB)
    utilization: float = float(k.TRAP_UTILIZATION)  #: ρ before any purchase
    added: int = int(k.TRAP_ADDED)
    job_length: float = float(k.TRAP_JOB_LENGTH)
    scv: float = float(k.TRAP_SCV)
    target: float = float(k.TRAP_TARGET)

    @property
    def servers_before(self) -> int:
        """Jobs that fit at once before the purchase."""
        return self.gpus // self.gpus_per_job

    @property
    def servers(self) -> int:
        """Jobs that fit at once."""
        return (self.gpus + self.added) // self.gpus_per_job

    @property
    def left_over(self) -> int:
        """GPUs too few for another job: always idle."""
        return (self.gpus + self.added) % self.gpus_per_job

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
