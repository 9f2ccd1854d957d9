"""Part of the page Grades for the assigned lessons and the grading weights."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from ui.base.lesson import lessons
from ui.grades import by_hand, hand_page
from ui.grades.by_hand import Text
from ui.grades.course import MOST, PARTS, RULE, Course, Scheme


def assigned() -> list[str]:
    """Draw the choice of assigned lessons, and return their ids."""
    choices = {"core": "The core course", "all": "All lessons", "list": "Selected lessons"}
    chosen = st.radio(
        "Which lessons were assigned?",
        choices,
        format_func=choices.get,
        key="grades_assigned",
        horizontal=True,
        help="Only these lessons count. A report with all of them can get full points.",
    )
    if chosen == "core":
        return [lesson.id for lesson in lessons() if not lesson.theme]
    titles = {lesson.id: lesson.title for lesson in lessons()}
    if chosen == "all":
        return list(titles)
    return st.multiselect(
        "Assigned lessons",
        titles,
        format_func=titles.__getitem__,
        key="grades_assigned_lessons",
        help="Choose at least one lesson.",
    )


def scheme(course: Course, lesson_ids: Collection[str]) -> tuple[Scheme, list[Text]]:
    """Draw the grading weights, and return the scheme and the texts to grade."""
    if not lesson_ids:
        raise ValueError("Choose at least one lesson that was assigned.")
    with st.expander("What counts", icon=":material/balance:"):
        st.caption(
            "Points are the weighted mean over the assigned lessons; a lesson counts only the "
            f"parts it has. {RULE} The lessons promise that a wrong guess costs nothing."
        )
        left, right = st.columns(2)
        with left:
            start = {
                lesson.id: (lesson.title, 1.0) for lesson in lessons() if lesson.id in lesson_ids
            }
            weights = _weights("Lesson", start, "grades_weights")
        with right:
            parts = _weights("Part of a lesson", PARTS, "grades_parts")
            total = st.number_input(
                "Points for a perfect report", 1, 1000, 100, key="grades_points"
            )
            share = st.number_input(
                "Weight of the texts (%)",
                0,
                100,
                20,
                key="grades_texts",
                help=(
                    "Once one text has points, the texts together count this much, and the rest "
                    "counts less. Every assigned note and the two longer answers can get "
                    f"{by_hand.FULL} points; a missing one gets 0."
                ),
            )
        without_texts = Scheme(weights | parts, float(total), lesson_ids)
        texts = by_hand.texts(course.sheets, without_texts.lessons())
        all_marks = hand_page.marks()
        marks = {text.key: all_marks[text.key] for text in texts if text.key in all_marks}
        complete = replace(without_texts, texts=share / 100, marks=marks)
        st.caption(
            "A student who answers every question at random and wins no challenge gets about "
            f"{complete.at_random():.0f} of {complete.total:g} points."
        )
    return complete, texts


def _weights(title: str, start: Mapping[str, tuple[str, float]], key: str) -> dict[str, float]:
    """Draw a table of weights to edit, and return them by id.

    `start` has a title and the initial weight by id. The ids are the table's index, so that edits
    do not pass to other lessons in the same rows.
    """
    weight = st.column_config.NumberColumn(
        "Weight", min_value=0.0, max_value=MOST, step=0.5, required=True
    )
    frame = pd.DataFrame.from_dict(start, orient="index", columns=[title, "Weight"])
    edited = st.data_editor(
        frame, key=key, hide_index=True, disabled=[title], column_config={"Weight": weight}
    )
    return edited["Weight"].to_dict()
