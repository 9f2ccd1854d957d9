"""How long a gang stands for missing nodes, against nodes that fail one by one."""

import math

import numpy as np
import pytest

from physics.checkpointing import expected_runtime, gang_wait, spot_cost
from physics.numerics import mean_interval

STRUCK = {"work": 100.0, "interval": 2.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}  # hours


def near(sample, expected):
    mean, half = mean_interval(sample, 0.9999)
    return abs(mean - expected) <= half + 1e-9


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


@pytest.mark.parametrize("nodes", [1, 16])
def test_the_run_takes_its_time_without_a_delay_divided_by_the_share_in_which_all_nodes_are_there(nodes):
    node_mtbf, delay = 5.0 * nodes, 0.5
    there = node_mtbf / (node_mtbf + delay)
    wait, paid = gang_wait(delay, node_mtbf, nodes), gang_wait(delay, node_mtbf, nodes, paid=True)
    at_once = expected_runtime(**STRUCK)
    assert expected_runtime(**STRUCK, wait=wait) == pytest.approx(at_once / there**nodes)
    assert spot_cost(**STRUCK, price=3.0, wait=paid) == pytest.approx(3 * at_once / there ** (nodes - 1))


def test_a_gang_that_is_never_complete_waits_without_limit():
    assert gang_wait(1e300, 1.0, 64).mean == math.inf == expected_runtime(**STRUCK, wait=gang_wait(1e300, 1.0, 64))
