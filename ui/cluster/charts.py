"""Your cluster: its charts."""

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from physics import constants as k
from physics.cluster import Calibration, Difference, Happened, Kept, Needed
from physics.cluster.needed import named
from physics.cluster.say import time
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, level, line, marks, only, plane, span, specification, stack
from ui.cluster.widgets import capital

HOUR = float(k.HOUR)
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
#: A wait below this has its label right of it, or the label would cover the class's name [h].
NEAR_THE_AXIS = 0.1


def over_time(happened: Happened, look: Look, dated: bool) -> Figure:
    """Chart of utilization over time, and of idle GPUs while jobs waited, for a log with recorded
    waits.
    """
    frame = happened.over_time
    total = frame["length"].to_numpy(float) * happened.gpus
    busy = frame["utilization"].to_numpy(float)
    idle = frame["wasted"].to_numpy(float) / total
    along = _along(frame["begin"].to_numpy(float), happened, dated)
    parts = [
        {"kind": "busy", "when": along, "low": 0.0, "share": busy},
        {"kind": "idle", "when": along, "low": busy, "share": busy + idle},
    ]
    sentence = (
        f"Utilization over time: {f.share(happened.utilization)} on average of "
        f"{f.count(happened.gpus, happened.unit)}. "
        f"A further {f.share(happened.wasted / (happened.gpus * happened.span))} was idle while jobs waited."
    )
    return Figure(
        "over_time",
        "In use (blue), and idle while jobs waited (orange)",
        stack(parts),
        _over_time(look, dated, happened.unit),
        sentence,
    )


def use_with_change(result: Difference, happened: Happened, look: Look, dated: bool) -> Figure:
    """Chart of utilization over time after a change, and of GPUs idle only because of placement."""
    frame = result.used
    total = frame["length"].to_numpy(float) * result.gpus[1]
    busy = frame["used"].to_numpy(float) / total
    lost = frame["fragmented"].to_numpy(float) / total
    when = _along(frame["begin"].to_numpy(float), happened, dated)
    parts = [
        {"kind": "busy", "when": when, "low": 0.0, "share": busy},
        {"kind": "idle", "when": when, "low": busy, "share": busy + lost},
    ]
    sentence = (
        f"With the change {f.share(float(frame['used'].sum() / total.sum()))} of the "
        f"{result.unit} time is in use, and "
        f"{f.share(float(frame['fragmented'].sum() / total.sum()))} is idle only because of "
        "where jobs run."
    )
    return Figure(
        "use_with_change",
        "In use (blue), and idle because of where jobs run (orange)",
        stack(parts),
        _over_time(look, dated, result.unit),
        sentence,
    )


def _along(begin: np.ndarray, happened: Happened, dated: bool) -> np.ndarray:
    """Moments as the x axis over time has them [ms since 1970, or days]."""
    if dated:
        return 1000 * begin
    return (begin - happened.begin) / float(k.DAY)


@lru_cache(maxsize=8)
def _over_time(look: Look, dated: bool, unit: str) -> dict:
    if dated:
        x = axes.x("when:T", "", type="utc")
    else:
        x = axes.x("when:Q", "day of the log")
    y = axes.y("low:Q", f"share of the {unit}s", [0, 1], format="%")
    base = alt.Chart().encode(x=x, y=y, y2="share:Q")

    def area(kind: str, color: str, opacity: float) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_area(
            color=color, opacity=opacity, interpolate="step-after"
        )
        return mark.encode(
            tooltip=[alt.Tooltip("share:Q", format=".0%"), "when:T" if dated else "when:Q"]
        )

    return specification(
        alt.layer(area("busy", look.accent, 0.75), area("idle", look.bad, 0.75)), look, height=220
    )


def arrivals(happened: Happened, look: Look) -> Figure:
    """Chart of jobs per hour by hour of the day and weekday."""
    rates = happened.arrivals.to_numpy(float)
    day, hour = np.indices(rates.shape)
    seen = ~np.isnan(rates)
    rows = stack(
        [
            {
                "kind": "cell",
                "day": [WEEKDAYS[i] for i in day[seen]],
                "hour": hour[seen],
                "rate": rates[seen],
            }
        ]
    )
    most = np.unravel_index(np.nanargmax(rates), rates.shape)
    sentence = (
        f"Jobs an hour by weekday and hour of day: most on {WEEKDAYS[most[0]]} from {most[1]} "
        "o'clock, "
        f"{f.significant(float(rates[most]))} an hour."
    )
    return Figure("arrivals", "When do jobs arrive?", rows, _arrivals(look), sentence)


@lru_cache(maxsize=8)
def _arrivals(look: Look) -> dict:
    base = alt.Chart().encode(
        x=axes.x("hour:O", "hour of day", labelAngle=0, values=list(range(0, 24, 3))),
        y=axes.y("day:O", None, sort=list(WEEKDAYS)),
        color=alt.Color("rate:Q", title="jobs/h", scale=alt.Scale(range=[look.faint, look.accent])),
        tooltip=["day:O", "hour:O", alt.Tooltip("rate:Q", format=".3~g", title="jobs an hour")],
    )
    return specification(alt.layer(base.mark_rect()), look, height=220)


def calibration(result: Calibration, look: Look) -> Figure:
    """Chart of mean waits: recorded, by formulas, and simulated, with ranges from the weeks."""
    frame = result.waits[result.waits["mean"].notna()] / HOUR
    finite = frame["mean"][np.isfinite(frame["mean"])]
    if finite.empty:
        edge = 1.0
    else:
        edge = max(0.1, 1.3 * float(finite.max()))
    rows = []
    texts = []
    for name, row in frame.iterrows():
        mean = float(row["mean"])
        record = name == "record"
        if record:
            tone = "ink"
        elif name in result.theory:
            tone = "s1"
        else:
            tone = "accent"
        if np.isinf(mean):
            text = "no steady state"
            rows += _dot(edge, name, text, shape="triangle-right", tone="bad", dx=-12)
        else:
            text = f"{f.significant(mean)} h"
            rows += _dot(
                mean,
                name,
                text,
                shape="square" if record else "circle",
                tone=tone,
                dy=-13,
                align="center",
            )
        if np.isfinite(row["high"] - row["low"]):
            rows.append(
                {"kind": "range", "x": row["low"], "x2": row["high"], "y": name, "tone": tone}
            )
        texts.append(f"{name} {text}")
    return Figure(
        "calibration",
        "Mean wait: record, formulas, policies",
        stack(rows),
        _dots(look, tuple(result.waits.index)),
        f"Mean waits: {', '.join(texts)}.",
    )


def _dot(
    x: float, name: str, text: str, shape: str, tone: str, **style: Any
) -> list[dict[str, Any]]:
    """Make the rows of a point on one line, and of its label."""
    return [marks.point(x, name, tone=tone, shape=shape), marks.label(x, name, text, **style)]


def needed(answer_found: Needed | Kept, look: Look) -> Figure:
    """Chart of the simulated wait by size or load, with the limit and a band for the model's
    error.
    """
    curve = answer_found.near / HOUR
    # Waits fall with the size and rise with the load: the limit's label stands where they are low.
    corner = curve.index[-1 if answer_found.by == "size" else 0], answer_found.limit / HOUR
    along = curve.index.to_numpy(float)
    banded = curve[["scaled", "plus"]].dropna()
    rows: list[dict[str, Any]] = [
        {"kind": "simulated", "x": along, "y": curve["simulated"].to_numpy(float)},
        {
            "kind": "band",
            "x": banded.index.to_numpy(float),
            "y": banded["scaled"].to_numpy(float),
            "y2": banded["plus"].to_numpy(float),
        },
        {"kind": "limit", "y": answer_found.limit / HOUR},
        marks.label(
            *corner,
            f"at most {time(answer_found.limit)}",
            dy=-10,
            align="right" if answer_found.by == "size" else "left",
        ),
    ]
    answer = answer_found.answer
    if answer is not None:
        wait = float(np.interp(answer, along, curve["simulated"].to_numpy(float)))
        rows.append(marks.point(answer, wait))
        rows.append(marks.label(answer, wait, f.significant(answer), dx=8, dy=10))
    measure = named(answer_found.measure)
    title = f"{measure} by {answer_found.by}: as simulated (line), and if the unexplained wait stays (band)"
    return Figure(
        "needed",
        capital(title),
        stack(rows),
        _needed(look, answer_found.along, measure),
        answer_found.sentence,
    )


@plane
def _needed(look: Look, along: str, measure: str) -> tuple:
    x = axes.x("x:Q", along, zero=False, nice=False)
    y = axes.y("y:Q", f"{measure} (h)")
    return x, y, _band, line("simulated"), level("limit", "ink", (5, 3))


def _band(base: alt.Chart, look: Look) -> alt.Chart:
    return (
        base.transform_filter(only("band"))
        .mark_area(color=look.quiet, opacity=0.25)
        .encode(y2="y2:Q")
    )


def difference(result: Difference, look: Look) -> Figure:
    """Chart of mean waits by class: recorded, and simulated before and after a change."""
    frame = result.classes
    rows: list[dict[str, Any]] = []
    for name, row in frame[frame["difference"].notna()].iterrows():
        record, before, after = (
            float(row[column]) / HOUR for column in ("record", "baseline", "changed")
        )
        if row["undecided"]:
            tone = "quiet"
        elif after < before:
            tone = "good"
        else:
            tone = "bad"
        rows.append({"kind": "range", "x": before, "x2": after, "y": name, "tone": tone})
        if not np.isnan(record):
            rows.append(marks.point(record, name, tone="ink", shape="square"))
            if name == frame.index[-1]:
                rows.append(marks.label(record, name, "record", dy=13, align="center"))
        rows.append(marks.point(before, name, tone="paper", rim="ink", rim_width=2))
        rows.append(marks.point(after, name, tone=tone))
        side: dict[str, Any]
        if after >= before or after < NEAR_THE_AXIS:
            side = {"align": "left", "dx": 10}
        else:
            side = {"align": "right", "dx": -10}
        rows.append(
            marks.label(
                after,
                name,
                "undecided" if row["undecided"] else f"{f.significant(after)} h",
                **side,
            )
        )
    sentence = next(
        sentence_found
        for sentence_found in result.sentences
        if sentence_found.startswith("Mean wait: ")
    )
    return Figure(
        "difference",
        "Mean wait before (ring) and after (dot)",
        stack(rows),
        _dots(look, tuple(frame.index)),
        sentence,
    )


@lru_cache(maxsize=32)
def _dots(look: Look, names: tuple[str, ...]) -> dict:
    """Points and ranges, one line a name: waits, small and large ones on one axis with zero."""
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
