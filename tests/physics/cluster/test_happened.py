"""Every statistic of a log against one that is made by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.cluster import (
    Change,
    calibrate,
    candidates,
    read_log,
    synthetic_log,
    what_happened,
    what_if,
)
from physics.cluster.jobs import checked
from physics.cluster.machine.steps import down_of, idle_while_waiting, use_of
from physics.scheduling import Policy

HOUR = 3600.0
DAY = 86400.0
#: Four GPUs: 2 from 0 to 10, all 4 from 10 to 14, 1 until 20, 3 until 22.
ROWS = [  # submit, wait, runtime, gpus, class, user
    (0, 0, 10, 2, "a", "u"),
    (2, 8, 4, 4, "b", "v"),
    (4, 10, 6, 1, "a", "u"),
    (20, 0, 2, 3, "b", "v"),
]
#: The same, and before it a job that ends at 0, from where on the records then cover the time, to
#: 22.
COVERED = [(-1, 0, 1, 1, "a", "u"), *ROWS]


def log(rows=ROWS, **attrs):
    columns = ["submit", "recorded_wait", "runtime", "gpus", "job_class", "user"]
    frame = pd.DataFrame(rows, columns=columns)
    frame.attrs = attrs
    return frame


def test_utilization_counts_what_ran_from_the_first_end_to_the_last():
    # 2 GPUs for 10 s, 4 for 4 s from 10, 1 for 6 s from 14, 3 for 2 s from 20: 48 of 4 × 22.
    found = what_happened(log(COVERED))
    assert (found.begin, found.end, found.span) == (0, 22, 22)
    assert found.utilization == pytest.approx(48 / 88) and what_happened(
        log()
    ).running_width == pytest.approx(48 / 22)
    assert (found.gpus, found.largest, found.size_source) == (4, 4, "largest use that lasts")
    given = what_happened(log(COVERED), 8)
    assert (given.gpus, given.largest, given.size_source) == (8, 4, "given")
    assert given.utilization == pytest.approx(48 / 176)
    # Without that job the first end is at 10.
    assert what_happened(log()).utilization == pytest.approx(28 / 48)


def test_load_and_arrivals_are_of_the_jobs_that_were_submitted_in_that_time():
    found = what_happened(log(COVERED))
    assert found.load == pytest.approx(
        (20 + 16 + 6 + 6) / 80
    ) and found.arrival_rate == pytest.approx(3 / 20)
    # Of two submissions only the last is in it: all count.
    assert what_happened(log(ROWS[:2])).load == pytest.approx((20 + 16) / (4 * 2))


def test_wasted_is_what_is_idle_while_something_waits():
    # b waits from 2 to 10 beside 2 idle GPUs, then c waits from 10 to 14 beside none.
    assert what_happened(log(COVERED)).wasted == pytest.approx(16)
    # Before the first end nothing is counted.
    assert what_happened(log()).wasted == 0


def test_waits_by_class_and_users_by_their_gpu_time():
    users = what_happened(log()).users
    assert users.index.tolist() == ["u", "v"] and users.loc["u"].tolist() == [
        2,
        26,
        pytest.approx(26 / 48),
        5,
    ]
    waits = what_happened(log().iloc[::-1], target=8).waits
    assert waits.loc["a"].tolist() == [2, 5, 5, 9.5, 0.5]
    assert waits.loc["b"].tolist() == [2, 4, 4, 7.6, 1.0]
    assert waits.loc["all", ["jobs", "mean", "median", "within_target"]].tolist() == [
        4,
        4.5,
        4,
        0.75,
    ]


@pytest.mark.parametrize("missing", ["", None, math.nan])
def test_a_job_of_no_user_makes_no_user(missing):
    rows = [(*row[:-1], "u" if row[-1] == "u" else missing) for row in ROWS]
    users = what_happened(log(rows)).users
    assert users.index.tolist() == ["u"] and users.loc["u", "share"] == pytest.approx(26 / 48)


def test_a_class_that_is_called_all_is_told_apart_from_all_jobs():
    jobs = log([(*row[:4], "all" if row[4] == "a" else "z", row[5]) for row in ROWS])
    found = what_happened(jobs)
    assert (
        found.lengths["jobs"].to_dict()
        == found.waits["jobs"].to_dict()
        == {"all (class)": 2, "z": 2, "all": 4}
    )
    told = what_if(jobs, 4, Policy(), Change(capped={"all": 1}))
    assert list(told.classes.index) == ["all (class)", "z", "all"]
    assert told.undecided == told.classes.loc["all", "undecided"]
    assert set(candidates(jobs)["priority"].classes) == {"all", "z"}


def test_lengths_by_class_with_their_tail():
    rows = [(time, 0, 99.0 if time == 7 else 1.0, 1, "a", "u") for time in range(100)]
    lengths = what_happened(log(rows)).lengths
    assert lengths.loc["all", "mean"] == pytest.approx(1.98)
    assert lengths.loc["all", "tail"] == pytest.approx(0.5)
    assert lengths.loc["all", "scv"] == pytest.approx((99 + 99**2) / 100 / 1.98**2 - 1)
    assert what_happened(log()).lengths.loc["b", "scv"] == pytest.approx(1 / 9)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.integers(1, 20_000_000), min_size=2, max_size=30))
def test_every_width_is_in_its_bin_and_in_one_alone(gpus):
    rows = [(number, 0, 1, width, "a", "u") for number, width in enumerate(gpus)]
    found = what_happened(log(rows))
    assert found.widths["jobs"].sum() == len(gpus) and found.mean_width == pytest.approx(
        np.mean(gpus)
    )
    for least, most, jobs, share in (
        found.widths[["least", "most", "jobs", "work_share"]].to_numpy().tolist()
    ):
        inside = [width for width in gpus if least <= width <= most]
        assert (jobs, share) == (
            len(inside),
            pytest.approx(sum(inside) / sum(gpus)),
        ) and most < 2 * max(least, 2)


def test_a_steady_stream_of_arrivals_has_no_dispersion_and_bursts_have_much():
    steady = log([(600.0 * number, 0, 1, 1, "a", "u") for number in range(6 * 24 * 15)])
    bursts = log([(DAY * (number // 100), 0, 1, 1, "a", "u") for number in range(1500)])
    assert what_happened(steady).arrival_scv == pytest.approx(0, abs=1e-9)
    assert what_happened(steady).dispersion["index"].tolist() == pytest.approx([0, 0, 0], abs=1e-9)
    assert what_happened(bursts).dispersion.loc["hour", "index"] > 90
    # 100 in an hour and 0 in 23, from the second day on: counted over 312 hours.
    assert what_happened(bursts).dispersion.loc["hour", "index"] == pytest.approx(
        100 * 312 / 311 * (1 - 1 / 24)
    )


def test_arrivals_know_the_day_of_the_week_and_the_hour():
    monday = 1_704_067_200.0
    rows = [
        (monday + 7 * DAY * week + 26.5 * HOUR + 60 * job, 0, 1, 1, "a", "u")
        for week in range(3)
        for job in (0, 1)
    ]
    first = [(monday - 1, 0, 1, 1, "a", "u"), (monday, 0, 1, 1, "a", "u")]
    rate = what_happened(log([*first, *rows])).arrivals
    assert rate.shape == (7, 24) and rate.index[0] == "Monday"
    assert rate.loc["Monday", 0] == pytest.approx(1 / 3)
    assert rate.loc["Tuesday", 2] == pytest.approx(6 / (2 + 31 / 60))
    assert rate.sum().sum() == pytest.approx(1 / 3 + 6 / (2 + 31 / 60))
    assert np.isnan(what_happened(log()).arrivals.loc["Friday", 5])


def test_what_is_counted_over_time_adds_up():
    jobs = synthetic_log(2, days=30)
    found = what_happened(jobs, 1024)
    days = found.over_time
    assert days["arrivals"].sum() == (jobs["submit"] >= found.begin).sum() > 0.99 * len(jobs)
    assert (days["utilization"] * days["length"]).sum() / found.span == pytest.approx(
        found.utilization
    )
    assert days["wasted"].sum() == pytest.approx(found.wasted)
    assert days["begin"][0] == found.begin and days["length"].sum() == pytest.approx(found.span)
    assert np.diff(days["begin"]) == pytest.approx(days["length"][:-1].to_numpy())
    week = what_happened(synthetic_log(2, days=7), 1024)
    assert len(week.over_time) == pytest.approx(week.span / HOUR, abs=2)


@pytest.mark.slow
@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.integers(0, 100), st.integers(0, 50), st.integers(1, 50)),
        min_size=2,
        max_size=12,
    )
)
def test_littles_law_holds_on_any_log_but_for_its_edge(rows):
    if len({submit for submit, *_ in rows}) < 2:
        return
    found = what_happened(
        log([(submit, wait, runtime, 1, "a", "u") for submit, wait, runtime in rows])
    ).little
    assert found["measured"].to_numpy() == pytest.approx(
        (found["rate_times_mean"] - found["edge"]).to_numpy()
    )


def test_littles_law_by_hand():
    # Waiting: 8 s and 10 s in 22 s. In the system: 10 + 12 + 16 + 2 s, and 1 s of the first job
    # before the first end.
    little = what_happened(log(COVERED)).little
    assert little.loc["waiting"].tolist() == pytest.approx([18 / 22, 18 / 22, 0])
    assert little.loc["in the system"].tolist() == pytest.approx([40 / 22, 41 / 22, 1 / 22])
    # From 10 to 22: 8 s of the first wait and 6 s of the second were before.
    assert what_happened(log()).little.loc["waiting"].tolist() == pytest.approx(
        [4 / 12, 18 / 12, 14 / 12]
    )


def test_a_log_without_recorded_waits_says_what_is_not_known():
    jobs = log(left_out={"job steps": 3}).drop(columns="recorded_wait")
    found = what_happened(jobs)
    assert found.size_source == "largest use that lasts if no job had waited" and found.gpus == 4
    assert found.recorded == 0 and math.isnan(found.utilization) and math.isnan(found.wasted)
    assert found.waits.empty and found.little.empty and found.over_time["utilization"].isna().all()
    assert found.load > 0 and found.left_out == {"job steps": 3, "no recorded wait": 4}
    assert found.arrival_rate == pytest.approx(3 / 20)
    some = what_happened(log().assign(recorded_wait=[0, 8, np.nan, -1]))
    assert (
        some.recorded == 2
        and some.left_out == {"no recorded wait": 2}
        and some.waits.loc["all", "jobs"] == 2
    )
    assert (some.begin, some.end) == (10, 14), "of the others it is not known when they ran"


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        (log(ROWS[:1]), "two times at least"),
        (log([ROWS[0], ROWS[0]]), "two times at least"),
        (log([ROWS[0], (1e15, *ROWS[1][1:])]), "at most 36,525 days"),
        (log().drop(columns="gpus"), "columns submit, runtime and gpus"),
        ("x", "must be a DataFrame"),
        (log().assign(runtime=np.nan), "runtime must be a finite number"),
        (log().assign(runtime=np.nan, state="RUNNING"), "at least one that ended"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(jobs, words):
    with pytest.raises(ValueError, match=words):
        what_happened(jobs)


# --- jobs that still run or wait ---
HEAD = "JobID|Partition|Submit|Start|End|State|AllocTRES|ElapsedRaw\n"


def slurm(*records, **given):
    """A log of sacct from (submit, start, end, GPUs, state), hours of a day; None has not come."""

    def at(hour):
        if hour is None:
            return "Unknown"
        return str(1_704_067_200 + int(3600 * hour))

    lines = [
        f"{number}|gpu|{at(submit)}|{at(start)}|{at(end)}|{state}|gres/gpu={gpus}|"
        for number, (submit, start, end, gpus, state) in enumerate(records)
    ]
    return read_log((HEAD + "\n".join(lines)).encode(), **({"unfinished": True} | given))


SMALL = [(hour, hour, hour + 1, 5, "COMPLETED") for hour in range(0, 100)]
RUNNING = (0, 0, None, 90, "RUNNING")


def test_a_running_job_is_busy_from_its_start_to_the_logs_end():
    jobs = slurm(*SMALL, RUNNING, (50, None, None, 20, "PENDING"))
    found = what_happened(jobs, 100)
    blind = what_happened(slurm(*SMALL, unfinished=False), 100)
    assert blind.utilization == pytest.approx(0.05) and found.utilization == pytest.approx(0.95)
    # 5 GPUs idle beside the one that waits from hour 50 to 100.
    assert found.wasted == pytest.approx(5 * 50 * HOUR)
    assert (found.jobs, found.running, found.largest) == (102, 1, 95) and what_happened(
        jobs
    ).gpus == 95
    assert found.running_share == pytest.approx(90 / 95)
    assert found.recorded == 101 and found.lengths.loc["all", "jobs"] == 100


def test_the_log_ends_where_it_was_written():
    jobs = slurm(*SMALL, RUNNING)
    jobs.attrs["snapshot"] += 100 * HOUR
    assert what_happened(jobs, 100).utilization == pytest.approx((0.95 * 99 + 0.9 * 100) / 199)
    # Without the log's word, and after any step of pandas that loses it, the latest moment in the
    # rows.
    jobs.attrs = {}
    assert what_happened(jobs, 100).utilization == pytest.approx(0.95)


def test_jobs_that_wait_are_lower_bounds_beside_those_that_have_started():
    jobs = slurm(
        (0, 1, 2, 1, "COMPLETED"),
        *SMALL[1:],
        *[(20 * n, None, None, 8, "PENDING") for n in range(5)],
    )
    found = what_happened(jobs, 100)
    assert found.waits.loc["all", "mean"] == pytest.approx(HOUR / 100)
    row = found.waiting.loc["all"]
    assert row.tolist() == pytest.approx([5, 60 * HOUR, 100 * HOUR, (5 * 60 + 1) / 105 * HOUR])
    assert found.over_time["waiting"].iloc[-1] == 5
    little = found.little.loc["waiting"]
    assert little["measured"] == pytest.approx(little["rate_times_mean"] - little["edge"])


def test_a_job_that_waits_since_before_the_first_end_is_no_arrival():
    since = (-720, None, None, 8, "PENDING")
    usual = what_happened(slurm(*SMALL), 100)
    found = what_happened(slurm(*SMALL, since), 100)
    assert found.still_waiting == 1
    assert (found.load, found.arrival_rate) == (usual.load, usual.arrival_rate)
    pd.testing.assert_frame_equal(found.arrivals, usual.arrivals)
    later = what_happened(slurm(*SMALL, since, (50, None, None, 8, "PENDING")), 100)
    assert later.load == usual.load and later.arrival_rate == pytest.approx(
        usual.arrival_rate * 99 / 98
    )


def test_waiting_jobs_are_counted_by_class_with_the_started_ones_of_the_class():
    jobs = slurm(*SMALL, (60, None, None, 8, "PENDING"), (80, None, None, 8, "PENDING"))
    pending = jobs.index[jobs["runtime"].isna()]
    jobs.loc[pending[-1], "job_class"] = "new"
    waiting = what_happened(jobs, 100).waiting
    assert list(waiting.index) == ["gpu", "new", "all"]
    assert waiting["at_least"].tolist() == pytest.approx(
        [40 / 101 * HOUR, 20 * HOUR, 60 / 102 * HOUR]
    )


def test_the_used_share_is_of_jobs_that_ended():
    jobs = slurm(*SMALL, RUNNING)
    jobs["requested"] = np.where(jobs["runtime"].isna(), 7200.0, np.nan)
    assert math.isnan(what_happened(jobs, 100).used_share)
    jobs["requested"] = 7200.0
    assert what_happened(jobs, 100).used_share == pytest.approx(0.5)


def test_a_suspended_job_holds_what_it_has_and_one_without_a_start_is_not_counted():
    jobs = slurm(*SMALL, (0, 0, None, 40, "SUSPENDED"))
    assert what_happened(jobs, 100).utilization == pytest.approx(0.45)
    back = slurm(
        *SMALL, (50, 40, None, 40, "RUNNING")
    )  # put back, and submitted anew after its start
    assert what_happened(back, 100).left_out == {"no recorded wait": 1}


def test_calibration_takes_jobs_that_still_run_and_leaves_those_that_wait():
    jobs = slurm(*SMALL, (0, 0, None, 96, "RUNNING"), (50, None, None, 8, "PENDING"))
    found = calibrate(jobs, 100, {"FIFO": Policy()})
    assert len(found.schedule.jobs) == 101 and found.waits.loc["FIFO", "mean"] > 0


def test_an_excerpt_measures_what_happened_in_its_window():
    jobs = synthetic_log(2, days=40)
    start = jobs["submit"] + jobs["recorded_wait"]
    whole = checked(jobs)
    end = start + jobs["runtime"]
    begin, last = (jobs["submit"].iloc[0] + day * DAY for day in (30, 33))
    cut = jobs.assign(
        state=np.where(start > last, "PENDING", np.where(end > last, "RUNNING", "COMPLETED"))
    )
    cut["runtime"] = jobs["runtime"].where(end <= last)
    cut["recorded_wait"] = jobs["recorded_wait"].where(start <= last)
    cut = cut[(jobs["submit"] <= last) & (end >= begin)]
    cut.attrs = {"snapshot": last}
    found = what_happened(cut, 1024)
    busy = use_of(whole)
    assert found.utilization == pytest.approx(
        busy[0].between(begin, last) / (1024 * (last - begin)), rel=0.01
    )
    assert found.wasted == pytest.approx(
        idle_while_waiting(*busy, 1024, down_of(whole)).between(begin, last), rel=0.02
    )
    assert found.span == pytest.approx(3 * DAY, rel=0.03) and found.running > 0


# --- the size of the cluster ---
SWF = (
    "1 0 0 60 4 -1 -1 4 120 -1 1 7 1 -1 3 -1 -1 -1\n"
    "2 30 0 60 4 -1 -1 4 120 -1 1 7 1 -1 3 -1 -1 -1\n"
)


@pytest.mark.parametrize(
    ("header", "size", "source"),
    [
        ("; MaxNodes: 5\n; MaxProcs: 6\n", 6, "MaxProcs of the header"),
        ("; MaxNodes: 6 (thin)\n", 6, "MaxNodes of the header"),
        ("; MaxProcs: 2\n", 4, "largest use that lasts"),  # no job has as few
        ("; MaxProcs: 9e1\n; MaxNodes: 6\n", 6, "MaxNodes of the header"),
        ("; MaxProcs: ²\n", 4, "largest use that lasts"),
    ],
)
def test_the_header_of_the_file_says_how_large_the_cluster_is(header, size, source):
    found = what_happened(read_log((header + SWF).encode()))
    unit = "node" if source.startswith("MaxNodes") else "CPU"
    assert (found.gpus, found.size_source, found.unit) == (size, source, unit)
    assert found.over == 30
    assert what_happened(read_log((header + SWF).encode()), 9).size_source == "given"
