"""The randomness of a shuffle buffer's order: by enumeration, at its ends, for small buffers, and against a draw."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from physics.dataloading.shuffling import shuffle_randomness


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


def test_a_larger_buffer_always_mixes_more():
    mixed = [shuffle_randomness(buffer, 300) for buffer in range(1, 301)]
    assert all(one < other for one, other in itertools.pairwise(mixed))


def test_buffers_that_are_drawn_mix_as_the_formula_says():
    rng, buffer, samples, found = np.random.default_rng(3), 40, 400, []
    for _ in range(100):
        held, used = list(range(buffer)), []
        for read in range(buffer, samples + buffer):
            place = int(rng.integers(len(held)))
            used.append(held[place])
            if read < samples:
                held[place] = read
            else:
                held.pop(place)
        found.append(1 - np.corrcoef(used, range(samples))[0, 1])
    half = 4 * np.std(found) / np.sqrt(len(found))
    assert shuffle_randomness(buffer, samples) == pytest.approx(np.mean(found), abs=half)
