"""How many GPUs a target needs: the answer run, the sizes below it run, and a year's record."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from recorded import KTH, needs_log

from physics.cluster import (
    calibrate,
    parse_target,
    read_log,
    synthetic_log,
    what_is_needed,
    what_load_keeps,
)
from physics.cluster.__main__ import main
from physics.scheduling import Emptied, Policy, simulate

EASY = Policy(backfill="easy")


@pytest.fixture(scope="module")
def jobs():
    return synthetic_log(1, days=20)


def waits(jobs, gpus, policy=EASY):
    columns = ["submit", "runtime", "gpus", "estimate", "job_class"]
    return simulate(jobs[columns], gpus, policy).jobs["wait"]


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "limit"), [("mean", 600.0), ("p95", 3600.0)])
def test_the_answer_meets_the_target_and_the_eight_sizes_below_do_not(jobs, measure, limit):
    found = what_is_needed(jobs, 1024, EASY, measure, limit, step=8)
    p95 = partial(np.quantile, q=0.95, method="inverted_cdf")
    of = {"mean": np.mean, "p95": p95}[measure]
    assert of(waits(jobs, found.gpus)) <= limit and (found.gpus - 1024) % 8 == 0
    below = range(max(found.gpus - 64, jobs.gpus.max()), found.gpus, 8)
    assert all(of(waits(jobs, size)) > limit for size in below)
    assert found.curve.loc[found.gpus, "simulated"] == pytest.approx(of(waits(jobs, found.gpus)))


def test_a_record_that_is_the_simulation_leaves_no_band(jobs):
    assert (
        waits(jobs, 1024) == jobs.recorded_wait
    ).all()  # the synthetic log's waits are EASY's own
    found = what_is_needed(
        jobs, 1024, calibrate(jobs, 1024, {"EASY": EASY}), "mean", 600.0, step=32
    )
    assert found.gpus == found.scaled == found.plus and found.recorded == found.today
    assert found.sentence.endswith(
        "; at today's size, jobs in the simulation wait as long as in the record."
    )


def test_longer_recorded_waits_need_more_and_the_band_is_by_hand():
    # One job a second of 2 s on one GPU each: with n GPUs nobody waits from n = 2 on; the record
    # says 3 s each.
    jobs = pd.DataFrame(
        {"submit": np.arange(50.0), "runtime": 2.0, "gpus": 1, "recorded_wait": 3.0}
    )
    found = what_is_needed(jobs, 2, Policy(), "mean", 2.0)
    assert (found.gpus, found.today, found.recorded) == (2, 0.0, 3.0)
    assert (
        found.scaled is None and found.plus is None
    )  # 3 ÷ 0 is no factor, and 3 s more are beyond 2 s
    assert what_is_needed(jobs, 2, Policy(), "mean", 3.0).plus == 2


def test_none_where_no_size_up_to_the_largest_meets_it(jobs):
    found = what_is_needed(jobs, 1024, EASY, "mean", 0.0, step=64, most=1024)
    assert found.gpus is found.scaled is found.plus is None and found.curve.simulated.notna().all()
    assert (
        found.sentence
        == "For a mean wait of at most 0 s, no size up to 1,024 GPUs is enough, even as simulated."
    )


def test_a_larger_size_that_misses_the_target_is_named():
    jobs = pd.DataFrame({"submit": [0.0, 5.0], "runtime": 1.0, "gpus": 1})
    found = what_is_needed(jobs, 8, Policy(), "p95", 3600.0)
    assert "miss the target" not in found.sentence
    curve = pd.DataFrame({"simulated": [9.0, 60.0], "more": 0.0}, index=[5, 8])
    worse = replace(found, gpus=5, limit=10.0, curve=curve)
    assert "with 8 GPUs, the same jobs miss the target (1 min)." in worse.sentence


def test_no_size_below_the_widest_job_is_an_answer():
    jobs = pd.DataFrame(
        {"submit": [0.0, 5.0], "runtime": [1.0, 1.0], "gpus": [1, 8], "estimate": [1.0, 1.0]}
    )
    assert what_is_needed(jobs, 16, Policy(), "mean", 100.0).gpus == 8


def test_a_class_is_asked_alone(jobs):
    names = sorted(set(jobs.job_class))
    found = [
        what_is_needed(jobs, 1024, EASY, "p95", 600.0, step=32, job_class=name).gpus
        for name in names
    ]
    assert max(found) >= what_is_needed(jobs, 1024, EASY, "p95", 600.0, step=32).gpus >= min(found)


def test_a_share_within_a_limit_is_the_percentile_with_which_so_many_wait_no_longer():
    # One GPU, ten jobs at once, of one second each: they wait 0 to 9 s; with two GPUs 0 to 4 s.
    jobs = pd.DataFrame({"submit": [0.0] * 10 + [1e6], "runtime": 1.0, "gpus": 1})
    for share, limit in ((30, 2.0), (50, 4.0), (90, 3.0)):
        found = what_is_needed(jobs, 1, Policy(), f"p{share}", limit, most=10)
        within = {n: (simulate(jobs, n).jobs["wait"] <= limit).mean() for n in range(1, 11)}
        assert found.gpus == min(n for n in within if within[n] >= share / 100)
        assert f"{share} of 100 jobs wait no longer" in found.sentence


def test_the_most_load_keeps_the_target_and_somewhat_more_does_not(jobs):
    found = what_load_keeps(jobs, 1024, EASY, "mean", 600.0)
    kept = found.curve["simulated"]
    assert len(found.simulated) == 3 and found.scaled == found.plus == found.simulated, (
        "its record is EASY's own"
    )
    assert all(0.3 < one < 1.5 for one in found.simulated) and kept.iloc[0] < 600 < kept.iloc[-1]
    assert f"{100 * max(found.simulated):.0f}% of the log's jobs" in found.sentence
    alone = what_load_keeps(jobs, 1024, EASY, "mean", 600.0, draws=1, job_class="interactive")
    assert "mean wait of interactive" in alone.sentence and len(alone.simulated) == 1
    assert not any(what_load_keeps(jobs, 64, EASY, "mean", 1.0, draws=1).simulated), (
        "wide jobs never start"
    )


def test_a_machine_that_is_emptied_meets_a_short_wait_at_no_size_and_says_why():
    mondays = 4 * 86_400.0 + 7 * 86_400.0 * np.arange(30) + 7 * 3600.0
    jobs = pd.DataFrame({"submit": mondays, "runtime": 7200.0, "gpus": 1})
    found = what_is_needed(jobs, 4, Policy(emptied=Emptied((8 * 3600.0,))), "mean", 600.0, most=6)
    assert (
        found.gpus is None
        and "wait out the hours for which the machine is emptied" in found.sentence
    )
    assert found.curve["simulated"].unique().tolist() == [3600.0]


def test_without_simulated_waits_no_answer_is_given_for_a_factor():
    jobs = pd.DataFrame(
        {"submit": np.arange(0, 1000, 10.0), "runtime": 8.0, "gpus": 1, "recorded_wait": 5.0}
    )
    for found in (
        what_is_needed(jobs, 1, Policy(), "mean", 6.0),
        what_load_keeps(jobs, 1, Policy(), "mean", 6.0, 1),
    ):
        assert "none if" not in found.sentence and "not as a factor" in found.sentence


def test_targets_are_read_with_their_units():
    assert parse_target("p95=4h") == ("p95", 14_400.0) and parse_target("mean=1.5min") == (
        "mean",
        90.0,
    )
    for text in ("p95=4", "p100=4h", "0%=4h", "mean=-1h", "mean=4h ", ""):
        with pytest.raises(ValueError, match="needed must be such as"):
            parse_target(text)


@pytest.mark.slow
def test_the_command_line_answers_in_a_sentence(capsys):
    asked = ["--needed", "training:90%=8h", "--load", "p95=4h", "--step", "64", "--policy", "easy"]
    assert main(["--synthetic", *asked]) == 0
    told = capsys.readouterr().out
    assert (
        "For a P90 wait of training jobs of at most 8 h (90 of 100 jobs wait no longer), you need "
        in told
    )
    assert (
        "For a P95 wait of at most 4 h (95 of 100 jobs wait no longer), 1,024 GPUs can handle "
        in told
    )
    assert "When will my job start?" in told and "of them start later than promised" in told
    assert main(["--synthetic", "--needed", "soon"]) == 2
    assert (
        capsys.readouterr().err
        == "needed must be such as p95=4h, mean=30min or 90%=5min, got 'soon'\n"
    )


@needs_log
@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "limit", "sizes"), [("p95", 14_400.0, (123, 149)), ("mean", 3600.0, (113, 134))]
)
def test_a_recorded_year_needs_123_processors_for_four_hours_and_113_for_a_mean_of_one(
    measure, limit, sizes
):
    found = what_is_needed(read_log(KTH), 100, EASY, measure, limit)
    assert ((found.gpus, found.scaled), found.plus) == (sizes, None)


@needs_log
@pytest.mark.slow
def test_a_recorded_year_can_take_two_thirds_to_four_fifths_of_its_jobs_within_four_hours():
    found = what_load_keeps(read_log(KTH), 100, EASY)
    assert 0.65 <= min(found.simulated) < max(found.simulated) <= 0.8 and max(found.scaled) < min(
        found.simulated
    )
    assert (
        found.plus == ()
        and "and none if the 13 h that the model leaves unexplained stay" in found.sentence
    )


def test_a_job_that_never_starts_at_todays_size_gives_no_error_of_the_model():
    jobs = pd.DataFrame({"submit": np.arange(50) * 1000.0, "runtime": 3000.0, "gpus": 2})
    jobs.loc[10, "gpus"] = 6
    found = what_is_needed(jobs.assign(recorded_wait=600.0), 4, Policy(), "mean", 100.0)
    assert found.gpus == found.recommended == 10 and found.scaled is found.plus is None
    assert "you need 10 GPUs" in found.sentence
    assert "At today's size, a job never starts in the simulation" in found.sentence
