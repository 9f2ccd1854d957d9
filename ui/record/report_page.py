"""The report on the page: read it, bring one here."""

from collections.abc import Mapping

import streamlit as st

from ui.base import state
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill, literal
from ui.record import keep, report


def ask_name() -> None:
    """Ask for the name on the report, optional, kept in the browser."""
    if not state.get("report_name"):
        state.put("report_name", keep.mine("name"))
    st.text_input(
        "Name on the report (optional)", key="report_name", max_chars=80, on_change=_keep_name, persist_state="session"
    )


def show(written: Mapping) -> None:
    """Show a report: an overview, then each lesson that was begun. A visitor's own text is shown as text, not read."""
    begun = [(lesson, written["lessons"][lesson.id]) for lesson in lessons() if lesson.id in written["lessons"]]
    begun = [(lesson, record) for lesson, record in begun if "prediction" in record]
    _show_set_aside()
    if not begun:
        st.info("Nothing yet. Open a lesson and lock in a prediction; it will appear here.", icon=":material/info:")
        return
    st.caption(report.WORD)
    rows = ["| Lesson | Prediction | Reflection |", "|---|---|---|"]
    for lesson, record in begun:
        reflected = report.verdict(record, "reflection") if "reflection" in record else "open"
        rows.append(f"| {lesson.title} | {report.verdict(record)} | {reflected} |")
    st.markdown("\n".join(rows))
    for lesson, record in begun:
        with st.expander(lesson.title):
            answer = record["prediction"]
            said = "Shown without predicting" if answer == state.SKIPPED else lesson.prediction.option(answer).text
            st.markdown(fill(f"**Predicted** {literal(record.get('predicted_at', ''))}: {said}", {}))
            if "reflection" in record:
                words = lesson.reflection.option(record["reflection"]).text
                st.markdown(fill(f"**Reflected** {literal(record.get('reflected_at', ''))}: {words}", {}))
            if record.get("results"):
                found = "; ".join(f"{label}: {text}" for label, text in record["results"].items())
                st.markdown(f"**Found**: {literal(found)}")
            for sentence in report.history(lesson, record):
                st.markdown(fill(literal(sentence), {}))
            if record.get("note"):
                st.text(record["note"])


def _show_set_aside() -> None:
    """Say which kept records no report can hold, and offer to remove each."""
    for lesson in lessons():
        if why := report.set_aside().get(lesson.id):
            st.warning(f"{why} It is set aside.", icon=":material/warning:")
            key = f"{lesson.id}_remove_record"
            st.button(f"Remove “{lesson.title}”", key=key, on_click=keep.erase, args=([lesson.id],))


def offer(upload) -> None:
    """Check an uploaded report, show what the model says of it, and offer to take it over."""
    # The size is known before the content is read.
    if upload.size > report.MOST:
        st.error(report.too_large(upload.size), icon=":material/block:")
        return
    try:
        found = report.read(upload.getvalue())
    except report.ReportError as refusal:
        st.error(fill(str(refusal), {}), icon=":material/block:")
        return
    for lesson in lessons():
        record = found["lessons"].get(lesson.id)
        if record and record.get("settings"):
            _show_recomputed(lesson, record)
    st.button("Take it over", key="report_take", type="primary", on_click=report.take, args=(found,))


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
    st.warning(f"{title}: the model finds other results than the file says.", icon=":material/warning:")
    for row in differ:
        st.text(f"{row.label}: the file says {row.filed}, the model {row.model}")


def _keep_name() -> None:
    keep.keep_mine("name", str(state.get("report_name") or ""))
