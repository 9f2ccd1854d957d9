"""The page on notebook sharing through AppTest: from the lock to the end, its further parts."""

import json

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked, visit

from lessons import NOTEBOOK_SHARING as LESSON

PAGE, BROWSER = "notebook_sharing", {"_agent": "Mozilla/5.0"}


def test_from_the_locked_question_to_the_end():
    app = visit(PAGE)
    assert not app.metric and not charts(app)
    app.radio(key="notebooks_prediction").set_value("b").run()
    app.button(key="notebooks_lock").click().run()
    assert metrics(app) == {"Notebook 1 done": "60 s", "Notebook 2 done": "120 s", "Mean slowdown": "1.5"}
    app.slider(key="notebooks_second_start").set_value(30).run()
    assert metrics(app)["Mean slowdown"] == "1.25"
    app.radio(key="notebooks_reflection").set_value("b").run()
    app.button(key="notebooks_reflection_lock").click().run()
    assert not app.exception
    record = app.session_state["ledger"]["notebooks"]
    assert record["right"] is True and record["reflection_right"] is True
    assert record["settings"]["second_start"] == 30 and record["results"]["Notebook 1 done"] == "60 s"


def test_the_measures_are_named_only_after_they_have_been_seen():
    app = unlocked(PAGE, BROWSER)
    assert "Mean slowdown" in metrics(app)
    assert not [word for word in ("ANTT", "STP") if word in all_text(app)]
    app.button(key="notebooks_explain").click().run()
    assert "(ANTT)" in all_text(app) and "(STP)" in all_text(app)


@pytest.mark.parametrize("option", "abcd")
def test_a_test_of_the_prediction_sets_its_case_and_says_what_the_model_found(option):
    app = unlocked(PAGE, BROWSER, answer=option)
    app.button(key="notebooks_test").click().run()
    test = LESSON.prediction.option(option).test
    assert not app.exception and test.look in all_text(app)
    for name, value in test.settings.items():
        assert app.slider(key=f"notebooks_{name}").value == value


@pytest.mark.parametrize("view", [view.id for view in LESSON.pictures])
def test_every_part_draws_one_chart_with_its_sentence(view):
    app = unlocked(PAGE, {"notebooks_view": view}, notebooks_overhead="2", notebooks_loss="10")
    drawn = charts(app)
    assert not app.exception and len(drawn) == 1 and drawn[0].title and drawn[0].alt
    layers = len(json.loads(drawn[0].spec)["layer"])
    assert layers <= 10 and len(chart_frame(drawn[0])) < 700


def test_the_first_picture_has_one_data_set_and_few_marks_at_a_time_below_the_handle():
    drawn = charts(unlocked(PAGE))[0]
    spec, rows = json.loads(drawn.spec), chart_frame(drawn)
    assert len(spec["layer"]) == 6 and [layer["name"] for layer in spec["layer"][-2:]] == ["grab", "dot"]
    assert all(len(rows[rows["at"].isin([-1, at])]) < 40 for at in rows["at"])


def test_the_challenge_is_won_on_the_page():
    app = unlocked(PAGE, BROWSER)
    app.button(key="notebooks_challenge").click().run()
    assert "Not yet: notebook 2 is done 40 s later" in all_text(app)
    assert "goal for 1" in set(chart_frame(charts(app)[0]).label)
    app.slider(key="notebooks_second_start").set_value(40).run()
    assert not app.exception and "Won: notebook 1 is done 20 s sooner" in all_text(app)
    assert "won" in app.session_state["ledger"]["notebooks"]
