"""Closed forms of queues against high-precision sums, textbook queues, each other and the laws they
must obey.
"""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import queueing
from physics.queueing import erlang_c, highest_utilization, mgc, mmc, priority_waits

HOUR = 3600.0
SERVERS = st.integers(1, 300)
UTILIZATION = st.floats(0.01, 0.99)
SCV = st.floats(0, 16)
TIME = st.floats(1e-3, 1e6)


def busy(
    utilization: float, servers: int = 1, scv: float = 1.0, time: float = 1.0
) -> queueing.SteadyState:
    return mgc(utilization * servers / time, time, servers, scv)


def decimal_mmc(arrival_rate: float, service_time: float, servers: int) -> tuple[Decimal, Decimal]:
    """C and Wq from the definition, with 60 digits, at exactly the floats given."""
    with localcontext() as context:
        context.prec = 60
        load = Decimal(arrival_rate) * Decimal(service_time)
        inverse = Decimal(1)
        for k in range(1, servers + 1):
            inverse = 1 + inverse * k / load
        chance = servers / (load + (servers - load) * inverse)
        return chance, chance * Decimal(service_time) / (servers - load)


@pytest.mark.parametrize("servers", [1, 2, 3, 4, 8, 100, 128, 1000, 4096, 20_000])
@pytest.mark.parametrize("utilization", [0.3, 0.8, 0.95, 0.999, 0.9999])
def test_mmc_is_exact_to_better_than_one_part_in_a_billion(servers, utilization):
    rate = utilization * servers / HOUR
    state = mmc(rate, HOUR, servers)
    (chance, wait) = decimal_mmc(rate, HOUR, servers)
    assert state.prob_wait == pytest.approx(float(chance), rel=1e-11, abs=1e-290)
    assert state.mean_wait == pytest.approx(float(wait), rel=1e-11, abs=1e-290)


@given(st.floats(1e-3, 1e3), st.integers(1, 3000), SCV)
def test_highest_utilization_is_the_inverse_of_the_mean_wait(ratio, servers, scv):
    utilization = highest_utilization(ratio * HOUR, HOUR, servers, scv)
    assert 0 < utilization < 1
    assert busy(utilization, servers, scv, HOUR).mean_wait == pytest.approx(ratio * HOUR, rel=1e-9)


@given(UTILIZATION, SERVERS, SCV, st.sampled_from([0.0, 0.5, 1.0, 4.0]), TIME)
def test_littles_law_holds(utilization, servers, service_scv, arrival_scv, time):
    rate = utilization * servers / time
    state = mgc(rate, time, servers, service_scv, arrival_scv)
    assert state.mean_in_queue == pytest.approx(rate * state.mean_wait)
    assert state.mean_in_system == pytest.approx(rate * state.mean_response)
    assert state.mean_in_system - state.mean_in_queue == pytest.approx(servers * utilization)
    assert state.mean_response == pytest.approx(state.mean_wait + time)
    assert state.stable and 0 <= state.prob_wait <= 1


def test_one_server_waits_as_pollaczek_and_khinchine_say():
    for scv in (0.0, 0.25, 1.0, 4.0, 16.0):
        state = mgc(0.8, 1.0, service_scv=scv)
        assert state.mean_wait == pytest.approx(0.8 * (1 + scv) / 2 / 0.2)
        assert state.prob_wait == pytest.approx(
            0.8
        )  # an arrival at random finds the server busy with chance ρ
        assert state.exact


def test_each_queue_names_its_formula():
    assert mmc(0.5, 1.0).method == mgc(3.0, 1.0, 4).method == "M/M/c exact"
    assert mgc(0.5, 1.0, 1, 0.0).method == "Pollaczek–Khinchine exact"
    approximate = [mgc(3.0, 1.0, 4, 0.0), mgc(0.5, 1.0, 1, 1.0, 0.5), mgc(3.0, 1.0, 4, 1.0, 2.0)]
    assert {state.method for state in approximate} == {"Allen–Cunneen approximation"}
    assert not any(state.exact for state in approximate)
    assert mmc(0.5, 1.0).percentile_method == "M/M/c exact"
    assert mgc(0.5, 1.0, 1, 0.0).percentile_method == "exponential-tail approximation"


def test_allen_cunneen_scales_the_markovian_wait_by_the_mean_of_both_scvs():
    assert mgc(3.8, 1.0, 4, 4.0).mean_wait == pytest.approx(2.5 * mmc(3.8, 1.0, 4).mean_wait)
    assert mgc(3.8, 1.0, 4, 4.0, 0.0).mean_wait == pytest.approx(2.0 * mmc(3.8, 1.0, 4).mean_wait)


def test_constant_gaps_and_constant_services_never_wait():
    state = mgc(3.8, 1.0, 4, 0.0, 0.0)
    assert (state.mean_wait, state.prob_wait, state.wait_percentile(), state.stable) == (
        0,
        0,
        0,
        True,
    )


@pytest.mark.parametrize("arrival_rate", [4.0, 4.0001, 40.0, 1e300])
@pytest.mark.parametrize("scv", [0.0, 1.0, 4.0])
def test_at_and_beyond_full_load_the_wait_is_infinite_and_nothing_raises(arrival_rate, scv):
    state = mgc(arrival_rate, 1.0, 4, scv)
    assert state.stable is False
    assert state.utilization == arrival_rate / 4
    assert state.prob_wait == 1.0
    infinite = [state.mean_wait, state.mean_response, state.mean_in_queue, state.mean_in_system]
    assert infinite == [math.inf] * 4
    assert (
        state.wait_percentile()
        == state.response_percentile()
        == state.wait_percentile(0.0)
        == math.inf
    )


def test_a_load_of_1_stays_1_through_rounding():
    for k in range(1, 2000):
        assert not mmc(1 / k, float(k)).stable  # 49 × (1 / 49) is below 1 in floating point
        assert mmc(1 / k, float(k)).utilization >= 1


def test_just_below_full_load_the_wait_is_finite_and_right():
    for slack in (2.0**-20, 2.0**-40, 2.0**-46):
        assert mmc(1 - slack, 1.0).mean_wait == pytest.approx((1 - slack) / slack, rel=1e-12)


@given(UTILIZATION, SERVERS, st.floats(0.0, 0.9999))
def test_percentiles_of_the_response_solve_its_distribution(utilization, servers, q):
    state = busy(utilization, servers)
    x = state.response_percentile(q)
    d = servers * (1 - utilization)
    chance = state.prob_wait
    if abs(d - 1) < 1e-6:
        beyond = math.exp(-x) * (1 + chance * x)
    else:
        beyond = math.exp(-x) + chance * (math.exp(-x) - math.exp(-d * x)) / (d - 1)
    assert beyond == pytest.approx(1 - q, rel=1e-8, abs=1e-9)


def test_the_response_percentile_is_smooth_where_both_rates_meet():
    # At ρ = 3/4 on 4 servers a waiting job waits as long, on average, as a service takes: c (1 − ρ)
    # = 1.
    middle = mmc(3.0, 1.0, 4).response_percentile()
    assert math.exp(-middle) * (1 + erlang_c(4, 3.0) * middle) == pytest.approx(0.01, rel=1e-12)
    near = [mmc(3.0 + shift, 1.0, 4).response_percentile() for shift in (-1e-9, 1e-9)]
    assert near == pytest.approx([middle, middle], rel=1e-8)


@given(UTILIZATION, SERVERS, SCV, st.floats(0, 0.98))
def test_percentiles_rise_with_q_and_the_response_lasts_at_least_the_wait(
    utilization, servers, scv, q
):
    for state in (busy(utilization, servers, scv), busy(utilization, servers)):
        assert state.wait_percentile(q) <= state.wait_percentile(q + 0.01)
        if state.method == "M/M/c exact":
            assert (
                state.wait_percentile(q)
                <= state.response_percentile(q)
                <= state.response_percentile(q + 0.01)
            )
        else:
            assert state.response_percentile(q) is None


def test_most_jobs_on_many_servers_do_not_wait():
    state = busy(0.8, 128)
    assert state.prob_wait < 0.01 and state.wait_percentile(0.99) == 0.0
    assert state.response_percentile(0.99) == pytest.approx(math.log(100), rel=0.01)
    assert mmc(1e-300, 1.0, 4096).response_percentile(0.5) == pytest.approx(math.log(2))


@given(
    st.lists(
        st.tuples(st.floats(0.01, 1), st.floats(0.1, 10), st.floats(0, 8)), min_size=1, max_size=6
    )
)
def test_priorities_only_share_out_the_waiting(classes):
    # Kleinrock's conservation law: Σ ρᵢ Wᵢ = ρ R / (1 − ρ), whatever the order of the classes.
    loads, times, scvs = zip(*classes, strict=True)
    loads = [0.9 * load / sum(loads) for load in loads]
    rates = [load / time for load, time in zip(loads, times, strict=True)]
    residual = sum(
        load * time * (1 + scv) / 2 for load, time, scv in zip(loads, times, scvs, strict=True)
    )
    waits = priority_waits(rates, times, scvs)
    assert sum(load * wait for load, wait in zip(loads, waits, strict=True)) == pytest.approx(
        0.9 * residual / 0.1
    )
    assert waits == sorted(waits)


def test_overload_starves_the_lower_classes_alone():
    waits = priority_waits([0.5, 0.4, 0.3, 0.2], [1.0] * 4)
    assert waits[2:] == [math.inf, math.inf]
    # The server is always busy, and an exponential job in service has a mean of S left: R = 1, not
    # 1.2 or 1.4.
    assert waits[:2] == pytest.approx([1 / 0.5, 1 / (0.5 * 0.1)])
    assert priority_waits([0.2, 0.3, 0.5], [1.0] * 3)[2] == math.inf
    assert priority_waits([2.0, 0.1], [1.0] * 2) == [math.inf, math.inf]


def test_numpy_scalars_are_numbers():
    expected = mmc(3.0, 2.0, 8)
    assert mmc(np.float32(3.0), np.int64(2), np.int32(8)) == expected
    assert highest_utilization(np.float64(1.0), np.int64(1), np.int64(4)) == highest_utilization(
        1.0, 1.0, 4
    )
    assert priority_waits(np.array([0.2, 0.3]), np.array([1, 1])) == priority_waits(
        [0.2, 0.3], [1.0, 1.0]
    )
    assert type(expected.mean_wait) is float and type(expected.stable) is bool
    assert mmc(3.0, 2.0, 8.0) == expected


@pytest.mark.parametrize("bad", [1, 1.0, -0.01, 99, math.nan], ids=repr)
def test_a_percentile_outside_0_to_1_is_refused_even_in_overload(bad):
    for state in (mmc(0.5, 1.0), mmc(2.0, 1.0), mgc(0.5, 1.0, 1, 0.0)):
        for percentile in (state.wait_percentile, state.response_percentile):
            with pytest.raises(ValueError, match="q must be"):
                percentile(bad)
