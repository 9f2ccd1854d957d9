"""Autoscaling: the charts. Frames are thinned to what can be seen; specifications are kept for each look."""

import math
from collections.abc import Callable
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.autoscaling.values import Fleet, limit
from physics import constants as k
from physics.autoscaling import flapping_loads
from ui.base import format as f
from ui.charts.look import Look, only, shortened, specification, stack

VIEWS = {"latency": "Latency", "utilization": "Utilization", "cost": "Cost", "flapping": "Which loads swing"}
MOST = 480  #: points of a thinned line
ROOM = 1.3  #: width of the time axis over the time shown, for the labels
#: Most pairs of fleets on the chart of flapping loads, from the floor up.
PAIRS = 8


def unit(fleet: Fleet) -> tuple[float, str]:
    """The time axis: seconds in its unit, and its name."""
    return (float(k.HOUR), "hours") if fleet.load == "day" else (float(k.MINUTE), "minutes")


# --- replicas ---------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def fleet_frame(fleet: Fleet) -> pd.DataFrame:
    """Load and replicas over time, a row where something changes, and the times with the target missed."""
    run, (second, _) = fleet.run, unit(fleet)
    end = run["time"].iloc[-1] + k.HPA_SYNC
    lines = {"load": "load", "requested": "requested", "ready": "ready", "cheapest": "cheapest"}
    parts, last = [], {}
    for kind, label in lines.items():
        values = run[kind].to_numpy(dtype=float)
        if not np.isfinite(values).all():
            continue
        keep = np.flatnonzero(np.diff(values, prepend=math.nan) != 0)
        keep = keep[:: max(1, len(keep) // MOST)] if kind == "load" else keep
        times = np.append(run["time"].to_numpy()[keep], end) / second
        parts.append({"kind": kind, "time": times, "value": np.append(values[keep], values[-1])})
        last[kind] = (label, values[-1])
    top = max(float(part["value"].max()) for part in parts)
    heights = _apart({kind: value for kind, (_, value) in last.items()}, 0.13 * max(top, 1.0))
    for kind, (label, _) in last.items():
        parts.append({"kind": f"{kind} label", "time": end / second, "value": heights[kind], "label": label})
    parts.append({"kind": "room", "time": 0.0, "value": 1.15 * max(top, *heights.values())})
    return stack([*parts, *_missed(fleet, second)])


@lru_cache(maxsize=16)
def fleet_spec(look: Look, name: str, end: float) -> dict:
    """Steps of load and replicas, and a band along the top where the target is missed."""
    colors = {"load": look.quiet, "requested": look.series[1], "ready": look.accent, "cheapest": look.good}
    dashes = {"load": [1, 0], "requested": [5, 3], "ready": [1, 0], "cheapest": [2, 2]}
    x = _time(name, end)
    base = alt.Chart().encode(x=x, y=alt.Y("value:Q", title="replicas' worth of work", scale=alt.Scale(zero=True)))
    layers = [_strip(look, "target missed"), base.transform_filter(only("room")).mark_point(opacity=0)]
    for kind in ("load", "requested", "ready", "cheapest"):
        line = base.transform_filter(only(kind)).mark_line(
            color=colors[kind],
            strokeWidth=look.stroke if kind == "ready" else 2,
            strokeDash=dashes[kind],
            interpolate="step-after",
        )
        layers.append(line.encode(order="time:Q", tooltip=_tips(name, "value", ".3~g")))
        layers.append(_label(look, base, f"{kind} label", colors[kind]))
    return specification(alt.layer(*layers), look)


def fleet_alt(fleet: Fleet) -> str:
    """The main chart in one sentence."""
    run, summary = fleet.run, fleet.summary
    return (
        f"Replicas over {f.duration(run['time'].iloc[-1] + k.HPA_SYNC)}: {run['ready'].min()} to {run['ready'].max()} "
        f"ready and up to {summary.most_requested} requested for a load of {f.significant(run['load'].min())} to "
        f"{f.significant(run['load'].max())}; the latency target is met {f.share(summary.slo_share)} of the time."
    )


# --- latency, utilization, cost ---------------------------------------------------------------------------------------
@lru_cache(maxsize=16)
def latency_frame(fleet: Fleet) -> pd.DataFrame:
    """The worst mean response time of each stretch, the target, and the times without a steady state."""
    run, (second, _) = fleet.run, unit(fleet)
    latency = run["latency"].to_numpy()
    times, worst = _thin(run, latency, np.maximum.reduceat)
    finite = np.isfinite(worst)
    target = {
        "kind": "target",
        "time": end_of(fleet),
        "value": fleet.latency_target,
        "label": f"target {f.duration(fleet.latency_target)}",
    }
    highest = 1.1 * np.max(worst, where=finite, initial=fleet.latency_target)
    room = {"kind": "room", "time": 0.0, "value": [0.9 * fleet.service_time, 1.2 * fleet.latency_target, highest]}
    line = {"kind": "latency", "time": times[finite] / second, "value": worst[finite]}
    return stack([line, target, room, *_missed(fleet, second, np.isinf(latency))])


@lru_cache(maxsize=16)
def latency_spec(look: Look, name: str, end: float) -> dict:
    """Mean response time on a logarithmic scale against its target."""
    y = alt.Y("value:Q", title="mean response (s)", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(tickCount=4))
    base = alt.Chart().encode(x=_time(name, end), y=y)
    points = base.transform_filter(only("latency")).mark_point(color=look.accent, filled=True, size=14, opacity=1)
    layers = [
        _strip(look, "overload: no steady state"),
        base.transform_filter(only("room")).mark_point(opacity=0),
        points.encode(tooltip=_tips(name, "value", ".3~g")),
        base.transform_filter(only("target"))
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0), x2=alt.datum(end)),
        _label(look, base, "target", look.good),
    ]
    return specification(alt.layer(*layers), look, 240)


def latency_alt(fleet: Fleet) -> str:
    """The latency chart in one sentence."""
    latency = fleet.run["latency"]
    finite = latency[np.isfinite(latency)]
    most = f"up to {f.duration(finite.max())} where there is a steady state" if len(finite) else "never a steady state"
    overload = f.share(float(np.isinf(latency).mean()))
    return f"Mean response time: {most}, overload {overload} of the time; target {f.duration(fleet.latency_target)}."


@lru_cache(maxsize=16)
def utilization_frame(fleet: Fleet) -> pd.DataFrame:
    """Mean utilization of each stretch, and what the controller compares it with."""
    run, (second, _) = fleet.run, unit(fleet)
    usage = run["utilization"].to_numpy()
    times, sums = _thin(run, usage, np.add.reduceat)
    means = sums / _thin(run, np.ones(len(run)), np.add.reduceat)[1]
    end = end_of(fleet)
    line = {"kind": "utilization", "time": np.append(times / second, end), "value": np.append(means, means[-1])}
    marks = {"target": (fleet.target, "target")}
    if fleet.controller == "threshold":
        marks = {"upper": (fleet.upper, "add above"), "lower": (fleet.lower, "remove below")}
    rows = [
        {"kind": "mark", "time": end, "value": value, "label": f"{words} {f.share(value)}"}
        for value, words in marks.values()
    ]
    return stack([line, *rows])


@lru_cache(maxsize=16)
def utilization_spec(look: Look, name: str, end: float) -> dict:
    """Measured utilization, at most 100 % at any load."""
    y = alt.Y(
        "value:Q",
        title="measured utilization",
        scale=alt.Scale(domain=[0, 1.05], nice=False),
        axis=alt.Axis(format="%"),
    )
    base = alt.Chart().encode(x=_time(name, end), y=y)
    line = base.transform_filter(only("utilization")).mark_line(
        color=look.accent, strokeWidth=2, interpolate="step-after"
    )
    layers = [
        line.encode(order="time:Q", tooltip=_tips(name, "value", ".1%")),
        base.transform_filter(only("mark"))
        .mark_rule(color=look.ink, strokeWidth=1.2, strokeDash=[8, 4])
        .encode(x=alt.datum(0), x2=alt.datum(end)),
        _label(look, base, "mark", look.ink),
    ]
    return specification(alt.layer(*layers), look, 240)


def utilization_alt(fleet: Fleet) -> str:
    """The utilization chart in one sentence."""
    run = fleet.run
    return (
        f"Measured utilization between {f.share(run['utilization'].min())} and {f.share(run['utilization'].max())}, "
        f"{f.share(fleet.summary.mean_utilization)} on average over the ready replicas."
    )


@lru_cache(maxsize=16)
def cost_frame(fleet: Fleet) -> pd.DataFrame:
    """What has been paid by each time: this fleet, the cheapest one, and the limit."""
    run, (second, _) = fleet.run, unit(fleet)
    keep = np.unique(np.linspace(0, len(run) - 1, 120).round().astype(int))
    times = (run["time"].to_numpy()[keep] + k.HPA_SYNC) / second
    totals = {"cost": ("this fleet", run["cost"].cumsum().to_numpy())}
    if math.isfinite(fleet.summary.cheapest_cost):
        cheapest = run["cheapest_cost"].cumsum().to_numpy()
        words = "limit"
        totals |= {"cheapest": ("cheapest", cheapest), "limit": (words, k.COST_LIMIT * cheapest)}
    top = max(total[-1] for _, total in totals.values())
    heights = _apart({kind: total[-1] for kind, (_, total) in totals.items()}, 0.15 * max(top, 1e-9))
    parts = []
    for kind, (label, total) in totals.items():
        parts.append({"kind": kind, "time": times, "value": total[keep]})
        parts.append({"kind": f"{kind} label", "time": times[-1], "value": heights[kind], "label": label})
    return stack(parts)


@lru_cache(maxsize=16)
def cost_spec(look: Look, name: str, end: float) -> dict:
    """Running totals."""
    base = alt.Chart().encode(x=_time(name, end), y=alt.Y("value:Q", title="paid so far (USD)"))
    layers = []
    for kind, color, dash in (
        ("cheapest", look.good, [2, 2]),
        ("limit", look.ink, [8, 4]),
        ("cost", look.accent, [1, 0]),
    ):
        line = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=2, strokeDash=dash)
        layers.append(line.encode(order="time:Q", tooltip=_tips(name, "value", "$,.2f")))
        layers.append(_label(look, base, f"{kind} label", color))
    return specification(alt.layer(*layers), look, 240)


def cost_alt(fleet: Fleet) -> str:
    """The cost chart in one sentence."""
    summary = fleet.summary
    if math.isinf(summary.cheapest_cost):
        return f"Paid in all {f.money(summary.cost)}; no fleet meets the latency target."
    return (
        f"Paid in all {f.money(summary.cost)}, {f.times(summary.cost_ratio, 3)} the {f.money(summary.cheapest_cost)} "
        "of the cheapest fleet that meets the latency target."
    )


# --- which loads swing ------------------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def flapping_frame(fleet: Fleet) -> pd.DataFrame:
    """For each pair of fleets, the steady loads between which ±1 scaling swings or rests, and the load now."""
    rows = []
    pairs = range(fleet.floor, max(fleet.floor + 1, min(fleet.ceiling, fleet.floor + PAIRS)))
    for n in pairs:
        add, remove = fleet.upper * n, fleet.lower * (n + 1)
        swings = flapping_loads(fleet.upper, fleet.lower, n) if n < fleet.ceiling else None
        low, high = swings if swings else (min(add, remove), max(add, remove))
        words = f"swings from {f.significant(low)} to {f.significant(high)}" if swings else "rests"
        kind = "swings" if swings else "rests"
        rows.append({"kind": kind, "pair": f"{n} and {n + 1}", "time": low, "end": high, "label": words, "n": n})
    loads = fleet.run["load"]
    last = f"{pairs[-1]} and {pairs[-1] + 1}"
    here = {"kind": "here", "pair": last, "time": loads.min(), "end": loads.max(), "n": pairs[-1], "label": "your load"}
    # Room for the words at the right end.
    room = {"kind": "room", "pair": last, "time": 1.12 * max(row["end"] for row in rows), "n": pairs[-1]}
    return stack([*rows, here, room])


@lru_cache(maxsize=8)
def flapping_spec(look: Look) -> dict:
    """Intervals of load for each pair of fleets."""
    base = alt.Chart().encode(
        x=alt.X("time:Q", title="steady load (replicas' worth of work)", scale=alt.Scale(zero=True)),
        y=alt.Y("pair:N", title="between … replicas", sort=alt.EncodingSortField("n", op="min")),
    )
    here = alt.Chart().transform_filter(only("here"))
    label = base.transform_filter(only("here")).mark_text(
        align="left", dx=5, color=look.accent, fontWeight="bold", fontSize=look.text_size
    )
    layers = [
        here.mark_rect(color=look.accent, opacity=0.15).encode(x="time:Q", x2="end:Q"),
        here.mark_rule(color=look.accent, strokeWidth=2).encode(x="time:Q"),
        label.encode(text="label:N"),
        base.transform_filter(only("room")).mark_point(opacity=0),
        base.transform_filter(only("swings")).mark_bar(color=look.bad, height=12).encode(x2="end:Q"),
        base.transform_filter(only("rests")).mark_bar(color=look.good, height=3).encode(x2="end:Q"),
    ]  # fmt: skip
    for kind, color in (("swings", look.bad), ("rests", look.good)):
        text = base.transform_filter(only(kind)).mark_text(color=color, align="left", dx=6, fontSize=look.text_size)
        layers.append(text.encode(x=alt.X("end:Q"), text="label:N"))
    return specification(alt.layer(*layers), look, 240)


def flapping_alt(fleet: Fleet) -> str:
    """The chart of swinging loads in one sentence."""
    low = fleet.floor
    ends = flapping_loads(fleet.upper, fleet.lower, low) if low < fleet.ceiling else None
    if ends is None:
        return f"With {f.share(fleet.upper)} and {f.share(fleet.lower)} no steady load swings within floor and ceiling."
    return (
        f"Between {low} and {low + 1} replicas steady loads from {f.significant(ends[0])} to {f.significant(ends[1])} "
        f"swing; the lower threshold would have to be at most {f.share(limit(fleet.upper, low))}."
    )


# --- parts ------------------------------------------------------------------------------------------------------------
FRAMES = {"latency": latency_frame, "utilization": utilization_frame, "cost": cost_frame, "flapping": flapping_frame}
ALTS = {"latency": latency_alt, "utilization": utilization_alt, "cost": cost_alt, "flapping": flapping_alt}
TITLES = {
    "latency": "How long does a request take on average?",
    "utilization": "What does the controller see?",
    "cost": "What has been paid?",
    "flapping": "At which steady loads does ±1 scaling swing?",
}


def end_of(fleet: Fleet) -> float:
    """The end of the time axis in its unit."""
    second, _ = unit(fleet)
    return float((fleet.run["time"].iloc[-1] + k.HPA_SYNC) / second)


def spec_of(view: str, look: Look, fleet: Fleet) -> dict:
    """The specification of one of the further charts."""
    if view == "flapping":
        return flapping_spec(look)
    spec = {"latency": latency_spec, "utilization": utilization_spec, "cost": cost_spec}[view]
    return spec(look, unit(fleet)[1], end_of(fleet))


def _time(name: str, end: float) -> alt.X:
    values = [float(tick) for tick in np.arange(0, end + 1e-9, 4 if name == "hours" else 5 if end <= 30 else 10)]
    return alt.X(
        "time:Q",
        title=f"time ({name})",
        scale=alt.Scale(domain=[0, end * ROOM], nice=False),
        axis=alt.Axis(values=values),
    )


def _tips(name: str, field: str, pattern: str) -> list[alt.Tooltip]:
    return [alt.Tooltip("time:Q", title=name, format=".3~g"), alt.Tooltip(f"{field}:Q", format=pattern)]


def _label(look: Look, base: alt.Chart, kind: str, color: str, **options: object) -> alt.Chart:
    options = {"align": "left", "dx": 6, "fontWeight": "bold"} | options
    return (
        base.transform_filter(only(kind))
        .mark_text(color=color, fontSize=look.text_size, **options)
        # On a phone a limit is its number.
        .encode(text=shortened("replace(datum.label, /^(target|add above|remove below) /, '')"))
    )


def _strip(look: Look, words: str) -> alt.Chart:
    """A band along the top, with its words at the first piece."""
    base = alt.Chart().transform_filter(only("missed"))
    band = base.mark_rect(color=look.bad, opacity=0.85).encode(x="time:Q", x2="end:Q", y=alt.value(0), y2=alt.value(7))
    text = (
        alt.Chart()
        .transform_filter(only("missed label"))
        .mark_text(color=look.bad, align="left", baseline="top", dy=10, fontSize=look.text_size, text=words)
        .encode(x="time:Q", y=alt.value(0))
    )
    return alt.layer(band, text)


def _missed(fleet: Fleet, second: float, missed: np.ndarray | None = None) -> list[dict]:
    """Stretches of time with the target missed, merged where they touch; and a place for the words."""
    run = fleet.run
    flags = np.concatenate([[False], ~run["slo_met"].to_numpy() if missed is None else missed, [False]])
    edges = np.flatnonzero(np.diff(flags.astype(int)))
    starts, ends = edges[::2] * k.HPA_SYNC / second, edges[1::2] * k.HPA_SYNC / second
    parts = [{"kind": "missed", "time": starts, "end": ends}]
    if len(starts):
        parts.append({"kind": "missed label", "time": min(starts[0], 0.75 * run["time"].iloc[-1] / second)})
    return parts


def _thin(run: pd.DataFrame, values: np.ndarray, reduceat: Callable) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and one value for each of at most MOST stretches: the worst, or the sum."""
    starts = np.arange(0, len(run), math.ceil(len(run) / MOST))
    return run["time"].to_numpy()[starts], reduceat(values, starts)


def _apart(heights: dict[str, float], gap: float) -> dict[str, float]:
    """Move labels up until they are a gap apart, the lowest first."""
    placed, floor = {}, -math.inf
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        floor = max(height, floor)
        placed[name] = floor
        floor += gap
    return placed
