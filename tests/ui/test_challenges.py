"""Every challenge is won by turning knobs alone, not before, and by a judge that hears of the same settings."""

import re

import pytest
from driving import BY_ID, all_text, unlocked
from winning import WINS, way

from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of

WON = re.compile(r"\bWon\b")


def test_there_is_a_way_for_every_challenge():
    assert set(WINS) == set(BY_ID)


def do(app, lesson: Lesson, what: str, value: object) -> None:
    """Do one step of the way as a script does: press a button, or turn a knob to a value [SI]."""
    if what == "button":
        app.button(key=f"{lesson.id}_{value}").click()
    elif knobs_of(lesson.settings)[what].kind == "text":
        app.session_state[f"{lesson.id}_{what}"] = value
    else:
        declared, key = knobs_of(lesson.settings)[what], f"{lesson.id}_{what}"
        number = value if declared.options or declared.kind == "toggle" else declared.nearest(value, {})
        kind = {"steps": "select_slider", "choice": "selectbox", "number": "number_input"}.get(declared.kind)
        kind = "segmented_control" if declared.kind == "segmented" else kind or declared.kind
        getattr(app, kind)(key=key).set_value(number)
    app.run()


@pytest.mark.slow
@pytest.mark.parametrize("name", WINS)
def test_a_challenge_is_won_by_turning_knobs_alone(name):
    lesson = BY_ID[name]
    wrong = next(answer for answer in lesson.prediction.ids if answer != lesson.prediction.right)
    app = unlocked(lesson.page, answer=wrong)
    assert not WON.search(all_text(app))
    for what, value in way(name):
        do(app, lesson, what, value)
    assert WON.search(all_text(app)) and not app.exception
