"""The report on the page: read it, bring one here."""

from collections.abc import Mapping

import streamlit as st

from ui.base import state
from ui.base.device import download, expander, place
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill, literal
from ui.record import local_storage, plain, recall, report

LEDGER = (
    "The draft labs of *Machine Learning Systems*, volume 2 (March 2026), kept a design ledger. This file has the form "
    "and the keys of that ledger, with your answers and what this app's models find at your last settings. A wait here "
    "does not include the service time; in the drafts it does."
)


def ask() -> None:
    """Ask for name, login, and two answers in the student's own words: all optional, kept in the browser."""
    for part in report.ASKED:
        if not state.get(f"report_{part}"):
            state.put(f"report_{part}", local_storage.mine(part))
    for parts, box, height in ((("name", "login"), st.text_input, 60), (local_storage.WORDS, _text_area, 84)):
        for part, column in zip(parts, st.columns(2), strict=True):
            most, words = report.ASKED[part]
            key = f"report_{part}"
            with column, place(key, height):
                box(words, key=key, max_chars=most, on_change=_keep, args=(part,), persist_state="session")


def show(written: Mapping) -> None:
    """Show a report: an overview, then each lesson that was begun. A visitor's own text is shown as text, not read."""
    begun = [(lesson, written["lessons"][lesson.id]) for lesson in lessons() if lesson.id in written["lessons"]]
    begun = [(lesson, record) for lesson, record in begun if report.answers(lesson, record)]
    _show_set_aside()
    if not begun:
        st.info("Nothing yet. Open a lesson and lock in a prediction; it will appear here.", icon=":material/info:")
        return
    st.caption(report.WORD)
    rows = ["| Lesson | Prediction | Reflection | Challenge |", "|---|---|---|---|"]
    for lesson, record in begun:
        rows.append("| " + " | ".join(report.overview(lesson, record)) + " |")
    st.markdown("\n".join(rows))
    for sentence in report.missing(written):
        st.caption(fill(sentence, {}))
    for lesson, record in begun:
        with st.expander(lesson.title):
            show_record(lesson, record)


def show_record(lesson: Lesson, record: Mapping) -> None:
    """Show what a report has of one lesson: answers, results, settings, changes and notes."""
    for kind, question, answer, _, at in (*report.answers(lesson, record), *recall.answered(lesson, record)):
        asked = f"{question.text} " if kind == "Elsewhere" else ""
        st.markdown(fill(f"**{kind}** {literal(at)}".rstrip() + f": {asked}{report.said(question, answer)}", {}))
    for head, rows in report.found(lesson, record).items():
        words = "; ".join(f"{label}: {text}" for label, text in rows.items())
        st.markdown(f"**{head}**: {literal(words)}")
    for sentence in report.history(lesson, record):
        st.markdown(fill(literal(sentence), {}))
    if record.get("note"):
        st.markdown("**Notes**")
        st.text(record["note"])


def _show_set_aside() -> None:
    """Say which kept records no report can hold, and offer to remove each."""
    for lesson in lessons():
        if why := report.set_aside().get(lesson.id):
            st.warning(f"{why} It is set aside.", icon=":material/warning:")
            key = f"{lesson.id}_remove_record"
            st.button(f"Remove “{lesson.title}”", key=key, on_click=local_storage.erase, args=([lesson.id],))


def offer(upload) -> None:
    """Check an uploaded report, show what the model says of it, and offer to take it over."""
    # The size is known before the content is read.
    if upload.size > plain.MOST:
        st.error(plain.too_large(upload.size), icon=":material/block:")
        return
    try:
        found = report.read(upload.getvalue())
    except plain.ReportError as refusal:
        st.error(fill(str(refusal), {}), icon=":material/block:")
        return
    for lesson in lessons():
        record = found["lessons"].get(lesson.id)
        if record and record.get("settings"):
            _show_recomputed(lesson, record)
    st.button("Import", key="report_take", type="primary", on_click=report.take, args=(found,))


def offer_ledger(written: Mapping) -> None:
    """Offer the record under the draft labs' keys; it is computed when the fold is opened."""
    box, wanted = expander("For those who know the draft labs", "report_drafts", ":material/history:", answers=True)
    if wanted:
        box.markdown(LEDGER)
        with box:
            drafted = report.to_json(report.drafted(written))
            download("Download the ledger (JSON)", drafted, "ledger.json", "report_ledger")


def _show_recomputed(lesson: Lesson, record: Mapping) -> None:
    title, rows = lesson.title, report.recompute(lesson, record)
    if isinstance(rows, str):
        st.warning(f"{title}: {literal(rows)}", icon=":material/warning:")
        return
    if defaults := report.defaults_taken(lesson, record):
        st.caption(f"{title}. {literal(defaults)}")
    differ = [row for row in rows if not row.same]
    if not differ:
        st.success(f"{title}: the model finds the same {len(rows)} results.", icon=":material/check_circle:")
        return
    st.warning(f"{title}: the model finds different results from those in the file.", icon=":material/warning:")
    for row in differ:
        st.text(f"{row.label}: the file says {row.filed}, the model {row.model}")


def _text_area(*args, **options) -> None:
    st.text_area(*args, height=80, **options)


def _keep(part: str) -> None:
    local_storage.keep_mine(part, str(state.get(f"report_{part}") or ""))
