"""Report page, and the report as one self-contained printable page.

All text from a visitor is escaped.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from ui.base import device, state
from ui.base.lesson import Lesson
from ui.base.words import fill, literal
from ui.record import answer_marks, design_ledger, local_storage, plain, recall, report, sheet
from ui.record.ledger import Answer

ABOUT = (
    "This report has everything that you predicted, tried, and found. It is made from what this "
    "browser has saved, and nothing is sent anywhere until you download it and hand it in "
    "yourself. The file contains a random number of this browser, which shows your teachers "
    "when two reports come from the same browser."
)
IMPORT = (
    "A JSON report from another machine is added to what is here; a prediction that is locked here "
    "stays. The model computes its results again, and differences are marked."
)
LEDGER = (
    "This file has the format and keys of the design ledger of *Machine Learning Systems*, "
    "volume 2, with your answers and what this app's models find at your last settings. A wait "
    "here does not include the service time."
)
TEACHERS = "For your teachers"
#: Session key of the sentences on what an import has done, until they are shown.
_IMPORTED = "_report_imported"
_STYLE = """
body{font-size:15px;line-height:1.5;max-width:48rem}
p b{font-weight:600}p,blockquote{overflow-wrap:anywhere}
blockquote{margin:.6rem 0;white-space:pre-wrap}
section{margin-top:1.6rem}details{margin-top:2rem}
@page{margin:10mm}
@media print{body{font-size:8pt;columns:2;column-gap:7mm;line-height:1.18}
h1{font-size:12pt;margin:0}h2{font-size:9pt;margin:1.2mm 0 .3mm}
p,blockquote{margin:.4mm 0}section{margin:0}blockquote{padding:0 0 0 1.5mm;border-width:1.5px}
h1,h1+p{column-span:all}.rows{width:100%}details{margin-top:1.5mm}
.rows :is(td,th){padding:0 1.5mm 0 0}}
"""


def draw() -> None:
    """Draw the page up to the buttons that delete data."""
    st.markdown(ABOUT)
    _ask()
    document = report.document()
    with device.reserved_box("report_download", 84 if device.on_phone() else 35, horizontal=True):
        name = "fleet-what-if-report"
        device.download(
            "Download as a page (HTML)", to_html(document), f"{name}.html", "report_html"
        )
        device.download(
            "Download as data (JSON)", report.to_json(document), f"{name}.json", "report_json"
        )
    _show(document)
    device.heading("Import a report")
    st.markdown(IMPORT)
    with device.reserved_box("report_import", 84):
        upload = st.file_uploader(
            "Report (JSON)", type=["json"], key="report_import", max_upload_size=1
        )
    if upload is not None:
        _offer(upload.getvalue())
    records = report.begun(document)
    # The expander's content is computed only when it is opened.
    box = device.expander(TEACHERS, "report_teachers", ":material/school:")
    if box and records:
        with box:
            st.caption(report.WORD)
            st.markdown(sheet.markdown(report.overview(records)))
            for lesson, record in records:
                st.html(f"<p><b>{escape(lesson.title)}</b></p>{teachers_html(lesson, record)}")
    box = device.expander(
        "Design ledger (JSON)", "report_drafts", ":material/history:", answers=True
    )
    if box:
        box.markdown(LEDGER)
        with box:
            drafted = report.to_json(design_ledger.drafted(document))
            device.download("Download the ledger (JSON)", drafted, "ledger.json", "report_ledger")


def _ask() -> None:
    """Draw the optional text fields of `report.TITLES`, which the browser saves."""
    containers = [*st.columns(2), *st.columns(2), st.container()]
    for field, container in zip(report.TITLES, containers, strict=True):
        key = f"report_{field}"
        if state.get(key) != local_storage.mine(field):  # it may have changed on another page
            state.put(key, local_storage.mine(field))
        height = 60
        draw_field: Callable[..., Any] = st.text_input
        if field in local_storage.WORDS:
            height = 84
            draw_field = partial(st.text_area, height=80)
        with container, device.reserved_box(key, height):
            draw_field(
                f"{report.TITLES[field]} (optional)",
                key=key,
                max_chars=local_storage.LONGEST[field],
                on_change=_keep,
                args=(field,),
                persist_state="session",
            )


def _keep(field: str) -> None:
    """Callback: save a text field of the report."""
    local_storage.keep_mine(field, str(state.get(f"report_{field}") or ""))


def _show(document: Mapping) -> None:
    """Draw an expander for each lesson with an answer, below what the report lacks."""
    records = [
        (lesson, record)
        for lesson, record in report.begun(document)
        if report.answers(lesson, record)
    ]
    if not records:
        st.info(
            "Nothing yet. Open a lesson and lock in a prediction; it will appear here.",
            icon=":material/info:",
        )
        return
    for sentence in report.missing(document):
        st.caption(fill(sentence, {}))
    for lesson, record in records:
        with st.expander(lesson.title):
            st.html(record_html(lesson, record))


def _offer(data: bytes) -> None:
    """Check an uploaded report, show whether the model agrees, and draw the button to import it."""
    try:
        content = report.read(data)
    except plain.ReportError as refusal:
        st.error(fill(str(refusal), {}), icon=":material/block:")
        return
    if content["unread"]:
        st.warning(literal(report.unread(content)), icon=":material/warning:")
    for lesson, record in report.begun(content):
        if record.get("settings") and record.get("results"):
            _show_recomputed(lesson, record)
    outcome = state.get(_IMPORTED)
    if outcome:
        st.success(str(outcome), icon=":material/check_circle:")
        state.drop(_IMPORTED)
    else:
        device.button("Import", "report_take", _take, content, type="primary")


def _take(content: Mapping) -> None:
    """Callback: import a report, and keep the sentences on what that has done."""
    state.put(_IMPORTED, report.take(content))


def _show_recomputed(lesson: Lesson, record: Mapping) -> None:
    """Show whether the model finds the same results as a record."""
    warn = partial(st.warning, icon=":material/warning:")
    try:
        differences = report.recomputed(lesson, record)
        if differences:
            warn(f"{lesson.title}: the model finds different results from those in the file.")
            st.text("\n".join(differences))
        else:
            st.success(
                f"{lesson.title}: the model finds the same results.", icon=":material/check_circle:"
            )
    except (ValueError, ArithmeticError) as refusal:
        warn(literal(f"{lesson.title}: its results cannot be computed again: {refusal}."))


def to_html(document: Mapping) -> bytes:
    """Write a report as one HTML file: the student's work, and a section for the teacher."""
    records = report.begun(document)
    title = "report"
    if document["name"]:
        title = f"report by {document['name']}"
    if "exemplar" in document:
        title = "exemplar report"
    head = [document["login"], f"Written {answer_marks.local(document['written_at'])}"]
    body = [f"<p>{escape('. '.join(filter(None, head)))}</p>"]
    if not records:
        body.append("<p>No lesson has been started.</p>")
    body += [
        f"<section><h2>{escape(lesson.title)}</h2>{record_html(lesson, record)}</section>"
        for lesson, record in records
    ]
    for field in local_storage.WORDS:
        if document[field]:
            quoted = f"<blockquote>{escape(document[field])}</blockquote>"
            body.append(f"<h2>{escape(report.TITLES[field])}</h2>{quoted}")
    body += [f"<p>{escape(sentence)}</p>" for sentence in report.missing(document)]
    body.append(f"<details><summary>{TEACHERS}</summary><p>{escape(document['word'])}</p>")
    if records:
        body.append(sheet.table(report.overview(records)))
    body += [
        f"<p><b>{escape(lesson.title)}</b></p>{teachers_html(lesson, record)}"
        for lesson, record in records
    ]
    versions = ", ".join(f"{name} {version}" for name, version in document["versions"].items())
    body.append(
        f'<p class="quiet">Versions: {versions}; report {document["schema"]}.</p></details>'
    )
    return sheet.page(f"Fleet What-If: {title}", body, _STYLE)


def record_html(lesson: Lesson, record: Mapping) -> str:
    """Write one lesson's record as HTML: questions, answers, takeaway, note, results, and pins."""
    return "".join(_parts(lesson, record))


def teachers_html(lesson: Lesson, record: Mapping) -> str:
    """Write a teacher's view of one lesson: right answers, their times, and changes, as HTML."""
    rows = []
    for answer in (*report.answers(lesson, record), *recall.answered(lesson, record)):
        mark = answer_marks.mark(answer.kind, answer.right, record)
        texts = filter(None, (mark, answer_marks.local(answer.at)))
        rows.append(f"{answer.kind}: {', '.join(texts)}")
    rows += report.history(lesson, record)
    return "".join(f"<p>{escape(row)}</p>" for row in rows)


def _parts(lesson: Lesson, record: Mapping) -> Iterator[str]:
    """Yield the paragraphs of one lesson's record as HTML."""
    for answer in report.answers(lesson, record):
        yield answer_html(answer)
        model = report.model(lesson, record, answer.kind)
        if model:
            yield f"<p><b>The model</b>: {escape(model)}</p>"
    takeaway = report.takeaway(lesson, record)
    if takeaway:
        yield f"<p><b>Takeaway</b>: {escape(takeaway)}</p>"
    if record.get("note"):
        note = f'<blockquote style="white-space:pre-wrap">{escape(record["note"])}</blockquote>'
        yield f"<p><b>Notes</b></p>{note}"
    results = report.by_heading(lesson, record)
    for number, pin in enumerate(record.get("pins", []), 1):
        results[f"Pinned {number}"] = {label: text for label, (_, text) in pin["results"].items()}
    for heading, rows in results.items():  # as running text, which saves paper
        cells = "; ".join(f"{escape(label)}: <b>{escape(text)}</b>" for label, text in rows.items())
        if cells:
            yield f"<p>{heading}. {cells}.</p>"
    yield from map(answer_html, recall.answered(lesson, record))


def answer_html(answer: Answer, note: str = "") -> str:
    """Write a question and its answer as HTML, with a note after the answer's kind."""
    text = escape(report.option_text(answer.question, answer.option))
    return f"<p>{escape(answer.question.text)}<br><b>{escape(answer.kind)}{note}</b>: {text}</p>"
