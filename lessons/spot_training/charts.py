"""Spot training: the charts of the cost, of its parts and of the finish time.

Costs are drawn as shares of the same work's cost on demand, and times as multiples of the work, so that the axes stand
still whatever the knobs say; the labels have dollars and hours.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.spot_training.settings import RUNS, Plan, band, hours, percentile
from lessons.spot_training.values import best_words
from lessons.spot_training.verdict import done
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack

PARTS = {"work": "work", "dumps": "dumps", "restarts": "restarts", "lost": "lost work", "waits": "standing"}
#: Top of the charts of cost, as a share of the cost on demand.
TOP = 1.5
#: Ends of the chart of finish times, as multiples of the work.
EARLY, LATE = 0.9, 2.5
#: The interval that each option of the prediction means [s]; "next to never" is the longest on the slider.
GUESSES = {"a": 3 * k.MINUTE, "b": 40 * k.MINUTE, "c": 5 * k.HOUR, "d": float(k.SPOT_INTERVAL.high)}

#: The axis of intervals, in minutes, moves the knob.
BY_HAND = Grab("interval", float(k.MINUTE))
_SHARES = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5]
_TICKS = [1, 3, 10, 30, 60, 180, 600, 1440]
_LENGTHS = "datum.value < 60 ? datum.value + ' min' : datum.value / 60 + ' h'"


def drawable(plan: Plan) -> bool:
    """Whether the finish times can be drawn: a run of more than a century cannot."""
    return percentile(plan.finish_times, 0.999) < 100 * 365.25 * k.DAY


def grid(plan: Plan, top: float = TOP) -> np.ndarray:
    """Intervals at which the curves are drawn [s]: those whose cost stays on the chart."""
    low, high = float(k.SPOT_INTERVAL.low), float(k.SPOT_INTERVAL.high)
    ends = plan.paying(top * plan.on_demand_cost / plan.work)
    if ends is None or ends[0] >= high or ends[1] <= low:
        return np.array([])
    return np.geomspace(max(low, ends[0]), min(high, ends[1]), 73)


def cost_figure(plan: Plan, look: Look, guess: str | None = None, told: bool = False, end: float = TOP) -> Figure:
    """The main chart; `guess` is the visitor's option, and the best interval is marked once it may be `told`."""
    question = "How does the checkpoint interval change what the run costs?"
    return Figure(
        "cost",
        question,
        cost_frame(plan, guess, told, end),
        cost_spec(look, end),
        cost_alt(plan, told),
        ("curve",),
        BY_HAND,
        reach(plan, end),
    )


def reach(plan: Plan, end: float) -> Reach:
    """The present cost as a share of that on demand."""
    return Reach(plan.cost / plan.on_demand_cost, end)


@lru_cache(maxsize=128)
def cost_frame(plan: Plan, guess: str | None = None, told: bool = False, top: float = TOP) -> pa.Table:
    """Rows of the main chart: interval (min), cost (share of on demand), upper end of the band, labels and points."""
    demand = plan.on_demand_cost
    runs = [one for one in band(plan) if plan.gang_price * one[1] <= top * demand]
    curve = [replace(plan, interval=float(x)) for x in grid(plan, top)]
    parts = [
        _line("curve", [(at.interval, at.cost / demand) for at in curve]),
        _line("band", [(at, low * plan.gang_price / demand) for at, low, _ in runs])
        | {"upper": [min(high * plan.gang_price / demand, top) for *_, high in runs]},
        {"kind": "on demand", "share": 1.0},
        *_placed([marks.label(38, 1, f"on demand: {f.money(demand)}", align="center", dy=-9, tone="bad")]),
    ]
    if not curve:
        parts += _placed([marks.label(38, top / 2, "The curve lies above this frame.", align="center", tone="bad")])
    if guess in GUESSES:
        parts += _said(replace(plan, interval=GUESSES[guess]), top)
    if told and plan.best.cost <= top * demand and k.SPOT_INTERVAL.low <= plan.best_interval <= k.SPOT_INTERVAL.high:
        parts += _best(plan)
    return stack([*parts, *_here(plan, top)])


def _line(kind: str, points: Iterable[tuple[float, float]]) -> dict[str, object]:
    """Rows of a line over the interval, given in s."""
    points = list(points)
    return {
        "kind": [kind] * len(points),
        "interval": [x / k.MINUTE for x, _ in points],
        "share": [y for _, y in points],
    }


def _placed(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    return marks.renamed(rows, "interval", "share")


def _here(plan: Plan, top: float) -> list[dict[str, object]]:
    """The present interval: a dot on the curve and a rule to its foot, or an arrow where it leaves the frame."""
    x, share = plan.interval / k.MINUTE, plan.cost / plan.on_demand_cost
    side = {"align": "left", "dx": 9} if plan.interval < 4 * k.HOUR else {"align": "right", "dx": -9}
    rule = {"kind": "here", "interval": x, "share": min(share, top)}
    words = f"you are here: {f.money(plan.cost)}"
    if share <= top:
        foot = marks.label(x, 0, words, dy=-8, bold=True, short="you are here", **side)
        return [rule, *_placed([marks.point(x, share, size=130, role="here"), foot])]
    arrow = marks.point(x, top, shape="triangle-up", size=150, tone="bad", role="here")
    return [rule, *_placed([arrow, marks.label(x, top, f"{words} ↑", dy=8, bold=True, tone="bad", **side)])]


def _said(plan: Plan, top: float) -> list[dict[str, object]]:
    """The visitor's own answer, and what it costs."""
    x, share = plan.interval / k.MINUTE, plan.cost / plan.on_demand_cost
    words = f"you said: {f.money(plan.cost)}"
    side = {"align": "right", "dx": -8} if plan.interval > 12 * k.HOUR else {"align": "center"}
    if share > top:
        arrow = marks.point(x, top, shape="triangle-up", size=110, tone="quiet")
        return _placed([arrow, marks.label(x, top, f"{words} ↑", dy=26, tone="quiet", short="you said ↑", **side)])
    ring = marks.point(x, share, size=260, tone="paper", rim="quiet", rim_width=2)
    return _placed([ring, marks.label(x, share, words, dy=-20, tone="quiet", short="you said", **side)])


def _best(plan: Plan) -> list[dict[str, object]]:
    """The best interval, named where the present one is not."""
    x, share = plan.best_interval / k.MINUTE, plan.best.cost / plan.on_demand_cost
    words = f"best: {hours(plan.best_interval)}, {f.money(plan.best.cost)}"
    side, apart = {"align": "center"}, plan.interval / plan.best_interval
    if 1 / 8 < apart < 8:
        side = {"align": "right", "dx": -4} if apart >= 1 else {"align": "left", "dx": 4}
    if plan.best_interval < 12 * k.MINUTE:
        side = {"align": "left", "dx": 4}
    row = marks.label(x, share, words, dy=19 if share > 0.2 else -19, tone="good", short=words.split(",")[0], **side)
    return _placed([marks.point(x, share, shape="diamond", tone="good"), row])


def _axes(title: str, top: float = TOP) -> tuple[alt.X, alt.Y]:
    """The interval, and a share of the cost on demand."""
    x = axes.x("interval:Q", "checkpoint interval τ", [1, 1440], type="log", values=_TICKS, labelExpr=_LENGTHS)
    ticks = {"tickCount": 6} if top > TOP else {"values": _SHARES}
    return x, axes.y(title, "cost ÷ cost on demand", [0, top], format=".0%", **ticks)


@lru_cache(maxsize=32)
def cost_spec(look: Look, top: float = TOP) -> dict:
    """Expected cost against the interval: band, line of the price on demand, and what rows of marks say."""
    x, y = _axes("share:Q", top)
    base = alt.Chart().encode(x=x, y=y)
    tips = [
        alt.Tooltip("interval:Q", format=".3~g", title="interval (min)"),
        alt.Tooltip("share:Q", format=".1%", title="of on demand"),
    ]
    layers = [
        base.transform_filter(only("band")).mark_area(color=look.accent, opacity=0.18).encode(y2="upper:Q"),
        marks.level(base, "on demand", color=look.bad, strokeDash=[8, 4], strokeWidth=1.5),
        marks.ghosts(base, look, "interval:Q"),
        base.transform_filter(only("curve"))
        .mark_line(color=look.accent, strokeWidth=look.stroke)
        .encode(order="interval:Q", tooltip=tips),
        base.transform_filter(only("here")).mark_rule(color=look.ink, strokeDash=[2, 3]).encode(y2=alt.datum(0)),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def cost_alt(plan: Plan, told: bool = False) -> str:
    """The main chart in one sentence with its numbers."""
    best = ""
    if told:
        least = f"the least is {f.money(plan.best.cost)} at {best_words(plan)}"
        best = " the longer the interval the better;" if plan.saved_by_notice else f" {least};"
    return (
        f"Expected cost against the checkpoint interval: {f.money(plan.cost)} at {hours(plan.interval)};"
        f"{best} on demand costs {f.money(plan.on_demand_cost)}."
    )


def money_figure(plan: Plan, look: Look, end: float = TOP) -> Figure:
    """What is paid for."""
    rows, spec = money_frame(plan, end), money_spec(look, end)
    return Figure("money", "What is paid for?", rows, spec, money_alt(plan), grab=BY_HAND, reach=reach(plan, end))


@lru_cache(maxsize=128)
def money_frame(plan: Plan, top: float = TOP) -> pa.Table:
    """Rows of the parts chart: interval (min), lower and upper edge of each part (share of on demand)."""
    curve = [replace(plan, interval=float(x)) for x in grid(plan, top)[::2]]
    unit, parts, below = plan.gang_price / plan.on_demand_cost, [], np.zeros(len(curve))
    for name, words in list(PARTS.items())[: None if plan.delay else -1]:
        above = below + np.array([getattr(at.paid, name) * unit for at in curve])
        x = [at.interval / k.MINUTE for at in curve]
        parts.append(
            {"kind": ["part"] * len(curve), "interval": x, "low": below, "high": above, "label": [words] * len(curve)}
        )
        below = above
    x, share = plan.interval / k.MINUTE, plan.cost / plan.on_demand_cost
    side = {"align": "right", "dx": -7} if plan.interval > 2 * k.HOUR else {"align": "left", "dx": 7}
    words = f"you are here: {f.money(plan.cost)}" + (" ↑" if share > top else "")
    row = marks.renamed([marks.label(x, top, words, bold=True, dy=8, short="you are here", **side)], "interval", "low")
    return stack([*parts, {"kind": "here", "interval": x, "low": 0.0, "high": top}, *row])


@lru_cache(maxsize=32)
def money_spec(look: Look, top: float = TOP) -> dict:
    """Parts of the expected cost against the interval, one upon the other."""
    x, y = _axes("low:Q", top)
    base = alt.Chart().encode(x=x, y=y)
    color = alt.Color(
        "label:N",
        title=None,
        scale=alt.Scale(
            domain=list(PARTS.values()),
            range=[look.series[4], look.series[0], look.series[3], look.series[1], look.series[2]],
        ),
        legend=alt.Legend(orient="top", symbolType="square", columns=alt.ExprRef(f"{NARROW} ? 3 : 5")),
    )
    tips = [
        alt.Tooltip("label:N", title="part"),
        alt.Tooltip("interval:Q", format=".3~g", title="interval (min)"),
    ]
    layers = [
        base.transform_filter(only("part"))
        .mark_area(opacity=0.75, line=False)
        .encode(y2="high:Q", color=color, tooltip=tips),
        base.transform_filter(only("here")).mark_rule(color=look.ink, strokeWidth=2).encode(y2="high:Q"),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def money_alt(plan: Plan) -> str:
    """The chart of parts in one sentence with its numbers."""
    where, price = plan.paid, plan.gang_price
    return (
        f"Parts of the expected cost against the interval; at {hours(plan.interval)} work is "
        f"{f.money(where.work * price)}, dumps {f.money(where.dumps * price)}, lost work "
        f"{f.money(where.lost * price if where.lost else 0.0)} and restarts {f.money(where.restarts * price)}"
        + (f"; nodes that stand for missing ones cost {f.money(where.waits * price)}." if where.waits else ".")
    )


def finish_figure(plan: Plan, look: Look) -> Figure:
    """When the run is done."""
    return Figure("finish", "When is the run done?", finish_frame(plan), finish_spec(look), finish_alt(plan))


@lru_cache(maxsize=128)
def finish_frame(plan: Plan) -> pa.Table:
    """Rows of the finish-time chart: time (multiple of the work) and share of the simulated runs that are done."""
    levels = np.linspace(0, 1, 201)
    times = [float(plan.finish_times[0]), *(percentile(plan.finish_times, float(level)) for level in levels[1:])]
    kind, tone = ("deadline met", "good") if plan.in_time else ("deadline missed", "bad")
    # Before the runs end there is room to the left of a deadline, unless that is the chart's own edge.
    early = plan.deadline < percentile(plan.finish_times, 0.5)
    away = {"align": "right", "dx": -10} if early and plan.deadline >= 1.2 * plan.work else {}
    share = 0.75 if early else 0.1
    places = [
        (plan.work, 0.95, "the work alone", {"tone": "quiet", "short": "work"}),
        (plan.runtime, 0.5, f"expected: {hours(plan.runtime)}", {"short": "expected"}),
        (plan.p95, 0.95, f"95 of 100: {hours(plan.p95)}", {"bold": True, "dy": 10, "short": "95 of 100"}),
        (plan.deadline, share, f"{kind}: {hours(plan.deadline)}", away | {"tone": tone, "short": "deadline"}),
    ]
    points = {1: {"shape": "diamond", "size": 80, "tone": "ink"}, 2: {"size": 130}}
    rows: list[dict[str, object]] = []
    for number, (time, height, words, looks) in enumerate(places):
        x, leaves = _edge(time / plan.work)
        side = {"dx": 10} if x < (EARLY + LATE) / 2 else {"align": "right", "dx": -10}
        rows.append(marks.label(x, height, leaves.format(words), **(side | looks)))
        if number in points:
            rows.append(marks.point(x, height, **points[number]))
    return stack(
        [
            {"kind": "done", "times": [time / plan.work for time in times], "done": levels},
            {"kind": "work", "times": 1.0},
            {"kind": kind, "times": _edge(plan.deadline / plan.work)[0]},
            *marks.renamed(rows, "times", "done"),
        ]
    )


def _edge(times: float) -> tuple[float, str]:
    """Keep a place inside the frame; what lies beyond is named at the edge with an arrow."""
    return min(max(times, EARLY), LATE), "{} →" if times > LATE else "← {}" if times < EARLY else "{}"


@lru_cache(maxsize=8)
def finish_spec(look: Look) -> dict:
    """Share of simulated runs that are done by a time, with the deadline and the 95th percentile."""
    x = axes.x(
        "times:Q",
        "time since the start ÷ work",
        [EARLY, LATE],
        values=[1, 1.25, 1.5, 1.75, 2, 2.25, 2.5],
        format=".2~f",
    )
    y = axes.y("done:Q", "runs that are done", [0, 1.0], format=".0%")
    base = alt.Chart().encode(x=x, y=y)

    layers = [
        base.transform_filter(only("done"))
        .mark_line(color=look.accent, strokeWidth=look.stroke, interpolate="step-after", clip=True)
        .encode(order="times:Q"),
        marks.upright(base, "work", color=look.quiet, strokeDash=[2, 2], strokeWidth=2),
        marks.upright(base, "deadline met", color=look.good, strokeDash=[8, 4], strokeWidth=2),
        marks.upright(base, "deadline missed", color=look.bad, strokeDash=[8, 4], strokeWidth=2),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def finish_alt(plan: Plan) -> str:
    """The chart of finish times in one sentence with its numbers."""
    return (
        f"Share of {f.significant(RUNS, 4)} simulated runs that are done by a time: half by "
        f"{hours(percentile(plan.finish_times, 0.5))}, 95 of 100 by {hours(plan.p95)}, "
        f"{done(plan)} by the deadline of {hours(plan.deadline)}."
    )
