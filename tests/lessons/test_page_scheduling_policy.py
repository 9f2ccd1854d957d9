"""The scheduling page, driven as a script would."""

import re

import pytest
from driving import all_text, keys, metrics, unlocked

from lessons import SCHEDULING_POLICY as LESSON

PAGE = "scheduling_policy"


def test_the_page_opens_on_the_messages_numbers():
    app = unlocked(PAGE, answer="b")
    assert metrics(app)["Offered load"] == "77.9%" and metrics(app)["Interactive in 5 min"] == "32%"
    app.button(key="policy_test").click().run()
    assert app.session_state["ledger"]["policy"]["settings"]["order"] == "priority" and not app.exception


def test_ten_training_jobs_a_day_overload_every_policy_and_the_page_says_by_how_much():
    app = unlocked(PAGE)
    app.button(key="policy_preset_ten").click().run()
    assert metrics(app)["Offered load"] == "215%" and not app.exception
    assert "the backlog grows by at least 28,264 GPU-hours per day" in all_text(app).replace("\u00a0", " ")


def test_the_drafts_values_are_set_by_its_preset_and_twenty_jobs_an_hour_by_hand():
    app = unlocked(PAGE)
    app.button(key="policy_preset_draft").click().run()
    assert metrics(app)["Offered load"] == "192%"
    settings = app.session_state["ledger"]["policy"]["settings"]
    assert (settings["training_gpus"], settings["weight_interactive"], settings["weight_search"]) == ("256", 5, 3)
    assert "Also set: Size of training jobs: 256 GPUs" in all_text(app)
    app.slider(key="policy_interactive_rate").set_value(20.0).run()
    assert metrics(app)["Offered load"] == "199%" and not app.exception


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
