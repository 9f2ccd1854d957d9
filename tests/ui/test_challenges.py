"""Every challenge is won by turning knobs alone, not before, and by a judge that hears of the same
settings.
"""

import re

import pytest
from driving import BY_ID, all_text, click, put, unlocked
from winning import WINS, way

from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of

WON = re.compile(r"\bWon\b")


def test_there_is_a_way_for_every_challenge():
    assert set(WINS) == set(BY_ID)


def do(app, lesson: Lesson, what: str, value: object) -> None:
    """Do one step of the way as a script does: press a button, or turn a knob to a value [SI]."""
    key = f"{lesson.id}_{value if what == 'button' else what}"
    if what == "button":
        click(app, key)
    elif (declared := knobs_of(lesson.settings)[what]).kind == "text":
        app.session_state[key] = value
        app.run()
    else:
        put(
            app,
            key,
            value if declared.options or declared.kind == "toggle" else declared.nearest(value, {}),
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", WINS)
def test_a_challenge_is_won_by_turning_knobs_alone(name):
    lesson = BY_ID[name]
    wrong = next(answer for answer in lesson.prediction.ids if answer != lesson.prediction.right)
    app = unlocked(lesson.page, answer=wrong)
    assert not WON.search(all_text(app))
    for what, value in way(name):
        do(app, lesson, what, value)
    assert WON.search(all_text(app))
