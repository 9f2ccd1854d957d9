"""Sections below a lesson's picture: explanation, challenge, reflection, how to fix it, and further
parts.

`page` is the `Page` of `ui.page.lesson_page`, which draws itself with the help of this module.
"""

from typing import Any

import streamlit as st

from ui.base import device
from ui.base.device import line, said
from ui.page import class_answers, prediction
from ui.page.lesson import tour
from ui.record import ledger, recall


def explain(page: Any) -> None:
    """Draw the visitor's answer next to the model's once it is unlocked, or else the button that
    requests it.
    """
    lesson = page.lesson
    with page.why:
        if page.open.explained:
            page.note(lesson.prediction.options)
            if lesson.tour:
                tour.explain(page)
            else:
                prediction.explain(lesson, page.values)
            class_answers.words(lesson, page.class_said)
            return
        with line(f"{lesson.id}_explain_line"):
            key = f"{lesson.id}_explain"
            icon = ":material/lightbulb:"
            if page.look.present:
                shortcut = "e"
            else:
                shortcut = None
            device.button("Show the explanation", key, page.ask_why, icon=icon, shortcut=shortcut)
            if not page.look.present:
                st.caption(
                    "It appears once you test your prediction or change a setting.",
                    width="stretch",
                )


def challenge(page: Any) -> None:
    """Draw the challenge's task and the button that starts it."""
    lesson = page.lesson
    if lesson.challenge is None:
        return
    won = "won" in ledger.record(lesson.id)
    st.header("Challenge", anchor=False)
    with line(f"{lesson.id}_challenge_line"):
        st.markdown(said(lesson.challenge.task()), width="stretch")
        if won:
            words = "Play again"
            icon = "emoji_events"
        else:
            words = "Start the challenge"
            icon = "flag"
        key = f"{lesson.id}_challenge"
        device.button(
            words, key, page.play, icon=f":material/{icon}:", disabled=page.playing and not won
        )


def reflect(page: Any) -> None:
    """Draw the second question, the takeaways, and the same idea elsewhere."""
    lesson = page.lesson
    values = page.values
    prediction.reflect(lesson, values)
    if prediction.is_reflected(lesson):
        page.note(lesson.reflection.options)
        st.header("Takeaways", anchor=False)
        st.markdown(said("\n".join(f"- {text}" for text in lesson.takeaways), values))
        page.note(lesson.takeaways)
    _reply(page)
    if prediction.is_reflected(lesson) and lesson.transfer:
        st.header("The same idea elsewhere", anchor=False)
        prediction.transfer(lesson, recall.own(lesson), f"{lesson.id}_transfer")


def _reply(page: Any) -> None:
    """Offer an answer to the message's sender, once the visitor has had the time to write one."""
    lesson = page.lesson
    if not lesson.reply:
        return
    if not prediction.is_reflected(lesson):
        st.caption(
            "First write your own reply in the box above. "
            "Ours appears after you lock in your answer."
        )
        return
    box = page.fold("Our reply", "reply", ":material/reply:")
    if box:
        with box:
            st.markdown(said(lesson.reply, page.values))
            page.note([lesson.reply])


def fix(page: Any) -> None:
    """Offer the fix for the message's problem once the reflection is locked in or the challenge is
    won.
    """
    lesson = page.lesson
    if lesson.remedies is None or not page.open.fix:
        return
    box = page.fold("How could you fix it?", "remedies", ":material/build:")
    if box:
        with box:
            st.markdown(said(lesson.fix()))
