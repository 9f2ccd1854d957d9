"""Storage architecture: how many jobs write their checkpoints at the same time."""

import altair as alt

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Figure, Verdict
from ui.charts import Look, axes, marks, only, plane, stack, upright

MOST = int(k.STORAGE_CROWD_JOBS.high or 1)


def figure(design: Design, look: Look) -> Figure:
    """Share of the time in which so many jobs write at the same time."""
    tones = ["bad" if number > design.reserved else "accent" for number in range(design.jobs + 1)]
    rows: list[dict[str, object]] = [{"kind": "bars", "x": range(design.jobs + 1), "y": design.crowd, "tone": tones}]
    dx = -6 if design.reserved > MOST / 2 else 6
    rows.append({"kind": "reserved", "x": design.reserved + 0.5, "y": 1.0})
    rows.append(marks.label(design.reserved + 0.5, 1.02, "reserved", bold=True, dx=dx))
    return Figure("jobs", "How many jobs write at the same time?", stack(rows), _spec(look), say("jobs_chart", design))


@plane
def _spec(look: Look) -> tuple:
    """Share of the time by the number of jobs that write."""
    x = axes.x("x:Q", "jobs that write at the same time", [-0.7, MOST + 0.7], grid=False, tickCount=9, format="d")
    y = axes.y("y:Q", "share of the time", [0, 1.1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1.0])
    return x, y, _bars, upright("reserved", "ink", (6, 4))


def _bars(base: alt.Chart, look: Look) -> alt.Chart:
    tooltip = [alt.Tooltip("x:Q", title="jobs"), alt.Tooltip("y:Q", format=".3~%", title="share of the time")]
    return base.transform_filter(only("bars")).mark_bar(color=marks.tone(look), width=9).encode(tooltip=tooltip)


def verdict(design: Design) -> Verdict:
    """Say for how long more jobs write than bandwidth is reserved for."""
    enough = design.crowd_over == 0
    return Verdict(say("jobs_never_more" if enough else "jobs_more", design), enough)
