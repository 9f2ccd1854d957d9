"""Scheduling policy: frames and specifications of the charts. No Streamlit in here."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.scheduling_policy.runs import WAITS, Board, moments, schedule
from lessons.scheduling_policy.settings import CLASSES, Scenario
from lessons.scheduling_policy.week import week_frame
from physics import constants as k
from ui.charts.look import NARROW, Look, only, shortened, specification

__all__ = ["queue_frame", "queue_spec", "waits_frame", "waits_spec", "week_frame", "week_spec"]

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


def waits_frame(board: Board) -> pd.DataFrame:
    """The share of each class that has started within a wait, the limit, and where each class stands at the limit."""
    minute, target = float(k.MINUTE), float(k.INTERACTIVE_TARGET)
    at = int(np.searchsorted(WAITS, target))
    # The limit is named at the lowest height that no line and no name of one is near.
    height = next((h for h in HEIGHTS if not any(h - 0.1 < shares[at] < h + 0.2 for shares in board.waits)), 0.0)
    limit = {"kind": ["limit"], "wait": [target / minute], "share": [height], "class": [""], "words": ["5 min"]}
    frames = [pd.DataFrame(limit)]
    for place, name in enumerate(CLASSES):
        shares = board.waits[place]
        if np.isnan(shares).any():
            continue
        # A line ends where the last job has started, but not before the limit.
        last = min(len(WAITS) - 1, max(at, int(np.searchsorted(shares, shares[-1] - 1e-9)) + 1))
        frames.append(
            pd.DataFrame(
                {"kind": "line", "wait": WAITS[: last + 1] / minute, "share": shares[: last + 1], "class": name}
            )
        )
        here = {"share": [shares[at]], "class": [name]}
        frames.append(pd.DataFrame({"kind": ["point"], "wait": [WAITS[at] / minute], **here}))
        place_name = "low training" if name == "training" and shares[at] < LOW else name
        minutes = PLACES[place_name][0]
        spot = min(last, int(np.searchsorted(WAITS, minutes * minute)))
        words = f"{name} {100 * shares[at]:.0f} %"
        text = {"wait": [minutes], "share": [shares[spot]], "class": [name], "words": [words]}
        frames.append(pd.DataFrame({"kind": [f"name {place_name}"], **text}))
    return pd.concat(frames, ignore_index=True)


@lru_cache(maxsize=4)
def waits_spec(look: Look) -> dict:
    """Specification of the distribution of waits, with the 5-minute line."""
    color = alt.Color("class:N", scale=alt.Scale(domain=list(CLASSES), range=list(look.series[:3])), legend=None)
    x = alt.X(
        "wait:Q",
        title="wait until the start (log scale)",
        scale=alt.Scale(type="log", domainMin=0.1),
        axis=alt.Axis(values=list(TICKS), labelExpr=WORDS, grid=True),
    )
    y = alt.Y("share:Q", title="share of jobs started", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    base = alt.Chart().encode(x=x, y=y)
    limit = alt.Chart().transform_filter(only("limit")).mark_rule(color=look.quiet, strokeDash=[5, 4], strokeWidth=1.5)
    dash = alt.StrokeDash("class:N", scale=alt.Scale(domain=list(CLASSES), range=[[1, 0], [8, 3], [2, 2]]), legend=None)
    layers = [
        limit.encode(x=x),
        alt.Chart()
        .transform_filter(only("limit"))
        .mark_text(align="left", dx=5, dy=-4, baseline="bottom", color=look.ink)
        .encode(x=x, y=y, text="words:N"),
        base.transform_filter(only("line")).mark_line(strokeWidth=look.stroke).encode(color=color, strokeDash=dash),
        base.transform_filter(only("point")).mark_point(filled=True, size=70, opacity=1).encode(color=color),
        *(
            base.transform_filter(only(f"name {name}"))
            .mark_text(align="left", dy=shift, fontWeight="bold")
            .encode(text=shortened("datum.class", "words"), color=color)
            for name, (_, shift) in PLACES.items()
        ),
    ]
    return specification(alt.layer(*layers), look)


def queue_frame(board: Board, scenario: Scenario) -> pd.DataFrame:
    """Jobs waiting over the simulated time: mean of the replications, nine of ten, and the one that is drawn."""
    days = moments(scenario.effective) / float(k.DAY)
    one = _queue_of_one(scenario.effective)
    mean = pd.DataFrame({"kind": "mean", "day": days, "jobs": board.queue, "high": board.queue_high})
    drawn = pd.DataFrame({"kind": "one", "day": days, "jobs": one.astype(float)})
    names = pd.DataFrame(
        {
            "kind": "name",
            "day": [days[-1], days[-1]],
            "jobs": [board.queue[-1], one[-1]],
            "words": [f"mean of {board.runs}", "one run"],
        }
    )
    return pd.concat([mean, drawn, names.iloc[:1]], ignore_index=True)


@lru_cache(maxsize=16)
def _queue_of_one(plain: Scenario) -> np.ndarray:
    line = schedule(plain, 0).timeline
    place = np.searchsorted(line["time"].to_numpy(), moments(plain), side="right") - 1
    return np.where(place >= 0, line["queue_length"].to_numpy()[place.clip(min=0)], 0)


@lru_cache(maxsize=4)
def queue_spec(look: Look) -> dict:
    """Specification of the queue over time."""
    x = alt.X(
        "day:Q", title="day", scale=alt.Scale(domain=[0, 71], nice=False), axis=alt.Axis(values=list(range(0, 61, 10)))
    )
    y = alt.Y("jobs:Q", title="jobs waiting")
    base = alt.Chart().encode(x=x, y=y)
    band = base.transform_filter(only("mean")).mark_area(opacity=0.2, color=look.accent).encode(y2=alt.Y2("high:Q"))
    layers = [
        band,
        base.transform_filter(only("one")).mark_line(color=look.quiet, strokeWidth=1.2, interpolate="step-after"),
        base.transform_filter(only("mean")).mark_line(color=look.accent, strokeWidth=look.stroke),
        base.transform_filter(only("name"))
        .mark_text(align="left", dx=5, color=look.ink)
        .encode(text=shortened("'mean'", "words")),
    ]
    return specification(alt.layer(*layers), look)


@lru_cache(maxsize=4)
def week_spec(look: Look) -> dict:
    """Specification of the Gantt chart of a week."""
    series = look.series
    domain = [*CLASSES, "idle, nobody waits", "idle, kept for the head of the queue", "idle, reserved slice"]
    light, mid = (look.faint, look.quiet)
    colors = [*series[:3], light, mid, series[3]]
    color = alt.Color(
        "state:N",
        scale=alt.Scale(domain=domain, range=colors),
        legend=alt.Legend(
            title=None,
            orient="bottom",
            columns=alt.ExprRef(f"{NARROW} ? 2 : 3"),
            labelExpr=f"{NARROW} ? replace(datum.label, /( of the queue|idle, (?=[nr]))/, '') : datum.label",
            labelLimit=400,
            symbolType="square",
        ),
    )
    x = alt.X("start:Q", title="day", scale=alt.Scale(zero=False, nice=False))
    bars = (
        alt.Chart()
        .mark_rect(stroke=look.paper, strokeWidth=0.4)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=alt.Y("low:Q", title="GPU", scale=alt.Scale(nice=False)),
            y2=alt.Y2("high:Q"),
            color=color,
            tooltip=[alt.Tooltip("state:N"), alt.Tooltip("words:N", title="job")],
        )
    )
    return specification(alt.layer(bars), look, height=330)
