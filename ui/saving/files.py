"""Pages for saved pictures and animations, and the buttons that save them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from physics.texts import text_beside
from ui.base import device
from ui.base.format import capital
from ui.base.lesson import Figure
from ui.charts import tables
from ui.charts.look import Look
from ui.films.film import CSS, HTML, JS
from ui.record import sheet

#: Maximum size of a saved page [bytes].
MOST = 300_000
#: Maximum size of a page's table [bytes]; the rest is for the drawing or the animation.
MOST_TABLE = 70_000
#: Size of the HTML tags of a table's cell [bytes].
TAGS = 9
#: Numbers from this one on are written without decimals, and with commas.
ROUND = 9999.5
#: Marks where the browser inserts the drawing.
DRAWING = "<!--drawing-->"
#: Columns of the table of an animation's jobs, or of its boxes.
JOBS = ("Job", "Arrives", "Starts", "Ends")
BOXES = ("What", "Starts", "Ends", "Places")
_STYLE = """
:root{{color-scheme:{scheme};--ink:{look.ink};--quiet:{look.quiet};--line:{look.faint};
--paper:{look.paper};--first:{look.quiet};--accent:{look.accent};--st-text-color:{look.ink};
--st-primary-color:{look.accent}}}
body{{max-width:64rem}}figure{{margin:.8rem 0}}
figure svg{{display:block;width:auto;min-width:min(100%,42rem);max-width:100%;height:auto}}
figure svg,figure svg text{{font-family:system-ui,sans-serif}}
.sentence{{font-size:1.1rem}}summary{{cursor:pointer;margin-top:.6rem}}
"""
#: Call of the player in a saved page, where there is no app that it could report to.
_PLAY = "player({parentElement: document, data: %s, setTriggerValue() {}})"

_SAVE = st.components.v2.component(
    "fleet_what_if_save",
    html='<div class="save"></div>',
    css=text_beside(__file__, "save.css"),
    js=text_beside(__file__, "save.js"),
)


@dataclass(frozen=True)
class Words:
    """Texts around a saved picture, all of them plain text."""

    title: str
    sentence: str  #: describes the picture at these settings
    settings: Mapping[str, str]  #: values by label
    link: str  #: address of the picture with these settings
    caption: str = ""
    opens: str = "this picture"  #: name of what the link opens


def picture(words: Words, figure: Figure, look: Look, called: Mapping[str, str]) -> str:
    """Return the page of a chart, with `DRAWING` where the browser inserts its drawing.

    `called` names kinds of rows, see `ui.charts.tables`.
    """
    data = tables.table(figure, called)
    percents = tables.percents(figure)
    columns = []
    for name in data.columns:
        write = _share if name in percents else _cell
        columns.append([str(name), *map(write, data[name])])
    return _page(words, DRAWING, list(zip(*columns, strict=True)), look)


def chart(
    name: str, words: Words, figure: Figure, look: Look, called: Mapping[str, str]
) -> dict[str, Any]:
    """Return a chart as a file for `offer`, named after the page `name`; see `picture`."""
    return {
        "name": f"fleet-what-if-{name}-{figure.name}",
        "heading": figure.title,
        "title": figure.title,
        "paper": look.paper,
        "page": picture(words, figure, look, called),
    }


def film(words: Words, message: Mapping | bytes, look: Look) -> str:
    """Return the page of an animation with its player and `message`, the player's data."""
    data = json.loads(message) if isinstance(message, bytes) else message
    # The data must not contain the tag that ends the script.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    source = JS.replace("export default function (", "function player(", 1)
    player = f"<style>{CSS}</style>{HTML}"
    player += f"<script>{source}\n{_PLAY % text}</script>"
    return _page(words, player, list(_events(data["films"][0])), look)


def offer(key: str, files: Callable[[], Sequence[Mapping[str, Any]]]) -> bool:
    """Draw the popover with the save buttons; return whether it is open.

    `files` is called only if it is open. Each file has `name`, `heading`, and `page`, and a chart's
    file also `title`, as the page shows it, and `paper`, its background color.
    """
    box = device.popover("Save", key, ":material/download:", answers=True, width="content")
    if box is None:
        return False
    with box:
        st.markdown("Each file works offline, in a slide or on a course page.")
        data = {"files": list(files()), "drawing": DRAWING}
        _SAVE(key=f"{key}_files", data=data, height="content")
    return True


def _page(words: Words, drawing: str, rows: Sequence[Sequence[str]], look: Look) -> str:
    """Write a page with a drawing, its texts, and its table, whose first row is the header."""
    settings = ""
    for label, value in words.settings.items():
        settings += f"<li>{escape(label)}: <b>{escape(value)}</b></li>"
    link = f"{capital(words.opens)} in Fleet What-If: {escape(words.link)}"
    if words.link.startswith("http"):
        link = f'<a href="{escape(words.link)}">Open {words.opens} in Fleet What-If</a>'
    body = [f"<figure>{drawing}</figure>", f'<p class="sentence">{escape(words.sentence)}</p>']
    if words.caption:
        body.append(f'<p class="quiet">{escape(words.caption)}</p>')
    if settings:
        body.append(f"<h2>Settings</h2><ul>{settings}</ul>")
    body.append(_table(rows))
    body.append(f"<p>{link}</p>")
    style = _STYLE.format(look=look, scheme="dark" if look.dark else "light")
    return sheet.page(words.title, body, style).decode()


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Return a collapsed table, cut at `MOST_TABLE` bytes; "" if it only has a header."""
    size = 0
    number = 0
    for cells in rows:
        size += sum(len(escape(cell).encode()) + TAGS for cell in cells)
        if size > MOST_TABLE:
            break
        number += 1
    if number < 2:
        return ""
    note = ""
    if number < len(rows):
        note = (
            f"<p>These are the first {number - 1:,} of {len(rows) - 1:,} rows. "
            "The app has them all.</p>"
        )
    return f"<details><summary>Table</summary>{sheet.table(rows[:number])}{note}</details>"


def _events(message: Mapping) -> Iterable[tuple[str, ...]]:
    """Yield a header and an animation's events as rows, from its data; times are in its unit."""
    unit = message["unit"]
    unit_suffix = f" ({message['unitName']})"
    if "jobs" in message:
        yield (JOBS[0], *(name + unit_suffix for name in JOBS[1:]))
        _, *columns = message["jobs"]
        numbers = message["numbers"] or range(1, len(columns[0]) + 1)
        for number, *ticks in zip(numbers, *columns, strict=True):
            yield (str(number), *(_cell(tick * message["tick"] / unit) for tick in ticks))
        return
    yield (BOXES[0], BOXES[1] + unit_suffix, BOXES[2] + unit_suffix, BOXES[3])
    for start_place, end_place, start, end, kind, label in message["boxes"]:
        name = ", ".join(filter(None, (message["kinds"][kind][0], label)))
        places = str(start_place + 1)
        if end_place > start_place:
            places += f" to {end_place + 1}"
        yield (name, _cell(start / unit), _cell(end / unit), places)


def _cell(value: Any) -> str:
    """Write a value of a table: numbers with four digits, missing ones as ""."""
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if not isinstance(value, int | float):
        return str(value)
    if abs(value) < ROUND:
        return f"{value:.4g}"
    return f"{value:,.0f}"


def _share(value: Any) -> str:
    """Write a share of 1 in percent."""
    if isinstance(value, int | float) and value == value:
        return f"{_cell(100 * value)}%"
    return _cell(value)
