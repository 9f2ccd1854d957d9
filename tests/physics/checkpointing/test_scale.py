"""Very large runs: useful share, the largest worthwhile run, and spares, beside an event loop of
their own and the formulas' limits.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import lesson_cases, needs_lesson_cases

from physics import checkpointing
from physics import constants as k
from physics.checkpointing import (
    expected_runtime,
    job_mtbf,
    largest_worthwhile,
    replaced_at_once,
    useful_share,
    waiting_share,
)

DAY = 86400.0
NODES = 2048
times = st.floats(min_value=1, max_value=1e4)
delays = st.floats(min_value=0, max_value=1e4)


@needs_lesson_cases
def test_all_reference_cases_agree():
    names = "useful_share waiting_share replaced_at_once largest_worthwhile expected_runtime"
    cases = lesson_cases("C", *names.split(), "job_mtbf", "optimal_interval")
    assert len(cases) == 20
    for case in cases:
        function = getattr(checkpointing, case["function"].rpartition(".")[2])
        expected = pytest.approx(case["expected"], rel=case["rel"])
        assert function(**case["arguments"]) == expected, case["id"]


# --- what stops the run ---
def test_the_published_causes_add_up_and_faulty_nodes_come_every_383_days():
    parts = (k.SCALE_NODE_FAULTS, k.SCALE_SOFTWARE_STOPS, k.SCALE_MAINTENANCE_STOPS)
    assert sum(parts) == k.SPOT_PUBLISHED_FAILURES == 419
    assert k.SCALE_NODE_FAULTS == 289 == k.SCALE_GPU_FAULTS + k.SCALE_HOST_FAULTS
    node_time = k.SPOT_PUBLISHED_SPAN * k.SPOT_CLUSTER_NODES
    assert round(node_time / k.SCALE_NODE_FAULTS / DAY) == k.SCALE_FAULT_MTBF / DAY == 383
    assert round(node_time / k.SPOT_PUBLISHED_FAILURES / DAY) == k.SPOT_CLUSTER_MTBF / DAY == 264


# --- spare nodes ---
def stands(nodes, spares, node_mtbf, draw_repair, failures, rng):
    """Share of the time that a simulated run stands, and share of failures that find no spare."""
    ready = []  # times at which nodes in repair are sound again
    now = 0.0
    standing = 0.0
    unlucky = 0
    for _ in range(failures):
        now += rng.exponential(node_mtbf / nodes)
        ready = [time for time in ready if time > now]
        unlucky += len(ready) == spares
        ready.append(now + draw_repair(rng))
        if len(ready) > spares:
            standing += min(ready) - now
            now = min(ready)
    return standing / now, unlucky / failures


@pytest.mark.parametrize("spares", [0, 4, 8])
@pytest.mark.parametrize(
    "draw_repair",
    [
        lambda rng: rng.exponential(DAY),
        lambda rng: DAY,
        lambda rng: DAY * rng.lognormal(-math.log(5) / 2, math.sqrt(math.log(5))),
    ],
    ids=["exponential", "constant", "log-normal"],
)
def test_simulated_runs_wait_and_find_spares_as_erlang_says_whatever_the_repair(
    spares, draw_repair
):
    rng = np.random.default_rng(20 + spares)
    runs = [stands(NODES, spares, k.SCALE_FAULT_MTBF, draw_repair, 2000, rng) for _ in range(12)]
    exact = (
        waiting_share(NODES, spares, k.SCALE_FAULT_MTBF, DAY),
        1 - replaced_at_once(NODES, spares, k.SCALE_FAULT_MTBF, DAY),
    )
    for simulated, share in zip(np.transpose(runs), exact, strict=True):
        half_width = 4 * np.std(simulated, ddof=1) / math.sqrt(len(simulated))
        # Each run starts with all nodes sound: that is worth about one repair of 370 days.
        assert abs(np.mean(simulated) - share) <= half_width + 0.003


def test_faulty_nodes_alone_need_eleven_spares_and_all_causes_fourteen():
    shares = {}
    for days in (383, 264):
        few = [waiting_share(NODES, spares, days * DAY, DAY) > 0.01 for spares in range(30)]
        late = [replaced_at_once(NODES, spares, days * DAY, DAY) < 0.99 for spares in range(30)]
        shares[days] = (sum(few), sum(late))
    assert shares == {383: (11, 12), 264: (14, 15)}


def test_without_spares_the_run_waits_a_repair_after_each_failure():
    between = job_mtbf(383 * DAY, NODES)
    assert waiting_share(NODES, 0, 383 * DAY, DAY) == pytest.approx(DAY / (DAY + between))
    assert replaced_at_once(NODES, 0, 383 * DAY, DAY) == 0
    assert waiting_share(NODES, 0, 383 * DAY, 0) == 0


@given(st.integers(1, 5000), st.integers(0, 60), st.floats(0.01, 30))
def test_each_spare_shortens_the_wait_and_a_failure_finds_none_more_often_than_the_run_waits(
    nodes, spares, days
):
    given_times = (100 * DAY, days * DAY)
    waits = waiting_share(nodes, spares, *given_times)
    assert waiting_share(nodes, spares + 1, *given_times) <= waits
    assert 1 - replaced_at_once(nodes, spares + 1, *given_times) == pytest.approx(waits, abs=1e-12)


# --- the useful share ---
def test_a_checkpoint_that_is_safe_at_once_gives_the_published_run_time():
    for interval, stall, recovery, mtbf in ((600, 30, 600, 11137.5), (3600, 0, 120, 1392.0)):
        run = expected_runtime(interval, interval, stall, recovery, mtbf)
        assert useful_share(interval, stall, recovery, mtbf) == pytest.approx(interval / run)


@given(times, delays, delays, times, delays)
def test_a_checkpoint_safe_only_later_costs_as_much_as_a_recovery_longer_by_that(
    interval, stall, recovery, mtbf, write
):
    late = useful_share(interval, stall, recovery, mtbf, write)
    assert late == pytest.approx(useful_share(interval, stall, recovery + write, mtbf), rel=1e-9)
    assert 0 <= late <= interval / (interval + stall) * (1 + 1e-12)


def kept_share(interval, stall, recovery, mtbf, write, failures, rng):
    """Useful share of a simulated run, from one failure to the next."""
    work = 0.0
    elapsed = 0.0
    for _ in range(failures):
        time = rng.exponential(mtbf)
        while time < recovery:  # a failure during the recovery starts it over
            elapsed += time
            time = rng.exponential(mtbf)
        elapsed += time
        safe = recovery + interval + stall + write
        while safe <= time:
            work += interval
            safe += interval + stall
    return work / elapsed


@pytest.mark.parametrize(
    "run",
    [
        (3600, 0, 600, 11137.5, 0),
        (600, 0, 600, 11137.5, 120),
        (300, 5, 120, 1392.2, 60),
        (60, 5, 120, 1392.2, 300),  # five checkpoints are being written at once
        (3600, 0, 600, 1392.2, 0),
    ],
)
def test_simulated_runs_keep_as_much_as_the_formula_says(run):
    rng = np.random.default_rng(7)
    simulated = [kept_share(*run, 500, rng) for _ in range(16)]
    half_width = 4 * np.std(simulated, ddof=1) / math.sqrt(len(simulated))
    # A ratio of means of 500 cycles is off by about 1/500 of its spread squared.
    assert abs(np.mean(simulated) - useful_share(*run)) <= half_width + 1e-3


def test_very_rare_failures_leave_the_stalls_and_very_frequent_ones_nothing():
    assert useful_share(600, 60, 600, 1e300) == pytest.approx(600 / 660)
    assert useful_share(600, 60, 600, 1e-3) == 0
    assert useful_share(1e-320, 0, 0, 1e308) == 1


# --- the largest worthwhile run ---
def useful_nodes(nodes, interval, recovery, stall=0, write=0):
    return nodes * useful_share(
        interval, stall, recovery, job_mtbf(k.SPOT_CLUSTER_MTBF, nodes), write
    )


@pytest.mark.parametrize("interval", [60, 600, 3600])
@pytest.mark.parametrize("recovery", [0, 120, 600])
@pytest.mark.parametrize("late", [{}, {"stall": 30, "write": 300}])
def test_no_other_number_of_nodes_does_more(interval, recovery, late):
    top = largest_worthwhile(interval, recovery, k.SPOT_CLUSTER_MTBF, **late)
    most = useful_nodes(top, interval, recovery, **late)
    for nodes in (top - 1, top + 1, top // 2, 2 * top):
        assert useful_nodes(nodes, interval, recovery, **late) <= most * (1 + 1e-12)
    for nodes in (round(0.9 * top), round(1.1 * top)):
        assert useful_nodes(nodes, interval, recovery, **late) > 0.99 * most


def test_eight_times_the_gpus_do_1_36_times_the_work_with_hourly_checkpoints():
    work = {gpus: 8 * useful_nodes(gpus // 8, 3600, 600) for gpus in (16384, 32768, 65536, 131072)}
    assert work[131072] / work[16384] == pytest.approx(1.36, abs=0.005)
    assert work[131072] < work[32768] < work[65536]
    assert 8 * largest_worthwhile(3600, 600, k.SPOT_CLUSTER_MTBF) == pytest.approx(65700, abs=50)
    often = 8 * useful_nodes(16384, 300, 120)
    assert often / work[16384] == pytest.approx(8.2, abs=0.05)


def test_a_run_that_is_hopeless_with_two_nodes_has_one():
    assert largest_worthwhile(interval=1e6, recovery=1e6, node_mtbf=1.0) == 1
