"""Measures of a schedule: by hand, by their laws, and what a ranking makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workload_strategies import jobs_of

from physics.metrics import balance, fragmentation, jain, utilization
from physics.placement import unusable
from physics.scheduling import simulate
from physics.scheduling.policy import Policy, Preemption

amounts = st.lists(st.floats(0, 1e6), min_size=1)


def test_work_done_twice_is_time_worked():
    jobs = jobs_of([(0, 100, 4), (10, 10, 4)]).assign(job_class=["training", "interactive"])
    schedule = simulate(jobs, 4, Policy("priority", preemption=Preemption(30, 5)))
    assert schedule.jobs["lost"].sum() > 0
    assert utilization(schedule) == pytest.approx(1)


@given(
    st.lists(
        st.tuples(st.integers(0, 50), st.integers(1, 30), st.integers(1, 4)),
        min_size=1,
        max_size=12,
    )
)
def test_utilization_is_a_share_and_one_when_work_never_pauses(rows):
    assert 0 < utilization(simulate(jobs_of(rows), 4)) <= 1 + 1e-12
    alone = [(0, runtime, 4) for _, runtime, _ in rows]
    assert utilization(simulate(jobs_of(alone), 4)) == pytest.approx(1)


@given(amounts, st.floats(1e-3, 1e3))
def test_jain_and_balance_are_free_of_units_and_one_for_equals(values, unit):
    for measure in (jain, balance):
        assert measure([unit * value for value in values]) == pytest.approx(
            measure(values), rel=1e-6
        )
        assert measure([values[0]] * 5) == pytest.approx(1)
        assert 0 <= measure(values) <= 1


@given(st.integers(2, 200), st.data())
def test_with_k_of_n_served_alike_jain_is_k_of_n_and_balance_sees_one_who_starves(n, data):
    k = data.draw(st.integers(1, n - 1))
    assert jain([0] * n) == balance([0] * n) == 1
    assert jain([3] * k + [0] * (n - k)) == pytest.approx(k / n)
    assert balance([3] * k + [0] * (n - k)) == 0


@given(st.lists(st.integers(0, 8)))
def test_fragmentation_is_the_unusable_share_of_what_is_free(free):
    mix = {1: 0.25, 4: 0.5, 8: 0.25}
    assert fragmentation(free, mix) * sum(free) == pytest.approx(unusable(free, mix))
    assert fragmentation(free, {1: 1.0}) == 0


def test_fragmentation_of_narrow_numpy_integers_does_not_wrap_around():
    assert fragmentation(np.array([200] * 3, dtype=np.uint8), {201: 1.0}) == 1.0
    assert fragmentation(np.array([100] * 3, dtype=np.int8), {8: 0.5, 101: 0.5}) == 0.5
