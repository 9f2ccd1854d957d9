"""Executors by a slow reference, published numbers, the limit of small tasks, and what each policy
promises.
"""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.fairness import Claimant, allocate, check_properties, divide, jain_index

PAPER_POOL = {"cpu": 9, "mem": 18}


def paper(**of_a) -> list[Claimant]:
    return [Claimant("A", {"cpu": 1, "mem": 4}, **of_a), Claimant("B", {"cpu": 3, "mem": 1})]


# --- a slow reference, straight from the rules ---
def reference(claimants, capacity, policy="drf", steps=None, on_misfit="skip"):
    """Recompute everything at every step, in fractions, and take no short cut."""

    def decimal(number):
        return Fraction(str(number))

    log = []
    pointer = 0
    while True:
        count = {c.name: log.count(c.name) for c in claimants}
        held = {
            c.name: {
                r: decimal(c.start.get(r, 0)) + count[c.name] * decimal(c.demand.get(r, 0))
                for r in capacity
            }
            for c in claimants
        }
        share = {n: {r: held[n][r] / decimal(capacity[r]) for r in capacity} for n in held}
        free = {r: decimal(capacity[r]) - sum(held[n][r] for n in held) for r in capacity}
        dominant = {n: max(share[n].values()) for n in held}
        below = [c for c in claimants if c.ceiling is None or count[c.name] < c.ceiling]
        fitting = [c for c in below if all(decimal(d) <= free[r] for r, d in c.demand.items() if d)]

        def need(c, share=share, dominant=dominant):
            if policy == "asset":
                amount = sum(share[c.name].values())
            elif policy == "drf":
                amount = dominant[c.name]
            else:
                amount = share[c.name][policy.split(":")[1]]
            return amount / decimal(c.weight), c.name

        stop = None
        if steps is not None and len(log) == steps:
            stop = "max_steps"
        elif not below:
            stop = "all_at_ceiling"
        elif not fitting:
            stop = "no_fit"
        else:
            if on_misfit == "stop":
                candidates = below
            else:
                candidates = fitting
            if policy == "round_robin":
                order = claimants[pointer:] + claimants[:pointer]
                chosen = next(c for c in order if c in candidates)
            else:
                chosen = min(candidates, key=need)
            if chosen not in fitting:
                stop = "no_fit"
        if stop:
            return log, count, dominant, free, stop
        pointer = (claimants.index(chosen) + 1) % len(claimants)
        log.append(chosen.name)


def random_case(rng: random.Random):
    """Draw a case with zero demands, starts, weights, ceilings and decimal amounts that tie
    often.
    """
    resources = rng.sample(["cpu", "mem", "gpu", "gpu_mem"], rng.randint(1, 4))
    unit = rng.choice([1, 1, 0.1, 0.25, 0.7])

    def amount(top):
        return round(unit * rng.randint(0, top), 6)

    def demand():
        drawn = {r: amount(4) for r in resources if rng.random() < 0.8}
        if any(drawn.values()):
            return drawn
        return {rng.choice(resources): unit}

    claimants = [
        Claimant(
            name,
            demand(),
            {r: amount(5) for r in resources if rng.random() < 0.4},
            rng.choice([1.0, 1, 1, 2, 0.5, 0.1, 3.3]),
            rng.choice([None, None, None, 0, 1, 2, 5]),
        )
        for name in rng.sample(["Ann", "Bob", "cat", "Dan", "Eve", "äö", "Zoë"], rng.randint(1, 6))
    ]
    capacity = {r: round(unit * rng.randint(3, 40), 6) for r in resources}
    policy = rng.choice(["drf", "round_robin", "asset", *(f"single:{r}" for r in resources)])
    return (
        claimants,
        capacity,
        policy,
        rng.choice([None, None, 0, 1, 5, 12]),
        rng.choice(["skip", "stop"]),
    )


@pytest.mark.parametrize("seed", range(4))
def test_allocation_equals_a_slow_reference_on_random_cases(seed):
    rng = random.Random(seed)
    for _ in range(25):
        case = random_case(rng)
        log, count, dominant, free, stop = reference(*case)
        result = allocate(*case)
        assert (result.log, result.executors, result.stop) == (log, count, stop), case
        assert result.dominant_share == {name: float(share) for name, share in dominant.items()}, (
            case
        )
        assert result.free == {name: float(left) for name, left in free.items()}, case
        assert len(result.history) == len(log)


# --- rules ---
def test_ties_are_decided_by_decimals_not_by_floating_point():
    """A at 0.1 + 0.2 ties with B at 0.3 and goes first by name; in floating point B would be
    ahead.
    """
    users = [Claimant("B", {"cpu": 0.2}, {"cpu": 0.3}), Claimant("A", {"cpu": 0.2}, {"cpu": 0.1})]
    assert 0.1 + 0.2 > 0.3
    assert allocate(users, {"cpu": 1.1}).log == ["A", "A", "B"]
    assert allocate(users, {"cpu": 1.1}).free == {"cpu": 0.1}


def test_skip_passes_over_the_neediest_and_stop_ends_there():
    users = [Claimant("big", {"cpu": 8}), Claimant("small", {"cpu": 1}, {"cpu": 4})]
    skip, stop = (allocate(users, {"cpu": 10}, on_misfit=rule) for rule in ("skip", "stop"))
    assert (skip.executors, skip.stop) == ({"big": 0, "small": 6}, "no_fit")
    assert skip.history[0]["passed_over"] == ["big"]
    assert "passed over: big" in skip.history[0]["reason"]
    assert (stop.log, stop.stop) == ([], "no_fit")


def test_the_reason_says_when_a_needier_one_is_at_its_ceiling():
    users = [Claimant("A", {"cpu": 1}, ceiling=0), Claimant("B", {"cpu": 1}, {"cpu": 1})]
    row = allocate(users, {"cpu": 9}).history[0]
    assert row["reason"] == "B has the lowest dominant share of those below their ceilings"


def test_reasons_name_the_rule():
    def first(policy, **of_a):
        return allocate(paper(**of_a), PAPER_POOL, policy).history[0]["reason"]

    assert first("drf") == "A has the lowest dominant share, a tie broken by name"
    assert (
        first("drf", weight=2) == "A has the lowest dominant share ÷ weight, a tie broken by name"
    )
    assert first("asset") == "A has the lowest sum of shares, a tie broken by name"
    assert first("single:mem") == "A has the lowest share of mem, a tie broken by name"
    assert first("round_robin") == "A is next in turn"


def test_jain_index_spans_one_over_n_to_one():
    assert jain_index([3, 0, 0, 0]) == 0.25 and jain_index([1, 2, 3]) == pytest.approx(36 / 42)
    assert jain_index([0.1] * 7) == jain_index([1e308, 1e308]) == jain_index([0, 0]) == 1


def tasks(*arguments) -> list[float]:
    return list(divide(*arguments).executors.values())


# --- divisible tasks: published and recomputed numbers (Ghodsi et al., NSDI 2011, sections 4.1,
# 4.3, 5.1, 5.2) ---
def test_ceei_divides_as_published_and_rewards_a_lie():
    """Ghodsi et al., section 6.1.2: <16, 1> and <1, 2> of 100 and 100; claiming <16, 8> turns
    100/31 into 25/6.
    """
    pool = {"cpu": 100, "mem": 100}
    other = Claimant("B", {"cpu": 1, "mem": 2})
    assert tasks(paper(), PAPER_POOL, "ceei") == pytest.approx([45 / 11, 18 / 11], rel=1e-9)
    honest = tasks([Claimant("A", {"cpu": 16, "mem": 1}), other], pool, "ceei")
    lying = tasks([Claimant("A", {"cpu": 16, "mem": 8}), other], pool, "ceei")
    assert honest == pytest.approx([100 / 31, 1500 / 31], rel=1e-9)
    assert lying == pytest.approx([25 / 6, 100 / 3], rel=1e-9)


# --- hand calculations ---
def test_a_share_that_does_not_move_is_filled_up_to_where_it_does():
    """a holds half of the GPUs and needs none: up to half of the CPUs its dominant share stays one
    half.
    """
    users = [Claimant("a", {"cpu": 1}, {"gpu": 5}), Claimant("b", {"cpu": 1, "gpu": 1})]
    assert tasks(users, {"cpu": 10, "gpu": 10}) == [5, 5]
    assert tasks(users, {"cpu": 20, "gpu": 10}) == [15, 5]
    both = [Claimant(name, {"cpu": 1}, {"gpu": 5}) for name in "ab"]
    assert tasks(both, {"cpu": 10, "gpu": 10}) == [5, 5]
    assert tasks(both, {"cpu": 8, "gpu": 10}) == [4, 4]


def test_ceilings_of_zero_and_full_pools_are_results():
    users = [
        Claimant("a", {"cpu": 1}, ceiling=0),
        Claimant("b", {"mem": 1}, {"mem": 7}),
        Claimant("c", {"cpu": 2}),
    ]
    for policy in ("drf", "asset", "ceei", "round_robin", "single:mem"):
        result = divide(users, {"cpu": 8, "mem": 6}, policy)
        assert list(result.executors.values()) == pytest.approx([0, 0, 4], rel=1e-9)
        assert result.free == {"cpu": 0, "mem": -1}
    assert tasks(users[:2], {"cpu": 8, "mem": 6}, "ceei") == [0, 0]


# --- references ---
@pytest.mark.parametrize("seed", range(12))
def test_dividing_is_the_limit_of_ever_smaller_whole_tasks(seed):
    """Tasks a 40th of the size: the counts differ by a few such parts. Deterministic: the cases are
    fixed.
    """
    parts = 40
    claimants, capacity, *_ = random_case(random.Random(seed))
    small = [
        replace(
            c,
            demand={r: Fraction(str(d)) / parts for r, d in c.demand.items()},
            ceiling=None if c.ceiling is None else c.ceiling * parts,
        )
        for c in claimants
    ]
    for policy in ("drf", "asset", "round_robin", f"single:{min(capacity)}"):
        small_tasks = allocate(
            [replace(c, weight=1) if policy == "round_robin" else c for c in small],
            capacity,
            policy,
        )
        counts = [count / parts for count in small_tasks.executors.values()]
        assert tasks(claimants, capacity, policy) == pytest.approx(counts, abs=0.3), (
            claimants,
            capacity,
            policy,
        )


def prices_exist(x, rows, weights, limits) -> bool:
    """Say whether prices on the rows that bind support x as the largest product: x_i Σ_r p_r d_ri =
    w_i, p ≥ 0.
    """
    binding = [r for r in range(len(rows)) if rows[r] @ x > limits[r] * (1 - 1e-8)]
    for size in range(1, len(x) + 1):
        for chosen in combinations(binding, size):
            matrix = (rows[list(chosen)] * x).T / weights[:, None]
            prices = np.linalg.lstsq(matrix, np.ones(len(x)))[0]
            if np.all(prices > -1e-9) and np.allclose(matrix @ prices, 1, rtol=0, atol=1e-7):
                return True
    return False


@pytest.mark.parametrize("seed", range(25))
def test_ceei_satisfies_the_conditions_of_the_largest_product(seed):
    """Karush-Kuhn-Tucker: the objective is concave, so prices that support x prove that it is the
    optimum.
    """
    claimants, capacity, *_ = random_case(random.Random(seed))
    claimants = [replace(c, start={}) for c in claimants if c.ceiling != 0] or [
        Claimant("a", {min(capacity): 1})
    ]
    x = np.array(tasks(claimants, capacity, "ceei"))
    rows = [[c.demand.get(r, 0) for c in claimants] for r in capacity]
    limits = list(capacity.values())
    for i, claimant in enumerate(claimants):
        if claimant.ceiling is not None:
            rows.append([float(i == j) for j in range(len(claimants))])
            limits.append(claimant.ceiling)
    rows = np.array(rows, dtype=float)
    weights = np.array([float(c.weight) for c in claimants])
    assert np.all(rows @ x <= np.array(limits) * (1 + 1e-9))
    assert prices_exist(x, rows, weights, limits)


HUNDRED = {"cpu": 100, "mem": 100}


def users(*demands) -> list[Claimant]:
    return [
        Claimant(name, {"cpu": cpu, "mem": mem})
        for name, (cpu, mem) in zip("ABCDEF", demands, strict=False)
    ]


demands = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=2, max_size=4)
pools = st.fixed_dictionaries({"cpu": st.integers(20, 200), "mem": st.integers(20, 200)})
weights = st.lists(st.sampled_from([1, 1, 2, 0.5]), min_size=4, max_size=4)


@given(demands, pools, weights)
def test_drf_without_starts_or_ceilings_has_all_four_properties(shapes, pool, shares):
    """Ghodsi et al., NSDI 2011, section 6: theorems 3 to 6."""
    claimants = [
        Claimant(c.name, c.demand, weight=w) for c, w in zip(users(*shapes), shares, strict=False)
    ]
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
    """Two users of 30 and 30, <1, 3> and <1, 1>: asset fairness gives 6 and 12 tasks, half of the
    pool B 15.
    """
    assert not check_properties(
        users((1, 3), (1, 1)), {"cpu": 30, "mem": 30}, "asset"
    ).sharing_incentive
    result = check_properties(users((16, 1), (1, 2)), HUNDRED, "single:cpu")
    assert (result.sharing_incentive, result.pareto_efficiency) == (False, True)
    result = check_properties(users((16, 1), (1, 2)), HUNDRED, "round_robin")
    assert (result.sharing_incentive, result.envy_freeness) == (False, True)


def test_round_robin_breeds_envy_and_rewards_whoever_asks_for_large_executors():
    """12 and 12, <1, 1> and <2, 2>: 4 tasks each, so A envies B's bundle, and claiming <2, 2>
    brings it 6.
    """
    result = check_properties(users((1, 1), (2, 2)), {"cpu": 12, "mem": 12}, "round_robin")
    assert not result.envy_freeness and result.best_lie_gain >= 2


@given(demands, pools, st.sampled_from(["asset", "single:cpu", "single:mem"]))
def test_asset_fairness_and_one_resource_only_lack_nothing_but_the_sharing_incentive(
    shapes, pool, policy
):
    """Where everybody needs something of everything; no lie found pays."""
    result = check_properties(users(*shapes), pool, policy)
    assert result.envy_freeness and result.pareto_efficiency and result.best_lie_gain == 0


def test_starts_can_break_what_drf_promises_without_them_and_ceilings_do_not():
    starting = [
        Claimant("A", {"cpu": 1}, {"cpu": 6}),
        Claimant("B", {"cpu": 1}),
    ]  # 0 and 6 tasks of 12 CPUs
    result = check_properties(starting, {"cpu": 12}, "drf")
    assert not result.sharing_incentive and not result.envy_freeness
    capped = [Claimant("A", {"cpu": 1}, ceiling=2), Claimant("B", {"cpu": 1})]
    result = check_properties(capped, {"cpu": 12}, "drf")
    assert result.sharing_incentive and result.envy_freeness and result.pareto_efficiency
