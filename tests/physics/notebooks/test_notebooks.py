"""Notebooks on one node, each moment beside an exact reference that is slow and plain, and the
pauses between cells.
"""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.notebooks import (
    Cell,
    ThinkTime,
    alone,
    antt,
    greatest_median,
    least_idle_share,
    run,
    stp,
)
from physics.notebooks.node import NOTEBOOKS, synthetic

X = [Cell(4, 40)]
VARIANTS = [("naive", True), ("partitioned", True), ("dynamic", True), ("dynamic", False)]


def marks(notebooks, cores, scheduler, **options):
    """Ends, ANTT and STP of one run."""
    end = run(notebooks, cores, scheduler, **options).end
    single = alone(notebooks, cores)
    return end, antt(end, single), stp(end, single)


# --- hand calculations ---
def test_two_all_core_cells_reach_throughput_1_5_by_turns_and_1_together_at_the_same_makespan():
    pair = [[Cell(4, 40)], [Cell(4, 40)]]
    assert marks(pair, 4, "naive") == ([20, 20], 2, 1)
    assert marks(pair, 4, "dynamic") == ([10, 20], 1.5, 1.5)
    # an overhead of a third of a cell's length eats the gain: 1.5 (1 + h / T) = 2
    assert marks(pair, 4, "dynamic", overhead=10 / 3)[1] == pytest.approx(2)


def test_a_loss_of_everything_is_a_run_that_never_ends():
    result = run([X, [Cell(1, 10), Cell(1, 1)], [Cell(1, 5)]], 4, oversubscription_loss=1)
    assert result.end == [float("inf")] * 3 and result.idle == float("inf")
    assert (antt(result.end, [10, 11, 5]), stp(result.end, [10, 11, 5])) == (float("inf"), 0)
    assert [row.start for row in result.cells] == [0, 0, float("inf"), 0]


def test_decimal_ties_are_ties_although_their_floats_differ():
    # 0.1 + 0.2 is a last bit more than 0.3; both ask at 0.3 s, so the one with fewer threads is
    # first.
    narrow = [Cell(1, 0.1), Cell(1, 0.2), Cell(3, 3)]
    wide = [Cell(1, 0.3), Cell(4, 4)]
    for scheduled, expected in (([narrow, wide], [1.3, 2.3]), ([wide, narrow], [2.3, 1.3])):
        assert run(scheduled, 4, "dynamic", moldable=False).end == pytest.approx(expected)


# --- beside an exact reference ---
def slow_and_plain(notebooks, cores, scheduler, overhead, loss, moldable):
    """Recompute every speed at every event, in fractions; grants are kept, and freed cores handed
    out one by one.

    Returns end of each notebook and {(notebook, place): (start, end)}.
    """
    count = len(notebooks)
    now = Fraction(0)
    end = [None] * count
    log = {}
    place = [0] * count
    held = [0] * count
    ready = [Fraction(0)] * count
    setup = [overhead] * count
    left = [Fraction(book[0].work) for book in notebooks]
    while None in end:
        threads = [
            book[place[i]].threads if end[i] is None else 0 for i, book in enumerate(notebooks)
        ]
        asking = [i for i in range(count) if end[i] is None and ready[i] <= now]
        asking.sort(key=lambda i: (ready[i], threads[i], i))
        speed = [Fraction(0)] * count
        for i in asking:
            total = sum(threads[j] for j in asking)
            if scheduler == "naive":
                speed[i] = min(Fraction(threads[i]), Fraction(threads[i] * cores, total))
                if total > cores:
                    speed[i] *= 1 - loss
                else:
                    speed[i] *= 1
            elif scheduler == "partitioned":
                speed[i] = min(Fraction(threads[i]), Fraction(cores, count))
            elif moldable:
                while held[i] < min(threads[i], cores) and sum(held) < cores:
                    held[i] += 1
            elif held[i] == 0:
                if sum(held) + min(threads[i], cores) > cores:
                    break
                held[i] = min(threads[i], cores)
        if scheduler == "dynamic":
            speed = [Fraction(held[i]) if setup[i] == 0 else Fraction(0) for i in range(count)]
        for i in range(count):
            if speed[i] or held[i]:
                log.setdefault((i, place[i]), [now, None])
        waits = [ready[i] - now for i in range(count) if end[i] is None and ready[i] > now]
        waits += [setup[i] for i in range(count) if held[i] and setup[i]]
        waits += [left[i] / speed[i] for i in range(count) if speed[i]]
        span = min(waits)
        now += span
        for i in range(count):
            if held[i] and setup[i]:
                setup[i] -= span
            elif speed[i]:
                left[i] -= speed[i] * span
                if left[i] == 0:
                    log[i, place[i]][1] = now
                    held[i], setup[i] = 0, overhead
                    ready[i] = now + Fraction(notebooks[i][place[i]].think)
                    place[i] += 1
                    if place[i] == len(notebooks[i]):
                        end[i] = now
                    else:
                        left[i] = Fraction(notebooks[i][place[i]].work)
    return end, log


def random_case(rng):
    """Notebooks, cores, overhead and loss with many ties: times are small multiples of a
    quarter.
    """
    notebooks = [
        [
            Cell(
                rng.randint(1, 10),
                rng.randint(1, 24) / rng.choice((1, 2, 4)),
                rng.choice((0, 0, 1, 2.5, 8)),
            )
            for _ in range(rng.randint(1, 6))
        ]
        for _ in range(rng.randint(1, 6))
    ]
    return notebooks, rng.randint(1, 9), rng.choice((0, 0, 0.25, 1, 3)), rng.choice((0, 0.125, 0.5))


@pytest.mark.parametrize(("scheduler", "moldable"), VARIANTS)
def test_every_moment_of_a_run_is_that_of_the_exact_reference(scheduler, moldable):
    rng = random.Random(f"{scheduler} {moldable}")
    for _ in range(40):
        notebooks, cores, overhead, loss = random_case(rng)
        end, log = slow_and_plain(
            notebooks, cores, scheduler, Fraction(overhead), Fraction(loss), moldable
        )
        result = run(
            notebooks,
            cores,
            scheduler,
            overhead=overhead,
            oversubscription_loss=loss,
            moldable=moldable,
        )
        assert result.end == pytest.approx([float(moment) for moment in end], rel=1e-12)
        assert len(result.cells) == len(log)
        for row in result.cells:
            start, stop = map(float, log[row.notebook, row.place])
            assert (row.start, row.end) == (
                pytest.approx(start, rel=1e-12),
                pytest.approx(stop, rel=1e-12),
            )


# --- laws ---
cells = st.builds(
    Cell,
    threads=st.integers(1, 12),
    work=st.floats(0.01, 1000, allow_nan=False),
    think=st.one_of(st.just(0.0), st.floats(0, 1000, allow_nan=False)),
)
books = st.lists(st.lists(cells, min_size=1, max_size=5), min_size=1, max_size=5)
variants = st.sampled_from(VARIANTS)


@given(books, st.integers(1, 16), variants, st.floats(0, 50), st.floats(0, 0.9))
def test_work_is_conserved_and_the_cores_are_never_exceeded(
    notebooks, cores, variant, overhead, loss
):
    scheduler, moldable = variant
    result = run(
        notebooks,
        cores,
        scheduler,
        overhead=overhead,
        oversubscription_loss=loss,
        moldable=moldable,
    )
    work = sum(cell.work for book in notebooks for cell in book)
    assert result.idle + work == pytest.approx(cores * result.makespan, rel=1e-9)
    held = sum(
        (after - before) * level
        for row in result.cells
        for (before, level), after in zip(
            row.steps, [*(since for since, _ in row.steps[1:]), row.end], strict=True
        )
    )
    wasted = (scheduler == "dynamic" and overhead) or (scheduler == "naive" and loss)
    assert held >= work * (1 - 1e-9) if wasted else held == pytest.approx(work, rel=1e-9)
    moments = {row.start for row in result.cells} | {
        moment for row in result.cells for moment, _ in row.steps
    }
    for moment in moments:
        held = sum(
            [level for since, level in row.steps if since <= moment][-1]
            for row in result.cells
            if row.start <= moment < row.end * (1 - 1e-11)
        )
        assert held <= cores * (1 + 1e-12)
        granted = sum(
            row.granted for row in result.cells if row.start <= moment < row.end * (1 - 1e-11)
        )
        assert granted <= held * (1 + 1e-12)
    for row in result.cells:
        assert 0 < row.granted <= row.asked <= cores and row.ready <= row.start < row.end


@given(st.lists(cells, min_size=1, max_size=4), st.integers(1, 16), variants)
def test_one_notebook_takes_under_every_scheduler_what_it_takes_alone_to_the_last_bit(
    book, cores, variant
):
    scheduler, moldable = variant
    assert run([book], cores, scheduler, moldable=moldable).end == alone([book], cores)


# --- the lesson's study ---
def test_a_alternates_b_is_mostly_one_core_c_mostly_all_and_d_mostly_one_and_longest():
    wide = {name: [cell.threads == 8 for cell in synthetic(name, 8)] for name in NOTEBOOKS}
    assert wide["A"] == [False, True] * 3
    assert sum(wide["B"]) / len(wide["B"]) < 0.5 < sum(wide["C"]) / len(wide["C"])
    assert sum(wide["D"]) / len(wide["D"]) < 0.5
    assert alone([synthetic("D", 8)], 8) > alone([synthetic("C", 8)], 8)


def test_the_work_of_a_notebook_does_not_depend_on_the_node():
    for name in NOTEBOOKS:
        assert sum(cell.work for cell in synthetic(name, 2)) == sum(
            cell.work for cell in synthetic(name, 64)
        )


MEAN = 15.0
DEVIATION = 696.0
MAXIMUM = 40_000.0
HOUR = 3600.0
SQUARE = MEAN**2 + DEVIATION**2


def laws_on_three_points(points):
    """Every distribution on three of these points with the published mean and mean square: points
    and chances.

    A linear objective under three equalities is least and greatest on such laws, so among all
    distributions on these points (the theorem of linear programming on basic solutions).
    """
    triples = np.array(list(itertools.combinations(sorted(set(points)), 3)))
    chances = np.empty_like(triples)
    for i in range(3):
        x = triples[:, i]
        y = triples[:, (i + 1) % 3]
        z = triples[:, (i + 2) % 3]
        chances[:, i] = (SQUARE - (y + z) * MEAN + y * z) / ((x - y) * (x - z))
    possible = (chances >= 0).all(axis=1)
    return triples[possible], chances[possible]


def test_no_law_with_the_three_figures_has_a_median_above_5_8_seconds():
    bound = greatest_median(MEAN, DEVIATION, MAXIMUM)
    assert bound == pytest.approx(5.7722, abs=1e-4) and greatest_median(10, 0, 1000) == 10
    grid = np.concatenate([[0], np.geomspace(0.01, MAXIMUM, 70)])
    for median in (bound, bound * 1.001, 5.8, 15, 720, 3600):
        points, chances = laws_on_three_points([*grid, median])
        greatest = (chances * (points >= median)).sum(axis=1).max()
        if median == bound:
            assert greatest == pytest.approx(0.5, abs=1e-9)  # taken on: no lower bound is true
        else:
            assert greatest < 0.5


def test_every_law_with_the_three_figures_has_78_9_percent_of_its_idle_time_in_long_gaps():
    bound = least_idle_share(HOUR, MEAN, DEVIATION, MAXIMUM)
    assert bound == pytest.approx(0.78872, abs=1e-5) and least_idle_share(MAXIMUM) == 0
    points, chances = laws_on_three_points([0, HOUR, *np.geomspace(0.01, MAXIMUM, 70)])
    least = (points * chances * (points > HOUR)).sum(axis=1).min() / MEAN
    assert least == pytest.approx(bound, abs=1e-9)


def test_the_assumed_mixture_has_the_three_figures_and_a_median_below_a_second():
    law = ThinkTime(mean=MEAN, deviation=DEVIATION, maximum=MAXIMUM)
    short = law.short_median * math.exp(law.short_sigma**2 / 2)
    short_square = law.short_median**2 * math.exp(2 * law.short_sigma**2)
    gap = (law.gap_least + MAXIMUM) / 2
    gap_square = (MAXIMUM**3 - law.gap_least**3) / (3 * (MAXIMUM - law.gap_least))
    assert (1 - law.gap_share) * short + law.gap_share * gap == pytest.approx(MEAN)
    assert (1 - law.gap_share) * short_square + law.gap_share * gap_square == pytest.approx(SQUARE)
    assert law == ThinkTime()
    assert law.median == pytest.approx(0.5, abs=0.001)
    assert least_idle_share(HOUR) < law.idle_share(HOUR) < 1 and law.idle_share(0) == pytest.approx(
        1
    )
    assert 8 * HOUR < law.gap_least < 9 * HOUR  # a night


def test_samples_have_the_moments_of_the_mixture():
    law = ThinkTime()
    n = 200_000
    draws = law.sample(n, np.random.default_rng(7))
    assert draws.min() > 0 and draws.max() <= MAXIMUM
    # 3.29 standard errors hold 99.9% of all runs; the fourth moment is at most M² E X².
    assert draws.mean() == pytest.approx(MEAN, abs=3.29 * DEVIATION / math.sqrt(n))
    assert (draws**2).mean() == pytest.approx(SQUARE, abs=3.29 * MAXIMUM * math.sqrt(SQUARE / n))
    gaps = draws > HOUR
    expected = law.gap_share * n
    assert gaps.sum() == pytest.approx(expected, abs=3.29 * math.sqrt(expected))
    below = (draws <= law.median).mean()
    assert below == pytest.approx(0.5, abs=3.29 * 0.5 / math.sqrt(n))
    for threshold in (1, 5, HOUR, 35_000):
        share = draws[draws > threshold].sum() / n / MEAN
        assert share == pytest.approx(
            law.idle_share(threshold), abs=3.29 * DEVIATION / math.sqrt(n) / MEAN
        )
        longer = law.pause_share(threshold)
        assert (draws > threshold).mean() == pytest.approx(longer, abs=3.29 * math.sqrt(longer / n))
        beyond = np.maximum(draws - threshold, 0).sum() / n / MEAN
        assert beyond == pytest.approx(
            law.recovered(threshold), abs=3.29 * DEVIATION / math.sqrt(n) / MEAN
        )


def test_a_short_pause_beyond_the_maximum_is_drawn_again():
    law = ThinkTime(
        mean=1.158, deviation=1.825, maximum=10, short_median=0.5, short_sigma=1
    )  # 1 in 741 beyond
    draws = law.sample(50_000, np.random.default_rng(5))
    assert draws.min() > 0 and draws.max() <= 10
