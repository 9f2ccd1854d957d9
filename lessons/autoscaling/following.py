"""Autoscaling: replicas that follow a load, under Kubernetes' policy and by requests."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from lessons.autoscaling.settings import Fleet, say
from physics import constants as k
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Layer, Look, axes, box, layer, marks, plane, stack

#: Top of the frame: more replicas than may be requested, with room for a band along the top.
TOP = 46
MAX_POINTS = 480  #: of a line
#: Tone, dashes and width of each kind of line.
LINES = {
    "load": ("s4", [], 2),
    "one": ("s0", [], 3),
    "two": ("s3", [8, 3], 2),
    "forecast": ("s1", [3, 2], 2),
}
#: Time axis by kind of load: unit [s], the unit's name, end, and step of the ticks.
DAY = (k.HOUR, "hours", 24, 4)
AXES = {"step": (k.MINUTE, "minutes", 20, 5), "day": DAY, "surprise": DAY}


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of the load, and of the ready replicas under both policies."""
    run = fleet.hpa.run
    lines = {"one": ("HPA", run["ready"]), "two": ("Knative", fleet.counted.run["ready"])}
    return replica_figure(look, fleet, "fleet", "Ready replicas under two rules", run, lines)


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict that compares the replicas that both policies request."""
    if fleet.load != "step":
        return "hpa_day", None
    if fleet.hpa.most_requested > fleet.enough:
        return "hpa_overshoots", False
    if fleet.peak > fleet.first_fleet and fleet.first_order < fleet.enough:
        return "hpa_climbs", False
    return "hpa_sees", False


def replica_figure(
    look: Look, fleet: Fleet, name: str, title: str, run: pd.DataFrame, lines: dict
) -> Figure:
    """Chart of the load, of replicas, and of the times at which a run misses its response time.

    `lines` are a label and a value per step [replicas] for each of the `LINES` that is drawn.
    """
    unit, _, end, _ = AXES[fleet.load]
    lines = lines | {"load": ("load", run["load"])}
    values_by_kind = {kind: np.asarray(values, float) for kind, (_, values) in lines.items()}
    rows = [{"kind": kind} | stepped(values, unit, end) for kind, values in values_by_kind.items()]
    last_values = [float(values[-1]) for values in values_by_kind.values()]
    heights = marks.apart(last_values, 0.085 * TOP, TOP)
    for height, (kind, (label, _)) in zip(heights, lines.items(), strict=True):
        rows.append(marks.label(end, height, label, dx=6, tone=LINES[kind][0], bold=kind == "one"))
    turns = np.flatnonzero(np.diff(~run["slo_met"], prepend=False, append=False))
    edges = turns * k.HPA_SYNC / unit
    rows.append({"kind": "missed", "x": edges[::2], "end": edges[1::2]})
    if len(edges):
        x = min(float(edges[0]), 0.6 * end)
        rows.append(marks.label(x, TOP, say(f"{name}_late", fleet), dy=16, dx=2, tone="bad"))
    return Figure(name, title, stack(rows), _spec(look, fleet.load), say(f"chart_{name}", fleet))


def stepped(values: np.ndarray, unit: float, end: float) -> dict[str, object]:
    """Points of a step chart: one per change of the value and one at the end.

    `values` has one value per check of the autoscaler; the time axis counts in `unit` [s].
    """
    changes = np.flatnonzero(np.diff(values, prepend=-1))
    changes = changes[:: max(1, len(changes) // MAX_POINTS)]
    return {
        "x": np.append(changes * k.HPA_SYNC / unit, end),
        "y": np.append(values[changes], values[-1]),
    }


@plane
def _spec(look: Look, load: str) -> tuple:
    """Specification: steps of load and replicas, and a band at the top where a run is too slow."""
    _, name, end, step = AXES[load]
    x = axes.x("x:Q", f"time ({name})", [0, 1.3 * end], values=list(range(0, end + 1, step)))
    y = axes.y("y:Q", "replicas' worth of work", [0, TOP], values=[0, 10, 20, 30, 40])
    band = box("missed", "bad", x2="end:Q", y=alt.value(0), y2=alt.value(7), opacity=0.85)
    return x, y, band, *(steps(kind, *style) for kind, style in LINES.items())


def steps(
    kind: str, tone: str, dash: Sequence[int] = (), width: float = 2, **style: object
) -> Layer:
    """Return a chart layer with a step line, whose value holds until the next point."""
    style |= {"interpolate": "step-after", "clip": True}
    style |= {"strokeDash": list(dash), "strokeWidth": width}
    return layer(kind, "line", tone, {"order": "x:Q"}, **style)


view = View("fleet", figure=figure, verdict=verdict)
