"""Where the hours go, first picture: one job's hours as a bar, and the fleet as another."""

import math
from itertools import pairwise
from typing import Any

from lessons.where_the_hours_go.settings import REPAIRS, Center, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks
from ui.charts.bars import TICK
from ui.knobs.remedies import worded

#: Right end of the chart [h], which is also the end of the largest fleet's bar.
END = 14.0
#: Longer bars have their label inside [h].
INSIDE = 7.5
#: On the y axis: middles of the bars of the job, of the fleet, and of the message's center.
JOB = 3.9
FLEET = 1.4
TOP = 9.5
#: Time to the result that each option of the prediction means.
GUESSES = {"a": "without limit", "b": "about 12 h", "c": "about 9 h", "d": "about 2.5 h"}


@chart(say, "hours", x=[0, END])
def figure(center: Center, guess: str | None = None, playing: bool = False) -> Rows:
    """Chart of bars for the center after each repair, for the current job, and for the fleet."""
    *earlier, _ = center.repairs
    *names, name = _names(center.repairs)
    rows = [*_ghosts(earlier, names), *_job(center, name), *_fleet(center)]
    if playing:
        goal = k.HOURS_TARGET / k.HOUR
        rows += marks.limit("goal", goal, 10, f"goal: {f.duration(k.HOURS_TARGET)}", dx=6, dy=8)
    elif guess in GUESSES:
        rows += _guess(guess)
    return rows


def _bar(kind: str, start: float, end: float, middle: float, half: float) -> marks.Row:
    """Return the row of a bar from its ends [h], its middle, and half its height."""
    return {"kind": kind, "x": start, "x2": end, "y": middle - half, "y2": middle + half}


def _names(stages: list[Center]) -> list[str]:
    """Return the name of each stage: "today", then the change by which a repair led to it."""
    names = ["today"]
    for earlier, after in pairwise(stages):
        changed = next(name for name in REPAIRS if getattr(earlier, name) != getattr(after, name))
        names.append(worded(after, changed, getattr(after, changed)))
    return names


def _ghosts(stages: list[Center], names: list[str]) -> Rows:
    """Return the rows of thin bars for all stages before the current center."""
    rows = []
    for number, (stage, name) in enumerate(zip(stages, names, strict=True)):
        total = stage.now.total / k.HOUR
        middle = TOP - number
        rows.append(_bar("ghost bar", 0, min(total, END), middle, 0.3))
        rows.append(_end(total, middle, f"{name}: {f.duration(stage.now.total)}"))
    return rows


def _end(total: float, y: float, words: str, **style: Any) -> marks.Row:
    """Return the label at the end of a bar of this length [h]: behind it, or inside if long."""
    if END < total < math.inf:
        words += " →"
    return marks.label(min(total, END), y, words, dx=-6 if total > INSIDE else 6, **style)


def _job(center: Center, name: str) -> Rows:
    """Return the rows of one job's waiting, reading, and computing, from its submission on."""
    fleet = center.now
    wait = min(fleet.wait / k.HOUR, END)
    started = min(wait + fleet.reading / k.HOUR, END)
    total = fleet.total / k.HOUR
    end = min(total, END)
    waiting = f.duration(fleet.wait)
    reading = f.duration(fleet.reading)
    parts = f"waiting {waiting} + reading {reading} + computing 1 h"
    rows = [
        _bar("outline", 0, end, JOB, 0.7),
        _bar("wait", 0, wait, JOB, 0.7),
        _bar("read", wait, started, JOB, 0.7),
        _bar("compute", started, end, JOB, 0.7),
        marks.point(end, JOB, shape=TICK, tone="ink", rim_width=0, role="here"),
        _end(total, JOB + 1.1, f"{name}: {f.duration(fleet.total)}", bold=True),
        marks.label(0, JOB - 1.1, parts, short=f"{waiting} + {reading} + 1 h"),
    ]
    if center.urgent_first and math.isfinite(fleet.wait_urgent):
        urgent = f"◆ urgent jobs start after {f.duration(fleet.wait_urgent)}"
        start = min(fleet.wait_urgent / k.HOUR, END)
        rows.append(marks.point(start, JOB, shape="diamond", tone="ink", size=80))
        rows.append(_end(total, JOB, urgent))
    return rows


def _fleet(center: Center) -> Rows:
    """Return the rows of the GPUs that compute, that wait for data, and that are free."""
    scale = END / k.HOURS_GPUS.high
    computing = center.computing * scale
    occupied = center.occupied * scale
    counts = (
        f"of {center.gpus:,} GPUs: {center.computing} compute, {center.reading} wait for data, "
        f"{center.free} are free"
    )
    short = f"{center.computing} + {center.reading} + {center.free} GPUs"
    return [
        _bar("fleet compute", 0, computing, FLEET, 0.4),
        _bar("fleet read", computing, occupied, FLEET, 0.4),
        _bar("fleet free", occupied, center.gpus * scale, FLEET, 0.4),
        marks.label(0, FLEET - 0.9, counts, short=short),
    ]


def _guess(guess: str) -> Rows:
    """Return the rows of the visitor's answer, above the job's bar."""
    story = Center().now.total / k.HOUR
    hours = {"a": END, "b": story * 4 / 3, "c": story, "d": 2.5}[guess]
    dx = -14 if hours > INSIDE else 14
    return marks.guess(hours, JOB + 2.0, f"you said: {GUESSES[guess]}", dx=dx, size=160)


@verdict_of(say)
def verdict(center: Center) -> Outcome:
    """Return the verdict that names the bottleneck of the computing center."""
    fleet = center.now
    if not fleet.stable:
        return "overload", False
    return fleet.binding.replace(" ", "_"), fleet.binding == "places"


def words(center: Center) -> str:
    """Return the sentence on how the order of jobs affects urgent and other jobs."""
    return say("urgent_first" if center.urgent_first else "in_order", center)


def remedies(center: Center) -> str:
    """Return a sentence on the single changes that help the message's case, or ""."""
    if center.soon:
        return ""
    return say("fix", center)


@verdict_of(say)
def judge(center: Center) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that is missed."""
    fleet = center.now
    misses = {
        "demand_moved": center.demand != 1,
        "files_moved": center.samples != Center().samples,
        "never": not fleet.stable,
        "too_expensive": not center.affordable,
        "too_late": not center.soon,
        "urgent_late": not center.urgent_soon,
    }
    for name, is_missed in misses.items():
        if is_missed:
            return name, False
    return "won", True


view = View("hours", figure=figure, verdict=verdict, words=words, remedies=remedies)
