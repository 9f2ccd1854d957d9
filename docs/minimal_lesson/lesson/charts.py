"""Minimal lesson: jobs an hour against either knob."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.minimal_lesson.settings import Fleet
from lessons.minimal_lesson.values import hourly
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

VIEWS = {"fleet": "Against GPUs", "length": "Against job length"}
#: Top of the axis [jobs an hour]; a point above it is an arrow at the edge.
TOP = 4096.0
#: Jobs an hour that the options of the message's question mean.
GUESSES = {"a": 43.0, "b": 512.0, "c": 1024.0, "d": 2048.0}
#: What each view has along its axis: quantity, unit, title.
AXES = {"fleet": ("fleet", 1.0, "GPUs"), "length": ("job_length", float(k.HOUR), "mean job length (h)")}


def figure(fleet: Fleet, look: Look, view: str, guess: str | None) -> Figure:
    """Jobs an hour against one of the knobs, with the present settings and the visitor's guess."""
    name, unit, _ = AXES[view]
    low, high = _ends(view)
    along = np.linspace(low, high, 200)
    line = [replace(fleet, **{name: x * unit}).throughput * k.HOUR for x in along]
    inside = [(x, y) for x, y in zip(along.tolist(), line, strict=True) if y <= TOP]
    curve = {"kind": "curve", "x": [x for x, _ in inside], "y": [y for _, y in inside]}
    here, now = getattr(fleet, name) / unit, fleet.throughput * k.HOUR
    rows = [
        marks.point(here, min(now, TOP), shape="circle" if now <= TOP else "triangle-up"),
        marks.label(here, min(now, TOP), f"{hourly(fleet)} an hour", dx=10, dy=12, bold=True),
    ]
    if guess in GUESSES:
        message = getattr(Fleet(), name) / unit
        rows.append(marks.point(message, GUESSES[guess], size=260, tone="paper", rim="quiet", rim_width=2))
        rows.append(marks.label(message, GUESSES[guess], "you said", tone="quiet", align="right", dx=-13))
    sentence = f"{hourly(fleet)} jobs an hour leave {f.count(fleet.fleet, 'GPU')}, {f.duration(fleet.job_length)} each."
    return Figure(view, "How many jobs leave the fleet in an hour?", stack([curve, *rows]), _spec(look, view), sentence)


def _ends(view: str) -> tuple[float, float]:
    """The knob's own range, so that the axis stands still."""
    constant, unit = (k.TRAP_FLEET if view == "fleet" else k.TRAP_JOB_LENGTH), AXES[view][1]
    return float(constant.low or 0) / unit, float(constant.high or 0) / unit


@lru_cache(maxsize=8)
def _spec(look: Look, view: str) -> dict:
    low, high = _ends(view)
    x = axes.x("x:Q", AXES[view][2], [low, high])
    y = axes.y("y:Q", "jobs an hour", [0, TOP])
    base = alt.Chart().encode(x=x, y=y)
    line = base.transform_filter(only("curve")).mark_line(color=look.accent, strokeWidth=look.stroke)
    return specification(alt.layer(line, marks.points(base, look), marks.labels(base, look)), look, halo=False)
