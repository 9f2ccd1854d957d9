"""What a change does to the same jobs, and when that is undecided."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workload_strategies import policies, with_quotas

from physics.cluster import (
    Change,
    calibrate,
    parse_change,
    parse_policy,
    synthetic_log,
    undecided,
    what_if,
    write_change,
)
from physics.cluster.jobs import checked
from physics.cluster.machine.changed import changed_jobs
from physics.cluster.say import time
from physics.cluster.spec import in_words, write_policy
from physics.cluster.trust.distance import unexplained
from physics.cluster.weeks import WEEK, week_of
from physics.pace import paced
from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.policy import BACKFILLS, ORDERS

FIFO = Policy()
EASY = Policy(backfill="easy")


@pytest.fixture(scope="module")
def jobs():
    return synthetic_log(1, days=100)


@pytest.fixture(scope="module")
def found(jobs):
    return calibrate(jobs, 1024, {"FIFO": FIFO, "EASY": EASY})


@pytest.fixture(scope="module")
def easy(jobs):
    """What a change does beside EASY on 1,024 GPUs."""
    return partial(what_if, jobs, 1024, EASY)


def test_no_change_is_no_difference_and_undecided(jobs, found):
    difference = what_if(jobs, 1024, found, Change())
    assert (difference.classes["difference"] == 0).all() and difference.undecided
    assert (difference.classes[["shorter", "longer"]] == 0).all(axis=None)
    assert difference.costs.loc["difference"].tolist() == [0, 0, 0, 0]


def test_the_differences_are_those_of_two_simulations(jobs):
    difference = what_if(jobs, 1024, FIFO, Change(policy=EASY))
    waits = [simulate(jobs, 1024, policy).jobs["wait"] for policy in (FIFO, EASY)]
    by_class = [wait.groupby(jobs["job_class"]).mean() for wait in waits]
    for name in ("interactive", "search", "training"):
        row = difference.classes.loc[name]
        assert row["baseline"] == pytest.approx(by_class[0][name]) and row[
            "changed"
        ] == pytest.approx(by_class[1][name])
        assert row["difference"] == pytest.approx(row["changed"] - row["baseline"])
        assert row["low"] <= row["difference"] <= row["high"]
    assert difference.classes.loc["all", "shorter"] == pytest.approx(
        (waits[1] < waits[0] - 1).mean()
    )
    assert difference.classes.loc["all", "longer"] == pytest.approx(
        (waits[1] > waits[0] + 1).mean()
    )
    weekly = difference.weekly
    assert len(weekly) == 15 and weekly["jobs"].sum() == len(jobs)
    assert ((weekly["changed"] - weekly["baseline"]) == weekly["difference"]).all()
    row = difference.classes.loc["all"]
    assert difference.undecided == (row["low"] <= 0 <= row["high"])


def test_a_calibration_brings_its_policy_and_its_schedule(jobs, easy, found):
    change = Change(gpus=1088)
    mine = what_if(jobs, 1024, found, change)
    plain = easy(change)
    pd.testing.assert_frame_equal(mine.classes, plain.classes)


@pytest.mark.parametrize(
    ("difference", "low", "high", "unexplained", "decides"),
    [
        (5, 1, 9, 5, True),
        (-5, -9, -1, 4.9, True),
        (5, 1, 9, 5.1, False),  # less than what is left unexplained
        (5, -1, 9, 0, False),  # 0 lies in the interval
        (5, 0, 9, 0, False),
        (5, 1, math.nan, 0, False),  # there is no interval
        (math.nan, 1, 2, 0, False),
    ],
)
def test_what_is_decided(difference, low, high, unexplained, decides):
    assert undecided(difference, low, high, unexplained) is not decides


def test_what_the_calibration_leaves_unexplained_must_be_reached():
    jobs = synthetic_log(1, days=180)
    # A cluster whose jobs waited half an hour longer in the first sixteen weeks.
    shift = np.where(np.arange(len(jobs)) < len(jobs) * 112 / 180, 1800.0, 0.0)
    late = jobs.assign(recorded_wait=np.maximum(jobs["recorded_wait"] + shift, 0))
    found = calibrate(late, 1024, {"EASY": EASY})
    assert found.unexplained == pytest.approx(112 / 180 * 1800, rel=0.1)
    near, far = (what_if(late, 1024, found, Change(gpus=gpus)) for gpus in (1032, 1152))
    assert near.undecided and near.unexplained == found.unexplained and not far.undecided
    assert near.classes.loc["search", "unexplained"] == found.by_class.loc["search", "unexplained"]
    assert any("that the model leaves unexplained" in sentence for sentence in near.sentences)
    assert not any("Undecided" in sentence for sentence in far.sentences)
    assert not what_if(late, 1024, EASY, Change(gpus=1152)).undecided, (
        "of two simulations nothing is unexplained"
    )


def test_errors_of_two_seasons_do_not_cancel():
    week = np.arange(16)
    ones = np.ones(16)
    assert unexplained(np.where(week < 8, 5.0, 1.0), 3 * ones, week) == 2
    assert unexplained(np.where(week % 2, 5.0, 1.0), 3 * ones, week) == 0
    # A block counts by its jobs, and what is not recorded does not.
    assert unexplained(
        np.array([5.0, 3.0, 3.0, np.nan]), 3 * np.ones(4), np.array([0, 8, 9, 9])
    ) == pytest.approx(2 / 3)
    assert math.isnan(unexplained(np.array([np.nan]), np.ones(1), np.zeros(1, int)))


def test_a_log_without_recorded_waits_or_of_less_than_13_weeks_decides_nothing(jobs):
    for log in (synthetic_log(days=20).drop(columns="recorded_wait"), synthetic_log(days=20),
                jobs.drop(columns="recorded_wait")):  # fmt: skip
        difference = what_if(log, 1024, calibrate(log, 1024, {"EASY": EASY}), Change(gpus=1152))
        assert difference.classes["undecided"].all()
        assert any(sentence.startswith("Undecided") for sentence in difference.sentences)
        assert math.isnan(difference.classes.loc["all", "low"]) is (len(log) < len(jobs))
        assert any("fewer than 13 weeks" in one for one in difference.sentences) is (
            len(log) < len(jobs)
        )


def test_record_baseline_and_change_stand_together(jobs, found):
    difference = what_if(jobs, 1024, found, Change(gpus=1152))
    row = difference.classes.loc["all"]
    assert (
        row["record"]
        == pytest.approx(jobs["recorded_wait"].mean())
        == pytest.approx(row["baseline"])
    )
    assert (
        f"Mean wait: {time(row['record'])} in the record, {time(row['baseline'])} in the baseline, "
        f"{time(row['changed'])} with the change." in difference.sentences
    )
    assert list(difference.weekly.columns[2:5]) == ["record", "baseline", "changed"]


def test_more_gpus_cost_more_and_the_price_multiplies(jobs, easy):
    one, ten = (easy(Change(gpus=1088), price=price) for price in (1, 10))
    ends = jobs["submit"] + jobs["recorded_wait"] + jobs["runtime"]
    span = ends.max() - ends.min()
    assert one.costs.loc["difference", "provided"] == pytest.approx(64 * span)
    assert one.costs.loc["difference", "cost"] == pytest.approx(64 * span / 3600)
    assert ten.costs["cost"].to_numpy() == pytest.approx(10 * one.costs["cost"].to_numpy())
    assert one.costs.loc["difference", "used"] == pytest.approx(0)
    assert one.gpus == (1024, 1088)


def test_fewer_gpus_than_a_job_needs_are_said(jobs, easy):
    difference = easy(Change(gpus=256))
    never = int((jobs["gpus"] > 256).sum())
    assert difference.classes.loc["all", "never_started"] == never > 0
    assert any("can never start" in sentence for sentence in difference.sentences)


def test_preemption_loses_work_and_the_costs_say_how_much(easy):
    difference = easy(Change(policy=Policy("priority", "easy", preemption=Preemption())))
    assert difference.costs.loc["changed", "lost"] > 0 == difference.costs.loc["baseline", "lost"]
    assert difference.costs.loc["difference", "used"] == pytest.approx(
        difference.costs.loc["changed", "lost"]
    )
    assert difference.classes.loc["interactive", "difference"] < 0


def test_long_work_asks_whether_to_go_on(jobs, found):
    def stop():
        raise TimeoutError

    for work in (
        lambda: calibrate(jobs, 1024),
        lambda: what_if(jobs, 1024, found, Change(gpus=512)),
    ):
        with pytest.raises(TimeoutError), paced(stop):
            work()


def test_estimates_are_as_requested_perfect_or_scaled(jobs):
    log = checked(jobs)
    requested, perfect, scaled = (
        changed_jobs(log, Change(estimates=kind))[0] for kind in ("requested", "perfect", 3)
    )
    assert requested["estimate"].tolist() == jobs["estimate"].tolist()
    assert perfect["estimate"].equals(perfect["runtime"])
    assert (scaled["estimate"] == 3 * scaled["runtime"]).all()


def test_thinned_arrivals_are_the_logs_own_jobs_and_fewer_of_fewer(jobs, easy):
    log = checked(jobs)
    half, place = changed_jobs(log, Change(arrivals=0.5))
    _, fewer = changed_jobs(log, Change(arrivals=0.3))
    assert len(half) == (place >= 0).sum() and abs(len(half) / len(jobs) - 0.5) < 4 * math.sqrt(
        0.25 / len(jobs)
    )
    assert set(np.flatnonzero(fewer >= 0)) < set(np.flatnonzero(place >= 0))
    assert half["submit"].to_numpy()[place[place >= 0]].tolist() == log.submit[place >= 0].tolist()
    difference = easy(Change(arrivals=0.5))
    assert (
        difference.classes.loc["all", "jobs"] == len(half)
        and difference.classes.loc["all", "difference"] < 0
    )


@pytest.mark.parametrize("factor", [1.25, 2.0, 3.5])
def test_more_arrivals_are_the_logs_own_jobs_and_others_at_their_hour_of_the_week(jobs, factor):
    log = checked(jobs)
    more, place = changed_jobs(log, Change(arrivals=factor))
    assert place.tolist() == list(range(len(jobs)))
    added = more.iloc[len(jobs) :]
    # Of each drawn week, which may be a thick or a thin one, each job comes with the same chance.
    assert len(more) / len(jobs) == pytest.approx(factor, abs=0.15 * (factor - 1))
    hours = {round((time - log.submit[0]) % WEEK, 3) for time in log.submit}
    assert {round((time - log.submit[0]) % WEEK, 3) for time in added["submit"]} <= hours
    assert added["submit"].max() <= log.submit[-1]
    assert set(week_of(added["submit"].to_numpy(), log.submit[0])) == set(range(15))


def test_more_arrivals_wait_longer_and_only_the_logs_jobs_are_compared(jobs, easy):
    difference = easy(Change(arrivals=1.2))
    assert (
        difference.classes.loc["all", "jobs"]
        == difference.jobs[0]
        == len(jobs)
        < difference.jobs[1]
    )
    assert difference.classes.loc["all", "difference"] > 0
    assert any("are added" in sentence for sentence in difference.sentences)


def test_a_class_that_moves_away_leaves_the_others(easy):
    difference = easy(Change(moved={"training": "away"}))
    assert "training" not in difference.classes.index
    assert difference.classes.loc["all", "changed"] < difference.classes.loc["all", "baseline"] / 10
    assert any("The change leaves out" in sentence for sentence in difference.sentences)


def test_a_class_that_moves_to_another_follows_its_rules_and_keeps_its_row(jobs):
    priority = Policy("priority", "easy")
    difference = what_if(jobs, 1024, priority, Change(moved={"training": "interactive"}))
    assert "training" in difference.classes.index
    assert (
        difference.classes.loc["training", "difference"]
        < 0
        < difference.classes.loc["search", "difference"]
    )


def test_a_capped_class_is_narrower_and_keeps_its_work(jobs, easy):
    log = checked(jobs)
    capped, _ = changed_jobs(log, Change(capped={"training": 64}))
    mine = log.classes == "training"
    assert capped.loc[mine, "gpus"].max() == 64
    assert (capped["gpus"] * capped["runtime"]).sum() == pytest.approx(
        (log.gpus * log.runtime).sum()
    )
    assert capped.loc[~mine, "gpus"].tolist() == log.gpus[~mine].tolist()
    assert (capped["estimate"] >= capped["runtime"]).all()
    assert any("best case" in one for one in easy(Change(capped={"training": 64})).sentences)


def test_a_change_that_does_not_fit_the_log_or_its_baseline_is_refused(jobs, found):
    away = dict.fromkeys(("interactive", "search", "training"), "away")
    for log, gpus, baseline, change, words in (
        (jobs, 1024, EASY, Change(moved={"x": "training"}), "must name classes of the log"),
        (jobs, 1024, EASY, Change(capped={"x": 4}), "must name classes of the log"),
        (jobs, 1024, EASY, Change(moved=away), "at least one job"),
        (jobs, 1024, "easy", Change(), "baseline must be"),
        (jobs, 1024, EASY, "easy", "change must be"),
        (jobs, 512, found, Change(), "same jobs"),
        (jobs.iloc[1:], 1024, found, Change(), "same jobs"),
        (jobs.assign(runtime=jobs["runtime"] / 2), 1024, found, Change(), "same jobs"),
    ):
        with pytest.raises(ValueError, match=words):
            what_if(log, gpus, baseline, change)


# --- as one line of text ---
NAMES = st.text(st.sampled_from("ab ,=:+>%|é"), min_size=1, max_size=5)
POLICIES = st.tuples(
    st.lists(NAMES, unique=True, min_size=1, max_size=3).map(tuple),
    st.sampled_from(ORDERS),
    st.sampled_from(BACKFILLS),
).flatmap(
    lambda kind: (policies(999, *kind) | with_quotas(999, *kind)).map(
        lambda policy: replace(policy, classes=kind[0])
    )
)
CHANGES = st.builds(
    Change,
    policy=st.none() | POLICIES,
    gpus=st.none() | st.integers(1, 10**6),
    arrivals=st.floats(0.01, 10),
    estimates=st.sampled_from(["requested", "perfect"]) | st.floats(1, 100),
    moved=st.dictionaries(NAMES, NAMES, max_size=3),
    capped=st.dictionaries(NAMES, st.integers(1, 999), max_size=3),
)


@pytest.mark.slow
@settings(max_examples=40)
@given(CHANGES, POLICIES, POLICIES)
def test_what_is_written_of_a_change_or_a_policy_reads_back_whatever_the_baseline(
    change, policy, base
):
    assert parse_change(write_change(change), base, 512) == change
    assert parse_policy(write_policy(policy), base) == policy


@pytest.mark.slow
@settings(max_examples=40)
@given(st.text(max_size=60) | st.text(st.sampled_from("policygusareti=,:+->0123.%"), max_size=60))
def test_any_text_is_a_change_or_refused_in_one_sentence(text):
    try:
        assert isinstance(parse_change(text, EASY, 512), Change)
    except ValueError as refusal:
        assert "must" in str(refusal) and "\n" not in str(refusal)


def test_a_change_names_only_what_it_changes():
    base = Policy("priority", "easy", reserved={"search": 8})
    assert parse_change("reserved=32", base, 512).policy == Policy(
        "priority", "easy", reserved={"interactive": 32}
    )
    assert parse_change("reserved=0", base, 512).policy == Policy("priority", "easy")
    assert parse_change("gpus=-64", base, 512) == Change(gpus=448)
    assert parse_change("policy=easy", base, 512).policy == Policy(
        backfill="easy", reserved={"search": 8}
    )
    assert parse_change("preemption=yes", base, 512).policy.preemption == Preemption()
    assert parse_policy("conservative") == Policy(backfill="conservative")
    lent = parse_change("quotas=interactive:128,borrowing=yes,reclaim=yes", EASY, 1024).policy
    assert (lent.quotas, lent.borrowing, lent.reclaim) == ({"interactive": 128}, True, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("policy=magic", "policy must be one of"),
        ("gpus=many", "gpus must be a number"),
        ("gpus=-512", "gpus must be at least 1"),
        ("reserved=2.5", "whole number"),
        ("colour=red", "a change must name one of"),
        ("gpus", "key=value"),
        ("gpus=1,gpus=2", "each key once"),
        ("move=training", "move must be"),
        ("cap=training:x", "cap must be a number"),
        ("preemption=often", "preemption must be"),
        ("max_wait=nan", "max_wait must be a number"),
        ("classes=no,reserved=5", "must name a class"),
    ],
)
def test_a_text_that_makes_no_sense_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        parse_change(text, EASY, 512)


@pytest.mark.parametrize(
    "text",
    [
        "user_limit=64",
        "account_limit=8,user_limit=no",
        "gpus_per_node=8,fit=worst",
        "nodes=listed,fit=first",
        "nodes=8+8+4",
        "order=fair_share,share_by=user,half_life=3600",
        "speed=1.3",
        "speed=training:1.3+search:0.5",
    ],
)
def test_users_nodes_and_speeds_are_read_as_they_are_written(text):
    base = Policy(backfill="easy")
    change = parse_change(text, base, 1024)
    assert parse_change(write_change(change), Policy(), 3) == change


def owned():
    """Jobs of two users, one of which sends many."""
    rng = np.random.default_rng(5)
    jobs = 80
    return pd.DataFrame(
        {
            "submit": np.sort(rng.integers(0, 40_000, jobs)).astype(float),
            "runtime": rng.integers(600, 7200, jobs).astype(float),
            "gpus": rng.choice([1, 2, 3, 5, 8], jobs),
            "user": rng.choice(["ann", "bob"], jobs, p=[0.8, 0.2]),
            "recorded_wait": 0.0,
            "job_class": rng.choice(["a", "b"], jobs),
        }
    )


def test_a_change_of_nodes_says_what_is_idle_because_of_places():
    found = what_if(owned(), 16, Policy(), Change(gpus_per_node=8, fit="worst"))
    assert found.fragmented > 0
    assert any("because of placement" in sentence for sentence in found.sentences)
    assert what_if(owned(), 16, Policy(), Change(gpus=32)).fragmented == 0


def test_a_limit_per_user_needs_users_and_keeps_to_it():
    limited = Change(policy=Policy(user_limit=8))
    assert what_if(owned(), 16, Policy(), limited).unstarted == 0
    for nobody in (owned().drop(columns="user"), owned().assign(user=math.nan)):
        with pytest.raises(ValueError, match="users"):
            what_if(nobody, 16, Policy(), limited)


def test_classes_that_are_numbers_in_the_log_follow_a_change_by_their_names():
    jobs = owned().replace({"job_class": {"a": 1, "b": 2}})
    assert (
        what_if(jobs, 16, Policy(), Change(moved={"1": "away"})).left_out
        == (jobs["job_class"] == 1).sum()
    )
    jobs.loc[0, "job_class"] = math.nan
    assert what_if(jobs, 16, Policy(), Change(moved={"job": "away"})).left_out == 1


def test_speed_divides_run_times_and_estimates_of_its_classes():
    log = checked(owned())
    jobs, _ = changed_jobs(log, Change(speed={"a": 2.0}))
    fast = (log.classes == "a").astype(float)
    assert np.allclose(jobs["runtime"], log.runtime / (1 + fast))
    assert np.allclose(jobs["estimate"], log.estimate / (1 + fast))
    with pytest.raises(ValueError, match="speed"):
        what_if(owned(), 16, Policy(), Change(speed={"c": 2.0}))
    with pytest.raises(ValueError, match="speed"):
        Change(speed=0)


def test_what_is_idle_because_of_places_is_told_by_the_day_and_adds_up():
    jobs = owned()
    found = what_if(jobs, 16, Policy(), Change(gpus_per_node=8, fit="worst"))
    log = checked(jobs)
    whole = simulate(jobs, 16, Policy(), gpus_per_node=8, fit="worst")
    time, gpus = whole.fragments.to_numpy(float).T
    within = np.clip(time, log.begin, log.end)
    assert found.used["fragmented"].sum() == pytest.approx((gpus[:-1] * np.diff(within)).sum())
    assert found.used["length"].sum() == pytest.approx(log.end - log.begin)
    assert (found.used["used"] + found.used["fragmented"] <= 16 * found.used["length"] + 1e-6).all()
    assert what_if(jobs, 16, Policy(), Change(gpus=32)).used.empty


def test_listed_nodes_are_those_that_were_read_with_the_log():
    jobs = owned()
    jobs.attrs = {"node_sizes": (8, 8, 4)}
    listed = what_if(jobs, 20, Policy(), parse_change("nodes=listed,fit=first", Policy(), 20))
    given = what_if(jobs, 20, Policy(), Change(nodes=[8, 8, 4], fit="first"))
    assert listed.classes.equals(given.classes) and listed.fragmented == given.fragmented
    with pytest.raises(ValueError, match="must be read with the log"):
        what_if(owned(), 20, Policy(), Change(nodes="listed"))
    with pytest.raises(ValueError, match="add up to the capacity"):
        what_if(jobs, 16, Policy(), Change(nodes="listed"))


def test_fragments_of_slices_are_told_in_whole_gpus():
    sizes = np.where(owned()["gpus"] == 1, 1 / 7, owned()["gpus"])
    jobs = owned().assign(gpus=sizes)
    jobs.attrs = {"parts": 7}
    found = what_if(jobs, 16, Policy(), Change(gpus_per_node=8))
    assert (found.used["used"] <= 16 * found.used["length"] + 1e-6).all()


def test_a_change_with_speeds_of_no_class_is_written_as_no_change():
    text = write_change(Change(speed={}))
    assert text == "" and parse_change(text, FIFO, 8) == Change()


def test_a_size_of_one_is_written_in_the_singular():
    text = in_words("gpus=-1,reserved=1,user_limit=2")
    assert text == "1 fewer GPU, 1 GPU reserved, at most 2 GPUs per user"
