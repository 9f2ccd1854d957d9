"""Storage architecture: how many jobs write their checkpoints at the same time."""

import altair as alt

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look, stack
from ui.charts.plane import Layer, plane, upright

MOST = int(k.STORAGE_CROWD_JOBS.high or 1)


def figure(design: Design, look: Look) -> Figure:
    """Share of the time in which so many jobs write at the same time."""
    rows = [
        {"kind": "too many" if number > design.reserved else "fits", "x": number, "y": share}
        for number, share in enumerate(design.crowd)
    ]
    looks = {"align": "right", "dx": -6} if design.reserved > MOST / 2 else {"dx": 6}
    rows.append({"kind": "reserved", "x": design.reserved + 0.5, "y": 1.0})
    text = f"reserved for {design.reserved}; more: {f.share(design.crowd_over, 2)}"
    rows.append(marks.label(design.reserved + 0.5, 1.02, text, bold=True, **looks))
    return Figure("jobs", "How many jobs write at the same time?", stack(rows), _spec(look), say("jobs_chart", design))


@plane
def _spec(look: Look) -> tuple:
    """Share of the time by the number of jobs that write."""
    x = axes.x("x:Q", "jobs that write at the same time", [-0.7, MOST + 0.7], grid=False, tickCount=9, format="d")
    y = axes.y("y:Q", "share of the time", [0, 1.1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1.0])
    return x, y, _bars("fits", "accent"), _bars("too many", "bad"), upright("reserved", "ink", (6, 4))


def _bars(kind: str, tone: str) -> Layer:
    return lambda base, look: (
        base.transform_filter(only(kind))
        .mark_bar(color=getattr(look, tone), width=9)
        .encode(
            tooltip=[alt.Tooltip("x:Q", title="jobs"), alt.Tooltip("y:Q", format=".3~%", title="share of the time")]
        )
    )


def metrics(design: Design) -> list[Metric]:
    """Jobs that write on average and at most, and for how long too many do."""
    over = f.share(design.crowd_over, 2)
    return [
        Metric("Jobs writing, mean", f.significant(design.crowd_mean, 2), "whenever they start"),
        Metric("Jobs writing, most", f.significant(design.crowd_most), f"of {f.significant(design.jobs)}"),
        Metric("More than reserved for", over, f"reserved for {design.reserved}", design.crowd_over == 0),
    ]


def verdict(design: Design) -> Verdict:
    """Say for how long more jobs write than bandwidth is reserved for."""
    enough = design.crowd_over == 0
    return Verdict(say("jobs_never_more" if enough else f"jobs_{design.phases}", design), enough)


def words(design: Design) -> str:
    """Say what the jobs do."""
    return say("jobs_words", design)
