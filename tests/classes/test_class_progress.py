"""How far a class is: counted for those who joined it while it is open, numbers only, none below
five.
"""

from driving import all_text, click, keys, lock

from lessons import LESSONS
from polls import rule, store
from ui.base.lesson import Challenge, Verdict
from ui.classes import results


def locked(student, lesson=LESSONS[0]):
    """Let a student lock a prediction on a lesson's page."""
    student.switch_page(lesson.path).run()
    return lock(student, lesson)


def shown(page):
    return next(
        frame.value for frame in page.dataframe if "challenge won" in frame.value
    ).set_index("lesson")


def test_who_joined_is_counted_step_by_step_and_nobody_else(come, database, code):
    stranger = locked(come(travels=True))
    assert "_class_told" not in stranger.session_state and store.progress(database, code) == {}
    student = come(travels=True, class_=code)
    assert "the app counts how many of you" in all_text(student)
    locked(student)
    assert store.progress(database, code) == {
        "trap": {store.PREDICTED: 1, store.FINISHED: 0, store.WON: 0}
    }
    lock(student, LESSONS[0], "a", "reflection")
    assert store.progress(database, code)["trap"] == {
        store.PREDICTED: 1,
        store.FINISHED: 1,
        store.WON: 0,
    }
    student.switch_page("pages/class_poll.py").run()
    click(student, "class_leave")
    locked(student, LESSONS[1])
    assert set(store.progress(database, code)) == {"trap"}


def test_what_was_done_before_is_counted_on_joining_and_a_skipped_question_is_not(
    come, database, code
):
    student = come()
    student.session_state["predictions"] = {"trap": "c", "io": "skipped"}
    student.query_params["class"] = code
    student.run()
    assert store.progress(database, code) == {
        "trap": {store.PREDICTED: 1, store.FINISHED: 0, store.WON: 0}
    }


def test_a_challenge_that_is_won_is_counted(come, database, monkeypatch, code):
    student = locked(come(travels=True, class_=code))
    assert not store.progress(database, code)["trap"][store.WON]
    judge = property(lambda challenge: lambda settings: Verdict("Won.", True))
    monkeypatch.setattr(Challenge, "judge", judge, raising=False)
    student.run()
    assert store.progress(database, code)["trap"][store.WON] == 1


def test_a_number_below_five_is_not_shown_to_the_presenter(database, presenter, code):
    for person in range(rule.FEWEST):
        steps = store.PREDICTED + store.FINISHED * (person > 0)
        store.note_progress(database, code, f"{person:032x}", {"trap": steps})
    row = shown(presenter.run()).loc[LESSONS[0].title]
    assert list(row) == ["5", "fewer than 5", "fewer than 5"]
    assert list(results.progress({})["predicted"]) == ["fewer than 5"] * len(LESSONS)
    assert (
        not shown(presenter)
        .drop(LESSONS[0].title)
        .map(lambda text: text != "fewer than 5")
        .any()
        .any()
    )


def test_a_class_that_has_ended_leaves_the_lessons_alone(
    come, database, monkeypatch, presenter, code
):
    student = come(travels=True, class_=code)
    click(presenter, "class_end", "class_end_yes", "class_delete", "class_delete_yes")
    monkeypatch.setattr("ui.record.polls.MAX_AGE", 0.0)
    locked(student)
    assert "_class_joined" not in student.session_state and "trap_reflection" in keys(student)
