"""Notebook sharing: who holds the cores when, as a Gantt chart of the three schedulers."""

import math
from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.notebook_sharing.settings import SCHEDULERS, Study
from lessons.notebook_sharing.words import LABELED
from physics import constants as k
from physics.notebooks import CellRun
from ui.base import format as f
from ui.charts.look import Look, only, specification

HEAD, BAND = 0.34, 1.44  # height of a scheduler's headline and of all of it, in heights of its notebooks


def scale(study: Study) -> tuple[bool, bool]:
    """Whether the chart's time axis is in hours, and whether its bars are too fine for an edge of their own."""
    hours = _horizon(study) > 3 * k.HOUR
    return hours, hours or len(study.names) > LABELED


def _horizon(study: Study) -> float:
    ends = [row.end for outcome in study.outcomes.values() for row in outcome.run.cells if math.isfinite(row.end)]
    return max(ends, default=max(study.alone))


@lru_cache(maxsize=64)
def gantt_frame(study: Study) -> pd.DataFrame:
    """Rows of the Gantt chart: bars, waits, pauses and headlines of the three schedulers, one above another."""
    unit = float(k.HOUR if scale(study)[0] else k.MINUTE)
    ends = any(outcome.stuck for outcome in study.outcomes.values())
    horizon = _horizon(study) * (1.15 if ends else 1.0)
    lane, count = 1 / len(study.names), len(study.names)
    rows: list[tuple] = [("edge", "", "", 0, -0.045 * horizon, horizon, 0, 3 * BAND, "")]
    for band, (scheduler, words) in enumerate(SCHEDULERS.items()):
        outcome, top = study.outcomes[scheduler], band * BAND
        kind, here = ("chosen", " (you are here)") if scheduler == study.scheduler else ("head", "")
        head = f"{words}{here}: ANTT {f.significant(outcome.antt)}, STP {f.significant(outcome.stp)}"
        rows.append((kind, words, "", 0, 0, 0, top + 0.2, top, head))
        for place, label in enumerate(study.labels if count <= LABELED else []):
            middle = top + HEAD + (place + 0.5) * lane
            rows.append(("row", words, label, 0, -0.006 * horizon, 0, middle, middle, label))
        before: dict[int, float] = {}
        said = False
        for row in outcome.run.cells:
            label, middle = study.labels[row.notebook], top + HEAD + (row.notebook + 0.5) * lane
            if row.notebook in before and math.isfinite(before[row.notebook]):
                until = min(row.ready, horizon)
                rows.append(("pause", words, label, 0, before[row.notebook], until, middle, middle, ""))
            if row.start > row.ready and math.isfinite(row.ready):
                wait = ("wait", words, label, 0, row.ready, min(row.start, horizon), middle, middle)
                rows.append((*wait, "" if math.isfinite(row.start) or said else "for ever"))
                said = said or not math.isfinite(row.start)
            overhead = study.overhead if scheduler == "dynamic" else 0.0
            for kind, start, stop, cores in _bars(row, overhead, min(row.end, horizon), count <= LABELED):
                half = 0.45 * lane * (0.25 + 0.75 * min(1.0, cores / study.cores))
                rows.append((kind, words, label, cores, start, stop, middle - half, middle + half, ""))
            before[row.notebook] = row.end
    frame = pd.DataFrame(
        rows, columns=["kind", "scheduler", "notebook", "cores", "start", "stop", "top", "bottom", "label"]
    )
    frame[["start", "stop"]] /= unit
    return frame


def _bars(row: CellRun, overhead: float, stop: float, each: bool) -> list[tuple[str, float, float, float]]:
    """(kind, start, stop, cores) of one cell: its overhead, and its work by steps or on average."""
    if not row.steps:
        return []
    steps = list(row.steps) if each else [(row.start, row.held / (row.end - row.start))]
    works = min(row.start + overhead, stop)
    bars = [("overhead", row.start, works, steps[0][1])] if overhead else []
    ends = [moment for moment, _ in steps[1:]] + [stop]
    for (since, cores), until in zip(steps, ends, strict=True):
        if until > max(since, works):
            bars.append(("cell", max(since, works), until, cores))
    return bars


@lru_cache(maxsize=8)
def gantt_spec(look: Look, hours: bool, fine: bool) -> dict:
    """Cells over time, a lane for each notebook, the three schedulers one above another; `fine` bars have no edge."""
    axis = alt.Axis(grid=True, tickCount=8, labelExpr="datum.value < 0 ? '' : datum.label")
    x = alt.X("start:Q", title="hours" if hours else "minutes", scale=alt.Scale(nice=False, zero=False), axis=axis)
    scale = alt.Scale(domain=[3 * BAND, 0], nice=False)
    base = alt.Chart().encode(x=x, x2="stop:Q", y=alt.Y("top:Q", axis=None, scale=scale))
    tips = [
        alt.Tooltip("notebook:N"),
        alt.Tooltip("scheduler:N"),
        alt.Tooltip("cores:Q", format=".3~g", title="cores held"),
        alt.Tooltip("start:Q", format=".4~g"),
        alt.Tooltip("stop:Q", format=".4~g", title="end"),
    ]

    def text(kind: str, color: str, x: str = "start:Q", **options: object) -> alt.Chart:
        mark = alt.Chart().transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        return mark.encode(x=x, y="top:Q", text="label:N")

    bar = {"cornerRadius": 1, "tooltip": True}
    layers = [
        base.transform_filter(only("edge")).mark_rule(opacity=0),
        base.transform_filter(only("pause")).mark_rule(color=look.quiet, strokeWidth=1),
        base.transform_filter(only("wait")).mark_rule(
            color=look.bad, strokeWidth=0.7 if fine else 2, strokeDash=[2, 3]
        ),
        base.transform_filter(only("cell"))
        .mark_rect(color=look.accent, stroke=look.accent if fine else look.paper, strokeWidth=0.5, **bar)
        .encode(y2="bottom:Q", tooltip=tips),
        base.transform_filter(only("overhead"))
        .mark_rect(filled=False, fill=look.paper, stroke=look.bad, strokeWidth=1.2, **bar)
        .encode(y2="bottom:Q", tooltip=tips),
        text("head", look.ink, align="left"),
        text("chosen", look.accent, align="left", fontWeight="bold"),
        text("row", look.ink, align="right"),
        text("wait", look.bad, x="stop:Q", align="right", dy=-7, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look, 350 if look.present else 310, rims=False)


def gantt_alt(study: Study) -> str:
    """The main chart in one sentence with its numbers."""
    each = "; ".join(
        f"{words}: ANTT {f.significant(outcome.antt)}, last one ends {f.duration(outcome.run.makespan)}"
        for words, outcome in ((SCHEDULERS[name], outcome) for name, outcome in study.outcomes.items())
    )
    return f"Gantt chart of {f.count(len(study.names), 'notebook')} on {study.cores} cores. {each}."
