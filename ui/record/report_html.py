"""The report as one self-contained page that prints well; every text from a visitor is escaped."""

from collections.abc import Iterator, Mapping
from html import escape

from ui.base import state
from ui.base.lesson import Lesson
from ui.record import local_storage, recall, report, sheet

_STYLE = """
body{font-size:15px;line-height:1.5;max-width:48rem}
p b{font-weight:600}p,blockquote{overflow-wrap:anywhere}blockquote{margin:.6rem 0;white-space:pre-wrap}
section{margin-top:1.6rem}svg text{font-size:11px}footer{margin-top:2rem}
@page{margin:10mm}
@media print{body{font-size:8pt;columns:2;column-gap:7mm;line-height:1.18}
h1{font-size:12pt;margin:0}h2{font-size:9pt;margin:1.2mm 0 .3mm}p,blockquote,figure{margin:.4mm 0}section{margin:0}
blockquote{padding:0 0 0 1.5mm;border-width:1.5px}h1,h1+p{column-span:all}.rows{width:100%}footer{margin-top:1.5mm}
.rows :is(td,th){padding:0 1.5mm 0 0}figure{break-inside:avoid}svg text{font-size:8pt}}
"""


def to_html(written: Mapping) -> bytes:
    """Write a report as one HTML file."""
    begun = report.begun(written)
    name = f"report of {written['name']}" if written["name"] else "report"
    head = [written.get("login"), f"Written {written['written_at']}", written.get("word", report.WORD)]
    body = [f"<p>{escape('. '.join(filter(None, head)))}</p>"]
    body.append(sheet.table(report.overview(begun)) if begun else "<p>No lesson has been started.</p>")
    body += [f"<p>{escape(sentence)}</p>" for sentence in report.missing(written)]
    for part in local_storage.WORDS:
        if written.get(part):
            body.append(f"<h2>{escape(report.TITLES[part])}</h2><blockquote>{escape(written[part])}</blockquote>")
    body += [f"<section><h2>{escape(one.title)}</h2>{record_html(one, record)}</section>" for one, record in begun]
    versions = ", ".join(f"{escape(str(k))} {escape(str(v))}" for k, v in written["versions"].items())
    body.append(f'<footer class="quiet">Versions: {versions}; report {written["schema"]}.</footer>')
    return sheet.page(f"Fleet What-If: {'exemplar report' if 'exemplar' in written else name}", body, _STYLE)


def record_html(lesson: Lesson, record: Mapping) -> str:
    """Write what a report has of one lesson: answers, changes, notes, results, settings, and pins."""
    return "".join(_parts(lesson, record))


def _parts(lesson: Lesson, record: Mapping) -> Iterator[str]:
    for kind, question, answer, right, at in (*report.answers(lesson, record), *recall.answered(lesson, record)):
        sure = state.SURE.get(str(record.get("sure"))) if kind == "Prediction" else None
        when = ", ".join(filter(None, (report.mark(right), sure, at)))
        said = escape(report.said(question, answer))
        yield f"<p>{escape(question.text)}<br><b>{escape(kind)}</b> ({escape(when)}): {said}</p>"
    for sentence in report.history(lesson, record):
        yield f"<p>{escape(sentence)}</p>"
    if record.get("note"):
        yield f'<p><b>Notes</b></p><blockquote style="white-space:pre-wrap">{escape(record["note"])}</blockquote>'
    for head, rows in report.found(lesson, record).items():
        yield _list(head, rows)
    if pins := record.get("pins"):
        yield (
            _bars(pins) if len(pins) > 1 else _list("Pinned", {k: text for k, (_, text) in pins[0]["results"].items()})
        )


def _list(caption: str, rows: Mapping[str, str]) -> str:
    """Write rows one after the other, as a paper has room for them; a long one breaks between two."""
    cells = "; ".join(f"{escape(str(k))}: <b>{escape(str(v))}</b>" for k, v in rows.items())
    return f"<p>{escape(caption)}. {cells}.</p>"


def _bars(pins: list[Mapping]) -> str:
    """Draw each pinned quantity as bars, one a pin, as a small SVG of our own."""
    charts = []
    for label in pins[0]["results"]:
        rows = [pin["results"].get(label, [None, "–"]) for pin in pins]
        largest = max(abs(value or 0) for value, _ in rows)
        marks = []
        for number, (value, text) in enumerate(rows):
            width, y = 150 * abs(value or 0) / (largest or 1), 15 * number
            marks.append(
                f'<text x="0" y="{y + 11}">Pinned {number + 1}</text><rect x="70" y="{y + 2}" width="{width:.1f}" '
                f'height="10" fill="#0072B2"/><text x="{76 + width:.1f}" y="{y + 11}">{escape(text)}</text>'
            )
        size = f'width="330" height="{15 * len(rows)}" fill="currentColor" font-size="11"'
        charts.append(f"<figure><figcaption>{escape(label)}</figcaption><svg {size}>{''.join(marks)}</svg></figure>")
    return "".join(charts)
