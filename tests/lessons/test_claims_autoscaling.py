"""Every sentence of the Autoscaling lesson that holds a number, quoted and proved."""

import math
from dataclasses import replace

import pytest

from lessons.autoscaling import LESSON, challenge, charts, reserve, values
from lessons.autoscaling import verdict as verdicts
from lessons.autoscaling.challenge import CHALLENGE
from lessons.autoscaling.settings import Fleet, distinct
from physics import constants as k
from physics.autoscaling import (
    HPA,
    Concurrency,
    Predictive,
    Threshold,
    desired_replicas,
    flapping_loads,
    simulate_autoscaler,
)
from physics.autoscaling.fleet import latencies, summarize_run
from physics.queueing import mmc
from ui.base.words import fill
from ui.knobs.declared import read

WORDS = values.live_values(Fleet())
DAY = [0.9] * 5760  # looks of 15 s


def preset(name: str) -> Fleet:
    return read(Fleet, LESSON.presets[name].changes)[0]


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def answered(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS)


def test_the_question_is_that_of_the_default_knobs():
    assert "Load 0.9 of one replica, scale up above 80 %, down below 50 %, start at 1" in LESSON.prediction.text
    assert "more than 80 % busy" in LESSON.message and "less than 50 % busy" in LESSON.message
    assert "One replica" not in LESSON.message and "0.9 of what one replica can do" in LESSON.message
    story = Fleet()
    assert (story.base, story.upper, story.lower, story.start) == (0.9, 0.8, 0.5, 1)
    assert LESSON.prediction.right == "b"


def test_two_replicas_are_45_percent_busy_each():
    assert "each is only 45 % busy" in said("a") and "below 50 %" in said("a")
    run = simulate_autoscaler(DAY[:200], Threshold(0.8, 0.45), start=1)
    assert set(run["ready"].tail(100)) == {2}  # it would settle at 2


def test_one_is_too_busy_and_two_are_too_idle():
    assert "One replica is 90 % busy, above 80 %" in said("b") and "Two are 45 % busy, below 50 %" in said("b")
    ready = Fleet().run["ready"]
    assert set(ready) == {1, 2} and set(ready.tail(30)) == {1, 2}


def test_multiplying_requested_replicas_runs_away_and_multiplying_ready_ones_does_not():
    assert "asks for 4, 7, 12, 20 at a load that 7 replicas can carry" in said("c")
    assert "Multiplying those that are ready asks for 4 and then 7" in said("c")
    ready = preset("ready")
    assert distinct(ready.run) == [2, 4, 7] and ready.run["slo_met"].tail(20).all()
    assert distinct(preset("overshoot").run)[:5] == [2, 4, 7, 12, 20]


def test_one_replica_alone_answers_in_5_seconds():
    assert "requests taking 5 s on average instead of 500 ms" in said("d")
    assert mmc(0.9 / 0.5, 0.5).mean_response == pytest.approx(5)
    run = simulate_autoscaler(DAY[:200], Threshold(0.9, 0.5), start=1)
    assert set(run["ready"]) == {1}  # with the threshold at 90 % it stays


def test_75_percent_still_swings():
    assert "every steady load between 0.8 and 1.5 replicas' worth swings between 1 and 2" in answered("a")
    assert flapping_loads(0.8, 0.75, 1) == (0.8, 1.5)
    for a in (0.81, 1.2, 1.49):
        run = simulate_autoscaler([a] * 100, Threshold(0.8, 0.75), start=1, cold_start=0)
        assert set(run["ready"].tail(50)) == {1, 2}


def test_a_delay_of_half_an_hour_leaves_the_swing():
    slow = summarize_run(simulate_autoscaler(DAY, Threshold(), start=1, cool_down_down=1800)).changes
    fast = summarize_run(simulate_autoscaler(DAY, Threshold(), start=1)).changes
    assert f"{slow:,} changes in a day at a load of 0.9, instead of {fast:,} without it" in answered("b")
    assert 2 * 24 <= slow < fast
    row = fill(LESSON.corrections[0].found, WORDS)
    assert f"30 minutes of delay leave {slow:,} changes a day instead of {fast:,}" in row
    assert "here at most 40 %" in row


def test_40_percent_is_the_rule_at_one_replica():
    assert "80 % · 1/2 = 40 %" in answered("c")
    assert "53.3 % between 2 and 3 replicas, 72 % between 9 and 10" in answered("c")
    for n, limit in ((1, 0.4), (2, 0.8 * 2 / 3), (9, 0.72)):
        assert flapping_loads(0.8, limit, n) is None and flapping_loads(0.8, limit + 1e-3, n)
    for a in (0.8, 0.81, 0.9, 1.7, 2.5, 7.3):
        run = simulate_autoscaler([a] * 400, Threshold(0.8, 0.4), start=1)
        assert len(set(run["ready"].tail(100))) == 1
    assert "with a lower threshold of at most 40 % no steady load swings" in answered("d")


def test_small_fleets_need_more_room():
    assert "one replica may be 50 % busy, twelve may be 93.7 %" in fill(LESSON.takeaways[5], WORDS)
    assert "of exponential requests" in LESSON.takeaways[5]  # the formula's own: others wait for longer or shorter
    for n, share in ((1, 0.5), (12, 0.937)):
        just, beyond = latencies([n * (share - 0.001), n * (share + 0.001)], [n, n], 0.5)
        assert just < 1.0 < beyond  # twice the service time


def test_the_derivation_quotes_kubernetes_rule_at_the_target():
    text = fill(LESSON.derivation[2].text, WORDS)
    assert "your tolerance of 10 %, 2 saturated ones ask for 4" in text and "goes to 7" in text
    assert desired_replicas(2, 1.0, 0.6) == 4 and desired_replicas(4, 1.0, 0.6) == 7


def test_the_challenge_says_what_it_measures():
    assert "at least 99 % of the time" in challenge.task() and "at most 1.3 times" in challenge.task()
    won, dear, slow = (replace(CHALLENGE, target=target) for target in (0.68, 0.6, 0.8))
    assert challenge.won(won) and won.summary.slo_share >= 0.99 and won.summary.cost_ratio <= 1.3
    assert not challenge.won(dear) and dear.meets and not dear.thrifty
    assert not challenge.won(slow) and slow.thrifty and not slow.meets


def test_an_offered_saving_works_and_one_step_less_does_not():
    assert verdicts.savings(CHALLENGE, most=1) == ["set the target utilization to 68 %"]
    assert replace(CHALLENGE, target=0.68).thrifty and not replace(CHALLENGE, target=0.67).thrifty


@pytest.mark.slow
def test_offered_cures_work_and_one_step_less_does_not():
    slow = replace(CHALLENGE, target=0.75)
    offered = verdicts.cures(slow, most=9)
    target = next(int(text.split()[-2]) for text in offered if text.startswith("set the target"))
    assert replace(slow, target=target / 100).meets and not replace(slow, target=(target + 1) / 100).meets
    floor = next(int(text.split()[3]) for text in offered if text.startswith("keep at least"))
    assert replace(slow, floor=floor).meets and not replace(slow, floor=floor - 1).meets


def test_the_swing_is_mended_by_the_threshold_that_the_verdict_names():
    words = verdicts.remedies(Fleet())
    assert (
        "Remove replicas only below 45 % and this load comes to rest; below 40 %, and every steady load does" in words
    )
    assert replace(Fleet(), lower=0.45).swing is None
    assert replace(Fleet(), lower=0.45).summary.changes == 1
    assert replace(Fleet(), lower=0.46).summary.changes > 5


@pytest.mark.slow
@pytest.mark.parametrize("base", [0.3, 0.9, 1.5, 2.5, 4.0])
@pytest.mark.parametrize("lower", [0.2, 0.45, 0.6, 0.75])
def test_a_fleet_is_called_swinging_just_when_it_swings(base, lower):
    fleet = replace(Fleet(), base=base, lower=lower)
    late = fleet.run["requested"].tail(60)
    assert (fleet.swing is not None) == (late.nunique() > 1)


def test_the_defaults_and_what_the_lesson_calls_usual_are_those_of_the_constants():
    assert (k.HPA_SYNC, k.HPA_WINDOW, k.HPA_TOLERANCE) == (15, 300, 0.1)
    assert any("tolerance of 10 %, the 15-second look, the 300-second window" in source for source in LESSON.sources)


def test_a_step_from_2_to_18_is_counted_at_once_and_measured_for_many_cold_starts():
    text = fill(LESSON.takeaways[3], WORDS)
    assert "from 2 to 18" in text and "asks for 30 replicas" in text and "asks for 7, 12, 20, 30, one cold" in text
    assert (
        "In the first 15 min it turns 26.2 % of the work away instead of 11.8 %" in text
        and "the same target of 60 %" in text
    )
    for rule, lost in ((HPA(limited=True), 0.262), (Concurrency(target=0.6, sync=15), 0.118)):
        run = simulate_autoscaler([2.0] + [18.0] * 59, rule, start=4, ceiling=40)
        assert summarize_run(run).lost_share == pytest.approx(lost, abs=6e-4)
        longer = simulate_autoscaler([2.0] + [18.0] * 239, rule, start=4, ceiling=40)
        assert summarize_run(longer).lost_share < lost / 3, "the share belongs to the stretch that is named"
        assert rule.target == 0.6 and distinct(simulate_autoscaler([2.0] * 100, rule, start=4, ceiling=40)) == [4]


def test_each_of_the_requests_after_the_step_waits_for_the_cold_start_of_the_one_before():
    """None comes before the step, and each is asked for when the one before it is ready."""
    run = Fleet(**values.OVERLOAD, controller="hpa").run
    changed = run[run["requested"].diff() > 0]
    assert changed["requested"].tolist() == [7, 12, 20, 30] and (changed["load"] == 18).all()
    assert changed["ready"].tolist() == [4, 7, 12, 20] and (changed["time"].diff().dropna() >= 120).all()


def test_a_missed_goal_never_reads_as_met_and_a_cheaper_fleet_that_misses_says_so():
    """At 69 % the target is met 98.99 % of the time, under a goal of 99 %."""
    close = replace(CHALLENGE, target=0.69)
    assert close.summary.slo_share == pytest.approx(0.9899, abs=5e-5) and not close.meets
    assert "is met only 98.99 % of the time" in challenge.judge(close).text
    assert "1.01 % of the time" in verdicts.verdict(close).text
    told = values.live_values(close)["cost"]
    assert told.endswith(" and misses the target") and "misses" not in values.live_values(CHALLENGE)["cost"]
    assert "this one misses it" in charts.cost_alt(close)
    for target in range(64, 74):
        fleet = replace(CHALLENGE, target=target / 100)
        assert (challenge.met(fleet) == "99 %") == (fleet.summary.slo_share == 0.99)


def test_what_is_known_of_the_usual_windows_is_that_of_the_constants():
    assert {Concurrency().target, Concurrency().stable, Concurrency().panic_share, Concurrency().threshold} == {
        float(k.IN_FLIGHT_TARGET), 60, 0.1, 2
    }  # fmt: skip
    assert (k.STABLE_WINDOW, k.PANIC_SHARE, k.PANIC_THRESHOLD) == (60, 0.1, 2)


def test_a_forecast_from_the_past_is_as_good_as_the_day_is_usual():
    text = fill(LESSON.takeaways[4], WORDS)
    assert "4.98 % off on a usual day and 43.7 % on one that comes three hours early" in text
    assert k.SURPRISE_SHIFT == 3 * k.HOUR and "1.59 %" in text
    usual, early = (replace(preset("surprise"), load=load) for load in ("day", "surprise"))
    assert early.loads[:100] == pytest.approx(usual.loads[720:820])
    assert usual.past[-5760:] == pytest.approx(0.95 * usual.loads) and early.past == pytest.approx(usual.past)
    assert usual.off[0] == pytest.approx(0.05, abs=5e-4)  # yesterday was 5 % lower
    assert Predictive().weights == (0.1, 0.0, 0.3)


def test_from_2_to_100_replicas_is_half_an_hour_by_doubling_and_ten_rounds_by_tens():
    text = fill(next(part for part in LESSON.derivation if part.title == "How fast a fleet may grow").text, WORDS)
    assert "Doubling every 5 minutes takes 30 min (25 min with the first round at once)" in text
    assert "ten rounds: 50 min with a look every 5 minutes (45 min)" in text and 10 * 6 == 60
    assert "from 2 to 100 replicas in 1.5 min, or 1.25 min if the first round is at once" in text
    assert 2 * 2**5 < 100 <= 2 * 2**6 and 2 + 9 * 10 < 100 <= 2 + 10 * 10
    pods = 2
    for _ in range(6):
        pods = max(2 * pods, pods + 4)
    assert pods >= 100 > pods / 2
    assert "60 minutes are looks every 6" in fill(LESSON.corrections[1].found, WORDS)


def test_a_sine_day_between_2_and_12_reserves_8_5_at_40_percent():
    text = fill(next(part for part in LESSON.derivation if part.title == "What to reserve").text, WORDS)
    assert "at 40 % that is 8.5, above the mean of 7" in text
    fleet = preset("reserve")
    costs = {level: reserve.relative(fleet, level / 100) for level in range(0, 1201)}
    assert min(costs, key=costs.get) / 100 == pytest.approx(8.5, abs=0.06)
    assert reserve.best(fleet) == pytest.approx(7 + 5 * math.sin(math.pi * 0.1), abs=0.01)


def test_every_new_knob_changes_nothing_by_default():
    story = Fleet()
    assert story.limit is None and story.other is None and story.total == story.summary.cost and not story.learns
    assert simulate_autoscaler(story.loads, story.rule, start=1, cool_down_down=story.cool_down_down).equals(story.run)
