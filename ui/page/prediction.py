"""Prediction: ask, lock in, then show the result.

And the second question at the end, and the one about another place.

Before the commitment nothing that the model derives is sent to the browser. After it the answer
cannot be changed.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ui.base import device, state
from ui.base.device import render_text
from ui.base.lesson import Lesson
from ui.base.words import Option, Question, Values, fill
from ui.record import ledger

#: Longest note of a visitor [characters].
LONGEST_NOTE = 2000


def is_locked(lesson: Lesson) -> bool:
    """Return whether the lesson's prediction is locked in, or was skipped by a presenter."""
    return _committed(lesson, state.PREDICTIONS) is not None


def _committed(lesson: Lesson, stored_in: str) -> str | None:
    """Return the locked-in answer to the prediction, or to the reflection."""
    question = lesson.prediction if stored_in == state.PREDICTIONS else lesson.reflection
    return state.committed(stored_in, lesson.id, question.ids)


def answer(lesson: Lesson) -> str | None:
    """Return the option that the visitor has locked in.

    The result is None if there is none or the question was skipped.
    """
    option_id = _committed(lesson, state.PREDICTIONS)
    if option_id == state.SKIPPED:
        return None
    return option_id


def is_reflected(lesson: Lesson) -> bool:
    """Return whether the second question is answered, so that the takeaways may be shown."""
    return _committed(lesson, state.REFLECTIONS) is not None


def ask(lesson: Lesson) -> None:
    """Draw the prediction's question with its button to lock in."""
    question = lesson.prediction
    key = f"{lesson.id}_prediction"
    device.heading("Predict")
    radio(question, key, None)
    how_sure(f"{lesson.id}_sure")
    lock = (_commit, state.PREDICTIONS, lesson.id, key, question.ids)
    _lock("Lock in my prediction", lesson.id, *lock, type="primary")
    # On a projector the lecturer may show the answer without predicting; the ledger says so.
    if device.on_projector():
        skip = (state.PREDICTIONS, lesson.id, state.SKIPPED, question.ids)
        style = {"icon": ":material/visibility:", "shortcut": "v"}
        device.button("Show without predicting", f"{lesson.id}_skip", state.commit, *skip, **style)
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
    key = f"{lesson.id}_prediction"
    radio(lesson.prediction, key, _committed(lesson, state.PREDICTIONS))


def explain(lesson: Lesson, values: Values) -> None:
    """Show the visitor's answer with the model's, and explain why each other option is tempting."""
    question = lesson.prediction
    my_answer = answer(lesson)
    right = question.answer
    st.header("Explain", anchor=f"{lesson.id}-explain")
    who = "The model says"
    if my_answer == right.id:
        who = "You said, and the model agrees"
    elif my_answer is not None:
        option = question.option(my_answer)
        text = f"**You said: {_bare(option.text)}.** {option.feedback}{_kindly(lesson)}"
        _judge(False, text, values)
    _judge(True, f"**{who}: {_bare(right.text)}.** {right.feedback}", values)
    others = [option for option in question.options if option.id not in (my_answer, right.id)]
    _tempting(lesson, "Why the other answers are tempting", others, values)


def answer_in_short(lesson: Lesson, values: Values) -> None:
    """Show one sentence on whether the visitor's answer is right; the tour explains the rest."""
    option_id = answer(lesson)
    if option_id is None:
        return
    mine = lesson.prediction.option(option_id)
    sentence = re.split(r"(?<=[.!?])\s", mine.feedback)[0]
    kindly = "" if mine.right else _kindly(lesson)
    _judge(mine.right, f"**You said: {_bare(mine.text)}.** {sentence}{kindly}", values)


def why_others(lesson: Lesson, values: Values) -> None:
    """Offer the model's explanation of every answer at the end of a tour."""
    options = sorted(lesson.prediction.options, key=lambda option: not option.right)
    _tempting(lesson, "Why the others are tempting", options, values)


def _kindly(lesson: Lesson) -> str:
    if ledger.sure(lesson.id) == "certain":
        return " You were certain: that is the kind of surprise that people remember best."
    return ""


def _tempting(lesson: Lesson, label: str, options: Sequence[Option], values: Values) -> None:
    box = device.expander(label, f"{lesson.id}_prediction_others", ":material/alt_route:")
    if box:
        texts = (f"**{_bare(option.text)}.** {option.feedback}" for option in options)
        box.markdown("\n\n".join(render_text(text, values) for text in texts))


def reflect(lesson: Lesson, values: Values) -> None:
    """Draw the second question, its feedback, and a text field for the visitor's notes."""
    question = lesson.reflection
    key = f"{lesson.id}_reflection"
    option_id = _committed(lesson, state.REFLECTIONS)
    device.heading("Reflect")
    radio(question, key, option_id)
    if option_id is None:
        _lock("Lock in my answer", key, _commit, state.REFLECTIONS, lesson.id, key, question.ids)
        st.caption("The takeaways follow once you lock in your answer.")
        _complain(key)
    elif question.option(option_id).right:
        _judge(True, f"**Right.** {question.answer.feedback}", values)
    else:
        _judge(False, f"**Not quite.** {question.option(option_id).feedback}", values)
        _judge(True, f"**{_bare(question.answer.text)}.** {question.answer.feedback}", values)
    key = f"{lesson.id}_note"
    state.setdefault(key, str(ledger.record(lesson.id).get("note", ""))[:LONGEST_NOTE])
    note = st.text_area(
        "In your own words (optional; goes into your report)",
        key=key,
        max_chars=LONGEST_NOTE,
        height=80,
        persist_state="session",
    )
    ledger.update(lesson.id, note=str(note or "")[:LONGEST_NOTE])


def transfer(lesson: Lesson, name: str, key: str) -> bool:
    """Draw a transfer question, with its feedback once answered; return whether it is answered."""
    question_id, variant = name.split("/")
    question = lesson.transferred(question_id, int(variant))
    option_id = ledger.grown(lesson, "transfer").get(name, {}).get("answer")
    # Another question under the same key must not take over what was chosen before.
    if state.get(f"_{key}_of") != name:
        state.put(f"_{key}_of", name)
        state.put(key, option_id)
    radio(question, key, option_id, horizontal=not device.on_phone())
    right = question.answer
    if option_id is None:
        _lock("Lock in my answer", key, _keep_transfer, lesson, name, key, question.ids)
        _complain(key)
    elif option_id == right.id:
        _judge(True, f"**Right.** {right.feedback}", {})
    else:
        text = f"**Not quite; the right answer is {right.text}.** {right.feedback}"
        _judge(False, text, {})
    return option_id is not None


def _keep_transfer(lesson: Lesson, name: str, key: str, ids: tuple[str, ...]) -> None:
    choice = _chosen(key, ids)
    if choice:
        ledger.grow(lesson, "transfer", {name: {"answer": choice, "at": ledger.now()}})
        state.put(f"_{key}_shown", (lesson.id, name))


def _judge(good: bool, text: str, values: Values) -> None:
    """Say what holds of an answer, as good or not."""
    show = st.success if good else st.warning
    show(render_text(text, values), icon=":material/check:" if good else ":material/close:")


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


def _commit(stored_in: str, name: str, key: str, ids: tuple[str, ...]) -> None:
    choice = _chosen(key, ids)
    if choice and state.commit(stored_in, name, choice, ids) and stored_in == state.PREDICTIONS:
        ledger.keep_first(name, sure=state.get(f"{name}_sure"))


def _lock(label: str, key: str, locks: Callable[..., None], *args: Any, **style: str) -> None:
    device.button(label, f"{key}_lock", locks, *args, icon=":material/lock:", **style)


def _chosen(key: str, ids: Sequence[str]) -> str | None:
    """Return what is chosen; None if nothing is, which `_complain` then says."""
    choice = state.get(key)
    is_chosen = choice in ids
    state.put(f"_nothing_chosen/{key}", not is_chosen)
    if is_chosen:
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
