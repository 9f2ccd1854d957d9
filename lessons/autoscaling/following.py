"""Autoscaling: charts of replicas that follow a load, over time."""

from collections.abc import Mapping
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.autoscaling.settings import JUMP_STRETCH, Fleet, say
from physics import constants as k
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, only, specification, stack

#: Top of the frame: more replicas than may be requested, with room for a band along the top.
TOP = 46
MOST = 480  #: points of a line at most
#: Name and values of each line, by its kind.
Lines = Mapping[str, tuple[str, np.ndarray]]
#: Tone, dashes and width of each kind of line.
LINES = {"load": ("s4", [], 2), "one": ("s0", [], 3), "two": ("s3", [8, 3], 2), "forecast": ("s1", [3, 2], 2)}


def unit(load: str) -> tuple[float, str, float]:
    """The time axis: seconds in its unit, its name, and its end."""
    one, name, end = (k.MINUTE, "minutes", JUMP_STRETCH) if load == "step" else (k.HOUR, "hours", k.DAY)
    return float(one), name, float(end / one)


def figure(look: Look, fleet: Fleet, name: str, title: str, run: pd.DataFrame, lines: Lines) -> Figure:
    """Lines by kind, each with its name and its value in each step, and a band where a run is too slow."""
    second, _, end = unit(fleet.load)
    parts, floor = [], 0.0
    for kind, (words, values) in sorted(lines.items(), key=lambda item: item[1][1][-1]):
        keep = np.flatnonzero(np.diff(values, prepend=-1) != 0)
        keep = keep[:: max(1, len(keep) // MOST)]
        times, last = np.append(keep * float(k.HPA_SYNC) / second, end), float(values[-1])
        parts.append({"kind": kind, "time": times, "value": np.append(values[keep], last)})
        height = max(last, floor)  # names stand apart
        floor = height + 0.085 * TOP
        looks = {"dx": 6, "tone": LINES[kind][0], "bold": kind == "one"}
        parts += marks.renamed([marks.label(end, height, words, **looks)], "time", "value")
    late = np.concatenate([[False], ~run["slo_met"].to_numpy(), [False]])
    edges = np.flatnonzero(np.diff(late.astype(int))) * float(k.HPA_SYNC) / second
    parts.append({"kind": "missed", "time": np.append(edges[::2], 0.0), "end": np.append(edges[1::2], 0.0)})
    if len(edges):
        at = min(float(edges[0]), 0.6 * end)
        words = marks.label(at, TOP, say(f"{name}_late", fleet), dy=16, dx=2, tone="bad")
        parts += marks.renamed([words], "time", "value")
    return Figure(name, title, stack(parts), _spec(look, fleet.load), say(f"chart_{name}", fleet))


@lru_cache(maxsize=16)
def _spec(look: Look, load: str) -> dict:
    """Steps of load and replicas, and a band along the top where a run is too slow."""
    _, name, end = unit(load)
    ticks = [0, 4, 8, 12, 16, 20, 24] if name == "hours" else [0, 5, 10, 15, 20]
    x = axes.x("time:Q", f"time ({name})", [0, 1.3 * end], values=ticks)
    y = axes.y("value:Q", "replicas' worth of work", [0, TOP], values=[0, 10, 20, 30, 40])
    base = alt.Chart().encode(x=x, y=y)
    band = base.transform_filter(only("missed")).mark_rect(color=look.bad, opacity=0.85)
    layers = [band.encode(x2="end:Q", y=alt.value(0), y2=alt.value(7))]
    for kind, (tone, dash, width) in LINES.items():
        looks = {"color": look.series[int(tone[1])], "strokeDash": dash, "strokeWidth": width, "clip": True}
        mark = base.transform_filter(only(kind)).mark_line(interpolate="step-after", **looks)
        layers.append(mark.encode(order="time:Q"))
    return specification(alt.layer(*layers, marks.labels(base, look)), look)
