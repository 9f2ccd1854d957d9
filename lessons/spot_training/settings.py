"""Spot training: a checkpointed run on a gang of spot nodes, what it costs and when it is done."""

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from lessons.spot_training.crew import Crew
from lessons.spot_training.elastic import Elastic
from lessons.spot_training.mix import Mix
from physics import constants as k
from physics.checkpointing import (
    RunTime,
    Wait,
    break_even_intervals,
    expected_breakdown,
    expected_runtime,
    gang_wait,
    job_mtbf,
    notice_saves,
    optimal_interval,
    simulate_runtimes,
    spot_cost,
)
from ui.base import format as f
from ui.knobs import MORE, Group, knob, toggle

#: What the select sliders offer.
INTERVALS = (
    *(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 120, 150, 180),
    *(240, 300, 360, 480, 600, 720, 960, 1200, 1440),
)
MTBFS = (0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36, 48, 72, 120, 168, 336, 720)
BANDWIDTHS = (1, 2, 5, 10, 12.5, 25, 50, 100, 200, 400, 900)
TARGETS = (50, 80, 90, 95, 99, 99.5, 99.9, 99.99, 99.999)
RUNS = 2000  #: simulated for the finish time
BAND_RUNS = 300  #: simulated for each point of the band
SEED = 20060301  #: the same chances at every setting, so that two settings differ by the settings
SECOND_ACT = Group(
    "Settings for part 2", ":material/groups:", "They act on the views “Part 2” alone.", name="knobs_of_the_second_act"
)
THIRD_ACT = Group(
    "Settings for part 3", ":material/dns:", "They act on the view “Part 3” alone.", name="knobs_of_the_third_act"
)


def hours(seconds: float, digits: int = 3) -> str:
    """Write a time; as hours where `ui.base.format` would turn to days, since an hour of this lesson is a dollar.

    >>> hours(360_000), hours(2400), hours(1e9)
    ('100 h', '40 min', '31.7 years')
    """
    return (
        f"{f.significant(seconds / k.HOUR, digits)} h" if 24 <= seconds / k.HOUR < 3000 else f.duration(seconds, digits)
    )


@dataclass(frozen=True)
class Plan:
    """A checkpointed run on a gang of spot nodes; all SI, prices a node and hour."""

    page: ClassVar[str] = "spot_training"

    interval: float = knob(k.SPOT_INTERVAL, positions=INTERVALS, unit=k.MINUTE, spoken=hours)
    mtbf: float = knob(k.SPOT_MTBF, positions=MTBFS, unit=k.HOUR)
    nodes: int = knob(k.SPOT_NODES, spoken=lambda nodes: f.count(nodes, "node"))
    dump: float = knob(k.SPOT_DUMP, unit=k.MINUTE, spoken=hours)
    restart: float = knob(
        k.SPOT_RESTART, unit=k.MINUTE, spoken=lambda restart: hours(restart) if restart else "no time at all"
    )
    deadline: float = knob(k.SPOT_DEADLINE, unit=k.HOUR, spoken=hours)
    notice: bool = toggle()
    work: float = knob(k.SPOT_WORK, unit=k.HOUR, group=MORE)
    delay: float = knob(
        k.SPOT_DELAY, unit=k.MINUTE, spoken=lambda delay: hours(delay) if delay else "no time at all", group=MORE
    )
    price: float = knob(k.SPOT_PRICE, group=MORE)
    on_demand_price: float = knob(k.SPOT_ON_DEMAND_PRICE, group=MORE)
    workers: int = knob(k.SPOT_WORKERS, group=SECOND_ACT)
    serial: float = knob(k.SPOT_SERIAL, unit=0.01, group=SECOND_ACT)
    gradient: float = knob(k.SPOT_GRADIENT, unit=k.GB, group=SECOND_ACT)
    bandwidth: float = knob(k.SPOT_BANDWIDTH, positions=BANDWIDTHS, unit=k.GB, group=SECOND_ACT)
    latency: float = knob(k.SPOT_LATENCY, unit=1e-6, group=SECOND_ACT)
    train_deadline: float = knob(k.SPOT_TRAIN_DEADLINE, unit=k.HOUR, group=SECOND_ACT)
    budget: float = knob(k.SPOT_BUDGET, group=SECOND_ACT)
    efficiency: float = knob(k.SPOT_EFFICIENCY, unit=0.01, group=SECOND_ACT)
    worth: float = knob(k.SPOT_WORTH, group=SECOND_ACT)
    swing: float = knob(k.SPOT_SWING, unit=0.01, group=SECOND_ACT)
    band: float = knob(k.SPOT_BAND, unit=0.01, group=SECOND_ACT)
    needed: int = knob(k.SPOT_NEEDED, group=THIRD_ACT)
    base: int = knob(k.SPOT_BASE, group=THIRD_ACT)
    up: float = knob(k.SPOT_UP, unit=0.01, group=THIRD_ACT)
    target: float = knob(k.SPOT_TARGET, positions=TARGETS, unit=0.01, group=THIRD_ACT)
    block: int = knob(k.SPOT_BLOCK, group=THIRD_ACT)

    def idle(self) -> dict[str, str]:
        """Name the knobs that have no effect at the moment, and why."""
        found = {}
        if self.dump > k.SPOT_NOTICE:
            found["notice"] = f"a dump of {hours(self.dump)} does not fit into {hours(float(k.SPOT_NOTICE))}"
        if not self.gradient:
            found |= dict.fromkeys(("bandwidth", "latency"), "nothing is sent")
        if self.base >= self.needed:
            found |= dict.fromkeys(("up", "target", "block"), "all replicas are on demand")
        return found

    @property
    def mix(self) -> Mix:
        """The third act: replicas of a service on spot machines and on demand."""
        return Mix(**{field.name: getattr(self, field.name) for field in fields(Mix)})

    @property
    def elastic(self) -> Elastic:
        """The second act at a spot price that swings."""
        return Elastic(**{field.name: getattr(self, field.name) for field in fields(Elastic)})

    @property
    def crew(self) -> Crew:
        """The second act: the same work on workers that are never taken away."""
        return Crew(**{field.name: getattr(self, field.name) for field in fields(Crew)})

    @property
    def segment(self) -> float:
        """Work between two dumps [s]: the interval, and never more than the whole work."""
        return min(self.interval, self.work)

    @property
    def gang_mtbf(self) -> float:
        """M [s], of the gang: one node lost stops all."""
        return job_mtbf(self.mtbf, self.nodes)

    @property
    def wait(self) -> Wait:
        """From an interruption until all nodes are there again."""
        return gang_wait(self.delay, self.mtbf, self.nodes)

    @property
    def paid_wait(self) -> Wait:
        """What of it is paid, in time of the whole gang: a node that is missing costs nothing."""
        return gang_wait(self.delay, self.mtbf, self.nodes, paid=True)

    @property
    def complete(self) -> float:
        """Share of the time in which all nodes are there [1]."""
        return (1 + self.delay / self.mtbf) ** -self.nodes

    @property
    def through(self) -> float:
        """Chance that a segment ends before the next interruption [1]; with a notice that suffices none is lost."""
        return 1.0 if self.saved_by_notice else math.exp(-(self.segment + self.dump) / self.gang_mtbf)

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
        return expected_breakdown(*self._model, self.wait)

    @property
    def paid(self) -> RunTime:
        """Where the money goes on average, in time of the whole gang [s]."""
        return expected_breakdown(*self._model, self.paid_wait)

    @property
    def _model(self) -> tuple[float, ...]:
        return self.work, self.segment, self.dump, self.restart, self.gang_mtbf, self.warning

    @cached_property
    def runtime(self) -> float:
        """E[T], expected time of the run [s]."""
        return expected_runtime(*self._model, self.wait)

    @cached_property
    def cost(self) -> float:
        """Expected cost [$]."""
        return spot_cost(*self._model[:-1], self.gang_price, self.warning, self.paid_wait)

    @cached_property
    def best_interval(self) -> float:
        """Interval of the least expected cost [s], at most the work; infinite when a notice saves the work anyway."""
        return math.inf if self.saved_by_notice else min(self.work, optimal_interval(self.dump, self.gang_mtbf))

    @cached_property
    def best(self) -> "Plan":
        """The same run at its best interval, or at the longest on the slider when longer is always better."""
        return replace(self, interval=min(self.best_interval, float(k.SPOT_INTERVAL.high)))

    @cached_property
    def break_even(self) -> tuple[float, float] | None:
        """Shortest and longest interval at which spot is no more expensive than on demand [s]."""
        return self.paying(self.nodes * self.on_demand_price / k.HOUR)

    def paying(self, price: float) -> tuple[float, float] | None:
        """Shortest and longest interval at which the run costs no more than its work at a price [$/s]; each in s.

        Beyond the work a longer interval changes nothing, so that none is the longest if one of the whole work pays.
        """
        model = (self.dump, self.restart, self.gang_mtbf, self.gang_price, price, self.warning)
        ends = break_even_intervals(*model, self.paid_wait)
        if ends is None or ends[0] > self.work:
            return None
        return ends if ends[1] < self.work else (ends[0], math.inf)

    @property
    def finish_times(self) -> np.ndarray:
        """Run times of the simulated runs [s], sorted."""
        return _finish_times(self._model, self.wait, RUNS)

    def bills(self, runs: int) -> np.ndarray:
        """What simulated runs pay for, in time of the whole gang [s], sorted."""
        return _finish_times(self._model, self.paid_wait, runs)

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


@lru_cache(maxsize=1024)
def _finish_times(model: tuple[float, ...], wait: Wait, runs: int) -> np.ndarray:
    """Simulate runs and sort their times [s]."""
    *times, notice = model
    return np.sort(simulate_runtimes(*times, np.random.default_rng(SEED), runs, notice, wait))


def percentile(ordered: np.ndarray, level: float) -> float:
    """Return the smallest of ordered values that at least `level` of them do not exceed.

    >>> percentile(np.array([1.0, 2.0, 3.0, math.inf]), 0.5)
    2.0
    """
    return float(ordered[math.ceil(level * len(ordered) - 1e-9) - 1])


def band(plan: Plan) -> list[tuple[float, float, float]]:
    """Interval [s] and the times between which nine of ten simulated runs pay [s]; the plan's interval is ignored."""
    rows = []
    for minutes in (*INTERVALS[:8], *INTERVALS[8:22:2], *INTERVALS[22:]):
        at = replace(plan, interval=minutes * k.MINUTE)
        # Where even the mean is far off the chart there is nothing to draw, and much to simulate.
        if at.cost <= 5 * plan.on_demand_cost:
            times = at.bills(BAND_RUNS)
            rows.append((at.interval, percentile(times, 0.05), percentile(times, 0.95)))
    return rows
