"""I/O bottleneck, part 4: what a cache serves from the second epoch on."""

import numpy as np

from lessons.io_bottleneck.settings import Job, say
from physics.dataloading import lru_hit_share
from ui.base.lesson import Figure
from ui.charts import Look, axes, line, marks, plane, stack

ROOM = np.linspace(0, 1, 41).tolist()


@plane
def _spec(look: Look) -> tuple:
    """Share of reads that a cache serves against the share of the data that it holds, for both kinds."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    return (
        axes.x("room:Q", "share of the data for which there is room", [-0.02, 1.02], format=".0%", values=ticks),
        axes.y("served:Q", "reads served from memory", [-0.02, 1.12], format=".0%", values=ticks),
        line("keep", "good", (8, 3), width=2),
        line("curve"),
    )


def figure(job: Job, look: Look) -> Figure:
    """Draw what both kinds of cache serve, and what this job's do."""
    found = [
        {"kind": "keep", "x": ROOM, "y": ROOM},
        {"kind": "curve", "x": ROOM, "y": [lru_hit_share(x) for x in ROOM]},
        marks.label(0.3, 0.3, "keeps what it has", short="keeps", tone="good", dx=-10, dy=-8),
        marks.label(1, 0.1, "drops the least recently used", short="LRU", tone="accent", align="right"),
        marks.point(job.cached, job.cached, tone="good"),
        marks.point(job.cached, job.hits, size=130, role="here"),
        marks.label(job.cached, job.hits, "you are here", bold=True, dx=-10 if job.cached > 0.35 else 10, dy=-12),
    ]
    rows = stack(marks.renamed(found, "room", "served"))
    title = "What does a cache serve from the second epoch on?"
    return Figure("cache", title, rows, _spec(look), say("cache_chart", job), ("curve",))
