"""Spare replicas against exact fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import replicas_for


def exact(successes: int, trials: int, p: Fraction) -> Fraction:
    chances = (math.comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(successes, trials + 1))
    return sum(chances, Fraction(0))


@given(st.integers(1, 12), st.integers(30, 99), st.integers(1, 9999), st.integers(1, 5))
def test_replicas_are_the_fewest_by_exact_fractions(needed, percent, target, block):
    up, aim, blocks = Fraction(percent, 100), Fraction(target, 10_000), 0
    while exact(-(-needed // block), blocks, up) < aim:
        blocks += 1
    assert replicas_for(needed, percent / 100, target / 10_000, block) == blocks * block


@pytest.mark.parametrize("nines", [1, 2, 5, 12])
def test_a_chance_equal_to_the_target_but_for_rounding_meets_it(nines):
    assert replicas_for(1, 0.9, 1 - 10.0**-nines) == nines
    assert replicas_for(7, 1, 1, 4) == 8
