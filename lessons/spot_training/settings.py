"""Spot training: a checkpointed run on spot nodes that can be taken away, and what it costs."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from physics import checkpointing as runs
from physics import constants as k
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import knob

#: Positions of the select sliders, in the widget's unit.
INTERVALS = (
    *(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 120, 150, 180),
    *(240, 300, 360, 480, 600, 720, 960, 1200, 1440),
)
MTBFS = (0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36, 48, 72, 120, 168, 336, 720)
BANDWIDTHS = (1, 2, 5, 10, 12.5, 25, 50, 100, 200, 400, 900)
CLUSTERS = (1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
FAILURES = (1, 7, 30, 90, 180, 264, 365, 730, 1825, 3650, 18250, 36500)
SAVES = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
TARGETS = (50, 80, 90, 95, 99, 99.5, 99.9, 99.99, 99.999)
WORK = float(k.SPOT_WORK)


def hours(seconds: float, digits: int = 3) -> str:
    """Write a time; as hours where `ui.base.format` would turn to days, since an hour of this lesson is a dollar.

    >>> hours(360_000), hours(2400), hours(1e9)
    ('100 h', '40 min', '31.7 years')
    """
    in_hours = 24 <= seconds / k.HOUR < 3000
    return f"{f.significant(seconds / k.HOUR, digits)} h" if in_hours else f.duration(seconds, digits)


@dataclass(frozen=True)
class Plan:
    """A checkpointed run on a gang of spot nodes; all SI, prices a node and hour."""

    page: ClassVar[str] = "spot_training"

    interval: float = knob(k.SPOT_INTERVAL, positions=INTERVALS, unit=k.MINUTE, spoken=hours)
    nodes: int = knob(k.SPOT_NODES, spoken="node")
    mtbf: float = knob(k.SPOT_MTBF, positions=MTBFS, unit=k.HOUR)
    dump: float = knob(k.SPOT_DUMP, unit=k.MINUTE, spoken=hours)
    restart: float = knob(k.SPOT_RESTART, unit=k.MINUTE)
    warning: float = knob(k.SPOT_WARNING, unit=k.MINUTE)
    workers: int = knob(k.SPOT_WORKERS)
    serial: float = knob(k.SPOT_SERIAL, unit=0.01)
    gradient: float = knob(k.SPOT_GRADIENT, unit=k.GB)
    bandwidth: float = knob(k.SPOT_BANDWIDTH, positions=BANDWIDTHS, unit=k.GB)
    train_deadline: float = knob(k.SPOT_TRAIN_DEADLINE, unit=k.HOUR)
    budget: float = knob(k.SPOT_BUDGET)
    worth: float = knob(k.SPOT_WORTH)
    swing: float = knob(k.SPOT_SWING, unit=0.01)
    band: float = knob(k.SPOT_BAND, unit=0.01)
    needed: int = knob(k.SPOT_NEEDED)
    base: int = knob(k.SPOT_BASE)
    up: float = knob(k.SPOT_UP, unit=0.01)
    target: float = knob(k.SPOT_TARGET, positions=TARGETS, unit=0.01)
    block: int = knob(k.SPOT_BLOCK)
    cluster_nodes: int = knob(k.SPOT_CLUSTER_NODES, positions=CLUSTERS)
    cluster_mtbf: float = knob(k.SPOT_CLUSTER_MTBF, positions=FAILURES, unit=k.DAY)
    save: float = knob(k.SPOT_SAVE, positions=SAVES)
    recovery: float = knob(k.SPOT_RECOVERY, unit=k.MINUTE)
    repair: float = knob(k.SPOT_REPAIR, unit=k.HOUR)

    @property
    def gang_mtbf(self) -> float:
        """M, mean time between interruptions of the run [s]: one node lost stops all."""
        return runs.job_mtbf(self.mtbf, self.nodes)

    @property
    def saved_by_notice(self) -> bool:
        """Whether a checkpoint can be written between notice and interruption."""
        return runs.notice_saves(self.dump, self.warning)

    @property
    def through(self) -> float:
        """Chance that a segment ends before the next interruption [1]; with a notice that suffices none is lost."""
        return 1.0 if self.saved_by_notice else math.exp(-(self.interval + self.dump) / self.gang_mtbf)

    @property
    def price(self) -> float:
        """Spot price of all nodes [$/h]."""
        return float(self.nodes * k.SPOT_PRICE)

    @property
    def on_demand(self) -> float:
        """Cost of the work on nodes that are never taken away, without checkpoints [$]."""
        return self.nodes * k.SPOT_ON_DEMAND_PRICE * WORK / k.HOUR

    @cached_property
    def where(self) -> runs.RunTime:
        """Where the time goes on average."""
        return runs.expected_breakdown(WORK, self.interval, self.dump, self.restart, self.gang_mtbf, self.warning)

    @property
    def runtime(self) -> float:
        """E[T], expected time of the run [s]."""
        return self.where.runtime

    @property
    def writing_share(self) -> float:
        """Share of the run's time for writing checkpoints [1]."""
        return self.where.dumps / self.runtime if math.isfinite(self.runtime) else 0.0

    @property
    def redone(self) -> float:
        """Expected time for work that is lost and for restarts [s]."""
        return self.where.lost + self.where.restarts

    @property
    def cost(self) -> float:
        """Expected cost [$]: every hour of the run is paid."""
        return self.price * self.runtime / k.HOUR

    @property
    def relative(self) -> float:
        """Expected cost ÷ cost on demand [1]."""
        return self.cost / self.on_demand

    @property
    def cheap(self) -> bool:
        """Whether spot costs no more than on demand."""
        return self.relative <= 1

    @cached_property
    def best_interval(self) -> float:
        """Interval of the least expected cost [s], at most the work; infinite when a notice saves the work anyway."""
        return math.inf if self.saved_by_notice else min(WORK, runs.optimal_interval(self.dump, self.gang_mtbf))

    @cached_property
    def best(self) -> "Plan":
        """The same run at its best interval, or at the longest on the slider when longer is always better."""
        return replace(self, interval=min(self.best_interval, float(k.SPOT_INTERVAL.high or WORK)))

    @property
    def extra(self) -> float:
        """By what share the run costs more than at its best interval [1]."""
        return self.cost / self.best.cost - 1 if math.isfinite(self.cost) else math.inf

    @property
    def near(self) -> bool:
        """Whether no interval is cheaper by more than 1 %."""
        return self.extra <= 0.01

    def within(self, share: float) -> tuple[float, float] | None:
        """Shortest and longest interval at which spot costs no more than a share of the cost on demand [s]."""
        price, wanted = self.price / k.HOUR, share * self.on_demand / WORK
        return runs.break_even_intervals(self.dump, self.restart, self.gang_mtbf, price, wanted, self.warning)

    @property
    def young(self) -> float:
        """Young's first-order best interval [s]."""
        return runs.young(self.dump, self.gang_mtbf)

    @property
    def exact(self) -> float:
        """Exact best interval of the complete model without a notice [s]."""
        return runs.optimal_interval(self.dump, self.gang_mtbf)


say = Sentences(
    Plan,
    formats={"hours": hours, "billions": lambda dollars: f"${f.significant(dollars / 1e9, 2)} billion"},
    cases={
        "three": {"interval": 3 * k.MINUTE},
        "forty": {"interval": 40 * k.MINUTE},
        "five": {"interval": 5 * k.HOUR},
        "sixteen": {"interval": 16 * k.HOUR},
        "longest": {"interval": float(k.SPOT_INTERVAL.high or WORK)},
        "never": {"interval": WORK},
        "four": {"nodes": 4},
        "fast": {"dump": 45.0},
        "fast_ten": {"dump": 45.0, "interval": 10 * k.MINUTE},
        "fast_forty": {"dump": 45.0, "interval": 40 * k.MINUTE},
        "fast_eighty": {"dump": 45.0, "interval": 80 * k.MINUTE},
    },
)
