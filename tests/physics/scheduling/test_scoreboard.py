"""The table per class, its average over replications, and the load that a policy can carry."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.jobs import Choice, JobClass, Uniform, offered_load, platform_mix, sample_jobs
from physics.numerics import mean_interval
from physics.scheduling import (
    Policy,
    Preemption,
    average_tables,
    class_table,
    saturation_load,
    simulate,
)
from physics.scheduling.schedule import busy_lanes, idle_lanes
from physics.scheduling.scoreboard import WHOLE, Board, whole_of

DAY = 86_400
HOUR = 3_600


def test_the_table_of_a_schedule_that_can_be_counted_by_hand():
    jobs = pd.DataFrame(
        {
            "submit": 0,
            "runtime": 100,
            "gpus": [4, 4, 4, 8, 2],
            "job_class": ["training"] * 4 + ["odd"],
        }
    )
    table = class_table(simulate(jobs, 4, Policy(backfill="easy")), target=50, limit=150)
    assert list(table.index) == ["training", "odd"]
    row = table.loc["training"]
    assert row[["count", "never_started"]].tolist() == [4, 1]
    assert row[["mean_wait", "median_wait", "p95_wait"]].tolist() == [100, 100, pytest.approx(190)]
    assert row["mean_slowdown"] == 2
    assert row["share_within_target"] == 0.25  # one of four; the one that never starts has missed
    assert row["share_above_limit"] == 0.5  # it and the last
    assert row[["lost", "executed"]].tolist() == [0, 1200]


def test_a_class_of_which_no_job_ever_starts_has_no_waits():
    jobs = pd.DataFrame({"submit": [0], "runtime": [1], "gpus": [9], "job_class": ["training"]})
    row = class_table(simulate(jobs, 4)).loc["training"]
    assert np.isnan(
        row[["mean_wait", "median_wait", "p95_wait", "mean_slowdown"]].astype(float)
    ).all()
    assert row[["share_within_target", "share_above_limit", "executed"]].tolist() == [0, 1, 0]


def test_the_measures_of_a_whole_schedule_leave_out_jobs_that_can_never_start():
    jobs = pd.DataFrame({"submit": [0, 0], "runtime": [30, 30], "gpus": 4, "job_class": ["a", "b"]})
    stuck = pd.DataFrame({"submit": [90], "runtime": [30], "gpus": 8, "job_class": ["a"]})
    usual = whole_of(simulate(jobs, 4))
    assert whole_of(simulate(pd.concat([jobs, stuck]), 4)) == pytest.approx(usual)


def test_the_measures_of_a_whole_schedule_need_no_classes():
    jobs = pd.DataFrame({"submit": [0, 0], "runtime": [30, 30], "gpus": [4, 4]})
    assert dict(zip(WHOLE, whole_of(simulate(jobs, 4)), strict=True))["jain"] == 1


def test_a_board_needs_a_replication():
    with pytest.raises(ValueError, match="at least one replication"):
        Board.of([])


def test_a_replication_without_jobs_has_the_columns_of_every_other():
    jobs = pd.DataFrame({"submit": [0.0, 0.0], "runtime": [5.0, 5.0], "gpus": [1, 1]})
    table = class_table(simulate(jobs, 1))
    empty = class_table(simulate(jobs.iloc[:0], 1))
    assert len(empty) == 0 and list(empty.columns) == list(table.columns)
    assert average_tables([empty, table]).loc["job", "mean_wait"] == 2.5


def test_the_average_of_tables_is_mean_and_standard_error_of_what_is_there():
    tables = [
        pd.DataFrame({"mean_wait": [wait, 1.0]}, index=["a", "b"]) for wait in (1.0, 2.0, 6.0)
    ]
    tables[2] = tables[2].drop(index="b")
    tables.append(pd.DataFrame({"mean_wait": [np.nan]}, index=["a"]))
    average = average_tables(tables)
    assert average.loc["a", "mean_wait"] == pytest.approx(3.0)
    assert average.loc["a", "mean_wait_se"] == pytest.approx(np.std([1, 2, 6], ddof=1) / np.sqrt(3))
    assert average.loc["b"].tolist() == [1.0, 0.0]
    assert np.isnan(average_tables(tables[:1]).loc["a", "mean_wait_se"])


def test_means_over_jobs_are_weighted_by_the_jobs_of_each_replication():
    rows = [
        {
            "count": 30,
            "never_started": 10,
            "mean_wait": 8.0,
            "share_within_target": 0.5,
            "p95_wait": 3.0,
        }
    ]
    rows += [
        {
            "count": 10,
            "never_started": 5,
            "mean_wait": 3.0,
            "share_within_target": 0.1,
            "p95_wait": 5.0,
        }
    ]
    average = average_tables(pd.DataFrame(row, index=["training"]) for row in rows).loc["training"]
    assert average["mean_wait"] == (20 * 8 + 5 * 3) / 25
    assert average["share_within_target"] == pytest.approx((30 * 0.5 + 10 * 0.1) / 40)
    assert average[["count", "p95_wait"]].tolist() == [20, 4]
    # Two replications: n̄ = 12.5, residuals 20 × 1 and 5 × −4.
    assert average["mean_wait_se"] == pytest.approx(np.sqrt((20**2 + 20**2) / (2 * 1)) / 12.5)


@pytest.mark.nightly
@pytest.mark.parametrize(("interval", "share"), [(1, 0.0126), (4, 0.0278)])
def test_hourly_checkpoints_lose_about_one_percent_and_four_hourly_ones_more_than_two(
    interval, share
):
    policy = Policy("priority", "easy", preemption=Preemption(interval * HOUR, HOUR / 6))
    shares = []
    for seed in range(24):
        table = class_table(
            simulate(
                sample_jobs(platform_mix(), 60 * DAY, np.random.default_rng(seed)), 1024, policy
            )
        )
        shares.append(table["lost"].sum() / table["executed"].sum())
    mean, half = mean_interval(shares, 0.999)
    assert abs(mean - share) < half
    assert (mean < 0.02) == (interval == 1)


# --- saturation ---
@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "load"),
    [(Policy(), 0.86)]
    + [
        pytest.param(policy, load, marks=pytest.mark.nightly)
        for policy, load in [
            (Policy("priority"), 0.86),
            (Policy("priority", "easy"), 0.91),
            (Policy(backfill="easy"), 0.98),
        ]
    ],
)
def test_fifo_and_priority_carry_86_percent_and_backfill_more(policy, load):
    found = [
        saturation_load(platform_mix(), 1024, policy, np.random.default_rng(seed))
        for seed in range(4)
    ]
    mean, half = mean_interval(found, 0.99)
    assert abs(mean - load) < 0.015 + half


def test_what_a_policy_carries_is_bounded_and_counts_jobs_that_never_start():
    rng = np.random.default_rng(2)
    small = JobClass("small", 1, Uniform(50, 70), 1)
    assert 0.97 < saturation_load([small], 8, Policy(), rng, jobs=2_000) <= 1
    # Half the jobs, and 10 of 11 parts of the work, can never start: the rest may come at 11 times
    # the rate.
    mixed = JobClass("mixed", Choice((1, 10)), 60, 1)
    assert saturation_load([mixed], 8, Policy(), rng, jobs=4_000) == pytest.approx(11, rel=0.05)
    assert saturation_load([JobClass("wide", 9, 60, 1)], 8, Policy(), rng, jobs=100) == 0


@pytest.mark.nightly
def test_beyond_its_saturation_load_the_queue_of_a_policy_grows_and_below_it_does_not():
    at_most = saturation_load(platform_mix(), 1024, Policy(), np.random.default_rng(9))
    lengths = {}
    for factor in (0.8, 1.15):
        share = factor * at_most / offered_load(platform_mix(), 1024)
        mix = [
            JobClass(one.name, one.gpus, one.runtime, one.arrival_rate * share)
            for one in platform_mix()
        ]
        timeline = simulate(sample_jobs(mix, 400 * DAY, np.random.default_rng(3)), 1024).timeline
        inside = timeline[timeline["time"].between(200 * DAY, 400 * DAY)]
        lengths[factor] = inside["queue_length"].min(), inside["queue_length"].iloc[-1]
    assert lengths[0.8][0] == 0  # it still empties
    assert lengths[1.15][0] > 1_000 and lengths[1.15][1] > 3_000


jobs = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 20), st.integers(1, 8)), min_size=1, max_size=25
)


def overlap(pieces: pd.DataFrame) -> bool:
    rows = pieces[["start", "end", "low", "high"]].to_numpy()
    return any(
        a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
        for i, a in enumerate(rows)
        for b in rows[i + 1 :]
    )


@given(rows=jobs, easy=st.booleans())
def test_no_gpu_is_drawn_twice_and_busy_and_idle_fill_the_fleet(rows, easy):
    frame = pd.DataFrame(rows, columns=["submit", "runtime", "gpus"])
    schedule = simulate(frame, 8, Policy(backfill="easy" if easy else "none"))
    pieces = busy_lanes(schedule, 0.0, np.inf)
    assert pieces["low"].min() >= 0 and pieces["high"].max() <= 8 and not overlap(pieces)
    widths = (pieces["high"] - pieces["low"]).groupby(pieces["row"]).sum()
    assert widths.sort_index().tolist() == frame["gpus"].tolist()
    end = float(schedule.runs["end"].max())
    idle = idle_lanes(pieces, schedule, 0.0, end)
    area = [
        ((one["end"] - one["start"]) * (one["high"] - one["low"])).sum() for one in (pieces, idle)
    ]
    assert sum(area) == pytest.approx(8 * end)
    assert not overlap(pd.concat([pieces, idle]))
    beside = idle[idle["queued"]]
    assert schedule.idle_beside_queue(0.0, end) * 8 * end == pytest.approx(
        ((beside["end"] - beside["start"]) * (beside["high"] - beside["low"])).sum()
    )
