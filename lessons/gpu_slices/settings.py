"""GPU slices: which instances are asked for on one GPU, the stream of requests, and the cluster of the second act."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from physics import constants as k
from physics.slicing import PROFILES, Placement, Stranded, layouts, placeable, stranded
from physics.slicing.gangs import gang_start_probability
from physics.slicing.streams import best_subset, created
from ui.knobs import Group, choice, knob

#: Profile of each knob that counts instances, smallest first.
KINDS = {
    "one": "1g.10gb",
    "one_wide": "1g.20gb",
    "two": "2g.20gb",
    "three": "3g.40gb",
    "four": "4g.40gb",
    "seven": "7g.80gb",
}
GPUS = {"A100-80GB": "A100", "H100-80GB": "H100"}
RULES = {"first": "First-fit", "best": "Best-fit"}
#: Shares of the profiles asked for, in the order of `KINDS`.
MIXES = {
    "mixed": ("A bit of everything", (4, 1, 3, 3, 2, 1)),
    "small": ("Small, and now and then a whole GPU", (10, 0, 3, 0, 0, 1)),
    "halves": ("Halves and sevenths", (6, 0, 0, 3, 3, 0)),
    "memory": ("Little compute, much memory", (2, 6, 2, 2, 0, 0)),
}
STREAM = Group(
    "Knobs of the stream", ":material/stacks:", "They act on the views “Stream of requests” and “Animation”."
)
SECOND = Group(
    "Settings for part 2",
    ":material/groups:",
    "They act on the gang and on fragmentation alone.",
    name="knobs_of_the_second_act",
)


def _instances(name: str, constant: k.Constant) -> int:
    profile = KINDS[name]
    words = f"How many instances of {profile} are asked for on the one GPU."
    return knob(constant, f"{profile} (instances)", help=words)


@dataclass(frozen=True)
class Slices:
    """What is asked for on one GPU, the stream of requests, and the cluster of the second act."""

    page: ClassVar[str] = "gpu_slices"

    gpu: str = choice(GPUS, segmented=True)
    one: int = _instances("one", k.SLICES_ONE)
    one_wide: int = _instances("one_wide", k.SLICES_ONE_WIDE)
    two: int = _instances("two", k.SLICES_TWO)
    three: int = _instances("three", k.SLICES_THREE)
    four: int = _instances("four", k.SLICES_FOUR)
    seven: int = _instances("seven", k.SLICES_SEVEN)
    rule: str = choice(RULES, segmented=True, group=STREAM)
    mix: str = choice({name: words for name, (words, _) in MIXES.items()}, group=STREAM)
    gpus: int = knob(k.SLICES_GPUS, group=STREAM)
    stay: float = knob(k.SLICES_STAY, group=STREAM)
    draw: int = knob(k.SLICES_DRAW, group=STREAM)
    moment: int = knob(k.SLICES_MOMENT, group=STREAM)
    free: float = knob(k.SLICES_FREE, unit=0.01, group=SECOND)
    nodes: int = knob(k.SLICES_NODES, group=SECOND, spoken=str)
    needed: int = knob(k.SLICES_NEEDED, group=SECOND)
    block: int = knob(k.SLICES_BLOCK, positions=(1, 2, 4, 8, 16, 32, 64), group=SECOND)
    job: int = knob(k.SLICES_JOB, group=SECOND)

    @property
    def names(self) -> tuple[str, ...]:
        """Profiles of the instances asked for, smallest first."""
        return tuple(profile for field, profile in KINDS.items() for _ in range(getattr(self, field)))

    @property
    def compute(self) -> int:
        """Compute slices asked for."""
        return sum(PROFILES[self.gpu][name].compute for name in self.names)

    @property
    def memory(self) -> int:
        """Memory slices asked for."""
        return sum(PROFILES[self.gpu][name].memory for name in self.names)

    @cached_property
    def fits(self) -> bool:
        """Whether all of them fit on one GPU."""
        return placeable(self.names, self.gpu)

    @cached_property
    def placed(self) -> tuple[Placement, ...]:
        """All of them, or the choice that takes most compute slices, where least is stranded beside them."""
        return least_stranded(self.gpu)[tuple(sorted(best_subset(self.names, self.gpu)))]

    @cached_property
    def in_order(self) -> tuple[Placement, ...]:
        """What is placed when they are created smallest first, as in the examples of NVIDIA's guide."""
        return tuple(place for place in created(self.names, self.gpu) if place)

    @property
    def left(self) -> Stranded:
        """What stays free beside the instances placed with hindsight."""
        return stranded([self.placed], gpu=self.gpu)

    def chance(self, nodes: int | None = None, block: int = 1) -> float:
        """Chance that the gang finds its nodes."""
        return gang_start_probability(self.free, self.nodes if nodes is None else nodes, self.needed, block)


@lru_cache(maxsize=2)
def least_stranded(gpu: str) -> Mapping[tuple[str, ...], tuple[Placement, ...]]:
    """For each set of profiles that fits, in order of names, where least compute and then least memory is stranded."""

    def wasted(layout: tuple[Placement, ...]) -> tuple[int, int]:
        left = stranded([layout], gpu=gpu)
        return left.compute, left.memory

    found: dict[tuple[str, ...], tuple[Placement, ...]] = {}
    for layout in sorted(layouts(gpu, maximal=False), key=wasted):
        found.setdefault(tuple(sorted(place.profile for place in layout)), layout)
    return found
