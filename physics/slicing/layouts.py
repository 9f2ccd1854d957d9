"""Layouts of GPU slices (NVIDIA MIG): instances that fit on one GPU, and unusable slices.

A GPU of this kind has 7 compute slices and 8 memory slices. An instance takes whole slices of both,
and its memory slices must begin at one of the few starts of its profile.

Sources: NVIDIA, Multi-Instance GPU User Guide, "Supported MIG Profiles" and "Concepts:
partitioning". Capacity is fragmented with respect to what is asked for next: Weng et al., "Beware
of fragmentation: scheduling GPU-sharing workloads with fragmentation gradient descent", USENIX ATC
2023.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add

from physics.arguments import Probabilities, one_of, several, within_range
from physics.constants import SLICES_COMPUTE, SLICES_MEMORY


@dataclass(frozen=True)
class Profile:
    """A kind of GPU instance."""

    name: str  #: as NVIDIA calls it: compute slices and memory
    compute: int  #: compute slices it takes, of 7 [1]
    memory: int  #: memory slices it takes, of 8 [1]
    starts: tuple[int, ...]  #: memory slices at which it may begin, counted from 0 [1]


@dataclass(frozen=True, order=True)
class Placement:
    """GPU instance with its start position."""

    start: int  #: first memory slice [1]
    profile: str  #: name of the profile


#: on one GPU, each a `Placement` or a pair (profile, start)
Instances = Iterable[Placement | tuple[str, int]]

#: Profiles and placements as the driver lists them (`nvidia-smi mig -lgipp`) for the 80 GB A100 and
#: H100: NVIDIA, Multi-Instance GPU User Guide, “Supported MIG Profiles”. The variants with media
#: engines (+me) are left out.
_OF_80_GB = (
    Profile("1g.10gb", 1, 1, (0, 1, 2, 3, 4, 5, 6)),
    Profile("1g.20gb", 1, 2, (0, 2, 4, 6)),
    Profile("2g.20gb", 2, 2, (0, 2, 4)),
    Profile("3g.40gb", 3, 4, (0, 4)),
    Profile("4g.40gb", 4, 4, (0,)),
    Profile("7g.80gb", 7, 8, (0,)),
)
#: The same by name, and by GPU and name.
KINDS = {profile.name: profile for profile in _OF_80_GB}
PROFILES = dict.fromkeys(("A100-80GB", "H100-80GB"), KINDS)
#: Check of a kind of GPU.
known_gpu = one_of(PROFILES)
_COMPUTE = int(SLICES_COMPUTE)
_MEMORY = int(SLICES_MEMORY)


@dataclass(frozen=True)
class Stranded:
    """Free slices of several GPUs, and how many of them the next requests can use."""

    free_compute: int  #: compute slices in no instance [1]
    free_memory: int  #: memory slices in no instance [1]
    fits: int  #: further instances that can be placed [1]
    usable_compute: int  #: compute slices that further instances can take [1]
    usable_memory: int  #: memory slices that further instances can take [1]

    @property
    def compute(self) -> int:
        """Free compute slices that no further instance can use."""
        return self.free_compute - self.usable_compute

    @property
    def memory(self) -> int:
        """Free memory slices that no further instance can use."""
        return self.free_memory - self.usable_memory


def profile_of(name: str, gpu: str = "A100-80GB") -> Profile:
    """Profile of a GPU by its name."""
    known_gpu("gpu", gpu)
    if not isinstance(name, str) or name not in KINDS:
        raise ValueError(f"profile must be one of {', '.join(KINDS)} on {gpu}, got {name!r}")
    return KINDS[name]


def placeable(profiles: Iterable[str], gpu: str = "A100-80GB") -> bool:
    """Whether instances of these profiles fit together on one GPU, in any order.

    They do if there is a start for every instance, none overlapping another, with at most 7 compute
    slices in all.

    >>> placeable(["3g.40gb", "3g.40gb"]), placeable(["3g.40gb", "3g.40gb", "1g.10gb"])
    (True, False)
    """
    return assignment(profiles, gpu) is not None


def assignment(profiles: Iterable[str], gpu: str = "A100-80GB") -> tuple[Placement, ...] | None:
    """Start positions for all of these instances on one GPU; None if they don't fit."""
    known_gpu("gpu", gpu)
    names = [profile_of(name, gpu).name for name in several("profiles", profiles)]
    return _assignments().get(tuple(sorted(names)))


def layouts(
    gpu: str = "A100-80GB", without: Iterable[str] = (), maximal: bool = True
) -> tuple[tuple[Placement, ...], ...]:
    """All layouts of one GPU, in order of starts: instances with their starts [memory slice].

    Args:
        without: Profiles not to be used.
        maximal: Only layouts to which no further instance can be added; otherwise all, the empty
            one included.

    Without 1g.20gb, which came with later drivers, the maximal ones are the 19 that are often
    quoted.

    >>> len(layouts(without=["1g.20gb"]))
    19
    """
    known_gpu("gpu", gpu)
    excluded = {profile_of(name, gpu).name for name in several("without", without)}
    names = tuple(name for name in KINDS if name not in excluded)
    every = _layouts(names, 0, 0, 0)
    if not maximal:
        return tuple(every)
    return tuple(
        layout for layout in every if not any(room(*occupied(layout), name) for name in names)
    )


def stranded(
    gpus: Sequence[Instances], profile: str | None = None, gpu: str = "A100-80GB"
) -> Stranded:
    """Free slices of several GPUs, and those that the next requests cannot use [slices].

    Args:
        gpus: For each GPU its instances, each a `Placement` or a pair (profile, start).
        profile: What the next requests ask for; any mixture of profiles by default. With a mixture
            each maximum is taken by itself: the most instances, compute slices and memory slices
            need not be had together.

    Raises ValueError if the instances of a GPU overlap or begin where they may not.

    >>> left = stranded([[("1g.10gb", 0)], [("1g.10gb", 5)]], "3g.40gb")
    >>> left.free_memory, left.fits, left.memory  # 7 + 7 slices free; one 3g on each GPU
    (14, 2, 6)
    """
    known_gpu("gpu", gpu)
    names = tuple(KINDS) if profile is None else (profile_of(profile, gpu).name,)
    rows: list[tuple[int, ...]] = [(0,) * 5]
    for number, instances in enumerate(gpus):
        mask, compute = occupied(instances, gpu, number)
        rows.append(
            (_COMPUTE - compute, _MEMORY - mask.bit_count(), *_addable(mask, compute, names))
        )
    return Stranded(*map(sum, zip(*rows, strict=True)))


@within_range
def unusable_slices(gpus: Sequence[Instances], mix: Probabilities, gpu: str = "A100-80GB") -> float:
    """Mean number of free compute slices that a request from a mix cannot use [slices].

    Σ_GPUs Σ_profiles p · (free compute slices of the GPU if the profile has no place on it, else
    0); as `physics.placement.unusable`, but that a request needs a place, and not only as many
    slices.

    >>> # 5 are free, but no half
    >>> unusable_slices([[("1g.10gb", 2), ("1g.10gb", 5)]], {"1g.10gb": 0.5, "3g.40gb": 0.5})
    2.5
    """
    total = 0.0
    for number, instances in enumerate(gpus):
        mask, compute = occupied(instances, gpu, number)
        total += (_COMPUTE - compute) * math.fsum(
            p for name, p in mix.items() if not room(mask, compute, name, gpu)
        )
    return total


def occupied(instances: Instances, gpu: str = "A100-80GB", number: int = 0) -> tuple[int, int]:
    """Used memory slices of one GPU as a bit mask, and its number of used compute slices.

    `number` names the GPU in errors.

    Raises ValueError if instances overlap, begin where they may not, or take more than 7 compute
    slices.
    """
    mask = compute = 0
    for instance in instances:
        if isinstance(instance, Placement):
            name = instance.profile
            start = instance.start
        else:
            name, start = instance
        profile = profile_of(name, gpu)
        if start not in profile.starts:
            raise ValueError(
                f"{name} must begin at one of {', '.join(map(str, profile.starts))}, got {start}"
            )
        if mask & bits(profile, start):
            raise ValueError(
                f"instances must not overlap, but {name} at {start} does on GPU {number}"
            )
        mask |= bits(profile, start)
        compute += profile.compute
    if compute > _COMPUTE:
        raise ValueError(
            f"instances must take at most {_COMPUTE} compute slices, got {compute} on GPU {number}"
        )
    return mask, compute


def bits(profile: Profile, start: int) -> int:
    """Memory slices of an instance as a bit mask."""
    return ((1 << profile.memory) - 1) << start


@lru_cache(maxsize=8192)
def room(mask: int, compute: int, profile: str, gpu: str = "A100-80GB") -> tuple[int, ...]:
    """Start positions at which one more instance fits, from the result of `occupied`.

    >>> room(0b1, 1, "3g.40gb")
    (4,)
    """
    kind = profile_of(profile, gpu)
    if compute + kind.compute > _COMPUTE:
        return ()
    return tuple(start for start in kind.starts if not mask & bits(kind, start))


@lru_cache(maxsize=1)
def _assignments() -> dict[tuple[str, ...], tuple[Placement, ...]]:
    """One layout of every set of instances that fits, by their sorted names."""
    return {
        tuple(sorted(placement.profile for placement in layout)): layout
        for layout in layouts(maximal=False)
    }


def _layouts(
    names: tuple[str, ...], slot: int, mask: int, compute: int
) -> Iterator[tuple[Placement, ...]]:
    """Every layout from a memory slice on: nothing begins there, or one of the profiles does."""
    if slot == _MEMORY:
        yield ()
        return
    yield from _layouts(names, slot + 1, mask, compute)
    for name in names:
        if slot in room(mask, compute, name):
            profile = KINDS[name]
            filled = mask | bits(profile, slot)
            for layout in _layouts(names, slot + 1, filled, compute + profile.compute):
                yield (Placement(slot, name), *layout)


@lru_cache(maxsize=8192)
def _addable(mask: int, compute: int, names: tuple[str, ...]) -> tuple[int, ...]:
    """Most instances, compute slices, and memory slices that can be added.

    Each maximum is taken by itself.
    """
    best: tuple[int, ...] = (0, 0, 0)
    for name in names:
        profile = KINDS[name]
        for start in room(mask, compute, name):
            further = _addable(mask | bits(profile, start), compute + profile.compute, names)
            added = map(add, further, (1, profile.compute, profile.memory))
            best = tuple(map(max, best, added))
    return best
