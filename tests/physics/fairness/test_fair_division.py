"""Divisible tasks: published numbers, a level search as reference, the limit of small tasks, optimality of CEEI."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from physics.fairness import Claimant, allocate, divide

POOL = {"cpu": 9, "mem": 18}


def paper(**of_a) -> list[Claimant]:
    return [Claimant("A", {"cpu": 1, "mem": 4}, **of_a), Claimant("B", {"cpu": 3, "mem": 1})]


def tasks(*arguments) -> list[float]:
    return list(divide(*arguments).executors.values())


# --- published and recomputed numbers (Ghodsi et al., NSDI 2011, sections 4.1, 4.3, 5.1, 5.2) ---
def test_weight_two_is_owed_twice_the_dominant_share():
    result = divide(paper(weight=2), POOL)
    assert list(result.executors.values()) == pytest.approx([54 / 13, 18 / 13], rel=1e-15)
    assert result.dominant_share["A"] == pytest.approx(2 * result.dominant_share["B"], rel=1e-15)
    assert result.free["mem"] == 0


def test_ceei_divides_as_published_and_rewards_a_lie():
    """Ghodsi et al., section 6.1.2: <16, 1> and <1, 2> of 100 and 100; claiming <16, 8> turns 100/31 into 25/6."""
    pool, other = {"cpu": 100, "mem": 100}, Claimant("B", {"cpu": 1, "mem": 2})
    assert tasks(paper(), POOL, "ceei") == pytest.approx([45 / 11, 18 / 11], rel=1e-9)
    honest = tasks([Claimant("A", {"cpu": 16, "mem": 1}), other], pool, "ceei")
    lying = tasks([Claimant("A", {"cpu": 16, "mem": 8}), other], pool, "ceei")
    assert honest == pytest.approx([100 / 31, 1500 / 31], rel=1e-9)
    assert lying == pytest.approx([25 / 6, 100 / 3], rel=1e-9)


def test_divisible_tasks_leave_nobody_with_nothing_where_whole_ones_do():
    users = [Claimant(n, {"cpu": c, "mem": m}) for n, c, m in [("A", 4, 1), ("B", 4, 4), ("C", 1, 1)]]
    assert tasks(users, {"cpu": 8, "mem": 12}) == pytest.approx([2 / 3, 2 / 3, 8 / 3], rel=1e-15)


# --- hand calculations ---
def test_a_start_counts_in_the_share_and_is_taken_out_of_the_pool():
    users = [Claimant("a", {"cpu": 1}, {"cpu": 4}), Claimant("b", {"cpu": 1})]
    assert tasks(users, {"cpu": 10}, "ceei") == pytest.approx([3, 3], rel=1e-9)  # of what the starts leave
    assert tasks(users, {"cpu": 6}) == [0, 2]


def test_a_share_that_does_not_move_is_filled_up_to_where_it_does():
    """a holds half of the GPUs and needs none: up to half of the CPUs its dominant share stays one half."""
    users = [Claimant("a", {"cpu": 1}, {"gpu": 5}), Claimant("b", {"cpu": 1, "gpu": 1})]
    assert tasks(users, {"cpu": 10, "gpu": 10}) == [5, 5]
    assert tasks(users, {"cpu": 20, "gpu": 10}) == [15, 5]
    both = [Claimant(name, {"cpu": 1}, {"gpu": 5}) for name in "ab"]
    assert tasks(both, {"cpu": 10, "gpu": 10}) == [5, 5]
    assert tasks(both, {"cpu": 8, "gpu": 10}) == [4, 4]


def test_ceilings_of_zero_and_full_pools_are_results():
    users = [Claimant("a", {"cpu": 1}, ceiling=0), Claimant("b", {"mem": 1}, {"mem": 7}), Claimant("c", {"cpu": 2})]
    for policy in ("drf", "asset", "ceei", "round_robin", "single:mem"):
        result = divide(users, {"cpu": 8, "mem": 6}, policy)
        assert list(result.executors.values()) == pytest.approx([0, 0, 4], rel=1e-9)
        assert result.free == {"cpu": 0, "mem": -1}
    assert tasks(users[:2], {"cpu": 8, "mem": 6}, "ceei") == [0, 0]


# --- references ---
def random_case(rng: random.Random, starts=True, zeros=0.2, ceilings=True):
    resources = ["cpu", "mem", "gpu"][: rng.randint(1, 3)]

    def demand():
        drawn = {r: rng.randint(1, 5) for r in resources if rng.random() > zeros}
        return drawn or {resources[0]: 1}

    claimants = [
        Claimant(
            name,
            demand(),
            {r: rng.randint(0, 6) for r in resources if starts and rng.random() < 0.4},
            rng.choice([1, 1, 2, 0.5]),
            rng.choice([None, None, 0, 1.5, 4]) if ceilings else None,
        )
        for name in rng.sample("abcdef", rng.randint(1, 5))
    ]
    return claimants, {r: rng.randint(10, 40) for r in resources}


@pytest.mark.parametrize("seed", range(12))
def test_dividing_is_the_limit_of_ever_smaller_whole_tasks(seed):
    """Tasks a 100th of the size: the counts differ by a few such parts. Deterministic: the cases are fixed."""
    parts = 100
    claimants, capacity = random_case(random.Random(seed))
    small = [
        Claimant(
            c.name,
            {r: Fraction(d, parts) for r, d in c.demand.items()},
            c.start,
            c.weight,
            None if c.ceiling is None else c.ceiling * parts,
        )
        for c in claimants
    ]
    for policy in ("drf", "asset", "round_robin", "single:cpu"):
        if policy == "round_robin":
            small_tasks = allocate([Claimant(c.name, c.demand, c.start, 1, c.ceiling) for c in small], capacity, policy)
        else:
            small_tasks = allocate(small, capacity, policy)
        counts = [count / parts for count in small_tasks.executors.values()]
        assert tasks(claimants, capacity, policy) == pytest.approx(counts, abs=0.15), (claimants, capacity, policy)


def prices_exist(x, rows, weights, limits) -> bool:
    """Say whether prices on the rows that bind support x as the largest product: x_i Σ_r p_r d_ri = w_i, p ≥ 0."""
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
    """Karush-Kuhn-Tucker: the objective is concave, so prices that support x prove that it is the optimum."""
    rng = random.Random(seed)
    claimants, capacity = random_case(rng, starts=False)
    claimants = [c for c in claimants if c.ceiling != 0] or [Claimant("a", {"cpu": 1})]
    x = np.array(tasks(claimants, capacity, "ceei"))
    rows = [[c.demand.get(r, 0) for c in claimants] for r in capacity]
    limits = list(capacity.values())
    for i, claimant in enumerate(claimants):
        if claimant.ceiling is not None:
            rows.append([float(i == j) for j in range(len(claimants))])
            limits.append(claimant.ceiling)
    rows, weights = np.array(rows, dtype=float), np.array([float(c.weight) for c in claimants])
    assert np.all(rows @ x <= np.array(limits) * (1 + 1e-9))
    assert prices_exist(x, rows, weights, limits)
