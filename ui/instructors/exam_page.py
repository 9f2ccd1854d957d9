"""Page of exam questions, which opens with the staff key."""

import re
from collections.abc import Sequence
from html import escape

import streamlit as st

from ui.base import device, staff_key, state
from ui.base.device import button, download, expander
from ui.base.format import count
from ui.base.lesson import lessons
from ui.instructors import questions
from ui.instructors.questions import Question
from ui.record import sheet

TITLE = "Exam questions"
ABOUT = (
    "Each question has random numbers, from which the lesson's model computes the solution. "
    "Another draw number gives other numbers, so two groups can take different exams."
)
PUBLIC = (
    "**What the key protects.** It keeps this page from students who only look around. It does not "
    "keep the questions secret: the source code of this app is public and contains the "
    "question templates and the models. So choose a draw number of your own shortly before the "
    "exam, and give more weight to reasons than to results."
)
NO_KEY = (
    "This page opens with a staff key, and whoever runs this app has not set one. Set the "
    f"environment variable `{staff_key.SETTING}` to a long random text, start the app again, and "
    "give the text to instructors only. On Streamlit Community Cloud, write it into the app's "
    "secrets at the top level; on your own machine:"
)
COMMAND = f"{staff_key.SETTING}=some-long-random-text python -m streamlit run app.py"
_REFUSED = "_exam_refused"


def draw() -> None:
    """Draw the page: instructions for setting a key, the field for it, or the questions."""
    st.markdown(ABOUT)
    st.markdown(PUBLIC)
    if not staff_key.required():
        st.info(f"{NO_KEY} `{COMMAND}`", icon=":material/key:")
    elif staff_key.shown():
        _draw_questions()
    else:
        staff_key.field("exam_staff_key")
        button("Open the questions", "exam_open", _open, icon=":material/key:", type="primary")
        refusal = state.get(_REFUSED)
        if refusal:
            st.error(str(refusal), icon=":material/block:")


def _open() -> None:
    """Callback: open the questions if the typed staff key is right."""
    state.put(_REFUSED, staff_key.show(state.get("exam_staff_key")))
    state.put("exam_staff_key", "")


def _draw_questions() -> None:
    """Draw the choice of lessons and draw number, the downloads, and the questions."""
    by_id = {lesson.id: lesson for lesson in lessons() if questions.forms(lesson.page)}
    chosen = st.multiselect(
        "Lessons",
        by_id,
        default=[name for name, lesson in by_id.items() if not lesson.theme],
        format_func=lambda name: by_id[name].title,
        key="exam_lessons",
        help="The exam has all questions of these lessons.",
    )
    number = int(
        st.number_input(
            "Draw number",
            questions.NUMBERS[0],
            questions.NUMBERS[-1],
            1,
            key="exam_number",
            help="Each draw number gives other values; the same number always gives the same "
            "values.",
        )
    )
    exam = questions.draw_questions([by_id[name] for name in chosen], number)
    if not exam:
        st.info("Choose at least one lesson.", icon=":material/info:")
        return
    points = sum(question.points for question in exam)
    st.markdown(f"{count(len(exam), 'question')}, {count(points, 'point')}.")
    with device.row():
        name = f"fleet-what-if-exam-{number}"
        paper = to_html(exam, number, solved=False)
        download("Exam to print (HTML)", paper, f"{name}.html", "exam_html")
        paper = to_html(exam, number, solved=True)
        download("Solutions to print (HTML)", paper, f"{name}-solutions.html", "exam_solutions")
    for index, question in enumerate(exam, 1):
        st.markdown(f"**{index}. {question.lesson.title}** ({count(question.points, 'point')})")
        st.markdown(question.text)
        box = expander("Solution", f"exam_solution_{index}", ":material/lightbulb:")
        if box:
            box.markdown(question.solution)


def to_html(exam: Sequence[Question], number: int, solved: bool) -> bytes:
    """Write the exam, or its solutions, as a printable page."""
    body = [f'<p class="quiet">Numbers of draw {number}. Give a reason for every result.</p>']
    for index, question in enumerate(exam, 1):
        head = f"{index}. {question.lesson.title} ({count(question.points, 'point')})"
        body.append(f"<h2>{escape(head)}</h2><p>{_bare(question.text)}</p>")
        if solved:
            body.append(f"<p><b>Solution.</b> {_bare(question.solution)}</p>")
    title = "Fleet What-If: exam"
    if solved:
        title = "Fleet What-If: solutions"
    return sheet.page(title, body)


def _bare(text: str) -> str:
    """Return a text without its Markdown, escaped for HTML."""
    return escape(re.sub(r"[*`\\]", "", text))
