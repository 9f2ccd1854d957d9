"""What each policy promises, and the cases in which it does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.fairness import Claimant, check_properties, divide

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
    assert (result.best_lie_gain, result.best_liar, result.best_lie) == (0, None, None)


@pytest.mark.slow
@given(demands, pools)
@settings(max_examples=5, deadline=None)
def test_ceei_has_all_but_protection_against_lies(shapes, pool):
    claimants = users(*shapes[:3])
    result = check_properties(claimants[:2], pool, "ceei")
    assert result.sharing_incentive and result.envy_freeness and result.pareto_efficiency


def test_ceei_rewards_a_lie_and_drf_does_not():
    claimants = users((16, 1), (1, 2))
    result = check_properties(claimants, HUNDRED, "ceei")
    assert result.best_lie_gain >= 25 / 6 - 100 / 31 - 1e-6
    told = [Claimant(c.name, result.best_lie if c.name == result.best_liar else c.demand) for c in claimants]
    lied = divide(told, HUNDRED, "ceei").executors[result.best_liar]
    truth = next(c.demand for c in claimants if c.name == result.best_liar)
    true_tasks = min(lied * result.best_lie[r] / truth[r] for r in truth)
    honest = divide(claimants, HUNDRED, "ceei").executors[result.best_liar]
    assert true_tasks - honest == pytest.approx(result.best_lie_gain, rel=1e-6)
    assert check_properties(claimants, HUNDRED, "drf").best_lie_gain == 0


def test_asset_fairness_breaks_the_sharing_incentive():
    """Two users of 30 and 30, <1, 3> and <1, 1>: 6 and 12 tasks, but half of the pool would give B 15."""
    result = check_properties(users((1, 3), (1, 1)), {"cpu": 30, "mem": 30}, "asset")
    assert divide(users((1, 3), (1, 1)), {"cpu": 30, "mem": 30}, "asset").executors == {"A": 6, "B": 12}
    assert not result.sharing_incentive
    assert result.short_of_slice == ("B",)


def test_one_resource_only_breaks_the_sharing_incentive_and_wastes_nothing():
    result = check_properties(users((16, 1), (1, 2)), HUNDRED, "single:cpu")
    assert (result.short_of_slice, result.pareto_efficiency) == (("A",), True)


def test_round_robin_breaks_the_sharing_incentive_and_breeds_no_envy_here():
    result = check_properties(users((16, 1), (1, 2)), HUNDRED, "round_robin")
    assert (result.short_of_slice, result.envious) == (("B",), ())


def test_round_robin_breeds_envy_and_rewards_whoever_asks_for_large_executors():
    """12 and 12, <1, 1> and <2, 2>: 4 tasks each, so A envies B's bundle, and claiming <2, 2> brings it 6."""
    pool = {"cpu": 12, "mem": 12}
    result = check_properties(users((1, 1), (2, 2)), pool, "round_robin")
    assert result.envious == (("A", "B"),) and result.best_liar is not None
    told = divide(users((2, 2), (2, 2)), pool, "round_robin").executors
    assert (told["A"] * 2, result.best_lie_gain >= 2) == (6, True)


@given(demands, pools, st.sampled_from(["asset", "single:cpu", "single:mem"]))
def test_asset_fairness_and_one_resource_only_lack_nothing_but_the_sharing_incentive(shapes, pool, policy):
    """Where everybody needs something of everything; no lie found pays."""
    result = check_properties(users(*shapes), pool, policy)
    assert result.envy_freeness and result.pareto_efficiency and result.best_lie_gain == 0


def test_starts_can_break_what_drf_promises_without_them():
    claimants = [Claimant("A", {"cpu": 1}, {"cpu": 6}), Claimant("B", {"cpu": 1})]
    result = check_properties(claimants, {"cpu": 12}, "drf")
    assert divide(claimants, {"cpu": 12}).executors == {"A": 0, "B": 6}
    assert (result.short_of_slice, result.envious) == (("A",), (("A", "B"),))


def test_a_claimant_at_its_ceiling_neither_envies_nor_falls_short():
    claimants = [Claimant("A", {"cpu": 1}, ceiling=2), Claimant("B", {"cpu": 1})]
    result = check_properties(claimants, {"cpu": 12}, "drf")
    assert result.sharing_incentive and result.envy_freeness and result.pareto_efficiency
