"""I/O bottleneck: what a cache serves from the second epoch on. No Streamlit in here."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.io_bottleneck.settings import KEEP, LRU, Job
from physics.dataloading import lru_hit_share
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

NAMES = {KEEP: "keeps what it has", LRU: "least recently used goes"}
ROOM = np.linspace(0, 1, 41).tolist()


def rows(job: Job) -> list[dict[str, object]]:
    """Rows of the chart: room of the cache and share of the reads it serves, a curve for each rule, and this job."""
    served = {KEEP: ROOM, LRU: [lru_hit_share(x) for x in ROOM]}
    found = [{"kind": rule, "x": ROOM, "y": served[rule], "label": NAMES[rule]} for rule in NAMES]
    found.append(marks.label(0.4, 0.4, NAMES[KEEP], short="keeps", align="right", dx=-6, dy=-10, tone="good"))
    found.append(marks.label(0.8, lru_hit_share(0.8), NAMES[LRU], short="LRU", dx=-4, dy=16, tone="accent"))
    here = f"you are here: {f.share(job.hits)}"
    side = {"align": "right", "dx": -10, "dy": -14} if job.cached > 0.6 and job.cache == KEEP else {"dx": 10, "dy": 16}
    if job.cache == LRU:
        side = {"align": "right", "dx": -4, "dy": -16} if job.cached > 0.4 else {"dx": 10, "dy": -14}
    found.append(marks.point(job.cached, job.hits, size=130))
    found.append(marks.label(job.cached, job.hits, here, short=f.share(job.hits), bold=True, **side))
    return marks.renamed(found, "room", "served")


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Share of reads that a cache serves against the share of the data that it holds, for both rules."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    base = alt.Chart().encode(
        x=axes.x("room:Q", "share of the data for which there is room", [0, 1.02], format=".0%", values=ticks),
        y=axes.y("served:Q", "reads served from memory", [0, 1.1], format=".0%", values=ticks),
    )
    tooltip = [alt.Tooltip("room:Q", format=".1%"), alt.Tooltip("served:Q", format=".1%"), "label:N"]
    lines = [
        base.transform_filter(only(rule)).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash)
        for rule, color, dash in ((KEEP, look.good, [8, 3]), (LRU, look.accent, [1, 0]))
    ]
    layers = [*(line.encode(tooltip=tooltip) for line in lines), marks.points(base, look), marks.labels(base, look)]
    return specification(alt.layer(*layers), look, halo=False)


def words(job: Job) -> str:
    """What an epoch gets from memory, beside the other rule and the first epoch, in words."""
    if job.cached == 0:
        return (
            "Nothing is cached: every epoch reads all of its samples from the store, the second as slowly as the first."
        )
    busy = {rule: f.share(replace(job, cache=rule).utilization) for rule in NAMES}
    first, room = f.share(replace(job, cached=0.0).utilization), f.share(job.cached)
    start = f"The first epoch finds an empty cache: {first} busy. From the second on,"
    if job.cached == 1:
        return f"{start} all reads are served from memory: {busy[job.cache]} busy."
    lru = f.share(lru_hit_share(job.cached))
    if job.cache == LRU:
        return (
            f"{start} {lru} of the reads are served from memory that has room for {room}: {busy[LRU]} busy. Every "
            "sample has one turn an epoch, so what was not used for longest is due soonest, and that is what is "
            f"dropped. A cache that keeps what it has serves {room}: {busy[KEEP]} busy."
        )
    return (
        f"{start} {room} of the reads are served from memory, as much as it has room for: {busy[KEEP]} busy. A cache "
        f"that drops what was not used for longest serves {lru}: {busy[LRU]} busy."
    )


def alt_words(job: Job) -> str:
    """The chart in one sentence."""
    room = job.cached or 0.5  # with nothing cached both serve nothing, and what half would do says more
    return (
        f"Share of the reads served from memory against the share of the data that it holds: with room for "
        f"{f.share(room)} a cache that keeps what it has serves {f.share(room)}, one that drops the least "
        f"recently used {f.share(lru_hit_share(room))}."
    )


@lru_cache(maxsize=128)
def figure(job: Job, look: Look) -> Figure:
    """Draw what both kinds of cache serve."""
    title = "What does a cache serve from the second epoch on?"
    return Figure("cache", title, stack(rows(job)), spec(look), alt_words(job))
