"""The chance that a gang starts: exact fractions, p^N, and nodes that come free in blocks."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.slicing.gangs import binomial_tail, gang_start_probability


def exact_tail(successes: int, trials: int, probability: Fraction) -> Fraction:
    return sum(
        (
            math.comb(trials, i) * probability**i * (1 - probability) ** (trials - i)
            for i in range(successes, trials + 1)
        ),
        Fraction(0),
    )


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 100))
def test_the_tail_is_that_of_exact_fractions(successes, trials, percent):
    exact = exact_tail(successes, trials, Fraction(percent, 100))
    assert binomial_tail(successes, trials, percent / 100) == pytest.approx(float(exact), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("needed", [1, 180, 200, 201, 400, 1000])
def test_large_clusters_keep_their_relative_accuracy(needed):
    exact = exact_tail(needed, 1000, Fraction(1, 5))
    assert gang_start_probability(0.2, 1000, needed) == pytest.approx(float(exact), rel=1e-10)


def by_blocks(free: float, nodes: int, needed: int, block: int) -> float:
    """Every pattern of free and busy blocks, one by one."""
    sizes = [block] * (nodes // block) + ([nodes % block] if nodes % block else [])
    return sum(
        math.prod(free if state else 1 - free for state in states)
        for states in product((0, 1), repeat=len(sizes))
        if sum(size for size, state in zip(sizes, states, strict=True) if state) >= needed
    )


@given(st.integers(0, 100), st.integers(1, 30), st.integers(0, 32), st.integers(3, 12))
def test_blocks_agree_with_every_pattern_of_free_blocks(percent, nodes, needed, block):
    found = gang_start_probability(percent / 100, nodes, needed, block)
    assert found == pytest.approx(by_blocks(percent / 100, nodes, needed, block), abs=1e-12)
