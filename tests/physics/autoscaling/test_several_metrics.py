"""Several metrics, growing steps and growing waits: against the autoscaler of one metric, by hand,
and against closed forms.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import constants as k
from physics.autoscaling import Threshold, simulate_autoscaler
from physics.autoscaling.several import metrics_oscillate, simulate_metrics

loads = st.lists(st.floats(0, 12), min_size=5, max_size=60)


def changes(run) -> int:
    """How many replicas a run adds and removes."""
    return int((run["wanted"] - run["requested"]).abs().sum())


@given(loads, st.floats(0.5, 1), st.floats(0, 0.45), st.sampled_from([0.0, 60.0, 300.0]))
def test_one_metric_is_the_autoscaler_with_two_thresholds(load, upper, lower, cool_down):
    run = simulate_metrics([load], upper, lower, start=2, cool_down_down=cool_down)
    rule = Threshold(upper, lower)
    other = simulate_autoscaler(load, rule, start=2, cool_down_down=cool_down, ceiling=40)
    names = ["time", "ready", "requested", "wanted"]
    assert run[names].to_numpy().tolist() == other[names].to_numpy().tolist()
    assert np.allclose(run["utilization_0"], other["utilization"], rtol=1e-12)


@given(st.lists(st.tuples(st.floats(0, 12), st.floats(0, 12)), min_size=5, max_size=60))
def test_with_the_same_thresholds_the_metric_with_the_larger_load_decides(pairs):
    first, second = zip(*pairs, strict=True)
    run = simulate_metrics([first, second])
    busiest = simulate_metrics([np.maximum(first, second)])
    assert run["wanted"].equals(busiest["wanted"])


@given(st.floats(0.05, 5), st.floats(0.05, 5), st.floats(0.3, 0.95), st.floats(0, 0.9))
def test_two_metrics_oscillate_where_the_closed_form_says_so(gpu, memory, upper, lower):
    if lower > upper - 0.05:
        return
    run = simulate_metrics([[gpu] * 500, [memory] * 500], upper, lower, cool_down_down=0)
    late = set(run["ready"].tail(100))
    pairs = [n for n in range(1, 20) if metrics_oscillate([gpu, memory], upper, lower, n)]
    if pairs:
        assert late == {pairs[0], pairs[0] + 1}
    else:
        assert len(late) == 1


def test_a_busy_second_metric_keeps_the_replica_that_the_first_would_remove():
    alone = simulate_metrics([[0.9] * 200])
    both = simulate_metrics([[0.9] * 200, [1.1] * 200])
    assert set(alone["ready"].tail(50)) == {1, 2} and set(both["ready"].tail(50)) == {2}
    row = both.iloc[-1]
    assert (row["utilization_0"], row["utilization_1"]) == (0.45, pytest.approx(0.55))


@pytest.mark.parametrize("factor", [2, 3])
def test_growing_steps_reach_a_high_load_in_a_logarithm_of_the_steps(factor):
    steps = [1.0] + [12.0] * 400
    run = simulate_metrics([steps], step_factor=factor)
    sizes = [int(size) for size in run["ready"].unique()]
    by_hand = [1]
    while by_hand[-1] * 0.8 < 12:
        step = factor ** (len(by_hand) - 1)
        by_hand.append(min(40, by_hand[-1] + step))
    assert sizes[: len(by_hand)] == by_hand
    # The first load is above the threshold, too; each order waits for the one before to start.
    between = k.COLD_START + k.HPA_SYNC
    enough = run["time"][run["ready"] >= 15].iloc[0]
    assert enough == len(by_hand[1:]) * between
    assert len(by_hand) - 1 <= math.ceil(math.log(15 * (factor - 1) + 1, factor))
    single = simulate_metrics([steps])
    assert single["time"][single["ready"] >= 15].iloc[0] == 14 * between


def test_a_step_after_a_turn_is_one_replica_again():
    load = [12.0] * 60 + [0.1] * 200
    run = simulate_metrics([load], step_factor=2, cool_down_down=0)
    moves = (run["wanted"] - run["requested"]).to_numpy()
    downs = moves[moves < 0].tolist()
    ups = moves[moves > 0].tolist()
    assert ups == [1, 2, 4, 8] and downs == [-1, -2, -4, -8]


def test_growing_waits_make_an_oscillation_rarer_and_never_end_it():
    steady = [[0.9] * 5760]  # a day
    plain = simulate_metrics(steady)
    patient = simulate_metrics(steady, wait_factor=2)
    assert changes(patient) < changes(plain) / 20
    # Waits of 5, 10, 20, … minutes: n turns take about 5 (2ⁿ − 1) minutes, and the last is to come.
    turns = int((patient["wanted"] < patient["requested"]).sum())
    assert turns == math.floor(math.log2(24 * 60 / 5 + 1))
    longer = simulate_metrics([[0.9] * 4 * 5760], wait_factor=2)
    assert changes(longer) > changes(patient)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([],), "loads must be series"),
        (([[1.0], [1.0, 2.0]],), "loads must be series"),
        (([[-1.0]],), "not negative"),
        (([[1.0]], 0.0), "upper"),
        (([[1.0]], 0.8, 1.5), "lower"),
    ],
)
def test_nonsense_is_refused_by_name(given, words):
    with pytest.raises(ValueError, match=words):
        simulate_metrics(*given)
