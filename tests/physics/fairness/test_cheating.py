"""Executors that are handed out in a chosen order, and what a cheat can really run."""

import pytest

from physics.fairness import Claimant, allocate, divide
from physics.fairness.cheating import true_tasks
from physics.fairness.serving import serve

POOL = {"cpu": 9, "mem": 18}
USERS = [Claimant("A", {"cpu": 1, "mem": 4}), Claimant("B", {"cpu": 3, "mem": 1})]


@pytest.mark.parametrize("policy", ["drf", "round_robin", "asset"])
def test_serving_in_a_policys_own_order_ends_as_the_policy_does(policy):
    result = allocate(USERS, POOL, policy)
    chosen = serve(USERS, POOL, result.log)
    assert (chosen.executors, chosen.free) == (result.executors, result.free)
    assert chosen.dominant_share == result.dominant_share and chosen.stop == "no_fit"


def test_an_order_that_is_longer_than_the_pool_or_a_cap_changes_nothing():
    assert serve(USERS, POOL, ["A"] * 50).executors == {"A": 4, "B": 0}
    capped = [Claimant("A", {"cpu": 1}, ceiling=2)]
    assert serve(capped, POOL, ["A"] * 3).stop == "all_at_ceiling"
    with pytest.raises(ValueError, match="order must name claimants, got 'C'"):
        serve(USERS, POOL, ["C"])


def test_who_claims_the_truth_under_one_name_gets_what_the_policy_divides():
    for policy in ("drf", "ceei", "asset"):
        divided = divide(USERS, POOL, policy).executors
        assert true_tasks(USERS, POOL, "A", {}, policy=policy) == pytest.approx(divided)


def test_two_names_of_one_of_two_users_with_one_resource_get_two_thirds():
    users = [Claimant("A", {"cpu": 1}), Claimant("B", {"cpu": 1})]
    tasks = true_tasks(users, {"cpu": 9}, "A", {}, names=2)
    assert tasks == pytest.approx({"A": 6, "B": 3})
