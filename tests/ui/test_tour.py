"""The tour: steps of the picture that explain it, each reachable and true; settings come back."""

import re

import pytest
from driving import (
    AT,
    BROWSER,
    BY_ID,
    after_the_test,
    all_text,
    charts,
    click,
    each_lesson,
    keys,
    metrics,
    put,
    quick,
    unlocked,
    visit,
)

from lessons import LESSONS
from ui.base import own_words
from ui.base.words import LessonError
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, quantities
from ui.page import script
from ui.page.lesson import spotlight, tour
from ui.record import browser_fields, ledger, local_storage

TRAP = BY_ID["trap"]
TOURED = [lesson for lesson in LESSONS if lesson.tour]
with_tour = pytest.mark.parametrize("lesson", TOURED, ids=lambda lesson: lesson.page)


@with_tour
def test_each_step_is_a_state_that_the_page_can_show_and_highlights_something_in_it(lesson):
    assert len(lesson.tour) <= 4
    for stop in lesson.tour:
        settings = quick(lesson, dict(stop.settings))
        knobs = knobs_of(lesson.settings)
        start = quantities(lesson.settings())
        for name, value in stop.settings.items():
            held = knobs[name].in_widget(value)
            if knobs[name].kind == "text":
                assert knobs[name].write(getattr(settings, name)) == held, name
                continue
            assert knobs[name].fit(held, start | dict(stop.settings), None) == held, name
        view = lesson.view(stop.view or lesson.pictures[0].id)
        assert not view.further and set(stop.settings) <= {*view.knobs, *view.also}
        if stop.look.startswith("number "):
            shown = lesson.speaker(view, "metrics")(settings)
            assert 1 <= int(stop.look.removeprefix("number ")) <= len(shown)
        elif stop.look == "beside":
            assert view.beside is not None
        elif stop.look != "sentence":
            figures = view.figures(settings, Look(), guess=None, playing=False)
            assert any(spotlight.rows_of(figure, stop.look) for figure in figures), stop.look


@with_tour
def test_each_step_is_one_sentence_and_gives_no_solution_away(lesson):
    for stop in lesson.tour:
        words = tour.text(lesson, stop)
        assert words.endswith(".") and not re.search(r"[.!?] [A-Z]", words), words
        assert len(words.split()) <= 40, words
        settings = quick(lesson, dict(stop.settings))
        assert not lesson.challenge or not lesson.challenge.judge(settings).good


@with_tour
def test_no_step_is_sent_before_the_explanation_is_earned(lesson):
    for state in (BROWSER, {}):
        text = all_text(unlocked(lesson, state))
        assert not [stop for stop in lesson.tour if tour.text(lesson, stop) in text]


@with_tour
def test_a_script_gets_all_steps_at_once_and_the_lecturers_script_quotes_them(lesson):
    text = all_text(click(unlocked(lesson), f"{lesson.id}_explain"))
    printed = script.to_html(lesson).decode() if lesson.script else ""
    for stop in lesson.tour:
        words = tour.text(lesson, stop)
        assert words in text
        assert not lesson.script or script.escape(words) in printed
    assert not lesson.script or not lesson.script.steps


@with_tour
def test_the_picture_follows_each_step_and_the_settings_that_stood_before_come_back(lesson):
    app = click(unlocked(lesson, BROWSER), f"{lesson.id}_explain")
    knobs = knobs_of(lesson.settings)
    name = next(name for name in lesson.pictures[0].knobs if knobs[name].kind == "slider")
    high = app.slider(key=f"{lesson.id}_{name}").max
    put(app, f"{lesson.id}_{name}", high)
    before = metrics(app)
    kept = app.session_state["ledger"][lesson.id]["settings"]
    for number, stop in enumerate(lesson.tour, 1):
        click(app, f"{lesson.id}_tour_next")
        assert tour.text(lesson, stop) in all_text(app)
        others = [one for one in lesson.tour if one is not stop]
        assert not [one for one in others if tour.text(lesson, one) in all_text(app)]
        for quantity, value in stop.settings.items():
            assert app.session_state[f"{lesson.id}_{quantity}"] == knobs[quantity].in_widget(value)
        assert app.session_state["ledger"][lesson.id]["toured"] == number
        assert app.session_state["ledger"][lesson.id]["settings"] == kept
    assert f"{lesson.id}_tour_next" not in keys(app) and metrics(app) != before
    click(app, f"{lesson.id}_tour_back", f"{lesson.id}_tour_end")
    assert app.session_state[f"{lesson.id}_{name}"] == high and metrics(app) == before
    assert f"{lesson.id}_prediction_others" in keys(app)


def test_a_tour_that_is_left_brings_the_settings_back_on_return():
    app = unlocked(TRAP, after_the_test(TRAP), trap_gpus_per_job="100")
    click(app, "trap_explain", "trap_tour_next", "trap_tour_next", "trap_tour_next")
    assert app.session_state["trap_utilization"] == 80
    app.query_params.clear()  # as a link does
    app.switch_page("pages/glossary.py").run()
    app.switch_page(TRAP.path).run()
    assert app.slider(key="trap_gpus_per_job").value == 100
    assert app.slider(key="trap_utilization").value == 95 and "trap_tour_end" not in keys(app)


def test_a_test_ends_the_tour_and_a_challenge_hides_it():
    app = click(unlocked(TRAP, BROWSER), "trap_explain", "trap_tour_next", "trap_test")
    assert "trap_tour_end" not in keys(app) and "trap_tour_next" in keys(app)
    click(app, "trap_challenge")
    assert "trap_tour_next" not in keys(app)


def test_a_mark_that_a_step_names_glows_and_no_layer_else_changes():
    figure = TRAP.pictures[0].figures(TRAP.settings(), Look())[0]
    lit = spotlight.lit(figure, "here", Look())
    assert len(lit.spec["layer"]) == len(figure.spec["layer"]) + 1
    assert [one for one in lit.spec["layer"] if one in figure.spec["layer"]] == figure.spec["layer"]
    same = spotlight.lit(figure, "no such mark", Look())
    assert same.spec["layer"] == figure.spec["layer"]
    app = click(unlocked(TRAP, BROWSER), "trap_explain", *["trap_tour_next"] * 3)
    assert "datum.role" in charts(app)[0].spec


@each_lesson()
def test_a_lesson_without_a_tour_has_no_keys_of_one(lesson):
    if not lesson.tour:
        shown = keys(click(unlocked(lesson, BROWSER), f"{lesson.id}_explain"))
        assert not [key for key in shown if "_tour" in key]


def test_the_ledger_keeps_how_far_one_got_and_nothing_impossible():
    assert [ledger.toured(TRAP, found) for found in (1, 4, 0, 5, -1, "2", None, True)][:6] == [
        1,
        4,
        0,
        0,
        0,
        0,
    ]
    lesson_fields = browser_fields.of_field(TRAP, "toured", 3)
    assert lesson_fields == {"toured": 3} and browser_fields.of_field(TRAP, "toured", 9) == {
        "toured": 0
    }
    app = visit(TRAP, BROWSER | {"ledger": {"trap": {"toured": 2, "predicted_at": AT}}})
    assert not app.exception and "toured" in local_storage.__doc__


def test_a_course_may_reword_the_tour_but_not_move_it(tmp_path, monkeypatch):
    folder = tmp_path / "utilization_trap"
    folder.mkdir()
    names = TRAP.say.live(TRAP.settings()).keys()
    said = [f'[[tour]]\ntext = "Step {number} in our words."' for number in range(len(TRAP.tour))]
    (folder / "words.toml").write_text("\n\n".join(said), encoding="utf-8")
    words = own_words.merged(tmp_path, "utilization_trap", names)
    assert [stop.text for stop in words.tour] == [f"Step {n} in our words." for n in range(4)]
    assert [stop.settings for stop in words.tour] == [stop.settings for stop in TRAP.tour]
    for wrong in ("\nsettings = { utilization = 0.5 }", '\nlook = "curve"', "\n\n[[tour]]"):
        text = "\n\n".join(said) + wrong
        (folder / "words.toml").write_text(text, encoding="utf-8")
        with pytest.raises(LessonError):
            own_words.merged(tmp_path, "utilization_trap", names)


def test_on_a_phone_the_numbers_that_a_step_speaks_of_come_first():
    phone = after_the_test(TRAP) | {"_agent": "Mozilla/5.0 (Phone) Mobile"}
    app = click(unlocked(TRAP, phone), "trap_explain", "trap_tour_next")
    assert TRAP.tour[0].look == "number 4"
    assert [metric.label for metric in app.metric][:2] == ["GPUs busy", "Jobs at once"]
    styles = [element.proto.body for element in app.get("html")]
    assert any(".st-key-trap_pair > :nth-child(2)" in style for style in styles)
    click(app, "trap_tour_end")
    assert app.metric[0].label == "Mean wait, long run"
