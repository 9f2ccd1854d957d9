"""What each policy promises, and the cases in which it does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.fairness import Claimant, check_properties

HUNDRED = {"cpu": 100, "mem": 100}


def users(*demands) -> list[Claimant]:
    return [Claimant(name, {"cpu": cpu, "mem": mem}) for name, (cpu, mem) in zip("ABCDEF", demands, strict=False)]


demands = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=2, max_size=4)
pools = st.fixed_dictionaries({"cpu": st.integers(20, 200), "mem": st.integers(20, 200)})
weights = st.lists(st.sampled_from([1, 1, 2, 0.5]), min_size=4, max_size=4)


@given(demands, pools, weights)
def test_drf_without_starts_or_ceilings_has_all_four_properties(shapes, pool, shares):
    """Ghodsi et al., NSDI 2011, section 6: theorems 3 to 6."""
    claimants = [Claimant(c.name, c.demand, weight=w) for c, w in zip(users(*shapes), shares, strict=False)]
    result = check_properties(claimants, pool, "drf")
    assert result.sharing_incentive and result.envy_freeness and result.pareto_efficiency
    assert result.best_lie_gain == 0


@pytest.mark.slow
@given(demands, pools)
@settings(max_examples=5, deadline=None)
def test_ceei_has_all_but_protection_against_lies(shapes, pool):
    claimants = users(*shapes[:3])
    result = check_properties(claimants[:2], pool, "ceei")
    assert result.sharing_incentive and result.envy_freeness and result.pareto_efficiency


def test_other_policies_break_the_sharing_incentive():
    """Two users of 30 and 30, <1, 3> and <1, 1>: asset fairness gives 6 and 12 tasks, half of the pool B 15."""
    assert not check_properties(users((1, 3), (1, 1)), {"cpu": 30, "mem": 30}, "asset").sharing_incentive
    result = check_properties(users((16, 1), (1, 2)), HUNDRED, "single:cpu")
    assert (result.sharing_incentive, result.pareto_efficiency) == (False, True)
    result = check_properties(users((16, 1), (1, 2)), HUNDRED, "round_robin")
    assert (result.sharing_incentive, result.envy_freeness) == (False, True)


def test_round_robin_breeds_envy_and_rewards_whoever_asks_for_large_executors():
    """12 and 12, <1, 1> and <2, 2>: 4 tasks each, so A envies B's bundle, and claiming <2, 2> brings it 6."""
    result = check_properties(users((1, 1), (2, 2)), {"cpu": 12, "mem": 12}, "round_robin")
    assert not result.envy_freeness and result.best_lie_gain >= 2


@given(demands, pools, st.sampled_from(["asset", "single:cpu", "single:mem"]))
def test_asset_fairness_and_one_resource_only_lack_nothing_but_the_sharing_incentive(shapes, pool, policy):
    """Where everybody needs something of everything; no lie found pays."""
    result = check_properties(users(*shapes), pool, policy)
    assert result.envy_freeness and result.pareto_efficiency and result.best_lie_gain == 0


def test_starts_can_break_what_drf_promises_without_them_and_ceilings_do_not():
    starting = [Claimant("A", {"cpu": 1}, {"cpu": 6}), Claimant("B", {"cpu": 1})]  # 0 and 6 tasks of 12 CPUs
    result = check_properties(starting, {"cpu": 12}, "drf")
    assert not result.sharing_incentive and not result.envy_freeness
    capped = [Claimant("A", {"cpu": 1}, ceiling=2), Claimant("B", {"cpu": 1})]
    result = check_properties(capped, {"cpu": 12}, "drf")
    assert result.sharing_incentive and result.envy_freeness and result.pareto_efficiency
