"""Theory, simulation and record of one log: they agree where they must, and the gap says how far
they are apart.
"""

import math
import re

import numpy as np
import pandas as pd
import pytest
from recorded import KTH, needs_log

from physics.cluster import (
    Change,
    calibrate,
    candidates,
    read_log,
    say,
    synthetic_log,
    what_happened,
    what_if,
)
from physics.cluster.calibration import RECORD
from physics.cluster.machine.policies import EASY, FIFO
from physics.cluster.trust.theory import ALLEN, MARKOV
from physics.queueing import mmc, simulate_queue
from physics.scheduling import Policy, simulate

HOUR = 3600.0
PLAIN = {FIFO: Policy(), EASY: Policy(backfill="easy")}


@pytest.fixture(scope="module")
def jobs():
    return synthetic_log(1, days=60)


def markov_log(seed, utilization=0.8, servers=4, gpus=8, count=8000):
    """A log of M/M/c, made by the simulator of queues: an hour of service, every job equally
    wide.
    """
    rate = utilization * servers / HOUR
    records = simulate_queue(rate, HOUR, servers, 1.0, count, np.random.default_rng(seed))
    return pd.DataFrame(
        {
            "submit": records["arrival"],
            "runtime": records["end"] - records["start"],
            "gpus": gpus,
            "recorded_wait": records["start"] - records["arrival"],
        }
    )


def fluid_log(load, count=900):
    """Jobs of 8 GPUs, one an hour, on 8 GPUs: without chance they wait for nothing, or for a line
    that only grows.
    """
    length = load * HOUR
    waits = np.maximum(0, np.arange(count) * (length - HOUR))
    return pd.DataFrame(
        {"submit": np.arange(count) * HOUR, "runtime": length, "gpus": 8, "recorded_wait": waits}
    )


@pytest.mark.slow
def test_of_a_markov_log_theory_simulation_and_record_agree():
    exact = mmc(0.8 * 4 / HOUR, HOUR, 4).mean_wait
    held = 0
    met = 0
    for seed in range(20):
        found = calibrate(markov_log(seed), 32, PLAIN)
        record = found.waits.loc[RECORD]
        theory = found.waits.loc[MARKOV]
        assert found.waits.loc[FIFO, "mean"] == pytest.approx(record["mean"], rel=1e-9)
        # The formula is given what the log measures; both it and the record have an interval.
        assert found.inputs["servers"] == 4 and found.inputs["running_width"] == pytest.approx(8)
        assert found.inputs["length_scv"] == pytest.approx(1, abs=0.15)
        met += theory["low"] <= record["high"] and record["low"] <= theory["high"]
        held += record["low"] <= exact <= record["high"]
    assert met >= 18 and held >= 17


def test_of_a_fluid_log_below_its_capacity_nobody_waits():
    found = calibrate(fluid_log(0.9), 8, PLAIN)
    assert found.waits.loc[[ALLEN, FIFO], "mean"].abs().max() == pytest.approx(0, abs=1e-6)
    assert RECORD not in found.waits.index and math.isnan(found.gap)


def test_of_a_fluid_log_above_its_capacity_the_line_grows_and_theory_says_so():
    jobs = fluid_log(1.25)
    found = calibrate(jobs, 8, PLAIN)
    assert found.waits.loc[RECORD, "mean"] == pytest.approx(899 / 2 * 0.25 * HOUR)
    assert found.waits.loc[FIFO, "mean"] == pytest.approx(found.waits.loc[RECORD, "mean"])
    assert found.waits.loc[MARKOV, "mean"] == math.inf and not found.theory[MARKOV].stable
    assert any("no steady state" in sentence for sentence in found.sentences)
    assert "125" in " ".join(found.sentences)


@pytest.mark.slow
def test_the_policy_that_made_the_record_is_found():
    for policy in (Policy(), Policy(backfill="easy"), Policy(order="priority", backfill="easy")):
        jobs = synthetic_log(1, days=60, policy=policy)
        tried = {
            FIFO: Policy(),
            EASY: Policy(backfill="easy"),
            "priority, EASY": Policy("priority", "easy"),
        }
        found = calibrate(jobs, 1024, tried)
        assert found.policy == policy and found.gap == 0


def test_the_gap_is_the_distance_from_the_record_class_by_class(jobs):
    found = calibrate(jobs, 1024, {FIFO: Policy()})
    wait = simulate(jobs, 1024).jobs["wait"]
    apart = (wait - jobs["recorded_wait"]).groupby(jobs["job_class"]).sum().abs().sum()
    assert found.gap == pytest.approx(apart / jobs["recorded_wait"].sum())
    assert found.by_class.loc["training", "record"] == pytest.approx(
        jobs.loc[jobs["job_class"] == "training", "recorded_wait"].mean()
    )


def test_the_baseline_is_the_closest_unless_another_is_named(jobs):
    found = calibrate(jobs, 1024, PLAIN, baseline=FIFO)
    assert (found.closest, found.baseline, found.policy) == (EASY, FIFO, Policy())
    assert found.gap == found.waits.loc[FIFO, "distance"] > 0 and found.schedule.policy == Policy()
    assert any("as requested" in sentence for sentence in found.sentences)
    with pytest.raises(ValueError, match="baseline must be one of"):
        calibrate(jobs, 1024, PLAIN, baseline="x")


def test_a_log_without_recorded_waits_gets_its_baseline_and_no_gap():
    jobs = synthetic_log(1, days=40).drop(columns="recorded_wait")
    found = calibrate(jobs, 1024)
    assert not found.recorded and math.isnan(found.gap) and found.closest == EASY
    assert RECORD not in found.waits.index and found.waits.loc[EASY, "mean"] > 0
    assert any("records no waits" in sentence for sentence in found.sentences)
    assert (
        found.chosen == ""
        and found.second.empty
        and not any("half" in one for one in found.sentences)
    )


def test_it_says_how_many_independent_weeks_the_log_is_worth():
    long, short = (
        " ".join(calibrate(synthetic_log(1, days=days), 1024, PLAIN).sentences)
        for days in (100, 40)
    )
    assert re.search(r"the log's 15 weeks are worth [2-9](\.\d)? independent ones", long)
    assert "fewer than 13 weeks, too few" in short and "worth" not in short


def test_a_mean_wait_has_no_interval_below_zero():
    jobs = fluid_log(0.9, 3000).assign(recorded_wait=[HOUR * (n % 1500 < 50) for n in range(3000)])
    row = calibrate(jobs, 8, {FIFO: Policy()}).waits.loc[RECORD]
    assert row["low"] == 0 < row["mean"] < row["high"]


def test_jobs_wider_than_the_cluster_are_counted():
    found = calibrate(synthetic_log(1, days=40), 256, PLAIN)
    assert any("wider than the cluster" in sentence for sentence in found.sentences)
    assert np.isfinite(found.waits.loc[EASY, "mean"])


def test_where_no_recorded_job_can_start_nothing_is_compared_and_the_gap_is_not_known():
    jobs = synthetic_log(1, days=40)
    found = calibrate(jobs.assign(gpus=jobs["gpus"] + 64), 64, PLAIN)
    assert (
        math.isnan(found.gap) and found.closest == EASY and found.by_class["distance"].isna().all()
    )
    assert any("nothing to compare with" in sentence for sentence in found.sentences)


def test_a_baseline_that_waits_beside_a_record_that_does_not_is_infinitely_far_and_told_in_words():
    idle = synthetic_log(1, days=40).assign(recorded_wait=0.0)
    idle.attrs["gave_up"] = {"jobs": 1, "time": 60.0}
    found = calibrate(idle, 1024, PLAIN)
    assert found.gap == math.inf and "inf" not in " ".join(found.sentences)
    assert found.sentences[0].startswith("This model does not reproduce your cluster")
    jobs = pd.DataFrame(
        {"submit": [0, 1, 2], "runtime": [10, 5, 8], "gpus": [3, 4, 1], "recorded_wait": 0.0}
    )
    jobs.attrs["gave_up"] = idle.attrs["gave_up"]
    told = " ".join(
        calibrate(jobs, 4, PLAIN | {"wide": Policy(backfill="easy")}, baseline="wide").sentences
    )
    assert "The baseline is wide, as requested." in told and "inf%" not in told


def test_costly_policies_are_tried_only_where_they_end(jobs):
    assert {"conservative", "fair share, EASY", "priority"} <= candidates(jobs, 1024).keys()
    assert candidates(jobs)["priority"].classes == ("interactive", "search", "training"), (
        "who waited less ranks higher"
    )
    assert not {"conservative", "fair share, EASY"} & candidates(jobs, 256).keys()
    assert list(candidates(jobs.assign(job_class="one"))) == [FIFO, EASY, "conservative"]


def test_progress_is_told_and_stops_when_it_raises():
    jobs = synthetic_log(1, days=20)
    heard = []
    calibrate(jobs, 1024, PLAIN, progress=lambda share, name: heard.append((share, name)))
    assert heard == [(0, FIFO), (0.5, EASY), (1, "")]

    def stop(share, name):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        calibrate(jobs, 1024, PLAIN, progress=stop)


def test_a_gap_above_thirty_percent_is_said_first_and_a_smaller_one_not(jobs):
    poor = calibrate(jobs.assign(recorded_wait=2 * jobs["recorded_wait"] + 600), 1024, PLAIN)
    assert poor.gap > 0.3 and poor.sentences[0].startswith(
        "This model does not reproduce your cluster"
    )
    assert "the closest is merely the slowest" not in " ".join(poor.sentences), (
        "FIFO is slower than this record"
    )
    assert "unexplained" not in " ".join(calibrate(jobs, 1024, PLAIN).sentences), (
        "EASY explains all of its own record"
    )
    near = calibrate(jobs.assign(recorded_wait=1.2 * jobs["recorded_wait"]), 1024, PLAIN)
    assert 0 < near.gap < 0.3 and "reproduce" not in " ".join(near.sentences)
    asked = calibrate(jobs, 1024, PLAIN, baseline=FIFO)
    assert asked.gap > 0.3 and asked.sentences[0].startswith(
        "This model does not reproduce your cluster"
    )


def test_policies_within_each_others_error_cannot_be_told_apart(jobs):
    tried = PLAIN | {"conservative": Policy(backfill="conservative")}
    longer = calibrate(jobs.assign(recorded_wait=jobs["recorded_wait"] + 4 * HOUR), 1024, tried)
    told = " ".join(longer.sentences)
    assert (
        re.search(r"cannot be told apart: .* \(.* h\) and .* \(.* h\)\.", told) and FIFO not in told
    )
    assert "told apart" not in " ".join(calibrate(jobs, 1024, tried).sentences), (
        "EASY made this record"
    )
    slow = calibrate(jobs.assign(recorded_wait=jobs["recorded_wait"] + 40 * HOUR), 1024, tried)
    assert slow.closest == FIFO and "the closest is merely the slowest" in " ".join(slow.sentences)


def test_policies_that_make_the_same_waits_have_no_slowest():
    told = " ".join(calibrate(fluid_log(0.9).assign(recorded_wait=60.0), 8, PLAIN).sentences)
    assert "cannot be told apart" in told and "slowest" not in told


def test_what_the_closest_policy_leaves_idle_stands_beside_the_record(jobs):
    same = calibrate(jobs, 1024, PLAIN)
    assert same.waits.loc[EASY, "idle"] == pytest.approx(same.waits.loc[RECORD, "idle"])
    assert same.waits.loc[RECORD, "idle"] == pytest.approx(what_happened(jobs, 1024).wasted)
    held = calibrate(jobs.assign(recorded_wait=jobs["recorded_wait"] + 4 * HOUR), 1024, PLAIN)
    told = next(
        sentence for sentence in held.sentences if sentence.startswith("Idle while jobs waited")
    )
    assert "may explain the other" in told and "GPU-hours" in told
    assert f"{say.hours(held.waits.loc[RECORD, 'idle'])} GPU-hours" in told


@needs_log
def test_a_recorded_year_is_said_to_be_as_it_is():
    jobs = read_log(KTH, unfinished=True)
    happened = what_happened(jobs)
    assert (happened.gpus, happened.size_source, happened.largest) == (
        100,
        "MaxProcs of the header",
        104,
    )
    found = calibrate(jobs, 100, PLAIN | {"conservative": Policy(backfill="conservative")})
    hours = found.waits["mean"] / HOUR
    assert hours[[RECORD, EASY]].tolist() == pytest.approx([4.25, 1.91], abs=0.005)
    assert hours[FIFO] == pytest.approx(108, abs=0.5)
    told = " ".join(found.sentences)
    assert told.startswith("This model does not reproduce your cluster")
    assert (
        "4.25 h in the record, 2.04 h under conservative backfill" in told
        and "The model leaves 2.21 h of the mean wait unexplained" in told
    )
    assert found.waits.loc[EASY, "unexplained"] / HOUR == pytest.approx(2.34, abs=0.005)
    assert "told apart: EASY (1.91 h) and conservative backfill (2.04 h)." in told
    assert "the closest is merely the slowest of them" in told
    assert (
        "229,000 CPU-hours" in told
        and "75,000 are idle under conservative backfill (EASY 79,000)" in told
        and "GPU" not in told
    )
    row = what_if(jobs, 100, found, Change(gpus=132)).classes.loc["all"]
    assert row["difference"] / HOUR == pytest.approx(-1.54, abs=0.005) and row["undecided"]


def test_the_closest_of_the_first_half_is_told_on_the_second():
    jobs = synthetic_log(1, days=40)
    late = jobs["submit"] >= (jobs["submit"].iloc[0] + jobs["submit"].iloc[-1]) / 2
    changed = jobs.assign(
        recorded_wait=jobs["recorded_wait"].where(~late, 4 * jobs["recorded_wait"])
    )
    found = calibrate(changed, 1024)
    assert found.chosen == EASY and found.second.loc["all", "jobs"] == late.sum()
    assert found.second["distance"].to_numpy() == pytest.approx(
        0.75
    )  # EASY's waits where the record has four times
    limits = found.second[found.second.index.str.startswith("time limit")]
    assert limits["jobs"].sum() == late.sum() and len(found.second) == len(limits) + 4
    told = [
        one
        for one in found.sentences
        if one.startswith("The policy closest to the first half of the log is EASY.")
    ]
    assert len(told) == 1 and told[0].endswith("(75% off when compared by class).")
    same = calibrate(jobs, 1024)
    assert same.chosen == EASY and same.second["distance"].max() == 0
