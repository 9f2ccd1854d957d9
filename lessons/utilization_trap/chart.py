"""Utilization trap, main chart: the mean wait against the utilization."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.utilization_trap.settings import Fleet, knee_of
from lessons.utilization_trap.simulation import rows
from physics import constants as k
from physics.queueing import mgc
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts.look import NARROW, Look, only, shortened, specification

#: What was simulated is drawn this many px to the right of the curve's own point.
AWAY = 16


@lru_cache(maxsize=512)
def _curve(servers: int, scv: float) -> tuple[list[float], list[float]]:
    """Mean wait in job lengths over utilization, dense where it rises."""
    utilization = (1 - np.geomspace(1.0, 1e-3, 60)[1:]).tolist()
    return utilization, [mgc(rho * servers, 1.0, servers, scv).mean_wait for rho in utilization]


def wait_frame(fleet: Fleet, more: Sequence[tuple[str, float, float, str]] = ()) -> pd.DataFrame:
    """Rows of the wait-against-utilization chart: utilization (fraction) and mean wait (hours), by kind.

    `more` rows, such as a simulation's, are drawn with them; the chart is made high enough.
    """
    waits = [w for w in (fleet.now.mean_wait, fleet.before.mean_wait) if math.isfinite(w)]
    waits += [wait * k.HOUR / 1.1 for _, _, wait, _ in more]
    top = max(2.2 * fleet.target, 1.25 * max(waits, default=0.0), 0.5 * fleet.job_length)
    rows = list(more)
    # The curve is named where “you are here” does not stand.
    here = fleet.now.mean_wait / top
    label_height = {"one": 0.94, "small": 0.2, "curve": 0.6 if abs(here - 0.6) > 0.12 else 0.4}
    curves = {
        "one": (1, "one server"),
        "small": (max(1, (fleet.fleet + fleet.added) // 8), "8-GPU jobs"),
        "curve": (fleet.servers, f.count(fleet.servers, "server")),
    }
    for kind, (servers, label) in curves.items():
        if kind != "curve" and servers == fleet.servers:
            continue
        utilization, waits_in_lengths = _curve(servers, fleet.scv)
        inside = bisect_right(waits_in_lengths, top / fleet.job_length)
        hours = fleet.job_length / k.HOUR
        points = zip(utilization[:inside], waits_in_lengths[:inside], strict=True)
        rows += [(kind, x, y * hours, label) for x, y in points]
        rows.append((kind, knee_of(top / fleet.job_length, servers, fleet.scv), top / k.HOUR, label))
        at = label_height[kind]
        x = knee_of(at * top / fleet.job_length, servers, fleet.scv)
        # Small jobs are the line furthest to the right, unless this fleet's jobs are smaller still.
        side = " right" if kind == "small" and servers > fleet.servers else ""
        rows.append((f"{kind} label{side}", x, at * top / k.HOUR, label))
    rows.append(("target", 0.0, fleet.target / k.HOUR, ""))
    words = f"target {f.duration(fleet.target)}: met up to {f.share(fleet.knee)}"
    rows.append(("knee", fleet.knee, fleet.target / k.HOUR, ""))
    rows.append(("knee left" if fleet.knee > 0.4 else "knee right", fleet.knee, fleet.target / k.HOUR, words))
    if fleet.added and fleet.before.stable:
        rows.append(("before", fleet.before.utilization, fleet.before.mean_wait / k.HOUR, "before the purchase"))
    if fleet.now.stable:
        rows.append(("here", fleet.now.utilization, fleet.now.mean_wait / k.HOUR, "you are here"))
    else:
        rows.append(("overload", min(fleet.now.utilization, 1.2), 0.8 * top / k.HOUR, "you are here: no steady state"))
    rows.append(("beyond", 1.0, top / k.HOUR, "overload"))
    return pd.DataFrame(rows, columns=["kind", "utilization", "wait", "label"])


@lru_cache(maxsize=8)
def wait_spec(look: Look) -> dict:
    """Mean wait against utilization: this fleet, two others faintly, target, knee and “you are here”."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    x = alt.X(
        "utilization:Q",
        title="utilization ρ (busy share of the servers)",
        scale=alt.Scale(domain=[0, 1.2], nice=False),
        axis=alt.Axis(format=".0%", values=alt.ExprRef(f"{NARROW} ? {ticks} : {[*ticks, 1.2]}")),
    )
    y = alt.Y("wait:Q", title="mean wait (hours)", scale=alt.Scale(zero=True, nice=False))
    base = alt.Chart().encode(x=x, y=y)

    def label(kind: str, color: str, **options: object) -> alt.Chart:
        text = base.transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        return text.encode(text=shortened("replace(split(datum.label, ':')[0], 'GPU jobs', 'GPU')"))

    def line(kind: str, color: str, width: float, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=width, clip=True, **options)
        return mark.encode(
            order="utilization:Q",
            tooltip=[
                alt.Tooltip("utilization:Q", format=".1%"),
                alt.Tooltip("wait:Q", format=".3~g", title="wait (h)"),
            ],
        )

    def mark(kind: str, **options: object) -> alt.Chart:
        chart = base.transform_filter(only(kind)).copy()
        chart.mark = alt.MarkDef(color=look.ink, xOffset=AWAY, opacity=1, **options)
        return chart

    def point(kind: str, size: float, color: str, stroke: str, width: float, **options: object) -> alt.Chart:
        looks = {"size": size, "color": color, "stroke": stroke, "strokeWidth": width, "opacity": 1} | options
        return base.transform_filter(only(kind)).mark_point(filled=True, **looks)

    layers = [
        base.transform_filter(only("beyond"))
        .mark_rect(color=look.bad, opacity=0.1)
        .encode(x2=alt.datum(1.2), y2=alt.datum(0)),
        base.transform_filter(only("beyond"))
        .mark_text(color=look.bad, align="left", baseline="bottom", dx=4, dy=-8, fontSize=look.text_size)
        .encode(text="label:N", y=alt.value("height")),
        base.transform_filter(only("target"))
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0), x2=alt.datum(1)),
        line("one", look.quiet, 1.5, strokeDash=[6, 3]),
        line("small", look.quiet, 1.5, strokeDash=[2, 2]),
        line("curve", look.accent, look.stroke),
        base.transform_filter(only("overload"))
        .mark_rule(color=look.bad, strokeWidth=3)
        .encode(x="utilization:Q", y=alt.value(0), y2=alt.value("height")),
        line("interval", look.ink, 2, xOffset=AWAY),
        mark("interval", type="tick", orient="horizontal", size=14, thickness=2),
        point("knee", 90, look.good, look.good, 0, shape="diamond"),
        point("before", 110, look.paper, look.accent, 2),
        point("here", 130, look.accent, look.paper, 1.5),
        point("simulated", 70, look.ink, look.paper, 1, shape="square", xOffset=AWAY),
        label("simulated label", look.ink, align="center", baseline="bottom", dx=AWAY, dy=-6, fontWeight="bold"),
        label("one label", look.quiet, align="right", dx=-8),
        label("small label", look.quiet, align="right", dx=-8),
        label("small label right", look.quiet, align="left", dx=6),
        label("curve label", look.accent, align="right", dx=-8, fontWeight="bold"),
        label("knee left", look.good, align="right", baseline="bottom", dx=-6, dy=-4),
        label("knee right", look.good, align="left", baseline="bottom", dx=8, dy=-4),
        label("before", look.ink, align="right", dx=-12),
        label("here", look.ink, align="right", dx=-12, fontWeight="bold"),
        label("overload", look.bad, align="right", dx=-8, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look)


def alt_text(fleet: Fleet) -> str:
    """The main chart in one sentence with its numbers."""
    if not fleet.now.stable:
        here = f"At {f.share(fleet.now.utilization)} there is no steady state"
    else:
        here = f"At {f.share(fleet.now.utilization)} busy the mean wait is {f.duration(fleet.now.mean_wait)}"
    return (
        f"Mean wait against utilization for {f.count(fleet.servers, 'server')}. {here}; the target of "
        f"{f.duration(fleet.target)} is met up to {f.share(fleet.knee)}."
    )


def figure(fleet: Fleet, look: Look, found: object = None) -> Figure:
    """The main chart, with what was simulated."""
    title = "How does the mean wait grow with utilization?"
    return Figure("wait", title, wait_frame(fleet, rows(fleet, found)), wait_spec(look), alt_text(fleet))
