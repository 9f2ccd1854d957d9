"""Autoscaling: the charts over time. Frames are thinned to what can be seen; a specification serves every rule."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from lessons.autoscaling import flapping, reserve
from lessons.autoscaling.challenge import met
from lessons.autoscaling.settings import LENGTHS, Fleet, span
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Reach
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

VIEWS = {
    "fleet": "Replicas",
    "latency": "Latency",
    "utilization": "Utilization",
    "cost": "Cost",
    "flapping": "Which loads swing",
    "reserve": "What to reserve",
    "film": "Animation",
}
TITLES = {
    "fleet": "Do the replicas follow the load?",
    "latency": "How long does a request take on average?",
    "utilization": "What does the controller see?",
    "cost": "What has been paid?",
    "flapping": "At which steady loads does ±1 scaling swing?",
}
MOST = 480  #: points of a thinned line
ROOM = 1.3  #: width of the time axis over the time shown, for the labels
HEAD = 1.16  #: height of the value axis over the highest value in it, for what the target says
#: Heights of the frame of replicas: it belongs to the load, so that no knob of the controller moves it.
TOPS = (4, 8, 12, 16, 20, 24, 32, 40, 48)
COUNTED = 4.0  #: frame of requests in flight a ready replica [1]
LATENCIES = (0.04, 100.0)  #: frame of the response times [s]
TONES = {"load": "quiet", "requested": "s1", "ready": "accent", "cheapest": "good", "guess": "quiet", "beside": "s3"}
#: What the fleet drawn beside is called.
SHORT = {"threshold": "±1", "hpa": "HPA", "predictive": "forecast", "concurrency": "in flight"}
#: What each answer of the question says the message's fleet does.
GUESSES = {"a": "rests at 2", "b": "swings", "c": "grows", "d": "stays at 1"}


def figure(view: str, fleet: Fleet, look: Look, guess: str | None = None, end: float | None = None) -> Figure:
    """One of the charts, up to an end if one is given; on the main one what the visitor said is drawn too."""
    if view == "reserve":
        return reserve.figure(fleet, look)
    title = TITLES[view]
    if view == "flapping":
        return Figure(view, title, flapping.frame(fleet), flapping.spec(look, fleet.floor), flapping.words(fleet))
    if view == "fleet":
        end = end or top(fleet)
        frame = fleet_frame(fleet, guess if fleet.load == "steady" else None, end)
        reach = Reach(most(fleet) / HEAD, end)
        return Figure(view, title, frame, fleet_spec(look, fleet.load, end), fleet_alt(fleet), reach=reach)
    if view == "cost":
        end = end or paid(fleet)
        reach = Reach(max(total[-1] for _, total in totals(fleet).values()) / HEAD, end)
        frame, spec = cost_frame(fleet, end), cost_spec(look, fleet.load, end)
        return Figure(view, title, frame, spec, cost_alt(fleet), reach=reach)
    if view == "latency":
        return Figure(view, title, latency_frame(fleet), latency_spec(look, fleet.load), latency_alt(fleet))
    counted = fleet.controller == "concurrency"
    spec = utilization_spec(look, fleet.load, counted)
    return Figure(view, title, utilization_frame(fleet), spec, utilization_alt(fleet))


def pinned(fleet: Fleet, look: Look, end: float | None = None) -> Figure:
    """What a pin leaves on the main chart: the ready replicas."""
    return replace(figure("fleet", fleet, look, end=end), lines=("ready",))


def unit(load: str) -> tuple[float, str]:
    """The time axis: seconds in its unit, and its name."""
    return (float(k.HOUR), "hours") if LENGTHS[load] == k.DAY else (float(k.MINUTE), "minutes")


def end_of(load: str) -> float:
    """The end of the time shown, in the axis' unit."""
    return LENGTHS[load] / unit(load)[0]


def top(fleet: Fleet) -> int:
    """The highest number of replicas in the frame."""
    highest = fleet.base if fleet.load == "steady" else max(fleet.base, fleet.peak)
    return next(one for one in TOPS if one >= min((5 if fleet.load == "step" else 2) * highest, TOPS[-1]))


def most(fleet: Fleet) -> float:
    """The most replicas, or replicas' worth of work, that the main chart speaks of."""
    runs = [fleet.run[kind] for kind in ("load", "requested", "ready", "cheapest")]
    runs += [fleet.other.run["ready"]] if fleet.other is not None else []
    return max(float(run.max()) for run in runs if np.isfinite(run).all())


def paid(fleet: Fleet) -> float:
    """The highest sum in the frame: that of half the replicas of the other frame [USD]."""
    return top(fleet) / 2 * fleet.price * LENGTHS[fleet.load] / k.HOUR


# --- replicas ---------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def fleet_frame(fleet: Fleet, guess: str | None = None, high: float | None = None) -> pa.Table:
    """Load and replicas over time, a row where something changes, and the times with the target missed."""
    run, (second, _), end, high = fleet.run, unit(fleet.load), end_of(fleet.load), high or top(fleet)
    parts, ends = [], {}
    if guess in GUESSES:
        times, values = _guessed(guess)
        parts.append({"kind": "guess", "time": times, "value": values})
        ends[f"you said: {GUESSES[guess]}"] = ("guess", values[-1], values[-1])
    other = fleet.other
    for kind in ("load", "requested", "ready", "cheapest", "beside"):
        if kind == "beside" and other is None:
            continue
        values = (other.run["ready"] if kind == "beside" else run[kind]).to_numpy(dtype=float)
        if not np.isfinite(values).all():
            continue
        keep = np.flatnonzero(np.diff(values, prepend=math.nan) != 0)
        keep = keep[:: max(1, len(keep) // MOST)] if kind == "load" else keep
        times = np.append(run["time"].to_numpy()[keep] / second, end)
        parts.append({"kind": kind, "time": times, "value": np.append(values[keep], values[-1])})
        name = f"{SHORT[fleet.beside]}: ready" if kind == "beside" else kind
        ends[name] = (kind, values[-1], values.max())
    return stack([*parts, *_ends(ends, end, high), *_missed(fleet, "target missed", high)])


@lru_cache(maxsize=4)
def _guessed(guess: str) -> tuple[list[float], list[float]]:
    """What an answer says of the message's fleet: times [min] and replicas."""
    story, last = Fleet(), end_of("steady")
    up = (k.HPA_SYNC + story.cold_start) / k.MINUTE
    if guess == "b":
        ready = story.run["ready"].to_numpy(dtype=float)
        keep = np.flatnonzero(np.diff(ready, prepend=math.nan) != 0)
        return [*(keep * k.HPA_SYNC / k.MINUTE).tolist(), last], [*ready[keep].tolist(), float(ready[-1])]
    if guess == "c":
        steps = np.arange(int(last / up) + 1)
        return [*(steps * up).tolist(), last], [*(steps + 1.0).tolist(), float(len(steps))]
    return ([0.0, last], [1.0, 1.0]) if guess == "d" else ([0.0, up, last], [1.0, 2.0, 2.0])


@lru_cache(maxsize=64)
def fleet_spec(look: Look, load: str, top: float) -> dict:
    """Steps of load and replicas, and a band along the top where the target is missed."""
    dashes = {"load": [1, 0], "requested": [5, 3], "ready": [1, 0], "cheapest": [2, 2], "beside": [8, 3]}
    ticks = [tick for tick in range(0, int(top) + 1, max(1, int(top) // 4))]
    y = axes.y("value:Q", "replicas' worth of work", [0, top * HEAD], values=ticks)
    base = alt.Chart().encode(x=_time(load), y=y)

    def line(kind: str, color: str, width: float, opacity: float, dash: list[int]) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(
            color=color, strokeWidth=width, strokeDash=dash, opacity=opacity, interpolate="step-after", clip=True
        )
        apart = {"detail": "said:N"} if kind == "guess" else {}  # in a class there may be several
        return mark.encode(order="time:Q", **apart, tooltip=_tips(load, ".3~g"))

    colors = {"load": look.quiet, "requested": look.series[1], "ready": look.accent, "cheapest": look.good}
    colors["beside"] = look.series[3]
    lines = [line(kind, colors[kind], look.stroke if kind == "ready" else 2, 1, dashes[kind]) for kind in colors]
    ghosts = marks.ghosts(base, look, "time:Q", interpolate="step-after", clip=True)
    layers = [_strip(look), ghosts, line("guess", look.quiet, 9, 0.35, [1, 0]), *lines, marks.labels(base, look)]
    return specification(alt.layer(*layers), look, halo=False)


def fleet_alt(fleet: Fleet) -> str:
    """The main chart in one sentence."""
    run, summary = fleet.run, fleet.summary
    return (
        f"Replicas over {f.duration(LENGTHS[fleet.load])}: {run['ready'].min()} to {run['ready'].max()} "
        f"ready and up to {summary.most_requested} requested for a load of {span(run['load'])}; "
        f"the latency target is met {met(fleet)} of the time."
    )


# --- latency, utilization, cost ---------------------------------------------------------------------------------------
@lru_cache(maxsize=16)
def latency_frame(fleet: Fleet) -> pa.Table:
    """The worst mean response time of each stretch, the target, and the times without a steady state."""
    run, end = fleet.run, end_of(fleet.load)
    latency = run["latency"].to_numpy()
    times, worst = _thin(run, latency, np.maximum.reduceat)
    finite = np.isfinite(worst)
    parts = [{"kind": "latency", "time": times[finite] / unit(fleet.load)[0], "value": worst[finite]}]
    parts += _rules(fleet.load, {f"target {f.duration(fleet.latency_target)}": fleet.latency_target}, "good")
    if (highest := np.max(worst, where=finite, initial=0.0)) > LATENCIES[1]:
        words = f"↑ up to {f.duration(highest)}"
        parts.append(_placed(marks.label(end, LATENCIES[1], words, dx=6, baseline="top", tone="accent", bold=True)))
    return stack([*parts, *_missed(fleet, "overload: no steady state", LATENCIES[1], np.isinf(latency))])


@lru_cache(maxsize=16)
def latency_spec(look: Look, load: str) -> dict:
    """Mean response time on a logarithmic scale against its target."""
    y = axes.y("value:Q", "mean response (s)", LATENCIES, type="log", values=[0.1, 1, 10, 100])
    base = alt.Chart().encode(x=_time(load), y=y)
    points = base.transform_filter(only("latency")).mark_point(
        color=look.accent, filled=True, size=14, opacity=1, clip=True
    )
    layers = [
        _strip(look),
        points.encode(tooltip=_tips(load, ".3~g")),
        _rule(look, base, load),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def latency_alt(fleet: Fleet) -> str:
    """The latency chart in one sentence."""
    latency = fleet.run["latency"]
    finite = latency[np.isfinite(latency)]
    most = f"up to {f.duration(finite.max())} where there is a steady state" if len(finite) else "never a steady state"
    overload = f.share(float(np.isinf(latency).mean()))
    return f"Mean response time: {most}, overload {overload} of the time; target {f.duration(fleet.latency_target)}."


@lru_cache(maxsize=16)
def utilization_frame(fleet: Fleet) -> pa.Table:
    """Mean utilization of each stretch, and what the controller compares it with."""
    run, end = fleet.run, end_of(fleet.load)
    seen = {"utilization": run["utilization"].to_numpy()}
    if fleet.controller == "concurrency":
        seen["flight"] = in_flight_each(fleet)
    lines, ends = [], {}
    for kind, values in seen.items():
        times, sums = _thin(run, values, np.add.reduceat)
        means = sums / _thin(run, np.ones(len(run)), np.add.reduceat)[1]
        at = np.append(times / unit(fleet.load)[0], end)
        lines.append({"kind": kind, "time": at, "value": np.append(means, means[-1])})
        ends[{"flight": "in flight", "utilization": "busy"}[kind]] = (kind, means[-1], means.max())
    held = {f"target {f.share(fleet.target)}": fleet.target}
    if fleet.controller == "threshold":
        held = {f"add above {f.share(fleet.upper)}": fleet.upper, f"remove below {f.share(fleet.lower)}": fleet.lower}
    if fleet.controller == "concurrency":
        ends[f"target {f.significant(fleet.in_flight)}"] = ("rule", fleet.in_flight, fleet.in_flight)
        rule = {"kind": "rule", "time": end, "value": fleet.in_flight}
        return stack([*lines, rule, *_ends(ends, end, COUNTED / HEAD)])
    return stack([*lines, *_rules(fleet.load, held, "ink")])


def in_flight_each(fleet: Fleet) -> np.ndarray:
    """Requests in flight over the ready replicas, in each step."""
    return fleet.in_flight_now / fleet.run["ready"].to_numpy()


@lru_cache(maxsize=16)
def utilization_spec(look: Look, load: str, counted: bool = False) -> dict:
    """Measured utilization, at most 100 % at any load; beside requests in flight, which are not held back by that."""
    y = axes.y("value:Q", "measured utilization", [0, 1.05], format="%")
    if counted:
        y = axes.y("value:Q", "a ready replica", [0, COUNTED], tickCount=4)
    base = alt.Chart().encode(x=_time(load), y=y)
    layers = []
    for kind, color in (("utilization", look.quiet if counted else look.accent), ("flight", look.accent)):
        line = base.transform_filter(only(kind)).mark_line(
            color=color, strokeWidth=2, interpolate="step-after", clip=True
        )
        layers.append(line.encode(order="time:Q", tooltip=_tips(load, ".2f" if counted else ".1%")))
    layers += [
        _rule(look, base, load),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def utilization_alt(fleet: Fleet) -> str:
    """The utilization chart in one sentence."""
    run = fleet.run
    if fleet.controller == "concurrency":
        each = in_flight_each(fleet)
        return (
            f"Requests in flight a ready replica between {f.significant(each.min())} and {f.significant(each.max())}, "
            f"held at {f.significant(fleet.in_flight)}; utilization never reads more than "
            f"{f.share(run['utilization'].max())}."
        )
    return (
        f"Measured utilization between {f.share(run['utilization'].min())} and {f.share(run['utilization'].max())}, "
        f"{f.share(fleet.summary.mean_utilization)} on average over the ready replicas."
    )


@lru_cache(maxsize=16)
def totals(fleet: Fleet) -> dict[str, tuple[str, np.ndarray]]:
    """What has been paid by the end of each step [USD], by name, with its kind of line."""
    run = fleet.run
    totals = {"this fleet": ("ready", run["cost"].cumsum().to_numpy())}
    if math.isfinite(fleet.summary.cheapest_cost):
        cheapest = run["cheapest_cost"].cumsum().to_numpy()
        totals |= {"cheapest": ("cheapest", cheapest), "limit": ("limit", k.COST_LIMIT * cheapest)}
    if fleet.miss_price > 0:
        late = (run["load"] * ~run["slo_met"]).cumsum().to_numpy() * k.HPA_SYNC / fleet.service_time
        totals["with missed requests"] = ("beside", totals["this fleet"][1] + fleet.miss_price * late)
    return totals


@lru_cache(maxsize=16)
def cost_frame(fleet: Fleet, high: float | None = None) -> pa.Table:
    """What has been paid by each time: this fleet, the cheapest one, and the limit."""
    run, second = fleet.run, unit(fleet.load)[0]
    keep = np.unique(np.linspace(0, len(run) - 1, 120).round().astype(int))
    times = (run["time"].to_numpy()[keep] + k.HPA_SYNC) / second
    parts = [{"kind": kind, "time": times, "value": total[keep]} for kind, total in totals(fleet).values()]
    ends = {words: (kind, total[-1], total[-1]) for words, (kind, total) in totals(fleet).items()}
    return stack([*parts, *_ends(ends, times[-1], high or paid(fleet), f.money)])


@lru_cache(maxsize=64)
def cost_spec(look: Look, load: str, paid: float) -> dict:
    """Running totals."""
    y = axes.y("value:Q", "paid so far (USD)", [0, paid * HEAD], tickCount=5)
    base = alt.Chart().encode(x=_time(load), y=y)
    layers = []
    for kind, color, dash in (
        ("cheapest", look.good, [2, 2]),
        ("limit", look.ink, [8, 4]),
        ("ready", look.accent, [1, 0]),
        ("beside", look.series[3], [8, 3]),
    ):
        line = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=2, strokeDash=dash, clip=True)
        layers.append(line.encode(order="time:Q", tooltip=_tips(load, "$,.2f")))
    return specification(alt.layer(*layers, marks.labels(base, look)), look, halo=False)


def cost_alt(fleet: Fleet) -> str:
    """The cost chart in one sentence."""
    summary = fleet.summary
    more = f" With the missed requests it is {f.money(fleet.total)}." if fleet.miss_price > 0 else ""
    if math.isinf(summary.cheapest_cost):
        return f"Paid in all {f.money(summary.cost)}; no fleet meets the latency target.{more}"
    return (
        f"Paid in all {f.money(summary.cost)}, {f.times(summary.cost_ratio, 3)} the {f.money(summary.cheapest_cost)} "
        f"of the cheapest fleet that meets the latency target{'' if fleet.meets else '; this one misses it'}.{more}"
    )


# --- parts ------------------------------------------------------------------------------------------------------------
def _time(load: str) -> alt.X:
    end, name = end_of(load), unit(load)[1]
    ticks = [float(tick) for tick in np.arange(0, end + 1e-9, 4 if name == "hours" else 5 if end <= 30 else 10)]
    return axes.x("time:Q", f"time ({name})", [0, end * ROOM], values=ticks)


def _tips(load: str, pattern: str) -> list[alt.Tooltip]:
    return [alt.Tooltip("time:Q", title=unit(load)[1], format=".3~g"), alt.Tooltip("value:Q", format=pattern)]


def _placed(row: Mapping[str, object]) -> dict[str, object]:
    return marks.renamed([row], "time", "value")[0]


def _ends(
    ends: Mapping[str, tuple[str, float, float]],
    end: float,
    top: float,
    write: Callable[[float], str] = lambda value: f"{value:.3g}",
) -> list[dict]:
    """Name lines at their ends, apart from one another; what leaves the frame has an arrow and its highest value."""
    words = {name: f"{name} ↑ {write(most)}" if most > top * HEAD else name for name, (_, _, most) in ends.items()}
    heights = _apart({name: min(last, top) for name, (_, last, _) in ends.items()}, 0.12 * top, top)
    return [
        _placed(
            marks.label(
                end,
                heights[name],
                words[name],
                short=name.split(": ")[0] + words[name].removeprefix(name),
                dx=6,
                tone=TONES.get(kind, "ink"),
                bold=kind in ("ready", "guess"),
            )
        )
        for name, (kind, _, _) in ends.items()
    ]


def _rules(load: str, held: Mapping[str, float], tone: str) -> list[dict]:
    """Lines across the chart, named at the right; on a phone by their numbers."""
    end = end_of(load)
    labels = [
        marks.label(end, value, words, dx=6, tone=tone, bold=True, short=" ".join(words.split(" ")[-2:]))
        for words, value in held.items()
    ]
    return [{"kind": "rule", "time": end, "value": value} for value in held.values()] + [_placed(row) for row in labels]


def _rule(look: Look, base: alt.Chart, load: str) -> alt.Chart:
    mark = base.transform_filter(only("rule")).mark_rule(color=look.ink, strokeWidth=1.2, strokeDash=[8, 4])
    return mark.encode(x=alt.datum(0), x2=alt.datum(end_of(load)))


def _strip(look: Look) -> alt.Chart:
    """A band along the top."""
    base = alt.Chart().transform_filter(only("missed"))
    band = base.mark_rect(color=look.bad, opacity=0.85)
    return band.encode(x="time:Q", x2="end:Q", y=alt.value(0), y2=alt.value(7))


def _missed(fleet: Fleet, words: str, top: float, missed: np.ndarray | None = None) -> list[dict]:
    """Stretches of time with the target missed, merged where they touch, and what they are."""
    run, second = fleet.run, unit(fleet.load)[0]
    flags = np.concatenate([[False], ~run["slo_met"].to_numpy() if missed is None else missed, [False]])
    edges = np.flatnonzero(np.diff(flags.astype(int)))
    starts, ends = edges[::2] * k.HPA_SYNC / second, edges[1::2] * k.HPA_SYNC / second
    # A row of no width where nothing is missed: the chart keeps its layers.
    parts = [{"kind": "missed", "time": np.append(starts, 0.0), "end": np.append(ends, 0.0)}]
    if len(starts):
        at, high = min(starts[0], 0.75 * end_of(fleet.load)), top if missed is not None else top * HEAD
        parts.append(_placed(marks.label(at, high, words, baseline="top", dy=10, tone="bad")))
    return parts


def _thin(run: pd.DataFrame, values: np.ndarray, reduceat: Callable) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and one value for each of at most MOST stretches: the worst, or the sum."""
    starts = np.arange(0, len(run), math.ceil(len(run) / MOST))
    return run["time"].to_numpy()[starts], reduceat(values, starts)


def _apart(heights: dict[str, float], gap: float, top: float) -> dict[str, float]:
    """Move labels until they are a gap apart: up, the lowest first, and down again where the frame ends."""
    placed, floor = {}, -math.inf
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        placed[name] = max(height, floor)
        floor = placed[name] + gap
    roof = math.inf if not placed else top
    for name, height in sorted(placed.items(), key=lambda item: -item[1]):
        placed[name] = min(height, roof)
        roof = placed[name] - gap
    return placed
