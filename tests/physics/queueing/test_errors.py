"""The table of errors of Allen–Cunneen and of the exponential tail: measured anew, and what it
leaves out.
"""

import math
from itertools import product

import pytest

from benchmarks.queueing import measure_error
from physics.queueing import mgc
from physics.queueing.errors import (
    LEAST_CHANCE,
    LOADS,
    MEASURED,
    MOST_OFF,
    SCVS,
    SERVERS,
    measured_around,
)


@pytest.mark.parametrize("point", [(4, 0.5, 0.0), (2, 0.7, 4.0), (16, 0.8, 0.5), (128, 0.9, 0.0)])
def test_a_fresh_measurement_agrees_with_the_table_of_errors(point):
    held = MEASURED[point]
    fresh = measure_error(*point, runs=10, jobs=20_000)
    assert fresh.mean == pytest.approx(
        held.mean, abs=4 * math.hypot(held.mean_off, fresh.mean_off) + 0.002
    )
    assert fresh.p99 == pytest.approx(
        held.p99, abs=4 * math.hypot(held.p99_off, fresh.p99_off) + 0.002
    )


def test_the_p99_is_measured_wherever_the_mean_is_and_the_formula_gives_one():
    """Two are left, both at 512 servers: at 90% hardly one job in a hundred waits, at SCV 40 chance
    blurs too much.
    """
    none = [point for point, error in MEASURED.items() if math.isnan(error.p99)]
    some = [
        one for one in none if mgc(one[0] * one[1], 1.0, one[0], one[2]).wait_percentile(0.99) > 0
    ]
    assert (
        some == [(512, 0.9, 0.0), (512, 0.98, 40.0)] and mgc(512 * 0.9, 1.0, 512).prob_wait < 0.012
    )


def test_points_at_which_hardly_a_job_waits_or_chance_blurs_the_result_are_left_out():
    for servers, busy, scv in product(SERVERS, LOADS, SCVS):
        rare = mgc(busy * servers, 1.0, servers).prob_wait < LEAST_CHANCE
        assert not (rare and (servers, busy, scv) in MEASURED)
    assert all(
        off <= MOST_OFF for one in MEASURED.values() for off in one[1::2] if not math.isnan(off)
    )
    assert measured_around(1, 0.77, 7.0).low == measured_around(1, 0.77, 7.0).high == 0
