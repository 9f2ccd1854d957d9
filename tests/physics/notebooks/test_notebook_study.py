"""The lesson's study: what the synthetic notebooks are, what culling costs, where dynamic scheduling stops winning."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.notebooks import Cell, ThinkTime, alone, antt, run
from physics.notebooks.study import (
    COMBINATIONS,
    NOTEBOOKS,
    break_even_overhead,
    crowding,
    culled,
    notebooks_that_fit,
    own_nodes,
    paused,
    synthetic,
)

HOUR = 3600.0


def test_the_four_notebooks_last_as_two_to_three_to_six_to_eight_on_the_usual_node():
    lengths = [alone([synthetic(name, 8)], 8)[0] for name in "ABCD"]
    assert [length / 60 for length in lengths] == [2, 3, 6, 8]


def test_a_alternates_b_is_mostly_one_core_c_mostly_all_and_d_mostly_one_and_longest():
    wide = {name: [cell.threads == 8 for cell in synthetic(name, 8)] for name in NOTEBOOKS}
    assert wide["A"] == [False, True] * 3
    assert sum(wide["B"]) / len(wide["B"]) < 0.5 < sum(wide["C"]) / len(wide["C"])
    assert sum(wide["D"]) / len(wide["D"]) < 0.5
    assert alone([synthetic("D", 8)], 8) > alone([synthetic("C", 8)], 8)


def test_the_work_of_a_notebook_does_not_depend_on_the_node():
    for name in NOTEBOOKS:
        assert sum(cell.work for cell in synthetic(name, 2)) == sum(cell.work for cell in synthetic(name, 64))


def test_left_overnight_there_is_one_gap_of_a_night_and_attentive_users_leave_none():
    law = ThinkTime()
    for seed in range(50):
        book = synthetic("ABCD"[seed % 4], 8)
        attentive = paused(book, "attentive", np.random.default_rng(seed))
        overnight = paused(book, "overnight", np.random.default_rng(seed))
        assert all(0 < cell.think < HOUR for cell in attentive)
        gaps = [cell.think for cell in overnight[:-1] if cell.think > HOUR]
        assert len(gaps) == 1 and law.gap_least <= gaps[0] <= law.maximum
        assert paused(attentive, "none", np.random.default_rng(seed)) == book
    assert paused(synthetic("N", 8), "overnight", np.random.default_rng(1))[0].think < HOUR


def test_culling_runs_all_cells_so_far_once_more_without_pauses():
    book = [Cell(1, 1, think=5), Cell(2, 2, think=7), Cell(3, 3, think=9)]
    assert culled(book, 9) == book
    assert culled(book, 6) == [Cell(1, 1, think=5), Cell(2, 2, think=7), Cell(1, 1), Cell(2, 2), Cell(3, 3, think=9)]
    assert culled(book, 0) == [book[0], Cell(1, 1), book[1], Cell(1, 1), Cell(2, 2), book[2]]


def test_own_nodes_idle_for_all_pauses_and_unused_cores_and_culling_trades_idle_time_for_work():
    book = [Cell(4, 40, think=100), Cell(1, 10, think=1e9)]
    kept, taken = own_nodes([book], 4, 200), own_nodes([book], 4, 60)
    # 10 s on all cores, 100 s pause, 10 s on one of four.
    assert (kept.idle, kept.rerun, kept.culls, kept.delay) == (4 * 100 + 3 * 10, 0, 0, 0)
    # Taken back after 60 s; the first cell runs again, 10 s on all cores.
    assert (taken.idle, taken.rerun, taken.culls, taken.delay) == (4 * 60 + 3 * 10, 40, 1, 10)


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


def test_a_crowd_of_equal_all_core_cells_waits_n_plus_1_halves_by_turns_and_n_times_together():
    books = [synthetic("N", 8)] * 6
    by_turns = dict(crowding(books, 8, "dynamic", enough=10))
    together = dict(crowding(books, 8, "naive", enough=10))
    for number in range(1, 7):
        assert by_turns[number] == pytest.approx((number + 1) / 2) and together[number] == pytest.approx(number)
    assert notebooks_that_fit(2.5, list(by_turns.items())) == 4
    assert notebooks_that_fit(2.5, list(together.items())) == 2
    assert list(crowding(books, 8, "naive", enough=3))[-1] == (4, pytest.approx(4))


def test_nonsense_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"^notebook must be one of A, B, C, D, N, got 'E'"):
        synthetic("E", 8)
    with pytest.raises(ValueError, match=r"^case must be one of none, attentive, overnight, got 'weekend'"):
        paused([Cell(1, 1)], "weekend", np.random.default_rng())
