"""Spot training: the models behind its further parts: workers for a goal, a job that follows a price, a mixed fleet."""

import math
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np

from physics import constants as k
from physics.checkpointing import ElasticRun, elastic_run, replicas_for, speedup, workers_for, workers_worth

STEP, TICK = float(k.SPOT_STEP_TIME), float(k.SPOT_PRICE_TICK)
#: Most workers of a job.
MOST = int(k.SPOT_WORKERS.high or 1)
#: The same prices at every setting.
SEED = 19890619


@dataclass(frozen=True)
class Crew:
    """The message's work on some number of workers at the price on demand; SI."""

    serial: float
    gradient: float
    bandwidth: float
    train_deadline: float
    budget: float

    def time(self, n: int) -> float:
        """Time of the job on n workers [s]."""
        return k.SPOT_WORK / speedup(n, self.serial, self.gradient, self.bandwidth, float(k.SPOT_LATENCY), STEP)

    def cost(self, n: int) -> float:
        """Cost of the job on n workers [$]."""
        return n * k.SPOT_ON_DEMAND_PRICE * self.time(n) / k.HOUR

    @cached_property
    def fewest(self) -> int | None:
        """Fewest workers that meet the deadline; None if no number does."""
        return self._best("deadline")

    @cached_property
    def fastest(self) -> int:
        """Workers of the fastest job that the budget pays for."""
        return self._best("budget") or 1

    def _best(self, objective: str) -> int | None:
        return workers_for(
            objective,
            serial=self.serial,
            gradient_size=self.gradient,
            bandwidth=self.bandwidth,
            latency=float(k.SPOT_LATENCY),
            step_time=STEP,
            work=float(k.SPOT_WORK),
            deadline=self.train_deadline,
            budget=self.budget,
            price=k.SPOT_ON_DEMAND_PRICE / k.HOUR,
        )


@dataclass(frozen=True)
class Elastic:
    """A job that grows and shrinks with the spot price; SI, worth a worker and hour."""

    serial: float
    gradient: float
    bandwidth: float
    restart: float
    worth: float
    swing: float
    band: float

    @property
    def network(self) -> tuple[float, ...]:
        """What the time of a step depends on."""
        return self.serial, self.gradient, self.bandwidth, float(k.SPOT_LATENCY), STEP

    @property
    def fixed(self) -> int:
        """Workers of a job that is never resized: as many as are worth the mean price."""
        return int(min(workers_worth(k.SPOT_PRICE / self.worth, *self.network), MOST))

    @property
    def plain(self) -> ElasticRun:
        """The job when every price is followed."""
        return self._run(0.0)

    @property
    def banded(self) -> ElasticRun:
        """The job with its band."""
        return self._run(self.band)

    @property
    def gains(self) -> dict[str, float]:
        """What the work is worth beyond its cost, by the way of resizing [$]."""
        hour = self.worth / k.HOUR
        return {"plain": self.plain.gain * hour, "banded": self.banded.gain * hour, "still": self._still * hour}

    def _run(self, band: float) -> ElasticRun:
        return _played(self._prices.tobytes(), self.network, band, self.restart)

    @property
    def _still(self) -> float:
        """Gain of the job that is never resized, in time of one worker [s]."""
        speed = speedup(self.fixed, *self.network) if self.fixed else 0.0
        return TICK * float((speed - self._prices * self.fixed).sum())

    @property
    def _prices(self) -> np.ndarray:
        """Price at each tick ÷ worth of what one worker does [1]."""
        return k.SPOT_PRICE / self.worth * np.exp(self.swing * _swings() - self.swing**2 / 2)


@cache
def _swings() -> np.ndarray:
    """Standard deviations of the logarithm of the price from its mean, at each tick."""
    rng, keeps = np.random.default_rng(SEED), math.exp(-TICK / k.SPOT_PRICE_MEMORY)
    shocks, found = rng.standard_normal(round(k.SPOT_PRICE_SPAN / TICK)), [0.0]
    for shock in shocks[1:].tolist():
        found.append(keeps * found[-1] + math.sqrt(1 - keeps**2) * shock)
    return np.array(found)


@lru_cache(maxsize=256)
def _played(prices: bytes, network: tuple[float, ...], band: float, restart: float) -> ElasticRun:
    return elastic_run(np.frombuffer(prices), *network, band=band, restart=restart, tick=TICK, limit=MOST)


@dataclass(frozen=True)
class Mix:
    """A service on replicas that are on demand and replicas on spot nodes."""

    needed: int
    base: int
    up: float
    target: float
    block: int

    def spot_with(self, base: int, block: int | None = None) -> int:
        """Spot replicas asked for in addition to so many on demand, in whole blocks."""
        return replicas_for(self.needed - base, self.up, self.target, block or self.block) if base < self.needed else 0

    def cost_with(self, base: int) -> float:
        """Expected price an hour with so many on demand [$/h]: a spot replica that is away costs nothing."""
        return base * k.SPOT_ON_DEMAND_PRICE + self.spot_with(base) * self.up * k.SPOT_PRICE

    @property
    def spot(self) -> int:
        """Spot replicas asked for."""
        return self.spot_with(self.base)

    @property
    def cost(self) -> float:
        """Expected price of the fleet an hour [$/h]."""
        return self.cost_with(self.base)

    @property
    def safe(self) -> float:
        """Price an hour with every replica on demand [$/h]."""
        return self.cost_with(self.needed)
