"""Every statistic of a log against one that is made by hand."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.cluster import Change, candidates, synthetic_log, what_happened, what_if
from physics.scheduling import Policy

HOUR, DAY = 3600.0, 86400.0
#: Four GPUs: 2 from 0 to 10, all 4 from 10 to 14, 1 until 20, 3 until 22.
ROWS = [  # submit, wait, runtime, gpus, class, user
    (0, 0, 10, 2, "a", "u"),
    (2, 8, 4, 4, "b", "v"),
    (4, 10, 6, 1, "a", "u"),
    (20, 0, 2, 3, "b", "v"),
]


def log(rows=ROWS, **attrs):
    columns = ["submit", "recorded_wait", "runtime", "gpus", "job_class", "user"]
    frame = pd.DataFrame(rows, columns=columns)
    frame.attrs = attrs
    return frame


def test_size_is_the_largest_use_at_once_unless_it_is_given():
    found = what_happened(log())
    assert (found.gpus, found.largest, found.size_source) == (4, 4, "largest use at once")
    given = what_happened(log(), 8)
    assert (given.gpus, given.largest, given.size_source) == (8, 4, "given")


def test_utilization_counts_what_ran_between_the_first_and_the_last_submission():
    # 2 GPUs for 10 s, 4 for 4 s from 10, 1 for 6 s from 14: 42 of 4 × 20; the last job begins at the end.
    assert what_happened(log()).utilization == pytest.approx(42 / 80)
    assert what_happened(log()).load == pytest.approx((20 + 16 + 6 + 6) / 80)
    assert what_happened(log(), 8).utilization == pytest.approx(42 / 160)


def test_wasted_is_what_is_idle_while_something_waits():
    # b waits from 2 to 10 beside 2 idle GPUs, then c waits from 10 to 14 beside none.
    assert what_happened(log()).wasted == pytest.approx(16)
    # Only c, of 1 GPU, would have fitted, from 4 on.
    assert what_happened(log()).usable == pytest.approx(12)


def test_waits_by_class():
    waits = what_happened(log(), target=8).waits
    assert waits.loc["a"].tolist() == [2, 5, 5, 9.5, 0.5]
    assert waits.loc["b"].tolist() == [2, 4, 4, 7.6, 1.0]
    assert waits.loc["all", ["jobs", "mean", "median", "within_target"]].tolist() == [4, 4.5, 4, 0.75]


def test_a_class_that_is_called_all_is_told_apart_from_all_jobs():
    jobs = log([(*row[:4], "all" if row[4] == "a" else "z", row[5]) for row in ROWS])
    found = what_happened(jobs)
    assert found.lengths["jobs"].to_dict() == found.waits["jobs"].to_dict() == {"all (class)": 2, "z": 2, "all": 4}
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


def test_widths_in_powers_of_two():
    widths = what_happened(log()).widths
    assert widths[["least", "most", "jobs"]].to_numpy().tolist() == [[1, 1, 1], [2, 2, 1], [3, 4, 2]]
    assert widths["work_share"].tolist() == pytest.approx([6 / 48, 20 / 48, 22 / 48])
    assert what_happened(log()).mean_width == 2.5
    assert what_happened(log()).running_width == pytest.approx(48 / 22)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.integers(1, 20_000_000), min_size=2, max_size=30))
def test_every_width_is_in_its_bin_and_in_one_alone(gpus):
    rows = [(number, 0, 1, width, "a", "u") for number, width in enumerate(gpus)]
    widths = what_happened(log(rows)).widths
    assert widths["jobs"].sum() == len(gpus)
    for least, most, jobs in widths[["least", "most", "jobs"]].to_numpy().tolist():
        assert jobs == sum(least <= width <= most for width in gpus)


def test_a_steady_stream_of_arrivals_has_no_dispersion_and_bursts_have_much():
    steady = log([(600.0 * number, 0, 1, 1, "a", "u") for number in range(6 * 24 * 15)])
    bursts = log([(DAY * (number // 100), 0, 1, 1, "a", "u") for number in range(1500)])
    assert what_happened(steady).arrival_scv == pytest.approx(0, abs=1e-9)
    assert what_happened(steady).dispersion["index"].tolist() == pytest.approx([0, 0, 0], abs=1e-9)
    assert what_happened(bursts).dispersion.loc["hour", "index"] > 90
    # 100 in an hour and 0 in 23: variance 100² · 14/335 · (1 − 14/336) ÷ mean 100 · 14/336, counted over 336 hours.
    assert what_happened(bursts).dispersion.loc["hour", "index"] == pytest.approx(100 * 336 / 335 * (1 - 1 / 24))


@pytest.mark.slow
def test_poisson_arrivals_have_an_index_near_one():
    found = what_happened(synthetic_log(1, days=300), 1024).dispersion.loc["hour"]
    assert abs(found["index"] - 1) < 4 * math.sqrt(2 / found["windows"])  # the variance of a variance ratio


def test_arrivals_know_the_day_of_the_week_and_the_hour():
    monday = 1_704_067_200.0
    rows = [
        (monday + 7 * DAY * week + 26.5 * HOUR + 60 * job, 0, 1, 1, "a", "u") for week in range(3) for job in (0, 1)
    ]
    rate = what_happened(log([(monday, 0, 1, 1, "a", "u"), *rows])).arrivals
    assert rate.shape == (7, 24) and rate.index[0] == "Monday"
    assert rate.loc["Monday", 0] == pytest.approx(1 / 3)
    assert rate.loc["Tuesday", 2] == pytest.approx(6 / (2 + 31 / 60))
    assert rate.sum().sum() == pytest.approx(1 / 3 + 6 / (2 + 31 / 60))
    assert np.isnan(what_happened(log()).arrivals.loc["Friday", 5])


def test_what_is_counted_over_time_adds_up():
    jobs = synthetic_log(2, days=30)
    found = what_happened(jobs, 1024)
    days = found.over_time
    assert days["arrivals"].sum() == len(jobs)
    assert (days["utilization"] * days["length"]).sum() / found.span == pytest.approx(found.utilization)
    assert days["wasted"].sum() == pytest.approx(found.wasted)
    assert all(begin + length == pytest.approx(then) for (begin, length), then in
               zip(days[["begin", "length"]].to_numpy()[:-1], days["begin"][1:], strict=True))  # fmt: skip
    assert len(what_happened(synthetic_log(2, days=7), 1024).over_time) == pytest.approx(168, abs=2)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 50), st.integers(1, 50)), min_size=2, max_size=12))
def test_littles_law_holds_on_any_log_but_for_its_edge(rows):
    if len({submit for submit, *_ in rows}) < 2:
        return
    found = what_happened(log([(submit, wait, runtime, 1, "a", "u") for submit, wait, runtime in rows])).little
    assert found["measured"].to_numpy() == pytest.approx((found["rate_times_mean"] - found["edge"]).to_numpy())


def test_littles_law_by_hand():
    # Waiting: 8 s and 10 s in 20 s. In the system: 10 + 12 + 16 s, and 2 s of the last job after the end.
    little = what_happened(log()).little
    assert little.loc["waiting"].tolist() == pytest.approx([0.9, 0.9, 0])
    assert little.loc["in the system"].tolist() == pytest.approx([38 / 20, 40 / 20, 2 / 20])


def test_users_by_their_gpu_time():
    users = what_happened(log()).users
    assert users.index.tolist() == ["u", "v"]
    assert users.loc["u"].tolist() == [2, 26, pytest.approx(26 / 48), 5]


def test_usable_is_never_more_than_wasted_and_wasted_no_more_than_idle():
    for seed in range(1, 4):
        found = what_happened(synthetic_log(seed, days=40), 1024)
        idle = (1 - found.utilization) * found.gpus * found.span
        assert 0 < found.usable <= found.wasted <= idle


def test_a_log_without_recorded_waits_says_what_is_not_known():
    jobs = log(left_out={"job steps": 3}).drop(columns="recorded_wait")
    found = what_happened(jobs)
    assert found.size_source == "largest use at once if no job had waited" and found.gpus == 7
    assert found.recorded == 0 and math.isnan(found.utilization) and math.isnan(found.wasted)
    assert found.waits.empty and found.little.empty and found.over_time["utilization"].isna().all()
    assert found.load > 0 and found.left_out == {"job steps": 3, "no recorded wait": 4}
    assert found.arrival_rate == pytest.approx(3 / 20)


def test_jobs_without_a_recorded_wait_are_counted():
    jobs = log().assign(recorded_wait=[0, 8, np.nan, -1])
    found = what_happened(jobs)
    assert found.recorded == 2 and found.left_out == {"no recorded wait": 2} and found.waits.loc["all", "jobs"] == 2


def test_the_order_of_rows_changes_nothing():
    one, other = what_happened(log()), what_happened(log().iloc[::-1])
    assert one.utilization == other.utilization and one.usable == other.usable
    pd.testing.assert_frame_equal(one.waits, other.waits)


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        (log(ROWS[:1]), "two times at least"),
        (log([ROWS[0], ROWS[0]]), "two times at least"),
        (log([ROWS[0], (1e15, *ROWS[1][1:])]), "at most 36,525 days"),
        (log().drop(columns="gpus"), "columns submit, runtime and gpus"),
        ("x", "must be a DataFrame"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(jobs, words):
    with pytest.raises(ValueError, match=words):
        what_happened(jobs)


def test_bins_follow_each_other_from_the_first_to_the_last_submission():
    found = what_happened(synthetic_log(5, days=20), 1024)
    begins = found.over_time["begin"].tolist()
    assert begins[0] == found.begin and all(a < b for a, b in pairwise(begins))
    assert found.over_time["length"].sum() == pytest.approx(found.span)
