"""Scheduling policy, second picture: one simulated week, GPU by GPU."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from lessons.scheduling_policy.runs import CLASSES, MOMENTS, fifo, first
from lessons.scheduling_policy.settings import DAY, Scenario, say
from physics.scheduling.schedule import Schedule, busy_lanes, idle_lanes
from ui.base.lesson import Figure, View
from ui.charts import NARROW, Look, axes, specification, stack

WEEK = 7 * DAY
IDLE = "idle, nobody waits"
WAITING = "idle while jobs wait"


def week_of(scenario: Scenario) -> int:
    """Return the week (1, 2, …) in which most jobs wait under FIFO in the first replication."""
    return 1 + int(np.argmax(first(fifo(scenario)).queue_at(MOMENTS))) // 28


def figure(scenario: Scenario, look: Look) -> Figure:
    """Chart of busy and idle GPUs in the selected week."""
    week = week_of(scenario)
    span = ((week - 1) * WEEK, week * WEEK)
    schedule = first(scenario.effective)
    words = say("week_chart", scenario, week=week, kept=schedule.idle_beside_queue(*span))
    title = f"Which GPUs work, and which are idle? Week {week} of that run"
    return Figure("week", title, _rectangles(schedule, *span), _spec(look), words)


def _rectangles(schedule: Schedule, begin: float, end: float) -> pa.Table:
    """Table of busy and idle rectangles of GPUs and time [days] between two times [s]."""
    busy = busy_lanes(schedule, begin, end)
    jobs = schedule.jobs.iloc[busy.pop("row")]
    busy = busy.assign(state=jobs["job_class"].to_numpy(), gpus=jobs["gpus"].to_numpy())
    idle = idle_lanes(busy, schedule, begin, end)
    idle = idle.assign(state=np.where(idle.pop("queued"), WAITING, IDLE))
    both = pd.concat([idle, busy], ignore_index=True)
    both["start"] = both["start"].clip(lower=begin) / DAY
    both["end"] = both["end"].clip(upper=end) / DAY
    return stack([dict(both)])


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Specification of the Gantt chart of a week."""
    colors = alt.Scale(
        domain=[*CLASSES, IDLE, WAITING], range=[*look.series[:3], look.faint, look.quiet]
    )
    columns = alt.ExprRef(f"{NARROW} ? 2 : 3")
    legend = alt.Legend(
        title=None, orient="top", columns=columns, labelLimit=400, symbolType="square"
    )
    rectangles = alt.Chart().mark_rect(stroke=look.paper, strokeWidth=0.4)
    bars = rectangles.encode(
        x=axes.x("start:Q", "day", zero=False),
        x2=alt.X2("end:Q"),
        y=axes.y("low:Q", "GPU"),
        y2=alt.Y2("high:Q"),
        color=alt.Color("state:N", scale=colors, legend=legend),
        tooltip=["state:N", "gpus:Q"],
    )
    return specification(alt.layer(bars), look, height=330)


view = View("week", figure=figure)
