"""The lesson's study: what the synthetic notebooks are, where dynamic scheduling stops winning."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.notebooks import alone, antt, run
from physics.notebooks.study import COMBINATIONS, NOTEBOOKS, break_even_overhead, synthetic


def test_a_alternates_b_is_mostly_one_core_c_mostly_all_and_d_mostly_one_and_longest():
    wide = {name: [cell.threads == 8 for cell in synthetic(name, 8)] for name in NOTEBOOKS}
    assert wide["A"] == [False, True] * 3
    assert sum(wide["B"]) / len(wide["B"]) < 0.5 < sum(wide["C"]) / len(wide["C"])
    assert sum(wide["D"]) / len(wide["D"]) < 0.5
    assert alone([synthetic("D", 8)], 8) > alone([synthetic("C", 8)], 8)


def test_the_work_of_a_notebook_does_not_depend_on_the_node():
    for name in NOTEBOOKS:
        assert sum(cell.work for cell in synthetic(name, 2)) == sum(cell.work for cell in synthetic(name, 64))


def test_the_pair_breaks_even_at_a_third_of_its_cell():
    # By turns the pair's ANTT is 1.5 (1 + h / T), together it is 2.
    pair = [synthetic("N", 8)] * 2
    assert break_even_overhead(pair, 8) == pytest.approx(60 / 3, abs=2e-3)
    # Oversubscription makes "naive" worse, but two partitions of half a node stay at 2.
    assert break_even_overhead(pair, 8, oversubscription_loss=0.2) == pytest.approx(60 / 3, abs=2e-3)


@given(st.sampled_from(COMBINATIONS), st.integers(2, 16), st.floats(0, 0.5), st.booleans())
def test_below_the_break_even_overhead_dynamic_is_ahead_and_just_above_it_is_not(names, cores, loss, moldable):
    books = [synthetic(name, cores) for name in names]
    single = alone(books, cores)
    best = min(
        antt(run(books, cores, "naive", oversubscription_loss=loss).end, single),
        antt(run(books, cores, "partitioned").end, single),
    )

    def dynamic(overhead):
        return antt(run(books, cores, "dynamic", overhead=overhead, moldable=moldable).end, single)

    limit = break_even_overhead(books, cores, oversubscription_loss=loss, moldable=moldable)
    if limit == 0:
        assert dynamic(0) >= best * (1 - 1e-9)
    elif math.isfinite(limit):
        assert dynamic(limit) < best * (1 + 1e-9) and dynamic(limit + 1.1e-3) > best * (1 - 1e-9)
    else:
        assert dynamic(60) < best


def test_nonsense_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"^notebook must be one of A, B, C, D, N, got 'E'"):
        synthetic("E", 8)
