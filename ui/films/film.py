"""Send an animation to the browser, with a sentence and a table for screen readers."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from physics.films import Film
from physics.texts import text_beside
from ui.base import device
from ui.charts.look import Look

#: A film that weighs more than this is not sent [bytes].
MOST = 100_000
#: Width in a queue of one that needs all the places, as long as it is 3 to 60 [px].
MARK = 120.0
#: What the present film is called where another one plays beside it.
NOW = "Now"
#: Tones on which words have the text's color; on all others they have the page's.
PALE = ("faint", "tint", "paper")
#: The player: what it is made of, how it looks and what it does.
HTML = text_beside(__file__, "player.html")
CSS = text_beside(__file__, "player.css")
JS = text_beside(__file__, "player.js")

_PLAYER = st.components.v2.component("fleet_what_if_film", html=HTML, css=CSS, js=JS)


class Played(NamedTuple):
    """Data that a page has sent to a player."""

    name: str  #: of the film, in keys and in names of files
    data: Mapping | bytes  #: as the player gets it
    caption: str = ""


@dataclass(frozen=True)
class Kind:
    """Name and color of one kind of box; `tone` is a color of the style, or "s0" to "s4"."""

    name: str
    tone: str
    line: int = 0  #: which of the queues it waits in, see `Showing.lines`
    words: str = ""  #: written after its mark in a queue


@dataclass(frozen=True)
class Showing:
    """Animation with its captions and layout."""

    film: Film
    kinds: dict[str, Kind]  #: by the film's kinds, in the order of the legend
    caption: str  #: which replication it is, and that it is one of many
    alt: str  #: one sentence that says what is seen
    columns: int = 64  #: places side by side
    tall: int = 150  #: most height of the places [px]
    unit: float = 3600.0  #: SI value of the clock's unit [s]
    unit_name: str = "h"
    digits: int = 1  #: of the clock
    queue: bool = True  #: whether those who wait are drawn
    #: words for those in a queue: after their number; for none
    counted: tuple[str, str] = ("waiting", "nobody waits")
    #: names of the queues, a line each; the places are drawn in as many equal parts
    lines: tuple[str, ...] = ("",)
    #: whether each line's places are one board with its name and its queue over it
    boards: bool = False
    grid: bool = True  #: whether places with nothing in them are drawn
    #: by the kinds of the film's curves, as lines below
    curves: Mapping[str, Kind] = field(default_factory=dict)
    counts: str = ""  #: unit of the curves' values
    follows: str = ""  #: what a job is called that the visitor follows; "" where none can be


def message(showing: Showing, look: Look) -> dict:
    """Return one animation's data for the player, with times counted from the animation's start.

    A ValueError says in one sentence for the visitor that it is too heavy.
    """
    film = showing.film
    positions = {name: number for number, name in enumerate(showing.kinds)}

    def since(time: float) -> float:
        """Return a time since the film's start, rounded to seven digits, finer than a pixel."""
        return float(f"{time - film.begin:.7g}")

    boxes = [
        [int(first), int(last), since(begin), since(end), positions[kind], words]
        for first, last, begin, end, kind, words in film.boxes.itertuples(index=False)
    ]
    waiting = [
        [int(size), since(begin), since(end), positions[kind]]
        for size, begin, end, kind in film.waiting.itertuples(index=False)
    ]
    curves = []
    for name, kind in showing.curves.items():
        rows = film.curves.loc[film.curves["kind"] == name, ["time", "value"]].to_numpy()
        points = [[since(time), float(f"{value:.4g}")] for time, value in rows]
        curves.append([kind.name, look.color(kind.tone), points])
    kinds = list(showing.kinds.values())
    sent = {
        "places": film.places,
        "tall": showing.tall * (1.4 if look.present else 1),
        "end": since(film.end),
        "moments": sorted({since(moment) for moment in film.moments}),
        "unitName": showing.unit_name,
        "boxes": boxes,
        "waiting": waiting,
        "curves": curves,
        "lines": list(showing.lines),
        "mark": MARK,
        "counted": list(showing.counted),
        "wordsOf": [kind.words for kind in kinds],
        "lineOf": [kind.line for kind in kinds],
        "kinds": [[kind.name, look.color(kind.tone)] for kind in kinds],
        "inks": [look.ink if kind.tone in PALE else look.paper for kind in kinds],
        "faint": look.faint if showing.grid else "transparent",
        "label": showing.alt,
    }
    sent |= {
        name: getattr(showing, name)
        for name in ("columns", "unit", "digits", "queue", "counts", "follows", "boards")
    }
    weight = len(json.dumps(sent, separators=(",", ":"), ensure_ascii=False).encode())
    if weight > MOST:
        raise ValueError(
            f"The animation is too large at these settings: {weight / 1000:.0f} kB, and the "
            f"limit is {MOST / 1000:.0f} kB. Try fewer GPUs or fewer jobs."
        )
    return sent


def show(
    lesson: str,
    name: str,
    showing: Showing,
    look: Look,
    beside: Mapping[str, Showing],
    stage: Any,
    played: Callable[[], None] | None,
) -> Played | None:
    """Draw the player and its table of events; return the data sent, or None if it is too large.

    Films `beside` it, by name, have stages of their own and share its clock; theirs is `…_table_2`
    and so on. The player alone goes onto the `stage`: what stands between it and the words is
    directly under it. The first press of Play calls `played`.
    """
    key = f"{lesson}_film_{name}"
    films = {NOW: showing} | dict(beside)
    sent = _sent(films, look)
    if not sent:
        return None
    data = {"films": sent, "size": look.text_size}
    with stage:
        _draw(key, data | {"ask": played is not None}, played)
    for number, (called, film) in enumerate(films.items(), 1):
        # Before the caption: what follows a chart's sentence is its table, which the style sheet
        # draws beside the axis.
        device.unseen(film.alt)
        caption = film.caption
        if len(films) > 1:
            caption = f"**{called}.** {caption}"
        st.caption(caption)
        label = "List of events"
        table = f"{key}_table"
        if number > 1:
            label += f" “{called}”"
            table += f"_{number}"
        box = device.expander(label, table, ":material/list:")
        if box:
            box.dataframe(events(film), hide_index=True)
    return Played(name, data, showing.caption)


def play(
    key: str,
    sent: Callable[[Any], Mapping | Showing],
    settings: Any,
    look: Look,
    clock: str = "",
    at: float = 0.0,
    played: Callable[[], None] | None = None,
) -> Played | None:
    """Draw the player of `sent(settings)`: an animation, or the jobs of one queue.

    See `unfolded` in player.js. Return what it was sent; None if that is too heavy.

    It stands at the share `at` of its length first; films of the same `clock` and length go on
    where the last one did.
    """
    try:
        data, label = _queue(sent, settings, look, clock, at, device.on_phone(), played is not None)
    except ValueError as refusal:
        st.info(str(refusal), icon=":material/movie_off:")
        return None
    _draw(key, data, played)
    device.unseen(label)
    return Played(key.partition("_film_")[2], data)


@lru_cache(maxsize=64)
def _queue(
    sent: Callable[[Any], Mapping | Showing],
    settings: Any,
    look: Look,
    clock: str,
    at: float,
    phone: bool,
    ask: bool,
) -> tuple[bytes, str]:
    """Return what is sent of a queue, as JSON made once for all visitors who see the same, and what
    it shows.
    """
    film = sent(settings)
    if isinstance(film, Showing):
        film = message(film, look)
    tall = 104.0
    if phone:
        tall = 84.0
    if look.present:
        tall *= 1.2
    usual = {
        "tall": tall,
        "unit": 3600.0,
        "unitName": "h",
        "digits": 1,
        "colors": [look.accent, look.quiet],
        "kinds": [["", look.accent], ["", look.tint]],
        "inks": [look.paper, look.ink],
        "faint": look.faint,
    }
    start = {"clock": clock and f"{clock}/{film['end']:g}", "at": at * film["end"]}
    data = {"films": [usual | dict(film)], "size": look.text_size, "ask": ask, **start}
    return json.dumps(data).encode(), film["label"]


def perform(key: str, showing: Showing, look: Look, plays: int) -> None:
    """Draw the player without controls; each increment of `plays` starts or pauses it."""
    sent = _sent({"": showing}, look)
    if sent:
        _draw(key, {"films": sent, "size": look.text_size, "plays": plays})
        device.unseen(showing.alt)


def _sent(films: Mapping[str, Showing], look: Look) -> list[dict]:
    """Return what is sent of films, by name; nothing where one is too heavy, which is said."""
    try:
        return [{"name": called} | message(film, look) for called, film in films.items()]
    except ValueError as refusal:
        st.info(str(refusal), icon=":material/movie_off:")
        return []


def _draw(key: str, data: Mapping | bytes, played: Callable[[], None] | None = None) -> None:
    heard: dict[str, Any] = {}
    if played:
        heard["on_played_change"] = played
    _PLAYER(key=key, data=data, height="content", **heard)


def events(showing: Showing) -> pd.DataFrame:
    """Table of an animation's events: kind, place, and start and end in the clock's unit."""
    film = showing.film
    rows = film.boxes.assign(kind=[showing.kinds[kind].name for kind in film.boxes["kind"]])
    times = ["begin", "end"]
    rows[times] = (rows[times] - film.begin) / showing.unit
    return rows.rename(columns={name: f"{name} ({showing.unit_name})" for name in times})
