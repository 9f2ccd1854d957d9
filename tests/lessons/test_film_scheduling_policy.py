"""The policy lesson's film is the schedule; its measures, score, decision and outage are the simulator's."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lessons.scheduling_policy import PRESETS, decision, film, measures, outage, runs
from lessons.scheduling_policy.settings import CLASSES, DAY, HOUR, QUOTAS, Scenario
from physics import constants as k
from physics.scheduling import simulate
from ui.charts.look import Look
from ui.films import message

EASY = Scenario(order="priority", backfill="easy")
FEW = Scenario(replications=4)
SETTINGS = {
    "opening": Scenario(),
    "quotas": replace(EASY, quotas="reclaimed"),
    "preemption": replace(EASY, preemption=True),
    "ten": replace(EASY, training_rate=10 / DAY),
    "crowded": replace(EASY, fleet=4096, interactive_rate=10 / HOUR),
    "small": Scenario(order="shortest", fleet=320, interactive_rate=10 / HOUR),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_a_film_of_a_week_can_be_sent_at_every_setting(name):
    for week in (1, 4):
        sent = message(film.showing(SETTINGS[name], week), Look())  # a heavier one is refused
        assert sent["boxes"] and sent["lines"] == ["above", "below"]
        assert 2 * SETTINGS[name].fleet // film.PLACE % sent["columns"] == 0


@pytest.mark.parametrize("name", ["opening", "quotas", "preemption"])
def test_what_the_film_shows_at_a_moment_is_what_the_schedules_say_of_it(name):
    scenario = SETTINGS[name]
    played = film.showing(scenario, 3).film
    lanes = scenario.fleet // film.PLACE
    for half, one in enumerate(film.schedules(scenario.effective)):
        jobs, runs_, line = one.jobs, one.runs, one.timeline
        for moment in np.random.default_rng(1).uniform(played.begin, played.end, 25):
            boxes, waiting = played.at(moment)
            boxes = boxes[boxes["first"] // lanes == half]
            waiting = waiting[waiting["kind"].str.endswith(str(half))]
            running = runs_[(runs_["start"] <= moment) & (moment < runs_["end"])]
            for job_class in CLASSES:
                shown = boxes[boxes["kind"] == f"{job_class} {half}"]
                own = running["gpus"][(jobs["job_class"].to_numpy() == job_class)[running["row"]]].sum()
                assert film.PLACE * (shown["last"] - shown["first"] + 1).sum() == own
            now = line[line["time"] <= moment].iloc[-1]
            assert len(waiting) == now["queue_length"]
            assert (boxes["last"] < (half + 1) * lanes).all()


def test_the_films_two_policies_have_the_same_jobs_and_are_named():
    first, second = film.schedules(Scenario().effective)
    pd.testing.assert_frame_equal(first.jobs[["submit", "gpus", "runtime"]], second.jobs[["submit", "gpus", "runtime"]])
    assert list(film.policies(Scenario())) == ["FIFO", "Priority with EASY"]
    assert list(film.policies(SETTINGS["quotas"])) == ["FIFO", "Priority by class, EASY, quotas"]


def test_idle_gpu_hours_beside_a_queue_are_counted_by_hand():
    jobs = pd.DataFrame({"submit": [0, 2], "runtime": [10, 5], "gpus": [3, 4]})
    # From 2 to 10 one of 4 GPUs is idle while the second job waits: 8 of 60 GPU-seconds.
    assert film.idle_beside_queue(simulate(jobs, 4), 0.0, 15.0) == pytest.approx(8 / 60)
    assert film.idle_beside_queue(simulate(jobs, 4), 4.0, 8.0) == pytest.approx(1 / 4)
    assert film.idle_beside_queue(simulate(jobs, 4), 0.0, 30.0) == pytest.approx(8 / 120)


# --- measures and the score -------------------------------------------------------------------------------------------
def test_the_measures_of_a_schedule_come_out_by_hand():
    jobs = pd.DataFrame(
        {"submit": [0.0, 0.0], "runtime": [10.0, 10.0], "gpus": [4, 2], "job_class": ["training", "search"]}
    )
    found = runs.outcome_of([simulate(jobs, 4)], np.array([0.0, 12.0]))
    utilization, throughput, jain, balance, fragmentation = found.measures
    # 60 of 80 GPU-seconds; two jobs in 20 s; training runs all of its time, search half of it.
    assert (utilization, throughput, balance) == (0.75, 0.1, 0.5)
    assert jain == pytest.approx(1.5**2 / (2 * 1.25))
    # Nothing is free at 0; at 12 two are, and half of the jobs, those of 4, cannot use them.
    assert fragmentation == pytest.approx((0 + 0.5) / 2)


def test_the_measures_are_exported_and_one_starved_user_is_said_beside_them():
    found = runs.board(replace(EASY, replications=4))
    exported = {result.label: result.value for result in measures.results(found)}
    assert list(exported) == list(measures.LABELS.values())
    assert all(0 <= exported[name] <= 1 for name in exported if name != "Throughput")
    assert "one starved user of 100 leaves Jain's index at 0.99, and the balance at 0" in measures.note()


@pytest.mark.slow
def test_the_ranking_of_the_four_policies_turns_with_the_weights():
    def first(interactive, search, training, penalty):
        weights = dict(zip((*CLASSES, "penalty"), (interactive, search, training, penalty), strict=True))
        return measures.ranking(weights)["policy"].iloc[0]

    assert first(1, 1, 5, 0.5) == "Priority with EASY" != first(10, 1, 0, 0) == "Three partitions, EASY in each"
    for one in measures.WEIGHTS.values():
        assert one.low <= one <= one.high


# --- one decision -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["opening", "quotas"])
def test_the_two_sides_of_a_decision_are_those_of_the_schedule(name):
    plain = decision.weighed(SETTINGS[name])
    one, refused, made = decision.pair(plain)
    assert refused.waited <= refused.lost and made.waited > made.lost and refused.time < made.time
    rules = plain.policy.preemption
    for each in (refused, made):
        head = one.jobs.iloc[each.head]
        assert each.waited == head["gpus"] * each.wait and head["submit"] <= each.time
        # At a first stop the loss is the time since the last multiple of the checkpoint interval, and a restart.
        expected = 0.0
        for victim in each.victims:
            worked = each.time - one.jobs["start"].iloc[victim]
            expected += one.jobs["gpus"].iloc[victim] * (worked % rules.checkpoint_interval + rules.restart_time)
        assert each.lost == pytest.approx(expected)
    text = decision.table(SETTINGS[name])
    assert "First refused" in text and "First made" in text and "GPU-hours" in text


# --- quotas on the page -----------------------------------------------------------------------------------------------
def test_quotas_add_up_to_the_fleet_whatever_the_knobs_say():
    for fleet in (256, 1024, 4096):
        for quotas in QUOTAS:
            scenario = replace(EASY, fleet=fleet, quotas=quotas, quota_interactive=128, quota_search=128, reserved=40)
            assert sum(scenario.entitled.values()) == fleet and min(scenario.entitled.values()) >= 0
            assert (scenario.policy.quotas is None) == (quotas == "none") == bool(scenario.policy.reserved)


@pytest.mark.slow
def test_what_is_lent_and_taken_back_keeps_a_promise_that_what_is_only_lent_does_not():
    lent, back, plain = (
        runs.board(replace(FEW, **PRESETS[name].changes)) for name in ("quotas_lent", "quotas", "easy")
    )
    share, wait = ("interactive", "share_within_target"), ("training", "mean_wait")
    assert back.mean(*share) > 0.99 > k.POLICY_INTERACTIVE_SHARE > lent.mean(*share)
    assert abs(lent.mean(*share) - plain.mean(*share)) < 0.02
    assert back.mean(*wait) > lent.mean(*wait) and back.lost > lent.lost == 0


@pytest.mark.slow
def test_stopping_only_where_it_pays_loses_less_and_keeps_fewer_promises():
    always, pays = (runs.board(replace(FEW, **PRESETS[name].changes)) for name in ("preemption", "pays"))
    assert pays.lost < always.lost / 4
    assert pays.mean("interactive", "share_within_target") < always.mean("interactive", "share_within_target")
    assert pays.mean("training", "mean_wait") < always.mean("training", "mean_wait")


# --- a day without half of the nodes ----------------------------------------------------------------------------------
@pytest.mark.slow
def test_during_the_outage_only_what_is_left_is_used_and_no_job_is_lost():
    for scenario in outage.POLICIES.values():
        jobs = runs.draw(scenario, 0)
        jobs = jobs[jobs["submit"] < outage.SPAN].reset_index(drop=True)
        hit = outage.with_outage(jobs, scenario)
        gone = hit.jobs.iloc[-1]
        assert (gone["start"], gone["end"]) == (outage.BEGIN, outage.BEGIN + DAY)
        assert gone["gpus"] == scenario.fleet / 2 and not gone["preemptions"]
        assert hit.jobs["end"].notna().all() and hit.timeline["busy"].max() <= scenario.fleet
        before = simulate(jobs, scenario.fleet, scenario.policy).jobs
        early = (before["end"] < outage.BEGIN).to_numpy()
        assert (hit.jobs["start"].iloc[:-1].to_numpy()[early] == before["start"].to_numpy()[early]).all()


def test_work_done_and_the_time_until_half_is_made_good_come_out_by_hand():
    at = np.array([0.0, 30.0, 60.0])
    jobs = pd.DataFrame({"submit": [0.0, 10.0, 20.0], "runtime": [10.0, 10.0, 10.0], "gpus": [4, 4, 2]})
    assert outage.done(simulate(jobs, 4), 3, at).tolist() == [0, 100, 100]
    assert outage.done(simulate(jobs, 4), 2, at).tolist() == [0, 80, 80]
    late = np.interp(outage.MOMENTS, [0, DAY, 3 * DAY, outage.MOMENTS[-1]], [0, 8.0, 0, 0])
    assert outage.half_made_good(late) == DAY  # at two days it is just half, and never more after
    assert outage.half_made_good(np.maximum(late, 4.1)) == np.inf


@pytest.mark.slow
def test_the_table_of_the_outage_has_every_policy_with_errors(monkeypatch):
    monkeypatch.setattr(outage, "RUNS", 2)
    *_, found = outage.look()
    text = outage.table(found)
    assert found.runs == 2 and text.count("\n") == len(outage.POLICIES) + 1
    # Who goes first in the queue is what interactive jobs feel of the day, not how fast the fleet catches up.
    assert min(found.in_time["Priority with EASY"]) > max(found.in_time["FIFO"])
    assert text.count("±") >= 2 * len(outage.POLICIES) and "nan" not in text


@pytest.mark.parametrize("name", ["fifo", "strict", "easy"])
def test_the_idle_share_that_is_said_of_a_film_is_in_its_rows(name):
    shown = film.showing(Scenario(**PRESETS[name].changes))
    said, played = re.findall(r"([\d.]+) %", shown.caption), shown.film
    half = played.places // 2
    moments = np.linspace(played.begin, played.end, 4000, endpoint=False)
    for number in (0, 1):
        boxes = played.boxes[played.boxes["first"] // half == number]
        line = played.waiting[played.waiting["kind"].str.endswith(f" {number}")]
        present = (boxes["begin"].to_numpy() <= moments[:, None]) & (moments[:, None] < boxes["end"].to_numpy())
        busy = present @ (boxes["last"] - boxes["first"] + 1).to_numpy()
        queue = ((line["begin"].to_numpy() <= moments[:, None]) & (moments[:, None] < line["end"].to_numpy())).any(1)
        idle = float(((half - busy) * queue).mean() / half)
        assert float(said[number]) / 100 == pytest.approx(idle, abs=0.007)
