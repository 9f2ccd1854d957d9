"""Placement: one training that starts scattered or waits for a node, and a stream of jobs that a rule places."""

from dataclasses import dataclass
from functools import cached_property

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

    wait: float = knob(
        k.PLACE_WAIT,
        "A whole node is free in (h)",
        unit=k.HOUR,
        help="How long the training would have to wait for eight GPUs of one node.",
    )
    runtime: float = knob(
        k.PLACE_RUNTIME, "Run time on one node (h)", unit=k.HOUR, help="Of the training, once it has a node."
    )
    parameters: float = knob(
        k.PLACE_PARAMETERS,
        "Parameters (billion)",
        positions=PARAMETERS,
        unit=1e9,
        help="Each has a gradient of 2 bytes, which all GPUs add up after every step.",
        change="train {}",
        spoken=lambda parameters: f"{f.significant(parameters / 1e9)} billion parameters",
    )
    compute: float = knob(
        k.PLACE_COMPUTE,
        "Computing a step (s)",
        positions=COMPUTE,
        help="Time that each GPU computes in one step; larger batches compute longer.",
        change="compute {} a step",
        spoken=f.duration,
    )
    between: float = knob(
        k.PLACE_BETWEEN,
        "Between nodes, each GPU (GB/s)",
        positions=BETWEEN,
        unit=k.GB,
        help="Each GPU's own link to other nodes, in one direction: 25 GB/s is 200 Gb/s.",
        change="links of {} between nodes",
        spoken=lambda rate: f.data_rate(rate, 4),
    )
    spread: int = knob(
        k.PLACE_SPREAD,
        "Free GPUs on each node",
        positions=(1, 2, 4),
        help="1: eight nodes with one free GPU each; 4: two nodes with four each.",
        change="find {} free on each node",
        spoken=lambda number: f.count(number, "GPU"),
    )
    overlap: float = knob(
        k.PLACE_OVERLAP,
        "Communication hidden (%)",
        unit=0.01,
        help="Share of the communication that runs behind computing; no more can hide than there is computing.",
        change="hide {} of the communication",
        spoken=f.share,
    )
    inside: float = knob(
        k.PLACE_INSIDE,
        "Inside a node, each GPU (GB/s)",
        positions=INSIDE,
        unit=k.GB,
        help="Each GPU's links inside its node, in one direction: 450 and 300 are NVLink, 64 is PCIe.",
        group=MORE,
    )
    mix: str = choice(
        {name: words for name, (words, _) in MIXES.items()}, "Jobs", help="How many GPUs a job takes.", group=STREAM
    )
    rule: str = choice(
        RULES,
        "Rule",
        help="Of the nodes with room: the one with fewest free GPUs, with most, or the lowest number.",
        segmented=True,
        group=STREAM,
    )
    whole: bool = toggle(
        "Each job on one node",
        help="If off, a job that finds no node with room starts on scattered GPUs and runs longer.",
        default=True,
        group=STREAM,
    )
    load: float = knob(k.PLACE_LOAD, "Load (%)", unit=0.01, help="GPUs asked for, as a share of all.", group=STREAM)
    draw: int = knob(k.PLACE_DRAW, "Number of the stream", help="Each draws other jobs.", group=STREAM)

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
