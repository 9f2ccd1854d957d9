"""Why a job still waits: who is ahead of it, what it lacks, and when it may start."""

import pandas as pd
import pytest

from physics.cluster import read_log, what_is_needed, why_waiting
from physics.cluster.__main__ import main
from physics.cluster.trust import why
from physics.scheduling import Policy

HEADER = "JobID|Partition|Submit|Start|End|ElapsedRaw|State|TimelimitRaw|AllocTRES"
HOUR = 3600.0


def log():
    """Jobs used half of their 2 h; one of 4 GPUs runs since 1 h with 3 h left; three wait."""
    rows = [
        (
            "1|a|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|3600|COMPLETED|"
            "120|gres/gpu=4"
        ),
        (
            "2|a|2026-03-01T01:00:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|COMPLETED|"
            "120|gres/gpu=4"
        ),
        "3|a|2026-03-01T03:00:00|2026-03-01T03:00:00|Unknown|3600|RUNNING|240|gres/gpu=4",
        "4|a|2026-03-01T03:10:00|Unknown|Unknown|0|PENDING|120|gres/gpu=4",
        "5|b|2026-03-01T03:20:00|Unknown|Unknown|0|PENDING|120|gres/gpu=2",
        "6|b|2026-03-01T03:30:00|Unknown|Unknown|0|PENDING|120|gres/gpu=9",
    ]
    return "\n".join([HEADER, *rows]).encode()


def test_a_job_starts_after_those_ahead_and_earlier_if_they_use_less_than_their_limits():
    jobs = read_log(log(), unfinished=True)
    first = why_waiting(jobs, "4", 4, Policy())
    assert (first.ahead, first.missing, first.free) == (0, 4, 0)
    assert first.earliest == first.likely == first.now + 1.5 * HOUR, "half of the 3 h left"
    assert first.by_limits == first.now + 3 * HOUR
    second = why_waiting(jobs, "5", 4, Policy())
    assert (second.ahead, second.ahead_gpus, second.missing) == (1, 4, 2)
    assert second.likely == first.likely + HOUR and second.earliest == first.earliest
    assert second.by_limits == first.by_limits + 2 * HOUR
    assert "1 job is ahead of it and asks for 4 GPUs." in second.sentence


def test_by_priority_a_higher_class_is_ahead():
    jobs = read_log(log(), unfinished=True)
    assert why_waiting(jobs, "5", 4, Policy(order="priority", classes=("b", "a"))).ahead == 0


def test_a_job_that_is_wider_than_the_cluster_never_starts():
    told = why_waiting(read_log(log(), unfinished=True), "6", 4, Policy())
    assert "so it never starts" in told.sentence


@pytest.mark.parametrize(("job", "words"), [("1", "still waits"), ("77", "such as 4, 5, 6")])
def test_only_jobs_that_wait_can_be_explained(job, words):
    with pytest.raises(ValueError, match=words):
        why_waiting(read_log(log(), unfinished=True), job, 4, Policy())


def test_the_command_explains_a_job(tmp_path, capsys):
    path = tmp_path / "log.txt"
    path.write_bytes(log())
    assert main([str(path), "--why", "4"]) == 0
    assert "Why is this job still waiting?" in capsys.readouterr().out


def test_one_size_is_recommended_with_what_it_costs_in_a_year():
    jobs = read_log(log()).assign(recorded_wait=[0.0, 0.0])
    found = what_is_needed(jobs, 8, Policy(), "mean", 60.0, price=2.0)
    assert found.recommended == 4
    assert "you need only 4 GPUs, 4 GPUs fewer than today, which saves 35,000" in found.sentence
    assert "or 70,100 at 2 per GPU-hour" in found.sentence


def test_a_job_on_sevenths_of_a_gpu_lacks_nothing_if_exactly_its_sevenths_are_free():
    jobs = pd.DataFrame(
        {
            "submit": range(34),
            "runtime": [5.0] * 2 + [float("nan")] * 32,
            "gpus": [1 / 7] * 33 + [4 / 7],
            "recorded_wait": [0.0] * 33 + [float("nan")],
            "requested": 7200.0,
            "state": ["COMPLETED"] * 2 + ["RUNNING"] * 31 + ["PENDING"],
            "job_class": "a",
        }
    )
    jobs.attrs = {"parts": 7, "names": [str(row) for row in range(34)]}
    waits = why_waiting(jobs, "33", 5, Policy())
    assert waits.missing == 0 and "free now would be enough" in waits.sentence


def test_a_log_without_limits_and_classes_explains_its_waiting_jobs_too():
    jobs = pd.DataFrame({"submit": [0, 10, 20], "runtime": [5, 6, None], "gpus": [1, 1, 1]})
    jobs = jobs.assign(recorded_wait=[0, 0, None], state=["COMPLETED", "COMPLETED", "PENDING"])
    jobs.attrs["names"] = ["1", "2", "3"]
    assert why_waiting(jobs, "3", 2, Policy()).earliest == 20


@pytest.mark.parametrize("most_ahead", [2, 2_000])
def test_jobs_ahead_that_are_wider_than_the_cluster_delay_nobody(monkeypatch, most_ahead):
    jobs = pd.DataFrame(
        {
            "submit": range(6),
            "runtime": [5.0] * 2 + [float("nan")] * 4,
            "gpus": [1] * 2 + [100] * 3 + [1],
            "recorded_wait": [0.0] * 2 + [float("nan")] * 4,
            "requested": 3600.0,
            "state": ["COMPLETED"] * 2 + ["PENDING"] * 4,
        }
    )
    jobs.attrs["names"] = [str(row) for row in range(6)]
    monkeypatch.setattr(why, "MOST_AHEAD", most_ahead)
    waits = why_waiting(jobs, "5", 2, Policy())
    assert waits.ahead == 3 and waits.likely == waits.now
