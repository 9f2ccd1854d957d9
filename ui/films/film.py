"""Send an animation to the browser, with a sentence and a table for screen readers.

The places of a film are its GPUs, cores, or nodes; its boxes are jobs that occupy them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from physics.films import Film
from physics.texts import text_beside
from ui.base import device
from ui.charts.look import Look

#: Maximum size of an animation's data [bytes].
MOST = 100_000
#: Width in a queue of a job that needs all the places [px]; the player draws marks of 3 to 60 px.
MARK = 120.0
#: Name of the current settings' animation if another one plays next to it.
NOW = "Now"
#: Colors of boxes on which text has the text's color; on all others it has the page's.
PALE = ("faint", "tint", "paper")
#: The player's elements, style, and script.
HTML = text_beside(__file__, "player.html")
CSS = text_beside(__file__, "player.css")
JS = text_beside(__file__, "player.js")

_PLAYER = st.components.v2.component("fleet_what_if_film", html=HTML, css=CSS, js=JS)


class Played(NamedTuple):
    """Data that a page has sent to a player."""

    name: str  #: name of the animation in keys and file names
    data: Mapping | bytes  #: data for the player, maybe as JSON
    caption: str = ""


@dataclass(frozen=True)
class Kind:
    """Name and color of one kind of box."""

    name: str
    tone: str  #: name of a color of `Look`, or "s0" to "s4"
    line: int = 0  #: index of its queue in `Showing.lines`
    words: str = ""  #: text after its mark in a queue


@dataclass(frozen=True)
class Showing:
    """Animation with its captions and layout."""

    film: Film
    kinds: dict[str, Kind]  #: by kind of the film's boxes, in the order of the legend
    caption: str  #: says which replication this is, and that it is one of many
    alt: str  #: description in one sentence
    columns: int = 64  #: number of places side by side
    tall: int = 150  #: maximum height of the places [px]
    unit: float = 3600.0  #: SI value of the clock's unit [s]
    unit_name: str = "h"
    digits: int = 1  #: decimals of the clock
    queue: bool = True  #: whether waiting jobs are drawn
    #: text after the number of waiting jobs, and text for an empty queue
    counted: tuple[str, str] = ("waiting", "nobody waits")
    #: names of the queues, one line each; the places are drawn in as many equal parts
    lines: tuple[str, ...] = ("",)
    #: whether each queue has a board of its own places, below its name and its waiting jobs
    boards: bool = False
    grid: bool = True  #: whether empty places are drawn
    #: by kind of the film's curves, which are drawn below the places
    curves: Mapping[str, Kind] = field(default_factory=dict)
    counts: str = ""  #: unit of the curves' values
    follows: str = ""  #: name of a job that the visitor can follow; "" if there is none


def message(showing: Showing, look: Look) -> dict:
    """Return one animation's data for the player, with times counted from the animation's start.

    Raises
    ------
    ValueError
        If the data is larger than `MOST`, in one sentence for the visitor.
    """
    film = showing.film
    since = partial(_since, film.begin)
    positions = {name: number for number, name in enumerate(showing.kinds)}
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
    data = {
        "places": film.places,
        "tall": showing.tall * (1.4 if look.present else 1),
        "end": since(film.end),
        "moments": sorted(set(map(since, film.moments))),
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
    for name in ("columns", "unit", "digits", "queue", "counts", "follows", "boards"):
        data[name] = getattr(showing, name)
    size = len(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode())
    if size > MOST:
        raise ValueError(
            f"The animation is too large at these settings: {size / 1000:.0f} kB, and the "
            f"limit is {MOST / 1000:.0f} kB. Try fewer GPUs or fewer jobs."
        )
    return data


def _since(start: float, time: float) -> float:
    """Return a time since a start, rounded to seven digits, which is finer than a pixel."""
    return float(f"{time - start:.7g}")


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

    The films `beside` it, by name, are drawn in the same player with the same clock; the keys of
    their tables end in `_table_2` and so on. The player is drawn in the container `stage`, and all
    the rest after it. The first press of Play calls `played`.
    """
    key = f"{lesson}_film_{name}"
    films = {NOW: showing} | dict(beside)
    messages = _messages(films, look)
    if not messages:
        return None
    data = {"films": messages, "size": look.text_size}
    with stage:
        _draw(key, data | {"ask": played is not None}, played)
    for number, (title, film) in enumerate(films.items(), 1):
        # The description is drawn before the caption: the style sheet moves an expander that
        # directly follows a description next to the axis of a chart.
        device.unseen(film.alt)
        caption = film.caption
        if len(films) > 1:
            caption = f"**{title}.** {caption}"
        st.caption(caption)
        label = "List of events"
        table_key = f"{key}_table"
        if number > 1:
            label += f" “{title}”"
            table_key += f"_{number}"
        box = device.expander(label, table_key, ":material/list:")
        if box:
            box.dataframe(events(film), hide_index=True)
    return Played(name, data, showing.caption)


def play(
    key: str,
    data_for: Callable[[Any], Mapping | Showing],
    settings: Any,
    look: Look,
    clock: str = "",
    at: float = 0.0,
    played: Callable[[], None] | None = None,
) -> Played | None:
    """Draw the player of `data_for(settings)`; return the data sent, or None if it is too large.

    `data_for` returns an animation, or the jobs of one queue in the format of `unfolded` in
    player.js. The player starts at the share `at` of the animation's length; animations of the
    same `clock` and length continue where the last one stopped.
    """
    try:
        data, label = _queue(
            data_for, settings, look, clock, at, device.on_phone(), played is not None
        )
    except ValueError as refusal:
        st.info(str(refusal), icon=":material/movie_off:")
        return None
    _draw(key, data, played)
    device.unseen(label)
    return Played(key.partition("_film_")[2], data)


@lru_cache(maxsize=64)
def _queue(
    data_for: Callable[[Any], Mapping | Showing],
    settings: Any,
    look: Look,
    clock: str,
    at: float,
    phone: bool,
    ask: bool,
) -> tuple[bytes, str]:
    """Return the data for `play` as JSON, made once for all visitors, and its description."""
    film = data_for(settings)
    if isinstance(film, Showing):
        film = message(film, look)
    tall = 104.0
    if phone:
        tall = 84.0
    if look.present:
        tall *= 1.2
    defaults = {
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
    data = {"films": [defaults | dict(film)], "size": look.text_size, "ask": ask, **start}
    return json.dumps(data).encode(), film["label"]


def perform(key: str, showing: Showing, look: Look, plays: int) -> None:
    """Draw the player without controls; each increment of `plays` starts or pauses it."""
    messages = _messages({"": showing}, look)
    if messages:
        _draw(key, {"films": messages, "size": look.text_size, "plays": plays})
        device.unseen(showing.alt)


def _messages(films: Mapping[str, Showing], look: Look) -> list[dict]:
    """Return the data of animations by name; if one is too large, say so and return []."""
    try:
        return [{"name": title} | message(film, look) for title, film in films.items()]
    except ValueError as refusal:
        st.info(str(refusal), icon=":material/movie_off:")
        return []


def _draw(key: str, data: Mapping | bytes, played: Callable[[], None] | None = None) -> None:
    """Draw the player with its data; the first press of Play calls `played`."""
    callbacks: dict[str, Any] = {}
    if played:
        callbacks["on_played_change"] = played
    _PLAYER(key=key, data=data, height="content", **callbacks)


def events(showing: Showing) -> pd.DataFrame:
    """Return a table of an animation's events: kind, places, start, and end in the clock's unit."""
    film = showing.film
    rows = film.boxes.assign(kind=[showing.kinds[kind].name for kind in film.boxes["kind"]])
    times = ["begin", "end"]
    rows[times] = (rows[times] - film.begin) / showing.unit
    unit = f"({showing.unit_name})"
    return rows.rename(columns={"begin": f"begin {unit}", "end": f"end {unit}"})
