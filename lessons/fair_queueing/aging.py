"""Fair queueing, fourth act: aging, between the order of arrival and strict priority."""

from functools import lru_cache

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import Turns, waits_at
from physics import constants as k
from physics.priority import priority_waits
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Top of the chart [h]: above what strict priority makes of the highest load.
TOP = 40.0
MOST = float(k.FAIR_AGING_RATIO.high or 0)


def strict(load: float) -> tuple[float, float]:
    """Mean waits of urgent and patient jobs under strict priority [s]."""
    service = float(k.FAIR_SERVICE)
    urgent, patient = priority_waits([load / 2 / service] * 2, [service] * 2)
    return urgent, patient


@lru_cache(maxsize=64)
def _curves(load: float) -> tuple[list[float], list[float], list[float]]:
    """Ratio and the two waits [h]."""
    ratios = np.geomspace(1, MOST, 41).tolist()
    waits = [waits_at(load, ratio) for ratio in ratios]
    return ratios, [urgent / k.HOUR for urgent, _ in waits], [patient / k.HOUR for _, patient in waits]


def figure(turns: Turns, look: Look, guess: str | None = None, told: bool = False) -> Figure:
    """The two waits against the ratio of the aging rates, between first come first served and strict priority."""
    ratios, urgent, patient = _curves(turns.load)
    parts: list[dict] = [
        {"kind": "urgent", "ratio": ratios, "wait": urgent},
        {"kind": "patient", "ratio": ratios, "wait": patient},
    ]
    rows = []
    left = turns.aging_ratio > 4
    side = {"align": "right", "dx": -11} if left else {"align": "left", "dx": 11}
    for name, wait, end, tone, dy in (
        ("patient", turns.waits[1], strict(turns.load)[1], "s1", -13),
        ("urgent", turns.waits[0], strict(turns.load)[0], "s0", 13 if turns.waits[0] / k.HOUR > 4 else -13),
    ):
        parts.append({"kind": "strict", "ratio": [30.0, MOST], "wait": [end / k.HOUR] * 2, "detail": name})
        rows.append(marks.point(turns.aging_ratio, wait / k.HOUR, size=130, tone=tone))
        words = f"{name}: {f.duration(wait)}"
        rows.append(
            marks.label(
                turns.aging_ratio, wait / k.HOUR, words, short=f.duration(wait), dy=dy, bold=True, tone=tone, **side
            )
        )
    strictly = strict(turns.load)[1] / k.HOUR
    if turns.aging_ratio < 20:
        rows.append(marks.label(MOST, strictly, "strict priority", align="right", dx=-4, dy=-11, tone="quiet"))
    frame = stack([*parts, *marks.renamed(rows, "ratio", "wait")])
    return Figure(
        "aging", "What does aging do to the two waits?", frame, _spec(look), alt_text(turns), grab=Grab("aging_ratio")
    )


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Mean waits against the ratio of the aging rates."""
    x = axes.x(
        "ratio:Q",
        "how much faster urgent jobs age",
        [1, MOST],
        type="log",
        values=[1, 2, 5, 10, 20, 50, 100],
        format="d",
    )
    y = axes.y("wait:Q", "mean wait (hours)", [0, TOP], tickCount=5)
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("ratio:Q", format=".3~g"), alt.Tooltip("wait:Q", format=".3~g", title="wait (h)")]

    drawn = base.encode(order="ratio:Q", tooltip=tips)
    layers = [
        base.transform_filter(only("strict"))
        .mark_line(color=look.quiet, strokeWidth=1.5, strokeDash=[6, 3])
        .encode(detail="detail:N"),
        marks.line(drawn, "patient", look.series[1], look.stroke),
        marks.line(drawn, "urgent", look.series[0], look.stroke),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_text(turns: Turns) -> str:
    """The chart in one sentence with its numbers."""
    urgent, patient = turns.waits
    return (
        f"Mean waits against the ratio of the aging rates: at {f.significant(turns.aging_ratio)}, urgent jobs wait "
        f"{f.duration(urgent)} and patient ones {f.duration(patient)}."
    )


def metrics(turns: Turns) -> list[Metric]:
    """The headline numbers of aging."""
    (urgent, patient), (least, most) = turns.waits, strict(turns.load)
    return [
        Metric("Urgent jobs wait", f.duration(urgent), f"strict priority: {f.duration(least)}"),
        Metric("Patient jobs wait", f.duration(patient), f"strict priority: {f.duration(most)}"),
        Metric("By arrival", f.duration(turns.in_order), "both wait alike"),
        Metric("The two waits add up to", f.duration(urgent + patient), "whatever the ratio"),
    ]


def verdict(turns: Turns) -> Verdict:
    """Say who pays."""
    urgent, patient = turns.waits
    if turns.aging_ratio == 1:
        return Verdict(
            f"At one rate for all nobody overtakes: the order is that of arrival, and both wait {f.duration(urgent)}.",
            None,
        )
    return Verdict(
        f"Urgent jobs wait {f.duration(turns.in_order - urgent)} less than by arrival, and patient ones "
        f"{f.duration(patient - turns.in_order)} more: order moves waiting, it takes none away.",
        None,
    )


def words(turns: Turns) -> str:
    """What the model is."""
    return (
        "One server, two classes with half the load each, exponential job lengths with a mean of "
        f"{f.duration(float(k.FAIR_SERVICE))}. A waiting job's priority is its class's rate × the time that it has "
        "waited; the highest is served next and not interrupted (Kleinrock's time-dependent priorities, exact)."
    )
