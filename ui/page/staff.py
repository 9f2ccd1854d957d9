"""Staff page: plans of the lessons with live numbers, links, keys, and deployment."""

import streamlit as st

from physics.texts import toml_beside
from ui.base import device, own_words
from ui.base.lesson import Lesson, lessons
from ui.base.words import Staff, fill, literal
from ui.page import script, shell

#: Texts of the page, by section.
SAYS = toml_beside(__file__, "staff.toml")


def draw() -> None:
    """Draw the staff page below its title."""
    device.heading("Prepare a class in 15 minutes")
    # With this width nothing below moves if the style sheet loads after the text.
    st.markdown(SAYS["tuesday"], width=560)
    with device.row():
        shell.link("pages/class_poll.py", "Class", ":material/groups:")
    _section("What to know", "opening", "projector")
    device.heading("The lessons")
    for lesson in lessons():
        if lesson.staff:
            # The plan has the right answer, so it is sent only when it is opened.
            box = device.expander(lesson.title, f"staff_{lesson.id}", answers=True)
            if box:
                with box:
                    _plan(lesson, lesson.staff)
    _section("From a link to grades", "grades")
    with device.row():
        shell.link("pages/grades.py", "Grades", ":material/grading:")
        shell.link("pages/rubric.py", "Rubric and exemplar reports", ":material/checklist:")
    _section("Links", "links")
    _section("Your own texts", "own_words")
    titles = [lesson.title for lesson in lessons() if lesson.page in own_words.USED]
    if titles:
        st.markdown(f"Lessons with texts of this course: {', '.join(titles)}.")
    for sentence in own_words.REFUSED:
        st.warning(f"Not used: {literal(sentence)}", icon=":material/warning:")
    _section("Putting it on the web", "deploying")


def _section(title: str, *texts: str) -> None:
    """Draw a heading and the texts of `SAYS` with these names."""
    device.heading(title)
    for name in texts:
        st.markdown(SAYS[name])


def _plan(lesson: Lesson, staff: Staff) -> None:
    """Draw a lesson's plans for 10 and 30 minutes, what students usually say, and its script."""
    values = lesson.values(lesson.settings())
    st.markdown(fill(f"**In 10 minutes.** {staff.ten}", values))
    st.markdown(fill(f"**In 30 minutes.** {staff.thirty}", values))
    st.markdown("**What students usually say**")
    st.markdown("\n".join(f"- {fill(text, values)}" for text in staff.heard))
    st.caption(fill(f"Right: {lesson.prediction.answer.text}"))
    if lesson.script:
        device.download(
            "Speaker's script to print (HTML)",
            script.to_html(lesson),
            f"speakers-script-{lesson.page}.html",
            f"staff_{lesson.id}_script",
            icon=":material/print:",
            help="What to ask in a lecture, what you will hear, what to press, and what to say.",
        )
