"""Scheduling policy: the charts, each a frame, a specification and a sentence."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.scheduling_policy.runs import FOUR, WAITS, Board, at_hand, board, moments, schedule
from lessons.scheduling_policy.settings import CLASSES, DAY, HOUR, Scenario
from lessons.scheduling_policy.verdict import percent
from lessons.scheduling_policy.week import IDLE, SLICE, WAITING, week_frame
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Reach
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack

#: Training waits between which the plane of the policies is drawn [h].
LEFT, RIGHT = 1.0, 300.0
WAIT_TICKS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000]
#: Where the four policies' names stand: side, and px below their points.
NAMED = {"a": ("left", 0), "b": ("left", 13), "c": ("right", 13), "d": ("right", 0)}
#: Where the classes' names stand [min], and how far above or below their lines [px]. The line of training rises there,
#: so its name stands below it wherever there is room.
PLACES = {"interactive": (0.11, -9), "search": (0.4, 12), "training": (8.0, 14), "low training": (8.0, -12)}
LOW = 0.15
#: Heights at which the limit may be named.
HEIGHTS = (0.0, 0.25, 0.5, 0.75)
TICKS = (0.1, 1, 5, 60, 360, 1440, 10_080, 60_480)
#: Ticks of a wait in minutes, in the words of a clock.
WORDS = (
    "datum.value < 1 ? '6 s' : datum.value < 60 ? datum.value + ' min' : datum.value < 1440 ? datum.value / 60 + ' h'"
    " : datum.value < 10080 ? datum.value / 1440 + ' day'"
    " : datum.value / 10080 + (datum.value < 20160 ? ' week' : ' weeks')"
)


# --- the four policies ------------------------------------------------------------------------------------------------
def four_figure(scenario: Scenario, look: Look, guess: str | None, end: float = RIGHT) -> Figure:
    """Where the question's policies and the present settings lie: who starts in time, and how long training waits."""
    boards, here = {answer: board(Scenario(), answer=answer) for answer in FOUR}, board(scenario)
    title, reach = "Who starts in time, and how long does training wait?", Reach(_place(here)[0], end)
    rows, spec = four_frame(boards, here, guess, end), four_spec(look, end)
    return Figure("four", title, rows, spec, _four_alt(boards, guess), reach=reach)


def four_pinned(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure | None:
    """What a pin leaves on the plane: its point, unless it would have to be simulated again."""
    if not at_hand(scenario):
        return None
    found = board(scenario)
    wait, share = _place(found)
    words = (
        f"{percent(share)} and {f.duration(wait * HOUR)}." if wait >= 0 and share >= 0 else "some class has no jobs."
    )
    return Figure("four", "", stack(marks.renamed(_here(found, end), "wait", "share")), four_spec(look, end), words)


def four_frame(boards: Mapping[str, Board], here: Board, guess: str | None, end: float = RIGHT) -> pa.Table:
    """A point for each of the four policies, with the visitor's guess marked, and “you are here”; standard errors."""
    rows: list[dict[str, object]] = [
        {"kind": "target", "x": LEFT, "x2": end, "y": float(k.POLICY_INTERACTIVE_SHARE)},
        marks.label(LEFT, float(k.POLICY_INTERACTIVE_SHARE), "95 % wanted", dx=4, dy=9, tone="good"),
    ]
    for answer, found in boards.items():
        wait, share = _place(found)
        mine = answer == guess
        rows += _errors(found, end)
        shape = "diamond" if mine else "circle"
        rows.append(marks.point(wait, share, size=170 if mine else 90, shape=shape, tone="ink" if mine else "quiet"))
        side, below = NAMED[answer]
        name = f"({answer}) {FOUR[answer][0]}"
        short = f"({answer})" if not mine else f"({answer}) you said"
        looks = {"align": side, "dx": 11 if side == "left" else -11, "dy": below, "bold": mine, "short": short}
        rows.append(marks.label(wait, share, f"{name}: you said" if mine else name, **looks))
    rows += _errors(here, end) + _here(here, end)
    return stack(marks.renamed(rows, "wait", "share"))


def _place(found: Board) -> tuple[float, float]:
    """Mean training wait [h] and share of interactive jobs in time [1]."""
    return found.mean("training", "mean_wait") / HOUR, found.mean("interactive", "share_within_target")


def _errors(found: Board, end: float) -> list[dict[str, object]]:
    """One standard error to each side, as far as it is inside the frame."""
    (wait, share), error = _place(found), found.error("training", "mean_wait") / HOUR
    high = found.error("interactive", "share_within_target")
    if not (LEFT <= wait <= end and share >= 0 and error >= 0 and high >= 0):
        return []
    flat = {"kind": "error", "x": max(LEFT, wait - error), "x2": min(end, wait + error), "y": share, "y2": share}
    upright = {"x": wait, "x2": wait, "y": max(0.0, share - high), "y2": min(1.0, share + high)}
    return [flat, {"kind": "error", **upright}]


def _here(found: Board, end: float) -> list[dict[str, object]]:
    """The point of the present settings; what leaves the frame stands at its edge with an arrow and its number."""
    wait, share = _place(found)
    words, shape = "you are here", "circle"
    if math.isnan(share):
        share, words = 0.0, f"{words}: no interactive jobs"
    if math.isnan(wait):
        wait, words, shape = end, f"{words}: no training job starts", "triangle-right"
    elif wait > end:
        wait, words, shape = end, f"{words}: {f.duration(wait * HOUR)} →", "triangle-right"
    elif wait < LEFT:
        wait, words, shape = LEFT, f"← {words}: {f.duration(wait * HOUR)}", "triangle-left"
    align = "left" if wait < 3 else "right" if wait > 60 else "center"
    return [
        marks.point(wait, share, size=150, shape=shape, role="here"),
        marks.label(wait, share, words, align=align, dy=-15, bold=True, tone="accent"),
    ]


def _four_alt(boards: Mapping[str, Board], guess: str | None) -> str:
    """The four policies in one sentence with their numbers."""
    parts = [
        f"({answer}) {FOUR[answer][0]}{', which you chose,' if answer == guess else ''} "
        f"{percent(share)} and {f.duration(wait * HOUR)}"
        for answer, (wait, share) in ((answer, _place(found)) for answer, found in boards.items())
    ]
    return (
        "Share of interactive jobs started within 5 minutes against the mean training wait, on the message's jobs: "
        f"{'; '.join(parts)}."
    )


@lru_cache(maxsize=32)
def four_spec(look: Look, end: float = RIGHT) -> dict:
    """The plane of the policies: the same frame for all settings."""
    ticks, few = ([tick for tick in found if tick <= end] for found in (WAIT_TICKS, WAIT_TICKS[::2]))
    x = axes.x(
        "wait:Q",
        "mean training wait (log scale)",
        [LEFT, end],
        type="log",
        values=alt.ExprRef(f"{NARROW} ? {few} : {ticks}"),
        labelExpr="datum.value + ' h'",
    )
    y = axes.y("share:Q", "interactive within 5 min", [0, 1.06], format="%", values=[0, 0.25, 0.5, 0.75, 1])
    base = alt.Chart().encode(x=x, y=y)
    target = base.transform_filter(only("target")).mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
    errors = base.transform_filter(only("error")).mark_rule(color=look.quiet, strokeWidth=1.5)
    layers = [
        target.encode(x2="x2:Q"),
        errors.encode(x2="x2:Q", y2="y2:Q"),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


# --- who starts when --------------------------------------------------------------------------------------------------
def waits_figure(scenario: Scenario, look: Look) -> Figure:
    """Which share of each class has started after how long."""
    found = board(scenario)
    parts = [
        f"{name} {percent(found.mean(name, 'share_within_target'))}"
        for name in CLASSES
        if found.mean(name, "count") > 0
    ]
    words = f"Share of jobs started within a wait, by class; within 5 minutes: {', '.join(parts)}."
    return Figure(
        "waits", "Which share of each class has started after how long?", waits_frame(found), waits_spec(look), words
    )


def waits_frame(board: Board) -> pa.Table:
    """The share of each class that has started within a wait, the limit, and where each class stands at the limit."""
    minute, target = float(k.MINUTE), float(k.INTERACTIVE_TARGET)
    at = int(np.searchsorted(WAITS, target))
    # The limit is named at the lowest height that no line and no name of one is near.
    height = next((h for h in HEIGHTS if not any(h - 0.1 < shares[at] < h + 0.2 for shares in board.waits)), 0.0)
    rows: list[dict[str, object]] = [
        {"kind": "limit", "x": target / minute},
        marks.label(target / minute, height, "5 min", baseline="bottom", dx=5, dy=-4),
    ]
    for place, name in enumerate(CLASSES):
        shares, tone = board.waits[place], f"s{place}"
        if np.isnan(shares).any():
            continue
        # A line ends where the last job has started, but not before the limit.
        last = min(len(WAITS) - 1, max(at, int(np.searchsorted(shares, shares[-1] - 1e-9)) + 1))
        rows.append({"kind": "line", "x": WAITS[: last + 1] / minute, "y": shares[: last + 1], "class": name})
        rows.append(marks.point(WAITS[at] / minute, float(shares[at]), size=70, rim_width=0, tone=tone))
        minutes, below = PLACES["low training" if name == "training" and shares[at] < LOW else name]
        spot = min(last, int(np.searchsorted(WAITS, minutes * minute)))
        words = f"{name} {f.share(float(shares[at]), 2)}"
        rows.append(marks.label(minutes, float(shares[spot]), words, dy=below, bold=True, tone=tone, short=name))
    return stack(marks.renamed(rows, "wait", "share"))


@lru_cache(maxsize=8)
def waits_spec(look: Look) -> dict:
    """Specification of the distribution of waits, with the 5-minute line."""
    color = alt.Color("class:N", scale=alt.Scale(domain=list(CLASSES), range=list(look.series[:3])), legend=None)
    dash = alt.StrokeDash("class:N", scale=alt.Scale(domain=list(CLASSES), range=[[1, 0], [8, 3], [2, 2]]), legend=None)
    x = axes.x(
        "wait:Q",
        "wait until the start (log scale)",
        [0.1, 144_000],
        type="log",
        values=list(TICKS),
        labelExpr=WORDS,
        grid=True,
    )
    y = axes.y("share:Q", "share of jobs started", [0, 1], format="%")
    base = alt.Chart().encode(x=x, y=y)
    limit = alt.Chart().transform_filter(only("limit")).mark_rule(color=look.quiet, strokeDash=[5, 4], strokeWidth=1.5)
    lines = base.transform_filter(only("line")).mark_line(strokeWidth=look.stroke)
    layers = [
        limit.encode(x=x),
        lines.encode(color=color, strokeDash=dash),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


# --- the queue --------------------------------------------------------------------------------------------------------
def queue_figure(scenario: Scenario, look: Look) -> Figure:
    """Whether the queue settles or grows."""
    found = board(scenario)
    words = (
        f"Jobs waiting over {f.count((len(found.queue) - 1) / 4, 'day')}: "
        f"{f.significant(float(np.mean(found.queue)))} on average, "
        f"{f.significant(float(found.queue[-1]))} at the end."
    )
    title = "Does the queue settle, or does it grow? (Thick: mean; band: to nine of ten; thin: first run)"
    return Figure("queue", title, queue_frame(found, scenario), queue_spec(look), words)


def queue_frame(board: Board, scenario: Scenario) -> pa.Table:
    """Jobs waiting over the simulated time: mean of the replications, nine of ten, and the one that is drawn."""
    days, one = moments(scenario.effective) / DAY, _queue_of_one(scenario.effective)
    name = marks.label(float(days[-1]), float(board.queue[-1]), f"mean of {board.runs}", dx=5, short="mean")
    rows: Sequence[Mapping[str, object]] = [
        {"kind": "mean", "x": days, "y": board.queue, "high": board.queue_high},
        {"kind": "one", "x": days, "y": one.astype(float)},
        name,
    ]
    return stack(marks.renamed(rows, "day", "jobs"))


@lru_cache(maxsize=16)
def _queue_of_one(plain: Scenario) -> np.ndarray:
    line = schedule(plain, 0).timeline
    place = np.searchsorted(line["time"].to_numpy(), moments(plain), side="right") - 1
    return np.where(place >= 0, line["queue_length"].to_numpy()[place.clip(min=0)], 0)


@lru_cache(maxsize=8)
def queue_spec(look: Look) -> dict:
    """Specification of the queue over time."""
    x = axes.x("day:Q", "day", [0, 71], values=list(range(0, 61, 10)))
    base = alt.Chart().encode(x=x, y=alt.Y("jobs:Q", title="jobs waiting"))
    mean, one = (base.transform_filter(only(kind)) for kind in ("mean", "one"))
    layers = [
        mean.mark_area(opacity=0.2, color=look.accent).encode(y2=alt.Y2("high:Q")),
        one.mark_line(color=look.quiet, strokeWidth=1.2, interpolate="step-after"),
        mean.mark_line(color=look.accent, strokeWidth=look.stroke),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


# --- a week -----------------------------------------------------------------------------------------------------------
def week_figure(scenario: Scenario, look: Look, week: int) -> Figure:
    """Which GPUs work, which are idle, and why."""
    frame = week_frame(scenario, week)
    area = (frame["end"] - frame["start"]) * (frame["high"] - frame["low"])
    busy = float(area[frame["state"].isin(CLASSES)].sum() / area.sum())
    words = (
        f"Gantt chart of week {week} of one run on {f.significant(scenario.fleet, 5)} GPUs: {f.share(busy)} of "
        "the GPU-hours are used."
    )
    return Figure("week", "Which GPUs work, which are idle, and why?", frame, week_spec(look), words)


@lru_cache(maxsize=8)
def week_spec(look: Look) -> dict:
    """Specification of the Gantt chart of a week."""
    series = look.series
    color = alt.Color(
        "state:N",
        scale=alt.Scale(
            domain=[*CLASSES, IDLE, WAITING, SLICE], range=[*series[:3], look.faint, look.quiet, series[3]]
        ),
        legend=alt.Legend(
            title=None,
            orient="top",
            columns=alt.ExprRef(f"{NARROW} ? 2 : 3"),
            labelExpr=f"{NARROW} ? replace(datum.label, /( of the queue|idle, (?=[nr]))/, '') : datum.label",
            labelLimit=400,
            symbolType="square",
        ),
    )
    bars = (
        alt.Chart()
        .mark_rect(stroke=look.paper, strokeWidth=0.4)
        .encode(
            x=axes.x("start:Q", "day", zero=False),
            x2=alt.X2("end:Q"),
            y=axes.y("low:Q", "GPU"),
            y2=alt.Y2("high:Q"),
            color=color,
            tooltip=[alt.Tooltip("state:N"), alt.Tooltip("words:N", title="job")],
        )
    )
    return specification(alt.layer(bars), look, height=330)
