"""The curtain: what a prediction asks for is sent once the prediction is tested, or anything
moved.
"""

import re

import pytest
from driving import (
    AT,
    BROWSER,
    BY_ID,
    after_the_test,
    all_text,
    chart_frame,
    charts,
    click,
    each_lesson,
    elements,
    keys,
    metrics,
    put,
    sent,
    turn,
    unlocked,
    visit,
)

from lessons import LESSONS
from ui.base.lesson.curtain import ASKED
from ui.charts.look import Look
from ui.knobs.widgets import Knobs

TRAP = BY_ID["trap"]
#: What a page says in words and numbers; a setting's own values are no answer.
SAID = ("markdown", "caption", "metric", "html", "alert", "table", "arrow_data_frame")


def hidden(lesson) -> list:
    """The headline numbers of the message's case that the prediction asks for."""
    shown = lesson.metrics(lesson.settings())
    behind = lesson.pictures[0].curtain.metrics(shown)
    return [one for one, seen in zip(shown, behind, strict=True) if seen.value == ASKED]


def said(app) -> str:
    """Everything that the page says, on its charts, too, other than in settings."""
    spoken = [str(one.proto) for one in elements(app) if one.type in SAID]
    written = [chart_frame(chart).to_csv() for chart in charts(app)]
    return "\n".join([*spoken, *written]).replace("\\302\\240", " ").replace("\u00a0", " ")


def mentions(text: str, number: str) -> bool:
    return bool(re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d.,]\d|\d)", text))


@each_lesson()
def test_the_asked_numbers_are_not_sent_before_the_test(lesson):
    app = unlocked(lesson, BROWSER)
    asked = hidden(lesson)
    text = said(app)
    assert asked and not app.exception
    assert list(metrics(app).values()).count(ASKED) == len(asked)
    for metric in asked:
        # A lone digit stands everywhere.
        assert len(metric.value) < 4 or not mentions(text, metric.value), metric.value
    verdict = lesson.verdict(lesson.settings()).text
    assert verdict not in text and ASKED in text
    assert "The model:" not in text
    gone = {f"{lesson.id}_{name}" for name in ("view", "pin", "derivation", "remedies")}
    gone |= {f"{lesson.id}_part_{name}" for name in lesson.parts}
    assert not gone & keys(app)
    assert not [key for key in keys(app) if key.endswith("_table")]
    assert not app.session_state["ledger"][lesson.id].get("results")


@each_lesson()
def test_the_answer_stands_on_the_picture_and_nothing_of_the_model_s(lesson):
    """Without the answer's own marks only those are left that the lesson has named."""
    view = lesson.pictures[0]
    for chart in charts(unlocked(lesson, BROWSER)):
        rows = chart_frame(chart)
        stays = view.curtain.stays
        labels = rows["label"].dropna() if "label" in rows else []
        named = [one for one in labels if one.startswith(tuple(stays)) or "label" in stays]
        others = [one for one in labels if one not in named and "you said" not in one]
        lines = {line.words for line in view.figures(lesson.settings(), Look())[0].levels}
        assert not [one for one in others if one.strip() not in {word.strip() for word in lines}]


@each_lesson("nightly")
@pytest.mark.parametrize("way", ["test", "explain", "challenge", "preset", "turn"])
def test_each_first_step_raises_the_curtain_for_good(lesson, way):
    app = unlocked(lesson, BROWSER)
    if way == "turn":
        turn(app, lesson) if app.slider else click(app, f"{lesson.id}_test")
    elif way == "preset":
        app.session_state[f"{lesson.id}_presets"] = True
        click(app.run(), f"{lesson.id}_preset_{next(iter(lesson.presets))}")
    else:
        click(app, f"{lesson.id}_{way}")
    assert ASKED not in metrics(app).values() and not app.exception
    assert "tested" in app.session_state["ledger"][lesson.id]["steps"]
    again = unlocked(lesson, after_the_test(lesson))
    assert ASKED not in metrics(again).values()


def test_only_a_test_says_what_the_test_has_found():
    app = turn(unlocked(TRAP, BROWSER), TRAP)
    assert "Test my prediction" in [button.label for button in app.button]
    click(app, "trap_test")
    assert "Test again" in [button.label for button in app.button]


def test_a_link_opens_on_the_message_s_case_and_its_settings_come_with_the_first_press():
    app = unlocked(TRAP, BROWSER, trap_gpus_per_job="64", trap_view="film")
    assert app.slider(key="trap_gpus_per_job").value == 64
    assert metrics(app)["Jobs at once"] == "4" and ASKED in metrics(app).values()
    click(app, "trap_explain")
    assert ASKED not in metrics(app).values() and app.session_state["trap_view"] == "film"
    put(app, "trap_view", "wait")
    assert metrics(app)["Jobs at once"] == "16"


def test_a_press_in_the_picture_raises_it_even_where_it_moves_nothing():
    calls = []
    knobs = Knobs("trap", True, {}, False, TRAP.settings, moved=lambda: calls.append("moved"))
    grab = TRAP.pictures[0].figures(TRAP.settings(), Look())[0].grab
    knobs.turn(grab, TRAP.settings(), 0.95)
    assert calls == ["moved"] and knobs.again().moved is knobs.moved


def test_a_script_sees_all_numbers_after_the_lock_and_a_lecturer_after_a_press():
    assert metrics(unlocked(TRAP))["Mean wait, long run"] == "4.46 h"
    app = click(visit(TRAP, BROWSER, present="1"), "trap_skip")
    assert metrics(app)["Mean wait, long run"] == ASKED
    assert metrics(click(app, "trap_test"))["Mean wait, long run"] != ASKED


def test_neither_home_nor_the_report_tells_what_is_held_back():
    state = BROWSER | {"predictions": {"trap": "a"}, "ledger": {"trap": {"predicted_at": AT}}}
    app = unlocked(TRAP, state)
    for page in ("app.py", "pages/report.py"):
        app.switch_page(page).run()
        assert not app.exception
        assert "4.46 h" not in sent(app) + all_text(app)


def test_every_lesson_names_which_of_its_numbers_are_asked_for():
    for lesson in LESSONS:
        curtain = lesson.pictures[0].curtain
        shown = lesson.metrics(lesson.settings())
        assert curtain.tiles and max(curtain.tiles) <= len(shown), lesson.id
