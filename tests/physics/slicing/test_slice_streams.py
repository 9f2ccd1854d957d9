"""Streams of slice requests: nothing overlaps, first and best fit by hand, and the bound against a full search."""

import math
from itertools import combinations, permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from physics.slicing import PROFILES, occupied, placeable, stranded
from physics.slicing.streams import Request, most_compute, random_requests, serve

KINDS = PROFILES["A100-80GB"]
MIX = {"1g.10gb": 4, "1g.20gb": 1, "2g.20gb": 3, "3g.40gb": 2, "4g.40gb": 1, "7g.80gb": 1}
seeds = st.integers(0, 10_000)


def forever(*names: str) -> list[Request]:
    return [Request(number, name, math.inf) for number, name in enumerate(names)]


def draw(seed: int, number: int = 40, stay: float = 6) -> tuple[Request, ...]:
    return random_requests(number, MIX, stay, np.random.default_rng(seed))


@given(seeds, st.integers(1, 3), st.sampled_from(["first", "best"]))
def test_a_stream_never_overlaps_refuses_only_without_room_and_stays_below_the_bound(seed, gpus, rule):
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
    stream = [Request(0, "7g.80gb", 2), Request(1, "1g.10gb", 9), Request(2, "7g.80gb", 3), Request(3, "1g.10gb", 9)]
    run = serve(stream, 1)
    assert [one.device for one in run.served] == [0, None, 0, 0]
    assert [run.compute(moment) for moment in range(4)] == [7, 7, 7, 1]


def test_neither_rule_is_always_better():
    found = {
        (first.refused > best.refused) - (first.refused < best.refused)
        for first, best in ((serve(draw(seed), 2, "first"), serve(draw(seed), 2, "best")) for seed in range(60))
    }
    assert found == {-1, 0, 1}


#: Profile of each number that NVIDIA's guide uses; its A100 has 40 GB and the same slices.
NUMBERED = {19: "1g.10gb", 14: "2g.20gb", 9: "3g.40gb", 5: "4g.40gb"}


def starts(*numbers: int) -> list[int | None]:
    return [one.start for one in serve(forever(*(NUMBERED[number] for number in numbers)), 1, "best").served]


def test_the_examples_of_nvidias_guide_come_out_as_printed():
    assert starts(19, 14, 5) == [6, 4, 0]
    assert starts(19, 19, 14, 9)[-1] is None and None not in starts(19, 19, 14, 9)[:-1]
    assert starts(9, 19, 14, 19) == [4, 0, 2, 1]
    assert starts(14, 19, 19, 19, 19, 19) == [4, 6, 0, 1, 2, 3]


def test_of_3g_2g_1g_1g_just_the_orders_with_3g_first_find_room():
    for order in set(permutations((19, 19, 14, 9))):
        assert (None not in starts(*order)) == (order[0] == 9)
