"""Placement: one training that starts scattered or waits for a node, and a stream of jobs that a rule places."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from physics import constants as k
from physics.placement import hierarchical_all_reduce_time, worth_waiting
from physics.speedup import all_reduce_time
from ui.base import format as f
from ui.knobs import MORE, Group, choice, knob, toggle

PARAMETERS = (0.125, 0.35, 0.76, 1.3, 2.7, 7, 13)
COMPUTE = (0.1, 0.2, 0.5, 1, 2, 5, 10)
BETWEEN = (1.25, 3.125, 6.25, 12.5, 25, 50)
INSIDE = (64, 300, 450)
RULES = {"best": "Best fit", "worst": "Worst fit", "first": "First fit"}
#: GPUs of a job, and how often.
MIXES = {
    "powers": ("1, 2, 4 and 8 GPUs", {1: 0.4, 2: 0.2, 4: 0.2, 8: 0.2}),
    "five": ("5 GPUs, some of 1 and 2", {1: 0.2, 2: 0.2, 5: 0.6}),
}
STREAM = Group("Knobs of the stream", ":material/stacks:", "They act on “A stream of jobs” and “Animation” alone.")
#: GPUs of a node.
NODE = int(k.SLICES_NODE_GPUS)


@dataclass(frozen=True)
class Training:
    """A training on eight GPUs, near or scattered, and the stream of jobs of the second act; all SI."""

    page: ClassVar[str] = "placement"

    wait: float = knob(k.PLACE_WAIT, unit=k.HOUR)
    runtime: float = knob(k.PLACE_RUNTIME, unit=k.HOUR)
    parameters: float = knob(
        k.PLACE_PARAMETERS,
        positions=PARAMETERS,
        unit=1e9,
        spoken=lambda parameters: f"{f.significant(parameters / 1e9)} billion parameters",
    )
    compute: float = knob(k.PLACE_COMPUTE, positions=COMPUTE, spoken=f.duration)
    between: float = knob(k.PLACE_BETWEEN, positions=BETWEEN, unit=k.GB, spoken=lambda rate: f.data_rate(rate, 4))
    spread: int = knob(k.PLACE_SPREAD, positions=(1, 2, 4), spoken=lambda number: f.count(number, "GPU"))
    overlap: float = knob(k.PLACE_OVERLAP, unit=0.01, spoken=f.share)
    inside: float = knob(k.PLACE_INSIDE, positions=INSIDE, unit=k.GB, group=MORE)
    mix: str = choice({name: words for name, (words, _) in MIXES.items()}, group=STREAM)
    rule: str = choice(RULES, segmented=True, group=STREAM)
    whole: bool = toggle(default=True, group=STREAM)
    load: float = knob(k.PLACE_LOAD, unit=0.01, group=STREAM)
    draw: int = knob(k.PLACE_DRAW, group=STREAM)

    def idle(self) -> dict[str, str]:
        """Say of knobs that have no effect at the moment why, by quantity."""
        slowest = all_reduce_time(int(k.PLACE_GPUS), self.gradient, self.between)
        hidden = self.overlap == 1 and slowest <= self.compute
        return dict.fromkeys(("spread", "inside"), "computing hides all communication") if hidden else {}

    @property
    def gradient(self) -> float:
        """Bytes that each GPU contributes to a sum [B]."""
        return self.parameters * float(k.PLACE_GRADIENT)

    @property
    def nodes(self) -> int:
        """Nodes that the training is scattered over."""
        return int(k.PLACE_GPUS) // self.spread

    @cached_property
    def near(self) -> float:
        """Communication of a step on one node [s]."""
        return all_reduce_time(int(k.PLACE_GPUS), self.gradient, self.inside)

    @cached_property
    def far(self) -> float:
        """Communication of a step when scattered [s]."""
        return hierarchical_all_reduce_time(self.nodes, self.spread, self.gradient, self.inside, self.between)

    def hidden(self, communication: float) -> float:
        """How much of the communication of a step runs behind computing [s]."""
        return min(self.overlap * communication, self.compute)

    def step(self, communication: float) -> float:
        """Time of a step with so much communication [s]."""
        return self.compute + max((1 - self.overlap) * communication, communication - self.compute)

    @property
    def ratio(self) -> float:
        """How many times longer a step takes when scattered [1]."""
        return self.step(self.far) / self.step(self.near)

    @property
    def now_ends(self) -> float:
        """When a scattered start now ends [s]."""
        return self.runtime * self.ratio

    @property
    def later_ends(self) -> float:
        """When a start on the whole node ends [s]."""
        return self.wait + self.runtime

    @property
    def break_even(self) -> float:
        """How long the whole node is worth waiting for [s]."""
        return worth_waiting(self.runtime, self.step(self.near), self.step(self.far))

    def slowdown(self, gpus: int) -> float:
        """How many times longer a job of the stream runs when scattered: one ring, as slow as its slowest link [1]."""
        near, far = (all_reduce_time(gpus, self.gradient, link) for link in (self.inside, self.between))
        return max(1.0, self.step(far) / self.step(near))

    @property
    def network_cost(self) -> float:
        """Price of all links between the nodes of the stream [$]."""
        return float(k.PLACE_LINK_PRICE) * self.between * int(k.PLACE_NODES) * NODE
