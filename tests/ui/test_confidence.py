"""How sure a visitor is of a prediction: asked in every lesson, kept with the lock, reported, and
told kindly.
"""

import json

import pytest
from driving import all_text, brought_back, click, keys, lock, put, unlocked, visit

from lessons import LESSONS
from ui.base import state
from ui.record.report import ReportError, read

CERTAIN = "You were certain: that is the kind of surprise"


@pytest.mark.parametrize("lesson", [LESSONS[0], LESSONS[4]], ids=lambda lesson: lesson.id)
def test_confidence_is_optional_locks_with_the_prediction_and_stays(lesson):
    app = visit(lesson.page)
    sure = app.segmented_control(key=f"{lesson.id}_sure")
    assert sure.value is None and list(sure.options) == list(state.SURE.values())
    wrong = next(one for one in lesson.prediction.ids if one != lesson.prediction.right)
    lock(put(app, f"{lesson.id}_sure", "certain"), lesson, wrong)
    assert app.session_state["ledger"][lesson.id][
        "sure"
    ] == "certain" and f"{lesson.id}_sure" not in keys(app)
    app.session_state[f"{lesson.id}_sure"] = "guessing"
    app.run()
    assert app.session_state["ledger"][lesson.id]["sure"] == "certain"
    assert CERTAIN in all_text(click(app, f"{lesson.id}_explain"))
    app.switch_page("pages/report.py").run()
    assert "incorrect, certain" in all_text(app)


@pytest.mark.parametrize("held", [None, "perhaps", 3, ["certain"]])
def test_who_says_nothing_or_nonsense_is_told_nothing_of_it(held):
    app = unlocked("utilization_trap", {"trap_sure": held, "ledger": {"trap": {"sure": held}}}, "a")
    assert not app.exception and CERTAIN not in all_text(click(app, "trap_explain"))


def test_home_counts_the_certain_ones():
    def record(right: bool, sure: str | None = None) -> dict:
        return {"prediction": "a", "right": right} | ({"sure": sure} if sure else {})

    held = [
        record(True, "certain"),
        record(False, "certain"),
        record(True),
        record(True, "guessing"),
    ]
    books = {"ledger": {one.id: kept for one, kept in zip(LESSONS, held, strict=False)}}
    assert "3 of 4 predictions right; 1 of your 2 certain ones." in all_text(visit("app", books))
    books["ledger"] = {LESSONS[0].id: record(True)}
    assert "certain" not in all_text(visit("app", books))


def test_the_browsers_copy_and_the_report_bring_it_back():
    kept = {"answer": "a", "at": "2026-03-01T10:00:00+00:00", "sure": "fairly"}
    held = brought_back({"trap/prediction": kept}).session_state
    assert held["told"]["sure"] == json.loads(held["kept"]["trap/prediction"])["sure"] == "fairly"
    found = held["report"]
    assert found["lessons"]["trap"]["sure"] == "fairly"
    found["lessons"]["trap"]["sure"] = "very"
    with pytest.raises(ReportError, match="a confidence that is not one of the choices"):
        read(json.dumps(found).encode())
