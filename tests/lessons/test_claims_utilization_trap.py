"""Every sentence of the Utilization Trap that holds a number, quoted and proved."""

import math
from dataclasses import replace

import pytest

from lessons.utilization_trap import LESSON as LESSON_ROOM
from lessons.utilization_trap import chart, day
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mmc
from ui.base import format as f
from ui.base.words import fill, load
from ui.charts.look import Look

HOUR = 3600.0
MINUTE = 60.0
LESSON = load("utilization_trap")
WORDS = LESSON_ROOM.values(Fleet())


def wait(gpus_per_job: int, utilization: float, added: int = 0) -> float:
    """Mean wait of the director's 1-hour jobs, from the model itself."""
    before = 1024 // gpus_per_job
    after = (1024 + added) // gpus_per_job
    return mmc(utilization * before / HOUR, HOUR, after).mean_wait


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def test_256_more_gpus_take_95_to_76_percent_and_cut_the_wait_11_times():
    assert (
        Fleet().now.mean_wait == wait(256, 0.95)
        and "a new one waits 4.46 h" in said("c")
        and Fleet().servers == 4
    )
    assert "grows from 44.7 min to 4.46 h" in said("b")
    assert "grows from 5% to 24%" in said("a") and "falls from 4.46 h to 24 min" in said("a")
    after = wait(256, 0.95, added=256)
    assert after / MINUTE == pytest.approx(24, abs=0.05)
    assert wait(256, 0.95) / after == pytest.approx(11, abs=0.5)
    assert pytest.approx(0.76) == 0.95 * 4 / 5


def test_one_job_on_the_whole_fleet_waits_19_hours_and_is_in_the_system_for_20():
    assert "moves four times as fast, and they wait 58.5 min" in said("c")
    assert any("M/M/1 gives 19 h" in fill(row.found, WORDS) for row in LESSON.corrections)
    assert any("8-GPU jobs 4.29 min" in fill(text, WORDS) for text in LESSON.takeaways)
    state = mmc(0.95 / HOUR, HOUR)
    assert state.mean_wait == pytest.approx(19 * HOUR) and state.mean_response == pytest.approx(
        20 * HOUR
    )
    assert wait(8, 0.95) == pytest.approx(0.0715 * HOUR, rel=1e-3)


def test_two_merged_centers_wait_about_half_as_long():
    merged = mmc(2 * 3.8 / HOUR, HOUR, 8).mean_wait
    assert LESSON.reflection.right == "c" and "2.11 h" in fill(
        LESSON.reflection.option("c").feedback, WORDS
    )
    assert (
        merged / HOUR == pytest.approx(2.11, abs=0.005) and 0.45 < merged / wait(256, 0.95) < 0.55
    )
    assert Fleet(fleet=2048).servers == 8


def test_what_each_answer_tests_is_a_case_of_the_page_and_its_numbers_are_the_models():
    cases = {"a": (wait(256, 0.95, 256), "24 min"), "b": (wait(256, 0.8), "44.7 min")}
    cases |= {"c": (wait(64, 0.95), "58.5 min"), "d": (wait(256, 0.855), "1.21 h")}
    for option, (expected, written) in cases.items():
        test = LESSON.prediction.option(option).test
        assert replace(Fleet(), **test.settings).now.mean_wait == pytest.approx(expected)
        assert (
            written in fill(test.found, WORDS)
            and f.duration(expected, 3 if option != "a" else 2) == written
        )
    assert pytest.approx(0.9) == 0.855 / Fleet().utilization  # every tenth job stays away
    assert f.duration(0.75 * wait(256, 0.95)) in fill(
        LESSON.prediction.option("a").test.said, WORDS
    )


def test_above_saturation_the_backlog_is_a_rate_and_not_a_wait():
    fleet = Fleet(utilization=1.2)
    assert not fleet.now.stable and math.isinf(fleet.now.mean_wait)
    assert fleet.daily_growth == pytest.approx(0.2 * 1024 * 24)
    assert "the backlog grows by 4,920 GPU-hours per day" in chart.verdict(fleet).text


def drawn(fleet=None, **more):
    """Labels, and points by their place, of the main chart."""
    frame = chart.figure(fleet or Fleet(), Look(), **more).frame
    points = frame[frame.kind == "point"][["utilization", "wait"]].round(3)
    return set(frame.label.dropna()), [tuple(row) for row in points.to_numpy().tolist()]


def test_what_the_visitor_said_is_on_the_chart_as_the_wait_that_it_would_be():
    labels, points = drawn(guess="a")
    assert (
        "you said: 25% shorter" in labels
        and (0.76, round(0.75 * wait(256, 0.95) / HOUR, 3)) in points
    )
    labels, points = drawn(guess="b")
    assert (
        "you said: little more than at 80%" in labels
        and (0.95, round(1.1 * wait(256, 0.8) / HOUR, 3)) in points
    )
    for guess in ("d", None):
        assert not any("you said" in label for label in drawn(guess=guess)[0])


@pytest.mark.parametrize("scv", [0, 1, 40])
@pytest.mark.parametrize("utilization", [0.5, 0.95, 0.995, 1.0, 1.2])
@pytest.mark.parametrize(
    "change", [{}, {"gpus_per_job": 1024, "added": 1024}, {"gpus_per_job": 1}, {"target": 28800.0}]
)
def test_nothing_is_drawn_outside_the_frame_of_the_main_chart(scv, utilization, change):
    frame = chart.figure(Fleet(scv=scv, utilization=utilization, **change), Look(), guess="a").frame
    assert (
        frame.wait.dropna().between(0, chart.TOP).all()
        and frame.utilization.dropna().between(0, 1.2).all()
    )


def test_what_a_purchase_changes_is_said():
    assert (
        "Now 4 jobs can run at once instead of 3"
        in chart.verdict(Fleet(gpus_per_job=257, added=256)).text
    )
    assert "no room for one more job of 256 GPUs" in chart.verdict(Fleet(added=8)).text


def test_a_wait_above_the_frame_leaves_through_its_edge_with_an_arrow_and_its_number():
    labels, points = drawn(Fleet(gpus_per_job=1024))
    assert "you are here: 19 h ↑" in labels and (0.95, chart.TOP) in points
    labels, _ = drawn(Fleet(gpus_per_job=1024, added=1024))
    assert "before the purchase: 19 h ↑" in labels and "you are here" in labels


def test_overload_leaves_through_the_edge_too_and_the_knee_is_not_on_this_chart():
    labels, points = drawn(Fleet(utilization=1.05))
    assert "you are here: without limit ↑" in labels and (1.05, chart.TOP) in points
    assert (
        not any("74" in label for label in drawn()[0])
        and "74" not in chart.figure(Fleet(), Look()).alt
    )


def test_the_challenge_is_won_by_the_largest_jobs_only_and_not_by_the_ends_of_the_knobs():
    judge = LESSON_ROOM.challenge.judge
    steps = [n / 200 for n in range(100, 241)]
    won = {
        (size, rho)
        for size in range(1, 1025)
        for rho in steps
        if judge(Fleet(gpus_per_job=size, utilization=rho)).good
    }
    assert won == {(64, rho) for rho in (0.9, 0.905, 0.91, 0.915)}
    assert judge(Fleet(gpus_per_job=64, utilization=0.915)).text == (
        "Won: with 64 GPUs per job, 937 GPUs are busy, and the mean wait is 28.4 min. "
        "No larger size meets both goals."
    )
    assert wait(64, 0.915) / MINUTE == pytest.approx(28.4, abs=0.05)
    assert not any(1024 % size for size in chart.SIZES)
    low = judge(Fleet(gpus_per_job=64, utilization=0.895))
    assert "only 916 GPUs are busy; the goal is 922." in low.text
    assert "at least 922 of" in LESSON_ROOM.challenge.task()
    small = judge(Fleet(gpus_per_job=32, utilization=0.9))
    assert "but larger jobs meet them, too" in small.text
    assert "sizes of 32, 64, 128" in judge(Fleet(gpus_per_job=73, utilization=0.905)).text
    assert judge(Fleet(added=256)).text == "Not yet: first reset GPUs bought."


def test_the_tour_is_true():
    """With less to do the spare jobs per hour are four times as many; with smaller jobs the line is
    nearly as long, and four times as many jobs end per hour.
    """
    message = Fleet()
    assert message.servers == 4 and message.hourly == pytest.approx(3.8)
    fewer, smaller = (Fleet(**dict(stop.settings)) for stop in LESSON.tour[2:])
    spare = [fleet.servers * HOUR / fleet.job_length - fleet.hourly for fleet in (message, fewer)]
    assert spare[1] / spare[0] == pytest.approx(4)
    assert smaller.servers == 16 and smaller.load == message.load
    assert smaller.hourly == pytest.approx(4 * message.hourly)
    assert smaller.now.mean_in_queue == pytest.approx(message.now.mean_in_queue, rel=0.15)


def test_two_lines_are_called_about_as_long_only_where_they_are():
    alike = day.verdict(Fleet())
    assert "about the same length, 16.9 and 14.8 jobs" in alike.text
    bought = day.verdict(Fleet(added=256))
    assert "also shorter: 0.561 jobs on average instead of 1.52" in bought.text
    full = day.verdict(Fleet(utilization=1.1))
    assert "both lines grow" in full.text and full.good is False
