"""How long a gang stands for missing nodes: closed form and law, against nodes that fail one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import expected_breakdown, expected_runtime, gang_wait, simulate_runs, spot_cost

RUN = {"work": 100.0, "interval": 2.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}  # hours
Z = 3.9  # two-sided normal quantile of 99.99 %


def near(sample, expected):
    return abs(np.mean(sample) - expected) <= Z * np.std(sample, ddof=1) / math.sqrt(len(sample)) + 1e-9


def stood(delay, node_mtbf, nodes, rng, fixed=False):
    """One wait, each node by itself: how long it takes and what of it is paid, in time of the gang."""

    def away():
        return delay if fixed else rng.exponential(delay)

    clock, paid = 0.0, 0.0
    back = np.zeros(nodes)
    back[0] = away()  # when the node is there again; in the past if it is there
    while (back > clock).any():
        there = back <= clock
        strike = clock + rng.exponential(node_mtbf / there.sum()) if there.any() else math.inf
        until = min(strike, back[~there].min())
        paid, clock = paid + (until - clock) * there.mean(), until
        if until == strike:
            back[np.flatnonzero(there)[0]] = clock + away()
    return clock, paid


@pytest.mark.parametrize("fixed", [False, True], ids=["exponential delays", "fixed delays"])
@pytest.mark.parametrize(("delay", "nodes"), [(1.0, 1), (0.7, 6)])
def test_the_mean_wait_and_what_is_paid_of_it_are_those_of_nodes_that_fail_one_by_one(delay, nodes, fixed):
    rng = np.random.default_rng(1)
    waits = np.array([stood(delay, 4.0, nodes, rng, fixed) for _ in range(3000)])
    assert near(waits[:, 0], gang_wait(delay, 4.0, nodes).mean)
    assert near(waits[:, 1], gang_wait(delay, 4.0, nodes, paid=True).mean)


@given(st.floats(1e-3, 10), st.integers(1, 64), st.booleans())
def test_the_kinds_of_wait_are_all_the_waits_and_have_their_mean(delay, nodes, paid):
    wait = gang_wait(delay, 1.0, nodes, paid)
    assert sum(wait.shares) == pytest.approx(1) and min(wait.shares) > 0
    assert np.dot(wait.shares, wait.means) == pytest.approx(wait.mean)


def test_the_sum_of_many_waits_has_the_law_of_waits_played_one_by_one():
    rng, number = np.random.default_rng(3), 3
    played = np.array([[stood(1.0, 4.0, 5, rng) for _ in range(number)] for _ in range(1500)]).sum(axis=1)
    for column, paid in enumerate((False, True)):
        drawn = gang_wait(1.0, 4.0, 5, paid).total(np.full(1500, float(number)), rng)
        grid = np.sort(np.concatenate([played[:, column], drawn]))
        below = [np.searchsorted(np.sort(sample), grid, side="right") / 1500 for sample in (played[:, column], drawn)]
        assert np.abs(below[0] - below[1]).max() < math.sqrt(math.log(2 / 1e-4) / 2) * math.sqrt(2 / 1500)


@pytest.mark.parametrize("nodes", [1, 16])
def test_the_run_takes_its_time_without_a_delay_divided_by_the_share_in_which_all_nodes_are_there(nodes):
    node_mtbf, delay = 5.0 * nodes, 0.5
    there = node_mtbf / (node_mtbf + delay)
    wait, paid = gang_wait(delay, node_mtbf, nodes), gang_wait(delay, node_mtbf, nodes, paid=True)
    at_once = expected_runtime(**RUN)
    assert expected_runtime(**RUN, wait=wait) == pytest.approx(at_once / there**nodes)
    assert spot_cost(**RUN, price=3.0, wait=paid) == pytest.approx(3 * at_once / there ** (nodes - 1))


@pytest.mark.parametrize("changes", [{}, {"dump": 0.03, "notice": 1 / 30}, {"interval": 7.0}], ids=str)
def test_simulated_runs_stand_as_long_as_the_closed_form_says(changes):
    given_, wait = RUN | changes, gang_wait(0.5, 20.0, 4)
    runs = simulate_runs(**given_, rng=np.random.default_rng(5), runs=4000, wait=wait)
    expected = expected_breakdown(**given_, wait=wait)
    assert near(runs.runtime, expected.runtime) and near(runs.waits, expected.waits)


def test_a_gang_that_is_never_complete_waits_without_limit_and_raises_nothing():
    wait = gang_wait(1e300, 1.0, 64)
    assert wait.mean == math.inf and expected_runtime(**RUN, wait=wait) == math.inf
    assert np.isinf(simulate_runs(**RUN, rng=np.random.default_rng(1), runs=5, wait=wait).runtime).all()
