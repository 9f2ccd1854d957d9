"""The presenter's remote: what the hall does not see. Controls, clock, notes, the next step, the bars beforehand."""

from collections.abc import Iterator

import streamlit as st

from polls import store
from polls.store import Poll
from ui.base.device import unbroken
from ui.base.words import fill, literal
from ui.charts.look import Look
from ui.classes import present, rights, screen
from ui.classes.lecture import Lecture
from ui.classes.playlist import SCENES


def draw(poll: Poll, look: Look) -> str:
    """Draw the remote of a class that this visitor presents, and return what is shown."""
    lecture = Lecture.now(poll)
    screen.mark_rehearsal(poll)
    rights.show_pin()
    screen.keys(lecture, clock=True)
    kept = present.way(lecture)
    with st.container(horizontal=True, key="class_steps"):
        present.steps(lecture, remote=True)
    _live(lecture, look)
    if notes := list(_notes(lecture)):
        st.markdown("**Notes**")
        st.markdown("\n".join(f"- {unbroken(one)}" for one in notes))
    _all(lecture)
    present.two_screens(lecture)
    present.manage(lecture, kept)
    return lecture.shown


def _live(lecture: Lecture, look: Look) -> None:
    """Draw count and bars as they come in."""
    asked, poll = lecture.asked, lecture.poll

    def said(number: int) -> None:
        if lecture.step.do in SCENES:
            return
        present.count(poll, number)
        if lecture.step.do == "question":
            return
        found = lecture.outcome(asked, early=True)
        screen.few(found)
        if found.right:
            st.markdown(unbroken(f"{found.verdict()} {found.certainty()}".strip()))
        screen.chart(found, True, look)

    screen.watch(lecture, said)


def _notes(lecture: Lecture) -> Iterator[str]:
    """What a lecturer may say at this step: the playlist's own note, then the lesson's."""
    step, asked = lecture.step, lecture.asked
    if step.notes:
        yield literal(step.notes)
    if step.do == "animation":
        yield step.scene()[1].module.showing(step.scene()[2]).caption
    elif step.do == "picture":
        lesson, view, settings = step.scene()
        yield fill(lesson.speaker(view, "verdict")(settings).text, {})
    elif asked.lesson is not None:
        lesson, values = asked.lesson, asked.lesson.values(asked.lesson.settings())
        question = lesson.prediction if asked.locks else lesson.reflection
        if step.do == "discussion" and lesson.staff and asked.locks:
            yield from (fill(text, values) for text in lesson.staff.heard)
        elif lecture.poll.phase == store.REVEALED:
            for one in sorted(question.options, key=lambda one: one.id != asked.right):
                yield f"**{asked.letter(one.id)}** {fill(one.feedback, values)}"


def _all(lecture: Lecture) -> None:
    """Draw, folded, all steps, each as the way to it."""
    with st.expander("All steps", icon=":material/list:", key="class_plan_steps"):
        total = f", {lecture.plan.minutes:g} min" if lecture.plan.minutes else ""
        st.caption(f"{literal(lecture.plan.title) or 'The steps of this question'}{total}")
        for number, step in enumerate(lecture.plan.steps):
            minutes = f" ({step.minutes:g} min)" if step.minutes else ""
            here = {"disabled": number == lecture.place, "on_click": lecture.go, "args": (number,)}
            st.button(f"{number + 1}. {step.label}{minutes}", key=f"class_step_{number}", type="tertiary", **here)
