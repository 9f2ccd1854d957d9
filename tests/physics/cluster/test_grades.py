"""How well a model reproduces a log: its worst group of jobs, in both halves, decides."""

import numpy as np
import pandas as pd
import pytest

from physics.cluster import calibrate, synthetic_log, verdict, what_happened
from physics.cluster.jobs import checked
from physics.cluster.trust.grades import by_groups, grade_of
from physics.scheduling import Policy

HOUR = 3600.0


def graded(factors, jobs=400, wait=HOUR):
    """Grade of a log of two widths, simulated with factors by width and half."""
    submit = np.arange(jobs) * 100.0
    wide = np.arange(jobs) % 2 == 1
    late = submit > submit.mean()
    frame = pd.DataFrame({"submit": submit, "runtime": 60.0, "gpus": np.where(wide, 8, 1)})
    log = checked(frame.assign(recorded_wait=wait))
    simulated = wait * np.choose(2 * wide + late, factors)
    return grade_of(log, by_groups(log, simulated))


@pytest.mark.parametrize(
    ("factors", "name", "factor"),
    [
        ((1, 1, 1, 1), "close", 1),
        ((1.14, 0.87, 1, 1), "close", 1.14),
        ((1, 1.16, 1, 1), "roughly", 1.16),
        ((1, 1, 0.6, 1), "roughly", 1 / 0.6),
        ((1, 1, 1, 2.1), "not", 2.1),
        ((1, 1, 1, 0.4), "not", 2.5),
        ((1.9, 0.3, 1, 1), "not", 1 / 0.3),
    ],
)
def test_the_worst_group_in_either_half_decides(factors, name, factor):
    grade = graded(factors)
    assert grade.name == name and grade.factor == pytest.approx(factor)


def test_errors_of_two_groups_or_halves_do_not_cancel():
    grade = graded((0.2, 1.8, 1.8, 0.2))
    assert grade.poor and grade.group.startswith(("1 GPU", "5 to 8 GPUs"))


def test_a_group_needs_a_hundred_jobs_and_a_log_a_wait():
    assert graded((3, 3, 3, 3), jobs=98).name == "few"
    assert graded((3, 3, 3, 3), wait=0.0).name == "nothing"
    assert graded((3, 3, 3, 3), wait=np.nan).name == "unrecorded"
    assert graded((1.9, 1, 1, 1), wait=61.0).name == "close", "less than a minute apart"


def test_where_no_job_waited_the_verdict_says_that_nothing_is_tested():
    jobs = synthetic_log(days=30)
    idle = jobs.assign(recorded_wait=0.0)
    found = calibrate(idle, 10_000, {"EASY": Policy(backfill="easy")})
    told = verdict(what_happened(idle, 10_000), found)[0]
    assert told.startswith("No job waited: there is nothing to test")
    few = jobs.head(60)
    found = calibrate(few.assign(recorded_wait=HOUR), 1024, {"EASY": Policy(backfill="easy")})
    told = verdict(what_happened(few.assign(recorded_wait=HOUR), 1024), found)[0]
    assert told.startswith("Too few jobs to tell: ")
