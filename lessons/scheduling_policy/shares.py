"""Scheduling policy, going further: fair share, and how long each class waits under it."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.scheduling_policy import queue
from lessons.scheduling_policy.runs import CLASSES, WAITS, Board
from lessons.scheduling_policy.settings import Scenario, percent, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

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


def of(scenario: Scenario) -> Scenario:
    """Return the settings that this part shows: fair share with EASY."""
    return replace(scenario, order="fair_share", backfill="easy", preemption=False, reserved=0, quotas="none")


def metrics(scenario: Scenario) -> list[Metric]:
    """Return both targets, the factors that decide the order, and how long past use counts."""
    shown = of(scenario)
    late, training, *_ = queue.metrics(shown)
    written = " · ".join(f.significant(one, 2) for one in shown.factors)
    return [
        late,
        training,
        Metric("Factors", written, "interactive, search, training"),
        Metric("After 30 days alone", f.duration(shown.catch_up), "last in line"),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say which class goes first."""
    shown = of(scenario)
    order = sorted(CLASSES, key=lambda name: -shown.factors[CLASSES.index(name)])
    return Verdict(say("shares_verdict", shown, found=order[0]))


def words(scenario: Scenario) -> str:
    """Return what fair share remembers."""
    return say("shares_words", of(scenario))


def figure(scenario: Scenario, look: Look) -> Figure:
    """Return which share of each class has started after how long."""
    found = of(scenario).found
    parts = [
        f"{name} {percent(found.mean(name, 'share_within_target'))}"
        for name in CLASSES
        if found.mean(name, "count") > 0
    ]
    words = say("shares_chart", scenario, found=", ".join(parts))
    return Figure("waits", "Which share of each class has started after how long?", _frame(found), _spec(look), words)


def _frame(found: Board) -> pa.Table:
    """The share of each class that has started within a wait, the limit, and where each class stands at the limit."""
    minute, target = float(k.MINUTE), float(k.INTERACTIVE_TARGET)
    at = int(np.searchsorted(WAITS, target))
    # The limit is named at the lowest height that no line and no name of one is near.
    height = next((h for h in HEIGHTS if not any(h - 0.1 < shares[at] < h + 0.2 for shares in found.waits)), 0.0)
    rows: list[dict[str, object]] = [
        {"kind": "limit", "x": target / minute},
        marks.label(target / minute, height, "5 min", baseline="bottom", dx=5, dy=-4),
    ]
    for place, name in enumerate(CLASSES):
        shares, tone = found.waits[place], f"s{place}"
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
def _spec(look: Look) -> dict:
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
