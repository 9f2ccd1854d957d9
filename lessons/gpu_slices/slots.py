"""GPU slices, main picture: cut one GPU by hand, with a preview of what each click would do."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

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
    say,
    short_name,
)
from physics.slicing import Placement
from ui.base.lesson import Figure, Outcome, Taps, View, verdict_of
from ui.charts import Look, Rows, axes, box, marks, specification, stack
from ui.charts.taps import OVER

#: Tops of the picture's rows, its bottom, and its right end, if a slice has width 1: the tray of
#: profiles, the headline and bar of compute slices, the same of memory slices, the slices' numbers,
#: and the sentence about a click.
PIECES = 0.02
HEAD_COMPUTE = 0.56
BAR_COMPUTE = 0.7
HEAD_MEMORY = 1.5
BAR_MEMORY = 1.65
NUMBERS = 2.52
SENTENCE = 2.8
BOTTOM = 3.0
RIGHT = MEMORY + 0.15
#: Heights of the bars and of the profiles in the tray, and width of a profile.
HEIGHT = 0.6
PIECE_HEIGHT = 0.38
PIECE_WIDTH = MEMORY / len(NAMES)
#: Numbers of the first compute slice and of the first profile among the marks that can be tapped;
#: memory slices have their own numbers, from 0.
FIRST_COMPUTE = 10
FIRST_PIECE = 20
#: Tooltip of an instance.
TIPS = [
    alt.Tooltip("instance:N", title="instance"),
    alt.Tooltip("first:Q", title="first memory slice"),
    alt.Tooltip("memory:Q", title="memory slices"),
    alt.Tooltip("compute:Q", title="compute slices"),
]
#: Goals of the challenge: this instance, and at least this many others.
LARGE = "3g.40gb"
OTHERS = 2


def tapped(settings: Slices, slices: Sequence) -> Mapping[str, object]:
    """Return the settings after clicks, each by the number of its mark.

    A click on a profile selects it, a click on an instance removes it, and a click on a free slice
    places the selected profile there, if it fits.
    """
    for number in slices:
        if number in range(FIRST_PIECE, FIRST_PIECE + len(NAMES)):
            settings = replace(settings, profile=NAMES[number - FIRST_PIECE])
    for number in slices:
        if number in range(MEMORY):
            settings = replace(settings, layout=_after_tap(settings, number), start=int(number))
    return {"layout": settings.layout, "start": settings.start, "profile": settings.profile}


def _after_tap(settings: Slices, at: int) -> tuple[Placement, ...]:
    """Return the layout after a tap on a memory slice."""
    instance = settings.instance_at(at)
    if instance:
        return settings.without(instance)
    if settings.refusal(at):
        return settings.layout
    return tuple(sorted((*settings.layout, Placement(at, settings.profile))))


def memory_sentence(settings: Slices, at: int) -> str:
    """Return a sentence on what a click on a memory slice does, or why it is refused."""
    instance = settings.instance_at(at)
    if instance:
        return say("try_remove", settings, other=_where(instance))
    if at in dead(settings.layout):
        name = "dead_without_compute" if settings.compute == COMPUTE else "dead_memory"
        return say(name, settings, at=str(at))
    reason = settings.refusal(at)
    starts = any_of(settings.one.starts)
    other = ""
    for placement in reversed(settings.layout):
        if at <= placement.start < at + settings.one.memory:
            other = placement.profile
    return say(f"try_{reason or 'fits'}", settings, at=str(at), starts=starts, other=other)


def _where(placement: Placement) -> str:
    """Write an instance with the slice at which it starts."""
    return f"{placement.profile} at slice {placement.start}"


def compute_sentence(settings: Slices, at: int) -> str:
    """Return a sentence on a compute slice: which instance uses it, or why it stays idle."""
    used = 0
    for placement in settings.layout:
        used += KINDS[placement.profile].compute
        if at < used:
            return say("compute_used", settings, other=_where(placement))
    if at < COMPUTE - settings.left.compute:
        return say("compute_free", settings)
    if not settings.left.free_memory:
        return say("dead_without_memory", settings)
    served = settings.left.free_compute - settings.left.compute
    return say("dead_compute", settings, served=str(served))


def profile_sentence(name: str) -> str:
    """Return a sentence on how many slices a profile needs."""
    profile = KINDS[name]
    sizes = {"compute": str(profile.compute), "memory": str(profile.memory)}
    return say("piece", Slices(profile=name), **sizes)


def figure(settings: Slices, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the GPU's slices and instances, with each slice's response to a click."""
    goal = " (goal: all)" if playing else ""
    compute = f"Compute slices: {settings.compute} of {COMPUTE} in use{goal}"
    memory = f"Memory slices: {settings.memory} of {MEMORY} in use{goal}"
    rows = [
        *_pieces(settings),
        marks.label(0, HEAD_COMPUTE, compute, bold=True),
        marks.label(0, HEAD_MEMORY, memory, bold=True),
    ]
    if guess and not playing:
        text = say(f"said_{guess}", settings)
        style = {"tone": "quiet", "align": "right", "short": f"you: {text}"}
        rows.append(marks.label(MEMORY, HEAD_MEMORY, f"you said: {text}", **style))
    rows += _cells(BAR_COMPUTE, COMPUTE, range(COMPUTE - settings.left.compute, COMPUTE))
    rows += _cells(BAR_MEMORY, MEMORY, dead(settings.layout))
    used = 0
    for placement in settings.layout:
        rows += _instance(placement, used)
        used += KINDS[placement.profile].compute
    for at in range(MEMORY):
        rows.append(marks.label(at + 0.5, NUMBERS, str(at), tone="quiet", align="center"))
        rows += [*_preview(settings, at, used), _box("touch", at, 1, BAR_MEMORY) | {"slice": at}]
    for at in range(COMPUTE):
        box = _box("touch", at, 1, BAR_COMPUTE)
        rows += _target(FIRST_COMPUTE + at, box, compute_sentence(settings, at))
    for number, name in enumerate(NAMES):
        box = _box("touch", number * PIECE_WIDTH, PIECE_WIDTH, PIECES, PIECE_HEIGHT)
        rows += _target(FIRST_PIECE + number, box, profile_sentence(name))
    words = say("picture", settings, tried=memory_sentence(settings, settings.start))
    title = "Which instances fit on one GPU?"
    taps = Taps("slice", tapped)
    return Figure("slots", title, stack(rows), spec(look), words, taps=taps)


def _pieces(settings: Slices) -> Rows:
    """Return the rows of the tray of profiles, with the selected one marked."""
    rows = []
    for number, name in enumerate(NAMES):
        chosen = name == settings.profile
        x = number * PIECE_WIDTH
        style = {"align": "center", "bold": chosen}
        rows += [
            _box("chosen" if chosen else "piece", x, PIECE_WIDTH - 0.06, PIECES, PIECE_HEIGHT),
            marks.label(x + PIECE_WIDTH / 2 - 0.03, PIECES + PIECE_HEIGHT / 2, name, **style),
        ]
    return rows


def _cells(y: float, number: int, unusable: Collection[int]) -> Rows:
    """Return the rows of a bar's slices, those that no instance can use with a cross."""
    rows = []
    for at in range(number):
        if at in unusable:
            rows += _labeled_box("dead", at, 1, y, "×", tone="bad")
        else:
            rows.append(_box("cell", at, 1, y))
    return rows


def _instance(placement: Placement, used: int) -> Rows:
    """Return the rows of an instance on both bars, after the compute slices that others use."""
    name = placement.profile
    start = placement.start
    profile = KINDS[name]
    compute = short_name(name, profile.compute)
    memory = short_name(name, profile.memory)
    numbers = {"first": start, "memory": profile.memory, "compute": profile.compute}
    block, text = _labeled_box("block", start, profile.memory, BAR_MEMORY, memory, bold=True)
    return [
        *_labeled_box("compute", used, profile.compute, BAR_COMPUTE, compute, bold=True),
        block | {"instance": name} | numbers,
        text,
    ]


def _target(number: int, box: marks.Row, sentence: str) -> Rows:
    """Return the rows of a mark that can be tapped, and of its sentence below the bars."""
    text = marks.label(0.0, SENTENCE, sentence, bold=True, tone="quiet")
    return [
        text | {"kind": "tried", "slice": number, "chosen": False},
        box | {"slice": number},
    ]


def _box(kind: str, x: float, width: float, y: float, height: float = HEIGHT) -> marks.Row:
    """Return the row of a rectangle within the frame."""
    return {"kind": kind, "x": x, "x2": min(x + width, RIGHT), "y": y, "y2": y + height}


def _labeled_box(kind: str, x: float, width: float, y: float, words: str, **style: Any) -> Rows:
    """Return the rows of a rectangle on a bar and of the label in its middle."""
    label = marks.label(x + width / 2, y + HEIGHT / 2, words, align="center", **style)
    return [_box(kind, x, width, y), label]


def _preview(settings: Slices, at: int, used: int) -> Rows:
    """Return the slices that a tap on a memory slice would occupy or free, and its sentence."""
    instance = settings.instance_at(at)
    tone = "bad" if settings.refusal(at) else "good"
    boxes = [
        _box("try", at, settings.one.memory, BAR_MEMORY),
        _box("try", used, settings.one.compute, BAR_COMPUTE),
    ]
    if instance:
        tone = "quiet"
        boxes = [_box("try", instance.start, KINDS[instance.profile].memory, BAR_MEMORY)]
    text = marks.label(0.0, SENTENCE, memory_sentence(settings, at), bold=True) | {"kind": "tried"}
    shared = {"slice": at, "chosen": at == settings.start, "tone": tone}
    return [row | shared for row in (*boxes, text)]


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Return the specification: compute slices above memory slices, with the preview of a click."""
    x = axes.x("x:Q", ends=[0, RIGHT], axis=None)
    y = axes.y("y:Q", ends=[BOTTOM, 0], axis=None)
    base = alt.Chart().encode(x=x, y=y)
    previewed = base.transform_filter(
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
        box("block", "tint", tooltip=TIPS, **solid)(base, look),
        box("try", fillOpacity=0.1, stroke=marks.tone(look), **edge)(previewed, look),
        marks.labels(previewed, look, halo=False, kind="tried"),
        marks.labels(base, look, halo=False),
        box("touch", "paper", opacity=0, cursor="pointer", tooltip=alt.value(None))(base, look),
    ]
    return specification(alt.layer(*layers), look, 280)


@verdict_of(say)
def verdict(settings: Slices) -> Outcome:
    """Return the verdict on where the selected profile fits, or what is missing."""
    if settings.starts:
        name = "fits" if settings.layout else "empty"
        return name, None, {"starts": any_of(settings.starts)}
    name = "no_start"
    if settings.one.memory > settings.left.free_memory:
        name = "no_memory"
    elif settings.one.compute > settings.left.free_compute:
        name = "no_compute"
    return name, False, {"starts": any_of(settings.one.starts)}


@verdict_of(say)
def judge(settings: Slices) -> Outcome:
    """Return the verdict on the challenge: won, or the goal that is missed."""
    if LARGE not in [placement.profile for placement in settings.layout]:
        return "no_large", None
    if settings.unused["stranded"]:
        return "stranded", False
    if settings.unused["free"]:
        return "idle", None
    if settings.instances > OTHERS:
        return "won", True
    return "too_few", False


def remedies(settings: Slices) -> str:
    """Return a sentence on which instances would make room for the profile if they stopped."""
    if settings.starts:
        return ""
    helpful = []
    for placement in settings.layout:
        if replace(settings, layout=settings.without(placement)).starts:
            helpful.append(f"the {_where(placement)}")
    if not helpful:
        return say("no_remedy", settings)
    return say("remedies", settings, stopped=" or ".join(helpful))


def draw(page, settings: Slices) -> None:
    """Draw a button that does the same as a click on the selected start position."""
    instance = settings.instance_at(settings.start)
    words = say("place", settings)
    icon = ":material/add:"
    if instance:
        words = say("remove", settings, other=instance.profile)
        icon = ":material/remove:"
    key = f"{page.lesson.id}_place"
    tap = {"on_click": page.knobs.tap, "args": (Taps("slice", tapped), settings, [settings.start])}
    refused = not instance and bool(settings.refusal(settings.start))
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_line"):
        st.button(words, key=key, icon=icon, disabled=refused, **tap)
        st.caption(say("touch", settings), width="stretch")


view = View("slots", figure=figure, draw=draw, verdict=verdict, remedies=remedies)
