"""Mean responses of M/G/1 under four disciplines: tables, closed forms, laws, and an event
simulator beside them.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.jobs import Exponential, Fixed, Hyperexponential, Lognormal, Uniform
from physics.numerics import mean_interval
from physics.queueing import mg1_response, mg1_response_of, mgc

DISCIPLINES = ("fifo", "ps", "fb", "srpt")
LENGTHS = st.one_of(
    st.builds(Exponential, st.floats(0.01, 100)),
    st.builds(Lognormal, st.floats(0.01, 100), st.floats(0.05, 60)),
    st.builds(Hyperexponential, st.floats(0.01, 100), st.floats(1, 60)),
    st.builds(Fixed, st.floats(0.01, 100)),
)


# --- tables and closed forms ---
def test_a_job_of_one_length_by_hand():
    # Exponential, ρ = 1/2, x = 1: E[min(S,1)] = 1 − 1/e, E[min(S,1)²] = 2 (1 − 2/e).
    least = 1 - 1 / math.e
    square = 2 * (1 - 2 / math.e)
    fb = 0.5 * square / 2 / (1 - least / 2) ** 2 + 1 / (1 - least / 2)
    assert mg1_response_of("fb", 0.5, Exponential(1.0), 1.0) == pytest.approx(fb, rel=1e-12)
    assert mg1_response_of("ps", 0.5, Exponential(1.0), 1.0) == 2.0
    assert mg1_response_of("fifo", 0.5, Exponential(1.0), 1.0) == 2.0
    t = np.linspace(0, 1, 100_001)
    inverse = 1 / (1 - 0.5 * (1 - (1 + t) * np.exp(-t)))
    residence = float(((inverse[1:] + inverse[:-1]) / 2).sum() / 100_000)
    wait = 0.5 * square / 2 * inverse[-1] ** 2
    assert mg1_response_of("srpt", 0.5, Exponential(1.0), 1.0) == pytest.approx(
        wait + residence, rel=1e-9
    )


def test_jobs_of_one_fixed_length_gain_nothing_from_srpt_and_all_end_together_under_fb():
    load = 0.9
    assert mg1_response("srpt", load, Fixed(1.0)) == pytest.approx(
        mg1_response("fifo", load, Fixed(1.0))
    )
    # Under FB a job ends when the busy period does: the work found and its own, stretched by 1 / (1
    # − ρ).
    found = load / 2 / (1 - load)
    assert mg1_response("fb", load, Fixed(1.0)) == pytest.approx((found + 1) / (1 - load))


# --- who is never served ---
def test_above_full_load_srpt_counts_only_jobs_that_ever_get_down_to_this_length():
    # λ ∫₀^x* t e^−t dt = 1 at λ = 3: (1 + x*) e^−x* = 2/3, x* = 1.188834; at 0.6 x* the response is
    # 1.828, not 2.69.
    last = 1.1888341658136865
    assert (1 + last) * math.exp(-last) == pytest.approx(2 / 3)
    assert round(mg1_response_of("srpt", 3.0, Exponential(1.0), 0.6 * last), 3) == 1.828
    assert math.isfinite(mg1_response_of("srpt", 3.0, Exponential(1.0), last * (1 - 1e-9)))
    assert mg1_response_of("srpt", 3.0, Exponential(1.0), last * (1 + 1e-9)) == math.inf


@given(LENGTHS, st.floats(1.0, 20.0))
def test_above_full_load_no_mean_exists_but_short_jobs_leave_under_fb_and_srpt(lengths, load):
    rate = load / lengths.mean
    for discipline in DISCIPLINES:
        assert mg1_response(discipline, rate * 1.000001, lengths) == math.inf
    short = 0.01 * lengths.mean / load
    for discipline in ("fb", "srpt"):
        assert short <= mg1_response_of(discipline, rate, lengths, short) < math.inf
        assert mg1_response_of(discipline, rate * 1.01, lengths, 1e6 * lengths.mean) == math.inf
    for discipline in ("fifo", "ps"):
        assert mg1_response_of(discipline, rate * 1.000001, lengths, short) == math.inf


# --- laws ---
@given(LENGTHS, st.floats(0.01, 0.99))
def test_srpt_is_the_best_of_all_and_no_job_is_faster_than_alone(lengths, load):
    rate = load / lengths.mean
    found = {discipline: mg1_response(discipline, rate, lengths) for discipline in DISCIPLINES}
    assert lengths.mean * (1 - 1e-9) <= found["srpt"] <= min(found.values()) * (1 + 1e-9)
    assert found["ps"] == pytest.approx(lengths.mean / (1 - load))


@given(st.floats(1, 60), st.floats(0.01, 0.99))
def test_blind_to_lengths_fb_beats_sharing_where_short_jobs_are_many(scv, load):
    """Righter and Shanthikumar: a falling hazard rate makes FB the best of the blind
    disciplines.
    """
    lengths = Hyperexponential(1.0, scv)
    assert mg1_response("fb", load, lengths) <= mg1_response("ps", load, lengths) * (1 + 1e-9)


@given(LENGTHS, st.floats(0.01, 0.99), st.floats(0.01, 20), st.floats(1.01, 3))
def test_a_longer_job_is_never_faster_and_more_load_never_helps(lengths, load, part, factor):
    rate = load / lengths.mean
    length = part * lengths.mean
    for discipline in DISCIPLINES:
        one = mg1_response_of(discipline, rate, lengths, length)
        assert one <= mg1_response_of(discipline, rate, lengths, factor * length) * (1 + 1e-9)
        assert mg1_response_of(discipline, rate * 0.9, lengths, length) <= one * (1 + 1e-9)


@given(LENGTHS, st.floats(0.05, 0.95))
def test_fifo_is_pollaczek_and_khinchine(lengths, load):
    rate = load / lengths.mean
    wait = mg1_response("fifo", rate, lengths) - lengths.mean
    scv = getattr(lengths, "scv", float(isinstance(lengths, Exponential)))
    known = mgc(rate, lengths.mean, 1, scv).mean_wait
    assert wait == pytest.approx(known, rel=1e-7, abs=1e-9 * lengths.mean)


# --- against a simulation ---
def simulated(discipline: str, arrivals: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Responses on one server, event by event; the server is shared equally by the jobs that are
    first in line.
    """
    left = dict()
    got = dict()
    done = np.full(len(lengths), np.nan)
    now = 0.0
    arrived = 0
    while arrived < len(arrivals) or left:
        if arrived < len(arrivals):
            upcoming = arrivals[arrived]
        else:
            upcoming = math.inf
        if not left:
            now = upcoming
        else:
            if discipline == "fifo":
                served = [min(left)]
            elif discipline == "srpt":
                served = [min(left, key=lambda job: (left[job], job))]
            elif discipline == "ps":
                served = list(left)
            else:
                least = min(got.values())
                served = [job for job in left if got[job] <= least + 1e-9]
            each = min(left[job] for job in served)
            if (
                discipline == "fb"
            ):  # until they have caught up with those that have been served more
                others = [got[job] for job in left if got[job] > least + 1e-9]
                each = min([each, *(other - least for other in others)])
            span = min(each * len(served), upcoming - now)
            now += span
            for job in served:
                left[job] -= span / len(served)
                got[job] += span / len(served)
                if left[job] <= 1e-9:
                    done[job] = now
                    del left[job], got[job]
        if upcoming <= now:
            left[arrived], got[arrived], arrived = lengths[arrived], 0.0, arrived + 1
    return done - arrivals


@pytest.mark.slow
@pytest.mark.parametrize("discipline", DISCIPLINES)
@pytest.mark.parametrize("lengths", [Exponential(1.0), Hyperexponential(1.0, 4.0), Fixed(1.0)])
def test_formulas_lie_in_the_confidence_interval_of_a_simulation(discipline, lengths):
    load = 0.6
    jobs = 1500
    runs = 16
    rng = np.random.default_rng(20)
    mean = mg1_response(discipline, load / lengths.mean, lengths)
    means = []
    for _ in range(runs):
        arrivals = np.cumsum(rng.exponential(lengths.mean / load, jobs))
        means.append(simulated(discipline, arrivals, lengths.sample(rng, jobs))[jobs // 5 :].mean())
    # At 99.99% a suite of these cases fails by chance once in eight hundred seeds.
    middle, half = mean_interval(means, 0.9999)
    assert abs(middle - mean) < half
    assert half < 0.5 * mean


# --- lengths ---
@given(st.floats(0.01, 1e4), st.floats(1, 1e4))
def test_hyperexponential_parts_bring_half_of_the_mean_each_and_have_the_scv(mean, scv):
    (share, short), (rest, long) = Hyperexponential(mean, scv).parts
    assert share + rest == pytest.approx(1) and share * short == pytest.approx(
        rest * long
    ) == pytest.approx(mean / 2)
    second = 2 * (share * short**2 + rest * long**2)
    assert second / mean**2 - 1 == pytest.approx(scv)


def test_a_distribution_without_partial_moments_is_refused_in_one_sentence():
    with pytest.raises(
        ValueError,
        match=r"lengths must be fixed, exponential, hyperexponential or log-normal, got Uni",
    ):
        mg1_response("srpt", 0.5, Uniform(1, 2))
