"""I/O bottleneck, timeline: who fetches, decodes, computes and idles in the first steps. No Streamlit in here."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.io_bottleneck.settings import Job, ms
from physics.dataloading.prefetching import timeline
from ui.base.lesson import Figure
from ui.charts import axes
from ui.charts.look import NARROW, Look, specification

STEPS = 5


@lru_cache(maxsize=256)
def frame(job: Job) -> pd.DataFrame:
    """Rows of the timeline: lane, activity, start and end (s), label, for this setting and for the other way."""
    mine = "overlapped" if job.prefetch_depth else "in turns"
    ways = {
        "overlapped": replace(job, prefetch_depth=max(job.prefetch_depth, 1)),
        "in turns": replace(job, prefetch_depth=0),
    }
    rows = []
    for way in (mine, *(other for other in ways if other != mine)):
        mark = "yours" if way == mine else way
        lanes = {"workers": f"{mark}: workers", "accelerator": f"{mark}: GPU"}
        bars = [tuple(row) for row in timeline(ways[way].pipeline, STEPS).to_numpy().tolist()]
        rows += [("bar", lane, *row[:1], *row[2:]) for who, lane in lanes.items() for row in bars if row[1] == who]
    drawn = pd.DataFrame(rows, columns=["kind", "lane", "step", "activity", "start", "end"])
    return drawn.assign(length=drawn["end"].max())


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Five steps from an empty loader: who fetches, decodes, computes and idles when."""
    colors = {"fetch": look.accent, "decode": look.series[3], "compute": look.good, "idle": look.faint}
    color = alt.Color(
        "activity:N",
        scale=alt.Scale(domain=list(colors), range=list(colors.values())),
        legend=alt.Legend(orient="top", title=None, columns=alt.ExprRef(f"{NARROW} ? 2 : 4"), symbolStrokeWidth=0),
    )
    base = alt.Chart().encode(
        x=axes.x("start:Q", "time since the start (s)", tickCount=alt.ExprRef(f"{NARROW} ? 4 : 8")),
        y=axes.y("lane:N", None, sort=None, labelLimit=200, labelOverlap=False, ticks=False, domain=False),
    )
    bars = base.mark_bar(stroke=look.quiet, strokeWidth=0.75).encode(
        x2="end:Q",
        color=color,
        tooltip=[
            "step:Q",
            "activity:N",
            alt.Tooltip("start:Q", format=".4~g", title="from (s)"),
            alt.Tooltip("end:Q", format=".4~g", title="to (s)"),
        ],
    )
    names = (
        base.transform_calculate(middle="(datum.start + datum.end) / 2")
        .mark_text(fontSize=look.text_size - 1)
        .encode(
            x=alt.X("middle:Q", title="time since the start (s)"),
            text="activity:N",
            color=alt.condition("datum.activity === 'idle'", alt.value(look.ink), alt.value(look.paper)),
            opacity=alt.condition(_fits(look), alt.value(1), alt.value(0)),
        )
    )
    return specification(alt.layer(bars, names), look, height=330 if look.present else 230, halo=False)


def _fits(look: Look) -> str:
    """Vega expression: a bar is wide enough on this screen for the name of its activity."""
    return f"(datum.end - datum.start) / datum.length * width > {0.62 * look.text_size} * length(datum.activity) + 4"


def words(job: Job) -> str:
    """The timeline in one sentence."""
    drawn = frame(job)
    mine = drawn["lane"].str.startswith("yours")
    ends = drawn["end"][mine].max(), drawn["end"][~mine].max()
    ways = ("overlapped", "in turns") if job.prefetch_depth else ("in turns", "overlapped")
    return (
        f"Five steps from an empty loader, every time at its mean: reading and computing {ways[0]} take {ms(ends[0])}, "
        f"{ways[1]} they would take {ms(ends[1])}."
    )


def figure(job: Job, look: Look) -> Figure:
    """Draw the first steps."""
    title = "Who works and who waits in the first five steps?"
    return Figure("timeline", title, frame(job), spec(look), words(job))
