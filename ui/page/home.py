"""The home page: the lessons in order, how far the visitor is with each, and where to go on."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ui import films
from ui.base import device
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill
from ui.charts.look import Look
from ui.page import shell, small_fleet
from ui.record import ledger

WELCOME = """
Many people share a fleet of GPUs, the processors that train and run large models. Each lesson asks one question about
it.

1. **Predict.** Read a message, choose an answer, and lock it in. Only then does the model run.
2. **Explore.** Change the settings and watch how the model responds.
3. **Explain.** See what was right and why, and answer one more question.

A wrong guess costs nothing, and it teaches you the most.
"""


def plan() -> str:
    """Say how long a lesson takes, from the shortest to the longest; nothing if no lesson says so."""
    planned = [lesson.minutes for lesson in lessons() if lesson.minutes]
    return f"Each lesson takes {min(planned)} to {max(planned)} minutes. " if planned else ""


def way_on() -> None:
    """Show how many lessons are finished, and the one to open now: the page's one button."""
    found = lessons()
    states = [ledger.progress(lesson) for lesson in found]
    finished, begun = states.count("finished"), states.count("predicted")
    words = f"{finished} of {len(found)} lessons finished"
    if begun:
        words += f", {begun} begun"
    if finished or begun:
        st.progress(finished / len(found), text=f"{words}.")
    if told := _certain(found):
        st.caption(told)
    with st.container(key="onward"):
        _onward(found, states)
    st.caption(f"{len(found)} lessons. {plan()}You can do them in any order.")


def _certain(found: Sequence[Lesson]) -> str:
    """Say how many predictions were right, and how many of those that the visitor was certain of."""
    judged = [record for one in found if isinstance((record := ledger.record(one.id)).get("right"), bool)]
    certain = [record["right"] for record in judged if record.get("sure") == "certain"]
    if not certain:
        return ""
    right = sum(record["right"] for record in judged)
    return f"{right} of {len(judged)} predictions right; {sum(certain)} of your {len(certain)} certain ones."


def _onward(found: Sequence[Lesson], states: Sequence[str]) -> None:
    """Link to the lesson that was begun, else to the first that is new, else to the report."""
    opened = [lesson for lesson, progress in zip(found, states, strict=True) if progress == "predicted"]
    ahead = [lesson for lesson, progress in zip(found, states, strict=True) if progress == "new"]
    if opened:
        shell.link(opened[0].path, f"**Continue: {opened[0].title}**", ":material/arrow_forward:")
    elif ahead:
        words = "Next" if "finished" in states else "Start"
        shell.link(ahead[0].path, f"**{words}: {ahead[0].title}**", ":material/arrow_forward:")
    else:
        shell.link("pages/report.py", "**All done: download your report**", ":material/description:")


def picture(look: Look) -> None:
    """Draw the small fleet that no lesson asks about; for a visitor who has begun none it plays by itself."""
    new = all(ledger.progress(lesson) == "new" for lesson in lessons())
    films.show("home", "fleet", replace(small_fleet.showing(), plays=new), look)


def film(look: Look) -> None:
    """Offer the film of the lesson to go on with, at its opening settings: one whose prediction is locked.

    It is made and sent when the box is opened: a home page that nobody asks for one carries nothing of it.
    """
    begun = next((lesson for lesson in lessons() if ledger.progress(lesson) == "predicted"), None)
    if begun is None or begun.film is None:
        return
    label = f"Watch the animation of “{begun.title}”"
    box, wanted = device.expander(label, f"home_film_{begun.id}", ":material/movie:", answers=True)
    if wanted:
        with box:
            films.show(begun.id, "home", begun.film(begun.settings()), look)


def lesson_rows() -> None:
    """Draw one line a lesson: title, its question, progress."""
    with st.container(gap="xsmall"):
        for number, lesson in enumerate(lessons(), 1):
            _row(number, lesson)


def other_pages() -> None:
    """Link to the pages that are no lessons, in one line."""
    with st.container(horizontal=True):
        for path, (label, icon) in shell.OTHER_PAGES.items():
            if (shell.ROOT / path).exists():
                shell.link(path, label, icon)


def _row(number: int, lesson: Lesson) -> None:
    icon, words = shell.PROGRESS[ledger.progress(lesson)]
    title, question, progress = st.columns([5, 14, 2.6], gap="xxsmall", vertical_alignment="center")
    with title:
        shell.link(lesson.path, f"**{number}. {lesson.title}**", icon)
    question.markdown(fill(lesson.question, {}))
    progress.caption(f"{words.capitalize()}.")
