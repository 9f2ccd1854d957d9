"""The verdict: a change that leaves jobs unstarted is no answer, and every row says of which
jobs.
"""

import pandas as pd
import pytest

from physics.cluster import (
    Change,
    calibrate,
    parse_change,
    read_log,
    report,
    synthetic_log,
    what_happened,
    what_if,
)
from physics.cluster.__main__ import main
from physics.cluster.change import quota_warning
from physics.scheduling import Policy

SHUT_OUT = "quotas=interactive:1024,borrowing=no"


@pytest.fixture(scope="module")
def month():
    jobs = synthetic_log(days=100)
    happened = what_happened(jobs, 1024)
    calibration = calibrate(jobs, 1024)
    texts = (SHUT_OUT, "gpus=+64", "arrivals=0.9")
    changes = {text: parse_change(text, calibration.policy, 1024) for text in texts}
    tried = {text: what_if(jobs, 1024, calibration, change) for text, change in changes.items()}
    return jobs, happened, calibration, tried


def rows(month, texts):
    _, happened, calibration, tried = month
    verdict, *_ = report(happened, calibration, {text: tried[text] for text in texts})["sections"]
    return verdict["sentences"], verdict["tables"][0]["rows"]


def test_a_change_under_which_jobs_never_run_is_neither_the_best_nor_decided(month):
    jobs, _, _, tried = month
    shut_out = tried[SHUT_OUT]
    never = int((jobs["job_class"] != "interactive").sum())
    assert shut_out.unstarted == never and shut_out.undecided
    assert shut_out.classes["undecided"].all()
    assert f"{never:,} jobs that ran in the record can never start" in shut_out.sentences[0]
    sentences, options = rows(month, tried)
    assert "64 more GPUs" in sentences[2] and "quotas" not in sentences[2]
    assert options[2][0].startswith(f"{never:,} jobs never start: ")
    assert options[2][-1] == "no answer"
    sentences, _ = rows(month, [SHUT_OUT])
    assert sentences[2].startswith("No change that keeps all jobs was tried")


def test_record_and_baseline_are_of_all_jobs_in_every_order_of_the_changes(month):
    jobs, _, _, tried = month
    mean = jobs["recorded_wait"].mean() / 3600
    for texts in (list(tried), list(tried)[::-1]):
        _, options = rows(month, texts)
        assert options[0][4] == pytest.approx(mean)
        assert options[1][4] == pytest.approx(mean)


def test_a_difference_is_over_the_jobs_that_its_row_names(month):
    jobs, _, _, tried = month
    fewer = tried["arrivals=0.9"]
    whole = fewer.classes.loc["all"]
    assert whole["difference"] == pytest.approx(whole["changed"] - whole["baseline"])
    assert fewer.left_out == len(jobs) - whole["jobs"] > 0 == fewer.unstarted
    _, options = rows(month, tried)
    assert options[4][0] == f"0.9 times the jobs ({fewer.left_out:,} jobs left out)"
    assert tried["gpus=+64"].left_out == 0


def test_a_job_that_the_baselines_cluster_cannot_start_does_not_speak_against_a_change():
    jobs = pd.DataFrame({"submit": [0, 1, 2, 3], "runtime": 9, "gpus": [1, 9, 2, 1]})
    found = what_if(jobs, 4, Policy(), Change(policy=Policy(backfill="easy")))
    assert found.unstarted == 0 == found.classes.loc["all", "never_started"]
    assert found.left_out == 1
    assert not any("never" in sentence for sentence in found.sentences)


def test_jobs_that_the_change_takes_away_do_not_count_as_unstarted(month):
    jobs, _, calibration, _ = month
    away = "quotas=interactive:1024,borrowing=no,move=training:away+search:away"
    found = what_if(jobs, 1024, calibration, parse_change(away, calibration.policy, 1024))
    assert found.unstarted == 0 and found.left_out > 0


def test_a_class_that_no_quota_names_is_told_before_the_run(capsys, tmp_path):
    path = tmp_path / "log.txt"
    lines = ["JobID|Partition|Submit|Start|End|State|AllocTRES"]
    for job, name in enumerate("aabb"):
        moment = f"2026-03-01T0{job}:00:00"
        lines.append(f"{job}|{name}|{moment}|{moment}|2026-03-01T09:00:00|COMPLETED|gres/gpu=1")
    path.write_text("\n".join(lines))
    assert main([str(path), "--what-if", "quotas=a:4,borrowing=no"]) == 0
    told = capsys.readouterr().err
    assert told == ("There is no quota for b: without borrowing, jobs of this kind never start.\n")


def test_quotas_that_name_every_class_that_is_left_need_no_warning():
    jobs = pd.DataFrame({"submit": [0, 1], "runtime": 9, "gpus": 1, "job_class": ["a", "b"]})
    base = calibrate(jobs, 2).policy
    change = parse_change("quotas=a:1,move=b:away", base, 2)
    assert quota_warning(change, ["a", "b"]) == ""


def test_starts_that_are_cut_to_a_window_are_the_first_words():
    lines = ["JobID|Partition|Submit|Start|End|State|AllocTRES"]
    for number in range(30):
        submit = 1_700_000_000 + 600 * number
        start = max(submit + 60, 1_700_009_000)
        lines.append(f"{number}+0|a|{submit}|{start}|{start + 1800}|COMPLETED|gres/gpu=1")
    jobs = read_log("\n".join(lines).encode())
    found = report(what_happened(jobs), calibrate(jobs, what_happened(jobs).gpus))
    verdict, happened = found["sections"][:2]
    assert "without -T (--truncate)" in verdict["sentences"][0]
    assert any("-T (--truncate), these are not the real" in line for line in happened["sentences"])
    assert any("components of 30 heterogeneous jobs" in line for line in happened["sentences"])


def test_a_log_in_which_every_job_starts_at_its_submission_gets_no_verdict_on_waits():
    jobs = pd.DataFrame({"submit": range(0, 100_000_000, 90_000), "runtime": 89_000, "gpus": 4})
    jobs["recorded_wait"] = 0.0
    happened = what_happened(jobs)
    calibration = calibrate(jobs, 4)
    change = parse_change("arrivals=1.5", calibration.policy, 4)
    tried = {"arrivals=1.5": what_if(jobs, 4, calibration, change)}
    told = report(happened, calibration, tried)["sections"][0]["sentences"]
    assert happened.recorded and not happened.knows_waits
    assert told[0].startswith("No job waited: there is nothing to test. Every job starts at its")
    assert told[1].startswith("Nobody knows what was idle while jobs waited")
    assert told[2].startswith("None of the changes has a clear effect")
    assert calibration.grade.name == "unrecorded" and "record" not in calibration.waits.index
    one_waits = jobs.assign(recorded_wait=[90.0] + [0.0] * (len(jobs) - 1))
    assert what_happened(one_waits).knows_waits
