"""GPU slices: cut one GPU by hand, with a preview of what each click would do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import altair as alt
import streamlit as st

from lessons.gpu_slices.settings import (
    COMPUTE,
    KINDS,
    MEMORY,
    NAMES,
    Slices,
    any_of,
    dead,
    named,
    say,
)
from physics.slicing import Placement
from ui.base.lesson import Figure, Outcome, Taps, View, verdict_of
from ui.charts import Look, axes, box, marks, specification, stack
from ui.charts.taps import OVER

#: Where the rows stand, from the chart's top, and where it ends; a slice is as wide as 1.
PIECES = 0.02
HEAD_COMPUTE = 0.56
BAR_COMPUTE = 0.7
HEAD_MEMORY = 1.5
BAR_MEMORY = 1.65
NUMBERS = 2.52
TRIED = 2.8
FOOT = 3.0
TALL = 0.6
PIECE_TALL = 0.38
RIGHT = MEMORY + 0.15
PIECE_WIDE = MEMORY / len(NAMES)
#: Numbers of what can be tapped: memory slices have their own, these begin the other two.
FIRST_COMPUTE = 10
FIRST_PIECE = 20
#: What the table says of an instance.
TAKEN = [
    alt.Tooltip("instance:N", title="instance"),
    alt.Tooltip("first:Q", title="first memory slice"),
    alt.Tooltip("memory:Q", title="memory slices"),
    alt.Tooltip("compute:Q", title="compute slices"),
]
#: What the challenge wants: this instance, and so many others at least.
LARGE = "3g.40gb"
OTHERS = 2


def tapped(wish: Slices, slices: Sequence) -> Mapping[str, object]:
    """Return the settings after clicks: a piece is selected, an instance is removed, and on a free
    slice the piece is placed.
    """
    for number in slices:
        if number in range(FIRST_PIECE, FIRST_PIECE + len(NAMES)):
            wish = replace(wish, profile=NAMES[number - FIRST_PIECE])
    for number in slices:
        if number in range(MEMORY):
            wish = replace(wish, layout=_after_tap(wish, number), start=int(number))
    return {"layout": wish.layout, "start": wish.start, "profile": wish.profile}


def _after_tap(wish: Slices, at: int) -> tuple[Placement, ...]:
    """Return the layout after a tap on a memory slice."""
    there = wish.at(at)
    if there:
        return wish.without(there)
    if wish.refused(at):
        return wish.layout
    return tuple(sorted((*wish.layout, Placement(at, wish.profile))))


def tried(wish: Slices, at: int) -> str:
    """Return a sentence on what a click on a memory slice does, or why it is refused."""
    there = wish.at(at)
    if there:
        return say("try_remove", wish, other=_where(there))
    if at in dead(wish.layout):
        name = "dead_without_compute" if wish.compute == COMPUTE else "dead_memory"
        return say(name, wish, at=str(at))
    why = wish.refused(at)
    starts = any_of(wish.one.starts)
    other = ""
    for placement in reversed(wish.layout):
        if at <= placement.start < at + wish.one.memory:
            other = placement.profile
    return say(f"try_{why or 'fits'}", wish, at=str(at), starts=starts, other=other)


def _where(placement: Placement) -> str:
    """Name an instance with the slice at which it starts."""
    return f"{placement.profile} at slice {placement.start}"


def of_compute(wish: Slices, at: int) -> str:
    """Return a sentence on a compute slice: which instance uses it, or why it stays idle."""
    used = 0
    for placement in wish.layout:
        used += KINDS[placement.profile].compute
        if at < used:
            return say("compute_used", wish, other=_where(placement))
    if at < COMPUTE - wish.left.compute:
        return say("compute_free", wish)
    if not wish.left.free_memory:
        return say("dead_without_memory", wish)
    served = wish.left.free_compute - wish.left.compute
    return say("dead_compute", wish, served=str(served))


def of_piece(name: str) -> str:
    """Return a sentence on how many slices a profile needs."""
    profile = KINDS[name]
    sizes = {"compute": str(profile.compute), "memory": str(profile.memory)}
    return say("piece", Slices(profile=name), **sizes)


def figure(wish: Slices, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the GPU's slices and instances, with each slice's response to a click."""
    goal = " (goal: all)" if playing else ""
    compute = f"Compute slices: {wish.compute} of {COMPUTE} in use{goal}"
    memory = f"Memory slices: {wish.memory} of {MEMORY} in use{goal}"
    rows = [
        *_pieces(wish),
        marks.label(0, HEAD_COMPUTE, compute, bold=True),
        marks.label(0, HEAD_MEMORY, memory, bold=True),
    ]
    if guess and not playing:
        said = say(f"said_{guess}", wish)
        style = {"tone": "quiet", "align": "right", "short": f"you: {said}"}
        rows.append(marks.label(MEMORY, HEAD_MEMORY, f"you said: {said}", **style))
    stuck = range(COMPUTE - wish.left.compute, COMPUTE)
    for y, slices, useless in (
        (BAR_COMPUTE, COMPUTE, stuck),
        (BAR_MEMORY, MEMORY, dead(wish.layout)),
    ):
        for at in range(slices):
            if at in useless:
                rows += _named("dead", at, 1, y, "×", tone="bad")
            else:
                rows.append(_box("cell", at, 1, y))
    used = 0
    for placement in wish.layout:
        rows += _instance(placement, used)
        used += KINDS[placement.profile].compute
    for at in range(MEMORY):
        rows.append(marks.label(at + 0.5, NUMBERS, str(at), tone="quiet", align="center"))
        rows += [*_tries(wish, at, used), _box("touch", at, 1, BAR_MEMORY) | {"slice": at}]
    for at in range(COMPUTE):
        rows += _touched(FIRST_COMPUTE + at, at, 1, BAR_COMPUTE, TALL, of_compute(wish, at))
    for number, name in enumerate(NAMES):
        edges = (number * PIECE_WIDE, PIECE_WIDE, PIECES, PIECE_TALL)
        rows += _touched(FIRST_PIECE + number, *edges, of_piece(name))
    words = say("picture", wish, tried=tried(wish, wish.start))
    title = "Which instances fit on one GPU?"
    taps = Taps("slice", tapped)
    return Figure("slots", title, stack(rows), spec(look), words, taps=taps)


def _pieces(wish: Slices) -> list[dict]:
    """Return the tray of pieces, the chosen one marked."""
    rows = []
    for number, name in enumerate(NAMES):
        chosen = name == wish.profile
        kind = "chosen" if chosen else "piece"
        at = number * PIECE_WIDE
        style = {"align": "center", "bold": chosen}
        rows += [
            _box(kind, at, PIECE_WIDE - 0.06, PIECES, PIECE_TALL),
            marks.label(at + PIECE_WIDE / 2 - 0.03, PIECES + PIECE_TALL / 2, name, **style),
        ]
    return rows


def _instance(placement: Placement, used: int) -> list[dict]:
    """Return an instance in both rows, beside so many compute slices that others use; the table
    has what it takes.
    """
    taken = KINDS[placement.profile]
    name = placement.profile
    compute = named(name, taken.compute)
    memory = named(name, taken.memory)
    of_compute = _named("compute", used, taken.compute, BAR_COMPUTE, compute, bold=True)
    block, text = _named("block", placement.start, taken.memory, BAR_MEMORY, memory, bold=True)
    numbers = {"first": placement.start, "memory": taken.memory, "compute": taken.compute}
    return [*of_compute, block | {"instance": name} | numbers, text]


def _touched(number: int, at: float, size: float, y: float, tall: float, words: str) -> list[dict]:
    """Return a mark that can be touched, and what it then says."""
    said = {"kind": "tried", "slice": number, "chosen": False}
    return [
        marks.label(0.0, TRIED, words, bold=True, tone="quiet") | said,
        _box("touch", at, size, y, tall) | {"slice": number},
    ]


def _box(kind: str, at: float, size: float, y: float, tall: float = TALL) -> dict:
    return {"kind": kind, "x": at, "x2": min(at + size, RIGHT), "y": y, "y2": y + tall}


def _named(kind: str, at: float, size: float, y: float, words: str, **style: object) -> list[dict]:
    return [
        _box(kind, at, size, y),
        marks.label(at + size / 2, y + TALL / 2, words, align="center", **style),
    ]


def _tries(wish: Slices, at: int, used: int) -> list[dict]:
    """What a tap on a slice would take, in memory and in compute slices, and its words."""
    there = wish.at(at)
    tone = "bad" if wish.refused(at) else "good"
    boxes = [
        _box("try", at, wish.one.memory, BAR_MEMORY),
        _box("try", used, wish.one.compute, BAR_COMPUTE),
    ]
    if there:
        tone = "quiet"
        boxes = [_box("try", there.start, KINDS[there.profile].memory, BAR_MEMORY)]
    text = marks.label(0.0, TRIED, tried(wish, at), bold=True) | {"kind": "tried"}
    shared = {"slice": at, "chosen": at == wish.start, "tone": tone}
    return [row | shared for row in (*boxes, text)]


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Vega specification of a GPU's slices, compute above memory, with a trial instance."""
    x = axes.x("x:Q", ends=[0, RIGHT], axis=None)
    y = axes.y("y:Q", ends=[FOOT, 0], axis=None)
    base = alt.Chart().encode(x=x, y=y)
    here = base.transform_filter(
        f"isArray({OVER}.slice) ? {OVER}.slice[0] === datum.slice : datum.chosen"
    )
    edge = {"strokeWidth": 2, "strokeDash": [5, 3], "cornerRadius": 3}
    thin = {"stroke": look.quiet, "strokeWidth": 0.6}
    solid = {"stroke": look.accent, "strokeWidth": 1.5, "cornerRadius": 3}
    layers = [
        box("piece", "paper", cornerRadius=3, **thin)(base, look),
        box("chosen", "tint", stroke=look.accent, strokeWidth=2, cornerRadius=3)(base, look),
        box("cell", "paper", **thin)(base, look),
        box("dead", "bad", fillOpacity=0.12, **thin)(base, look),
        box("compute", "tint", **solid)(base, look),
        box("block", "tint", tooltip=TAKEN, **solid)(base, look),
        box("try", fillOpacity=0.1, stroke=marks.tone(look), **edge)(here, look),
        marks.labels(here, look, halo=False, kind="tried"),
        marks.labels(base, look, halo=False),
        box("touch", "paper", opacity=0, cursor="pointer", tooltip=alt.value(None))(base, look),
    ]
    return specification(alt.layer(*layers), look, 280)


@verdict_of(say)
def verdict(wish: Slices) -> Outcome:
    """Return the verdict on where the selected profile fits, or what is missing."""
    if wish.starts:
        name = "fits" if wish.layout else "empty"
        return name, None, {"starts": any_of(wish.starts)}
    name = "no_start"
    if wish.one.memory > wish.left.free_memory:
        name = "no_memory"
    elif wish.one.compute > wish.left.free_compute:
        name = "no_compute"
    return name, False, {"starts": any_of(wish.one.starts)}


@verdict_of(say)
def judge(wish: Slices) -> Outcome:
    """Return the verdict on the challenge: won, or the missed goal or idle slices."""
    if LARGE not in [placement.profile for placement in wish.layout]:
        return "no_large", None
    if wish.unused["stranded"]:
        return "stranded", False
    if wish.unused["free"]:
        return "idle", None
    if wish.instances > OTHERS:
        return "won", True
    return "too_few", False


def remedies(wish: Slices) -> str:
    """Return a sentence: which instance would make room for the selected profile if it stopped."""
    if wish.starts:
        return ""
    helpful = []
    for placement in wish.layout:
        if replace(wish, layout=wish.without(placement)).starts:
            helpful.append(f"the {_where(placement)}")
    if not helpful:
        return say("no_remedy", wish)
    return say("remedies", wish, stopped=" or ".join(helpful))


def draw(page, wish: Slices) -> None:
    """Draw a button that does the same as a click on the selected start position."""
    there = wish.at(wish.start)
    words = say("place", wish)
    icon = ":material/add:"
    if there:
        words = say("remove", wish, other=there.profile)
        icon = ":material/remove:"
    key = f"{page.lesson.id}_place"
    tap = {"on_click": page.knobs.tap, "args": (Taps("slice", tapped), wish, [wish.start])}
    refused = not there and bool(wish.refused(wish.start))
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_line"):
        st.button(words, key=key, icon=icon, disabled=refused, **tap)
        st.caption(say("touch", wish), width="stretch")


view = View("slots", figure=figure, draw=draw, verdict=verdict, remedies=remedies)
