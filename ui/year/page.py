"""Your year at the center: the core lessons as stations, and a printable page."""

from collections.abc import Iterator
from functools import partial
from html import escape

import streamlit as st

from ui.base import device, state
from ui.base.words import literal
from ui.page import shell
from ui.record import local_storage, sheet
from ui.year.stations import NOT_YET, TESTED, UNTESTED, Station, in_sum, stations, winning_plans

TITLE = "Your year at the center"
OPENING = (
    "One center, one director, one year. Each lesson began with a message from the center; here "
    "are your predictions next to the answers of the model."
)
COURSE = (
    "Hours go where something is full. Find it, make room there, and look again: the next limit is "
    "already waiting behind it."
)
COMMON = (
    "In each lesson, one number looked healthy while something else was full, such as the job "
    "slots, the loader workers, the metadata server, or the resource that a team needs most."
)
#: Lesson that joins the models of the whole course; the closing does not wait for it.
CAPSTONE = "hours"
ASK = "Where would you look first in your own cluster?"
PART = "first_look"
KEY = f"year_{PART}"
_STYLE = "section{margin-top:.8rem}section p{margin:.15rem 0}"


def draw() -> None:
    """Draw the whole page except its end."""
    all_stations = stations()
    st.markdown(OPENING)
    for station in all_stations:
        _draw(station)
    _draw_closing(all_stations)
    _ask_where_to_look()
    paper = to_html(all_stations)
    device.download("Download to print (HTML)", paper, "your-year.html", "year_print")


def _draw(station: Station) -> None:
    """Draw a station: its lesson, the visitor's prediction, and the model's answer."""
    lesson = station.lesson
    with st.container(key=f"year_{lesson.id}", gap="xxsmall"):
        icons = {
            NOT_YET: ":material/radio_button_unchecked:",
            UNTESTED: ":material/lock:",
            TESTED: ":material/check_circle:",
        }
        title = f"**{station.number}. {lesson.title}** :gray[from {lesson.sender}]"
        shell.link(lesson.path, title, icons[station.stage])
        for line in _lines(station):
            st.markdown(line)


def _lines(station: Station) -> Iterator[str]:
    """Yield the sentences of a station as Markdown."""
    if station.stage == NOT_YET:
        yield "Not yet."
        return
    yield f"**Your prediction:** {literal(station.predicted)}"
    if station.stage == UNTESTED:
        yield "Not tested yet."
        return
    if station.model:
        yield f"**The model:** {literal(station.model)} {_judged(station)}"
    if station.learned:
        yield f"*{station.learned}*"


def _judged(station: Station) -> str:
    """Return Markdown that says whether the prediction was right; "" if nothing was predicted."""
    if station.right is None:
        return ""
    if station.right:
        return ":green[:material/check: as you predicted]"
    return ":red[:material/close: not as you predicted]"


def _has_common(stations: list[Station]) -> bool:
    """Return whether all lessons but the capstone are tested, which the common closing needs."""
    return all(station.stage == TESTED for station in stations if station.lesson.id != CAPSTONE)


def _draw_closing(stations: list[Station]) -> None:
    """Draw the summary, what all lessons have in common, and the link to the next lesson."""
    summary = in_sum(stations)
    if summary:
        st.markdown(f"**{summary}**")
    if _has_common(stations):
        device.heading("What the lessons have in common")
        st.markdown(f"{COMMON}\n\n**{COURSE}**")
        for sentence in winning_plans(stations):
            st.markdown(sentence)
    for station in stations:
        if station.stage != TESTED:
            following = station.lesson
            title = f"**Continue: {following.title}**"
            shell.link(following.path, title, ":material/arrow_forward:")
            break


def _ask_where_to_look() -> None:
    """Draw the field for the visitor's own answer, which this browser and the report keep."""
    if state.get(KEY) != local_storage.mine(PART):  # it may have changed in the report
        state.put(KEY, local_storage.mine(PART))
    st.text_area(
        f"{ASK} (optional)",
        key=KEY,
        height=80,
        max_chars=local_storage.LONGEST[PART],
        on_change=_keep,
        persist_state="session",
    )


def _keep() -> None:
    """Callback: store the visitor's own answer in the browser."""
    local_storage.keep_mine(PART, str(state.get(KEY) or ""))


def to_html(stations: list[Station]) -> bytes:
    """Write the year as one HTML file that fits one printed page."""
    body = [f"<p>{escape(OPENING)}</p>", *map(_section, stations)]
    body += [f"<p><b>{escape(text)}</b></p>" for text in _closing(stations) if text]
    own = local_storage.mine(PART)
    if own:
        body.append(f"<p>{escape(ASK)}</p><blockquote>{escape(own)}</blockquote>")
    return sheet.page(TITLE, body, _STYLE)


def _closing(stations: list[Station]) -> Iterator[str]:
    """Yield the closing sentences of the printed page, of which the first may be empty."""
    yield in_sum(stations)
    if _has_common(stations):
        yield COURSE
        yield from (text.replace("\\$", "$") for text in winning_plans(stations))


def _section(station: Station) -> str:
    """Return the HTML of a station."""
    plain = partial(escape, quote=False)
    title = f"{station.number}. {station.lesson.title}"
    lines = [f"<h2>{plain(title)}</h2>"]
    if station.stage == NOT_YET:
        lines.append("<p>Not yet.</p>")
    else:
        lines.append(f"<p>Your prediction: {plain(station.predicted)}</p>")
    if station.stage == UNTESTED:
        lines.append("<p>Not tested yet.</p>")
    if station.model:
        lines.append(f"<p>The model: {plain(station.model)}</p>")
    if station.learned:
        lines.append(f"<p><b>{plain(station.learned)}</b></p>")
    return f"<section>{''.join(lines)}</section>"
