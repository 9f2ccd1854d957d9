"""What fits on one GPU, by a reference that tries every combination; streams."""

import math
from collections import Counter
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.placement import unusable
from physics.slicing import (
    PROFILES,
    assignment,
    layouts,
    occupied,
    placeable,
    room,
    stranded,
    unusable_slices,
)
from physics.slicing.streams import Request, most_compute, random_requests, serve

# NVIDIA, Multi-Instance GPU User Guide and the driver's list of placements, retyped: compute,
# memory, starts.
LISTED = {
    "1g.10gb": (1, 1, {0, 1, 2, 3, 4, 5, 6}),
    "1g.20gb": (1, 2, {0, 2, 4, 6}),
    "2g.20gb": (2, 2, {0, 2, 4}),
    "3g.40gb": (3, 4, {0, 4}),
    "4g.40gb": (4, 4, {0}),
    "7g.80gb": (7, 8, {0}),
}
GPUS = ("A100-80GB", "H100-80GB")


def overlap_free(places: tuple[tuple[str, int], ...]) -> bool:
    slices = [start + offset for name, start in places for offset in range(LISTED[name][1])]
    return len(slices) == len(set(slices)) and max(slices, default=0) < 8


@pytest.mark.parametrize("gpu", GPUS)
def test_the_profiles_are_those_that_the_driver_lists(gpu):
    assert {
        one.name: (one.compute, one.memory, set(one.starts)) for one in PROFILES[gpu].values()
    } == LISTED


@given(st.lists(st.sampled_from(list(LISTED)), max_size=8))
def test_an_assignment_is_made_of_the_wanted_instances_at_allowed_starts(names):
    found = assignment(names)
    if found is not None:
        assert Counter(place.profile for place in found) == Counter(names)
        assert all(place.start in LISTED[place.profile][2] for place in found)
        assert overlap_free(tuple((place.profile, place.start) for place in found))


def everything() -> set[frozenset[tuple[str, int]]]:
    """All choices of places of which no two overlap; compute slices are not counted."""
    places = [(name, start) for name, (_, _, starts) in LISTED.items() for start in sorted(starts)]
    level = {frozenset()}
    found = {frozenset()}
    while level:
        level = {
            chosen | {place}
            for chosen in level
            for place in places
            if place not in chosen and overlap_free(tuple(chosen | {place}))
        }
        found |= level
    return found


def test_layouts_and_sets_that_fit_are_those_of_all_choices_of_places():
    found = everything()
    maximal = {one for one in found if not any(one < other for other in found)}
    as_sets = [
        {frozenset((p.profile, p.start) for p in one) for one in layouts(maximal=m)}
        for m in (True, False)
    ]
    assert as_sets == [maximal, found]
    sets = [
        names for size in range(9) for names in combinations_with_replacement(sorted(LISTED), size)
    ]
    assert {names for names in sets if placeable(names)} == {
        tuple(sorted(name for name, _ in one)) for one in found
    }


@pytest.mark.parametrize("layout", layouts(maximal=False)[::7])
def test_room_is_where_an_instance_can_be_added(layout):
    mask, compute = occupied(layout)
    for name, (size, _, starts) in LISTED.items():
        now = tuple((place.profile, place.start) for place in layout)
        allowed = [
            s for s in sorted(starts) if overlap_free((*now, (name, s))) and compute + size <= 7
        ]
        assert list(room(mask, compute, name)) == allowed


def test_stranded_slices_by_hand():
    two = stranded([[("3g.40gb", 0), ("3g.40gb", 4)]])
    assert (two.free_compute, two.free_memory, two.compute, two.memory, two.fits) == (1, 0, 1, 0, 0)
    seven = stranded([[("1g.10gb", start) for start in range(7)]])
    assert (seven.free_compute, seven.free_memory, seven.compute, seven.memory) == (0, 1, 0, 1)


@given(st.sampled_from(layouts(maximal=False)), st.sampled_from([None, *LISTED]))
def test_stranded_and_usable_slices_make_up_what_is_free(layout, profile):
    left = stranded([layout], profile)
    assert (
        0 <= left.usable_compute <= left.free_compute
        and 0 <= left.usable_memory <= left.free_memory
    )
    assert left.compute + left.usable_compute == left.free_compute
    if profile is not None:
        compute, memory, _ = LISTED[profile]
        assert (left.usable_compute, left.usable_memory) == (
            left.fits * compute,
            left.fits * memory,
        )
        mask, used = occupied(layout)
        assert bool(left.fits) == bool(room(mask, used, profile))
    assert (left.fits == 0) or placeable(
        [*(place.profile for place in layout), *([profile] if profile else [])]
    )


def test_fragmentation_is_that_of_placement_where_enough_slices_are_a_place_and_more_elsewhere():
    mix = {"1g.10gb": 0.4, "2g.20gb": 0.3, "3g.40gb": 0.2, "7g.80gb": 0.1}
    sizes = {LISTED[name][0]: chance for name, chance in mix.items()}
    same = {True: 0, False: 0}
    for layout in layouts(maximal=False):
        free = 7 - sum(LISTED[place.profile][0] for place in layout)
        found = unusable_slices([layout], mix)
        counted = unusable([free], sizes)
        places = all(room(*occupied(layout), name) for name in mix if LISTED[name][0] <= free)
        assert found == pytest.approx(counted) if places or not free else found > counted + 1e-9
        same[places] += 1
    assert min(same.values()) > 20
    assert unusable_slices([[], []], mix) == unusable([7, 7], sizes) == 0


KINDS = PROFILES["A100-80GB"]
MIX = {"1g.10gb": 4, "1g.20gb": 1, "2g.20gb": 3, "3g.40gb": 2, "4g.40gb": 1, "7g.80gb": 1}
seeds = st.integers(0, 10_000)


def forever(*names: str) -> list[Request]:
    return [Request(number, name, math.inf) for number, name in enumerate(names)]


def draw(seed: int, number: int = 40, stay: float = 6) -> tuple[Request, ...]:
    return random_requests(number, MIX, stay, np.random.default_rng(seed))


@given(seeds, st.integers(1, 3), st.sampled_from(["first", "best"]))
def test_a_stream_never_overlaps_refuses_only_without_room_and_stays_below_the_bound(
    seed, gpus, rule
):
    stream = draw(seed)
    run = serve(stream, gpus, rule)
    for moment, one in enumerate(run.served):
        held = run.held(moment)
        for number, instances in enumerate(held):
            occupied(instances, number=number)  # refuses what overlaps
        alive = [one.profile for one in stream if one.alive(moment)]
        placed = [one for one in run.served if one.request.alive(moment) and one.device is not None]
        assert sum(map(len, held)) == len(placed)
        assert one.device is not None or stranded(held, one.request.profile).fits == 0
        assert run.compute(moment) <= most_compute(alive, gpus) <= 7 * gpus


def by_choosing(names: list[str]) -> int:
    """The best subset for one GPU, every subset tried."""
    return max(
        sum(KINDS[name].compute for name in chosen)
        for size in range(len(names) + 1)
        for chosen in combinations(names, size)
        if placeable(chosen)
    )


@given(st.lists(st.sampled_from(list(KINDS)), max_size=6))
def test_on_two_gpus_the_bound_is_the_best_of_all_splits(names):
    splits = range(2 ** len(names))
    best = max(
        by_choosing([name for place, name in enumerate(names) if split >> place & 1])
        + by_choosing([name for place, name in enumerate(names) if not split >> place & 1])
        for split in splits
    )
    assert most_compute(names, 2) == best


def test_who_leaves_makes_room_for_who_arrives_then():
    stream = [
        Request(0, "7g.80gb", 2),
        Request(1, "1g.10gb", 9),
        Request(2, "7g.80gb", 3),
        Request(3, "1g.10gb", 9),
    ]
    run = serve(stream, 1)
    assert [one.device for one in run.served] == [0, None, 0, 0]
    assert [run.compute(moment) for moment in range(4)] == [7, 7, 7, 1]


#: Profile of each number that NVIDIA's guide uses; its A100 has 40 GB and the same slices.
NUMBERED = {19: "1g.10gb", 14: "2g.20gb", 9: "3g.40gb", 5: "4g.40gb"}


def starts(*numbers: int) -> list[int | None]:
    return [
        one.start
        for one in serve(forever(*(NUMBERED[number] for number in numbers)), 1, "best").served
    ]


def test_the_examples_of_nvidias_guide_come_out_as_printed():
    assert starts(19, 14, 5) == [6, 4, 0]
    assert starts(19, 19, 14, 9)[-1] is None and None not in starts(19, 19, 14, 9)[:-1]
    assert starts(9, 19, 14, 19) == [4, 0, 2, 1]
    assert starts(14, 19, 19, 19, 19, 19) == [4, 6, 0, 1, 2, 3]


def test_of_3g_2g_1g_1g_just_the_orders_with_3g_first_find_room():
    for order in set(permutations((19, 19, 14, 9))):
        assert (None not in starts(*order)) == (order[0] == 9)
