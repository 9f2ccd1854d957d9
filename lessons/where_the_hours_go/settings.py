"""Where the hours go: a center whose jobs wait, read, and compute, and its cost."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from physics import constants as k
from physics.fleet import Fleet, one_fleet
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Settings that repair the center, in the order in which the chart adds them up.
REPAIRS = ("workers", "samples", "nodes", "metadata", "gpus")
#: Share of the GPUs that remain. One option of the prediction divides today's time by it.
LEFT = 3 / 4


@dataclass(frozen=True)
class Center:
    """Computing center: its GPUs, loader workers, file system, and order of jobs."""

    page: ClassVar[str] = "where_the_hours_go"

    gpus: int = knob(k.HOURS_GPUS, spoken="GPU")
    workers: int = knob(k.HOURS_WORKERS, spoken="loader worker")
    samples: int = knob(k.HOURS_SAMPLES, spoken="sample")
    metadata: int = knob(k.HOURS_METADATA, spoken="metadata server")
    nodes: int = knob(k.HOURS_NODES, spoken="storage node")
    order: str = choice(("arrival", "urgent"))
    demand: float = knob(k.HOURS_DEMAND, unit=0.01)

    @cached_property
    def now(self) -> Fleet:
        """Steady state of the center, with urgent jobs first if the order says so."""
        return one_fleet(
            self.gpus,
            int(k.HOURS_WIDTH),
            k.HOURS_WORK,
            self.arrivals,
            self.workers,
            self.samples,
            self.metadata,
            self.nodes,
            urgent=k.HOURS_URGENT if self.urgent_first else 0.0,
        )

    @property
    def arrivals(self) -> float:
        """Jobs that arrive per second [1/s]."""
        return k.HOURS_ARRIVALS * self.demand

    @property
    def urgent_first(self) -> bool:
        """Whether urgent jobs go first."""
        return self.order == "urgent"

    @property
    def urgent_wait(self) -> float:
        """Mean wait of urgent jobs [s]."""
        if self.urgent_first:
            return self.now.wait_urgent
        return self.now.wait

    @property
    def others_wait(self) -> float:
        """Mean wait of the other jobs [s]."""
        if self.urgent_first:
            return self.now.wait_others
        return self.now.wait

    @property
    def work(self) -> float:
        """Computing time of a job [s]."""
        return float(k.HOURS_WORK)

    @property
    def computing(self) -> int:
        """Mean number of computing GPUs."""
        return round(self.now.useful * self.gpus)

    @property
    def reading(self) -> int:
        """Mean number of GPUs that wait for data."""
        return round(self.now.occupied * self.gpus) - self.computing

    @property
    def occupied(self) -> int:
        """Mean number of GPUs occupied by jobs."""
        return self.computing + self.reading

    @property
    def free(self) -> int:
        """Mean number of free GPUs."""
        return self.gpus - self.occupied

    @property
    def loader(self) -> float:
        """Share of a running job's time in which its loader workers are reading [1]."""
        latency = k.IO_LATENCY / self.samples
        sample = latency + k.IO_SAMPLE_SIZE / k.IO_STREAM_BANDWIDTH + k.IO_DECODE_TIME
        return self.now.utilization * k.IO_BATCH_SIZE * sample / k.IO_COMPUTE_TIME / self.workers

    @property
    def hourly(self) -> float:
        """Jobs that arrive per hour [1/h]."""
        return self.arrivals * k.HOUR

    @property
    def leaving(self) -> float:
        """Maximum number of jobs that can finish per hour [1/h]."""
        return self.hourly / self.now.load

    @property
    def growth(self) -> float:
        """Daily growth of the queue [1/day]."""
        return self.now.growth * k.DAY

    @property
    def proportion(self) -> float:
        """Time to the result if it were inversely proportional to the number of GPUs [s]."""
        return self.now.total / LEFT

    @property
    def repairs(self) -> list["Center"]:
        """The message's center, and the center after each repair that the settings make."""
        stages = [Center(demand=self.demand)]
        for name in REPAIRS:
            value = getattr(self, name)
            if value != getattr(stages[-1], name):
                stages.append(replace(stages[-1], **{name: value}))
        return stages

    @property
    def affordable(self) -> bool:
        """Whether the center's cost is within the challenge's budget."""
        return self.now.cost <= k.HOURS_BUDGET

    @property
    def saved(self) -> float:
        """Saving over 30 days compared with today [$]."""
        return Center().now.cost - self.now.cost

    @property
    def soon(self) -> bool:
        """Whether the time to the result is within the challenge's limit."""
        return self.now.total <= k.HOURS_TARGET

    @property
    def urgent_soon(self) -> bool:
        """Whether urgent jobs start within the challenge's limit."""
        return self.urgent_wait <= k.HOURS_URGENT_TARGET


say = Sentences(
    Center,
    formats={"hours": lambda time, digits=3: f"{f.significant(time / k.HOUR, digits)} h"},
)
