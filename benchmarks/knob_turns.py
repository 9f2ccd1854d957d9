"""One turn of a knob on a real server, as a browser asks for it: processor time, messages and bytes."""

import asyncio
import itertools
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from benchmarks.visitor import Visitor
from ui.base.lesson import Lesson

ROOT = Path(__file__).resolve().parent.parent
#: Turns up and then down again; the first time round fills caches, so that what is measured is the page.
WALK = 4
#: Turns between two looks at the clock.
BLOCK = WALK * 2
#: A server that has drawn a page still tidies up [s].
TIDYING = 0.02


@dataclass(frozen=True)
class Turn:
    """The means of a block of turns."""

    cpu: float  #: processor time of the server [s]
    messages: float
    bytes: float


@dataclass
class Player:
    """A visitor with one knob in hand; without one a turn is a plain run of the page."""

    visitor: Visitor
    process: psutil.Process
    key: str | None
    values: Iterator[float]

    async def block(self) -> Turn:
        """Turn the knob up and down again."""
        visitor = self.visitor
        await asyncio.sleep(TIDYING)
        cpu, messages, size = cpu_of(self.process), visitor.messages, visitor.bytes
        for _ in range(BLOCK):
            await (visitor.set(self.key, next(self.values)) if self.key else visitor.run())
        await asyncio.sleep(TIDYING)
        spent = (cpu_of(self.process) - cpu, visitor.messages - messages, visitor.bytes - size)
        return Turn(*(part / BLOCK for part in spent))


async def unlock(visitor: Visitor, lesson: Lesson) -> None:
    """Choose the first answer and lock it in."""
    await visitor.set(f"{lesson.id}_prediction", visitor.widget(f"{lesson.id}_prediction")[1].options[0])
    await visitor.set(f"{lesson.id}_lock", True)


def sliders(visitor: Visitor) -> list[str]:
    """List the keys of the page's number sliders that can be moved."""
    return [one.id.split("-", 2)[2] for one in visitor.all("slider") if not one.options and not one.disabled]


def walk(visitor: Visitor, key: str) -> Iterator[float]:
    """Yield the slider's next values, a few steps one way and back, without end; the way is the one with more room."""
    slider = visitor.widget(key)[1]
    start, step = slider.default[0], slider.step
    above, below = ((abs(end - start) + 1e-9) // step for end in (slider.max, slider.min))
    steps = int(min(WALK, max(above, below)))
    step = step if above >= min(WALK, below) else -step
    yield from itertools.cycle([start + step * n for n in [*range(1, steps + 1), *range(steps - 1, -1, -1)]])


async def moving_slider(visitor: Visitor) -> str | None:
    """Return the key of the first slider whose next value changes a metric; None if there is none."""
    for key in sliders(visitor):
        start, before = visitor.widget(key)[1].default[0], visitor.metrics()
        await visitor.set(key, next(walk(visitor, key)))
        changed = bool(before) and visitor.metrics() != before
        await visitor.set(key, start)
        if changed:
            return key
    return None


def empty_script(visitor: Visitor) -> str:
    """Write a page with the widgets that this visitor sees, and one metric that follows its sliders."""
    lines, kinds = ["import streamlit as st", "moved = []"], itertools.count()
    for element in visitor.elements.values():
        kind = element.WhichOneof("type")
        widget, key = getattr(element, kind), f"key='{kind}_{next(kinds)}'"
        if kind == "slider" and not widget.options:
            number = float if widget.data_type == widget.FLOAT else int
            bounds = ", ".join(repr(number(n)) for n in (widget.min, widget.max, widget.default[0], widget.step))
            key = f"key='slider_{widget.id.split('-', 2)[2]}'"
            lines.append(f"moved.append(st.sidebar.slider({widget.label!r}, {bounds}, {key}))")
        elif kind == "slider":
            lines.append(f"st.sidebar.select_slider({widget.label!r}, {list(widget.options)!r}, {key})")
        elif kind in ("selectbox", "radio"):
            lines.append(f"st.{kind}({widget.label!r}, {list(widget.options)!r}, {key})")
        elif kind == "button_group":
            lines.append(f"st.segmented_control('choice', {[one.content for one in widget.options]!r}, {key})")
        elif kind == "checkbox":
            lines.append(f"st.toggle({widget.label!r}, {key})")
        elif kind in ("number_input", "text_input", "text_area", "button"):
            lines.append(f"st.{kind}({widget.label!r}, {key})")
    return "\n".join([*lines, "st.metric('Sum', repr(sum(moved)))", ""])


#: A page that sends what another has sent: the whole page, then two turns in turns, as one fragment.
REPLAY = """import streamlit
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import enqueue_message

RUNS, OURS = {runs!r}, {fragment!r}

@streamlit.fragment
def again():
    turn = streamlit.session_state.turn = streamlit.session_state.get("turn", -1) + 1
    for data in RUNS[turn and 1 + turn % 2]:
        message = ForwardMsg.FromString(data)
        send = enqueue_message if message.delta.fragment_id == OURS else get_script_run_ctx().enqueue
        send(message)

again()
"""


async def replay_script(visitor: Visitor, key: str | None) -> str:
    """Write a page that sends this visitor's messages again and computes nothing: what they cost by themselves."""
    turns = [visitor.run] * 3
    if key:
        start = visitor.widget(key)[1].default[0]
        turns[1:] = (partial(visitor.set, key, value) for value in (next(walk(visitor, key)), start))
    runs = []
    for turn in turns:
        visitor.heard = []
        await turn()
        drawn = (one for one in visitor.heard if one.WhichOneof("type") in ("delta", "page_info_changed"))
        runs.append([one.SerializeToString() for one in drawn])
    visitor.heard = None
    return REPLAY.format(runs=runs, fragment=visitor.moved(key, start)[1] if key else "")


async def measure(players: Sequence[Player], rounds: int) -> list[Turn]:
    """Let players on several servers take turns, so that a busy machine slows all of them, and take medians."""
    blocks: list[list[Turn]] = [[await player.block()][:0] for player in players]  # once round to warm up
    for _ in range(rounds):
        for player, found in zip(players, blocks, strict=True):
            found.append(await player.block())
    names = ("cpu", "messages", "bytes")
    return [Turn(*(statistics.median(getattr(one, name) for one in found) for name in names)) for found in blocks]


def process_of(address: str) -> psutil.Process:
    """Return the server, started by this process, that answers at an address."""
    port = address.rsplit(":", 1)[1]
    mine = psutil.Process().children(recursive=True)
    return next(one for one in mine if "streamlit" in one.cmdline() and port in one.cmdline())


def cpu_of(process: psutil.Process) -> float:
    """Return the processor time that a process has used [s], to the nanosecond where the system tells."""
    if hasattr(os, "sched_getaffinity"):  # Linux, where any process has a clock of its own
        return time.clock_gettime((~process.pid << 3) | 2)
    times = process.cpu_times()
    return times.user + times.system
