"""Questions of a lesson: the prediction, the reflection at the end, and the transfer questions.

Before the prediction is locked in, no result of the model is sent to the browser. After that, the
answer cannot be changed.
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


def is_locked(lesson: Lesson) -> bool:
    """Return whether the lesson's prediction is locked in, or was skipped by a presenter."""
    return _committed(lesson, state.PREDICTIONS) is not None


def _committed(lesson: Lesson, stored_in: str) -> str | None:
    """Return the locked-in answer in one of the session's two dicts of answers; None if none."""
    question = lesson.prediction if stored_in == state.PREDICTIONS else lesson.reflection
    return state.committed(stored_in, lesson.id, question.ids)


def answer(lesson: Lesson) -> str | None:
    """Return the id of the visitor's prediction; None before it, or if the question was skipped."""
    option_id = _committed(lesson, state.PREDICTIONS)
    if option_id == state.SKIPPED:
        return None
    return option_id


def is_reflected(lesson: Lesson) -> bool:
    """Return whether the reflection is answered, so that the takeaways may be shown."""
    return _committed(lesson, state.REFLECTIONS) is not None


def ask(lesson: Lesson) -> None:
    """Draw the prediction's question and the button that locks in the answer."""
    question = lesson.prediction
    key = f"{lesson.id}_prediction"
    device.heading("Predict")
    radio(question, key, None)
    how_sure(f"{lesson.id}_sure")
    lock = (_commit, state.PREDICTIONS, lesson.id, key, question.ids)
    _lock("Lock in my prediction", lesson.id, *lock, type="primary")
    # On a projector the lecturer may show the answer without predicting; the report says so.
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
        text = f"**You said: {_bare(option.text)}.** {option.feedback}{_consolation(lesson)}"
        _judge(False, text, values)
    _judge(True, f"**{who}: {_bare(right.text)}.** {right.feedback}", values)
    others = [option for option in question.options if option.id not in (my_answer, right.id)]
    _tempting(lesson, "Why the other answers are tempting", others, values)


def answer_in_short(lesson: Lesson, values: Values) -> None:
    """Show one sentence on whether the visitor's answer is right; the tour explains the rest."""
    option_id = answer(lesson)
    if option_id is None:
        return
    option = lesson.prediction.option(option_id)
    sentence = re.split(r"(?<=[.!?])\s", option.feedback)[0]
    if not option.right:
        sentence += _consolation(lesson)
    _judge(option.right, f"**You said: {_bare(option.text)}.** {sentence}", values)


def why_others(lesson: Lesson, values: Values) -> None:
    """Offer the model's explanation of every answer at the end of a tour."""
    options = sorted(lesson.prediction.options, key=lambda option: not option.right)
    _tempting(lesson, "Why the others are tempting", options, values)


def _consolation(lesson: Lesson) -> str:
    """Return a sentence for a wrong prediction of which the visitor was certain; "" otherwise."""
    if ledger.sure(lesson.id) == "certain":
        return " You were certain: that is the kind of surprise that people remember best."
    return ""


def _tempting(lesson: Lesson, label: str, options: Sequence[Option], values: Values) -> None:
    """Draw an expander with the feedback on some options."""
    box = device.expander(label, f"{lesson.id}_prediction_others", ":material/alt_route:")
    if box:
        texts = (f"**{_bare(option.text)}.** {option.feedback}" for option in options)
        box.markdown("\n\n".join(render_text(text, values) for text in texts))


def reflect(lesson: Lesson, values: Values) -> None:
    """Draw the reflection question, its feedback, and a text field for the visitor's notes."""
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
    longest = ledger.NOTE_LENGTH
    state.setdefault(key, str(ledger.record(lesson.id).get("note", ""))[:longest])
    note = st.text_area(
        "In your own words (optional; goes into your report)",
        key=key,
        max_chars=longest,
        height=80,
        persist_state="session",
    )
    ledger.update(lesson.id, note=str(note or "")[:longest])


def transfer(lesson: Lesson, name: str, key: str) -> bool:
    """Draw a transfer question, with its feedback once answered; return whether it is answered.

    `name` is the question's id and the number of its variant, such as "beds/0".
    """
    question_id, variant = name.split("/")
    question = lesson.transferred(question_id, int(variant))
    option_id = ledger.grown(lesson, "transfer").get(name, {}).get("answer")
    # Another question under the same key must not keep the choice of the last one.
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
    """Callback: lock in the chosen answer to a transfer question."""
    choice = _chosen(key, ids)
    if choice:
        ledger.grow(lesson, "transfer", {name: {"answer": choice, "at": ledger.now()}})
        state.put(f"_{key}_shown", (lesson.id, name))


def _judge(good: bool, text: str, values: Values) -> None:
    """Draw the feedback on an answer, in green if the answer is right."""
    show = st.success if good else st.warning
    show(render_text(text, values), icon=":material/check:" if good else ":material/close:")


def radio(question: Question, key: str, answer: str | None, horizontal: bool = False) -> None:
    """Draw a question's options; a locked-in answer is selected and cannot be changed."""
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


def _commit(stored_in: str, lesson_id: str, key: str, ids: tuple[str, ...]) -> None:
    """Callback: lock in the chosen answer and, for a prediction, how sure the visitor is."""
    choice = _chosen(key, ids)
    if not choice or not state.commit(stored_in, lesson_id, choice, ids):
        return
    if stored_in == state.PREDICTIONS:
        ledger.keep_first(lesson_id, sure=state.get(f"{lesson_id}_sure"))


def _lock(label: str, key: str, locks: Callable[..., None], *args: Any, **style: str) -> None:
    """Draw the button that locks in an answer by calling `locks`."""
    device.button(label, f"{key}_lock", locks, *args, icon=":material/lock:", **style)


def _chosen(key: str, ids: Sequence[str]) -> str | None:
    """Return the chosen option's id; None if there is none, which `_complain` tells the visitor."""
    choice = state.get(key)
    is_chosen = choice in ids
    state.put(f"_nothing_chosen/{key}", not is_chosen)
    return choice if is_chosen else None


def _complain(key: str) -> None:
    """Ask the visitor to choose an answer, in the one run after nothing was chosen."""
    if state.get(f"_nothing_chosen/{key}"):
        st.info(
            "Choose one of the answers first; there is no penalty for a wrong guess.",
            icon=":material/info:",
        )
        state.drop(f"_nothing_chosen/{key}")


def _bare(text: str) -> str:
    """Return a text without its final period."""
    return text.rstrip(".")
