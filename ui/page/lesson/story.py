"""Sections below a lesson's picture: explanation, challenge, reflection, fix, and parts.

`page` is the `Page` of `ui.page.lesson_page`, which draws itself with the help of this module.
"""

from typing import Any

import streamlit as st

from ui.base import device
from ui.base.device import line, render_text
from ui.page import class_answers, prediction
from ui.page.lesson import tour
from ui.record import ledger, recall


def explain(page: Any) -> None:
    """Draw the explanation or, until it is unlocked, the button that requests it."""
    lesson = page.lesson
    with page.explanation:
        if page.open.explained:
            page.note(lesson.prediction.options)
            if lesson.tour:
                tour.explain(page)
            else:
                prediction.explain(lesson, page.values)
            class_answers.words(lesson, page.class_winners)
            return
        with line(f"{lesson.id}_explain_line"):
            style = {"icon": ":material/lightbulb:"}
            if page.look.present:
                style["shortcut"] = "e"
            key = f"{lesson.id}_explain"
            device.button("Show the explanation", key, page.ask_why, **style)
            if not page.look.present:
                text = "The explanation appears once you test your prediction or change a setting."
                st.caption(text, width="stretch")


def challenge(page: Any) -> None:
    """Draw the challenge's task and the button that starts it."""
    lesson = page.lesson
    if lesson.challenge is None:
        return
    device.heading("Challenge")
    with line(f"{lesson.id}_challenge_line"):
        st.markdown(render_text(lesson.challenge.task()), width="stretch")
        label = "Start the challenge"
        style = {"icon": ":material/flag:", "disabled": page.playing}
        if "won" in ledger.record(lesson.id):
            label = "Play again"
            style = {"icon": ":material/emoji_events:"}
        start = lesson.challenge.preset
        device.button(label, f"{lesson.id}_challenge", page.play, start, **style)


def reflect(page: Any) -> None:
    """Draw the reflection question and, once it is answered, takeaways and a transfer question."""
    lesson = page.lesson
    prediction.reflect(lesson, page.values)
    is_reflected = prediction.is_reflected(lesson)
    if is_reflected:
        page.note(lesson.reflection.options)
        device.heading("Takeaways")
        st.markdown(render_text("\n".join(f"- {text}" for text in lesson.takeaways), page.values))
        page.note(lesson.takeaways)
    if lesson.reply:
        _reply(page, is_reflected)
    if is_reflected and lesson.transfer:
        device.heading("The same idea elsewhere")
        prediction.transfer(lesson, recall.own(lesson), f"{lesson.id}_transfer")


def _reply(page: Any, is_reflected: bool) -> None:
    """Offer our reply to the message's sender, after the visitor has had time to write one."""
    if not is_reflected:
        st.caption(
            "First write your own reply in the box above. "
            "Ours appears after you lock in your answer."
        )
        return
    box = page.fold("Our reply", "reply", ":material/reply:")
    if box:
        box.markdown(render_text(page.lesson.reply, page.values))
        page.note([page.lesson.reply])


def fix(page: Any) -> None:
    """Offer the fix for the message's problem once the reflection or challenge is done."""
    if page.lesson.remedies is not None and page.open.fix:
        box = page.fold("How could you fix it?", "remedies", ":material/build:")
        if box:
            box.markdown(render_text(page.lesson.fix()))
