"""Policy trial driven through AppTest: from the locked question over four acts and fresh trials to the reflection."""

import json

import numpy as np
import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked, visit

from lessons.policy_trial import ACTS, LESSON, PRESETS, VIEWS, bandits, challenge, choices, fresh, needed, often, single
from lessons.policy_trial.settings import PAIRS, RULES, WAYS, Trial
from lessons.policy_trial.weeks import table
from ui.charts.look import Look
from ui.knobs.declared import default_of, knobs_of

BROWSER = {"_agent": "Mozilla/5.0"}


def test_from_the_locked_question_to_the_reflection():
    app = visit("policy_trial")
    assert not app.metric and app.slider(key="trial_weeks").proto.disabled
    app.radio(key="trial_prediction").set_value("b").run()
    app.button(key="trial_lock").click().run()
    assert not app.exception and metrics(app)["Worse looks better"].startswith("31")
    assert "One after the other, 8 weeks of each: the worse looks better in 31" in all_text(app)
    frame = chart_frame(charts(app)[0])
    assert frame[frame.label == "you said: 5 %"][["x", "y"]].to_numpy().tolist() == [[8, 0.05]]
    app.selectbox(key="trial_way").set_value("replay").run()
    assert not app.exception and "All policies meet the same jobs" in all_text(app)
    app.radio(key="trial_reflection").set_value("a").run()
    app.button(key="trial_reflection_lock").click().run()
    record = app.session_state["ledger"]["trial"]
    assert not app.exception and record["right"] is False and record["reflection_right"] is False
    assert record["settings"]["way"] == "replay" and "A fleet has one history" in all_text(app)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_opens_the_act_in_which_it_acts_and_changes_what_is_said_there(preset):
    app = unlocked("policy_trial")
    app.button(key=f"trial_preset_{preset}").click().run()
    assert not app.exception and app.session_state["trial_view"] == PRESETS[preset].view
    changed = Trial(**PRESETS[preset].changes)
    act = ACTS[PRESETS[preset].view]
    assert {one.label: one.value for one in act.metrics(changed)} == metrics(app)
    if PRESETS[preset].changes:
        assert act.metrics(changed) != act.metrics(Trial())


def test_presets_are_settings_that_the_knobs_can_take_and_seven_knobs_are_in_sight():
    knobs = knobs_of(Trial)
    assert sum(knob.place({}) is None for knob in knobs.values()) == 7
    for preset in PRESETS.values():
        for name, value in preset.changes.items():
            assert value in knobs[name].values({}) and type(value) is type(default_of(Trial, name))


def test_the_lead_is_wrong_in_the_trial_of_its_preset_and_right_in_others():
    wrong = Trial(**PRESETS["one"].changes)
    assert single.kept(wrong) == "strict" and single.verdict(wrong).good is False
    numbers = range(1, choices.RUNS + 1)
    kept = [single.kept(Trial(number=number)) for number in numbers]
    assert set(kept) == {"strict", "easy"} and single.verdict(Trial(number=kept.index("easy") + 1)).good is True
    # A pair of runs is one of the trials that are counted, so their share is near that of all.
    assert np.mean([one == "strict" for one in kept]) == pytest.approx(choices.share(Trial()).value, abs=0.15)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("policies", PAIRS)
def test_the_trial_shown_is_made_of_weeks_of_the_table_and_its_mean_is_the_end_of_its_line(way, policies):
    trial = Trial(way=way, policies=policies, weeks=5, number=choices.RUNS)
    frame = single.frame(trial).to_pandas()
    for name, values in single.weekly(trial).items():
        assert len(values) == 5 and np.isin(values, table()[policies if way == "turns" else name]).all()
        line = frame[frame.kind == f"mean {name}"]
        assert line.y.iloc[-1] == pytest.approx(values.mean() / 3600)


def test_every_week_of_the_table_is_inside_the_frame():
    assert max(rows.max() for rows in table().values()) / 3600 < single.TOP
    for way in WAYS:
        for policies in PAIRS:
            assert choices.missed(policies, way, 1) < often.TOP
    for policies in PAIRS:
        assert max(bandits.gaps(Trial(policies=policies))) * bandits.MOST < bandits.TOP
    numbers = [
        needed.number(Trial(way=way, confidence=confidence), hours * 3600.0, r)
        for way in WAYS for confidence in (0.8, 0.99) for hours in (1, 30) for r in (None, 0.0)
    ]  # fmt: skip
    assert needed.FLOOR < min(numbers) < max(numbers) < needed.TOP


def test_the_reflections_answer_waits_for_its_lock():
    secret = choices.interval("two", "after", 26).words, choices.interval("two", "after", 52).words
    for view in VIEWS:
        app = unlocked("policy_trial", BROWSER | {"trial_view": view, "trial_derivation": True})
        said = all_text(app)
        assert not app.exception and not [words for words in secret if words in said]
        if view == "often":
            frame = chart_frame(charts(app)[0])
            assert frame[frame.kind == "path"].x.max() == 8
    told = unlocked("policy_trial", BROWSER | {"reflections": {"trial": "c"}})
    frame = chart_frame(charts(told)[0])
    assert frame[frame.kind == "path"].x.max() == 26 and secret[0] in all_text(told)


def test_what_would_mend_it_is_said_on_request_and_does():
    words = often.remedies(Trial())
    assert (
        words not in all_text(unlocked("policy_trial", BROWSER)) and "one after the other: more than 26 weeks" in words
    )
    n = int(words.split("the same weeks replayed: ")[1].split()[0])
    assert choices.missed("two", "replay", n) <= 0.05 < choices.missed("two", "replay", n - 1)
    assert min(choices.missed("two", "after", weeks) for weeks in range(1, 27)) > 0.05
    assert "5 % of the trials pick the wrong policy here" in often.remedies(Trial(way="replay", weeks=8))


def test_where_trials_are_right_but_too_long_nothing_is_said_to_need_no_fixing_at_all():
    beyond = Trial(policies="three", way="replay", weeks=7)
    assert "21 weeks in all: more than the 20" in challenge.judge(beyond).text
    assert "for that, nothing needs fixing" in often.remedies(beyond)


def test_the_challenge_is_won_by_replaying_and_neither_by_turns_nor_by_one_after_the_other_nor_by_all_the_weeks():
    tried = {
        (way, weeks): challenge.judge(Trial(policies="three", way=way, weeks=weeks))
        for way in WAYS for weeks in (1, 4, 6, 7, 26)
    }  # fmt: skip
    won = {key for key, judged in tried.items() if judged.good}
    assert ("replay", 6) in won and {way for way, _ in won} == {"replay"} and max(weeks for _, weeks in won) == 6
    # Six replayed weeks win whatever the chance in the table, and the other ways lose.
    for way in WAYS:
        found = choices.interval("three", way, 6)
        assert (1 - found.value - found.half > 0.9) if way == "replay" else (1 - found.value + found.half < 0.9)
    assert ("replay", 1) not in won and "more than the 20 there are" in tried["replay", 7].text
    assert "Not begun" in challenge.judge(Trial()).text and challenge.judge(Trial()).good is None


def test_the_challenge_is_won_on_the_page():
    app = unlocked("policy_trial")
    app.button(key="trial_preset_three").click().run()
    assert "Best is missed" in metrics(app) and "Won" not in all_text(app)
    app.selectbox(key="trial_way").set_value("replay").run()
    assert not app.exception and "Won: 18 weeks in all" in all_text(app)


def test_turning_a_knob_keeps_each_specification():
    knobs = ({}, {"way": "turns", "weeks": 26}, {"policies": "three"}, {"difference": 3600.0, "rule": "thompson"})
    for name, act in ACTS.items():
        more = ("b", True) if name == "often" else ()
        specs = {json.dumps(act.figure(Trial(**knob), Look(), *more).spec) for knob in knobs}
        assert len(specs) == 1


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_of_the_bandit_has_its_regret_below_that_of_the_worst_policy(rule):
    trial = Trial(rule=rule, rounds=52)
    regret = bandits.regret(trial)[:, -1].mean()
    assert 0 < regret < 52 * max(bandits.gaps(trial)) < bandits.bound(trial)
    assert RULES[rule] in bandits.verdict(trial).text


def test_knobs_without_effect_say_so():
    assert set(Trial().idle()) == {"epsilon", "explore"}
    assert set(Trial(rule="epsilon_greedy").idle()) == {"explore"}
    assert (bandits.regret(Trial(epsilon=0.5)) == bandits.regret(Trial())).all()


@pytest.mark.parametrize("way", WAYS)
def test_fresh_trials_are_counted_one_by_one(way):
    trial = Trial(way=way, weeks=1)
    found = []
    for one in fresh.start(trial, np.random.default_rng(3)):
        found.append(one)
        if len(found) == 2:
            break
    assert [one.runs for one in found] == [1, 2] and 0 <= found[0].wrong <= found[1].wrong <= 2
    assert "of 2 trials, 95 % interval" in fresh.words(trial, found[1])


def test_wilsons_interval_by_hand():
    low, high = fresh.Fresh(0.0, 20).interval
    assert low == pytest.approx(0, abs=1e-12) and high == pytest.approx(1.96**2 / (20 + 1.96**2), abs=1e-4)
    low, high = fresh.Fresh(10.0, 20).interval
    assert low + high == pytest.approx(1) and low == pytest.approx(0.299, abs=1e-3)  # Wilson 1927; n = 20, p = ½


@pytest.mark.slow
def test_fresh_trials_on_the_page():
    app = unlocked("policy_trial", {"trial_way": "replay"})
    app.button(key="trial_simulate").click().run()
    assert not app.exception and "Fresh:" in all_text(app)
    app.slider(key="trial_weeks").set_value(7).run()
    assert "Fresh:" not in all_text(app)


def test_bad_values_in_the_query_string_are_reported():
    app = unlocked("policy_trial", trial_way="both", trial_weeks="99", trial_confidence="3")
    said = "\n".join(warning.value for warning in app.warning)
    assert not app.exception and all(key in said for key in ("trial_way", "trial_weeks", "trial_confidence"))


def test_views_are_the_acts():
    assert set(VIEWS) == set(ACTS) == set(LESSON.views)
