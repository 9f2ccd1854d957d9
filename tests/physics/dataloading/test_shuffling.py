"""What a shuffle buffer mixes and what an LRU cache keeps: by enumeration, at the ends, and played."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.dataloading import lru_hit_share
from physics.dataloading.pipeline import shuffle_randomness


def orders(buffer: int, samples: int) -> dict[tuple[int, ...], Fraction]:
    """Every order that can leave the buffer, with its chance: the rule itself, branch by branch."""
    found = {((), tuple(range(buffer)), buffer): Fraction(1)}
    for _ in range(samples):
        after: dict = {}
        for (used, held, read), chance in found.items():
            for one in held:
                rest = tuple(other for other in held if other != one)
                state = ((*used, one), (*rest, read) if read < samples else rest, min(read + 1, samples))
                after[state] = after.get(state, 0) + chance / len(held)
        found = after
    return {used: chance for (used, _, _), chance in found.items()}


@pytest.mark.parametrize(("buffer", "samples"), [(b, n) for n in (2, 3, 5, 6) for b in range(1, n + 1)])
def test_the_formula_is_the_mean_over_all_orders_that_can_leave_the_buffer(buffer, samples):
    apart = sum(
        chance * sum((place - one) ** 2 for place, one in enumerate(order))
        for order, chance in orders(buffer, samples).items()
    )
    assert shuffle_randomness(buffer, samples) == pytest.approx(float(6 * apart / (samples * (samples**2 - 1))))


def test_the_stored_order_is_not_random_and_a_buffer_for_all_is_a_full_shuffle():
    for samples in (2, 100, 10**6):
        assert shuffle_randomness(1, samples) == 0
        assert shuffle_randomness(samples, samples) == pytest.approx(1)
        assert shuffle_randomness(2 * samples, samples) == shuffle_randomness(samples, samples)


def test_a_small_buffer_mixes_as_six_times_the_square_of_its_share():
    for buffer in (100, 1000):
        assert shuffle_randomness(buffer, 10**6) == pytest.approx(6 * (buffer / 10**6) ** 2, rel=0.02)


@given(st.integers(1, 999))
def test_both_forms_of_the_lru_share_agree_with_exact_terms(mill):
    if mill < 800:  # beyond, 200 terms are too few
        terms = sum(Fraction(mill, 1000) ** k / (k * (k - 1)) for k in range(2, 200))
        assert lru_hit_share(mill / 1000) == pytest.approx(float(terms), rel=1e-13)
    assert lru_hit_share(mill / 1000) == pytest.approx(mill / 1000 + (1 - mill / 1000) * math.log(1 - mill / 1000))
    assert (lru_hit_share(0), lru_hit_share(1)) == (0, 1)
    assert lru_hit_share(1e-10) == pytest.approx(5e-21, rel=1e-9)


@pytest.mark.parametrize("cached", [0.2, 0.65, 0.9])
def test_an_lru_cache_that_is_played_hits_as_often(cached):
    rng, size = np.random.default_rng(2), 2000
    room, hits, store = int(cached * size), 0, {}
    for epoch in range(6):
        for sample in rng.permutation(size).tolist():
            hits += epoch > 0 and sample in store
            store.pop(sample, None)
            store[sample] = None
            if len(store) > room:
                del store[next(iter(store))]
    assert hits / (5 * size) == pytest.approx(lru_hit_share(cached), abs=0.015)
