"""Sentences of the scheduling lesson at knob ends, presets, ties and random settings, against own computations.

The words are made from boards written down here, so that thousands of settings cost no simulation.
"""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lessons.scheduling_policy import LESSON, PRESETS, challenge, charts, effort, runs, verdict
from lessons.scheduling_policy.settings import BACKFILLS, CLASSES, ORDERS, QUOTAS, RULES, Scenario
from physics import constants as k
from physics.fair_queueing import catch_up_time
from physics.scheduling import Policy, pooled_quantile, simulate
from ui.knobs.declared import knobs_of

DAY, HOUR = float(k.DAY), float(k.HOUR)
STORY = Scenario()
EASY = Scenario(order="priority", backfill="easy")
NUMBERS = [name for name in challenge.POLICY + challenge.LOAD if knobs_of(Scenario)[name].constant is not None]
WORST = Scenario(
    backfill="conservative",
    fleet=256,
    training_rate=12 / DAY,
    interactive_rate=10 / HOUR,
    estimates=10.0,
    training_size=1024,
)


def made(share=0.9, late=0.1, lost=0.0, error=0.0, wait=10 * HOUR) -> runs.Board:
    """Make a board with these numbers."""
    table = pd.DataFrame(0.0, index=list(CLASSES), columns=["count", "never_started", "mean_wait"])
    table["share_within_target"], table["share_above_limit"] = share, late
    table["mean_wait"], table["count"] = wait, 100.0
    for name in list(table.columns):
        table[f"{name}_se"] = error
    return runs.Board(table, 16, np.zeros((3, 3)), np.zeros(241), np.zeros(241), lost, error)


def said(scenario, board, decided=None):
    """Return what the verdict says, and whether all is well."""
    found = verdict.verdict(scenario, board, decided)
    return found.text, found.good


def drawn(rng: np.random.Generator) -> Scenario:
    """Draw settings as the knobs give them, their ends as likely as all between."""
    given = {"order": str(rng.choice(list(ORDERS))), "backfill": str(rng.choice(list(BACKFILLS)))}
    for name in NUMBERS:
        values = knobs_of(Scenario)[name].values({})
        given[name] = values[rng.choice([0, -1, int(rng.integers(len(values)))])]
    given["quotas"] = str(rng.choice(["none", "none", *QUOTAS]))
    return replace(STORY, **given, preemption=bool(rng.integers(2)), rule=str(rng.choice(list(RULES))))


# --- quantiles of all waits together ----------------------------------------------------------------------------------
def test_median_and_p95_are_those_of_all_waits_together():
    found, waits = runs.board(replace(STORY, replications=4)), []
    for replication in range(4):
        jobs = runs.schedule(STORY, replication).jobs
        waits.append(jobs.loc[jobs["job_class"] == "interactive", "wait"].to_numpy())
    together = np.concatenate(waits)
    median, p95 = (found.mean("interactive", column) for column in ("median_wait", "p95_wait"))
    assert median == pytest.approx(np.quantile(together, 0.5, method="inverted_cdf"), rel=1e-6)
    assert 0.95 <= (together <= p95 * (1 + 1e-6)).mean() < 0.9505
    # More than half start within 5 minutes if and only if the median is no longer than that.
    assert (found.mean("interactive", "share_within_target") >= 0.5) == (median <= k.INTERACTIVE_TARGET)


def test_the_interval_of_a_pooled_quantile_covers_its_truth_where_replications_differ():
    rng, inside = np.random.default_rng(4), 0
    truth = np.quantile(rng.exponential(1, 200_000) * rng.gamma(9, 1 / 9, 200_000), 0.95)
    for _ in range(200):
        scales = rng.gamma(9, 1 / 9, 16)
        value, half = pooled_quantile([rng.exponential(scale, 200) for scale in scales], 0.95)
        inside += abs(value - truth) < 2.13 * half
    assert 0.85 < inside / 200 < 0.99


def test_pooled_quantiles_of_nothing_of_one_and_of_exact_ties():
    assert all(map(math.isnan, pooled_quantile([[], []], 0.5)))
    value, half = pooled_quantile([[3.0, 1.0]], 0.5)
    assert value == 1.0 and math.isnan(half)
    assert pooled_quantile([np.arange(1, 21)], 0.95)[0] == 19
    assert pooled_quantile([[0, 0, 0], [0, 0, 9]], 0.5) == (0.0, 0.0)
    with pytest.raises(ValueError, match="share must be below 1, got 1"):
        pooled_quantile([[1.0]], 1)


# --- EASY's head ------------------------------------------------------------------------------------------------------
def test_in_order_of_arrival_the_head_is_not_delayed_and_with_priority_a_later_job_takes_its_place():
    jobs = pd.DataFrame(
        {
            "submit": [0.0, 1.0, 5.0],
            "runtime": [10.0, 50.0, 7.0],
            "gpus": [4, 4, 4],
            "job_class": ["training", "training", "interactive"],
        }
    )
    first_reservation = 10.0
    starts = {
        order: simulate(jobs, 4, Policy(order, "easy")).jobs["start"].tolist() for order in ("arrival", "priority")
    }
    assert starts["arrival"][1] == first_reservation and starts["priority"][1] == 17.0
    text = LESSON.derivation[1].text
    assert "In order of arrival, where nothing is preempted, the head is thus never delayed" in text
    assert "With priority or fair share a later job that goes first becomes the head" in text


# --- what opens, and what is said of the message ----------------------------------------------------------------------
def test_the_page_opens_on_the_messages_own_state_not_on_an_answer():
    assert (STORY.order, STORY.backfill) == ("arrival", "none")
    assert next(iter(PRESETS.values())).changes == {}


# --- verdicts ---------------------------------------------------------------------------------------------------------
def calm(monkeypatch, most=2.0):
    """Let every policy carry so much, so that the targets decide what is said."""
    monkeypatch.setattr(verdict, "saturation", lambda scenario: most)


def test_a_verdict_agrees_with_the_targets_at_random_boards_and_exact_ties(monkeypatch):
    calm(monkeypatch)
    shares, lates, losses = (0, 0.5, 0.94999, 0.95, 0.9501, 1), (0, 0.2, 0.2001, 1), (0, 0.02, 0.0201)
    for share, late, lost in itertools.product(shares, lates, losses):
        met = share >= 0.95 and late <= 0.20 and lost <= 0.02
        sentence, good = said(EASY, made(share, late, lost))
        assert good == met == sentence.startswith("All three targets are met on these 16 replications")
        assert ("interactive jobs started" in sentence) == (share < 0.95)
        assert ("training jobs above" in sentence) == (late > 0.20)
        assert ("GPU-hours lost" in sentence) == (lost > 0.02)


def test_without_interactive_jobs_not_all_targets_are_met_and_the_challenge_is_not_won(monkeypatch):
    calm(monkeypatch)
    none = made(share=math.nan)
    sentence, good = said(replace(EASY, interactive_rate=0.0), none)
    assert not good and sentence.startswith("Two of three targets are met") and "not put to the test" in sentence
    assert not challenge.Judgement(32, verdict.conditions(none)).won
    first = verdict.metrics(EASY, none)[0]
    assert (first.value, first.note, first.good) == ("no such jobs", "nothing to meet", None)


def test_a_decided_challenge_is_what_the_verdict_says_and_a_close_call_is_called_one(monkeypatch):
    calm(monkeypatch)
    shown, judged = made(share=0.947, error=0.005), made(share=0.955, error=0.004)
    assert "close call: 32 decide below" in said(EASY, shown)[0]
    assert "close call" not in said(EASY, made(share=0.32, late=0.19, error=0.02))[0]
    sentence, good = said(EASY, shown, (32, verdict.conditions(judged)))
    assert good and "met on the 32 replications that decide" in sentence and "Not there yet" not in sentence


@pytest.mark.parametrize("order", list(ORDERS))
@pytest.mark.parametrize("backfill", list(BACKFILLS))
def test_only_waits_that_grow_are_said_to_depend_on_the_time_simulated(order, backfill, monkeypatch):
    calm(monkeypatch, None)
    text, _ = said(Scenario(order=order, backfill=backfill, training_rate=10 / DAY), made())
    assert ("every wait below" in text) == (order == "arrival" and backfill == "none")
    assert ("training's wait depends" in text) == (order == "priority")
    text, _ = said(Scenario(order=order, backfill=backfill, training_rate=10 / DAY, max_wait=4 * HOUR), made())
    assert "training's wait depends" not in text


@pytest.mark.slow
def test_under_priority_the_upper_classes_keep_up_while_training_does_not():
    early, late = {}, {}
    jobs = runs.simulate(runs.draw(replace(EASY, training_rate=10 / DAY), 0), 1024, EASY.policy).jobs
    for name in CLASSES:
        mine = jobs[jobs["job_class"] == name]
        half = mine["submit"] < 30 * DAY
        early[name], late[name] = mine.loc[half, "wait"].mean(), mine.loc[~half, "wait"].mean()
    assert late["training"] > 2 * early["training"]
    assert late["interactive"] < 2 * early["interactive"] and late["search"] < 2 * early["search"]


@pytest.mark.slow
def test_the_rate_that_a_policy_is_said_to_carry_has_a_queue_that_stays():
    scenario = Scenario(fleet=512, training_rate=12 / DAY)
    rate = runs.carried_rate(scenario)
    assert rate * DAY == pytest.approx(1.5)
    mix = replace(scenario, training_rate=rate).mix
    jobs = runs.sample_jobs(mix, 400 * DAY, np.random.default_rng(5))
    line = simulate(jobs, 512, scenario.policy).timeline
    assert line.loc[line["time"].between(200 * DAY, 400 * DAY), "queue_length"].min() == 0


# --- fair share -------------------------------------------------------------------------------------------------------
def test_past_use_locks_a_team_out_as_long_as_is_said():
    step, half_life = 60.0, 7 * DAY
    decay = 2 ** (-step / half_life)
    first = sum(step * decay**n for n in range(int(30 * DAY / step)))
    second, locked = 0.0, 0.0
    while second < first:
        first, second, locked = first * decay, second * decay + step, locked + step
    assert catch_up_time(30 * DAY, half_life) == pytest.approx(locked, rel=0.001)
    assert "goes last for 6.74 days" in verdict.load_words(Scenario(order="fair_share"))
    assert "Fair share" not in verdict.load_words(STORY)


def test_weights_that_leave_the_order_as_it_is_say_so():
    equal = Scenario(order="fair_share", backfill="easy")
    assert "same order as equal ones (interactive, search, training)" in verdict.load_words(equal)
    other = replace(equal, weight_training=10.0, training_rate=1 / DAY, interactive_rate=10 / HOUR)
    use = {one.name: one.arrival_rate * one.gpu_seconds for one in other.mix}
    use["training"] /= 10
    assert sorted(use, key=use.get) == verdict.by_factor(other) != verdict.by_factor(other, equal=True)
    assert "same order" not in verdict.load_words(other)


# --- how much is simulated --------------------------------------------------------------------------------------------
def test_the_work_of_every_setting_is_bounded_and_what_is_left_out_is_said():
    rng = np.random.default_rng(17)
    for scenario in [WORST, *(drawn(rng) for _ in range(100))]:
        plain = scenario.effective
        days, number = effort.days(plain), effort.runs(plain)
        assert 7 <= days <= 60 and 2 <= number <= 16
        assert effort.cost(plain, days) <= effort.ONE or days == 7
        assert number * effort.cost(plain, days) <= effort.ALL or number == 2
        assert bool(effort.words(plain)) == (days < 60 or number < 16)
    assert effort.days(WORST) < 20 and "days a replication, not 60" in effort.words(WORST)
    assert effort.days(EASY) == 60 and effort.runs(EASY, 64) == 64


def test_fewer_days_are_the_first_days_of_the_same_jobs():
    short, whole = runs.draw(WORST, 0), runs.draw(replace(WORST, backfill="none"), 0)
    assert len(short) < len(whole) and short.equals(whole.iloc[: len(short)])
    assert len(runs.moments(WORST)) == 4 * effort.days(WORST) + 1


# --- the search -------------------------------------------------------------------------------------------------------
def wins(monkeypatch, rule):
    """Let a rule say which settings win."""
    monkeypatch.setattr(challenge, "mends", rule)
    monkeypatch.setattr(challenge.Search, "hopeless", lambda self, name, value: False)


@pytest.mark.parametrize(
    ("rule", "policy", "load_"),
    [
        (lambda s: s.fleet >= 1216 or s.reserved >= 8, "a slice of 8 GPUs", "a fleet of 1,216 GPUs"),
        (lambda s: s.training_rate <= 3 / DAY * 1.0001, "", "3 training jobs a day"),
        (lambda s: s.backfill == "conservative", "backfill “Conservative”", ""),
        (lambda s: s.estimates >= 2, "estimates of 2 times the runtime", ""),
        (lambda s: s.order == "arrival", "the order “Arrival (FIFO)”", ""),
        (lambda s: s.order == "shortest", "the order “Shortest first”", ""),
        (lambda s: 0 < s.max_wait <= 24 * HOUR, "a longest wait of 4 h", ""),
        (lambda s: False, "", ""),
    ],
)
def test_the_smallest_change_is_looked_for_among_all_knobs(monkeypatch, rule, policy, load_):
    wins(monkeypatch, rule)
    found = {}
    for group, names in (("policy", challenge.POLICY), ("load", challenge.LOAD)):
        search = challenge.Search(EASY)
        for name in names:
            search.try_knob(name)
        found[group] = search.best.words if search.best else ""
        assert search.best is None or rule(replace(EASY, **{search.best.name: search.best.value}))
    assert found["policy"].startswith(policy) and bool(found["policy"]) == bool(policy)
    assert found["load"].startswith(load_) and bool(found["load"]) == bool(load_)


def test_shares_are_tried_under_fair_share(monkeypatch):
    wins(monkeypatch, lambda s: s.weight_search >= 3)
    search = challenge.Search(replace(EASY, order="fair_share"))
    for name in challenge.POLICY:
        search.try_knob(name)
    assert search.best.words == "a share of 3 for search"


# --- every setting ----------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("tried", [200, pytest.param(2_000, marks=pytest.mark.nightly)])
def test_no_sentence_contradicts_the_load_at_presets_ends_and_random_settings(monkeypatch, tried):
    rng = np.random.default_rng(2)
    monkeypatch.setattr(verdict, "keeps_up_words", lambda scenario: "")
    scenarios = [replace(STORY, **preset.changes) for preset in PRESETS.values()]
    scenarios += [
        replace(STORY, **{name: knobs_of(Scenario)[name].values({})[end]})
        for name in (*NUMBERS, "seed", "replications")
        for end in (0, -1)
    ]
    for scenario in scenarios + [drawn(rng) for _ in range(tried)]:
        most = float(rng.uniform(0.5, 1.1))
        monkeypatch.setattr(verdict, "saturation", lambda scenario, most=most: most)
        asked = scenario.interactive_rate * 8 * 1800 + 20 / DAY * 20 * 7200
        sizes = np.arange(64, scenario.training_size + 1, 64)
        asked += scenario.training_rate * sizes.mean() * 18 * HOUR
        own = scenario.fleet - scenario.quota_interactive - scenario.quota_search
        slice_ = scenario.reserved if scenario.quotas == "none" else 0
        room = own if scenario.quotas == "own" else scenario.fleet - slice_
        never = scenario.training_rate * sizes[sizes > room].sum() / len(sizes) * 18 * HOUR
        text, good = said(scenario, made(share=0.99))
        text += verdict.feasible_words(scenario) + " ".join(scenario.idle().values()) + verdict.load_words(scenario)
        assert not re.search(r"\bnan\b|\binf\b|−0 |[^\d,.]1 GPUs|[^\d,.]1 trainings|e[-+]\d", text), text
        assert asked / scenario.fleet == pytest.approx(scenario.load)
        assert ("No policy has a steady state" in text) == (asked - never >= scenario.fleet)
        assert ("these never start" in text) == (never > 0 and scenario.load >= 1)
        assert good == (scenario.load <= most and scenario.load < 1)


@pytest.mark.parametrize(
    ("board", "label", "shown"),
    [
        ({"late": 0.20002}, "Training above 48 h", "20.002 %"),
        ({"late": 0.2}, "Training above 48 h", "20 %"),
        ({"share": 0.949998}, "Interactive in 5 min", "94.9998 %"),
    ],
)
def test_a_target_missed_by_a_hair_is_not_written_as_met_to_the_digit(board, label, shown):
    metric = next(one for one in verdict.metrics(STORY, made(**board)) if one.label == label)
    assert metric.value == shown and metric.good is (shown == "20 %")
    assert any(shown in words for _, words in verdict.conditions(made(**board)).values())


def test_a_share_on_the_chart_of_waits_is_not_rounded_up_to_all_or_down_to_none():
    waits = np.tile(np.linspace(0.9, 1, len(runs.WAITS)), (3, 1))
    waits[:, : 1 + int(np.searchsorted(runs.WAITS, 300.0))] = np.array([[0.997], [0.004], [0.5]])
    words = charts.waits_frame(replace(made(), waits=waits)).to_pandas()["label"].dropna().tolist()
    assert {"interactive 99.7 %", "search 0.4 %", "training 50 %"} <= set(words)
