"""Overview of the course for instructors, as a page and as `docs/for-instructors.md`."""

from collections.abc import Iterator, Sequence

import streamlit as st

from physics.texts import toml_beside
from ui.base import device
from ui.base.lesson import Lesson, built_on, lessons
from ui.base.words import fill
from ui.page import shell
from ui.record import sheet

TITLE = "For instructors"
MISCONCEPTIONS = "Misconceptions"
EXAM = "Exam questions"
SAYS = toml_beside(__file__, "instructors.toml")


def draw() -> None:
    """Draw the page below its title."""
    st.markdown(SAYS["opening"])
    for title, text in _sections():
        device.heading(title)
        st.markdown(text)
        if title == MISCONCEPTIONS:
            for lesson in lessons():
                key = f"instructors_{lesson.id}"
                if lesson.staff and (box := device.expander(lesson.title, key, answers=True)):
                    box.markdown(_list(misconceptions(lesson)))
        elif title == EXAM:
            with device.row():
                shell.link("pages/exam.py", "Exam questions", ":material/quiz:")
                shell.link("pages/rubric.py", "Rubric and exemplar reports", ":material/checklist:")
                shell.link("pages/staff.py", "For staff", ":material/school:")


def document(chosen: Sequence[Lesson]) -> str:
    """Write the page as `docs/for-instructors.md`, with the given lessons in their order."""
    parts = [f"# {TITLE}", SAYS["opening"].strip()]
    for title, text in _sections():
        parts.append(f"## {title}\n\n{text.strip()}")
        if title == MISCONCEPTIONS:
            for lesson in chosen:
                parts.append(f"### {lesson.title}\n\n{_list(misconceptions(lesson))}")
    return "\n\n".join(parts) + "\n"


def _sections() -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each section, as Markdown."""
    yield "Objectives", sheet.markdown(objectives())
    yield "Prerequisites", SAYS["prerequisites"]
    yield "A plan for two weeks", SAYS["plan"]
    yield MISCONCEPTIONS, SAYS["misconceptions"]
    yield EXAM, SAYS["exam"]
    yield "Pictures for your slides", SAYS["slides"]
    yield "What each elective adds", f"{SAYS['electives'].strip()}\n\n{sheet.markdown(electives())}"
    yield "How the course fits the book", f"{SAYS['book'].strip()}\n\n{sheet.markdown(book())}"


def objectives() -> Sequence[tuple[str, ...]]:
    """Return the learning objectives of each core lesson, as rows below a header."""
    rows = [("lesson", "afterwards a student can", "self-study (min)")]
    for lesson in lessons():
        if not lesson.theme:
            rows.append((lesson.title, _able(lesson), str(lesson.minutes)))
    return rows


def electives() -> Sequence[tuple[str, ...]]:
    """Return the topic and prerequisites of each elective, as rows below a header."""
    rows = [("theme", "elective", "afterwards a student can", "builds on", "self-study (min)")]
    for lesson in lessons():
        if lesson.theme:
            needed = built_on(lesson) or "–"
            row = (lesson.theme, lesson.title, _able(lesson), needed, str(lesson.minutes))
            rows.append(row)
    return rows


def book() -> Sequence[tuple[str, ...]]:
    """Return the lessons for each draft lab of the book, as rows below a header."""
    rows = [("lesson", "draft lab")]
    for lesson in lessons():
        if lesson.drafted:
            volume, _, lab = lesson.drafted.chapter.removeprefix("v").partition("_")
            rows.append((lesson.title, f"volume {volume}, lab {lab}"))
    return rows


def misconceptions(lesson: Lesson) -> list[str]:
    """Return students' usual answers and why wrong ones tempt, with the lesson's numbers."""
    values = lesson.values(lesson.settings())
    sentences = []
    if lesson.staff:
        sentences += [fill(text, values) for text in lesson.staff.heard]
    if lesson.script:
        for option, reason in lesson.script.tempts.items():
            answer = fill(lesson.prediction.option(option).text, values).removesuffix(".")
            sentences.append(f"“{answer}.” {fill(reason, values)}")
    return sentences


def _able(lesson: Lesson) -> str:
    """Return a lesson's objective without "You can", for a cell of a Markdown table."""
    return lesson.objective.removeprefix("You can ").replace("|", "\\|")


def _list(points: Sequence[str]) -> str:
    """Return a Markdown list."""
    return "\n".join(f"- {point}" for point in points)
