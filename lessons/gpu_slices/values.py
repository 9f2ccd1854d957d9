"""GPU slices: which instances are asked for on one GPU, whether they fit, and the lesson's numbers in words.

The picture of the slots is in `lessons.gpu_slices.slots`, the stream of requests in `lessons.gpu_slices.stream`, the
second act, gangs and fragments, in `lessons.gpu_slices.gang`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache

from physics import constants as k
from physics.numerics.checks import count, finite
from physics.slicing import PROFILES, Placement, Stranded, layouts, placeable, stranded
from physics.slicing.gangs import gang_start_probability
from physics.slicing.streams import best_subset, created, most_compute
from ui.base import format as f
from ui.record.compare import Result

#: Profile of each knob that counts instances, smallest first.
KINDS = {
    "one": "1g.10gb",
    "one_wide": "1g.20gb",
    "two": "2g.20gb",
    "three": "3g.40gb",
    "four": "4g.40gb",
    "seven": "7g.80gb",
}
KNOBS = {
    "one": k.SLICES_ONE,
    "one_wide": k.SLICES_ONE_WIDE,
    "two": k.SLICES_TWO,
    "three": k.SLICES_THREE,
    "four": k.SLICES_FOUR,
    "seven": k.SLICES_SEVEN,
    "gpus": k.SLICES_GPUS,
    "stay": k.SLICES_STAY,
    "draw": k.SLICES_DRAW,
    "moment": k.SLICES_MOMENT,
    "free": k.SLICES_FREE,
    "nodes": k.SLICES_NODES,
    "needed": k.SLICES_NEEDED,
    "block": k.SLICES_BLOCK,
    "job": k.SLICES_JOB,
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
MIX_WORDS = {name: words for name, (words, _) in MIXES.items()}
BLOCKS = (1, 2, 4, 8, 16, 32, 64)
NODE_STEP = 16
VIEWS = {"stream": "Stream of requests", "gang": "Second act: a gang", "free": "Fragmentation"}
PRESETS = {
    "The message's request": {},
    "Two 3g.40gb alone": {"one": 0},
    "Seven sevenths: 4g + 2g + 1g": {"one": 1, "two": 1, "three": 0, "four": 1},
    "Order matters: 3g + 2g + 1g + 1g": {"one": 2, "two": 1, "three": 1},
    "Twice 4g: eight memory slices": {"one": 0, "three": 0, "four": 2},
    "Seven 1g.10gb": {"one": 7, "three": 0},
    "Halves and sevenths in a stream": {"mix": "halves", "view": "stream"},
    "64 of 256 nodes": {"nodes": 256, "view": "gang"},
    "64 of 400 nodes": {"nodes": 400, "view": "gang"},
}


@dataclass(frozen=True)
class Slices:
    """What is asked for on one GPU, the stream of requests, and the cluster of the second act."""

    gpu: str = "A100-80GB"
    one: int = int(k.SLICES_ONE)
    one_wide: int = int(k.SLICES_ONE_WIDE)
    two: int = int(k.SLICES_TWO)
    three: int = int(k.SLICES_THREE)
    four: int = int(k.SLICES_FOUR)
    seven: int = int(k.SLICES_SEVEN)
    rule: str = "first"
    mix: str = "mixed"
    gpus: int = int(k.SLICES_GPUS)
    stay: float = float(k.SLICES_STAY)
    draw: int = int(k.SLICES_DRAW)
    moment: int = int(k.SLICES_MOMENT)
    free: float = float(k.SLICES_FREE)
    nodes: int = int(k.SLICES_NODES)
    needed: int = int(k.SLICES_NEEDED)
    block: int = int(k.SLICES_BLOCK)
    job: int = int(k.SLICES_JOB)

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


def defaults() -> Slices:
    """Return the settings that the page opens with: the message's request."""
    return Slices()


def settings(quantities: Mapping[str, object]) -> Slices:
    """Read the knobs by quantity; a quantity that is missing has its default.

    Raises
    ------
    ValueError
        When a count is not whole, a quantity is not a number, or a choice is not one of its options.
    """
    known = {field.name for field in fields(Slices)}
    return Slices(**{name: _read(name, value) for name, value in quantities.items() if name in known})


def _read(name: str, value: object) -> str | float | int:
    choices = {"gpu": GPUS, "rule": RULES, "mix": MIXES}
    if name in choices:
        if value not in choices[name]:
            raise ValueError(f"{name} must be one of {', '.join(choices[name])}, got {value!r}")
        return str(value)
    return finite(name, value) if name in ("free", "stay") else count(name, value, 0)


def results(wish: Slices) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    chance = wish.chance()
    return [
        Result("Fits on one GPU", float(wish.fits), "yes" if wish.fits else "no"),
        Result("Compute slices asked for", wish.compute, f"{wish.compute} of {k.SLICES_COMPUTE:.0f}"),
        Result("Memory slices asked for", wish.memory, f"{wish.memory} of {k.SLICES_MEMORY:.0f}"),
        Result("Gang can start", chance, f.share(chance)),
    ]


def metrics_words(wish: Slices) -> dict[str, tuple[str, str, bool | None]]:
    """The headline numbers: label to value, note, and whether it is good."""
    total, placed = len(wish.names), len(wish.placed)
    over = (wish.compute - int(k.SLICES_COMPUTE), wish.memory - int(k.SLICES_MEMORY))
    return {
        "Fits on one GPU": (
            "yes" if wish.fits else "no",
            _kept(placed, total),
            wish.fits,
        ),
        "Compute slices asked": (f"{wish.compute} of {k.SLICES_COMPUTE:.0f}", _over(over[0]), over[0] <= 0),
        "Memory slices asked": (f"{wish.memory} of {k.SLICES_MEMORY:.0f}", _over(over[1]), over[1] <= 0),
        "Stranded": (stranded_words(wish.left), "free, and of use to no profile", None),
    }


def _kept(placed: int, total: int) -> str:
    if not total:
        return "nothing is asked for"
    return f"all of {f.count(total, 'instance')}" if placed == total else f"best choice: {placed} of {total}"


def _over(excess: int) -> str:
    return f"{excess} too many" if excess > 0 else "enough" if excess == 0 else f"{-excess} to spare"


def stranded_words(left: Stranded) -> str:
    """Stranded compute and memory slices."""
    parts = [f"{number} {name}" for number, name in ((left.compute, "compute"), (left.memory, "memory")) if number]
    return ", ".join(parts) or "none"


def listed(names: tuple[str, ...]) -> str:
    """Write instances as a sum.

    >>> listed(("1g.10gb", "3g.40gb", "3g.40gb"))
    '1g.10gb + 2 × 3g.40gb'
    """
    kinds = dict.fromkeys(names)
    return " + ".join(f"{names.count(name)} × {name}" if names.count(name) > 1 else name for name in kinds) or "nothing"


def binding(wish: Slices) -> str:
    """What stands in the way, in words."""
    over = []
    if wish.compute > k.SLICES_COMPUTE:
        over.append(f"{wish.compute} of {k.SLICES_COMPUTE:.0f} compute slices")
    if wish.memory > k.SLICES_MEMORY:
        over.append(f"{wish.memory} of {k.SLICES_MEMORY:.0f} memory slices")
    if over:
        return f"they need {' and '.join(over)}"
    return "the sums fit, but no choice of starts does without two of them overlapping"


@lru_cache(maxsize=1024)
def verdict(wish: Slices) -> str:
    """One sentence: what binds, and the smallest changes that mend it."""
    if not wish.names:
        return "Nothing is asked for: the whole GPU is free."
    if wish.fits:
        text = f"{listed(wish.names)} fits on one {GPUS[wish.gpu]}."
        if len(wish.in_order) < len(wish.names):
            text += (
                f" But the order of creation matters: smallest first, only {len(wish.in_order)} of {len(wish.names)} "
                "find a place if the driver chooses places as in the examples of NVIDIA's guide (its rule is not "
                "published); largest first, all do."
            )
        if wish.left.compute or wish.left.memory:
            text += f" Stranded beside it: {stranded_words(wish.left)}."
        return text
    return f"Does not fit: {binding(wish)}. {mends(wish)}"


def mends(wish: Slices) -> str:
    """The smallest changes after which it fits."""
    found = [
        f"leave out one {profile}"
        for field, profile in KINDS.items()
        if getattr(wish, field) and replace(wish, **{field: getattr(wish, field) - 1}).fits
    ]
    smaller = {"two": ("one",), "three": ("two", "one"), "four": ("three", "two"), "seven": ("four", "three")}
    for large, others in smaller.items():
        if getattr(wish, large):
            changes = {small: {large: getattr(wish, large) - 1, small: getattr(wish, small) + 1} for small in others}
            small = next((small for small in others if replace(wish, **changes[small]).fits), None)
            if small:
                found.append(f"take one {KINDS[small]} for one {KINDS[large]}")
    gpus = next((n for n in (2, 3) if most_compute(wish.names, n, wish.gpu) == wish.compute), None)
    if gpus:
        found.append(f"spread them over {gpus} GPUs")
    if not found:
        return (
            f"The choice that takes most compute slices keeps {len(wish.placed)} of the {len(wish.names)}: "
            f"{listed(_names(wish.placed))}."
        )
    return f"{'Any one of these mends it' if len(found) > 1 else 'This mends it'}: {'; '.join(found)}."


def _names(placed: tuple[Placement, ...]) -> tuple[str, ...]:
    order = list(KINDS.values())
    return tuple(sorted((place.profile for place in placed), key=order.index))


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own request and of the second act's story, whatever the knobs say."""
    wish = Slices()
    at = {nodes: wish.chance(nodes) for nodes in (256, 320, 400)}
    blocks = {nodes: wish.chance(nodes, 8) for nodes in (256, 400)}
    return {
        "story_compute": f"{wish.compute}",
        "story_memory": f"{wish.memory}",
        "compute_slices": f"{k.SLICES_COMPUTE:.0f}",
        "memory_slices": f"{k.SLICES_MEMORY:.0f}",
        "layouts_without": f.significant(len(layouts(without=["1g.20gb"]))),
        "layouts_all": f.significant(len(layouts())),
        "story_needed": f.significant(wish.needed),
        "story_free": f.share(wish.free),
        "story_named": f.significant(wish.free**wish.needed, 2),
        "story_256": f"{at[256]:.3f}",
        "story_320": f.significant(at[320], 2),
        "story_400": f.significant(at[400], 2),
        "story_256_share": f.share(at[256], 2),
        "story_400_share": f.share(at[400], 2),
        "story_256_blocks": f.share(blocks[256], 2),
        "story_400_blocks": f.share(blocks[400], 2),
        "story_256_mean": f.significant(256 * wish.free),
        "story_400_mean": f.significant(400 * wish.free),
        "story_four_blocks": f.share(wish.chance(256, 64), 2),
    }


def live_values(wish: Slices) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    # Imported here, since both modules build on this one.
    from lessons.gpu_slices import gang as slices_gang
    from lessons.gpu_slices import stream as slices_stream

    return (
        _story()
        | slices_stream.values(wish)
        | slices_gang.values(wish)
        | {
            "asked": listed(wish.names),
            "asked_compute": f"{wish.compute} of {k.SLICES_COMPUTE:.0f}",
            "asked_memory": f"{wish.memory} of {k.SLICES_MEMORY:.0f}",
            "placed_words": placed_words(wish),
            "left_words": stranded_words(wish.left),
        }
    )


def placed_words(wish: Slices) -> str:
    """Where the instances are."""
    if not wish.names:
        return "Nothing is asked for."
    places = ", ".join(f"{place.profile} at {place.start}" for place in wish.placed)
    if wish.fits:
        return f"Your instances fit, for example as {places}."
    return f"Your instances do not fit: {binding(wish)}. The choice that takes most compute slices is {places}."
