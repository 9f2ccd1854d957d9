"""Spot training: the charts of the cost, of its parts and of the finish time, frames and specifications."""

from dataclasses import replace
from functools import lru_cache, partial

import altair as alt
import numpy as np
import pandas as pd

from lessons.spot_training.settings import Plan, band, hours, percentile
from physics import constants as k
from ui.base import format as f
from ui.charts.look import NARROW, Look, label, only, specification

PARTS = {"work": "work", "dumps": "dumps", "restarts": "restarts", "lost": "lost work"}

_TICKS = [1, 3, 10, 30, 60, 180, 600, 1440]
_LENGTHS = "datum.value < 60 ? datum.value + ' min' : datum.value / 60 + ' h'"


def drawable(plan: Plan) -> bool:
    """Whether the finish times can be drawn: a run of more than a century cannot."""
    return percentile(plan.finish_times, 0.999) < 100 * 365.25 * k.DAY


def top_of_chart(plan: Plan) -> float:
    """Highest cost on the charts [$]: on demand and, unless they are far off, the best and the present one."""
    near = [cost for cost in (plan.best.cost, plan.cost) if cost <= 5 * plan.on_demand_cost]
    return 1.3 * max([plan.on_demand_cost, *near])


@lru_cache(maxsize=64)
def grid(plan: Plan) -> np.ndarray:
    """Intervals at which the curves are drawn [s]: those whose cost stays on the chart."""
    top = top_of_chart(plan) / plan.work
    low, high = float(k.SPOT_INTERVAL.low), float(k.SPOT_INTERVAL.high)
    ends = plan.paying(top)
    if ends is None or ends[0] >= high or ends[1] <= low:
        return np.array([])
    return np.geomspace(max(low, ends[0]), min(high, ends[1]), 73)


@lru_cache(maxsize=128)
def cost_frame(plan: Plan) -> pd.DataFrame:
    """Rows of the main chart: interval (min), cost ($) and its time (h), upper end of the band, by kind."""
    price, top = plan.gang_price, top_of_chart(plan)
    rows: list[tuple[str, float, float, float | None, str]] = []
    curve = [replace(plan, interval=float(x)) for x in grid(plan)]
    rows += [("curve", at.interval, at.cost, None, "") for at in curve]
    for interval, low, high in band(replace(plan, interval=k.SPOT_INTERVAL, deadline=k.SPOT_DEADLINE)):
        rows.append(("band", interval, min(low * price, top), min(high * price, top), ""))
    rows.append(("on demand", 1.0, plan.on_demand_cost, None, f"on demand: {f.money(plan.on_demand_cost, 4)}"))
    inside = k.SPOT_INTERVAL.low <= plan.best_interval <= k.SPOT_INTERVAL.high
    if inside and plan.best.cost <= top:
        label = f"best: {hours(plan.best_interval)}, {f.money(plan.best.cost, 4)}"
        rows.append(("best", plan.best_interval, plan.best.cost, None, ""))
        rows.append((f"best {_place_of_best(plan, top)}", plan.best_interval, plan.best.cost, None, label))
    here = ("here", plan.cost) if plan.cost <= top else ("above", top)
    cost = f": {f.money(plan.cost)}" if here[0] == "above" else ""
    side = "left" if plan.interval < k.HOUR else "right"
    rows.append((f"{here[0]} {side}", plan.interval, here[1], None, f"you are here{cost}"))
    rows.append(("top", 60.0, top, None, ""))
    if not curve:
        rows.append(("off", 38 * 60.0, top / 3, None, f"The curve lies far above: at best {f.money(plan.best.cost)}"))
    frame = pd.DataFrame(rows, columns=["kind", "interval", "cost", "upper", "label"])
    frame["interval"] = frame["interval"] / 60.0
    frame["hours"] = frame["cost"] / (price * k.HOUR)
    return frame


def _place_of_best(plan: Plan, top: float) -> str:
    """Where the best interval is named: under the valley, or in it where that is low; beside the present interval."""
    side, apart = "middle", plan.interval / plan.best_interval
    if 1 / 8 < apart < 8:
        side = "left" if apart >= 1 else "right"
    if plan.best_interval < 12 * k.MINUTE:
        side = "right"
    return side if plan.best.cost > 0.2 * top else f"high {side}"


@lru_cache(maxsize=128)
def money_frame(plan: Plan) -> pd.DataFrame:
    """Rows of the parts chart: interval (min), lower and upper edge of each part ($)."""
    price, rows = plan.gang_price, []
    curve = [replace(plan, interval=float(x)) for x in grid(plan)[::2]]
    for at in curve:
        below = 0.0
        for name in ("work", "dumps", "restarts", "lost"):
            above = below + getattr(at.where, name) * price
            rows.append(("part", at.interval / 60, below, above, PARTS[name]))
            below = above
    rows.append(("here", plan.interval / 60, 0.0, top_of_chart(plan), ""))
    side = "left" if plan.interval > 2 * k.HOUR else "right"
    rows.append((f"here {side}", plan.interval / 60, 0.0, top_of_chart(plan), "you are here"))
    return pd.DataFrame(rows, columns=["kind", "interval", "low", "high", "label"])


@lru_cache(maxsize=128)
def finish_frame(plan: Plan) -> pd.DataFrame:
    """Rows of the finish-time chart: time (h) and share of the simulated runs that are done, by kind."""
    levels = np.linspace(0, 1, 201)[1:]
    times = [percentile(plan.finish_times, float(level)) for level in levels]
    rows = [("done", float(t) / k.HOUR, float(level), "") for t, level in zip(times, levels, strict=True)]
    rows.insert(0, ("done", float(plan.finish_times[0]) / k.HOUR, 0.0, ""))
    rows.append(("work", plan.work / k.HOUR, 0.0, "the work alone"))
    rows.append(("mean", plan.runtime / k.HOUR, 0.5, "expected"))
    rows.append(("p95", plan.p95 / k.HOUR, 0.95, ""))
    kind = "deadline met" if plan.in_time else "deadline missed"
    # A deadline far from all runs is named at the edge, or the runs would shrink to a line.
    low, high = plan.work / 2, 1.5 * percentile(plan.finish_times, 0.999)
    words, at = kind, plan.deadline
    if at > high:
        words, at = f"{kind}: {hours(at)} →", high
    elif at < low:
        words, at = f"← {kind}: {hours(at)}", low
    # The label stands above the curve while the runs are yet to come, and below it afterwards.
    side = "early" if at < percentile(plan.finish_times, 0.5) else "late" if at > plan.p95 else "between"
    share = 0.75 if side == "early" else 0.1
    rows.append((kind, at / k.HOUR, share, ""))
    # Words of a place in the left half stand to the right of it, or they would begin beyond the axis.
    drawn = [row[1] for row in rows]
    middle = (min(drawn) + max(drawn)) / 2
    side = "between" if side == "early" and at / k.HOUR < middle else side
    rows.append((f"{kind} {side}", at / k.HOUR, share, words))
    side = "right" if plan.p95 / k.HOUR < middle else "left"
    rows.append((f"p95 {side}", plan.p95 / k.HOUR, 0.95, f"95 of 100: {hours(plan.p95)}"))
    return pd.DataFrame(rows, columns=["kind", "hours", "share", "label"])


def _interval_axis(title: str = "checkpoint interval τ") -> alt.X:
    return alt.X(
        "interval:Q",
        title=title,
        scale=alt.Scale(type="log", domain=[1, 1440], nice=False),
        axis=alt.Axis(values=_TICKS, labelExpr=_LENGTHS),
    )


@lru_cache(maxsize=8)
def cost_spec(look: Look) -> dict:
    """Expected cost and time against the interval: band, on-demand line, best and present interval."""
    x, scale = _interval_axis(), alt.Scale(zero=True, nice=False)
    y = alt.Y("cost:Q", title="expected cost ($)", scale=scale, axis=alt.Axis(format="$,.0f"))
    base = alt.Chart().encode(x=x, y=y)
    tips = [
        alt.Tooltip("interval:Q", format=".3~g", title="interval (min)"),
        alt.Tooltip("cost:Q", format="$,.4~g"),
        alt.Tooltip("hours:Q", format=",.4~g", title="time (h)"),
    ]
    foot, here = alt.value({"expr": "height"}), only("here left", "here right")
    point = dict(filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5, color=look.accent)
    # On a phone there is room for one number a label.
    text = partial(label, base, look=look, short=r"replace(datum.label, /^you are here: |, \$.*/g, '')")
    layers = [
        base.transform_filter(only("top")).mark_point(opacity=0),
        base.transform_filter(only("band")).mark_area(color=look.accent, opacity=0.18).encode(y2="upper:Q"),
        base.transform_filter(only("on demand"))
        .mark_rule(color=look.bad, strokeDash=[8, 4], strokeWidth=1.5)
        .encode(x=alt.value(0), x2=alt.value("width")),
        base.transform_filter(only("curve"))
        .mark_line(color=look.accent, strokeWidth=look.stroke)
        .encode(order="interval:Q", tooltip=tips),
        base.transform_filter(only("best"))
        .mark_point(color=look.good, shape="diamond", size=110, filled=True, opacity=1)
        .encode(tooltip=tips),
        # Below the valley there is always room: the label of the present interval stands at the foot of its rule.
        base.transform_filter(here).mark_rule(color=look.ink, strokeDash=[2, 3]).encode(y2=foot),
        base.transform_filter(here).mark_point(size=130, **point).encode(tooltip=tips),
        base.transform_filter(only("above left", "above right")).mark_point(
            size=150, shape="triangle-up", **(point | {"color": look.bad})
        ),
        text("on demand", look.bad, align="center", baseline="bottom", dy=-4).encode(
            x=alt.value({"expr": "width / 2"})
        ),
        text("off", look.bad),
        *(
            text(f"best {height}{side}", look.good, align=align, baseline=baseline, dx=dx, dy=dy)
            for height, baseline, dy in (("", "top", 12), ("high ", "bottom", -12))
            for side, align, dx in (("left", "right", -4), ("middle", "center", 0), ("right", "left", 4))
        ),
    ]
    for side, align, dx in (("left", "left", 8), ("right", "right", -8)):
        layers.append(text(f"here {side}", look.ink, align=align, dx=dx, dy=-8, fontWeight="bold").encode(y=foot))
        layers.append(text(f"above {side}", look.bad, align=align, dx=1.5 * dx, dy=6, fontWeight="bold"))
    hours = alt.Y("hours:Q", title="expected time (hours)", scale=scale, axis=alt.Axis(orient="right", grid=False))
    times = alt.Chart().transform_filter(only("top")).mark_point(opacity=0).encode(x=x, y=hours)
    return specification(alt.layer(alt.layer(*layers), times).resolve_scale(y="independent"), look)


@lru_cache(maxsize=8)
def money_spec(look: Look) -> dict:
    """Parts of the expected cost against the interval, one upon the other."""
    y = alt.Y("low:Q", title="expected cost ($)", scale=alt.Scale(zero=True, nice=False), axis=alt.Axis(format="$,.0f"))
    base = alt.Chart().encode(x=_interval_axis(), y=y)
    color = alt.Color(
        "label:N",
        title=None,
        scale=alt.Scale(
            domain=["work", "dumps", "restarts", "lost work"],
            range=[look.series[4], look.series[0], look.series[3], look.series[1]],
        ),
        legend=alt.Legend(orient="top", symbolType="square", columns=alt.ExprRef(f"{NARROW} ? 2 : 4")),
    )
    here = base.transform_filter(only("here"))
    layers = [
        base.transform_filter(only("part"))
        .mark_area(opacity=0.75, line=False)
        .encode(
            y2="high:Q",
            color=color,
            tooltip=[
                alt.Tooltip("label:N", title="part"),
                alt.Tooltip("interval:Q", format=".3~g", title="interval (min)"),
            ],
        ),
        here.mark_rule(color=look.ink, strokeWidth=2).encode(y2="high:Q"),
        *(
            label(
                base, f"here {side}", look.ink, look, align=align, baseline="top", dx=dx, dy=2, fontWeight="bold"
            ).encode(y="high:Q")
            for side, align, dx in (("left", "right", -6), ("right", "left", 6))
        ),
    ]
    return specification(alt.layer(*layers), look)


@lru_cache(maxsize=8)
def finish_spec(look: Look) -> dict:
    """Share of simulated runs that are done by a time, with the deadline and the 95th percentile."""
    x = alt.X("hours:Q", title="time since the start (hours)", scale=alt.Scale(zero=False, nice=False, padding=24))
    y = alt.Y("share:Q", title="runs that are done", scale=alt.Scale(domain=[0, 1.0]), axis=alt.Axis(format=".0%"))
    base = alt.Chart().encode(x=x, y=y)

    def rule(kind: str, color: str, dash: list[int]) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_rule(color=color, strokeDash=dash, strokeWidth=2)
        return mark.encode(y=alt.value(0), y2=alt.value("height"))

    layers = [
        base.transform_filter(only("done"))
        .mark_line(color=look.accent, strokeWidth=look.stroke, interpolate="step-after")
        .encode(order="hours:Q"),
        rule("work", look.quiet, [2, 2]),
        rule("deadline met", look.good, [8, 4]),
        rule("deadline missed", look.bad, [8, 4]),
        base.transform_filter(only("p95")).mark_point(
            color=look.accent, filled=True, size=130, opacity=1, stroke=look.paper, strokeWidth=1.5
        ),
        base.transform_filter(only("mean")).mark_point(
            color=look.ink, shape="diamond", size=80, filled=True, opacity=1
        ),
        label(base, "work", look.quiet, look, align="left", baseline="bottom", dx=6, dy=-6),
        label(base, "mean", look.ink, look, align="left", dx=12),
        label(base, "p95 left", look.ink, look, align="right", dx=-14, dy=-4, fontWeight="bold"),
        label(base, "p95 right", look.ink, look, align="left", dx=14, dy=10, fontWeight="bold"),
    ]
    for kind, color in (("deadline met", look.good), ("deadline missed", look.bad)):
        for side, align, dx in (("early", "right", -6), ("between", "left", 6), ("late", "right", -6)):
            layers.append(label(base, f"{kind} {side}", color, look, align=align, dx=dx))
    return specification(alt.layer(*layers), look)
