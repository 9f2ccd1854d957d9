"""The report as one self-contained page that prints well; every text from a visitor is escaped."""

from collections.abc import Iterator, Mapping
from html import escape

from ui.base.lesson import Lesson
from ui.record import local_storage, recall, report, sheet

_STYLE = """
body{font-size:15px;line-height:1.5;max-width:48rem}
p b{font-weight:600}p,blockquote{overflow-wrap:anywhere}blockquote{margin:.6rem 0;white-space:pre-wrap}
section{margin-top:1.6rem}footer{margin-top:2rem}
@page{margin:10mm}
@media print{body{font-size:8pt;columns:2;column-gap:7mm;line-height:1.18}
h1{font-size:12pt;margin:0}h2{font-size:9pt;margin:1.2mm 0 .3mm}p,blockquote{margin:.4mm 0}section{margin:0}
blockquote{padding:0 0 0 1.5mm;border-width:1.5px}h1,h1+p{column-span:all}.rows{width:100%}footer{margin-top:1.5mm}
.rows :is(td,th){padding:0 1.5mm 0 0}}
"""


def to_html(written: Mapping) -> bytes:
    """Write a report as one HTML file."""
    begun = report.begun(written)
    name = f"report of {written['name']}" if written["name"] else "report"
    head = [written["login"], f"Written {written['written_at']}", written["word"]]
    body = [f"<p>{escape('. '.join(filter(None, head)))}</p>"]
    body.append(sheet.table(report.overview(begun)) if begun else "<p>No lesson has been started.</p>")
    body += [f"<p>{escape(sentence)}</p>" for sentence in report.missing(written)]
    for part in local_storage.WORDS:
        if written[part]:
            body.append(f"<h2>{escape(report.TITLES[part])}</h2><blockquote>{escape(written[part])}</blockquote>")
    body += [f"<section><h2>{escape(one.title)}</h2>{record_html(one, record)}</section>" for one, record in begun]
    versions = ", ".join(f"{name} {version}" for name, version in written["versions"].items())
    body.append(f'<footer class="quiet">Versions: {versions}; report {written["schema"]}.</footer>')
    return sheet.page(f"Fleet What-If: {'exemplar report' if 'exemplar' in written else name}", body, _STYLE)


def record_html(lesson: Lesson, record: Mapping) -> str:
    """Write what a report has of one lesson: answers, changes, notes, results, settings, and pins."""
    return "".join(_parts(lesson, record))


def _parts(lesson: Lesson, record: Mapping) -> Iterator[str]:
    for kind, question, answer, right, at in (*report.answers(lesson, record), *recall.answered(lesson, record)):
        when = ", ".join(filter(None, (report.mark(kind, right, record), at)))
        said = escape(report.said(question, answer))
        yield f"<p>{escape(question.text)}<br><b>{escape(kind)}</b> ({escape(when)}): {said}</p>"
    for sentence in report.history(lesson, record):
        yield f"<p>{escape(sentence)}</p>"
    if record.get("note"):
        yield f'<p><b>Notes</b></p><blockquote style="white-space:pre-wrap">{escape(record["note"])}</blockquote>'
    for head, rows in report.found(lesson, record).items():
        yield _list(head, rows)
    for number, pin in enumerate(record.get("pins", []), 1):
        yield _list(f"Pinned {number}", {label: text for label, (_, text) in pin["results"].items()})


def _list(caption: str, rows: Mapping[str, str]) -> str:
    """Write rows one after the other, as a paper has room for them; a long one breaks between two."""
    cells = "; ".join(f"{escape(str(k))}: <b>{escape(str(v))}</b>" for k, v in rows.items())
    return f"<p>{escape(caption)}. {cells}.</p>"
