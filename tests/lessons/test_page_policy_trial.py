"""Policy trial driven through AppTest: the lead's trials, the row that they make, and what is sent
when.
"""

import json

import numpy as np
import pytest
from driving import all_text, chart_frame, charts, keys, unlocked
from framed import ends

from lessons.policy_trial import carry, choices, lead, needed, often, trials
from lessons.policy_trial.laboratory import bandits
from lessons.policy_trial.settings import WAYS, Trial
from lessons.policy_trial.trials import Played
from lessons.policy_trial.weeks import table
from ui.charts.look import Look

BROWSER = {"_agent": "Mozilla/5.0"}


def press(app, name: str):
    """Press one of the lesson's buttons."""
    app.button(key=f"trial_{name}").click().run()
    assert not app.exception
    return app


def played(app) -> list[Played]:
    """The trials that the ledger holds."""
    return trials.read(app.session_state["ledger"]["trial"].get("own", ""))


def kept(trials: str) -> dict:
    """The state of a visitor who has played these trials."""
    return {"ledger": {"trial": {"own": trials}}}


def some_trials(*, right: bool, many: int, way: str = "after") -> list[Played]:
    """Trials in which the shorter mean keeps the better policy, or the worse one."""
    found = (Played(seed) for seed in range(10_000))
    return [one for one in found if one.better(one.shorter(way)) == right][:many]


def test_a_trial_hides_the_names_until_it_is_decided_and_then_counts():
    app = unlocked("policy_trial", BROWSER)
    assert (
        "Trial 1 has not been run yet; it takes 8 weeks of each policy."
        in chart_frame(charts(app)[0]).label.tolist()
    )
    press(app, "run")
    (one,) = played(app)
    labels = chart_frame(charts(app)[0]).label.dropna()
    assert not one.kept and labels.str.startswith(("Policy A: mean", "Policy B: mean")).all()
    assert "Which policy do you keep?" in all_text(app) and "Ten trials fill this row." in all_text(
        app
    )
    frame = chart_frame(charts(app)[0])
    for letter, values in one.weeks("after").items():
        assert frame[frame.kind == f"week {letter}"].y.tolist() == pytest.approx(
            (values / 3600).tolist()
        )
        assert frame[frame.kind == f"mean {letter}"].y.iloc[-1] == pytest.approx(
            values.mean() / 3600
        )
    press(app, "keep_b")
    (one,) = played(app)
    text = all_text(app)
    assert one.kept == "b"
    assert f"You kept B, {lead.NAMES[one.names['B']]}" in text
    assert f"You kept the worse policy in {0 if one.better(one.kept) else 1} of 1 trial." in text
    assert any(
        f"B is {lead.NAMES[one.names['B']]}, kept" in str(label)
        for label in chart_frame(charts(app)[0]).label
    )


def test_after_three_the_shorter_mean_may_decide_the_others_and_ten_make_the_row():
    app = unlocked("policy_trial", kept("1a 2b"))
    assert "trial_rest" not in keys(app)
    app = unlocked("policy_trial", kept("1a 2b 3a"))
    press(app, "rest")
    row = played(app)
    assert len(row) == trials.MOST and [one.seed for one in row[:3]] == [1, 2, 3]
    assert all(one.kept == one.shorter("after") for one in row[3:])
    wrong = sum(not one.better(one.kept) for one in row)
    assert (
        f"You kept the worse policy in {wrong} of 10 trials. Over all possible trials"
        in all_text(app)
    )
    assert (
        not {"trial_run", "trial_rest", "trial_keep_a"} & keys(app)
        and app.slider(key="trial_number").value == 10
    )
    press(app, "again")
    assert len(played(app)) == 1 and "trial_keep_a" in keys(app)


def test_with_the_same_weeks_the_errors_of_a_row_vanish():
    wrong = [Played(one.seed, one.shorter("after")) for one in some_trials(right=False, many=10)]
    app = press(unlocked("policy_trial", kept(trials.write(wrong))), "replay")
    assert app.selectbox(key="trial_way").value == "replay"
    assert "You kept the worse policy in 10 of 10 trials" in all_text(app)
    again = sum(not one.better(one.shorter("replay")) for one in wrong)
    counted = f"the worse policy would have the shorter mean in {again} of 10 trials"
    assert again == 0 and counted in all_text(app)
    better = next(letter for letter in "AB" if wrong[0].better(letter))
    assert (
        f"the worse policy**. In this kind of trial, policy {better} has the shorter mean wait."
        in all_text(app)
    )
    frame = chart_frame(charts(app)[0])
    assert (
        frame[frame.kind == "week A"].x.to_numpy() == frame[frame.kind == "week B"].x.to_numpy()
    ).all()
    # Not because replaying is always right: among all trials there are some in which it is wrong,
    # too.
    assert some_trials(right=False, many=1, way="replay")


def test_the_slider_goes_back_to_any_trial_and_an_undecided_one_waits():
    app = unlocked("policy_trial", kept("1a 2b 3"))
    assert (
        app.slider(key="trial_number").value == 1
        and app.button(key="trial_run").label == "Back to trial 3"
    )
    press(app, "run")
    assert app.slider(key="trial_number").value == 3 and "trial_keep_a" in keys(app)
    app.slider(key="trial_number").set_value(2).run()
    assert (
        f"You kept B, {lead.NAMES[Played(2).names['B']]}" in all_text(app) and len(played(app)) == 3
    )
    press(app, "reset")
    assert len(played(app)) == 3


def test_what_was_played_comes_back_with_the_browsers_copy_and_goes_with_a_reset_of_the_lesson():
    def script():
        import streamlit as st

        from ui.base import lesson, state
        from ui.record import ledger, local_storage

        local_storage.restore({"trial/own": '"17a 5"', "trap/own": "[1]"})
        found = ledger.own("trial"), ledger.own("trap"), local_storage.fields(None).get("trial/own")
        local_storage.erase(next(one for one in lesson.lessons() if one.id == "trial"))
        st.json([*found, ledger.own("trial"), bool(state.read(state.LEDGER))])

    from streamlit.testing.v1 import AppTest

    app = AppTest.from_function(script).run()
    assert json.loads(app.json[0].value) == ["17a 5", "", '"17a 5"', "", False]
    app = unlocked("policy_trial", kept("<script> 99999999a 4z"))
    assert played(app) == [] and "trial_run" in keys(app)


def test_a_chart_fills_week_by_week_while_its_trial_is_undecided_and_stands_still_afterwards():
    def names(text: str, way: str) -> set[str]:
        layers = lead.figure(Trial(way=way), Look(), text).spec["layer"]
        return {
            layer["name"].split("_")[1]
            for layer in layers
            if layer.get("name", "").startswith("filling")
        }

    assert names("5", "after") == {"first", "second", "last"}
    assert names("5", "replay") == names("5", "turns") == {"both", "last"}
    assert names("5a", "after") == names("", "after") == set()


def test_two_means_that_differ_never_look_alike_and_no_week_leaves_the_frame():
    for seed in range(300):
        for way in WAYS:
            found = Played(seed).weeks(way)
            told = lead.written(found)
            assert (told["A"] == told["B"]) == (found["A"].mean() == found["B"].mean())
    close = {"A": np.full(8, 20.81 * 3600), "B": np.full(8, 20.84 * 3600)}
    assert len(set(lead.written(close).values())) == 2
    assert max(rows.max() for rows in table().values()) / 3600 < lead.TOP
    assert max(choices.missed(way, 1) for way in WAYS) < ends(often.figure(Trial(), Look()))[1]
    longest = Trial(rounds=bandits.MOST)
    assert longest.bandit.worst / 3600 < ends(bandits.figure(longest, Look()))[1]
    numbers = [
        Trial(difference=hours * 3600.0, confidence=confidence).needed_for(hours * 3600.0, r)
        for confidence in (0.8, 0.99)
        for hours in (1, 30)
        for r in (0.0, Trial().r)
    ]
    floor, top = ends(needed.figure(Trial(), Look()))
    assert floor < min(numbers) < max(numbers) < top


def test_the_curve_beyond_the_chosen_weeks_waits_for_the_reflection():
    near, far = (
        often.figure(Trial(), Look(), told=told).frame.query("kind == 'path'")
        for told in (False, True)
    )
    assert near.x.max() == 8 and far.x.max() == 26 and far.y.iloc[-1] == choices.missed("after", 26)


def test_the_goal_is_drawn_where_the_challenge_is_won():
    drawn = carry.figure(Trial(block=8, skipped=4), Look(), playing=True)
    (goal,) = drawn.frame[drawn.frame["kind"] == "goal"].itertuples()
    assert goal.y < Trial(block=8, skipped=4).alternated.strict / 3600
    drawn = carry.figure(Trial(), Look(), playing=True)
    (goal,) = drawn.frame[drawn.frame["kind"] == "goal"].itertuples()
    assert goal.y > Trial().alternated.strict / 3600


def test_the_explanation_comes_after_ten_trials_and_not_after_the_first():
    app = unlocked("policy_trial", BROWSER)
    for number in range(1, 4):
        press(app, "run")
        press(app, "keep_a")
        assert set(app.session_state["ledger"]["trial"]["steps"]) == {"tested"}, number
        assert "Over all possible trials" not in all_text(app)
    press(app, "rest")
    assert set(app.session_state["ledger"]["trial"]["steps"]) == {"tested", "explained"}
    assert "Over all possible trials" in all_text(app)


def test_the_replay_says_that_it_needs_a_simulator():
    app = unlocked("policy_trial", kept("1a"))
    assert "simulator" in " ".join(app.selectbox(key="trial_way").options)
    app.selectbox(key="trial_way").set_value("replay").run()
    assert "A replay needs a simulator" in all_text(app) and "in a simulator" in all_text(app)


def test_no_point_of_alternating_policies_leaves_the_frame():
    for block in (1, 2, 4, 8):
        figure = carry.figure(Trial(block=block), Look())
        drawn = figure.frame
        assert drawn.x.max() <= carry.END + 0.5
        assert 0 < drawn.y.min() < drawn.y.max() < ends(figure)[1]
