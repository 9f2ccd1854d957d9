"""Notebook sharing: who holds the cores when, as a Gantt chart of the three schedulers."""

import math
from functools import lru_cache

import altair as alt
import pyarrow as pa

from lessons.notebook_sharing.settings import PAIR, SCHEDULERS, Study
from lessons.notebook_sharing.words import LABELED
from physics import constants as k
from physics.notebooks import CellRun
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack

HEAD, BAND = 0.34, 1.44  # height of a scheduler's headline and of all of it, in heights of its notebooks
#: Ends of the time axis: it stands still until the last notebook ends beyond it, or before half of it.
MINUTES, HOURS = (2.5, 5, 10, 20, 40, 80, 160), (5, 10, 15, 20, 30, 40, 60, 100, 200)


def frame_of(study: Study) -> tuple[bool, float]:
    """Whether the time axis is in hours, and where it ends."""
    last = horizon(study) * (1.15 if any(outcome.stuck for outcome in study.outcomes.values()) else 1.0)
    hours = last > MINUTES[-1] * k.MINUTE
    unit, ends = (k.HOUR, HOURS) if hours else (k.MINUTE, MINUTES)
    return hours, next((end for end in ends if last <= end * unit * (1 + 1e-9)), math.ceil(last / unit))


def horizon(study: Study) -> float:
    """When the last notebook that ends has ended under any scheduler [s]."""
    ends = [row.end for outcome in study.outcomes.values() for row in outcome.run.cells if math.isfinite(row.end)]
    return max(ends, default=max(study.alone))


def figure(study: Study, look: Look, guess: str | None = None) -> Figure:
    """The main chart: who holds the cores when, under three schedulers, and what the visitor said of the pair."""
    frame = gantt_frame(study, guess)
    spec = gantt_spec(look, *frame_of(study))
    return Figure("gantt", "Who holds the cores when?", frame, spec, gantt_alt(study))


def _guess(study: Study, guess: str | None) -> list[dict]:
    """Where the pair would be done by the visitor's answer, in the band of scheduling by cell."""
    if study.combination != PAIR or study.copies != 1 or guess not in ("a", "b", "c"):
        return []
    shared = study.outcomes["naive"].run.makespan / k.MINUTE
    if not math.isfinite(shared):
        return []
    at, words, side = {
        "a": (shared / 2, "you said: both done here", "left"),
        "b": (shared, "you said: done here", "right"),
        "c": (shared, "you said: later than this", "right"),
    }[guess]
    top = 2 * BAND + HEAD
    rule = {"kind": "rule", "start": at, "stop": at, "top": top, "bottom": top + 1, "tone": "ink", "dash": "guess"}
    label = marks.label(at, top + 0.25, words, dx=5 if side == "left" else -5, align=side, bold=True)
    return [rule, *marks.renamed([label], "start", "top")]


@lru_cache(maxsize=64)
def gantt_frame(study: Study, guess: str | None = None) -> pa.Table:
    """Rows of the Gantt chart: bars, waits, pauses and headlines of the three schedulers, one above another."""
    hours, last = frame_of(study)
    unit = float(k.HOUR if hours else k.MINUTE)
    horizon = last * unit
    lane, count = 1 / len(study.names), len(study.names)
    rows: list[dict] = []
    labels: list[dict] = []

    def row(kind: str, *values: object, **looks: object) -> None:
        scheduler, notebook, cores, start, stop, top, bottom = values
        place = {"start": start / unit, "stop": stop / unit, "top": top, "bottom": bottom}
        rows.append({"kind": kind, "scheduler": scheduler, "notebook": notebook, "cores": cores} | place | looks)

    for band, (scheduler, words) in enumerate(SCHEDULERS.items()):
        outcome, top = study.outcomes[scheduler], band * BAND
        chosen = scheduler == study.scheduler
        here = " (you are here)" if chosen else ""
        measured = f"ANTT {f.significant(outcome.antt)}, STP {f.significant(outcome.stp)}"
        looks = {"bold": chosen, "tone": "accent" if chosen else "ink", "short": f"{words}: {measured}"}
        labels.append(marks.label(0, top + 0.2, f"{words}{here}: {measured}", **looks))
        for place, label in enumerate(study.labels if count <= LABELED else []):
            labels.append(marks.label(0, top + HEAD + (place + 0.5) * lane, label, align="right", dx=-6))
        before: dict[int, float] = {}
        said = False
        for cell in outcome.run.cells:
            label, middle = study.labels[cell.notebook], top + HEAD + (cell.notebook + 0.5) * lane
            if cell.notebook in before and math.isfinite(before[cell.notebook]):
                until = min(cell.ready, horizon)
                row("rule", words, label, 0, before[cell.notebook], until, middle, middle, tone="quiet", dash="pause")
            if cell.start > cell.ready and math.isfinite(cell.ready):
                until = min(cell.start, horizon)
                row("rule", words, label, 0, cell.ready, until, middle, middle, tone="bad", dash="wait")
                if not math.isfinite(cell.start) and not said:
                    ever = {"align": "right", "dy": -7, "bold": True, "tone": "bad"}
                    labels.append(marks.label(until / unit, middle, "for ever", **ever))
                    said = True
            overhead = study.overhead if scheduler == "dynamic" else 0.0
            for kind, start, stop, cores in _bars(cell, overhead, min(cell.end, horizon), count <= LABELED):
                half = 0.45 * lane * (0.25 + 0.75 * min(1.0, cores / study.cores))
                row(kind, words, label, cores, start, stop, middle - half, middle + half)
            before[cell.notebook] = cell.end
    return stack([*rows, *marks.renamed(labels, "start", "top"), *_guess(study, guess)])


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


@lru_cache(maxsize=16)
def gantt_spec(look: Look, hours: bool, last: float) -> dict:
    """Cells over time, a row for each notebook, the three schedulers one above another."""
    x = axes.x(
        "start:Q",
        "hours" if hours else "minutes",
        [0, last],
        range=[2.4 * look.text_size, alt.ExprRef("width")],  # the notebooks' names stand beside the plot
        grid=True,
        format=",.3~r",
        tickCount=alt.ExprRef(f"{NARROW} ? 4 : 8"),
    )
    base = alt.Chart().encode(x=x, y=axes.y("top:Q", ends=[3 * BAND, 0], axis=None))
    tips = [
        alt.Tooltip("notebook:N"),
        alt.Tooltip("scheduler:N"),
        alt.Tooltip("cores:Q", format=".3~g", title="cores held"),
        alt.Tooltip("start:Q", format=".4~g"),
        alt.Tooltip("stop:Q", format=".4~g", title="end"),
    ]
    dashes = alt.Scale(domain=["pause", "wait", "guess"], range=[[1, 0], [2, 3], [6, 3]])
    rule = base.transform_filter(only("rule")).mark_rule(color=marks.tone(look), strokeWidth=1.6)
    cells = base.transform_filter("datum.kind === 'cell' || datum.kind === 'overhead'")
    work = "datum.kind === 'cell'"
    bars = cells.mark_rect(
        cornerRadius=1,
        tooltip=True,
        fill={"expr": f"{work} ? '{look.accent}' : '{look.paper}'"},
        stroke={"expr": f"{work} ? '{look.paper}' : '{look.bad}'"},
        # Bars of a pixel or two have no room for an edge.
        strokeWidth={"expr": f"{work} ? (datum.stop - datum.start > {last / 80} ? 0.5 : 0) : 1.2"},
    )
    layers = [
        rule.encode(x2="stop:Q", y2="bottom:Q", strokeDash=alt.StrokeDash("dash:N", scale=dashes, legend=None)),
        bars.encode(x2="stop:Q", y2="bottom:Q", tooltip=tips),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 350 if look.present else 310, halo=False)


def gantt_alt(study: Study) -> str:
    """The main chart in one sentence with its numbers."""
    each = "; ".join(
        f"{words}: ANTT {f.significant(outcome.antt)}, last one ends {f.duration(outcome.run.makespan)}"
        for words, outcome in ((SCHEDULERS[name], outcome) for name, outcome in study.outcomes.items())
    )
    return f"Gantt chart of {f.count(len(study.names), 'notebook')} on {study.cores} cores. {each}."
