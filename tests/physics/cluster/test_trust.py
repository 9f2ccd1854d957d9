"""What a log shows beyond the policies, and what a promised start is worth: by hand, simulated, and
in a year's log.
"""

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from recorded import KTH, needs_log

from physics.cluster import (
    calibrate,
    candidates,
    read_log,
    synthetic_log,
    what_happened,
    when_do_jobs_start,
)
from physics.cluster.jobs import checked
from physics.cluster.machine.policies import EASY, EMPTIED
from physics.cluster.trust.computing import what_computes
from physics.cluster.trust.habits import Habits, habits
from physics.queueing import mgc
from physics.scheduling import Emptied, Policy, simulate

HOUR = 3600.0
DAY = 86_400.0
PLAIN = Policy(backfill="easy")


def crowd(days=100, seed=1):
    """Jobs for 64 GPUs that always wait, with time limits of a few hours."""
    rng = np.random.default_rng(seed)
    count = 40 * days
    runtime = np.ceil(rng.exponential(2 * HOUR, count)) + 60
    return pd.DataFrame(
        {
            "submit": np.sort(np.floor(rng.uniform(0, days * DAY, count))) + 4 * DAY,
            "runtime": runtime,
            "gpus": rng.choice([4, 8, 16, 32], count),
            "estimate": np.ceil(runtime * rng.uniform(1, 3, count)),
            "user": rng.choice([f"user {n}" for n in range(6)], count),
        }
    )


def as_recorded(jobs, gpus, policy):
    """The same jobs with the waits that a policy gives them."""
    return jobs.assign(recorded_wait=simulate(jobs, gpus, policy).jobs["wait"].to_numpy())


@pytest.mark.parametrize(
    "hours",
    [
        Emptied((8 * HOUR, 17 * HOUR)),
        Emptied((6 * HOUR,), (0, 1, 2, 3, 4, 5, 6)),
        Emptied((9 * HOUR,), (1,), 4 * HOUR),
    ],
    ids=str,
)
def test_hours_at_which_a_machine_is_emptied_are_found_with_their_days_and_length(hours):
    jobs = as_recorded(crowd(), 64, Policy(backfill="easy", emptied=hours))
    found = habits(checked(jobs), 64)
    assert (found.emptied.times, found.emptied.days) == (hours.times, hours.days)
    assert found.emptied.length == pytest.approx(hours.length, abs=900) and found.running_past < 0.1
    assert "The machine is emptied" in found.sentences[0] and found.user_jobs is None
    assert candidates(jobs)[EMPTIED].emptied == found.emptied


def test_weekends_that_share_one_of_two_hours_are_not_said_to_have_both():
    days = np.arange(4, 88)  # from a Monday on
    begins = np.sort(
        np.concatenate((days * DAY + 8 * HOUR, days[(days + 3) % 7 < 5] * DAY + 17 * HOUR))
    )
    runtime = np.diff(begins)
    wait = 25 * HOUR
    jobs = pd.DataFrame(
        {"submit": begins[:-1] - wait, "runtime": runtime, "gpus": 64, "estimate": runtime}
    )
    found = habits(checked(jobs.assign(recorded_wait=wait)), 64)
    assert found.emptied == Emptied((8 * HOUR, 17 * HOUR))


@pytest.mark.parametrize("order", ["arrival", "priority", "shortest"])
@pytest.mark.parametrize("backfill", ["none", "easy", "conservative"])
def test_no_simulated_log_shows_emptied_hours_or_limits(order, backfill):
    jobs = as_recorded(crowd(60), 64, Policy(order, backfill))
    assert habits(checked(jobs), 64) == Habits(unit="GPU")


def test_a_limit_of_one_user_is_found_with_its_number():
    # Four users send ten jobs of an hour each day, and three of each run at once on a machine that
    # has room for all.
    rows = [
        (day * DAY + 600 * user, n // 3 * HOUR, HOUR, f"user {user}")
        for day in range(60) for user in range(4) for n in range(10)
    ]  # fmt: skip
    jobs = pd.DataFrame(rows, columns=["submit", "recorded_wait", "runtime", "user"]).assign(gpus=2)
    found = habits(checked(jobs), 64)
    assert (found.user_jobs, found.user_gpus, found.emptied) == (3, None, None)
    assert "nobody ever has more than 3 jobs at once" in found.sentences[0]
    # The same GPUs in jobs of two sizes: two wide ones or four narrow ones, eight GPUs in all.
    mixed = jobs.assign(
        gpus=np.where(jobs.index % 10 < 4, 4, 2),
        recorded_wait=HOUR * np.array([0, 0, 1, 1, 2, 2, 2, 2, 3, 3])[jobs.index % 10],
    )
    assert (habits(checked(mixed), 64).user_jobs, habits(checked(mixed), 64).user_gpus) == (None, 8)
    assert habits(checked(jobs), 8).user_jobs is None, "a machine that is full explains these waits"


def test_a_promise_is_the_earliest_start_by_the_limits_of_those_ahead():
    # Four GPUs. A runs until 10 by its limit and ends at 5; B needs all four, C one and would end
    # after B's start.
    jobs = pd.DataFrame({"submit": [0.0, 1.0, 2.0], "runtime": [5.0, 5.0, 20.0], "gpus": [3, 4, 1],
                         "estimate": [10.0, 8.0, 20.0]})  # fmt: skip
    many = pd.concat(
        [jobs.assign(submit=jobs["submit"] + 1000 * n) for n in range(60)], ignore_index=True
    )
    many = many.assign(
        submit=60 * many["submit"], runtime=60 * many["runtime"], estimate=60 * many["estimate"]
    )
    found = calibrate(many, 4, {EASY: PLAIN})
    table = when_do_jobs_start(many, found).simulated
    # B is promised 10 and C 18, on B's planned end; they start at 5 and 10.
    assert table.loc["3 to 4 GPUs", ["jobs", "promised"]].tolist() == [60, 9 * 60.0]
    assert table.loc["1 GPU", ["jobs", "promised"]].tolist() == [60, 16 * 60.0]
    assert table["later"].max() == 0 and table.loc["1 GPU", "factor"] == pytest.approx(8 / 16)
    assert table.loc["all", "kept"] == 1.0


def test_conservative_backfill_keeps_its_promises_and_the_record_is_judged_too():
    jobs = crowd(60)
    found = calibrate(
        as_recorded(jobs, 64, Policy()), 64, {"conservative": Policy(backfill="conservative")}
    )
    told = when_do_jobs_start(as_recorded(jobs, 64, Policy()), found)
    assert told.simulated.loc["all", "later"] < 0.02 and told.judge is told.record
    assert told.record.loc["all", "later"] > 0.1 and "under conservative" in told.sentence


def test_a_factor_of_the_first_half_is_judged_on_the_second():
    jobs = as_recorded(crowd(80), 64, PLAIN)
    late = (jobs["submit"] > jobs["submit"].mean()).to_numpy()
    slower = jobs.assign(
        recorded_wait=jobs["recorded_wait"].where(~late, 5 * jobs["recorded_wait"])
    )
    same, worse = (
        when_do_jobs_start(one, calibrate(one, 64, {EASY: PLAIN})) for one in (jobs, slower)
    )
    assert same.record.loc["all", "kept"] > 0.8 > worse.record.loc["all", "kept"]
    assert "was long enough for 90 of 100 jobs in the first half of the log" in worse.sentence


def test_a_promise_keeps_clear_of_emptied_hours():
    # Mondays at 7:00 on an empty machine: two hours do not fit before 8:00, half an hour does.
    mondays = 4 * DAY + 7 * DAY * np.repeat(np.arange(25), 2) + 7 * HOUR
    jobs = pd.DataFrame(
        {"submit": mondays, "runtime": [2 * HOUR, HOUR / 2] * 25, "gpus": [2, 1] * 25}
    )
    policy = Policy(backfill="easy", emptied=Emptied((8 * HOUR,)))
    told = when_do_jobs_start(jobs, calibrate(jobs, 4, {EMPTIED: policy})).simulated
    assert told.loc["all", ["jobs", "promised", "later"]].tolist() == [25, HOUR, 0]
    assert "1 GPU" not in told.index


def test_too_few_promises_say_nothing():
    jobs = pd.DataFrame({"submit": [0.0, 1e6], "runtime": 1.0, "gpus": 1, "recorded_wait": 0.0})
    told = when_do_jobs_start(jobs, calibrate(jobs, 4, {EASY: PLAIN}))
    assert told.simulated.empty and "Too few jobs" in told.sentence


@pytest.fixture(scope="module")
def kth():
    return read_log(KTH)


@needs_log
@pytest.mark.slow
def test_a_recorded_year_was_emptied_at_eight_and_at_five_and_an_easy_that_knows_it_reproduces_it(
    kth,
):
    log = checked(kth)
    found = habits(log, 100)
    # 8:00 and 17:00 in Stockholm, all year round on the log's clock.
    assert (
        found.emptied == Emptied((7 * HOUR, 16 * HOUR))
        and found.user_jobs is found.user_gpus is None
    )
    told = calibrate(kth, 100, {EASY: PLAIN, EMPTIED: candidates(kth, 100)[EMPTIED]})
    assert told.closest == told.chosen == EMPTIED and told.gap < 0.1
    row = told.waits.loc[EMPTIED]
    assert row["mean"] / HOUR == pytest.approx(3.96, abs=0.01) and row[
        "p95"
    ] / HOUR == pytest.approx(22.0, abs=0.1)
    assert row["idle"] == pytest.approx(told.waits.loc["record", "idle"], rel=0.04)
    for policy in (Policy(), PLAIN, Policy("shortest", "easy")):
        wait = simulate(log.frame, 100, policy).jobs["wait"].to_numpy()
        assert habits(dataclasses.replace(log, wait=wait), 100).sentences == ()


@needs_log
@pytest.mark.slow
def test_of_a_recorded_years_promises_one_in_six_is_broken_and_one_in_fourteen_under_easy(kth):
    told = when_do_jobs_start(kth, calibrate(kth, 100, {EASY: PLAIN}))
    simulated = told.simulated
    record = told.record
    assert simulated.loc["all", "jobs"] == pytest.approx(14_049, rel=0.01)
    shares = [0.075, 0.041, 0.17, 0.11]
    whole = [
        *simulated.loc["all", ["later", "much_later"]],
        *record.loc["all", ["later", "much_later"]],
    ]
    assert whole == pytest.approx(shares, abs=0.008)
    limits = "4 to 15 h"
    assert [simulated.loc[limits, "later"], record.loc[limits, "later"]] == pytest.approx(
        [0.033, 0.32], abs=0.005
    )
    assert record.loc["all", "kept"] == pytest.approx(0.93, abs=0.01)


def test_what_computes_is_the_stated_share_of_what_is_occupied_and_the_line_that_of_the_formula():
    log = synthetic_log(days=40)
    happened = what_happened(log, 1024)
    found = calibrate(log, 1024, {"EASY": Policy(backfill="easy")})
    told = what_computes(happened, found, 0.5, 0.75)
    assert told.useful == pytest.approx(happened.utilization / 2) and told.speed == 1.5
    inputs = found.inputs
    length = inputs["load"] * inputs["servers"] / inputs["arrival_rate"]
    for wait, speed in ((told.before, 1.0), (told.after, 1.5)):
        expected = mgc(
            inputs["arrival_rate"], length / speed, inputs["servers"], inputs["length_scv"], 1.0
        )
        assert wait == pytest.approx(expected.mean_wait)
    assert what_computes(happened, found, 0.9, 0.01).after == math.inf, "nobody can keep up"


@pytest.mark.parametrize("absurd", [0, -1, 1.5, math.nan, math.inf, "x", None, True])
def test_absurd_utilizations_are_refused_in_one_sentence(absurd):
    log = synthetic_log(days=10)
    happened = what_happened(log, 1024)
    found = calibrate(log, 1024, {"EASY": Policy(backfill="easy")})
    for shares in ((absurd, 0.5), (0.5, absurd)):
        with pytest.raises(ValueError, match="must "):
            what_computes(happened, found, *shares)


def test_jobs_that_start_at_once_do_not_hide_that_others_wait_at_an_emptied_hour():
    days = np.arange(4, 88)
    begins = days * DAY + 8 * HOUR
    runtime = np.diff(begins)
    wait = 25 * HOUR
    long = pd.DataFrame({"submit": begins[:-1] - wait, "runtime": runtime, "gpus": 64})
    brief = pd.DataFrame({"submit": np.repeat(begins, 3), "runtime": 60, "gpus": 1})
    jobs = pd.concat([long.assign(recorded_wait=wait), brief.assign(recorded_wait=0)])
    assert habits(checked(jobs), 64).emptied.times == (8 * HOUR,)
