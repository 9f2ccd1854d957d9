"""For instructors: an overview of the course, on a page and as `docs/for-instructors.md`."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import streamlit as st

from ui.base import device
from ui.base.lesson import Lesson, built_on, lessons
from ui.base.words import fill
from ui.page import shell
from ui.record import sheet

TITLE = "For instructors"
SAYS = tomllib.loads(Path(__file__).with_name("instructors.toml").read_text(encoding="utf-8"))


def draw() -> None:
    """Draw the page below its title."""
    st.markdown(SAYS["opening"])
    st.header("Objectives", anchor=False)
    st.markdown(sheet.markdown(objectives()))
    st.header("Prerequisites", anchor=False)
    st.markdown(SAYS["prerequisites"])
    st.header("A plan for two weeks", anchor=False)
    st.markdown(SAYS["plan"])
    st.header("Misconceptions", anchor=False)
    st.markdown(SAYS["misconceptions"])
    for lesson in lessons():
        key = f"instructors_{lesson.id}"
        if lesson.staff and (box := device.expander(lesson.title, key, answers=True)):
            box.markdown(_list(misconceptions(lesson)))
    st.header("Exam questions", anchor=False)
    st.markdown(SAYS["exam"])
    with st.container(horizontal=True):
        shell.link("pages/exam.py", "Exam questions", ":material/quiz:")
        shell.link("pages/rubric.py", "Rubric and exemplar reports", ":material/checklist:")
        shell.link("pages/staff.py", "For staff", ":material/school:")
    st.header("Pictures for your slides", anchor=False)
    st.markdown(SAYS["slides"])
    st.header("What each elective adds", anchor=False)
    st.markdown(SAYS["electives"])
    st.markdown(sheet.markdown(electives()))
    st.header("How the course fits the book", anchor=False)
    st.markdown(SAYS["book"])
    st.markdown(sheet.markdown(book()))


def objectives() -> list[tuple[str, ...]]:
    """Return the learning objectives of each core lesson, as rows below a header."""
    rows: list[tuple[str, ...]] = [("lesson", "afterwards a student can", "minutes alone")]
    for lesson in lessons():
        if not lesson.theme:
            rows.append((lesson.title, _able(lesson), str(lesson.minutes)))
    return rows


def electives() -> list[tuple[str, ...]]:
    """Return the topic and prerequisites of each elective, as rows below a header."""
    rows: list[tuple[str, ...]] = []
    rows.append(("theme", "elective", "afterwards a student can", "builds on", "minutes alone"))
    for lesson in lessons():
        if lesson.theme:
            needed = built_on(lesson) or "–"
            minutes = str(lesson.minutes)
            rows.append((lesson.theme, lesson.title, _able(lesson), needed, minutes))
    return rows


def book() -> list[tuple[str, ...]]:
    """Return the lessons for each draft lab of the book, as rows below a header."""
    rows: list[tuple[str, ...]] = [("lesson", "draft lab")]
    for lesson in lessons():
        if lesson.drafted:
            volume, _, lab = lesson.drafted.chapter.removeprefix("v").partition("_")
            rows.append((lesson.title, f"volume {volume}, lab {lab}"))
    return rows


def misconceptions(lesson: Lesson) -> list[str]:
    """Return students' usual answers and why wrong ones tempt, with the lesson's numbers."""
    values = lesson.values(lesson.settings())
    sentences = [fill(text, values) for text in lesson.staff.heard] if lesson.staff else []
    for name, why in lesson.script.tempts.items() if lesson.script else ():
        answer = lesson.prediction.option(name).text
        sentences.append(f"“{fill(answer, values)}” {fill(why, values)}")
    return sentences


def document(chosen: Sequence[Lesson]) -> str:
    """Write the page as `docs/for-instructors.md`, for these lessons in their order."""
    return "\n\n".join(_parts(chosen)) + "\n"


def _parts(chosen: Sequence[Lesson]) -> Iterator[str]:
    yield f"# {TITLE}"
    yield SAYS["opening"].strip()
    yield f"## Objectives\n\n{sheet.markdown(objectives())}"
    yield f"## Prerequisites\n\n{SAYS['prerequisites'].strip()}"
    yield f"## A plan for two weeks\n\n{SAYS['plan'].strip()}"
    yield f"## Misconceptions\n\n{SAYS['misconceptions'].strip()}"
    for lesson in chosen:
        yield f"### {lesson.title}\n\n{_list(misconceptions(lesson))}"
    yield f"## Exam questions\n\n{SAYS['exam'].strip()}"
    yield f"## Pictures for your slides\n\n{SAYS['slides'].strip()}"
    yield f"## What each elective adds\n\n{SAYS['electives'].strip()}\n\n{sheet.markdown(electives())}"
    yield f"## How the course fits the book\n\n{SAYS['book'].strip()}\n\n{sheet.markdown(book())}"


def _able(lesson: Lesson) -> str:
    """Return a lesson's objective as what a student can do."""
    return lesson.objective.removeprefix("You can ").replace("|", "\\|")


def _list(points: Sequence[str]) -> str:
    return "\n".join(f"- {point}" for point in points)
