"""Autoscaling: replicas that follow a load, under Kubernetes' policy and by requests."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from lessons.autoscaling.settings import Fleet, say
from physics import constants as k
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Layer, Look, axes, box, marks, only, plane, stack

#: Top of the frame: more replicas than may be requested, with room for a band along the top.
TOP = 46
MOST = 480  #: points of a line at most
#: Tone, dashes and width of each kind of line.
LINES = {
    "load": ("s4", [], 2),
    "one": ("s0", [], 3),
    "two": ("s3", [8, 3], 2),
    "forecast": ("s1", [3, 2], 2),
}
#: Of a load over a day and of one that jumps: seconds of the axis' unit, its name, its end, and the
#: step of its ticks.
DAY = (k.HOUR, "hours", 24, 4)
AXES = {"step": (k.MINUTE, "minutes", 20, 5), "day": DAY, "surprise": DAY}


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of the load, and of the ready replicas under both policies."""
    run = fleet.hpa.run
    lines = {"one": ("HPA", run["ready"]), "two": ("Knative", fleet.counted.run["ready"])}
    return drawn(look, fleet, "fleet", "Ready replicas under two rules", run, lines)


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


def drawn(
    look: Look, fleet: Fleet, name: str, title: str, run: pd.DataFrame, lines: Mapping
) -> Figure:
    """Draw the load, the replicas by kind, and a band where the response time misses its goal."""
    second, _, end, _ = AXES[fleet.load]
    lines = {kind: (words, np.asarray(values, float)) for kind, (words, values) in lines.items()}
    lines["load"] = "load", run["load"].to_numpy()
    heights = marks.apart([float(values[-1]) for _, values in lines.values()], 0.085 * TOP, TOP)
    parts = [{"kind": kind} | stepped(values, second, end) for kind, (_, values) in lines.items()]
    for height, (kind, (words, _)) in zip(heights, lines.items(), strict=True):
        parts.append(marks.label(end, height, words, dx=6, tone=LINES[kind][0], bold=kind == "one"))
    turns = np.flatnonzero(np.diff(~run["slo_met"], prepend=False, append=False))
    edges = turns * k.HPA_SYNC / second
    parts.append({"kind": "missed", "x": edges[::2], "end": edges[1::2]})
    if len(edges):
        at = min(float(edges[0]), 0.6 * end)
        parts.append(marks.label(at, TOP, say(f"{name}_late", fleet), dy=16, dx=2, tone="bad"))
    return Figure(name, title, stack(parts), _spec(look, fleet.load), say(f"chart_{name}", fleet))


def stepped(values: np.ndarray, unit: float, end: float) -> dict[str, object]:
    """Points of a step chart: one per change of the value and one at the end.

    Time is divided by `unit` [s].
    """
    keep = np.flatnonzero(np.diff(values, prepend=-1))
    keep = keep[:: max(1, len(keep) // MOST)]
    return {
        "x": np.append(keep * k.HPA_SYNC / unit, end),
        "y": np.append(values[keep], values[-1]),
    }


@plane
def _spec(look: Look, load: str) -> tuple:
    """Steps of load and replicas, and a band along the top where a run is too slow."""
    _, name, end, step = AXES[load]
    x = axes.x("x:Q", f"time ({name})", [0, 1.3 * end], values=list(range(0, end + 1, step)))
    y = axes.y("y:Q", "replicas' worth of work", [0, TOP], values=[0, 10, 20, 30, 40])
    band = box("missed", "bad", x2="end:Q", y=alt.value(0), y2=alt.value(7), opacity=0.85)
    return x, y, band, *(steps(kind, *style) for kind, style in LINES.items())


def steps(
    kind: str, tone: str, dash: Sequence[int] = (), width: float = 2, **style: object
) -> Layer:
    """Return a chart layer with a step line, whose value holds until the next point."""

    def layer(base: alt.Chart, look: Look) -> alt.Chart:
        drawn = style | {"color": look.color(tone), "strokeDash": list(dash), "strokeWidth": width}
        rows = base.transform_filter(only(kind)).encode(order="x:Q")
        return rows.mark_line(interpolate="step-after", clip=True, **drawn)

    return layer


view = View("fleet", figure=figure, verdict=verdict)
