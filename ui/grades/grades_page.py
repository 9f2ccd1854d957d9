"""Page that collects a course's reports: upload, review, and download the tables.

The uploaded reports stay in the memory of this visit. They are read once; a changed weight only
changes the points.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from ui.base import device, state, time_slices, worker_pool
from ui.base.device import button, choice, download, expander, reserved_box
from ui.base.format import count, share
from ui.base.words import Question, fill
from ui.grades import feedback, files, hand_page, tables, what_counts
from ui.grades.course import PARTS, Course, Scheme, Sheet, earned
from ui.grades.tables import KINDS
from ui.record import local_storage, report

#: Processor time for recomputing reports, after an upload and after each press of “Continue” [s].
SECONDS = 15.0
#: Rows of a table or texts on one page, and longest text in a cell [characters], because a table is
#: sent to the browser in one message.
PAGE = 50
MOST_CELL = 500
#: Key in the session: whether the page shows texts to grade by hand instead of the tables.
_BY_HAND = "_grades_by_hand"
#: Tables to download: key, label, and name of the file.
BOOKS = (
    ("csv", "Everything (CSV)", "answers-and-points"),
    ("canvas", "Grade book for Canvas", "canvas-grade-book"),
    ("moodle", "Grade book for Moodle", "moodle-grade-book"),
)
ABOUT = (
    f"Upload the JSON reports of your course, up to {files.MOST_REPORTS}, or one ZIP of them (up "
    f"to {files.MOST_ZIP / 1e6:.0f} MB). The app judges every answer and challenge again, and "
    "computes every result again from its settings. Nothing is stored: the reports stay in the "
    "memory of this visit. Points that you give stay in this browser."
)
FORGED = (
    "**What can be forged.** A report is a file on a student's machine. You have only the "
    "student's word for names, times, notes, and whether the model's answer was seen first. "
    "**What cannot.** Whether an answer is right, what the model finds at the settings, and "
    "whether these win the challenge are decided here, whatever the file says. The numbers "
    "cannot show whether a whole report was copied, so reports from the same browser or with "
    "the same notes are marked. A shared computer causes that, too, so ask before you judge."
)


def draw() -> None:
    """Draw the whole page."""
    st.markdown(ABOUT)
    assigned = what_counts.assigned()
    with reserved_box("grades_files", 84):
        uploads = st.file_uploader(
            "Reports (JSON, or one ZIP)",
            type=["json", "zip"],
            accept_multiple_files=True,
            key="grades_files",
            max_upload_size=files.MOST_ZIP // 1_000_000,
        )
    if not state.get(_BY_HAND):
        st.markdown(FORGED)
    if not uploads:
        state.drop("_grades")
        return
    try:
        _draw_course(uploads, assigned)
    # Too many files, an invalid weight, or an assignment's name that no grade book accepts.
    except ValueError as refusal:
        st.error(fill(str(refusal), {}), icon=":material/block:")
    except (time_slices.TooLong, MemoryError):
        st.error(
            "Unpacking these files takes too long; upload the reports in parts.",
            icon=":material/block:",
        )


def _draw_course(uploads: Sequence, assigned: Collection[str]) -> None:
    """Draw the weights, and the tables of the course or its texts to grade by hand."""
    course = _course(uploads)
    _recompute(course)
    scheme, texts = what_counts.scheme(course, assigned)
    hand_page.restore(texts)
    # A button, because the keys for points do nothing while a choice has the focus.
    if state.get(_BY_HAND):
        icon = ":material/table:"
        button("Back to the tables", "grades_tables", state.drop, _BY_HAND, icon=icon)
        st.markdown(hand_page.ABOUT)
        hand_page.draw(texts)
        hand_page.offer_removal()
        return
    icon = ":material/edit_note:"
    button("Give points by hand", "grades_by_hand_open", state.put, _BY_HAND, True, icon=icon)
    with time_slices.turn():
        _show_students(course, scheme)
        _offer_tables(course, scheme)
        _show_class(course, scheme)


def _first_bytes(upload: Any, limit: int) -> bytes:
    """Return at most so many bytes of an uploaded file."""
    return upload.getvalue()[:limit]


def _course(uploads: Sequence) -> Course:
    """Return the course of the uploaded files, which are read once."""
    ids = [upload.file_id for upload in uploads]
    stored = state.get("_grades")
    if stored and stored[0] == ids:
        return stored[1]
    uploaded = [
        files.File(upload.name, upload.size, partial(_first_bytes, upload)) for upload in uploads
    ]
    reports = worker_pool.compute(files.opened, files.heads(uploaded))
    with time_slices.turn():  # a large course takes seconds to read and to count
        course = Course(reports)
    state.put("_grades", (ids, course))
    state.put("_grades_go_on", True)
    return course


def _recompute(course: Course) -> None:
    """Recompute reports for a limited time, after an upload and after each press of “Continue”."""
    if course.left and state.get("_grades_go_on"):
        records = course.left
        bar = st.progress(0.0, "Computing again")
        for left in course.go_on(SECONDS):
            if left % 50 == 0:
                bar.progress(1 - left / records, f"Computing again: {count(left, 'record')} to go")
        bar.empty()
        state.drop("_grades_go_on")
    if course.left:
        st.warning(
            f"{count(course.left, 'record')} not computed again yet, because simulated lessons "
            "take long. Until then their challenges do not count.",
            icon=":material/hourglass:",
        )
        button(
            "Continue",
            "grades_go_on",
            state.put,
            "_grades_go_on",
            True,
            icon=":material/play_arrow:",
        )


def _show_students(course: Course, scheme: Scheme) -> None:
    """Draw the table of students, and the table of refused files."""
    device.heading("Students")
    st.markdown(
        f"{count(len(course.sheets), 'report')} read, {count(len(course.refused), 'file')} refused."
    )
    if course.sheets:
        for sentence in tables.doubts(course, scheme):
            st.caption(fill(sentence, {}))
        st.dataframe(summary(_page_of(course.sheets, "grades_page"), scheme), hide_index=True)
    if course.refused:
        device.heading("Refused files")
        st.caption("These files get no points. Ask the students to send them again.")
        refused = _page_of(course.refused, "grades_refused_page")
        table = pd.DataFrame(refused, columns=["File", "Why"])
        st.dataframe(table, hide_index=True, column_config={"Why": {"width": "large"}})


def _page_of(rows: Sequence, key: str) -> Sequence:
    """Return the rows of the selected page; draw the selection if there are several pages."""
    pages = math.ceil(len(rows) / PAGE)
    stored = state.get(key)
    if stored and stored > pages > 1:
        state.put(key, pages)  # other files or another lesson have fewer rows
    page = 1
    if pages > 1:
        page = st.number_input(f"Page (1 to {pages})", 1, pages, key=key)
    return rows[PAGE * (page - 1) : PAGE * page]


def summary(sheets: Sequence[Sheet], scheme: Scheme) -> pd.DataFrame:
    """Return a table with one row per report: brief results, and points to check."""
    rows = []
    for sheet in sheets:
        reported, recomputed = scheme.split(sheet)
        doubts = tables.to_look_at(sheet)
        if len(doubts) > MOST_CELL:
            doubts = f"{doubts[:MOST_CELL]}… (the rest is in the CSV)"
        row = {
            tables.LOOK: doubts,
            "Student": sheet.student,
            "Login": sheet.login,
            "Points": round(scheme.points(sheet), 2),
            "Student's word": round(reported, 2),
            "Computed again": round(recomputed, 2),
            "By hand": round(scheme.by_hand(sheet), 2),
        }
        shares = [earned(sheet, lesson) for lesson in scheme.lessons()]
        for part, (title, _) in PARTS.items():
            row[title] = int(sum(share[part] for share in shares))
        rows.append(row | {"File": sheet.file})
    return pd.DataFrame(rows)


def _offer_tables(course: Course, scheme: Scheme) -> None:
    """Draw the downloads of the tables and of the feedback pages."""
    device.heading("Downloads")
    assignment = st.text_input(
        "Assignment in the grade book",
        "Fleet What-If",
        key="grades_assignment",
        max_chars=tables.MOST_ASSIGNMENT,
        help=(
            "Canvas and Moodle add an assignment with this name; with its Canvas id, as in “Name "
            "(123)”, Canvas fills an existing one."
        ),
    )
    name = tables.check_assignment(assignment)
    basis = (scheme, name, course.left)
    # Written only after a change, because a large course takes half a second.
    if course.books[0] != basis:
        rows = (
            tables.students(course, scheme),
            tables.canvas(course, scheme, name),
            tables.moodle(course, scheme, name),
        )
        course.books = basis, [*map(tables.to_csv, rows)]
    with device.row():
        for (key, label, file), book in zip(BOOKS, course.books[1], strict=True):
            download(label, book, f"fleet-what-if-{file}.csv", f"grades_{key}")
    _offer_feedback(course, scheme)
    st.caption(
        "Canvas finds students by their login, or else by their name; a report without either is "
        "left out. In Moodle, map “Email address” to the user's e-mail; a report without an "
        "address is left out. Moodle refuses the file if an address is not exactly that of a user. "
        "Comments are in the column Notes for Canvas, which a course has as soon as you show it "
        "there, and in the column Feedback for Moodle. Of two reports with the same login, the "
        "better one counts."
    )


def _offer_feedback(course: Course, scheme: Scheme) -> None:
    """Draw the button that writes a feedback page per student, and then their download."""
    basis = (scheme, course.left)
    if course.feedback[0] != basis:
        button(
            "Write feedback pages",
            "grades_write_feedback",
            state.put,
            "_grades_write_feedback",
            True,
            icon=":material/edit_note:",
            help="One page for each student: what was right and why, your points, and your "
            "comments.",
        )
    if state.get("_grades_write_feedback"):
        state.drop("_grades_write_feedback")
        course.feedback = basis, feedback.archive(course, scheme)
        st.rerun()
    if course.feedback[0] == basis:
        download(
            "Feedback for each student (ZIP)",
            course.feedback[1],
            "fleet-what-if-feedback.zip",
            "grades_feedback",
        )


def _show_class(course: Course, scheme: Scheme) -> None:
    """Draw a table of all lessons, and the answers, notes, and longer texts of the class."""
    device.heading("The class at a glance")
    st.dataframe(overview(course, scheme), hide_index=True, height="content")
    by_id = {lesson.id: lesson for lesson in scheme.lessons()}
    titles = {name: assigned.title for name, assigned in by_id.items()}
    lesson = by_id[choice("Lesson", "grades_lesson", titles)]
    shares = st.column_config.ProgressColumn(format="percent", min_value=0.0, max_value=1.0)
    votes = tables.counts(course, lesson)
    for question, kinds in ((lesson.prediction, KINDS[:2]), (lesson.reflection, KINDS[2:])):
        st.markdown(fill(f"**{kinds[0]}.** {question.text}", {}))
        answers = bars(question, {kind: votes[kind] for kind in kinds})
        st.dataframe(answers, hide_index=True, column_config=dict.fromkeys(kinds, shares))
    _show_texts(f"Notes on “{lesson.title}”", "note", tables.texts(course, "note", lesson))
    for section in local_storage.WORDS:
        _show_texts(report.TITLES[section], section, tables.texts(course, section))


def bars(question: Question, votes: Mapping[str, Counter]) -> pd.DataFrame:
    """Return a question's answers with their shares in each kind of vote."""
    frame: dict[str, list[Any]] = {
        "Option": [
            question.letter(option.id) + (" (right)" if option.right else "")
            for option in question.options
        ],
        "Answer": [option.text for option in question.options],
    }
    for kind, counts in votes.items():
        total = counts.total()
        if total:
            frame[kind] = [counts[option] / total for option in question.ids]
    return pd.DataFrame(frame)


def overview(course: Course, scheme: Scheme) -> pd.DataFrame:
    """Return one row per assigned lesson: answers, right answers, and the most tempting error."""
    rows = []
    for lesson in scheme.lessons():
        row: dict[str, Any] = {"Lesson": lesson.title}
        votes = tables.counts(course, lesson)
        for kind, counts in votes.items():
            right = report.question_of(lesson, kind).right
            row |= {kind: counts.total(), f"{kind}: right": _share(counts, right)}
        row["Most tempting error"] = "–"
        wrong = tables.tempting(lesson.prediction, votes["Prediction"])
        if wrong:
            letter = lesson.prediction.letter(wrong)
            row["Most tempting error"] = f"{letter}, {_share(votes['Prediction'], wrong)}"
        rows.append(row)
    return pd.DataFrame(rows)


def _share(votes: Counter, option: str) -> str:
    """Return the share of an option in words; "–" without votes."""
    if votes.total():
        return share(votes[option] / votes.total(), 2)
    return "–"


def _show_texts(title: str, section: str, texts: Sequence[tuple[str, str]]) -> None:
    """Draw students' texts in an expander, a page at a time, as plain text without markup."""
    box = expander(f"{title}: {len(texts)}", f"grades_{section}", ":material/notes:")
    if box:
        with box:
            for name, text in _page_of(texts, f"grades_{section}_page"):
                st.text(f"{name}\n{text}")
