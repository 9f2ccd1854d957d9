"""Utilization trap: a fleet modeled as a queue."""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

from lessons.utilization_trap.stretch import Stretch, stretch_of
from physics import constants as k
from physics.cluster import Happened
from physics.jobs import Exponential, Lognormal
from physics.queueing import SteadyState, highest_utilization, mg1_response, mgc
from physics.queueing.errors import measured_around
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import knob

#: Relative distance from a limit that floating-point rounding may cause.
TIE = 1e-9
#: Orders of service by their short names.
ORDERS = ("FIFO", "PS", "FB", "SRPT")


@dataclass(frozen=True)
class Fleet:
    """Fleet whose GPUs are allocated in blocks of one job's size; all SI."""

    page: ClassVar[str] = "utilization_trap"
    goal: ClassVar[int] = math.ceil(0.9 * k.TRAP_FLEET)  #: busy GPUs that the challenge requires

    fleet: int = knob(k.TRAP_FLEET)
    gpus_per_job: int = knob(k.TRAP_GPUS_PER_JOB, high="fleet", spoken="GPU")
    utilization: float = knob(k.TRAP_UTILIZATION, unit=0.01, spoken=lambda share: f.share(share, 4))
    added: int = knob(k.TRAP_ADDED, spoken="GPU")
    job_length: float = knob(k.TRAP_JOB_LENGTH, unit=k.HOUR)
    target: float = knob(k.TRAP_TARGET, unit=k.MINUTE)
    scv: float = knob(k.TRAP_SCV)

    @property
    def servers_before(self) -> int:
        """Number of jobs that fit on the fleet at once before the purchase [1]."""
        return self.fleet // self.gpus_per_job

    @property
    def servers(self) -> int:
        """Number of jobs that fit on the fleet at once [1]."""
        return self.gpus // self.gpus_per_job

    @property
    def gpus(self) -> int:
        """Number of GPUs, including the purchase [1]."""
        return self.fleet + self.added

    @property
    def left_over(self) -> int:
        """GPUs that are always idle because they are too few for another job."""
        return self.gpus % self.gpus_per_job

    @property
    def busy_gpus(self) -> int:
        """Mean number of busy GPUs, rounded; in overload, all that jobs can use."""
        return round(min(1.0, self.load) * self.servers * self.gpus_per_job)

    @property
    def arrival_rate(self) -> float:
        """λ [1/s], fixed by the utilization before the purchase."""
        return self.utilization * self.servers_before / self.job_length

    @cached_property
    def now(self) -> SteadyState:
        """Steady state of the queue including the purchase."""
        return mgc(self.arrival_rate, self.job_length, self.servers, self.scv)

    @cached_property
    def before(self) -> "Fleet":
        """The fleet before the purchase."""
        return replace(self, added=0)

    def stretched(self, length: float = 0.0) -> Stretch:
        """Simulated stretch of the fleet, optionally limited to a number of job lengths."""
        return stretch_of(self.utilization, self.servers_before, self.servers, self.scv, length)

    @property
    def stretch(self) -> Stretch:
        """Simulated stretch next to the curve."""
        return self.stretched()

    @property
    def span(self) -> float:
        """Length of the stretch [s]."""
        return self.stretch.length * self.job_length / 100

    @property
    def large_jobs(self) -> "Fleet":
        """Fleet of the message including the purchase, with the message's jobs."""
        return Fleet(utilization=self.utilization, added=self.added)

    @property
    def small_jobs(self) -> "Fleet":
        """Fleet of the message including the purchase, with 64-GPU jobs."""
        return replace(self.large_jobs, gpus_per_job=64)

    @property
    def knee(self) -> float:
        """Highest utilization of the current servers that keeps the mean wait within the target."""
        return knee_of(self.target / self.job_length, self.servers, self.scv)

    @property
    def on_target(self) -> bool:
        """Whether the mean wait meets the target."""
        return self.wait <= self.target * (1 + TIE)

    @property
    def wait(self) -> float:
        """Wq, mean wait [s]."""
        return self.now.mean_wait

    @property
    def load(self) -> float:
        """ρ, utilization including the purchase; in overload, the offered load [1]."""
        return self.now.utilization

    @property
    def free(self) -> float:
        """Mean share of free servers [1]."""
        return 1 - self.load

    @property
    def offered(self) -> float:
        """a = λ S, mean number of servers that the jobs request [1]."""
        return self.arrival_rate * self.job_length

    @property
    def hourly(self) -> float:
        """Jobs that arrive per hour [1/h]."""
        return self.arrival_rate * k.HOUR

    @property
    def in_lengths(self) -> float:
        """Mean wait ÷ mean job length [1]."""
        return self.wait / self.job_length

    @property
    def a_quarter_less(self) -> float:
        """Three quarters of the mean wait [s]."""
        return 0.75 * self.wait

    @property
    def relief(self) -> float:
        """Mean wait before the purchase ÷ mean wait after it [1]."""
        return self.before.wait / self.wait

    @property
    def daily_growth(self) -> float:
        """Daily growth of the backlog in overload [GPU·h]."""
        return (self.load - 1) * self.servers * self.gpus_per_job * k.DAY / k.HOUR

    @property
    def p99(self) -> float:
        """Wait that 99% of the jobs do not exceed [s]."""
        return self.now.wait_percentile(0.99)

    @property
    def factor(self) -> float:
        """(1 + SCV) ÷ 2, the factor of Allen and Cunneen [1]."""
        return (1 + self.scv) / 2

    @property
    def exponential_wait(self) -> float:
        """Mean wait if job lengths were exponential [s]."""
        return self.wait / self.factor

    @property
    def mean_error(self) -> str:
        """Error of the formula for the mean wait, in words."""
        return self._error("mean", self.now.exact)

    @property
    def p99_error(self) -> str:
        """Error of the formula for the wait's P99, in words."""
        return self._error("p99", self.scv == 1)

    def _error(self, quantity: str, exact: bool) -> str:
        """Write the error of the formula for the "mean" wait or for its "p99"."""
        if exact:
            return say("exact", self)
        measured = measured_around(self.servers, self.load, self.scv, quantity)
        return say("measured" if measured else "not_measured", self, found=measured)

    @property
    def responses(self) -> dict[str, float]:
        """Mean response by order of service, in mean job lengths [1]."""
        return {order.lower(): mean for order, mean in means(self.load, self.scv).items()}

    @property
    def single(self) -> SteadyState:
        """Steady state of one server at the same utilization, with exponential job lengths."""
        return mgc(self.load / self.job_length, self.job_length)


def lengths_of(scv: float) -> object:
    """Return a distribution of job lengths with mean one: constant, exponential, or log-normal."""
    if scv == 0:
        return 1.0
    if scv == 1:
        return Exponential(1.0)
    return Lognormal(1.0, scv)


@lru_cache(maxsize=128)
def means(utilization: float, scv: float) -> dict[str, float]:
    """Mean response under each order of service, in mean lengths; infinite at full load."""
    return {order: mg1_response(order.lower(), utilization, lengths_of(scv)) for order in ORDERS}


@lru_cache(maxsize=4096)
def knee_of(target: float, servers: int, scv: float) -> float:
    """Highest utilization at which the mean wait is `target` mean job lengths [1]."""
    return highest_utilization(target, 1.0, servers, scv)


def of_cluster(happened: Happened) -> dict[str, float]:
    """Fleet of a log: typical width of running jobs, with lengths and load as measured."""
    lengths = happened.lengths.loc["all"]
    return {
        "fleet": happened.gpus,
        "gpus_per_job": happened.running_width,
        "utilization": happened.utilization,
        "job_length": lengths["mean"],
        "scv": lengths["scv"],
    }


say = Sentences(
    Fleet,
    formats={"off": lambda error: f"{f.share(abs(error), 2)} too {'high' if error > 0 else 'low'}"},
)
