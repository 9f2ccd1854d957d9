"""The report as one self-contained page that prints well; every text from a visitor is escaped."""

from collections.abc import Mapping
from html import escape

from ui.base import state
from ui.base.lesson import Lesson, lessons
from ui.record import local_storage, recall
from ui.record.report import WORD, answers, found, history, mark, missing, overview, said, title


def to_html(report: Mapping) -> bytes:
    """Write a report as one HTML file."""
    begun = [(lesson, report["lessons"][lesson.id]) for lesson in lessons() if lesson.id in report["lessons"]]
    login, name = report.get("login", ""), f" of {escape(report['name'])}" if report["name"] else ""
    named = "exemplar report" if "exemplar" in report else f"report{name}"
    body = [f"<h1>Fleet What-If: {named}</h1>"]
    head = [login] * bool(login) + [f"Written {report['written_at']}", str(report.get("word", WORD))]
    body.append(f"<p>{escape('. '.join(head))}</p>")
    body.append(_overview(begun) if begun else "<p>No lesson has been started.</p>")
    body += [f"<p>{escape(sentence)}</p>" for sentence in missing(report)]
    for part in local_storage.WORDS:
        if report.get(part):
            body.append(f"<h2>{escape(title(part))}</h2><blockquote>{escape(report[part])}</blockquote>")
    body += [_lesson_html(lesson, record) for lesson, record in begun]
    versions = ", ".join(f"{escape(str(k))} {escape(str(v))}" for k, v in report["versions"].items())
    body.append(f"<footer>Versions: {versions}; report {report['schema']}.</footer>")
    top = f'<meta charset="utf-8"><title>Fleet What-If {named}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{top}</head><body>{"".join(body)}</body></html>'.encode()


def _lesson_html(lesson: Lesson, record: Mapping) -> str:
    parts = [f"<section><h2>{escape(lesson.title)}</h2>"]
    for kind, question, answer, right, at in (*answers(lesson, record), *recall.answered(lesson, record)):
        sure = state.SURE.get(str(record.get("sure"))) if kind == "Prediction" else None
        when = ", ".join(filter(None, (mark(right), sure, at)))
        head = f"<b>{escape(kind)}</b> ({escape(when)}): "
        parts.append(f"<p>{escape(question.text)}<br>{head}{escape(said(question, answer))}</p>")
    parts += [f"<p>{escape(sentence)}</p>" for sentence in history(lesson, record)]
    if record.get("note"):
        parts.append(f"<p><b>Notes</b></p><blockquote>{escape(record['note'])}</blockquote>")
    parts += [_list(head, rows) for head, rows in found(lesson, record).items()]
    if record.get("pins"):
        parts.append(_bars(record["pins"]))
    return "".join(parts) + "</section>"


def _overview(begun: list[tuple[Lesson, Mapping]]) -> str:
    rows = [overview(lesson, record) for lesson, record in begun]
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    heads = "<tr><th>Lesson</th><th>Prediction</th><th>Reflection</th><th>Challenge</th></tr>"
    return f"<table>{heads}{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _list(caption: str, rows: Mapping[str, str]) -> str:
    """Write rows one after the other, as a paper has room for them; a long one breaks between two."""
    cells = "; ".join(f"{escape(str(k))}: <b>{escape(str(v))}</b>" for k, v in rows.items())
    return f"<p>{escape(caption)}. {cells}.</p>"


def _bars(pins: list[Mapping]) -> str:
    """Draw each pinned quantity as bars, one a pin, as a small SVG of our own; one pin alone has nothing to compare."""
    if len(pins) == 1:
        return _list("Pinned", {label: text for label, (_, text) in pins[0]["results"].items()})
    charts = []
    for label in pins[0]["results"]:
        rows = [pin["results"].get(label, [None, "–"]) for pin in pins]
        largest = max((abs(value) for value, _ in rows if value is not None), default=0)
        marks = []
        for number, (value, text) in enumerate(rows):
            width = 0 if not largest or value is None else 150 * abs(value) / largest
            y = 15 * number
            marks.append(
                f'<text x="0" y="{y + 11}">Pinned {number + 1}</text><rect x="70" y="{y + 2}" width="{width:.1f}" '
                f'height="10" fill="#0072B2"/><text x="{76 + width:.1f}" y="{y + 11}">{escape(text)}</text>'
            )
        size = f'width="330" height="{15 * len(rows)}"'
        charts.append(f"<figure><figcaption>{escape(label)}</figcaption><svg {size}>{''.join(marks)}</svg></figure>")
    return "".join(charts)


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;margin:.6rem 0}
td,th{border-bottom:1px solid #ccc;padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}td{font-weight:400}
p b{font-weight:600}p,blockquote{overflow-wrap:anywhere}
blockquote{border-left:3px solid #0072B2;margin:.6rem 0;padding:.2rem .8rem;white-space:pre-wrap}
h2{break-after:avoid}section{margin-top:1.6rem}svg text{font-size:11px}footer{margin-top:2rem;color:#555}
@page{size:A4;margin:10mm}
@media print{body{font-size:8pt;columns:2;column-gap:7mm;line-height:1.18;max-width:none;margin:0;padding:0}
h1{font-size:12pt;margin:0}h2{font-size:9pt;margin:1.2mm 0 .3mm}p,blockquote,figure{margin:.4mm 0}section{margin:0}
blockquote{padding:0 0 0 1.5mm;border-width:1.5px}h1,h1+p{column-span:all}table{width:100%}footer{margin-top:1.5mm}
td,th{padding:0 1.5mm 0 0}figure{break-inside:avoid}svg text{font-size:8pt}rect{print-color-adjust:exact}}
"""
