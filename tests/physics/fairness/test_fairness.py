"""Whole executors: the paper's example, the lesson's numbers, a slow reference written from the rules, the laws."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.fairness import Allocation, Claimant, allocate, jain_index

PAPER_POOL = {"cpu": 9, "mem": 18}
POOL = {"cpu": 200, "mem": 800}
SHAPE = {"cpu": 2, "mem": 16}
STARTS = {
    "Heaviest": {"cpu": 60, "mem": 240},
    "Medium": {"cpu": 40, "mem": 240},
    "Light evaluation": {"cpu": 20, "mem": 40},
}


def paper(**of_a) -> list[Claimant]:
    return [Claimant("A", {"cpu": 1, "mem": 4}, **of_a), Claimant("B", {"cpu": 3, "mem": 1})]


def notebook(ceiling=None) -> list[Claimant]:
    return [Claimant(name, SHAPE, start, ceiling=ceiling) for name, start in STARTS.items()]


def unlike() -> list[Claimant]:
    shapes = {
        "Heaviest": {"cpu": 8, "mem": 8},
        "Medium": {"cpu": 2, "mem": 32},
        "Light evaluation": {"cpu": 2, "mem": 8},
    }
    return [Claimant(name, shapes[name], start) for name, start in STARTS.items()]


def counts(allocation: Allocation) -> list[int]:
    return list(allocation.executors.values())


# --- a slow reference, straight from the rules ------------------------------------------------------------------------


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


@pytest.mark.parametrize("seed", range(6))
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


# --- published and recomputed numbers ---------------------------------------------------------------------------------


def test_the_papers_example_gives_three_and_two_tasks_at_two_thirds():
    """Ghodsi et al., NSDI 2011, section 4.1: 9 CPUs, 18 GB, <1, 4> and <3, 1>."""
    result = allocate(paper(), PAPER_POOL)
    assert result.executors == {"A": 3, "B": 2}
    assert result.dominant_share == {"A": 12 / 18, "B": 6 / 9}
    assert (result.free, result.stop) == ({"cpu": 0, "mem": 4}, "no_fit")


def test_the_shares_of_the_papers_example_are_followed_step_by_step():
    """Ghodsi et al., table 1, happens to serve B first; by name A is, and after each pair the shares are the same."""
    rows = allocate(paper(), PAPER_POOL).history
    assert [row["name"] for row in rows] == ["A", "B", "A", "B", "A"]
    assert rows[2]["shares"] == {"A": 4 / 18, "B": 3 / 9}
    assert rows[4]["shares"] == {"A": 8 / 18, "B": 6 / 9}
    assert (rows[4]["share_before"], rows[4]["share_after"]) == (8 / 18, 12 / 18)


def test_weight_two_gives_four_and_one_whole_tasks():
    result = allocate(paper(weight=2), PAPER_POOL)
    assert result.executors == {"A": 4, "B": 1}
    assert result.dominant_share["A"] == 16 / 18  # reported without the weight


def test_of_the_next_fifteen_executors_drf_gives_thirteen_to_light():
    result = allocate(notebook(), POOL, steps=15)
    assert result.executors == {"Heaviest": 1, "Medium": 1, "Light evaluation": 13}
    assert result.dominant_share["Light evaluation"] == 0.31
    assert result.stop == "max_steps"


def test_round_robin_gives_five_to_everyone():
    assert counts(allocate(notebook(), POOL, "round_robin", steps=15)) == [5, 5, 5]


def test_the_first_five_steps_raise_lights_share_by_one_hundredth_each():
    rows = allocate(notebook(), POOL, steps=15).history
    assert [row["name"] for row in rows[:13]] == ["Light evaluation"] * 13
    grown = [round(row["share_after"] - row["share_before"], 12) for row in rows[:13]]
    assert grown == [0.01] * 5 + [0.02] * 8


@pytest.mark.parametrize("policy", ["drf", "round_robin"])
def test_the_pool_is_full_after_seventeen_executors(policy):
    result = allocate(notebook(), POOL, policy)
    assert sum(counts(result)) == 17
    assert (result.stop, result.free["mem"]) == ("no_fit", 8)


def test_eighteen_executors_take_808_gb():
    larger = allocate(notebook(), POOL | {"mem": 808})
    assert (sum(counts(larger)), larger.free["mem"]) == (18, 0)


def test_ceilings_of_five_are_all_met_after_fifteen_executors():
    result = allocate(notebook(ceiling=5), POOL)
    assert (counts(result), result.stop) == ([5, 5, 5], "all_at_ceiling")
    assert allocate(notebook(ceiling=5), POOL, steps=16).stop == "all_at_ceiling"


def test_ceilings_of_thirty_never_bind_before_the_pool_is_full():
    assert allocate(notebook(ceiling=30), POOL) == allocate(notebook(), POOL)


def test_with_one_executor_shape_drf_ends_as_memory_only_does():
    for steps in (15, None):
        drf, memory = (allocate(notebook(), POOL, policy, steps=steps) for policy in ("drf", "single:mem"))
        assert drf.executors == memory.executors


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("drf", [2, 2, 25]), ("round_robin", [6, 6, 5]), ("single:mem", [3, 1, 27]), ("single:cpu", [0, 5, 15])],
)
def test_unlike_executors_tell_the_policies_apart(policy, expected):
    assert counts(allocate(unlike(), POOL, policy)) == expected


def test_whole_executors_can_leave_somebody_with_nothing():
    users = [Claimant(n, {"cpu": c, "mem": m}) for n, c, m in [("A", 4, 1), ("B", 4, 4), ("C", 1, 1)]]
    assert counts(allocate(users, {"cpu": 8, "mem": 12})) == [1, 1, 0]


def test_fairness_depends_on_what_is_counted():
    result = allocate(notebook(), POOL, "round_robin", steps=15)
    assert jain_index(result.executors.values()) == 1
    assert round(jain_index(result.dominant_share.values()), 3) == 0.878


# --- rules ------------------------------------------------------------------------------------------------------------


def test_ties_are_decided_by_decimals_not_by_floating_point():
    """A at 0.1 + 0.2 ties with B at 0.3 and goes first by name; in floating point B would be ahead."""
    users = [Claimant("B", {"cpu": 0.2}, {"cpu": 0.3}), Claimant("A", {"cpu": 0.2}, {"cpu": 0.1})]
    assert 0.1 + 0.2 > 0.3
    assert allocate(users, {"cpu": 1.1}).log == ["A", "A", "B"]
    assert allocate(users, {"cpu": 1.1}).free == {"cpu": 0.1}


def test_the_last_executor_fits_to_the_last_decimal():
    assert allocate([Claimant("A", {"cpu": 0.1})], {"cpu": 0.3}).executors == {"A": 3}


@pytest.mark.parametrize("number", [np.float64(0.1), np.float32(0.1), Fraction(1, 10)])
def test_every_kind_of_number_means_its_decimal(number):
    assert allocate([Claimant("A", {"cpu": number})], {"cpu": 0.3}).executors == {"A": 3}


def test_skip_passes_over_the_neediest_and_stop_ends_there():
    users = [Claimant("big", {"cpu": 8}), Claimant("small", {"cpu": 1}, {"cpu": 4})]
    skip, stop = (allocate(users, {"cpu": 10}, on_misfit=rule) for rule in ("skip", "stop"))
    assert (skip.executors, skip.stop) == ({"big": 0, "small": 6}, "no_fit")
    assert skip.history[0]["passed_over"] == ["big"]
    assert "passed over: big" in skip.history[0]["reason"]
    assert (stop.log, stop.stop) == ([], "no_fit")


def test_round_robin_with_stop_passes_over_ceilings_but_ends_at_a_misfit():
    users = [Claimant("a", {"cpu": 1}, ceiling=0), Claimant("b", {"cpu": 1}), Claimant("c", {"cpu": 9})]
    assert allocate(users, {"cpu": 5}, "round_robin", on_misfit="stop").log == ["b"]
    assert allocate(users, {"cpu": 5}, "round_robin").log == ["b"] * 5


def test_the_pointer_moves_one_past_the_one_served():
    users = [Claimant("a", {"cpu": 1}), Claimant("b", {"gpu": 1}, ceiling=1), Claimant("c", {"cpu": 1})]
    assert allocate(users, {"cpu": 4, "gpu": 5}, "round_robin").log == ["a", "b", "c", "a", "c"]


@pytest.mark.parametrize(
    ("steps", "ceiling", "stop"), [(0, 0, "max_steps"), (None, 0, "all_at_ceiling"), (None, None, "no_fit")]
)
def test_stop_reasons_come_in_their_order(steps, ceiling, stop):
    result = allocate([Claimant("A", {"cpu": 2}, ceiling=ceiling)], {"cpu": 1}, steps=steps)
    assert (result.stop, result.log, result.history) == (stop, [], [])


def test_the_last_step_asked_for_stops_as_max_steps_even_when_the_pool_is_full():
    assert allocate([Claimant("A", {"cpu": 1})], {"cpu": 3}, steps=3).stop == "max_steps"
    assert allocate([Claimant("A", {"cpu": 1})], {"cpu": 3}, steps=4).stop == "no_fit"


def test_starts_beyond_the_pool_are_a_result():
    users = [Claimant("A", {"cpu": 1}, {"cpu": 6, "mem": 1}), Claimant("B", {"mem": 1})]
    result = allocate(users, {"cpu": 4, "mem": 4})
    assert (result.executors, result.free["cpu"], result.stop) == ({"A": 0, "B": 3}, -2, "no_fit")
    assert result.dominant_share["A"] == 1.5


def test_who_needs_none_of_the_single_resource_is_served_until_it_no_longer_fits():
    users = [Claimant("a", {"cpu": 1}), Claimant("b", {"mem": 1})]
    assert allocate(users, {"cpu": 2, "mem": 3}, "single:cpu").log == ["a", "b", "b", "b", "a"]


def test_a_fractional_ceiling_is_never_exceeded_by_a_whole_executor():
    assert allocate([Claimant("A", {"cpu": 1}, ceiling=2.5)], {"cpu": 9}).executors == {"A": 2}


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


@pytest.mark.parametrize(
    ("claimants", "capacity", "options", "words"),
    [
        ([], {"cpu": 1}, {}, "claimants must name at least one claimant, got none"),
        (paper(), {}, {}, "capacity must name at least one resource"),
        (paper(), {"cpu": 0, "mem": 1}, {}, "capacity of cpu must be positive, got 0"),
        (paper(), {"cpu": -1, "mem": 1}, {}, "capacity of cpu must be positive, got -1"),
        (paper(), {"cpu": math.nan, "mem": 1}, {}, "capacity of cpu must be a finite number, got nan"),
        (paper(), {"cpu": 1}, {}, "demand of A names mem, got a pool with only cpu"),
        (paper() + paper()[:1], PAPER_POOL, {}, "claimants must have different names, got 'A' twice"),
        ([Claimant("A", {"cpu": 0})], {"cpu": 1}, {}, "demand of A must be above zero in at least one resource"),
        ([Claimant("A", {})], {"cpu": 1}, {}, "demand of A must be above zero in at least one resource"),
        ([Claimant("A", {"cpu": -1})], {"cpu": 1}, {}, "demand of A for cpu must not be negative, got -1"),
        ([Claimant("A", {"cpu": math.inf})], {"cpu": 1}, {}, "demand of A for cpu must be a finite number, got inf"),
        ([Claimant("A", {"cpu": "2"})], {"cpu": 1}, {}, "demand of A for cpu must be a number, got '2'"),
        ([Claimant("A", {"cpu": 1}, {"cpu": -2})], {"cpu": 1}, {}, "start of A for cpu must not be negative, got -2"),
        ([Claimant("A", {"cpu": 1}, weight=0)], {"cpu": 1}, {}, "weight of A must be positive, got 0"),
        ([Claimant("A", {"cpu": 1}, weight=math.nan)], {"cpu": 1}, {}, "weight of A must be a finite number, got nan"),
        ([Claimant("A", {"cpu": 1}, ceiling=-1)], {"cpu": 1}, {}, "ceiling of A must not be negative, got -1"),
        (paper(), PAPER_POOL, {"steps": -1}, "steps must be at least 0, got -1"),
        (paper(), PAPER_POOL, {"steps": 2.5}, "steps must be a whole number, got 2.5"),
        (paper(), PAPER_POOL, {"policy": "fifo"}, "policy must be one of drf, round_robin, asset or single:<resource>"),
        (paper(), PAPER_POOL, {"policy": "single:gpu"}, "policy single:gpu must name one of the pool's resources"),
        (paper(), PAPER_POOL, {"on_misfit": "wait"}, "on_misfit must be skip or stop, got 'wait'"),
    ],
)
def test_nonsense_is_one_clear_sentence(claimants, capacity, options, words):
    with pytest.raises(ValueError) as refusal:
        allocate(claimants, capacity, **options)
    assert str(refusal.value).startswith(words)
    assert "\n" not in str(refusal.value)


def test_six_jobs_take_four_hundred_steps_where_the_pool_has_room():
    amounts = [{"cpu": 0.1 + 0.3 * i, "mem": 2.5, "gpu": i, "gpu_mem": 0.7} for i in range(6)]
    users = [Claimant(f"job {i}", demand, weight=1 + i) for i, demand in enumerate(amounts)]
    pool = {"cpu": 900, "mem": 9000, "gpu": 9000, "gpu_mem": 9000}
    assert sum(counts(allocate(users, pool, steps=400))) == 400


# --- laws -------------------------------------------------------------------------------------------------------------

SEEDS = st.integers(0, 10**9)


@given(SEEDS)
def test_no_step_exceeds_capacity_or_a_ceiling_and_it_always_ends(seed):
    claimants, capacity, policy, steps, on_misfit = random_case(random.Random(seed))
    before = allocate(claimants, capacity, policy, 0, on_misfit).free
    result = allocate(claimants, capacity, policy, steps, on_misfit)
    for resource, left in result.free.items():
        assert left >= 0 or left == before[resource]
    for claimant in claimants:
        assert claimant.ceiling is None or result.executors[claimant.name] <= claimant.ceiling


@given(SEEDS, st.integers(2, 9))
def test_the_unit_of_a_resource_does_not_matter(seed, factor):
    claimants, capacity, policy, steps, on_misfit = random_case(random.Random(seed))

    def scaled(amounts):
        return {r: Fraction(str(a)) * factor for r, a in amounts.items()}

    larger = [Claimant(c.name, scaled(c.demand), scaled(c.start), c.weight, c.ceiling) for c in claimants]
    given_units = allocate(claimants, capacity, policy, steps, on_misfit)
    assert allocate(larger, scaled(capacity), policy, steps, on_misfit).log == given_units.log


@given(SEEDS, st.integers(0, 8))
def test_fewer_steps_are_the_beginning_of_more(seed, steps):
    claimants, capacity, policy, _, on_misfit = random_case(random.Random(seed))
    whole = allocate(claimants, capacity, policy, None, on_misfit)
    part = allocate(claimants, capacity, policy, steps, on_misfit)
    assert part.log == whole.log[:steps]
    assert part.history == whole.history[:steps]


def test_jain_index_spans_one_over_n_to_one():
    assert jain_index([0.1] * 7) == 1
    assert jain_index([3, 0, 0, 0]) == 0.25
    assert jain_index([1, 2, 3]) == pytest.approx(36 / 42)
    assert jain_index([1e308, 1e308]) == 1
    assert jain_index([0, 0]) == 1


@pytest.mark.parametrize("values", [[], [-1, 2], [math.nan], [math.inf], 5, None, "12"])
def test_jain_index_refuses_nonsense(values):
    with pytest.raises(ValueError, match="values must"):
        jain_index(values)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9), st.floats(1e-3, 1e3))
def test_jain_index_has_no_unit_and_lies_between_its_limits(values, factor):
    index = jain_index(values)
    assert 1 / len(values) - 1e-12 <= index <= 1
    if max(values) > 1e-200:
        assert jain_index([factor * value for value in values]) == pytest.approx(index, rel=1e-6)


def test_claimants_that_are_no_list_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="claimants must be a list, got 3"):
        allocate(3, {"cpu": 9})
