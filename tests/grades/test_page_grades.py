"""The page that collects: files in, judged again, tables out; nothing is kept when they are taken
away.
"""

import pytest
from driving import all_text, click, keys, put, undescribed, visit
from grade_reports import RESULTS, TRAP, WON, packed, written

from lessons import LESSONS
from ui.base import time_slices
from ui.classes import playlist
from ui.grades import files, grades_page


def handed(*files: tuple[str, bytes]):
    app = visit("grades")
    app.file_uploader(key="grades_files").set_value(
        [(name, data, "application/json") for name, data in files]
    )
    return app.run()


def table(app, column="Points"):
    return next(one.value for one in app.dataframe if column in one.value).set_index("File")


def test_the_page_says_what_can_be_forged_and_that_nothing_is_stored():
    text = all_text(visit("grades"))
    assert "Nothing is stored" in text and "can be forged" in text and "times, notes" in text


def test_reports_are_judged_and_a_bad_one_is_refused_with_its_sentence_in_a_table_of_its_own():
    app = handed(
        ("a.json", written({"won": WON})),
        ("b.json", written({"results": RESULTS | {"Mean wait": "1 s"}}, login="b@example.org")),
        ("c.json", b"GIF89a"),
    )
    assert not app.exception and not app.error
    found = table(app)
    assert (
        found.loc["a.json", "Challenges won"] == found.loc["a.json", "Reflections locked in"] == 1
    )
    assert "Mean wait: 1 s, computed 24 min" in found.loc["b.json", "To check"]
    assert list(found.index) == ["a.json", "b.json"]
    assert (
        "not readable JSON" in table(app, "Why").loc["c.json", "Why"]
        and len(table(app, "Why")) == 1
    )
    assert "2 reports read, 1 file refused" in all_text(app)
    assert not undescribed(key for key in keys(app) if key.startswith("grades_"))


def test_a_zip_counts_like_its_reports_and_too_many_are_refused_in_one_sentence(monkeypatch):
    held = packed(*((f"{name}.json", written(login=f"{name}@example.org")) for name in "ab"))
    assert list(table(handed(("all.zip", held))).index) == ["a.json", "b.json"]
    monkeypatch.setattr(files, "MOST_REPORTS", 1)
    app = handed(("all.zip", held))
    assert [error.value for error in app.error] == [
        "More than 1 reports were uploaded at once; upload them in parts."
    ]


def test_a_long_table_is_paged_and_a_long_cell_is_cut(monkeypatch):
    monkeypatch.setattr(grades_page, "PAGE", 2)
    monkeypatch.setattr(grades_page, "MOST_CELL", 20)
    names = [f"{letter}.json" for letter in "abc"]
    app = handed(*((name, written(login=name, results={"Mean wait": "1 s"})) for name in names))
    assert list(table(app).index) == names[:2]
    cells = table(app)["To check"]
    assert all(len(cell) < 60 and cell.endswith("… (the rest is in the CSV)") for cell in cells)
    assert list(table(put(app, "grades_page", 2)).index) == names[2:]
    app.selectbox(key="grades_lesson").select(TRAP.id).run()
    assert len(app.text) == 2 and len(put(app, "grades_note_page", 2).text) == 1
    app.file_uploader(key="grades_files").set_value(
        [(f"{n}.json", b"no", "application/json") for n in "abc"]
    ).run()
    assert list(table(app, "Why").index) == ["a.json", "b.json"] and not app.exception
    assert list(table(put(app, "grades_refused_page", 2), "Why").index) == ["c.json"]
    assert not [frame for frame in app.dataframe if "Points" in frame.value]


def test_points_follow_the_points_of_a_perfect_report():
    app = handed(("a.json", written({"won": WON})))
    before = table(app).loc["a.json", "Points"]
    assert table(put(app, "grades_points", 50)).loc["a.json", "Points"] == pytest.approx(
        before / 2, abs=0.01
    )
    assert '"50"' in app.session_state["_grades"][1].books[1][1], (
        "the grade book was written before"
    )
    app.session_state["grades_weights"] = {
        "edited_rows": {0: {"Weight": 100.0}},
        "added_rows": [],
        "deleted_rows": [],
    }
    app.run()
    assert table(app).loc["a.json", "Points"] > 40


def test_edited_weights_do_not_pass_to_other_lessons():
    app = handed(("a.json", written({"won": WON})))
    core = [lesson.id for lesson in LESSONS if not lesson.theme]
    electives = [lesson.id for lesson in LESSONS if lesson.theme][: len(core)]

    def editor():
        """Identity of the table of weights."""
        return next(one.proto.id for one in app.dataframe if one.value.columns[0] == "Lesson")

    put(app, "grades_assigned", "list")
    put(app, "grades_assigned_lessons", core)
    before = editor()
    put(app, "grades_assigned_lessons", electives)
    assert editor() != before
    put(app, "grades_assigned_lessons", core)
    assert editor() == before


def test_what_is_left_to_compute_is_said_and_goes_on_by_a_button(monkeypatch):
    monkeypatch.setattr(grades_page, "SECONDS", 0.0)
    app = handed(("a.json", written({"won": WON})))
    assert any("1 record not computed again yet" in warning.value for warning in app.warning)
    assert table(app).loc["a.json", "Challenges won"] == 0
    monkeypatch.setattr(grades_page, "SECONDS", 30.0)
    assert (
        not click(app, "grades_go_on").warning and table(app).loc["a.json", "Challenges won"] == 1
    )


def test_a_bad_name_of_the_assignment_is_said_in_one_sentence():
    app = put(handed(("a.json", written())), "grades_assignment", "Final Score")
    assert "Canvas has a column of its own" in app.error[0].value


def test_notes_are_shown_as_they_were_typed():
    note = "<script>alert(1)</script> **bold** $x$ and more of it"
    app = handed(("a.json", written({"note": note}, doubts="![x](http://a.b)")))
    app.selectbox(key="grades_lesson").select(TRAP.id).run()
    assert [text.value for text in app.text] == [
        f"A student\n{note}",
        "A student\n![x](http://a.b)",
    ]


def test_when_the_files_are_taken_away_nothing_of_them_is_left():
    app = handed(("a.json", written()))
    assert "_grades" in app.session_state
    app.file_uploader(key="grades_files").clear().run()
    assert "_grades" not in app.session_state and not app.dataframe


def test_the_staff_page_tells_the_way_and_links_to_the_page():
    app = visit("staff")
    text = all_text(app)
    assert all(f"{number}. " in text for number in range(1, 11)) and "Canvas or Moodle" in text
    assert any(link.proto.page.endswith("grades") for link in app.get("page_link"))


def test_the_staff_page_opens_with_what_to_do_for_tuesday_and_with_honest_minutes():
    app = visit("staff")
    assert app.header[0].value == "Prepare a class in 15 minutes"
    text = all_text(app)
    assert text.index("Rehearse (10 minutes)") < text.index("Print (3 minutes)")
    lengths = [lesson.minutes for lesson in LESSONS]
    assert min(lengths) >= 10 and max(lengths) <= 20
    assert "10 to 20 minutes per lesson" in text
    for name, text in playlist.shipped().items():
        assert playlist.read(text.encode()).minutes == int(name.partition("/")[2])


def test_a_course_is_read_and_counted_in_turns_with_the_other_visitors_long_work(monkeypatch):
    in_turn = []

    def noted(function):
        def note(*args):
            in_turn.append(getattr(time_slices._OF_THREAD, "work", None) is not None)
            return function(*args)

        return note

    monkeypatch.setattr(grades_page, "Course", noted(grades_page.Course))
    monkeypatch.setattr(grades_page.tables, "students", noted(grades_page.tables.students))
    assert not handed(("a.json", written())).exception
    assert len(in_turn) == 2 and all(in_turn)


def test_which_lessons_were_assigned_is_asked_before_the_files_and_decides_the_points():
    app = visit("grades")
    assert app.radio(key="grades_assigned").value == "core" and not app.get("dataframe")
    app = handed(("a.json", written({"won": WON})))
    assert table(app).loc["a.json", "Points"] == pytest.approx(100 / 6, abs=0.01)
    assert table(app).columns[0] == "To check"
    app.radio(key="grades_assigned").set_value("list").run()
    assert app.error[0].value == "Choose at least one lesson that was assigned."
    app.multiselect(key="grades_assigned_lessons").set_value(["trap"]).run()
    assert table(app).loc["a.json", "Points"] == 100.0
