"""The tables: harmless cells, Canvas's and Moodle's rules for columns, and the class at a
glance.
"""

import csv
import io
import os
import re
import subprocess
import sys

import pytest
from driving import ROOT
from grade_reports import RECORD, RESULTS, TRAP, WON, course, written
from hypothesis import given
from hypothesis import strategies as st_
from long_work import ends_within

from lessons import LESSONS
from ui.grades import tables
from ui.grades.__main__ import main
from ui.grades.course import Scheme

WRONG = [one for one in TRAP.prediction.ids if one != TRAP.prediction.right]


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_a_row_a_student_says_what_was_answered_and_what_is_right():
    rows = tables.students(course(written({"won": WON, "second": WRONG[0]}), b"{"), Scheme())
    student, refused = (dict(zip(rows[0], row, strict=True)) for row in rows[1:])
    assert (student["Name"], student["Login"], student["File"]) == (
        "A student",
        "a@example.org",
        "a.json",
    )
    said = {
        "Prediction": TRAP.prediction.letter(RECORD["prediction"]),
        "Prediction: right": "right",
        "Reflection: right": "right",
        "Second vote in class": TRAP.prediction.letter(WRONG[0]),
        "Second vote in class: right": "incorrect",
        "Challenge": "won",
        "Finished": "yes",
        "Differences": "",
    }
    assert {name: student[f"{TRAP.title}: {name}"] for name in said} == said
    assert float(student["Points"]) == pytest.approx(100 / len(LESSONS), abs=0.01)
    assert "not readable JSON" in refused["Refused because"] and refused["Points"] == ""
    assert len(set(rows[0])) == len(rows[0])


@pytest.mark.parametrize("start", ["=", "\t@"])
def test_no_cell_begins_a_formula(start):
    names = {"name": f"{start}HYPERLINK(1)"[:80], "login": f"{start}cmd"}
    found = course(written(**names))
    for rows in (tables.students(found, Scheme()), tables.canvas(found, Scheme(), "Fleet")):
        cells = [cell for row in rows_of(tables.to_csv(rows)) for cell in row]
        assert any("HYPERLINK" in cell for cell in cells)
        assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@＝")]


def test_the_grade_book_has_the_columns_by_which_canvas_knows_students_and_points():
    found = course(
        written({"won": WON}),
        written(name="B", login=""),
        written(name="", login="c"),
        written(name="", login=""),
        b"no report",
    )
    rows = rows_of(tables.to_csv(tables.canvas(found, Scheme(total=24.0), "Fleet What-If (4711)")))
    # The importer knows the header by its first cells, and takes what follows the section for
    # assignments.
    assert rows[0] == [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "Fleet What-If (4711)",
    ]
    assert "Points Possible" in rows[1][0] and rows[1][1:] == ["", "", "", "", "24"]
    assert [(row[0], row[3]) for row in rows[2:]] == [
        ("A student", "a@example.org"),
        ("B", ""),
        ("c", "c"),
    ]
    assert all(len(row) == 6 and row[1] == row[2] == row[4] == "" for row in rows[2:])
    assert all(re.fullmatch(r"\d+\.\d\d", row[5]) and float(row[5]) <= 24 for row in rows[2:])


def test_the_grade_book_for_moodle_has_a_row_for_each_address_and_none_without():
    found = course(written(), written(login="b"), written(login=""), b"no report")
    rows = rows_of(tables.to_csv(tables.moodle(found, Scheme(), "Fleet What-If")))
    assert rows[0] == ["Full name", "Email address", "Fleet What-If"]
    assert [row[:2] for row in rows[1:]] == [["A student", "a@example.org"]]
    assert (
        0 <= float(rows[1][2]) <= 100
    )  # Moodle refuses more than 100 unless its administrator allows it


def test_of_two_reports_with_one_login_the_better_one_is_in_the_grade_book():
    found = course(
        written({"won": WON}), written(lessons={}, name="Somebody else", login="A@example.org")
    )
    for rows in (tables.canvas(found, Scheme(), "F")[2:], tables.moodle(found, Scheme(), "F")[1:]):
        assert len(rows) == 1 and rows[0][0] == "A student" and float(rows[0][-1]) > 0
    assert len(tables.students(found, Scheme())) == 3


@pytest.mark.parametrize("name", ["  ", "x" * 101, "a\nb", "Final Score", "Section", "Notes"])
def test_an_assignment_that_canvas_would_not_take_is_refused_in_one_sentence(name):
    with pytest.raises(ValueError, match=r"^The assignment (needs|cannot)"):
        tables.check_assignment(name)


def test_the_class_at_a_glance_counts_answers_before_and_after_and_what_tempted_most():
    answers = [WRONG[1], WRONG[1], WRONG[0], TRAP.prediction.right, "skipped"]
    found = course(
        *(written({"prediction": one, "second": TRAP.prediction.right}) for one in answers)
    )
    first, second, _ = tables.counts(found, TRAP).values()
    assert first == {WRONG[1]: 2, WRONG[0]: 1, TRAP.prediction.right: 1}
    assert (
        second == {TRAP.prediction.right: 5} and tables.tempting(TRAP.prediction, first) == WRONG[1]
    )
    assert tables.tempting(TRAP.prediction, second) is None


def test_notes_are_listed_by_lesson_with_whoever_wrote_them():
    found = course(
        written(), written({"note": ""}), written(name="", login="", doubts="The arrivals.")
    )
    assert tables.texts(found, "note", TRAP) == [
        ("A student", RECORD["note"]),
        ("c.json", RECORD["note"]),
    ]
    assert tables.texts(found, "doubts") == [("c.json", "The arrivals.")] and not tables.texts(
        found, "rejected"
    )


def test_the_command_writes_the_table_and_names_what_is_bad(tmp_path, capsys):
    (tmp_path / "a.json").write_bytes(written())
    (tmp_path / "b.json").write_bytes(
        written({"results": RESULTS | {"Mean wait": "1 s"}}, login="b@example.org")
    )
    (tmp_path / "c.json").write_bytes(b"{")
    files = [str(tmp_path / f"{name}.json") for name in "abc"]
    assert main(files) == 0
    said = capsys.readouterr()
    assert len(rows_of(said.out)) == 4 and "Mean wait: 1 s, computed 24 min" in said.out
    assert said.err == "3 files: 2 reports, 1 refused\n"
    assert (
        main([*files, "--moodle", "Fleet", "--weights", "trap=2,io=0", "--parts", "challenge=0"])
        == 0
    )
    assert len(rows_of(capsys.readouterr().out)) == 3
    for bad in (
        ["--weights", "mars=1"],
        ["--weights", "trap"],
        ["--canvas", "Final Score"],
        ["--canvas", ""],
        ["--moodle", ""],
        ["missing.json"],
    ):
        assert main([*files, *bad]) == 2
        said = capsys.readouterr()
        assert not said.out and said.err.startswith("ui.grades: ") and said.err.count("\n") == 1


@pytest.mark.slow
def test_the_command_waits_for_no_pipe(tmp_path, capsys):
    os.mkfifo(tmp_path / "a.json")
    with ends_within(5):
        assert main([str(tmp_path / "a.json")]) == 2
    assert "is no regular file" in capsys.readouterr().err


def test_the_command_can_be_redirected_into_a_file(tmp_path):
    (tmp_path / "a.json").write_bytes(written())
    command = [sys.executable, "-m", "ui.grades", str(tmp_path / "a.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(rows_of(done.stdout)) == 2 and done.stderr.count("\n") == 1


def test_the_command_writes_a_file_name_that_is_no_text_with_escapes(tmp_path, capsys):
    path = os.fsdecode(bytes(tmp_path) + b"/\xff.json")
    with open(path, "wb") as report:
        report.write(written())
    assert main([path]) == 0
    [_, row] = rows_of(capsys.readouterr().out.encode().decode())
    assert row[1].endswith("/\\udcff.json")


PIECES = st_.text(alphabet=" \t\r\n;=+-@\uff0bab\u00a0", max_size=12)


@given(PIECES)
def test_exactly_what_begins_a_cell_or_a_piece_of_it_gets_an_apostrophe(text):
    looked_for = r"(^|[;\t\r\n])(\s*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])"
    assert tables.harmless(text) == re.sub(looked_for, r"\1\2'", text)


def test_a_cell_of_nothing_but_space_is_read_once():
    # Read anew at each of its characters this takes the time of the whole suite, and no other page
    # is drawn meanwhile.
    assert tables.harmless("\t" * 300_000 + "=1") == "\t" * 300_000 + "'=1"


def test_copies_and_forgeries_are_the_first_column():
    found = course(written(), written({"results": RESULTS | {"Mean wait": "1 s"}}, login="b"))
    rows = tables.students(found, Scheme())
    assert rows[0][0] == "To check" and rows[1][0].startswith("Same notes")
    assert "Mean wait: 1 s, computed 24 min" in rows[2][0]


def test_the_command_takes_the_lessons_that_were_assigned(tmp_path, capsys):
    path = tmp_path / "a.json"
    path.write_bytes(written({"won": WON}))
    points = []
    for asked in ([], ["--core"], ["--lessons", "trap"]):
        assert main([*asked, str(path)]) == 0
        rows = rows_of(capsys.readouterr().out)
        points.append(float(dict(zip(rows[0], rows[1], strict=True))["Points"]))
    core = [lesson for lesson in LESSONS if not lesson.theme]
    assert points == pytest.approx([100 / len(LESSONS), 100 / len(core), 100.0], abs=0.01)
    assert main(["--lessons", "mars", str(path)]) == 2
    assert "no lesson called mars" in capsys.readouterr().err
