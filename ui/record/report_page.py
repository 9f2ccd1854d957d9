"""The report on the page: read it, bring one here."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from ui.base import state
from ui.base.device import download, expander, place
from ui.base.lesson import Lesson
from ui.base.words import fill, literal
from ui.record import local_storage, plain, report, report_html, sheet

LEDGER = (
    "The draft labs of *Machine Learning Systems*, volume 2 (March 2026), kept a design ledger. This file has the form "
    "and the keys of that ledger, with your answers and what this app's models find at your last settings. A wait here "
    "does not include the service time; in the drafts it does."
)


def ask() -> None:
    """Ask for name, login, and two answers in the student's own words: all optional, kept in the browser."""
    for part, column in zip(report.TITLES, [*st.columns(2), *st.columns(2)], strict=True):
        key, long = f"report_{part}", part in local_storage.WORDS
        if not state.get(key):
            state.put(key, local_storage.mine(part))
        options = {"key": key, "max_chars": local_storage.LONGEST[part], "on_change": _keep, "args": (part,)}
        with column, place(key, 84 if long else 60):
            box = partial(st.text_area, height=80) if long else st.text_input
            box(f"{report.TITLES[part]} (optional)", persist_state="session", **options)


def show(written: Mapping) -> None:
    """Show a report: an overview, then each lesson that was begun. A visitor's own text is shown as text, not read."""
    begun = [(lesson, record) for lesson, record in report.begun(written) if report.answers(lesson, record)]
    if not begun:
        st.info("Nothing yet. Open a lesson and lock in a prediction; it will appear here.", icon=":material/info:")
        return
    st.caption(report.WORD)
    st.markdown(sheet.markdown(report.overview(begun)))
    for sentence in report.missing(written):
        st.caption(fill(sentence, {}))
    for lesson, record in begun:
        with st.expander(lesson.title):
            st.html(report_html.record_html(lesson, record))


def offer(upload) -> None:
    """Check an uploaded report, show what the model says of it, and offer to take it over."""
    try:
        found = report.read(upload.getvalue())
    except plain.ReportError as refusal:
        st.error(fill(str(refusal), {}), icon=":material/block:")
        return
    for lesson, record in report.begun(found):
        if record.get("settings"):
            _show_recomputed(lesson, record)
    st.button("Import", key="report_take", type="primary", on_click=report.take, args=(found,))


def offer_ledger(written: Mapping) -> None:
    """Offer the record under the draft labs' keys; it is computed when the fold is opened."""
    if box := expander("For those who know the draft labs", "report_drafts", ":material/history:", answers=True):
        box.markdown(LEDGER)
        with box:
            drafted = report.to_json(report.drafted(written))
            download("Download the ledger (JSON)", drafted, "ledger.json", "report_ledger")


def _show_recomputed(lesson: Lesson, record: Mapping) -> None:
    try:
        differ = report.recomputed(lesson, record)
    except (ValueError, ArithmeticError) as refusal:
        words = literal(f"{lesson.title}: Its results cannot be computed again: {refusal}.")
        st.warning(words, icon=":material/warning:")
        return
    if not differ:
        st.success(f"{lesson.title}: the model finds the same results.", icon=":material/check_circle:")
        return
    st.warning(f"{lesson.title}: the model finds different results from those in the file.", icon=":material/warning:")
    for difference in differ:
        st.text(difference)


def _keep(part: str) -> None:
    local_storage.keep_mine(part, str(state.get(f"report_{part}") or ""))
