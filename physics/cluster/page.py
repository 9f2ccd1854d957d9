"""Report as one printable page: verdict, changes tried, two charts, model quality, and closed
tables.
"""

import html
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter, mul
from typing import Any

from physics.cluster.files import shown
from physics.cluster.report import NEEDED, PROMISES, VERDICT, Table
from physics.cluster.say import WORDS
from physics.cluster.say import number as digits
from physics.texts import text_beside

STYLE = text_beside(__file__, "page.css")
RECORD_TONE = "#7b858f"
MODEL_TONE = "#0b5fa5"
IDLE_TONE = "#d9822b"
#: Rows of a table and groups of a chart that fit on the page.
MOST_ROWS = 10
MOST_GROUPS = 6
#: Size of a chart, and the edges of what it draws.
WIDE = 430
HIGH = 214
LEFT = 40
RIGHT = 422
BOTTOM = 176
TALL = 168


def to_html(found: dict) -> str:
    """Write a report as one HTML page without external resources, with all texts escaped.

    The page begins with the verdict and prints on one sheet; the tables are folded below, and not
    printed.
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
    # What a size counts is in the title of the table of widths.
    unit = tables.get("widths", {}).get("title", "").removeprefix("Widths in ") or "GPUs"
    about = f"{jobs} on {settings['gpus']:,} {unit}"
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
    """What is printed."""
    first, *rest = contents["sections"]
    sentences = chain.from_iterable(section["sentences"] for section in rest[:2])
    skipped = (WORDS["says"]["not_reproduced"], *WORDS["shown_elsewhere"])
    notes = [sentence for sentence in sentences if not sentence.startswith(skipped)]
    texts = (*notes[:7], *WORDS["unknown"].values())
    points = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
    parts = [
        f'<section class="verdict">{"".join(map(_finding, first["sentences"]))}</section>',
        *(_table(_top(table)) for table in first["tables"]),
        f'<div class="charts">{_waits(tables)}{_weeks(tables, contents["settings"]["gpus"])}</div>',
        *(_sentences(section) for section in rest if section["title"] in (NEEDED, PROMISES)),
        _quality(tables.get("calibration")),
        f"<h2>Read this with</h2><ul>{points}</ul>",
    ]
    return f'<main class="front">{"".join(parts)}</main>\n'


def _finding(sentence: str) -> str:
    """A sentence with its finding, up to the colon, in bold."""
    finding, _, numbers = map(html.escape, sentence.partition(": "))
    return f"<p><b>{finding}</b>{numbers[:1].upper()}{numbers[1:]}</p>"


def _sentences(section: dict) -> str:
    """A section's sentences as paragraphs."""
    return "\n".join(f"<p>{html.escape(sentence)}</p>" for sentence in section["sentences"])


def _section(section: dict) -> str:
    """A section with its heading, sentences and tables."""
    return "\n".join(
        [
            f"<h2>{html.escape(section['title'])}</h2>",
            _sentences(section),
            *map(_table, section["tables"]),
        ]
    )


def _table(table: Table) -> str:
    """A table with its title and headings."""
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table["columns"])
    rows = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table["rows"])
    caption = f"<caption>{html.escape(table['title'])}</caption><thead><tr>{head}</tr></thead>"
    return f'<div class="wide"><table>{caption}<tbody>\n{rows}\n</tbody></table></div>'


def _cell(cell: Any) -> str:
    """A cell of a table, colored if it is a decision."""
    kind = {"yes, shorter": ' class="yes"', "undecided": ' class="no"'}.get(cell, "")
    return f"<td{kind}>{html.escape(shown(cell))}</td>"


def _top(table: Table) -> Table:
    """The rows that fit on the page, in numbers that can be compared."""
    more = len(table["rows"]) - MOST_ROWS
    title = table["title"]
    if more > 0:
        title += f" ({more} more in the appendix)"
    rows = [list(map(_short, row)) for row in table["rows"][:MOST_ROWS]]
    columns = list(map(_heading, table["columns"]))
    return table | {"title": title, "columns": columns, "rows": rows}


def _heading(column: str) -> str:
    """A column's name; one word that would make the table too wide, such as the name of a class, is
    cut.
    """
    name, bracket, unit = column.partition(" [")
    if " " in name:
        return column
    return f"{_cut(name, 11)}{bracket}{unit}"


def _short(cell: Any) -> Any:
    """A cell as the page has room for it."""
    if isinstance(cell, str):
        return _cut(cell, 60)
    if isinstance(cell, float):
        return round(cell, 3)
    return cell


def _cut(text: str, most: int) -> str:
    """A text, or its beginning and "…" if it is too long."""
    if len(text) <= most:
        return text
    return f"{text[: most - 1]}…"


def _quality(table: Table | None) -> str:
    """Of theory, simulation and record the columns that tell how good the model is."""
    if table is None:
        return ""
    columns = table["columns"][:2] + table["columns"][5:]
    rows = [row[:2] + row[5:] for row in table["rows"]]
    return _table(_top({"title": "How good is the model?", "columns": columns, "rows": rows}))


def _day(moment: Any) -> str:
    """The date of a moment, or its seconds where the log has no dates."""
    if isinstance(moment, str):
        return moment[:10]
    return f"{shown(moment)} s"


# --- charts: SVG of a few kB, which needs neither a script nor a font ---


def _rows(table: Table | None, *columns: int) -> list[list]:
    """Some columns of a table, in rows where all but the first are finite numbers at least 0."""
    if table is None or max(columns) >= len(table["columns"]):
        return []
    rows = []
    for row in table["rows"]:
        cells = [row[column] for column in columns]
        if all(isinstance(cell, int | float) and 0 <= cell < 1e12 for cell in cells[1:]):
            rows.append(cells)
    return rows


def _figure(title: str, description: str, parts: Iterable[str], high: float = HIGH) -> str:
    """A chart under its title, and a description for those who do not see it."""
    label = html.escape(f"{title}. {description}.", quote=True)
    drawn = (
        f'<svg viewBox="0 0 {WIDE} {high:g}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    )
    return f"<figure><figcaption>{html.escape(title)}</figcaption>{drawn}</figure>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    """A text in a chart."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(text)}</text>'


def _waits(tables: dict[str, Table]) -> str:
    """Mean waits by class, record beside simulation; with one class by time limit, in the second
    half of the log.
    """
    rows = _rows(tables.get("calibration_classes"), 0, 1, 2, 5)
    rows.sort(key=itemgetter(1), reverse=True)
    by = "class"
    limits = _rows(tables.get("second_half"), 0, 1, 2, 3)
    if len(rows) <= 2 and limits:
        rows = [[str(name).removeprefix("time limit "), *others] for name, *others in limits]
        by = "time limit, second half"
    rows = rows[:MOST_GROUPS]
    if not rows:
        return ""
    longest = max(max(row[2:]) for row in rows) or 1.0
    parts = []
    y = 4.0
    thick = min(22.0, (HIGH - 8.0 * len(rows)) / (2 * len(rows)))
    for name, _, *waits in rows:
        parts.append(_text(146, y + thick + 4, _cut(str(name), 20), "v e"))
        for wait, tone in zip(waits, (RECORD_TONE, MODEL_TONE), strict=True):
            end = 154 + 222 * wait / longest
            parts.append(f'<path d="M154 {y:.1f}H{end:.1f}v{thick - 1:.1f}H154" fill="{tone}"/>')
            parts.append(_text(end + 5, y + thick / 2 + 3.5, digits(wait)))
            y += thick
        y += 8
    description = "; ".join(
        f"{name} {digits(record)} and {digits(simulated)} h" for name, _, record, simulated in rows
    )
    return _figure(f"Mean wait by {by} (h): record gray, simulation blue", description, parts, y)


def _weeks(tables: dict[str, Table], gpus: int) -> str:
    """Utilization by week, and by row of the table in a short log, with what was idle while
    something waited on top.
    """
    rows = _rows(tables.get("over_time"), 0, 1, 2, 4)
    days = 1
    if len(rows) > 60:
        days = 7
    shares_used = []
    tops = []  # with what was idle while something waited
    for start in range(0, len(rows), days):
        _, lengths, shares, wasted = zip(*rows[start : start + days], strict=True)
        length = sum(lengths)
        if length > 0:
            used = sum(map(mul, lengths, shares)) / 100 / length
            shares_used.append(used)
            tops.append(used + sum(wasted) / length / max(1, gpus))
    if not tops:
        return ""
    wide = (RIGHT - LEFT) / len(tops)
    parts = []
    for share in range(0, 101, 20):
        y = BOTTOM - TALL * share / 100
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{RIGHT}" '
            f'stroke="#e3e7ea"/>{_text(LEFT - 5, y + 4, f"{share}%", "e")}'
        )
    for tone, drawn in ((IDLE_TONE, tops), (MODEL_TONE, shares_used)):
        path = ""
        for bar, share in enumerate(drawn):
            high = TALL * min(share, 1)
            path += f"M{LEFT + wide * bar:.1f} {BOTTOM}v{-high:.1f}"
            path += f"h{max(wide - 0.7, 0.5):.1f}v{high:.1f}"
        parts.append(f'<path d="{path}" fill="{tone}"/>')
    parts.append(_text(LEFT, BOTTOM + 15, _day(rows[0][0])))
    parts.append(_text(RIGHT, BOTTOM + 15, _day(rows[-1][0]), "e"))
    title = f"In use {'by week ' * (days == 7)}(blue), idle while jobs waited (orange)"
    return _figure(title, f"In use at most {digits(100 * max(shares_used))}%", parts)
