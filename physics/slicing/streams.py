"""Streams of requests for GPU slices: first-fit, best-fit, and an upper bound for any policy."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import mul, sub
from typing import Annotated

import numpy as np

from physics.arguments import FromOne, LimitedCount, non_negative, one_of, within_range
from physics.slicing.layouts import KINDS, Placement, bits, layouts, profile_of, room


@dataclass(frozen=True)
class Request:
    """Request for an instance; time is counted in arrivals."""

    number: int  #: place in the stream, from 0; the moment of its arrival [1]
    profile: str  #: what is asked for
    ends: float  #: gone before the arrival of this number; infinite if it stays [1]

    def alive(self, moment: int) -> bool:
        """Return whether the request is active just after request number `moment` arrives."""
        return self.number <= moment < self.ends


@dataclass(frozen=True)
class Served:
    """Outcome of one request: the GPU and start that it got, if any."""

    request: Request  #: what was asked for
    device: int | None  #: GPU that took it, from 0; None if it was refused
    start: int | None  #: its first memory slice; None if it was refused


@dataclass(frozen=True)
class Run:
    """One stream of requests, served under a policy."""

    gpus: int  #: number of GPUs [1]
    served: tuple[Served, ...]  #: one record a request, in order of arrival

    @property
    def refused(self) -> int:
        """Number of requests that were refused."""
        return sum(outcome.device is None for outcome in self.served)

    def held(self, moment: int) -> tuple[tuple[Placement, ...], ...]:
        """Instances on each GPU just after request number `moment` arrives."""
        devices: list[list[Placement]] = [[] for _ in range(self.gpus)]
        for outcome in self.served:
            if (
                outcome.device is not None
                and outcome.start is not None
                and outcome.request.alive(moment)
            ):
                devices[outcome.device].append(Placement(outcome.start, outcome.request.profile))
        return tuple(map(tuple, map(sorted, devices)))

    def compute(self, moment: int) -> int:
        """Compute slices in use just after request number `moment` arrives."""
        placements = chain.from_iterable(self.held(moment))
        return sum(KINDS[placement.profile].compute for placement in placements)


def first_fit(devices: Sequence[tuple[int, int]], profile: str) -> tuple[int, int] | None:
    """First GPU that has room, and the lowest free start on it; None if no GPU has room."""
    for device, (mask, compute) in enumerate(devices):
        starts = room(mask, compute, profile)
        if starts:
            return device, starts[0]
    return None


def best_fit(devices: Sequence[tuple[int, int]], profile: str) -> tuple[int, int] | None:
    """Fullest GPU that has room, and the start there that leaves the most placements open.

    Ties go to the first GPU and to the lowest start.
    """
    kind = profile_of(profile)
    options = []
    for device, (mask, compute) in enumerate(devices):
        for start in room(mask, compute, profile):
            filled = mask | bits(kind, start)
            open_starts = sum(len(room(filled, compute + kind.compute, name)) for name in KINDS)
            options.append((-mask.bit_count(), device, -open_starts, start))
    if not options:
        return None
    _, device, _, start = min(options)
    return device, start


#: Each says device and start, or None, given (mask, compute) of every GPU and a profile.
RULES = {"first": first_fit, "best": best_fit}


@within_range
def serve(
    requests: Iterable[Request], gpus: LimitedCount, rule: Annotated[str, one_of(RULES)] = "first"
) -> Run:
    """Serve a stream of requests: each is placed on arrival or refused, and never moved.

    `rule` is "first" (`first_fit`) or "best" (`best_fit`). A loss system: who is refused does not
    wait. Instances that end before an arrival have left by then.

    Source: Johnson, "Near-optimal bin packing algorithms", 1973: first fit and best fit.

    >>> stream = [Request(0, "1g.10gb", math.inf), Request(1, "4g.40gb", math.inf)]
    >>> serve(stream, 1, "first").refused, serve(stream, 1, "best").refused
    (1, 0)
    """
    devices = [(0, 0)] * gpus
    placed: list[tuple[Request, int, int]] = []
    records = []
    for request in requests:
        kind = profile_of(request.profile)
        for entry in placed[:]:
            earlier, device, start = entry
            if earlier.ends <= request.number:
                placed.remove(entry)
                mask, compute = devices[device]
                freed = KINDS[earlier.profile]
                devices[device] = (mask & ~bits(freed, start), compute - freed.compute)
        choice = RULES[rule](devices, kind.name)
        if choice is None:
            records.append(Served(request, None, None))
            continue
        device, start = choice
        records.append(Served(request, device, start))
        mask, compute = devices[device]
        devices[device] = (mask | bits(kind, start), compute + kind.compute)
        placed.append((request, device, start))
    return Run(gpus, tuple(records))


@within_range
def most_compute(profiles: Iterable[str], gpus: LimitedCount) -> int:
    """Most compute slices that a choice of these instances can use on some GPUs, with hindsight.

    Exact: every way to fill the GPUs is searched, apart from those that cannot be better. Taken
    over the requests that are alive at a moment it bounds from above what any rule can hold then;
    it may move instances and take back refusals.

    >>> most_compute(["3g.40gb", "3g.40gb", "1g.10gb"], 1)
    6
    >>> most_compute(["1g.10gb", "2g.20gb", "4g.40gb"], 1)
    7
    """
    requested = Counter(profile_of(name).name for name in profiles)
    counts = []
    for name, *counts_by_filling in zip(KINDS, *_fillings(), strict=True):
        # More of a kind than can ever be placed changes nothing.
        counts.append(min(requested[name], max(counts_by_filling) * gpus))
    return _most_compute(tuple(counts), gpus)


@within_range
def random_requests(
    number: LimitedCount, weights: Mapping[str, float], mean_stay: FromOne, rng: np.random.Generator
) -> tuple[Request, ...]:
    """Random stream of requests: profiles by weight, and geometric stays [arrivals].

    >>> stream = random_requests(3, {"1g.10gb": 1}, 4, np.random.default_rng(1))
    >>> [request.profile for request in stream]
    ['1g.10gb', '1g.10gb', '1g.10gb']
    """
    names = [profile_of(name).name for name in weights]
    amounts = np.array([non_negative("weights", weight) for weight in weights.values()])
    total = math.fsum(amounts)
    if not total:
        raise ValueError("weights must hold one above 0, got none")
    kinds = rng.choice(len(names), size=number, p=amounts / total)
    stays = rng.geometric(1 / mean_stay, size=number)
    requests = []
    for index, (kind, stay) in enumerate(zip(kinds, stays, strict=True)):
        requests.append(Request(index, names[kind], index + int(stay)))
    return tuple(requests)


@lru_cache(maxsize=1)
def _fillings() -> set[tuple[int, ...]]:
    """Sets of instances that fill one GPU, as counts of each profile."""
    fillings = set()
    for layout in layouts():
        profiles = [placement.profile for placement in layout]
        fillings.add(tuple(map(profiles.count, KINDS)))
    return fillings


def _compute(counts: tuple[int, ...]) -> int:
    """Compute slices of some instances, as counts of each profile."""
    return sum(map(mul, counts, [profile.compute for profile in KINDS.values()]))


@lru_cache(maxsize=65536)
def _most_compute(counts: tuple[int, ...], gpus: int) -> int:
    """Most compute slices that these instances, as counts of each profile, can use on some GPUs."""
    best = 0
    requested = _compute(counts)
    if not gpus or not requested:
        return 0
    fillings = {tuple(map(min, counts, filling)) for filling in _fillings()}
    for filling in sorted(fillings, key=_compute, reverse=True):
        # The first GPU is the one that holds most.
        if _compute(filling) * gpus <= best or best == requested:
            break
        remaining = tuple(map(sub, counts, filling))
        best = max(best, _compute(filling) + _most_compute(remaining, gpus - 1))
    return best
