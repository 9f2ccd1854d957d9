"""Spot training: a checkpointed run on spot nodes that may be interrupted, and its cost."""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from physics import checkpointing as runs
from physics import constants as k
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import knob

#: Intervals that the slider offers [s], and the first and the last of these.
INTERVALS = k.SPOT_INTERVAL.positions
LOW = float(k.SPOT_INTERVAL.low)
HIGH = float(k.SPOT_INTERVAL.high)
#: Work of the run, and time between two prices of the elastic job [s].
WORK_TIME = float(k.SPOT_WORK)
TICK = float(k.SPOT_PRICE_TICK)
MAX_WORKERS = int(k.SPOT_WORKERS.high)


def hours(seconds: float, digits: int = 3) -> str:
    """Write a time in hours even beyond a day, because an hour of this lesson costs a dollar.

    >>> hours(360_000), hours(2400), hours(1e9)
    ('100 h', '40 min', '31.7 years')
    """
    in_hours = seconds / k.HOUR
    if 24 <= in_hours < 3000:
        return f"{f.significant(in_hours, digits)} h"
    return f.duration(seconds, digits)


@lru_cache(maxsize=1024)
def _breakdown(*times: float) -> runs.RunTime:
    """Return the mean time of a run by activity [s]; a turn asks for several plans' times."""
    return runs.expected_breakdown(WORK_TIME, *times)


@dataclass(frozen=True)
class Plan:
    """Checkpointed run on a set of spot nodes, in SI units; prices are per node-hour."""

    page: ClassVar[str] = "spot_training"

    interval: float = knob(k.SPOT_INTERVAL, unit=k.MINUTE, spoken=hours)
    nodes: int = knob(k.SPOT_NODES, spoken="node")
    mtbf: float = knob(k.SPOT_MTBF, unit=k.HOUR)
    dump: float = knob(k.SPOT_DUMP, unit=k.MINUTE, spoken=hours)
    restart: float = knob(k.SPOT_RESTART, unit=k.MINUTE)
    warning: float = knob(k.SPOT_WARNING, unit=k.MINUTE)
    workers: int = knob(k.SPOT_WORKERS)
    serial: float = knob(k.SPOT_SERIAL, unit=0.01)
    train_deadline: float = knob(k.SPOT_TRAIN_DEADLINE, unit=k.HOUR)
    budget: float = knob(k.SPOT_BUDGET)
    worth: float = knob(k.SPOT_WORTH)
    band: float = knob(k.SPOT_BAND, unit=0.01)
    needed: int = knob(k.SPOT_NEEDED)
    base: int = knob(k.SPOT_BASE, high="needed")
    up: float = float(k.SPOT_UP)
    target: float = knob(k.SPOT_TARGET, unit=0.01)
    block: int = knob(k.SPOT_BLOCK)

    @property
    def gang_mtbf(self) -> float:
        """M, mean time between interruptions of the run [s]: losing one node stops all."""
        return runs.job_mtbf(self.mtbf, self.nodes)

    @property
    def saved_by_notice(self) -> bool:
        """Whether a checkpoint can be written between notice and interruption."""
        return runs.notice_saves(self.dump, self.warning)

    @property
    def through(self) -> float:
        """Probability that a segment ends before an interruption [1]; 1 if a notice saves it."""
        if self.saved_by_notice:
            return 1.0
        return math.exp(-(self.interval + self.dump) / self.gang_mtbf)

    @property
    def price(self) -> float:
        """Spot price of all nodes [$/h]."""
        return float(self.nodes * k.SPOT_PRICE)

    @property
    def on_demand(self) -> float:
        """Cost of the work on uninterrupted on-demand nodes, without checkpoints [$]."""
        return self.nodes * k.SPOT_ON_DEMAND_PRICE * WORK_TIME / k.HOUR

    @cached_property
    def where(self) -> runs.RunTime:
        """Mean time of the run by activity [s]."""
        return _breakdown(self.interval, self.dump, self.restart, self.gang_mtbf, self.warning)

    @property
    def writing_share(self) -> float:
        """Share of the run's time spent writing checkpoints [1]."""
        return self.where.dumps / self.where.runtime

    @property
    def redone(self) -> float:
        """Expected time for lost work and restarts [s]."""
        return self.where.lost + self.where.restarts

    @property
    def cost(self) -> float:
        """Expected cost of all hours of the run [$]."""
        return self.price * self.where.runtime / k.HOUR

    @property
    def relative(self) -> float:
        """Expected cost ÷ cost on demand [1]."""
        return self.cost / self.on_demand

    @property
    def cheap(self) -> bool:
        """Whether spot costs no more than on demand."""
        return self.relative <= 1

    @cached_property
    def best(self) -> "Plan":
        """This run with the slider's cheapest interval, or the longest if a notice saves work."""
        if self.saved_by_notice:
            return replace(self, interval=HIGH)
        return replace(self, interval=min(max(self.exact, LOW), HIGH))

    @property
    def extra(self) -> float:
        """Extra cost compared with the best interval, as a share [1]."""
        return self.cost / self.best.cost - 1

    @property
    def near(self) -> bool:
        """Whether no interval is cheaper by more than 1%."""
        return self.extra <= 0.01

    def within(self, share: float) -> tuple[float, float] | None:
        """Shortest and longest interval at which spot costs at most this share of on demand [s]."""
        prices = (self.price / k.HOUR, share * self.on_demand / WORK_TIME)
        times = (self.dump, self.restart, self.gang_mtbf)
        return runs.break_even_intervals(*times, *prices, self.warning)

    @property
    def young(self) -> float:
        """Young's first-order best interval [s]."""
        return runs.young(self.dump, self.gang_mtbf)

    @property
    def exact(self) -> float:
        """Checkpoint interval with the lowest cost, without an interruption notice [s]."""
        return runs.optimal_interval(self.dump, self.gang_mtbf)

    @property
    def network(self) -> dict[str, float]:
        """Parameters of `physics.speedup.speedup`, in SI."""
        return {
            "serial": self.serial,
            "gradient_size": k.SPOT_GRADIENT,
            "bandwidth": k.SPOT_BANDWIDTH,
            "latency": k.SPOT_LATENCY,
            "step_time": k.SPOT_STEP_TIME,
        }

    def on_workers(self, n: int) -> tuple[float, float]:
        """Return the time of the message's work on n workers [s] and its on-demand cost [$]."""
        time = WORK_TIME / runs.speedup(n, **self.network)
        return time, n * k.SPOT_ON_DEMAND_PRICE * time / k.HOUR

    @property
    def crew(self) -> dict[str, float]:
        """Time [s] and cost [$] on the chosen workers, their speedup [1], and goals met."""
        time, cost = self.on_workers(self.workers)
        return {
            "time": time,
            "cost": cost,
            "each": self.on_workers(1)[0] / time / self.workers,
            "early": time <= self.train_deadline,
            "within": cost <= self.budget,
        }

    @property
    def best_crew(self) -> dict[str, int]:
        """Number of workers that is best for the deadline, and for the budget; 0 if none meets it.

        These are the fewest that meet the deadline, and those of the fastest run within the budget.
        """
        limits = {"deadline": self.train_deadline, "budget": self.budget}
        price = k.SPOT_ON_DEMAND_PRICE / k.HOUR
        best = {}
        for goal in limits:
            workers = runs.workers_for(goal, work=WORK_TIME, price=price, **limits, **self.network)
            best[goal] = int(workers or 0)
        return best

    @property
    def prices(self) -> np.ndarray:
        """Spot price at each tick ÷ value of one worker's output [1]."""
        return k.SPOT_PRICE / self.worth * np.exp(k.SPOT_SWING * _swings() - k.SPOT_SWING**2 / 2)

    @cached_property
    def ways(self) -> dict[str, runs.ElasticRun]:
        """Elastic runs on one price path: resized always, beyond the band, and never."""
        prices = self.prices
        size = int(min(runs.workers_worth(k.SPOT_PRICE / self.worth, **self.network), MAX_WORKERS))
        work = 0.0
        if size:
            work = len(prices) * TICK * runs.speedup(size, **self.network)
        cost = size * TICK * float(prices.sum())
        resized = {"restart": self.restart, "tick": TICK, "limit": MAX_WORKERS} | self.network
        return {
            "plain": runs.elastic_run(prices, **resized),
            "banded": runs.elastic_run(prices, band=self.band, **resized),
            "still": runs.ElasticRun(np.full(len(prices), size), 0, work, cost),
        }

    @property
    def gains(self) -> dict[str, float]:
        """Value of the work minus its cost, by way of resizing, see `ways` [$]."""
        return {way: run.gain * self.worth / k.HOUR for way, run in self.ways.items()}

    @property
    def still(self) -> int:
        """Workers of a job that is never resized: as many as are worth the mean price [1]."""
        return int(self.ways["still"].workers[0])

    def spot(self, reserved: int) -> int:
        """Return the spot replicas to add to `reserved` on-demand ones, in whole blocks [1]."""
        if reserved < self.needed:
            return runs.replicas_for(self.needed - reserved, self.up, self.target, self.block)
        return 0

    def fleet_price(self, reserved: int) -> float:
        """Return the expected price with `reserved` on-demand replicas [$/h].

        An interrupted spot replica costs nothing.
        """
        return reserved * k.SPOT_ON_DEMAND_PRICE + self.spot(reserved) * self.up * k.SPOT_PRICE

    @property
    def mixed(self) -> dict[str, float]:
        """Spot replicas [1], and prices of this mix and of all on demand [$/h]."""
        cost = self.fleet_price(self.base)
        safe = self.fleet_price(self.needed)
        return {"spot": self.spot(self.base), "cost": cost, "safe": safe, "cheap": cost <= safe}

    @property
    def saving(self) -> float:
        """Share of the cost that the notice saves [1]."""
        return 1 - self.cost / replace(self, warning=0.0).cost

    @property
    def flat(self) -> float:
        """Extra cost at half or twice the best interval, the higher of the two, as a share [1]."""
        best = self.best
        return max(replace(best, interval=best.interval * factor).extra for factor in (0.5, 2))


@lru_cache(maxsize=1)
def _swings() -> np.ndarray:
    """Return the path of the log of the spot price, in standard deviations from its mean, by tick.

    The path is the same at every setting: an autoregressive process of first order.
    """
    rng = np.random.default_rng(19890619)
    memory = math.exp(-TICK / k.SPOT_PRICE_MEMORY)
    shocks = rng.standard_normal(round(k.SPOT_PRICE_SPAN / TICK))
    swings = [0.0]
    for shock in shocks[1:].tolist():
        swings.append(memory * swings[-1] + math.sqrt(1 - memory**2) * shock)
    return np.array(swings)


say = Sentences(Plan, formats={"hours": hours})
