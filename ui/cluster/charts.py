"""Your cluster: charts of a log and of its simulations."""

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from physics import constants as k
from physics.cluster import Calibration, Difference, Happened, Kept, Needed
from physics.cluster.needed import named
from physics.cluster.say import time
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, layer, level, line, marks, plane, span, specification, stack

HOUR = float(k.HOUR)
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
#: A shorter wait has its label on its right, or the label would cover the class's name [h].
NEAR_THE_AXIS = 0.1


def over_time(happened: Happened, look: Look, dated: bool) -> Figure:
    """Chart of utilization over time, and of GPUs idle while jobs waited, if recorded."""
    frame = happened.over_time
    idle = frame["wasted"] / (frame["length"] * happened.gpus)
    areas = _areas(happened, frame["begin"], frame["utilization"], idle, dated)
    sentence = (
        f"Utilization over time: on average, {f.share(happened.utilization)} of "
        f"{f.count(happened.gpus, happened.unit)} were in use. A further "
        f"{f.share(happened.wasted / (happened.gpus * happened.span))} were idle while jobs waited."
    )
    return Figure(
        "over_time",
        "In use (blue), and idle while jobs waited (orange)",
        areas,
        _over_time(look, dated, happened.unit),
        sentence,
    )


def use_with_change(result: Difference, happened: Happened, look: Look, dated: bool) -> Figure:
    """Chart of utilization over time after a change, and of GPUs idle only because of placement."""
    frame = result.used
    total = frame["length"] * result.gpus[1]
    busy = frame["used"] / total
    lost = frame["fragmented"] / total
    means = frame[["used", "fragmented"]].sum() / total.sum()
    sentence = (
        f"With the change, {f.share(means['used'])} of the {result.unit} time is in use, and "
        f"{f.share(means['fragmented'])} is idle only because of placement."
    )
    return Figure(
        "use_with_change",
        "In use (blue), and idle because of placement (orange)",
        _areas(happened, frame["begin"], busy, lost, dated),
        _over_time(look, dated, result.unit),
        sentence,
    )


def _areas(
    happened: Happened, begin: pd.Series, busy: pd.Series, idle: pd.Series, dated: bool
) -> pa.Table:
    """Return the rows of two shares over time, stacked; times in ms since 1970, or else in days."""
    when = 1000 * begin
    if not dated:
        when = (begin - happened.begin) / float(k.DAY)
    return stack(
        [
            {"kind": "busy", "when": when, "low": 0.0, "share": busy},
            {"kind": "idle", "when": when, "low": busy, "share": busy + idle},
        ]
    )


@lru_cache(maxsize=8)
def _over_time(look: Look, dated: bool, unit: str) -> dict:
    """Return the specification of a chart of two stacked shares over time."""
    x = axes.x("when:Q", "day of the log")
    if dated:
        x = axes.x("when:T", "", type="utc")
    y = axes.y("low:Q", f"share of the {unit}s", [0, 1], format="%")
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("share:Q", format=".0%"), x.shorthand]
    encoded = {"y2": "share:Q", "tooltip": tips}
    style: dict[str, Any] = {"opacity": 0.75, "interpolate": "step-after"}
    areas = [
        layer("busy", "area", "accent", encoded, **style)(base, look),
        layer("idle", "area", "bad", encoded, **style)(base, look),
    ]
    return specification(alt.layer(*areas), look, height=220)


def arrivals(happened: Happened, look: Look) -> Figure:
    """Chart of jobs per hour by hour of the day and weekday."""
    rates = happened.arrivals.to_numpy(float)
    day, hour = np.nonzero(~np.isnan(rates))
    weekdays = np.array(WEEKDAYS)[day]
    cells = {"kind": "cell", "day": weekdays, "hour": hour, "rate": rates[day, hour]}
    peak_day, peak_hour = np.unravel_index(np.nanargmax(rates), rates.shape)
    sentence = (
        f"Jobs per hour by weekday and hour of day: most on {WEEKDAYS[peak_day]} from {peak_hour} "
        f"o'clock, {f.significant(float(rates[peak_day, peak_hour]))} per hour."
    )
    return Figure("arrivals", "When do jobs arrive?", stack([cells]), _arrivals(look), sentence)


@lru_cache(maxsize=8)
def _arrivals(look: Look) -> dict:
    """Return the specification of the chart of arrivals."""
    base = alt.Chart().encode(
        x=axes.x("hour:O", "hour of day", labelAngle=0, values=list(range(0, 24, 3))),
        y=axes.y("day:O", None, sort=list(WEEKDAYS)),
        color=alt.Color("rate:Q", title="jobs/h", scale=alt.Scale(range=[look.faint, look.accent])),
        tooltip=["day:O", "hour:O", alt.Tooltip("rate:Q", format=".3~g", title="jobs per hour")],
    )
    return specification(alt.layer(base.mark_rect()), look, height=220)


def calibration(result: Calibration, look: Look) -> Figure:
    """Chart of mean waits: recorded, by formulas, and simulated, with ranges from the weeks."""
    frame = result.waits[result.waits["mean"].notna()] / HOUR
    finite = frame["mean"][np.isfinite(frame["mean"])]
    edge = 1.0  # where an infinite wait is drawn [h]
    if not finite.empty:
        edge = max(0.1, 1.3 * float(finite.max()))
    rows = []
    texts = []
    for name, row in frame.iterrows():
        mean = float(row["mean"])
        shape = "circle"
        tone = "accent"
        if name == "record":
            shape = "square"
            tone = "ink"
        elif name in result.theory:
            tone = "s1"
        if np.isinf(mean):
            text = "no steady state"
            rows.append(marks.point(edge, name, tone="bad", shape="triangle-right"))
            rows.append(marks.label(edge, name, text, dx=-12))
        else:
            text = f"{f.significant(mean)} h"
            rows.append(marks.point(mean, name, tone=tone, shape=shape))
            rows.append(marks.label(mean, name, text, dy=-13, align="center"))
        if np.isfinite(row["high"] - row["low"]):
            rows.append(_range(name, row["low"], row["high"], tone))
        texts.append(f"{name} {text}")
    return Figure(
        "calibration",
        "Mean wait: record, formulas, policies",
        stack(rows),
        _dots(look, tuple(result.waits.index)),
        f"Mean waits: {', '.join(texts)}.",
    )


def _range(name: Any, start: float, end: float, tone: str) -> marks.Row:
    """Return the row of a range of waits [h] on the line of a name."""
    return {"kind": "range", "x": start, "x2": end, "y": name, "tone": tone}


def needed(answer: Needed | Kept, look: Look) -> Figure:
    """Chart of the simulated wait by size or load, with the limit and an error band."""
    curve = answer.near / HOUR
    curve.index = curve.index.astype(float)
    limit = answer.limit / HOUR
    band = curve[["scaled", "plus"]].dropna()
    # Waits fall with the size and rise with the load; the limit's label is where they are short.
    label_x = curve.index[0]
    align = "left"
    if answer.by == "size":
        label_x = curve.index[-1]
        align = "right"
    rows: list[marks.Row] = [
        {"kind": "simulated", "x": curve.index, "y": curve["simulated"]},
        {"kind": "band", "x": band.index, "y": band["scaled"], "y2": band["plus"]},
        {"kind": "limit", "y": limit},
        marks.label(label_x, limit, f"at most {time(answer.limit)}", dy=-10, align=align),
    ]
    if answer.answer is not None:
        wait = float(np.interp(answer.answer, curve.index, curve["simulated"]))
        rows.append(marks.point(answer.answer, wait))
        rows.append(marks.label(answer.answer, wait, f.significant(answer.answer), dx=8, dy=10))
    measure = named(answer.measure)
    title = f"{measure} by {answer.by}: as simulated (line), and with the model's error (band)"
    return Figure(
        "needed",
        f.capital(title),
        stack(rows),
        _needed(look, answer.along, measure),
        answer.sentence,
    )


@plane
def _needed(look: Look, along: str, measure: str) -> tuple:
    """Return axes and layers of the chart of waits by size or load."""
    x = axes.x("x:Q", along, zero=False, nice=False)
    y = axes.y("y:Q", f"{measure} (h)")
    band = layer("band", "area", "quiet", {"y2": "y2:Q"}, opacity=0.25)
    return x, y, band, line("simulated"), level("limit", "ink", (5, 3))


def difference(result: Difference, look: Look) -> Figure:
    """Chart of mean waits by class: recorded, and simulated before and after a change."""
    frame = result.classes
    rows = []
    for name, row in frame[frame["difference"].notna()].iterrows():
        record, before, after = map(float, row[["record", "baseline", "changed"]] / HOUR)
        text = f"{f.significant(after)} h"
        tone = "bad"
        if row["undecided"]:
            text = "undecided"
            tone = "quiet"
        elif after < before:
            tone = "good"
        rows.append(_range(name, before, after, tone))
        if not np.isnan(record):
            rows.append(marks.point(record, name, tone="ink", shape="square"))
            if name == frame.index[-1]:
                rows.append(marks.label(record, name, "record", dy=13, align="center"))
        rows.append(marks.point(before, name, tone="paper", rim="ink", rim_width=2))
        rows.append(marks.point(after, name, tone=tone))
        is_right = after >= before or after < NEAR_THE_AXIS
        rows.append(marks.label(after, name, text, dx=10 if is_right else -10))
    sentences = (text for text in result.sentences if text.startswith("Mean wait: "))
    return Figure(
        "difference",
        "Mean wait before (ring) and after (dot)",
        stack(rows),
        _dots(look, tuple(frame.index)),
        next(sentences),
    )


@lru_cache(maxsize=32)
def _dots(look: Look, names: tuple[str, ...]) -> dict:
    """Return the specification of points and ranges of waits, with one line per name.

    The axis of waits is logarithmic, but linear near zero.
    """
    scale: dict[str, Any] = {
        "type": "symlog",
        "constant": 0.05,
        "values": [0, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000],
    }
    x = axes.x("x:Q", "mean wait (h)", zero=True, nice=True, format=",~r", **scale)
    y = axes.y("y:N", None, sort=list(names), labelLimit=220, grid=True)
    base = alt.Chart().encode(x=x, y=y)
    ranges = span("range", width=look.stroke, x2="x2:Q")(base, look)
    layers = [ranges, marks.points(base, look), marks.labels(base, look)]
    return specification(alt.layer(*layers), look, height=64 + 34 * len(names))
