"""Placement: one training run that starts scattered or waits, and a stream of jobs."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from lessons.placement.laboratory.packing import PACKINGS, Packed, packed
from lessons.placement.model import CHARTED, MIXES, NODES, STREAMS, Run, averages, saturation, serve
from physics import constants as k
from physics.placement import hierarchical_all_reduce_time, worth_waiting
from physics.speedup import all_reduce_time
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, toggle
from ui.knobs.declared import knobs_of

#: Policies that choose the node of a job, by the ids of `physics.placement.place`.
POLICIES = ("best", "worst", "first")
#: GPUs of the message's run, as many as a node has.
GPUS = int(k.PLACE_GPUS)
#: Both starts finish together if a step of the wait's slider cannot bring their ends closer [s].
TOGETHER = k.PLACE_WAIT.step / 2
#: Two numbers that differ by less, as a share, are equal but for rounding [1].
TIE = 1e-9


def hours(seconds: float) -> str:
    """Write a time in hours from one hour on, even beyond a day, and a shorter one in its own unit.

    >>> hours(81076), hours(1986), hours(360_000)
    ('22.5 h', '33.1 min', '100 h')
    """
    if seconds >= k.HOUR:
        return f"{f.significant(seconds / k.HOUR)} h"
    return f.duration(seconds)


@dataclass(frozen=True)
class Training:
    """Training run on eight GPUs, on one node or scattered, and a stream of jobs; all SI."""

    page: ClassVar[str] = "placement"
    draws: ClassVar[int] = STREAMS  #: random streams that are averaged
    shown: ClassVar[int] = len(CHARTED)  #: number of these streams that the chart shows
    fleet: ClassVar[int] = NODES * GPUS  #: GPUs that serve the stream

    wait: float = knob(k.PLACE_WAIT, unit=k.HOUR)
    runtime: float = knob(k.PLACE_RUNTIME, unit=k.HOUR)
    parameters: float = knob(
        k.PLACE_PARAMETERS,
        unit=1e9,
        spoken=lambda parameters: f"{f.significant(parameters / 1e9)} billion parameters",
    )
    compute: float = knob(k.PLACE_COMPUTE, spoken=f.duration)
    between: float = knob(k.PLACE_BETWEEN, unit=k.GB, spoken=lambda rate: f.data_rate(rate, 4))
    spread: int = knob(k.PLACE_SPREAD, spoken="GPU")
    overlap: float = knob(k.PLACE_OVERLAP, unit=0.01, spoken=f.share)
    inside: float = float(k.PLACE_INSIDE)
    mix: str = choice(tuple(MIXES))
    rule: str = choice(POLICIES, segmented=True)
    whole: bool = toggle(default=True)
    load: float = knob(k.PLACE_LOAD, unit=0.01)
    cores: int = knob(k.PLACE_CORES, spoken="core")
    packing: str = choice(PACKINGS)
    draw: int = int(k.PLACE_DRAW)

    def idle(self) -> dict[str, str]:
        """Reasons why a setting has no effect now, by quantity."""
        ring = all_reduce_time(GPUS, self.gradient, self.between)
        if self.overlap == 1 and ring <= self.compute:
            return {"spread": "computing hides all communication"}
        return {}

    @property
    def gradient(self) -> float:
        """Bytes that each GPU contributes to an all-reduce [B]."""
        return self.parameters * k.PLACE_GRADIENT

    @property
    def nodes(self) -> int:
        """Number of nodes of a scattered run."""
        return GPUS // self.spread

    @cached_property
    def near(self) -> float:
        """Communication time of a step with all GPUs on one node [s]."""
        return all_reduce_time(GPUS, self.gradient, self.inside)

    @cached_property
    def far(self) -> float:
        """Communication time of a step with scattered GPUs [s]."""
        return hierarchical_all_reduce_time(
            self.nodes, self.spread, self.gradient, self.inside, self.between
        )

    def step(self, communication: float) -> float:
        """Time of a training step with this communication time [s]."""
        return self.compute + max((1 - self.overlap) * communication, communication - self.compute)

    @cached_property
    def steps(self) -> dict[str, float]:
        """Time of a step on one node (`near`) and of a scattered one (`far`) [s], compared.

        A scattered step takes `ratio` times as long, which is `longer` by this share [1]. Of its
        communication, `hidden` overlaps with computing, and the GPUs wait for the rest, `seen` [s].
        """
        near = self.step(self.near)
        far = self.step(self.far)
        return {
            "near": near,
            "far": far,
            "ratio": far / near,
            "longer": far / near - 1,
            "hidden": min(self.overlap * self.far, self.compute),
            "seen": far - self.compute,
        }

    @property
    def ends(self) -> dict[str, float]:
        """Finish times of a start `now` on scattered GPUs and of one `later` on a node [s].

        `gain` is the time that waiting saves, negative if it costs time, and `apart` its size [s].
        """
        now = self.runtime * self.steps["ratio"]
        later = self.wait + self.runtime
        return {"now": now, "later": later, "gain": now - later, "apart": abs(now - later)}

    @property
    def break_even(self) -> float:
        """Longest time that the whole node is worth waiting for [s]."""
        return worth_waiting(self.runtime, self.steps["near"], self.steps["far"])

    @property
    def faster(self) -> float:
        """Link speed inside a node relative to between nodes [1]."""
        return self.inside / self.between

    def slowdown(self, gpus: int) -> float:
        """Slowdown of a scattered job of the stream, limited by the slowest link [1]."""
        near = all_reduce_time(gpus, self.gradient, self.inside)
        far = all_reduce_time(gpus, self.gradient, self.between)
        return max(1.0, self.step(far) / self.step(near))

    def run(self, policy: str, draw: int) -> Run:
        """Serve one of the streams under a policy."""
        return serve(self.mix, self.load, draw, policy, self.whole, self.slow)

    @property
    def slow(self) -> tuple[float, ...]:
        """Slowdown of a scattered job by size [1]; 1 if no job is scattered."""
        # Without scattered jobs the links do not matter: all their settings share one cached run.
        if self.whole:
            return (1.0,) * len(MIXES[self.mix])
        return tuple(self.slowdown(size) for size in MIXES[self.mix])

    @cached_property
    def streams(self) -> dict[str, list[Run]]:
        """Results of all drawn streams under each policy."""
        return {policy: [self.run(policy, draw) for draw in CHARTED] for policy in POLICIES}

    @cached_property
    def averages(self) -> dict[str, dict[str, f.Mean]]:
        """Averages over all streams by policy, named like those of one run."""
        return {
            policy: averages(self.mix, self.load, policy, self.whole, self.slow)
            for policy in POLICIES
        }

    @property
    def average(self) -> dict[str, f.Mean]:
        """Mean results of streams under the selected policy."""
        return self.averages[self.rule]

    @cached_property
    def stream(self) -> Run:
        """Results of the stream that has the selected number, under the selected policy."""
        return self.run(self.rule, self.draw)

    @property
    def packed(self) -> Packed:
        """State of the nodes that jobs with needs for cores and memory meet, averaged."""
        return packed(self.cores, self.load, self.packing)

    @cached_property
    def saturation(self) -> dict[str, float]:
        """Highest load that each policy can serve [1], simulated with jobs that always wait."""
        return {policy: saturation(self.mix, policy, self.whole, self.slow) for policy in POLICIES}

    @property
    def overloaded(self) -> list[str]:
        """Policies under which the load has no steady state."""
        return [policy for policy, limit in self.saturation.items() if self.load >= limit]


def site(runtime: float, near: float, far: float, work: float = 0.0) -> dict[str, float]:
    """Return how long a job should wait for the nearer of two sites [s], and wrong answers.

    `runtime` is the job's time at the nearer site; a unit of its work takes `work`, and `near` or
    `far` for transport [s].
    """
    worth = worth_waiting(runtime, work + near, work + far)
    return {
        "worth": worth,
        "far_run": runtime + worth,
        "saved": runtime * worth / (runtime + worth),
        "links": far / near,
        "ignoring": worth_waiting(runtime, near, far),
    }


say = Sentences(
    Training,
    formats={
        "hours": hours,
        "pieces": lambda number: f.count(float(f"{number:.2g}"), "GPU"),
        "gpus": lambda number: f.count(round(number, 1), "GPU"),
        "billion": lambda number: f"{f.significant(number / 1e9)} billion",
        "rule": lambda rule: knobs_of(Training)["rule"].words(rule).lower(),
    },
)
#: Settings of the challenge's three runs that compete for the same node, by run.
RUNS = {name: say.cases[f"run_{name.lower()}"] for name in "ABC"}
