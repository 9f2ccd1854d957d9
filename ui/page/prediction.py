"""Prediction: ask, lock in, then show the result. And the second question at the end, and the one
about another place.

Before the commitment nothing that the model derives is sent to the browser. After it the answer
cannot be changed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ui.base import device, state
from ui.base.device import said
from ui.base.lesson import Lesson
from ui.base.words import Option, Question, fill
from ui.record import ledger


def _locked(lesson: Lesson) -> str | None:
    return state.committed(state.PREDICTIONS, lesson.id, lesson.prediction.ids)


def is_locked(lesson: Lesson) -> bool:
    """Return whether the lesson's prediction is locked in, or was skipped by a presenter."""
    return _locked(lesson) is not None


def answer(lesson: Lesson) -> str | None:
    """Return the option that the visitor has locked in; None if there is none or the question was
    skipped.
    """
    option_id = _locked(lesson)
    if option_id == state.SKIPPED:
        return None
    return option_id


def is_reflected(lesson: Lesson) -> bool:
    """Return whether the second question is answered, so that the takeaways may be shown."""
    return state.committed(state.REFLECTIONS, lesson.id, lesson.reflection.ids) is not None


def ask(lesson: Lesson) -> None:
    """Draw the prediction's question with its button to lock in."""
    question = lesson.prediction
    key = f"{lesson.id}_prediction"
    st.header("Predict", anchor=False)
    radio(question, key, None)
    how_sure(f"{lesson.id}_sure")
    _lock(
        "Lock in my prediction",
        lesson.id,
        _commit,
        state.PREDICTIONS,
        lesson.id,
        key,
        question.ids,
        type="primary",
    )
    # On a projector the lecturer may show the answer without predicting; the ledger says so.
    if device.on_projector():
        skip = (state.PREDICTIONS, lesson.id, state.SKIPPED, question.ids)
        look = {"icon": ":material/visibility:", "shortcut": "v"}
        device.button("Show without predicting", f"{lesson.id}_skip", state.commit, *skip, **look)
    _complain(key)


def how_sure(key: str) -> None:
    """Ask how sure the visitor is; the answer is optional."""
    if state.get(key) not in (None, *state.SURE):
        state.put(key, None)
    st.segmented_control(
        "How sure are you? (optional)",
        list(state.SURE),
        key=key,
        format_func=state.SURE.__getitem__,
        persist_state="session",
    )


def locked(lesson: Lesson) -> None:
    """Draw the prediction with its locked-in answer, disabled."""
    radio(lesson.prediction, f"{lesson.id}_prediction", _locked(lesson))


def explain(lesson: Lesson, values: Mapping[str, Any]) -> None:
    """Show the visitor's answer with the model's, and explain why each other option is tempting."""
    question = lesson.prediction
    answer = _locked(lesson)
    right = question.option(question.right)
    st.header("Explain", anchor=f"{lesson.id}-explain")
    if answer in question.ids and answer != right.id:
        mine = question.option(answer)
        words = f"**You said: {_bare(mine.text)}.** {mine.feedback}{_kindly(lesson)}"
        _judge(False, words, values)
    if answer == right.id:
        who = "You said, and the model agrees"
    else:
        who = "The model says"
    _judge(True, f"**{who}: {_bare(right.text)}.** {right.feedback}", values)
    others = [option for option in question.options if option.id not in (answer, right.id)]
    _tempting(lesson, "Why the other answers are tempting", others, values)


def answer_in_short(lesson: Lesson, values: Mapping[str, Any]) -> None:
    """Show a one-sentence judgment of the visitor's answer; the tour explains the rest."""
    question = lesson.prediction
    answer = _locked(lesson)
    if answer not in question.ids:
        return
    mine = question.option(answer)
    sentence = re.split(r"(?<=[.!?])\s", mine.feedback)[0]
    kindly = ""
    if not mine.right:
        kindly = _kindly(lesson)
    _judge(mine.right, f"**You said: {_bare(mine.text)}.** {sentence}{kindly}", values)


def why_others(lesson: Lesson, values: Mapping[str, Any]) -> None:
    """Offer the model's explanation of every answer at the end of a tour."""
    question = lesson.prediction
    right = question.option(question.right)
    others = [option for option in question.options if not option.right]
    _tempting(lesson, "Why the others are tempting", [right, *others], values)


def _kindly(lesson: Lesson) -> str:
    if ledger.sure(lesson.id) == "certain":
        return " You were certain: that is the kind of surprise that people remember best."
    return ""


def _tempting(
    lesson: Lesson, label: str, options: Sequence[Option], values: Mapping[str, Any]
) -> None:
    key = f"{lesson.id}_prediction_others"
    box = device.expander(label, key, ":material/alt_route:")
    if box:
        texts = [f"**{_bare(option.text)}.** {option.feedback}" for option in options]
        box.markdown("\n\n".join(said(text, values) for text in texts))


def reflect(lesson: Lesson, values: Mapping[str, Any]) -> None:
    """Draw the second question, its feedback, and a text field for the visitor's notes."""
    question = lesson.reflection
    key = f"{lesson.id}_reflection"
    answer = state.committed(state.REFLECTIONS, lesson.id, question.ids)
    st.header("Reflect", anchor=False)
    radio(question, key, answer)
    if answer is None:
        _lock("Lock in my answer", key, _commit, state.REFLECTIONS, lesson.id, key, question.ids)
        st.caption("The takeaways follow once you lock in your answer.")
        _complain(key)
    elif answer in question.ids:
        given = question.option(answer)
        right = question.option(question.right)
        _judge(
            given.right, f"**{'Right' if given.right else 'Not quite'}.** {given.feedback}", values
        )
        if not given.right:
            _judge(True, f"**{_bare(right.text)}.** {right.feedback}", values)
    state.setdefault(f"{lesson.id}_note", str(ledger.record(lesson.id).get("note", ""))[:2000])
    note = st.text_area(
        "In your own words (optional; goes into your report)",
        key=f"{lesson.id}_note",
        max_chars=2000,
        height=80,
        persist_state="session",
    )
    ledger.update(lesson.id, note=str(note or "")[:2000])


def transfer(lesson: Lesson, name: str, key: str) -> bool:
    """Draw a transfer question, open or explained; return whether it is answered."""
    question_id, variant = name.split("/")
    question = lesson.transferred(question_id, int(variant))
    answer = ledger.given(lesson).get(name, {}).get("answer")
    # Another question under the same key must not take over what was chosen before.
    if state.get(f"_{key}_of") != name:
        state.put(f"_{key}_of", name)
        state.put(key, answer)
    radio(question, key, answer, horizontal=not device.on_phone())
    if answer is None:
        _lock("Lock in my answer", key, _answer, lesson, name, key, question.ids)
        _complain(key)
    else:
        good = answer == question.right
        right = question.option(question.right)
        _judge(
            good,
            f"**{'Right' if good else f'Not quite; the right answer is {right.text}'}.** "
            f"{right.feedback}",
            {},
        )
    return answer is not None


def _answer(lesson: Lesson, name: str, key: str, ids: tuple[str, ...]) -> None:
    choice = _chosen(key, ids)
    if choice:
        ledger.keep_transfers(lesson, {name: {"answer": choice, "at": ledger.now()}})
        state.put(f"_{key}_shown", (lesson.id, name))


def _judge(good: bool, text: str, values: Mapping[str, Any]) -> None:
    """Say what holds of an answer, as good or not."""
    if good:
        show = st.success
        icon = "check"
    else:
        show = st.warning
        icon = "close"
    show(said(text, values), icon=f":material/{icon}:")


def radio(question: Question, key: str, answer: str | None, horizontal: bool = False) -> None:
    """Draw the options; a locked-in answer overrides the widget's state and cannot be changed."""
    if answer in question.ids:
        state.put(key, answer)
    elif answer is not None or state.get(key) not in (None, *question.ids):
        state.put(key, None)
    st.radio(
        fill(question.text),
        question.ids,
        index=None,
        key=key,
        format_func=lambda option: fill(question.option(option).text),
        disabled=answer is not None,
        horizontal=horizontal,
        persist_state="session",
    )


def _commit(held_in: str, name: str, key: str, ids: tuple[str, ...]) -> None:
    choice = _chosen(key, ids)
    if choice and state.commit(held_in, name, choice, ids) and held_in == state.PREDICTIONS:
        ledger.keep_first(name, sure=state.get(f"{name}_sure"))


def _lock(words: str, key: str, locks: Callable[..., None], *args: Any, **looks: str) -> None:
    device.button(words, f"{key}_lock", locks, *args, icon=":material/lock:", **looks)


def _chosen(key: str, ids: Sequence[str]) -> str | None:
    """Return what is chosen; None if nothing is, which `_complain` then says."""
    choice = state.get(key)
    state.put(f"_nothing_chosen/{key}", choice not in ids)
    if choice in ids:
        return choice
    return None


def _complain(key: str) -> None:
    """Say once that nothing was chosen, and take it back with the next run."""
    if state.get(f"_nothing_chosen/{key}"):
        st.info(
            "Choose one of the answers first; there is no penalty for a wrong guess.",
            icon=":material/info:",
        )
        state.drop(f"_nothing_chosen/{key}")


def _bare(text: str) -> str:
    return text.rstrip(".")
