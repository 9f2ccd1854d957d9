"""The scheduling page, driven as a script would."""

import re

import pytest
from driving import all_text, charts, keys, metrics, unlocked, visit

from lessons import SCHEDULING_POLICY as LESSON

PAGE = "scheduling_policy"
EASY = {"policy_order": "priority", "policy_backfill": "easy"}


def test_from_locked_through_the_test_and_the_challenge_to_the_takeaways():
    app = visit(PAGE)
    assert not app.metric and app.slider(key="policy_reserved").proto.disabled
    app.radio(key="policy_prediction").set_value("b").run()
    app.button(key="policy_lock").click().run()
    assert app.session_state["ledger"]["policy"]["right"] is False
    assert metrics(app)["Offered load"] == "77.9 %" and metrics(app)["Interactive in 5 min"] == "32 %"
    app.button(key="policy_test").click().run()
    assert app.session_state["ledger"]["policy"]["settings"]["order"] == "priority"
    app.button(key="policy_challenge").click().run()
    app.button(key="policy_preset_slice").click().run()
    assert "Not yet: " in all_text(app) and "Won: " not in all_text(app)
    app.slider(key="policy_reserved").set_value(8).run()
    assert "Won: 97.1 % of interactive jobs start on time, and training waits 17.1 h." in all_text(app).replace(
        "\u00a0", " "
    )
    app.radio(key="policy_reflection").set_value("c").run()
    app.button(key="policy_reflection_lock").click().run()
    record = app.session_state["ledger"]["policy"]
    assert record["reflection_right"] is True and LESSON.takeaways[0].split("{")[0] in all_text(app)
    assert not app.exception


def test_ten_training_jobs_a_day_overload_every_policy_and_the_page_says_by_how_much():
    app = unlocked(PAGE)
    app.button(key="policy_preset_ten").click().run()
    assert metrics(app)["Offered load"] == "215 %" and not app.exception
    assert "the backlog grows by at least 28,264 GPU-hours per day" in all_text(app).replace("\u00a0", " ")


@pytest.mark.parametrize("view", [view for view in LESSON.views if view not in ("queue", "week", "film")])
def test_every_part_opens_from_a_link_with_its_own_knobs_and_numbers(view):
    app = unlocked(PAGE, policy_view=view)
    assert not app.exception and metrics(app)
    assert {f"policy_{name}" for name in LESSON.view(view).knobs} <= keys(app)
    assert not re.search(r"\bnan\b|\{[a-z]+[.:]", all_text(app))


def test_a_ranking_follows_its_weights():
    app = unlocked(PAGE, policy_view="score")
    assert "| 1 | Priority, EASY |" in all_text(app)
    app.slider(key="policy_worth_training").set_value(0.0).run()
    app.slider(key="policy_worth_penalty").set_value(0.0).run()
    assert "| 1 | Partitions |" in all_text(app) and not app.exception


def test_settings_of_an_old_link_are_taken_and_old_keys_do_no_harm():
    app = unlocked(PAGE, **EASY, policy_reserved="40", policy_quotas="lent", policy_week="3", policy_fleet="2048")
    assert not app.exception and "Also set: Quotas" in all_text(app)


def test_a_pin_leaves_its_line_on_the_queue():
    app = unlocked(PAGE)
    app.button(key="policy_pin").click().run()
    app.button(key="policy_preset_easy").click().run()
    assert not app.exception and "Pinned 1" in charts(app)[0].alt
