"""The rubric: what a report is graded by, under the report's own headings, and an exemplar of each core lesson."""

import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import streamlit as st

from ui.base import format as f
from ui.base.device import download, expander
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill
from ui.grades.points import Scheme
from ui.knobs.declared import quantities
from ui.knobs.declared import read as read_settings
from ui.record import ledger, report, report_html, sheet

HEADS = ("In the report", "Points", "Full", "Half", "None")
ABOUT = (
    "The app gives up to 100 points for a lesson, with the weights that **Grades** starts with; you can change them "
    "there. It judges the answers and settings of a report. The texts are for you to read: give them points of your "
    "own, or a short reply. Names, times, confidence, and the second vote do not count."
)
EXEMPLARS = (
    "There is one exemplar for each core lesson. The app makes them from real settings, computes every number now, and "
    "marks them, so that **Grades** refuses them. They contain right answers, so show them after the deadline."
)
WORD = "This is an exemplar, not a student's report: the app made it from real settings and computed its numbers."


def rows(scheme: Scheme) -> list[tuple[str, ...]]:
    """Return the rubric in words, a row a heading of the report, as `HEADS` names the cells."""
    found = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["rows"]
    return [
        (one["heading"], _points(one, scheme), *(one.get(k, "–") for k in ("full", "half", "nothing"))) for one in found
    ]


def _points(row: Mapping, scheme: Scheme) -> str:
    """Word the points that a row can earn: the app's, out of 100 for a lesson, or those of staff."""
    if "counts" not in row:
        return "2, 1, or 0 of yours"
    return f.significant(100 * sum(scheme.parts[name] for name in row["counts"]) / sum(scheme.parts.values()))


def draw() -> None:
    """Draw the page: the rubric, and the exemplars, which are sent when they are opened."""
    st.markdown(ABOUT)
    found = rows(Scheme())
    st.markdown(sheet.markdown([HEADS, *found]))
    name, icon = "fleet-what-if-rubric.html", ":material/print:"
    download("Download to print (HTML)", to_html(found), name, "rubric_html", icon=icon)
    st.header("Exemplar reports", anchor=False)
    st.markdown(EXEMPLARS)
    for lesson in lessons():
        if lesson.exemplar is None:
            continue
        if box := expander(f"Exemplar: {lesson.title}", f"rubric_{lesson.id}", answers=True):
            with box:
                _draw_exemplar(lesson)


def _draw_exemplar(lesson: Lesson) -> None:
    found = exemplar(lesson)
    st.caption(WORD)
    st.html(report_html.record_html(lesson, found["lessons"][lesson.id]))
    for part in ("rejected", "doubts"):
        st.markdown(f"**{report.TITLES[part]}**")
        st.text(found[part])
    name = f"fleet-what-if-exemplar-{lesson.page}.html"
    download("Download this exemplar (HTML)", report_html.to_html(found), name, f"rubric_{lesson.id}_html")


def exemplar(lesson: Lesson) -> dict:
    """Make a lesson's exemplar: a report as `report.document` writes it, from the settings that its words name."""
    said = lesson.exemplar
    wanted = dict(lesson.challenge.preset.changes) | dict(said.settings)
    settings = read_settings(lesson.settings, wanted)[0]
    values, held = lesson.values(settings), quantities(settings)
    record = {
        "prediction": said.prediction,
        "reflection": lesson.reflection.right,
        "settings": held,
        "results": {result.label: result.text for result in lesson.results(settings)},
        "won": held,
        "note": _plain(said.note, values),
        "pins": [],
    }
    return report.blank() | {
        "exemplar": lesson.id,
        "rejected": _plain(said.rejected, values),
        "doubts": _plain(said.doubts, values),
        "word": WORD,
        "written_at": ledger.now(),
        "lessons": {lesson.id: record},
    }


def _plain(text: str, values: Mapping[str, object]) -> str:
    return fill(text, values).replace("\\$", "$")


def to_html(found: Sequence[Sequence[str]]) -> bytes:
    """Write the rubric's rows as one page that prints well."""
    body = (f"<p>{escape(ABOUT.replace('**', ''))}</p>", sheet.table([HEADS, *found]))
    return sheet.page("Fleet What-If: rubric", body)
