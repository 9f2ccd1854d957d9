"""Where a presenter writes questions for the class, or brings a file of them."""

from collections.abc import Sequence

import streamlit as st

from polls import questions
from polls.questions import Question
from ui.base import state
from ui.classes.lecture import Lecture

EXAMPLE = '[[questions]]\ntext = "Which queue is longer?"\noptions = ["The first", "The second"]\nright = "b"\n'
_NONE = "none"
_RIGHT = {_NONE: "None: it is an opinion"} | {one: one.upper() for one in questions.IDS}


def draw(lecture: Lecture) -> None:
    """Draw the form and the upload."""
    st.text_input("Question", key="class_own_text", max_chars=questions.LONGEST_TEXT)
    st.text_area(
        "Options, one a line (two to six)",
        key="class_own_options",
        max_chars=len(questions.IDS) * (questions.LONGEST_OPTION + 1),
        height=130,
    )
    st.selectbox("Right answer", list(_RIGHT), key="class_own_right", format_func=lambda one: _RIGHT.get(one, one))
    st.button("Add it to this class", key="class_own_add", icon=":material/add:", on_click=_typed, args=(lecture,))
    st.file_uploader(
        "Or a TOML file of questions",
        type="toml",
        key="class_own_file",
        max_upload_size=1,
        help="A question is text, options and, if there is one, right.",
        on_change=_uploaded,
        args=(lecture,),
    )
    st.code(EXAMPLE, language="toml")


def _typed(lecture: Lecture) -> None:
    """Callback: keep what has been typed, and empty the form."""
    right = state.get("class_own_right")
    lines = [line for line in str(state.get("class_own_options") or "").splitlines() if line.strip()]
    try:
        words = str(state.get("class_own_text") or "")
        _keep(lecture, [Question.checked(words, lines, None if right == _NONE else right)])
    except ValueError as error:
        state.put("_class_said", str(error))
        return
    state.put("class_own_text", "")
    state.put("class_own_options", "")
    state.put("class_own_right", _NONE)


def _uploaded(lecture: Lecture) -> None:
    """Callback: keep the questions of a file; none of them if one is wrong."""
    try:
        if file := state.get("class_own_file"):
            _keep(lecture, questions.read(file.getvalue()))
    except ValueError as error:
        state.put("_class_said", str(error))


def _keep(lecture: Lecture, written: Sequence[Question]) -> None:
    ids = lecture.add(written)
    state.put("class_lesson", ids[0])
    number = "1 question is" if len(ids) == 1 else f"{len(ids)} questions are"
    state.put("_class_said", f"{number} added: choose it under “Next question” and ask it.")
