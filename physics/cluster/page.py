"""A report as one page to print: the verdict, what was tried, two charts, how good the model is; the tables folded."""

import html
import math
from collections.abc import Iterable
from pathlib import Path

from physics.cluster.explain import NOT_REPRODUCED
from physics.cluster.files import shown
from physics.cluster.report import NEEDED, PROMISES, VERDICT, Table
from physics.cluster.say import WORDS
from physics.cluster.say import number as digits

STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
#: Beginnings of sentences that the verdict says, or that explain a table of the appendix.
SAID = (NOT_REPRODUCED, "Mean wait:", "Closest to", "Idle while", "The formulas", "Hours of", "Averages are",
        "The cluster has", "In blocks of")  # fmt: skip
RECORD_TONE, MODEL_TONE, IDLE_TONE = "#7b858f", "#0b5fa5", "#d9822b"
#: Rows of a table and bars of a chart that fit on the page.
MOST_ROWS, MOST_BARS = 10, 5
WIDE, HIGH, LEFT, BOTTOM = 430, 214, 40, 176


def to_html(found: dict) -> str:
    """Write a report as one page without anything from elsewhere, everything in it escaped.

    The page begins with the verdict and prints on one sheet; the tables are folded below, and not printed.
    """
    sections, log = found["sections"], found["log"]
    tables = {table["name"]: table for section in sections for table in section["tables"]}
    summed = bool(sections) and sections[0]["title"] == VERDICT
    more = "\n".join(map(_section, sections[1:] if summed else sections))
    digest = f'<p class="small">SHA-256 of the log: {html.escape(log["digest"])}</p>' if log["digest"] else ""
    if summed:
        more = f"<details><summary>Appendix: all tables</summary>{more}\n{digest}</details>"
    title, jobs = html.escape(found["title"]), f"{log['jobs']:,} job{'s' * (log['jobs'] != 1)}"
    part = found["settings"].get("part", "")
    about = html.escape(f"{jobs} on {found['settings']['gpus']:,} {_unit(tables)}{', ' * bool(part)}{part[:60]}")
    time = html.escape(f"{_day(log['begin'])} to {_day(log['end'])}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>\n{STYLE}</style></head>\n"
        f"<body><header><h1>{title}</h1><p>{about}<span>{time}</span></p></header>\n"
        + (_front(found, tables) if summed else digest)
        + more
        + "\n</body></html>\n"
    )


def _front(found: dict, tables: dict[str, Table]) -> str:
    """What is printed."""
    first, rest = found["sections"][0], found["sections"][1:]
    parts = [f'<section class="verdict">{"".join(map(_finding, first["sentences"]))}</section>']
    parts += [_table(_top(table)) for table in first["tables"]]
    charts = _waits(tables), _needed(tables.get("needed_1")), _weeks(found, tables)
    parts.append(f'<div class="charts">{"".join([one for one in charts if one][:2])}</div>')
    parts += [f"<p>{html.escape(one)}</p>" for part in rest if part["title"] in (NEEDED, PROMISES)
              for one in part["sentences"]]  # fmt: skip
    if "calibration" in tables:
        parts.append(_table(_top(_quality(tables["calibration"]))))
    said = [sentence for section in rest[:2] for sentence in section["sentences"] if not sentence.startswith(SAID)]
    points = "".join(f"<li>{html.escape(one)}</li>" for one in (*said[:7], *WORDS["unknown"].values()))
    return f'<main class="front">{"".join(parts)}<h2>Read this with</h2><ul>{points}</ul></main>\n'


def _finding(sentence: str) -> str:
    """A sentence with its finding, up to the colon, in bold."""
    finding, _, numbers = map(html.escape, sentence.partition(": "))
    return f"<p><b>{finding}</b>{numbers[:1].upper()}{numbers[1:]}</p>"


def _section(section: dict) -> str:
    parts = [f"<h2>{html.escape(section['title'])}</h2>"]
    parts += [f"<p>{html.escape(sentence)}</p>" for sentence in section["sentences"]]
    return "\n".join([*parts, *map(_table, section["tables"])])


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table["columns"])
    rows = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table["rows"])
    caption = f"<caption>{html.escape(table['title'])}</caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


def _cell(cell: object) -> str:
    kind = {"yes, shorter": ' class="yes"', "undecided": ' class="no"'}.get(cell, "") if isinstance(cell, str) else ""
    return f"<td{kind}>{html.escape(shown(cell))}</td>"


def _top(table: Table) -> Table:
    """The rows that fit on the page, in numbers that can be compared."""
    left = len(table["rows"]) - MOST_ROWS
    title = f"{table['title']} ({left} more in the appendix)" if left > 0 else table["title"]
    columns = list(map(_heading, table["columns"]))
    rows = [list(map(_short, row)) for row in table["rows"][:MOST_ROWS]]
    return table | {"title": title, "columns": columns, "rows": rows}


def _heading(column: str) -> str:
    """A column's name; one word that would make the table too wide, such as the name of a class, is cut."""
    name, bracket, unit = column.partition(" [")
    return column if " " in name else f"{_cut(name, 11)}{bracket}{unit}"


def _short(cell: object) -> object:
    """A cell as the page has room for it."""
    return _cut(cell, 60) if isinstance(cell, str) else round(cell, 3) if isinstance(cell, float) else cell


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _quality(table: Table) -> Table:
    """Of theory, simulation and record the columns that tell how good the model is."""
    columns, *rows = ([row[0], row[1], *row[5:]] for row in (table["columns"], *table["rows"]) if row)
    return {"title": "How good is the model?", "columns": columns, "rows": rows}


def _unit(tables: dict[str, Table]) -> str:
    """What a size counts, as the table of widths says."""
    return tables.get("widths", {}).get("title", "").removeprefix("Widths in ") or "GPUs"


def _day(moment: object) -> str:
    return moment[:10] if isinstance(moment, str) else f"{shown(moment)} s"


# --- charts: SVG of a few kB, which needs neither a script nor a font ---


def _rows(table: Table | None, *places: int) -> list[list]:
    """Some columns of a table, in rows where all but the first are finite numbers at least 0."""
    if table is None or max(places) >= len(table["columns"]):
        return []
    picked = [[row[place] for place in places] for row in table["rows"]]
    return [row for row in picked if all(isinstance(one, int | float) and 0 <= one < 1e12 for one in row[1:])]


def _figure(title: str, about: str, parts: Iterable[str], high: float = HIGH) -> str:
    label = html.escape(about, quote=True)
    drawn = f'<svg viewBox="0 0 {WIDE} {high:g}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    return f"<figure><figcaption>{html.escape(title)}</figcaption>{drawn}</figure>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(text)}</text>'


def _box(x: float, y: float, wide: float, high: float, tone: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{tone}"/>'


def _waits(tables: dict[str, Table]) -> str:
    """Mean waits by class, record beside simulation; with one class by time limit, in the second half of the log."""
    rows = sorted(_rows(tables.get("calibration_classes"), 0, 1, 2, 5), key=lambda row: -row[1])
    title = "Mean wait by class (h): record gray, simulation blue"
    if len(rows) <= 2 and (limits := _rows(tables.get("second_half"), 0, 1, 2, 3)):
        rows = [[str(name).removeprefix("time limit "), *others] for name, *others in limits]
        title = "Mean wait by time limit, second half (h): record gray, simulation blue"
    rows = rows[: MOST_BARS + 1]
    waits = [wait for row in rows for wait in row[2:]]
    if not waits:
        return ""
    edge, parts, y = max(waits) or 1.0, [], 4.0
    thick = min(22.0, (HIGH - 8.0 * len(rows)) / len(waits))
    for name, _, *bars in rows:
        parts.append(_text(146, y + thick + 4, _cut(str(name), 20), "v e"))
        for wait, tone in zip(bars, (RECORD_TONE, MODEL_TONE), strict=True):
            parts.append(_box(154, y, 222 * wait / edge, thick - 1, tone))
            parts.append(_text(159 + 222 * wait / edge, y + thick / 2 + 3.5, digits(wait)))
            y += thick
        y += 8
    about = "; ".join(f"{name} {digits(record)} and {digits(simulated)} h" for name, _, record, simulated in rows)
    return _figure(title, f"{title}. {about}.", parts, y)


def _x(part: float) -> float:
    """Place of a part of the way along a chart."""
    return LEFT + (WIDE - 8 - LEFT) * part


def _y(part: float) -> float:
    """Place of a part of the way up a chart."""
    return BOTTOM - (BOTTOM - 8) * min(part, 1)


def _axes(top: float, percent: bool = False) -> list[str]:
    """Lines across at round heights up to the top."""
    step = 10.0 ** math.floor(math.log10(top / 2))
    step *= next(factor for factor in (1, 2, 5) if top / (step * factor) <= 6) if top / step > 6 else 1
    parts = []
    for count in range(int(top / step * (1 + 1e-9)) + 1):
        y = _y(count * step / top)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDE - 8}" stroke="#e3e7ea"/>')
        parts.append(_text(LEFT - 5, y + 4, f"{digits(100 * count * step)}%" if percent else digits(count * step), "e"))
    return parts


def _needed(table: Table | None) -> str:
    """The measure by size: as simulated, with the band of what is unexplained, and the limit."""
    points, band = sorted(_rows(table, 0, 0, 1, 4)), sorted(_rows(table, 0, 1, 2, 3))
    if len(points) < 2:
        return ""
    (first, _, before, limit), last = points[0], points[-1][0]
    top = max([row[2] for row in points] + [value for row in band for value in row[2:]]) or 1.0

    def place(size: float, wait: float) -> str:
        return f"{_x((size - first) / ((last - first) or 1)):.1f},{_y(wait / top):.1f}"

    parts = _axes(top)
    if band:
        up, down = ([place(row[0], row[column]) for row in band] for column in (2, 3))
        parts.append(f'<polygon points="{" ".join([*up, *reversed(down)])}" fill="{RECORD_TONE}" opacity=".22"/>')
    line = " ".join(place(size, simulated) for size, _, simulated, _ in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{MODEL_TONE}" stroke-width="2.2"/>')
    y = _y(limit / top)
    parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDE - 8}" stroke="#1d2329" stroke-dasharray="5 3"/>')
    parts.append(_text(WIDE - 8, y - 5, f"at most {digits(limit)} h", "v e"))
    for share in (0, 0.25, 0.5, 0.75, 1):
        size = digits(first + (last - first) * share)
        parts.append(_text(_x(share), BOTTOM + 15, size, "e" if share == 1 else "m"))
    parts.append(_text((LEFT + WIDE) / 2, BOTTOM + 32, str(table["columns"][0]), "m"))
    title = f"{table['title'].partition(': ')[2]} (h): simulated blue, band if what is unexplained stays"
    about = f"{title}. At {first:,} it is {digits(before)} h; at most {digits(limit)} h is asked for."
    return _figure(title[:1].upper() + title[1:], about, parts)


def _weeks(found: dict, tables: dict[str, Table]) -> str:
    """Utilization by week, and by row of the table in a short log, with what was idle while something waited on top."""
    gpus, rows = max(1, found["settings"]["gpus"]), _rows(tables.get("over_time"), 0, 1, 2, 4)
    group, bars = 7 if len(rows) > 60 else 1, []
    for some in (rows[at : at + group] for at in range(0, len(rows), group)):
        if (length := sum(row[1] for row in some)) > 0:
            used = sum(row[1] * row[2] for row in some) / 100 / length
            bars.append((used, sum(row[3] for row in some) / length / gpus))
    if not bars:
        return ""
    drawn, thick = dict.fromkeys((MODEL_TONE, IDLE_TONE), ""), max((WIDE - 8 - LEFT) / len(bars) - 0.7, 0.5)
    for place, (used, idle) in enumerate(bars):
        low = float(BOTTOM)
        for part, tone in ((min(used, 1), MODEL_TONE), (min(idle, 1 - min(used, 1)), IDLE_TONE)):
            high = (BOTTOM - 8) * part
            drawn[tone] += f"M{_x(place / len(bars)):.1f} {low:.1f}v{-high:.1f}h{thick:.1f}v{high:.1f}"
            low -= high
    parts = [*_axes(1.0, percent=True), *(f'<path d="{path}" fill="{tone}"/>' for tone, path in drawn.items())]
    parts.append(_text(LEFT, BOTTOM + 15, _day(rows[0][0])))
    parts.append(_text(WIDE - 8, BOTTOM + 15, _day(rows[-1][0]), "e"))
    title = f"In use {'by week ' * (group == 7)}(blue), idle while something waited (orange)"
    return _figure(title, f"{title}: in use at most {digits(100 * max(used for used, _ in bars))}%.", parts)
