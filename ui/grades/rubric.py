"""Grading rubric under the report's own headings, and an exemplar report per lesson."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from ui.base import device
from ui.base import format as f
from ui.base.device import download, expander
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill
from ui.grades import by_hand
from ui.grades.course import PARTS, RULE
from ui.knobs.declared import quantities
from ui.knobs.declared import read as read_settings
from ui.record import local_storage, report, report_page, sheet

HEADS = ("In the report", "Points", "Full", "Half", "None")
ABOUT = (
    "The app gives up to 100 points for a lesson, with the weights that **Grades** starts with; "
    f"you can change them there. {RULE} It judges the answers and settings of a report. The texts "
    "are for you to read and to give 2, 1, or 0 points. Names, times, confidence, and the second "
    "vote do not count."
)
EXEMPLARS = (
    "There is one exemplar for each lesson. The app makes them from real settings, computes every "
    "number now, and marks the files, so that **Grades** refuses them. Exemplars contain right "
    "answers, so show them only after the deadline."
)
WORD = (
    "This is an exemplar, not a student's report: the app made it from real settings and computed "
    "its numbers."
)


def rows() -> list[tuple[str, ...]]:
    """Return the rubric as text, one row per heading of the report, with cells as in `HEADS`."""
    rows = []
    for row in by_hand.rubric():
        levels = [row.get(level, "–") for level in ("full", "half", "nothing")]
        rows.append((row["heading"], _points(row), *levels))
    return rows


def _points(row: Mapping) -> str:
    """Return the points of a row in words: the app's, out of 100 for a lesson, or staff's."""
    if "counts" not in row:
        return "2, 1, or 0, by hand"
    total = sum(weight for _, weight in PARTS.values())
    return f.significant(100 * sum(PARTS[name][1] for name in row["counts"]) / total)


def draw() -> None:
    """Draw the rubric and the exemplars, which are computed when the visitor opens them."""
    st.markdown(ABOUT)
    table = [HEADS, *rows()]
    st.markdown(sheet.markdown(table))
    paper = sheet.page(
        "Fleet What-If: rubric", (f"<p>{escape(ABOUT.replace('**', ''))}</p>", sheet.table(table))
    )
    name = "fleet-what-if-rubric.html"
    icon = ":material/print:"
    download("Download to print (HTML)", paper, name, "rubric_html", icon=icon)
    device.heading("Exemplar reports")
    st.markdown(EXEMPLARS)
    for lesson in lessons():
        key = f"rubric_{lesson.id}"
        if lesson.exemplar and (box := expander(f"Exemplar: {lesson.title}", key, answers=True)):
            example = exemplar(lesson)
            with box:
                st.caption(WORD)
                st.html(report_page.record_html(lesson, example["lessons"][lesson.id]))
                for section in filter(example.get, local_storage.WORDS):
                    st.markdown(f"**{report.TITLES[section]}**")
                    st.text(example[section])
                name = f"fleet-what-if-exemplar-{lesson.page}.html"
                download(
                    "Download this exemplar (HTML)",
                    report_page.to_html(example),
                    name,
                    f"{key}_html",
                )


def exemplar(lesson: Lesson) -> dict:
    """Make a lesson's exemplar report from the settings in its texts."""
    model = lesson.exemplar
    if model is None or lesson.challenge is None:
        raise ValueError(f"{lesson.page} has no exemplar, or no challenge that it could win")
    start = {**lesson.challenge.preset.changes, **model.settings}
    settings = read_settings(lesson.settings, start)[0]
    values = lesson.values(settings)
    values_by_name = quantities(settings)
    texts = {
        section: fill(getattr(model, section), values).replace("\\$", "$")
        for section in ("note", "rejected", "doubts")
    }
    record = {
        "prediction": model.prediction,
        "reflection": lesson.reflection.right,
        "settings": values_by_name,
        "results": {result.label: result.text for result in lesson.results(settings)},
        "won": values_by_name,
        "note": texts.pop("note"),
    }
    return (
        report.blank()
        | texts
        | {"exemplar": lesson.id, "word": WORD, "lessons": {lesson.id: record}}
    )
