"""Fair queueing, fourth act: aging, between the order of arrival and strict priority; and its challenge."""

from functools import lru_cache

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import AGING, Turns, say, waits_at
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, stack
from ui.charts.plane import line, plane
from ui.knobs.declared import knobs_of

#: Top of the chart [h]: above what strict priority makes of the highest load.
TOP, MOST = 40.0, AGING[-1]
#: Limits of the mean waits of urgent and patient jobs in the challenge [s].
LIMITS = {"urgent": float(k.FAIR_URGENT_LIMIT), "patient": float(k.FAIR_PATIENT_LIMIT)}


@lru_cache(maxsize=64)
def _curves(load: float) -> list[dict]:
    """The two waits [h] against the ratio."""
    ratios = np.geomspace(1, MOST, 41)
    waits = np.array([waits_at(load, ratio) for ratio in ratios]).T / k.HOUR
    return [{"kind": kind, "ratio": ratios, "wait": wait} for kind, wait in zip(LIMITS, waits, strict=True)]


def figure(turns: Turns, look: Look, guess: str | None = None, told: bool = False) -> Figure:
    """The two waits against the ratio of the aging rates, between first come first served and strict priority."""
    ratio, parts, rows = turns.aging_ratio, list(_curves(turns.load)), []
    side = {"align": "right", "dx": -11} if ratio > 4 else {"align": "left", "dx": 11}
    strict = [wait / k.HOUR for wait in turns.strict]
    for name, seconds, end, tone in zip(LIMITS, turns.waits, strict, ("s0", "s1"), strict=True):
        wait, said = seconds / k.HOUR, f.duration(seconds)
        dy = 13 if name == "urgent" and wait > 4 else -13
        parts.append({"kind": "strict", "ratio": [30.0, MOST], "wait": [end] * 2, "detail": name})
        rows.append(marks.point(ratio, wait, size=130, tone=tone))
        rows.append(marks.label(ratio, wait, f"{name}: {said}", short=said, dy=dy, bold=True, tone=tone, **side))
    if ratio < 20:
        rows.append(marks.label(MOST, strict[1], "strict priority", align="right", dx=-4, dy=-11, tone="quiet"))
    frame, title = stack([*parts, *marks.renamed(rows, "ratio", "wait")]), "What does aging do to the two waits?"
    return Figure("aging", title, frame, _spec(look), say("aging_chart", turns), grab=Grab("aging_ratio"))


@plane
def _spec(look: Look) -> tuple:
    """Mean waits against the ratio of the aging rates."""
    ticks = {"type": "log", "values": [1, 2, 5, 10, 20, 50, 100], "format": "d"}
    x = axes.x("ratio:Q", "how much faster urgent jobs age", [1, MOST], **ticks)
    y = axes.y("wait:Q", "mean wait (hours)", [0, TOP], tickCount=5)
    tips = [alt.Tooltip("ratio:Q", format=".3~g"), alt.Tooltip("wait:Q", format=".3~g", title="wait (h)")]
    strict = line("strict", "quiet", (6, 3), detail="detail:N")
    return x, y, strict, line("patient", "s1", tooltip=tips), line("urgent", "s0", tooltip=tips)


def metrics(turns: Turns) -> list[Metric]:
    """The headline numbers of aging."""
    (urgent, patient), (least, most) = map(f.duration, turns.waits), map(f.duration, turns.strict)
    return [
        Metric("Urgent jobs wait", urgent, f"strict priority: {least}"),
        Metric("Patient jobs wait", patient, f"strict priority: {most}"),
        Metric("By arrival", f.duration(turns.in_order), "both wait alike"),
        Metric("The two waits add up to", f.duration(sum(turns.waits)), "whatever the ratio"),
    ]


def verdict(turns: Turns) -> Verdict:
    """Say who pays."""
    return Verdict(say("one_rate" if turns.aging_ratio == 1 else "aging", turns))


def words(turns: Turns) -> str:
    """What the model is."""
    return say("aging_words", turns)


def judge(turns: Turns) -> Verdict:
    """Say how far these settings have come in the challenge."""
    late = [name for (name, limit), wait in zip(LIMITS.items(), turns.waits, strict=True) if wait > limit]
    if late:
        return Verdict(say("late", turns, classes=" and ".join(late)), False)
    if turns.load < highest() - 1e-9:
        return Verdict(say("more_load", turns))
    return Verdict(say("won", turns), True)


@lru_cache(maxsize=1)
def highest() -> float:
    """Highest load on the knob at which some ratio on the knob keeps both limits."""
    return max(load for load in knobs_of(Turns)["load"].values({}) if any(_kept(load, ratio) for ratio in AGING))


def _kept(load: float, ratio: float) -> bool:
    return all(wait <= limit for wait, limit in zip(waits_at(load, ratio), LIMITS.values(), strict=True))
