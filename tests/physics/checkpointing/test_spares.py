"""Spare replicas and colliding checkpoints against exact fractions; weak scaling; what LRU keeps over epochs."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import all_reduce_time, replicas_for, weak_scaling_efficiency, writing_at_once
from physics.dataloading import lru_hit_share


def exact(successes: int, trials: int, p: Fraction) -> Fraction:
    return sum(
        (math.comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(max(successes, 0), trials + 1)),
        Fraction(0),
    )


@given(st.integers(1, 12), st.integers(30, 99), st.integers(1, 9999), st.integers(1, 5))
def test_replicas_are_the_fewest_by_exact_fractions(needed, percent, target, block):
    up, aim, blocks = Fraction(percent, 100), Fraction(target, 10_000), 0
    while exact(-(-needed // block), blocks, up) < aim:
        blocks += 1
    assert replicas_for(needed, percent / 100, target / 10_000, block) == blocks * block


def test_replicas_for_many_nines():
    assert replicas_for(1, 0.9, 1 - 1e-12) == 12
    assert replicas_for(7, 1, 1, 4) == 8


@pytest.mark.parametrize("nines", range(1, 13))
def test_a_chance_equal_to_the_target_but_for_rounding_meets_it(nines):
    assert replicas_for(1, 0.9, 1 - 10.0**-nines) == nines
    assert replicas_for(3, 0.5, 0.125) == 3


@pytest.mark.parametrize(("up", "target"), [(0.99, 1.0), (0.0, 0.5), (1e-12, 0.999)])
def test_a_target_that_no_number_reaches_is_refused(up, target):
    with pytest.raises(ValueError, match="target must be one that some number of replicas reaches"):
        replicas_for(8, up, target)


@given(st.integers(0, 30), st.integers(0, 100), st.integers(0, 31))
def test_collisions_are_those_of_exact_fractions(jobs, percent, at_least):
    expected = exact(at_least, jobs, Fraction(percent, 100)) if at_least else 1
    assert writing_at_once(jobs, percent / 100, at_least) == pytest.approx(float(expected), rel=1e-10, abs=1e-300)


@given(st.integers(1, 10_000), st.floats(0, 1e11), st.floats(1e8, 1e12), st.floats(0, 1e-2), st.floats(1e-3, 1e2))
def test_weak_scaling_loses_what_the_all_reduce_takes(n, size, bandwidth, latency, step):
    ring = all_reduce_time(n, size, bandwidth, latency)
    assert weak_scaling_efficiency(n, size, bandwidth, latency, step) == pytest.approx(step / (step + ring))
    assert weak_scaling_efficiency(1, size, bandwidth, latency, step) == 1
    assert weak_scaling_efficiency(n, 0, bandwidth, latency, step) == 1


@given(st.floats(1e-9, 1))
def test_lru_hits_less_than_a_cache_that_keeps_what_it_has(cached):
    assert 0 < lru_hit_share(cached) <= cached
    assert lru_hit_share(cached) >= cached**2 / 2 * (1 - 1e-12)


@given(st.integers(1, 999))
def test_both_forms_of_the_lru_share_agree_with_exact_terms(mill):
    if mill < 800:  # beyond, 200 terms are too few
        terms = sum(Fraction(mill, 1000) ** k / (k * (k - 1)) for k in range(2, 200))
        assert lru_hit_share(mill / 1000) == pytest.approx(float(terms), rel=1e-13)
    assert lru_hit_share(mill / 1000) == pytest.approx(mill / 1000 + (1 - mill / 1000) * math.log(1 - mill / 1000))


def test_the_ends_and_a_tiny_cache_without_cancellation():
    assert (lru_hit_share(0), lru_hit_share(1)) == (0, 1)
    assert lru_hit_share(1e-10) == pytest.approx(5e-21, rel=1e-9)


@pytest.mark.parametrize("cached", [0.2, 0.5, 0.65, 0.9])
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
