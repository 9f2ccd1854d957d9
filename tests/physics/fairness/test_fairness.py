"""Whole executors: the paper's example, the lesson's numbers, a slow reference written from the rules, the laws."""

import random
from fractions import Fraction

import pytest

from physics.fairness import Claimant, allocate, jain_index

PAPER_POOL = {"cpu": 9, "mem": 18}


def paper(**of_a) -> list[Claimant]:
    return [Claimant("A", {"cpu": 1, "mem": 4}, **of_a), Claimant("B", {"cpu": 3, "mem": 1})]


# --- a slow reference, straight from the rules ---
def reference(claimants, capacity, policy="drf", steps=None, on_misfit="skip"):
    """Recompute everything at every step, in fractions, and take no short cut."""

    def decimal(number):
        return Fraction(str(number))

    log, pointer = [], 0
    while True:
        count = {c.name: log.count(c.name) for c in claimants}
        held = {
            c.name: {r: decimal(c.start.get(r, 0)) + count[c.name] * decimal(c.demand.get(r, 0)) for r in capacity}
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
            candidates = below if on_misfit == "stop" else fitting
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
    """Draw a case with zero demands, starts, weights, ceilings and decimal amounts that tie often."""
    resources = rng.sample(["cpu", "mem", "gpu", "gpu_mem"], rng.randint(1, 4))
    unit = rng.choice([1, 1, 0.1, 0.25, 0.7])

    def amount(top):
        return round(unit * rng.randint(0, top), 6)

    def demand():
        drawn = {r: amount(4) for r in resources if rng.random() < 0.8}
        return drawn if any(drawn.values()) else {rng.choice(resources): unit}

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
    return claimants, capacity, policy, rng.choice([None, None, 0, 1, 5, 12]), rng.choice(["skip", "stop"])


@pytest.mark.parametrize("seed", range(4))
def test_allocation_equals_a_slow_reference_on_random_cases(seed):
    rng = random.Random(seed)
    for _ in range(25):
        case = random_case(rng)
        log, count, dominant, free, stop = reference(*case)
        result = allocate(*case)
        assert (result.log, result.executors, result.stop) == (log, count, stop), case
        assert result.dominant_share == {name: float(share) for name, share in dominant.items()}, case
        assert result.free == {name: float(left) for name, left in free.items()}, case
        assert len(result.history) == len(log)


# --- rules ---
def test_ties_are_decided_by_decimals_not_by_floating_point():
    """A at 0.1 + 0.2 ties with B at 0.3 and goes first by name; in floating point B would be ahead."""
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

    assert first("drf") == "A has the lowest dominant share, a tie that goes by name"
    assert first("drf", weight=2) == "A has the lowest dominant share ÷ weight, a tie that goes by name"
    assert first("asset") == "A has the lowest sum of shares, a tie that goes by name"
    assert first("single:mem") == "A has the lowest share of mem, a tie that goes by name"
    assert first("round_robin") == "A is next in turn"


def test_jain_index_spans_one_over_n_to_one():
    assert jain_index([3, 0, 0, 0]) == 0.25 and jain_index([1, 2, 3]) == pytest.approx(36 / 42)
    assert jain_index([0.1] * 7) == jain_index([1e308, 1e308]) == jain_index([0, 0]) == 1
