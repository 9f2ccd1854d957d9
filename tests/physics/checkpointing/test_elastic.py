"""How many workers: each objective against trying every number."""

import math

from hypothesis import given
from hypothesis import strategies as st

from physics.checkpointing import speedup, workers_for

MOST = 400
networks = st.fixed_dictionaries(
    {
        "serial": st.floats(min_value=0.005, max_value=1),
        "gradient_size": st.floats(min_value=1e6, max_value=1e11),
        "bandwidth": st.floats(min_value=1e9, max_value=1e12),
        "latency": st.floats(min_value=1e-5, max_value=1e-2),
        "step_time": st.floats(min_value=0.1, max_value=10),
    }
)


@given(networks, st.floats(min_value=1, max_value=120))
def test_a_deadline_takes_the_fewest_workers_that_meet_it(network, deadline):
    meets = [n for n in range(1, MOST + 1) if 100 / speedup(n, **network) <= deadline]
    found = workers_for("deadline", work=100, deadline=deadline, **network)
    if meets:
        assert found == meets[0]
    else:
        assert found is None or (found > MOST and 100 / speedup(found, **network) <= deadline * (1 + 1e-9))


@given(networks, st.floats(min_value=50, max_value=400))
def test_a_budget_takes_the_fastest_gang_it_can_pay(network, budget):
    times = {n: 100 / speedup(n, **network) for n in range(1, MOST + 1)}
    payable = [n for n, time in times.items() if n * time * 1.0 <= budget]
    found = workers_for("budget", work=100, budget=budget, price=1.0, **network)
    if not payable:
        assert found is None
    elif found <= MOST:
        assert found in payable
        assert times[found] <= min(times[n] for n in payable) * (1 + 1e-9)


@given(networks, st.floats(min_value=0.05, max_value=1), st.sampled_from(["knee", "Efficiency knee", "efficiency"]))
def test_the_knee_is_the_last_gang_of_that_efficiency(network, efficiency, name):
    found = workers_for(name, efficiency=efficiency, **network)
    assert speedup(found, **network) / found >= efficiency * (1 - 1e-9)
    assert speedup(found + 1, **network) / (found + 1) < efficiency


@given(networks)
def test_performance_per_cost_says_one_whatever_the_network(network):
    efficiency = [speedup(n, **network) / n for n in range(1, MOST + 1)]
    assert workers_for("performance per cost", **network) == 1 + efficiency.index(max(efficiency)) == 1


def test_goals_out_of_reach_and_goals_that_every_larger_gang_meets_are_answers():
    alone = {"serial": 0.05, "work": 100}
    assert workers_for("deadline", deadline=4, **alone) is None  # 5 h are serial
    assert workers_for("budget", budget=99, price=1, **alone) is None
    assert workers_for("deadline", deadline=100, **alone) == 1
    assert workers_for("knee", serial=0) == math.inf
    assert workers_for("budget", serial=0, work=100, budget=100, price=1) == math.inf


def test_the_fastest_gang_bounds_what_a_rich_budget_buys():
    network = {"serial": 0.0, "gradient_size": 1.0, "bandwidth": 1e9, "latency": 0.005}
    # a step takes 1/n + 2 (n − 1) · 5 ms: least at n = √(1/0.01) = 10
    assert workers_for("budget", work=1, budget=1e9, price=1, **network) == 10
    assert workers_for("deadline", work=1, deadline=0.19 + 1e-6, **network) == 10
    assert workers_for("deadline", work=1, deadline=0.189, **network) is None
    slow = {"serial": 0.0, "gradient_size": 1e9, "bandwidth": 1e9}  # 2 s of talking for 1 s of work
    assert workers_for("budget", work=1, budget=1e9, price=1, **slow) == 1
