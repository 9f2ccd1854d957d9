"""Spot training, second act: a job on workers that are never taken away, and the best number of them for each goal."""

from dataclasses import dataclass
from functools import lru_cache

from physics import constants as k
from physics.checkpointing import speedup, weak_scaling_efficiency, workers_for

#: Goal, as `workers_for` names it, to the chart that shows it.
GOALS = {"deadline": "time", "budget": "cost", "knee": "efficiency", "performance per cost": "efficiency"}


#: Most workers that the charts show.
MOST = int(k.SPOT_WORKERS.high)


@dataclass(frozen=True)
class Crew:
    """A job on n workers; all SI, price a worker and hour."""

    workers: int
    serial: float
    gradient: float
    bandwidth: float
    latency: float
    train_deadline: float
    budget: float
    efficiency: float
    work: float
    on_demand_price: float

    def speedup(self, n: int) -> float:
        """S(n) [1]."""
        return speedup(n, self.serial, self.gradient, self.bandwidth, self.latency, float(k.SPOT_STEP_TIME))

    def weak(self, n: int) -> float:
        """Efficiency where each worker brings a batch of its own [1]."""
        return weak_scaling_efficiency(n, self.gradient, self.bandwidth, self.latency, float(k.SPOT_STEP_TIME))

    def time(self, n: int) -> float:
        """Time of the job on n workers [s]."""
        return self.work / self.speedup(n)

    def cost(self, n: int) -> float:
        """Cost of the job on n workers [$]."""
        return n * self.on_demand_price * self.time(n) / k.HOUR

    @property
    def tied(self) -> bool:
        """Whether every number of workers costs the same: nothing is serial and nothing is sent."""
        return not (self.serial or self.gradient)

    @property
    def best(self) -> dict[str, int | float | None]:
        """Best number of workers for each goal."""
        return _best(self)


@lru_cache(maxsize=64)
def _best(crew: Crew) -> dict[str, int | float | None]:
    return {
        goal: workers_for(
            goal,
            serial=crew.serial,
            gradient_size=crew.gradient,
            bandwidth=crew.bandwidth,
            latency=crew.latency,
            step_time=float(k.SPOT_STEP_TIME),
            work=crew.work,
            deadline=crew.train_deadline,
            budget=crew.budget,
            price=crew.on_demand_price / k.HOUR,
            efficiency=crew.efficiency,
        )
        for goal in GOALS
    }
