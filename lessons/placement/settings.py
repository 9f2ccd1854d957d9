"""Placement: one training run that starts scattered or waits, and a stream of jobs."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from lessons.placement.laboratory.packing import CORES, PACKINGS, Packed, packed
from lessons.placement.model import MIXES, NODES, SHOWN, STREAMS, Run, averages, saturation, serve
from physics import constants as k
from physics.placement import hierarchical_all_reduce_time, worth_waiting
from physics.speedup import all_reduce_time
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, toggle
from ui.knobs.declared import knobs_of

PARAMETERS = (0.125, 0.35, 0.76, 1.3, 2.7, 7, 13)
COMPUTE = (0.1, 0.2, 0.5, 1, 2, 5, 10)
BETWEEN = (1.25, 3.125, 6.25, 12.5, 25, 50)
POLICIES = ("best", "worst", "first")
GPUS = int(k.PLACE_GPUS)
#: Both starts end together where a step of the knob cannot bring their ends closer [s].
TOGETHER = k.PLACE_WAIT.step / 2
#: What rounds differently is no difference [1].
TIE = 1e-9


def hours(seconds: float) -> str:
    """Write a time in hours, even if long, or in minutes if it is short.

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
    shown: ClassVar[int] = len(SHOWN)  #: of these, the streams that are drawn
    fleet: ClassVar[int] = NODES * GPUS  #: GPUs of the stream

    wait: float = knob(k.PLACE_WAIT, unit=k.HOUR)
    runtime: float = knob(k.PLACE_RUNTIME, unit=k.HOUR)
    parameters: float = knob(
        k.PLACE_PARAMETERS,
        positions=PARAMETERS,
        unit=1e9,
        spoken=lambda parameters: f"{f.significant(parameters / 1e9)} billion parameters",
    )
    compute: float = knob(k.PLACE_COMPUTE, positions=COMPUTE, spoken=f.duration)
    between: float = knob(
        k.PLACE_BETWEEN, positions=BETWEEN, unit=k.GB, spoken=lambda rate: f.data_rate(rate, 4)
    )
    spread: int = knob(k.PLACE_SPREAD, positions=(1, 2, 4), spoken="GPU")
    overlap: float = knob(k.PLACE_OVERLAP, unit=0.01, spoken=f.share)
    inside: float = float(k.PLACE_INSIDE)
    mix: str = choice(tuple(MIXES))
    rule: str = choice(POLICIES, segmented=True)
    whole: bool = toggle(default=True)
    load: float = knob(k.PLACE_LOAD, unit=0.01)
    cores: int = knob(k.PLACE_CORES, positions=CORES, spoken="core")
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
        """Step time on one node (`near`) and scattered (`far`) [s], and their ratio.

        `ratio` is how many times as long a scattered one is, `longer` by what share [1]. Of its
        communication `hidden` runs behind computing, and it waits for what is `seen` [s].
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
        """Finish times of a start on scattered GPUs `now` and of a `later` start on a node, and the
        `gain` from waiting [s].
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
        # On one node no job is slowed down, whatever the links: the same run serves them all.
        if self.whole:
            return (1.0,) * len(MIXES[self.mix])
        return tuple(self.slowdown(size) for size in MIXES[self.mix])

    @cached_property
    def streams(self) -> dict[str, list[Run]]:
        """Results of all drawn streams under each policy."""
        return {policy: [self.run(policy, draw) for draw in SHOWN] for policy in POLICIES}

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
        return [policy for policy, most in self.saturation.items() if self.load >= most]


def site(runtime: float, near: float, far: float, work: float = 0.0) -> dict[str, float]:
    """Return how long a job should wait for the nearer of two sites [s], and the values of wrong
    options.
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
#: The three runs of the challenge that want the same node.
RUNS = {name: say.cases[f"run_{name.lower()}"] for name in "ABC"}
