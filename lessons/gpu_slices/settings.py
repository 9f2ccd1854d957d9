"""GPU slices: the instances on one GPU, a stream of requests, and a job that needs many nodes."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from physics import constants as k
from physics.checkpointing.spares import gang_start_probability
from physics.slicing import PROFILES, Placement, Profile, Stranded, bits, occupied, room, stranded
from physics.slicing.layouts import unusable_slices
from physics.slicing.streams import Request, Run, most_compute, random_requests, serve
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, text

COMPUTE = int(k.SLICES_COMPUTE)
MEMORY = int(k.SLICES_MEMORY)
#: Profiles of instances by name, the smallest first; an H100 has the same.
KINDS = PROFILES["A100-80GB"]
NAMES = tuple(KINDS)
#: Three instances whose names add up to seven sevenths.
WANTED = ("3g.40gb", "3g.40gb", "1g.10gb")
#: Instances on the message's GPU.
RUNNING = (Placement(0, "2g.20gb"), Placement(6, "1g.20gb"))
#: Text of a layout without instances.
EMPTY = "empty"
#: Names of the policies that serve a stream of requests, by their ids in `physics.slicing`.
RULES = {"first": "First-fit", "best": "Best-fit"}
#: Weights of the profiles in a stream, smallest profile first.
MIXES = {
    "mixed": (4, 1, 3, 3, 2, 1),
    "small": (10, 0, 3, 0, 0, 1),
    "halves": (6, 0, 0, 3, 3, 0),
    "memory": (2, 6, 2, 2, 0, 0),
}
SEED = 20201027  #: of the random numbers, together with the number of the stream
DRAWS = int(k.SLICES_DRAW.high)  #: number of streams that the chart shows


def refusal(placed: tuple[Placement, ...], name: str, start: int) -> str:
    """Return why an instance cannot start at a slice, "start" or "overlap", or "" if it can.

    An instance at an allowed start that overlaps nothing always finds enough compute slices.
    """
    if start not in KINDS[name].starts:
        return "start"
    if occupied(placed)[0] & bits(KINDS[name], start):
        return "overlap"
    return ""


def write(placed: tuple[Placement, ...]) -> str:
    """Write a layout as one short line: "" for the message's, "empty" for one without instances.

    >>> write((Placement(4, "3g.40gb"), Placement(0, "1g.10gb")))
    '1g.10gb@0,3g.40gb@4'
    """
    placed = tuple(sorted(placed))
    if placed == RUNNING:
        return ""
    return ",".join(f"{placement.profile}@{placement.start}" for placement in placed) or EMPTY


def parse(line: str) -> tuple[Placement, ...]:
    """Parse the output of `write`.

    Raises
    ------
    ValueError
        One clause about the first instance that is unknown or cannot be where it is.
    """
    if not line:
        return RUNNING
    placed: tuple[Placement, ...] = ()
    if line == EMPTY:
        return placed
    for instance in line.split(","):
        name, _, start = instance.partition("@")
        if name not in NAMES or not re.fullmatch(r"[0-7]", start):
            raise ValueError("an instance must look like 3g.40gb@4")
        reason = refusal(placed, name, int(start))
        if reason == "start":
            raise ValueError(f"a {name} may not begin at slice {start}")
        if reason == "overlap":
            raise ValueError(f"the {name} at slice {start} overlaps another instance")
        placed = (*placed, Placement(int(start), name))
    return tuple(sorted(placed))


def places(placed: tuple[Placement, ...]) -> str:
    """Write the profile and start position of each instance."""
    texts = (f"{placement.profile} at {placement.start}" for placement in placed)
    return ", ".join(texts) or "nothing"


def any_of(slices: tuple[int, ...]) -> str:
    """Join slice numbers with "or"."""
    return f.listed(map(str, slices), "or")


def chance(probability: float) -> str:
    """Write a probability as a percentage, or as a power of ten if it is tiny.

    >>> chance(0.5223), chance(0.2**64), chance(0.0)
    ('52.2%', '1.8 × 10⁻⁴⁵', 'less than 10⁻³⁰⁰')
    """
    if probability > 1e-6:
        return f.share(probability)
    if probability > 1e-300:
        return f.scientific(probability, 2)
    return f"less than {f.power(-300)}"


@dataclass(frozen=True)
class Trial:
    """Results of one stream of requests under both policies, with an upper bound."""

    runs: dict[str, Run]  #: by policy
    used: dict[str, tuple[int, ...]]  #: compute slices in use after each request, by policy
    bound: tuple[int, ...]  #: most compute slices that any policy can use after each request

    @property
    def mean(self) -> dict[str, float]:
        """Mean compute slices in use over all requests, by policy, and the mean bound [1]."""
        used = {"bound": self.bound} | self.used
        return {name: float(np.mean(slices)) for name, slices in used.items()}

    @property
    def refused(self) -> dict[str, int]:
        """Refused requests, by policy [1]."""
        return {rule: run.refused for rule, run in self.runs.items()}

    def unusable(self, rule: str, profile: str) -> float:
        """Mean share of the free compute slices that a request for a profile cannot use [1]."""
        run = self.runs[rule]
        moments = len(self.bound)
        free = run.gpus * moments * k.SLICES_COMPUTE - sum(self.used[rule])
        if not free:
            return 0.0
        return sum(unusable_slices(run.held(n), {profile: 1.0}) for n in range(moments)) / free


def draw_requests(mix: str, stay: float, draw: int) -> tuple[Request, ...]:
    """Draw the stream of requests that has the number `draw`."""
    rng = np.random.default_rng([SEED, draw])
    weights = dict(zip(NAMES, MIXES[mix], strict=True))
    return random_requests(int(k.SLICES_REQUESTS), weights, stay, rng)


@lru_cache(maxsize=64)
def refusal_counts(mix: str, gpus: int, stay: float, rule: str) -> tuple[int, ...]:
    """Return how many requests one policy refuses on each of all streams [1]."""
    draws = range(1, int(k.SLICES_STREAMS) + 1)
    return tuple(serve(draw_requests(mix, stay, draw), gpus, rule).refused for draw in draws)


@lru_cache(maxsize=128)
def trial(mix: str, gpus: int, stay: float, draw: int) -> Trial:
    """Serve the stream with the number `draw` under both policies."""
    requests = draw_requests(mix, stay, draw)
    moments = range(len(requests))
    bound = []
    for moment in moments:
        alive = [request.profile for request in requests if request.alive(moment)]
        bound.append(most_compute(alive, gpus))
    runs = {rule: serve(requests, gpus, rule) for rule in RULES}
    used = {rule: tuple(map(run.compute, moments)) for rule, run in runs.items()}
    return Trial(runs, used, tuple(bound))


@dataclass(frozen=True)
class Slices:
    """Instances on one GPU, a stream of requests, and the nodes of a large job."""

    page: ClassVar[str] = "gpu_slices"

    profile: str = choice({name: name for name in NAMES}, default="3g.40gb", segmented=True)
    start: int = knob(k.SLICES_START)
    layout: tuple[Placement, ...] = text(RUNNING, parse=parse, write=write, spoken=places)
    mix: str = choice(tuple(MIXES))
    gpus: int = knob(k.SLICES_GPUS)
    stay: float = float(k.SLICES_STAY)
    draw: int = knob(k.SLICES_DRAW)
    asked: str = choice({name: name for name in NAMES}, default="3g.40gb", segmented=True)
    free: float = knob(k.SLICES_FREE, unit=0.01)
    nodes: int = knob(k.SLICES_NODES)
    needed: int = knob(k.SLICES_NEEDED, high="nodes")
    block: int = knob(k.SLICES_BLOCK)

    @property
    def one(self) -> Profile:
        """Selected profile."""
        return KINDS[self.profile]

    def instance_at(self, slice: int) -> Placement | None:
        """Return the instance in a memory slice; None if the slice is free."""
        for placement in self.layout:
            if occupied((placement,))[0] >> slice & 1:
                return placement
        return None

    def without(self, instance: Placement) -> tuple[Placement, ...]:
        """Return the layout after an instance has stopped."""
        return tuple(other for other in self.layout if other != instance)

    def refusal(self, start: int) -> str:
        """Return why the selected profile cannot start at a slice, as the function `refusal`."""
        return refusal(self.layout, self.profile, start)

    @cached_property
    def compute(self) -> int:
        """Number of compute slices that the instances use [1]."""
        return occupied(self.layout)[1]

    @cached_property
    def memory(self) -> int:
        """Number of memory slices that the instances use [1]."""
        return occupied(self.layout)[0].bit_count()

    @property
    def full(self) -> dict[str, bool]:
        """Whether all compute slices, and all memory slices, are in use, by kind."""
        return {"compute": self.compute == COMPUTE, "memory": self.memory == MEMORY}

    @property
    def instances(self) -> int:
        """Number of instances on the GPU [1]."""
        return len(self.layout)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Memory slices at which the selected profile can start now."""
        return tuple(start for start in self.one.starts if not self.refusal(start))

    @property
    def starts_left(self) -> int:
        """Number of start positions at which the selected profile fits now [1]."""
        return len(self.starts)

    @property
    def starts_all(self) -> int:
        """Number of start positions of the selected profile on an empty GPU [1]."""
        return len(self.one.starts)

    @cached_property
    def left(self) -> Stranded:
        """Free slices of the GPU, and how many of them further instances can use."""
        return stranded([self.layout])

    @property
    def wanted(self) -> dict[str, int]:
        """Compute and memory slices that two 3g.40gb and one 1g.10gb instance need [1]."""
        return {
            "compute": sum(KINDS[name].compute for name in WANTED),
            "memory": sum(KINDS[name].memory for name in WANTED),
        }

    @property
    def unused(self) -> dict[str, int]:
        """Free slices of both kinds, and how many of them no instance can use [1]."""
        left = self.left
        free = left.free_compute + left.free_memory
        return {"free": free, "stranded": left.compute + left.memory}

    @property
    def trial(self) -> Trial:
        """Run of the stream under both policies."""
        return trial(self.mix, self.gpus, self.stay, self.draw)

    @property
    def refusals(self) -> dict[str, list[int]]:
        """Number of requests that each policy refuses on each charted stream [1]."""
        return {rule: list(self._refusal_counts(rule)[:DRAWS]) for rule in RULES}

    def _refusal_counts(self, rule: str) -> tuple[int, ...]:
        """Return how many requests a policy refuses on each of all streams [1]."""
        return refusal_counts(self.mix, self.gpus, self.stay, rule)

    @property
    def streams(self) -> dict[str, int]:
        """Charted streams on which each policy refuses fewer requests, or both equally many [1]."""
        fewer = np.subtract(self.refusals["first"], self.refusals["best"])
        best = int((fewer > 0).sum())
        first = int((fewer < 0).sum())
        return {"all": DRAWS, "best": best, "first": first, "same": DRAWS - best - first}

    @property
    def compared(self) -> dict[str, float]:
        """How many requests `fewer` the better policy refuses, with a 95% interval [1].

        `best_ahead` is whether that policy is best-fit, `clear` whether the interval excludes 0.
        """
        differences = np.subtract(self._refusal_counts("first"), self._refusal_counts("best"))
        mean = float(differences.mean())
        fewer = abs(mean)
        half_width = 1.96 * float(differences.std(ddof=1)) / len(differences) ** 0.5
        return {
            "fewer": fewer,
            "clear": fewer > half_width,
            "best_ahead": mean > 0,
            "low": max(0.0, fewer - half_width),
            "high": fewer + half_width,
        }

    @property
    def capacity(self) -> int:
        """Number of compute slices of all GPUs that serve the stream [1]."""
        return COMPUTE * self.gpus

    @property
    def lost(self) -> dict[str, float]:
        """Share of the free compute slices that the next request cannot use, by policy [1]."""
        return {rule: self.trial.unusable(rule, self.asked) for rule in self.trial.runs}

    @property
    def gang(self) -> dict[str, float]:
        """Probability that enough nodes are free for the job, under three assumptions [1].

        `chance` holds for independent nodes, `together` for blocks of nodes that are free or busy
        as one, and `named` for a fixed list of nodes. `likely` is whether the job more likely
        starts than not, and `mean` the mean number of free nodes.
        """
        chance = gang_start_probability(self.free, self.nodes, self.needed, 1)
        return {
            "chance": chance,
            "together": gang_start_probability(self.free, self.nodes, self.needed, self.block),
            "named": self.free**self.needed,
            "likely": chance >= 0.5,
            "mean": self.nodes * self.free,
        }


def dead(placed: tuple[Placement, ...]) -> tuple[int, ...]:
    """Return the free memory slices of a GPU that no further instance can use.

    >>> dead((Placement(0, "3g.40gb"), Placement(4, "3g.40gb")))
    ()
    >>> dead((Placement(0, "4g.40gb"), Placement(4, "2g.20gb"), Placement(6, "1g.10gb")))
    (7,)
    """
    mask, compute = occupied(placed)
    usable = mask
    for name, profile in KINDS.items():
        for start in room(mask, compute, name):
            usable |= bits(profile, start)
    return tuple(slice for slice in range(MEMORY) if not usable >> slice & 1)


def short_name(profile: str, size: int) -> str:
    """Return a profile's name, "3g" for "3g.40gb" if its block is a single slice wide."""
    if size > 1:
        return profile
    return profile.split(".")[0]


def campsite(pitches: int, power: float, each: float) -> dict[str, int]:
    """Return how many vans a campsite serves, and how many of its pitches stay empty.

    `power` is what the campsite can supply, and `each` what one van needs [same unit].
    """
    vans = min(pitches, int(power // each))
    return {"vans": vans, "empty": pitches - vans, "none": 0}


say = Sentences(
    Slices,
    formats={"chance": chance, "places": places, "list": " and ".join},
)
