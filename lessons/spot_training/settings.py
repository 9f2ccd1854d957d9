"""Spot training: a checkpointed run on a gang of spot nodes, what it costs and when it is done."""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from physics import constants as k
from physics.checkpointing import (
    RunTime,
    break_even_intervals,
    expected_breakdown,
    expected_runtime,
    job_mtbf,
    notice_saves,
    optimal_interval,
    simulate_runtimes,
    spot_cost,
)
from ui.base import format as f

#: What the two select sliders offer.
INTERVALS = (
    *(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 120, 150, 180),
    *(240, 300, 360, 480, 600, 720, 960, 1200, 1440),
)
MTBFS = (0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36, 48, 72, 120, 168, 336, 720)
RUNS = 2000  #: simulated for the finish time
BAND_RUNS = 300  #: simulated for each point of the band
SEED = 20060301  #: the same chances at every setting, so that two settings differ by the settings


@dataclass(frozen=True)
class Plan:
    """A checkpointed run on a gang of spot nodes; all SI, prices a node and hour."""

    interval: float = float(k.SPOT_INTERVAL)
    node_mtbf: float = float(k.SPOT_MTBF)
    nodes: int = int(k.SPOT_NODES)
    dump: float = float(k.SPOT_DUMP)
    restart: float = float(k.SPOT_RESTART)
    notice: bool = False
    deadline: float = float(k.SPOT_DEADLINE)
    work: float = float(k.SPOT_WORK)
    price: float = float(k.SPOT_PRICE)
    on_demand_price: float = float(k.SPOT_ON_DEMAND_PRICE)

    @property
    def segment(self) -> float:
        """Work between two dumps [s]: the interval, and never more than the whole work."""
        return min(self.interval, self.work)

    @property
    def mtbf(self) -> float:
        """M [s], of the gang: one node lost stops all."""
        return job_mtbf(self.node_mtbf, self.nodes)

    @property
    def warning(self) -> float:
        """Notice [s]; 0 with the switch off."""
        return float(k.SPOT_NOTICE) if self.notice else 0.0

    @property
    def saved_by_notice(self) -> bool:
        """Whether a dump fits into the notice."""
        return notice_saves(self.dump, self.warning)

    @property
    def gang_price(self) -> float:
        """Spot price of the gang [$/s]."""
        return self.nodes * self.price / k.HOUR

    @property
    def on_demand_cost(self) -> float:
        """Of the work on nodes that are never taken away, without dumps [$]."""
        return self.nodes * self.on_demand_price * self.work / k.HOUR

    @cached_property
    def where(self) -> RunTime:
        """Where the time goes on average."""
        return expected_breakdown(self.work, self.segment, self.dump, self.restart, self.mtbf, self.warning)

    @cached_property
    def runtime(self) -> float:
        """E[T], expected time of the run [s]."""
        return expected_runtime(self.work, self.segment, self.dump, self.restart, self.mtbf, self.warning)

    @cached_property
    def cost(self) -> float:
        """Expected cost [$]."""
        model = (self.work, self.segment, self.dump, self.restart, self.mtbf)
        return spot_cost(*model, self.gang_price, self.warning)

    @cached_property
    def best_interval(self) -> float:
        """Interval of the least expected cost [s], at most the work; infinite when a notice saves the work anyway."""
        return math.inf if self.saved_by_notice else min(self.work, optimal_interval(self.dump, self.mtbf))

    @cached_property
    def best(self) -> "Plan":
        """The same run at its best interval, or at the longest on the slider when longer is always better."""
        return replace(self, interval=min(self.best_interval, float(k.SPOT_INTERVAL.high)))

    @cached_property
    def break_even(self) -> tuple[float, float] | None:
        """Shortest and longest interval at which spot is no dearer than on demand [s]."""
        return self.paying(self.nodes * self.on_demand_price / k.HOUR)

    def paying(self, price: float) -> tuple[float, float] | None:
        """Shortest and longest interval at which the run costs no more than its work at a price [$/s]; each in s.

        Beyond the work a longer interval changes nothing, so that none is the longest if one of the whole work pays.
        """
        ends = break_even_intervals(self.dump, self.restart, self.mtbf, self.gang_price, price, self.warning)
        if ends is None or ends[0] > self.work:
            return None
        return ends if ends[1] < self.work else (ends[0], math.inf)

    @property
    def finish_times(self) -> np.ndarray:
        """Run times of the simulated runs [s], sorted."""
        return _finish_times(self.work, self.segment, self.dump, self.restart, self.mtbf, self.warning, RUNS)

    @property
    def p95(self) -> float:
        """Time within which 95 of 100 simulated runs are done [s]."""
        return percentile(self.finish_times, 0.95)

    @property
    def cheap(self) -> bool:
        """Whether spot costs no more than on demand."""
        return self.cost <= self.on_demand_cost

    @property
    def in_time(self) -> bool:
        """Whether 95 of 100 simulated runs meet the deadline."""
        return self.p95 <= self.deadline

    @property
    def good(self) -> bool:
        """Whether neither money nor time is amiss."""
        return self.cheap and self.in_time


def hours(seconds: float, digits: int = 3) -> str:
    """Write a time; as hours where `ui.base.format` would turn to days, since an hour of this lesson is a dollar.

    >>> hours(360_000), hours(2400), hours(1e9)
    ('100 h', '40 min', '31.7 years')
    """
    return (
        f"{f.significant(seconds / k.HOUR, digits)} h" if 24 <= seconds / k.HOUR < 3000 else f.duration(seconds, digits)
    )


@lru_cache(maxsize=256)
def _finish_times(
    work: float, interval: float, dump: float, restart: float, mtbf: float, notice: float, runs: int
) -> np.ndarray:
    """Simulate runs and sort their times [s]."""
    rng = np.random.default_rng(SEED)
    return np.sort(simulate_runtimes(work, interval, dump, restart, mtbf, rng, runs, notice))


def percentile(ordered: np.ndarray, level: float) -> float:
    """Return the smallest of ordered values that at least `level` of them do not exceed.

    >>> percentile(np.array([1.0, 2.0, 3.0, math.inf]), 0.5)
    2.0
    """
    return float(ordered[math.ceil(level * len(ordered) - 1e-9) - 1])


@lru_cache(maxsize=64)
def band(plan: Plan) -> tuple[tuple[float, float, float], ...]:
    """Interval [s] and the times between which nine of ten simulated runs end [s]; the plan's interval is ignored."""
    rows = []
    for minutes in (*INTERVALS[:8], *INTERVALS[8:22:2], *INTERVALS[22:]):
        at = replace(plan, interval=minutes * 60.0)
        # Where even the mean is far off the chart there is nothing to draw, and much to simulate.
        if at.cost <= 5 * plan.on_demand_cost:
            model = (at.work, at.segment, at.dump, at.restart, at.mtbf, at.warning)
            times = _finish_times(*model, BAND_RUNS)
            rows.append((at.interval, percentile(times, 0.05), percentile(times, 0.95)))
    return tuple(rows)
