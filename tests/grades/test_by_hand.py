"""Points by hand: one key for each text, equal texts once, and words back to the student."""

import io
import zipfile

import pytest
from driving import all_text, click, keys, put, undescribed, visit
from grade_reports import RECORD, TRAP, WON, course, file, handed, written
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from ui.grades import by_hand, feedback, hand_page, tables
from ui.grades.by_hand import Mark
from ui.grades.course import Scheme

DOUBTS = "Jobs may not arrive at random, and then the line is shorter."
FILES = (
    ("a.json", written({"won": WON}, doubts=DOUBTS)),
    ("b.json", written({"note": RECORD["note"].upper()}, login="b@example.org", name="B")),
    ("c.json", written({"note": "Something else, and <b>loud</b>."}, login="c@example.org")),
)


def graded(**given: Mark) -> tuple:
    """Three reports of which only the trap counts, with marks by part."""
    found = course(*(data for _, data in FILES))
    plain = Scheme(assigned=["trap"])
    texts = by_hand.texts(found.sheets, plain.lessons())
    marks = {text.key: given[text.section] for text in texts if text.section in given}
    return found, Scheme(assigned=["trap"], texts=0.2, marks=marks)


def test_equal_texts_are_one_text_with_everybody_who_wrote_it():
    found = course(*(data for _, data in FILES))
    texts = by_hand.texts(found.sheets, [TRAP])
    assert [(text.section, [sheet.file for sheet in text.sheets]) for text in texts] == [
        ("trap", ["a.json", "b.json"]),
        ("trap", ["c.json"]),
        ("doubts", ["a.json"]),
    ]


def test_the_rubrics_levels_are_worth_two_one_and_no_point():
    for part in ("trap", *by_hand.SECTIONS):
        levels = by_hand.levels(part)
        assert sorted(levels) == [0, 1, 2] and len(set(levels.values())) == 3


def test_points_by_hand_are_a_share_as_soon_as_a_text_has_some():
    found, none = graded()
    assert [none.points(sheet) for sheet in found.sheets] == [100.0, 25.0, 25.0]
    found, scheme = graded(trap=Mark(2), doubts=Mark(1))
    # Three texts are asked: the note, what was rejected, and the doubts; six points at most.
    assert scheme.points(found.sheets[0]) == pytest.approx(80.0 + 20.0 * 3 / 6)
    assert scheme.points(found.sheets[1]) == pytest.approx(0.8 * 25.0 + 20.0 * 2 / 6)
    for sheet in found.sheets:
        assert sum(scheme.split(sheet)) + scheme.by_hand(sheet) == pytest.approx(
            scheme.points(sheet)
        )
    with pytest.raises(ValueError, match="share of the texts"):
        Scheme(texts=1.5)


def test_grade_books_have_points_and_comment_and_no_empty_column():
    found, scheme = graded(trap=Mark(2, "Well said,\n=SUM(A1)"), doubts=Mark(None, "Why?"))
    canvas = tables.canvas(found, scheme, "F")
    assert canvas[0][-2:] == ["F", "Notes"] and canvas[2][-1] == (
        "Notes on “Utilization trap”: 2 of 2. Well said, =SUM(A1) What could still go wrong. Why?"
    )
    moodle = tables.moodle(found, scheme, "F")
    assert moodle[0] == ["Full name", "Email address", "F", "Feedback"]
    assert moodle[2][-1].startswith("Notes on “Utilization trap”: 2 of 2.")
    rows = tables.students(found, scheme)
    student = dict(zip(rows[0], rows[1], strict=True))
    assert student["Utilization trap: Points for notes"] == "2"
    assert student["What could still go wrong: comment"] == "Why?"
    found, scheme = graded()
    assert tables.canvas(found, scheme, "F")[0][-1] == "F"


def test_each_student_gets_a_page_with_what_was_right_why_and_the_graders_words():
    found, scheme = graded(trap=Mark(1, "Which <number>?"))
    with zipfile.ZipFile(io.BytesIO(feedback.archive(found, scheme))) as packed:
        pages = {name: packed.read(name).decode() for name in packed.namelist()}
    assert len(pages) == 3 and "feedback-A-student-2.html" in pages
    page = pages["feedback-B.html"]
    assert "Which &lt;number&gt;?" in page and by_hand.levels("trap")[1] in page
    assert "Prediction, right" in page and "<b>1 of 2 points</b>" in page
    assert "<b>loud</b>" not in "".join(pages.values())
    assert f"{scheme.points(found.sheets[1]):.2f} of 100 points" in page


def test_a_wrong_answer_is_explained_with_the_right_one_beside_it():
    wrong = next(name for name in TRAP.prediction.ids if name != TRAP.prediction.right)
    found = course(written({"prediction": wrong}), written({"prediction": "skipped"}))
    for sheet, words in zip(found.sheets, ("incorrect", "skipped"), strict=True):
        page = feedback.to_html(sheet, Scheme(assigned=["trap"])).decode()
        assert f"Prediction, {words}" in page
        assert TRAP.prediction.option(TRAP.prediction.right).text.replace("'", "&#x27;") in page


@pytest.mark.parametrize("text", ['{"points": 3, "comment": ""}', '{"points": true}', "[]", 7, "{"])
def test_what_a_browser_brings_back_is_checked(text):
    assert by_hand.from_json(text) is None
    assert by_hand.from_json(by_hand.to_json(Mark(0, "No."))) == Mark(0, "No.")


def test_one_key_gives_the_points_and_the_next_text_follows():
    app = visit("grades")
    files = [(name, data, "application/json") for name, data in FILES]
    app.file_uploader(key="grades_files").set_value(files).run()
    assert not undescribed(key for key in keys(app) if key.startswith("grades_"))
    app.radio(key="grades_assigned").set_value("list").run()
    app.multiselect(key="grades_assigned_lessons").set_value(["trap"]).run()
    click(app, "grades_by_hand_open")
    assert "written by 2 students" in all_text(app) and RECORD["note"] in all_text(app)
    [comment] = [key for key in keys(app) if key.startswith("grades_comment_")]
    put(app, comment, "Good.")
    click(app, "grades_give_2")
    assert "Something else" in all_text(app) and "1 of 3 texts graded" in all_text(app)
    click(app, "grades_give_0", "grades_give_1")
    assert "3 of 3 texts graded" in all_text(app)
    click(app, "grades_back_one", "grades_back_one")
    assert RECORD["note"] in all_text(app)
    assert [area.value for area in app.text_area] == ["Good."]
    click(app, "grades_tables")
    found = next(frame.value for frame in app.dataframe if "Points" in frame.value)
    found = found.set_index("File")
    assert found.loc["a.json", "By hand"] == 10.0 and found.loc["c.json", "By hand"] == 0.0
    click(app, "grades_write_feedback")
    assert "grades_feedback" in keys(app)
    click(app, "grades_by_hand_open", "grades_erase")
    assert "0 of 3 texts graded" in all_text(app)


def test_marks_that_were_asked_for_come_back_and_those_of_the_visit_stay(monkeypatch):
    held = {"_grades_marks": {"a": Mark(1)}}
    stored = {"stored": {"marks": {"a": '{"points": 2, "comment": ""}', "b": "no", "c": "{"}}}
    stored["stored"]["marks"] |= dict.fromkeys("de", by_hand.to_json(Mark(2, "Yes.")))
    monkeypatch.setattr(hand_page.state, "get", (held | {"grades_back": stored}).get)
    monkeypatch.setattr(hand_page.state, "put", held.__setitem__)
    hand_page._take(frozenset("abcd"))
    unread = dict.fromkeys("bc", Mark(None))
    assert held["_grades_marks"] == {"a": Mark(1), "d": Mark(2, "Yes.")} | unread


def test_every_lesson_can_be_given_back():
    right = {
        lesson.id: {"prediction": lesson.prediction.right, "reflection": lesson.reflection.right}
        for lesson in LESSONS
        if lesson.id in ("trap", "notebooks", "drf")
    }
    [sheet] = course(written(lessons=right)).sheets
    page = feedback.to_html(sheet, Scheme(assigned=list(right))).decode()
    assert page.count("Prediction, right") == 3 and "{" not in page.split("</style>")[1]


def test_a_mark_without_points_or_words_is_no_comment():
    found, scheme = graded(trap=Mark(None, ""))
    assert by_hand.comment(found.sheets[0], LESSONS, scheme.marks) == ""
    assert tables.canvas(found, scheme, "F")[0][-1] == "F"


def test_feedback_written_before_the_check_names_no_difference():
    sheet = handed(file("a.json", written())).sheets[0]
    page = feedback.to_html(sheet, Scheme(assigned=["trap"])).decode()
    assert "Where the model differs" not in page and "not computed again" not in page


def test_a_comment_that_the_browser_brings_after_the_first_run_is_in_its_field():
    def script():
        from lessons import LESSONS
        from ui.base import state
        from ui.grades import by_hand, hand_page
        from ui.grades.handed import Sheet
        from ui.record import report

        record = {"trap": {"note": "My note."}}
        texts = by_hand.texts([Sheet("a.json", report.blank() | {"lessons": record})], LESSONS)
        hand_page.draw(texts)
        state.put("key", texts[0].key)

    app = AppTest.from_function(script).run()
    app.session_state["_grades_marks"] = {app.session_state["key"]: Mark(None, "Why?")}
    app.run()
    assert not app.exception and app.text_area[0].value == "Why?"
