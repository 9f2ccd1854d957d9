"""Eight times the GPUs: a training run that any failure stops, and its useful GPUs."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import ClassVar

from physics import checkpointing as runs
from physics import constants as k
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import knob

NODE = int(k.SCALE_GPUS_PER_NODE)
#: Numbers of GPUs and checkpoint intervals [s] that the sliders offer.
GPUS = k.SCALE_GPUS.positions
INTERVALS = k.SCALE_INTERVAL.positions
#: Settings in which the challenge differs from the message.
START = {"stall": float(k.SCALE_TASK_STALL)}
#: A run counts as near its peak if its number of GPUs differs by at most this share.
NEAR = 0.1


@dataclass(frozen=True)
class Run:
    """A training run on nodes of eight GPUs, its checkpoints, and its spare nodes; all SI."""

    page: ClassVar[str] = "failures_at_scale"

    gpus: int = knob(k.SCALE_GPUS, spoken="GPU")
    interval: float = knob(k.SCALE_INTERVAL, unit=k.MINUTE, spoken=f.duration)
    recovery: float = knob(k.SCALE_RECOVERY, unit=k.MINUTE, spoken=f.duration)
    node_mtbf: float = knob(k.SPOT_CLUSTER_MTBF, unit=k.DAY, spoken=f.duration)
    stall: float = knob(k.SCALE_STALL)
    write: float = knob(k.SCALE_WRITE, unit=k.MINUTE)
    spares: int = knob(k.SCALE_SPARES, spoken="spare node")
    repair: float = knob(k.SCALE_REPAIR, unit=k.HOUR)

    @property
    def nodes(self) -> int:
        """n, nodes that all must run [1]."""
        return self.gpus // NODE

    @property
    def mtbf(self) -> float:
        """M, mean time between failures of the run from any cause [s]."""
        return runs.job_mtbf(self.node_mtbf, self.nodes)

    @property
    def daily(self) -> float:
        """Number of failures per day from any cause [1]."""
        return k.DAY / self.mtbf

    @cached_property
    def share(self) -> float:
        """Share of the run's time that goes into work that is kept [1]."""
        return runs.useful_share(self.interval, self.stall, self.recovery, self.mtbf, self.write)

    @property
    def useful(self) -> float:
        """GPUs that would do the same work if nothing failed [1]."""
        return self.gpus * self.share

    @property
    def gain(self) -> float:
        """Useful work of the run relative to the message's run [1]."""
        return self.useful / Run().useful

    @property
    def stretched(self) -> float:
        """Mean time that the run takes for one hour of kept work [s]."""
        return k.HOUR / self.share if self.share else math.inf

    @property
    def writing(self) -> float:
        """Share of the run's time spent writing checkpoints that are completed [1]."""
        return self.share * self.stall / self.interval

    @cached_property
    def peak(self) -> int:
        """Number of GPUs that does the most work at these settings [1]."""
        times = (self.interval, self.recovery, self.node_mtbf, self.stall, self.write)
        return NODE * runs.largest_worthwhile(*times)

    @property
    def peak_useful(self) -> float:
        """Useful GPUs at the peak [1]."""
        return replace(self, gpus=self.peak).useful

    @property
    def goal_met(self) -> bool:
        """Whether the run has as many useful GPUs as the challenge requires."""
        return self.useful >= k.SCALE_GOAL

    @property
    def recovery_alike(self) -> float:
        """Recovery time that would cost as much if checkpoints were safe immediately [s]."""
        return self.recovery + self.write

    @property
    def state(self) -> str:
        """State of the run: "past" or "near" its peak, "writing", or "grows".

        Below the peak, checkpoints cost more time than failures ("writing"), or less ("grows").
        """
        if self.gpus > self.peak * (1 + NEAR):
            return "past"
        if self.gpus > self.peak * (1 - NEAR):
            return "near"
        if self.writing > 1 - self.share - self.writing:
            return "writing"
        return "grows"

    @property
    def in_repair(self) -> float:
        """Mean number of faulty nodes in repair if the run never waited for one [1]."""
        return self.nodes * self.repair / k.SCALE_FAULT_MTBF

    @property
    def fault_every(self) -> float:
        """Mean time between faulty nodes while the run is working [s]."""
        return runs.job_mtbf(k.SCALE_FAULT_MTBF, self.nodes)

    def waiting_with(self, spares: int) -> float:
        """Return the share of time in which the run waits for a repair, with `spares` nodes [1]."""
        return runs.waiting_share(self.nodes, spares, k.SCALE_FAULT_MTBF, self.repair)

    @property
    def waiting(self) -> float:
        """Share of time in which the run waits for a repair, with its own spare nodes [1]."""
        return self.waiting_with(self.spares)

    @property
    def unready(self) -> float:
        """Share of the faulty nodes for which no spare node is ready [1]."""
        ready = runs.replaced_at_once(self.nodes, self.spares, k.SCALE_FAULT_MTBF, self.repair)
        return 1 - ready

    @property
    def patient(self) -> bool:
        """Whether the run's share of time spent waiting for repairs is within the limit."""
        return self.waiting <= k.SCALE_PATIENCE

    @property
    def enough(self) -> int:
        """Fewest spare nodes that keep the run's waiting share within the limit [1]."""
        return next(spares for spares in count() if self.waiting_with(spares) <= k.SCALE_PATIENCE)


say = Sentences(
    Run,
    formats={"rarely": lambda share: f.share(share) if share >= 1e-4 else "less than 0.01%"},
)
