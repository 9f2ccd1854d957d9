"""Report as one printable HTML page: verdict, changes, two charts, and a folded appendix."""

import html
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter, mul
from typing import Any

from physics.cluster.files import shown
from physics.cluster.report import NEEDED, PROMISES, VERDICT, Table
from physics.cluster.say import WORDS, counted
from physics.cluster.say import number as digits
from physics.texts import text_beside

STYLE = text_beside(__file__, "page.css")
RECORD_COLOR = "#7b858f"
MODEL_COLOR = "#0b5fa5"
IDLE_COLOR = "#d9822b"
#: Rows of a table and groups of a chart that fit on the page.
MOST_ROWS = 10
MOST_GROUPS = 6
#: Size of a chart, and edges and height of its axes [px].
WIDTH = 430
HEIGHT = 214
LEFT = 40
RIGHT = 422
BOTTOM = 176
AXIS_HEIGHT = 168


def to_html(found: dict) -> str:
    """Write a report as one HTML page without external resources, with all texts escaped.

    The page begins with the verdict and prints on one sheet. The appendix is not printed.
    """
    sections = found["sections"]
    log = found["log"]
    settings = found["settings"]
    tables: dict[str, Table] = {}
    for section in sections:
        for table in section["tables"]:
            tables[table["name"]] = table
    digest = ""
    if log["digest"]:
        digest = f'<p class="small">SHA-256 of the log: {html.escape(log["digest"])}</p>'
    if sections and sections[0]["title"] == VERDICT:
        appendix = "\n".join([*map(_section, sections[1:]), digest])
        folded = f"<details><summary>Appendix: all tables</summary>{appendix}</details>"
        body = f"{_front(found, tables)}{folded}"
    else:
        body = "\n".join([digest, *map(_section, sections)])
    title = html.escape(found["title"])
    jobs = f"{log['jobs']:,} job{'s' * (log['jobs'] != 1)}"
    # A report names the unit of sizes only in the title of its table of widths: "… in GPUs".
    unit = tables.get("widths", {}).get("title", "").rpartition(" in ")[2] or "GPUs"
    about = f"{jobs} on {counted(settings['gpus'], unit.removesuffix('s'))}"
    if settings.get("part"):
        about += f", {settings['part'][:60]}"
    about = html.escape(about)
    time = html.escape(f"{_day(log['begin'])} to {_day(log['end'])}")
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">\
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
{STYLE}</style></head>
<body><header><h1>{title}</h1><p>{about}<span>{time}</span></p></header>
{body}
</body></html>
"""


def _front(contents: dict, tables: dict[str, Table]) -> str:
    """Part of the page that is printed."""
    first, *others = contents["sections"]
    sentences = chain.from_iterable(section["sentences"] for section in others[:2])
    skipped = (WORDS["says"]["not_reproduced"], *WORDS["shown_elsewhere"])
    notes = [sentence for sentence in sentences if not sentence.startswith(skipped)]
    texts = (*notes[:7], *WORDS["unknown"].values())
    gpus = contents["settings"]["gpus"]
    points = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
    parts = [
        f'<section class="verdict">{"".join(map(_finding, first["sentences"]))}</section>',
        *(_table(_top(table)) for table in first["tables"]),
        f'<div class="charts">{_wait_chart(tables)}{_use_chart(tables, gpus)}</div>',
        *(_sentences(section) for section in others if section["title"] in (NEEDED, PROMISES)),
        _quality(tables.get("calibration")),
        f"<h2>Read this with</h2><ul>{points}</ul>",
    ]
    return f'<main class="front">{"".join(parts)}</main>\n'


def _finding(sentence: str) -> str:
    """Paragraph of a verdict's sentence, with its finding, up to the colon, in bold."""
    finding, _, numbers = map(html.escape, sentence.partition(": "))
    return f"<p><b>{finding}</b>{numbers[:1].upper()}{numbers[1:]}</p>"


def _sentences(section: dict) -> str:
    """Paragraphs of a section's sentences."""
    return "\n".join(f"<p>{html.escape(sentence)}</p>" for sentence in section["sentences"])


def _section(section: dict) -> str:
    """Section with its heading, sentences and tables."""
    heading = f"<h2>{html.escape(section['title'])}</h2>"
    return "\n".join([heading, _sentences(section), *map(_table, section["tables"])])


def _table(table: Table) -> str:
    """Table with its title and headings."""
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table["columns"])
    rows = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table["rows"])
    caption = f"<caption>{html.escape(table['title'])}</caption><thead><tr>{head}</tr></thead>"
    return f'<div class="wide"><table>{caption}<tbody>\n{rows}\n</tbody></table></div>'


def _cell(cell: Any) -> str:
    """Cell of a table, colored if it is a decision."""
    kind = {"yes, shorter": ' class="yes"', "undecided": ' class="no"'}.get(cell, "")
    return f"<td{kind}>{html.escape(shown(cell))}</td>"


def _top(table: Table) -> Table:
    """Table cut to the rows and the digits that fit on the page."""
    more = len(table["rows"]) - MOST_ROWS
    title = table["title"]
    if more > 0:
        title += f" ({more} more in the appendix)"
    rows = [list(map(_short, row)) for row in table["rows"][:MOST_ROWS]]
    columns = list(map(_heading, table["columns"]))
    return table | {"title": title, "columns": columns, "rows": rows}


def _heading(column: str) -> str:
    """Heading of a column; a single long word, such as the name of a class, is cut."""
    name, bracket, unit = column.partition(" [")
    if " " in name:
        return column
    return f"{_cut(name, 11)}{bracket}{unit}"


def _short(cell: Any) -> Any:
    """Cell cut to the characters or digits that fit on the page."""
    if isinstance(cell, str):
        return _cut(cell, 60)
    if isinstance(cell, float):
        return round(cell, 3)
    return cell


def _cut(text: str, most: int) -> str:
    """Text, or its beginning and "…" if it is too long."""
    if len(text) <= most:
        return text
    return f"{text[: most - 1]}…"


def _quality(table: Table | None) -> str:
    """Table of theory, simulation and record, with the columns on the quality of the model."""
    if table is None:
        return ""
    columns = table["columns"][:2] + table["columns"][5:]
    rows = [row[:2] + row[5:] for row in table["rows"]]
    return _table(_top({"title": "How good is the model?", "columns": columns, "rows": rows}))


def _day(moment: Any) -> str:
    """Date of a moment, or its seconds if the log has no dates."""
    if isinstance(moment, str):
        return moment[:10]
    return f"{shown(moment)} s"


# --- charts: SVG of a few kB, without a script or a font ---


def _rows(table: Table | None, *columns: int) -> list[list]:
    """Cells of some columns, in rows in which all but the first are finite and not negative."""
    if table is None or max(columns) >= len(table["columns"]):
        return []
    rows = []
    for row in table["rows"]:
        cells = [row[column] for column in columns]
        if all(isinstance(cell, int | float) and 0 <= cell < 1e12 for cell in cells[1:]):
            rows.append(cells)
    return rows


def _figure(title: str, description: str, parts: Iterable[str], height: float = HEIGHT) -> str:
    """Chart with its title, and with a description for screen readers."""
    label = html.escape(f"{title}. {description}.", quote=True)
    head = f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{label}">'
    chart = f"{head}{''.join(parts)}</svg>"
    return f"<figure><figcaption>{html.escape(title)}</figcaption>{chart}</figure>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    """Text in a chart; `kind` is its CSS class."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(text)}</text>'


def _wait_chart(tables: dict[str, Table]) -> str:
    """Chart of recorded and simulated mean waits by class; with one class, by time limit."""
    rows = _rows(tables.get("calibration_classes"), 0, 1, 2, 5)
    rows.sort(key=itemgetter(1), reverse=True)
    groups = "class"
    limits = _rows(tables.get("second_half"), 0, 1, 2, 3)
    if len(rows) <= 2 and limits:
        rows = [[str(name).removeprefix("time limit "), *others] for name, *others in limits]
        groups = "time limit, second half"
    rows = rows[:MOST_GROUPS]
    if not rows:
        return ""
    longest = max(max(row[2:]) for row in rows) or 1.0
    parts = []
    y = 4.0
    bar = min(22.0, (HEIGHT - 8.0 * len(rows)) / (2 * len(rows)))
    for name, _, *waits in rows:
        parts.append(_text(146, y + bar + 4, _cut(str(name), 20), "v e"))
        for wait, color in zip(waits, (RECORD_COLOR, MODEL_COLOR), strict=True):
            end = 154 + 222 * wait / longest
            parts.append(f'<path d="M154 {y:.1f}H{end:.1f}v{bar - 1:.1f}H154" fill="{color}"/>')
            parts.append(_text(end + 5, y + bar / 2 + 3.5, digits(wait)))
            y += bar
        y += 8
    description = "; ".join(
        f"{name} {digits(record)} and {digits(simulated)} h" for name, _, record, simulated in rows
    )
    title = f"Mean wait by {groups} (h): record gray, simulation blue"
    return _figure(title, description, parts, y)


def _use_chart(tables: dict[str, Table], gpus: int) -> str:
    """Chart of utilization, with the time idle while jobs waited on top.

    Many hours are drawn by day, and many days by week.
    """
    rows = _rows(tables.get("over_time"), 0, 1, 2, 4)
    together = 1
    period = ""
    if len(rows) > 60:
        together = 7
        period = "by week "
        if max(row[1] for row in rows) <= 1:
            together = 24
            period = "by day "
    shares_used = []
    tops = []  # with the time idle while jobs waited
    for start in range(0, len(rows), together):
        _, lengths, shares, wasted = zip(*rows[start : start + together], strict=True)
        length = sum(lengths)
        if length > 0:
            used = sum(map(mul, lengths, shares)) / 100 / length
            shares_used.append(used)
            tops.append(used + sum(wasted) / length / max(1, gpus))
    if not tops:
        return ""
    step = (RIGHT - LEFT) / len(tops)
    parts = []
    for share in range(0, 101, 20):
        y = BOTTOM - AXIS_HEIGHT * share / 100
        parts.append(f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="#e3e7ea"/>')
        parts.append(_text(LEFT - 5, y + 4, f"{share}%", "e"))
    for color, bars in ((IDLE_COLOR, tops), (MODEL_COLOR, shares_used)):
        path = ""
        for number, share in enumerate(bars):
            height = AXIS_HEIGHT * min(share, 1)
            path += f"M{LEFT + step * number:.1f} {BOTTOM}v{-height:.1f}"
            path += f"h{max(step - 0.7, 0.5):.1f}v{height:.1f}"
        parts.append(f'<path d="{path}" fill="{color}"/>')
    parts.append(_text(LEFT, BOTTOM + 15, _day(rows[0][0])))
    parts.append(_text(RIGHT, BOTTOM + 15, _day(rows[-1][0]), "e"))
    title = f"In use {period}(blue), idle while jobs waited (orange)"
    return _figure(title, f"In use at most {digits(100 * max(shares_used))}%", parts)
