"""Scheduling policy, second picture: one simulated week, GPU by GPU."""

from functools import lru_cache
from itertools import pairwise

import altair as alt
import numpy as np
import pandas as pd

from lessons.scheduling_policy.queue import lines
from lessons.scheduling_policy.runs import CLASSES, schedule
from lessons.scheduling_policy.settings import Scenario, say
from physics import constants as k
from physics.scheduling.lanes import assign_lanes, idle_lanes
from physics.scheduling.schedule import Schedule
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes
from ui.charts.look import NARROW, Look, specification

WEEK = 7 * float(k.DAY)
IDLE, WAITING, SLICE = "idle, nobody waits", "idle, kept for the head of the queue", "idle, reserved slice"


def week_of(scenario: Scenario) -> int:
    """Return the week (1, 2, …) in which most jobs wait under FIFO in the first replication."""
    days, first, _ = lines(scenario)
    return 1 + int(days[int(np.argmax(first))] // 7)


def figure(scenario: Scenario, look: Look) -> Figure:
    """Which GPUs work, which are idle, and why, in that week."""
    week = week_of(scenario)
    frame = _week(scenario.effective, week)
    area = (frame["end"] - frame["start"]) * (frame["high"] - frame["low"])
    used, kept = (float(area[frame["state"].isin(states)].sum() / area.sum()) for states in (CLASSES, (WAITING,)))
    words = say("week_chart", scenario, week=str(week), used=f.share(used), kept=f.share(kept, 2))
    title = f"Which GPUs work, which are idle, and why? Week {week} of that run"
    return Figure("week", title, frame, _spec(look), words)


def words(scenario: Scenario) -> str:
    """Return what is drawn."""
    return say("week_words", scenario)


@lru_cache(maxsize=8)
def _week(plain: Scenario, week: int) -> pd.DataFrame:
    begin = (week - 1) * WEEK
    one = schedule(plain, 0)
    runs = one.runs[one.runs["start"] < begin + WEEK]
    pieces = assign_lanes(runs, plain.fleet)
    busy = pieces[(pieces["end"] > begin) & (pieces["start"] < begin + WEEK)]
    jobs = one.jobs.iloc[runs["row"].to_numpy()[busy["run"].to_numpy()]]
    words = [
        f"{gpus} GPUs for {f.duration(length)}"
        for gpus, length in zip(jobs["gpus"], (busy["end"] - busy["start"]).to_numpy(), strict=True)
    ]
    busy = busy.assign(state=jobs["job_class"].to_numpy(), words=words).drop(columns="run")
    idle = _split(idle_lanes(pieces, plain.fleet, begin, begin + WEEK), one, runs, plain, begin)
    both = pd.concat([idle, busy], ignore_index=True)
    both["start"] = both["start"].clip(lower=begin) / float(k.DAY)
    both["end"] = both["end"].clip(upper=begin + WEEK) / float(k.DAY)
    return both[["start", "end", "low", "high", "state", "words"]]


def _split(idle: pd.DataFrame, one: Schedule, runs: pd.DataFrame, plain: Scenario, begin: float) -> pd.DataFrame:
    """Cut idle stretches where their reason changes, and name it.

    Which of the idle GPUs belong to the reserved slice is bookkeeping: the highest free lanes are drawn as the slice.
    """
    line = one.timeline
    times, queued = line["time"].to_numpy(), line["queue_length"].to_numpy()
    mine = runs[(one.jobs["job_class"].to_numpy() == "interactive")[runs["row"].to_numpy()]]
    inside = (times > begin) & (times < begin + WEEK)
    cuts = np.unique(np.concatenate(([begin, begin + WEEK], times[inside])))
    starts, ends = np.sort(mine["start"].to_numpy()), mine.sort_values("end")
    used_in = np.concatenate(([0], np.cumsum(mine.sort_values("start")["gpus"].to_numpy())))
    used_out = np.concatenate(([0], np.cumsum(ends["gpus"].to_numpy())))
    last = ends["end"].to_numpy()
    low, high = idle["low"].to_numpy(), idle["high"].to_numpy()
    first, until = idle["start"].to_numpy(), idle["end"].to_numpy()
    open_pieces: dict[tuple[int, int, str], float] = {}
    rows = []
    for moment, _ in pairwise(cuts):
        here = np.flatnonzero((first <= moment) & (until > moment))
        used = (
            used_in[np.searchsorted(starts, moment, side="right")]
            - used_out[np.searchsorted(last, moment, side="right")]
        )
        left = max(0, plain.reserved - int(used))
        waits = queued[max(0, np.searchsorted(times, moment, side="right") - 1)] > 0
        now = set()
        for place in here[np.argsort(-high[here])]:
            top = min(left, int(high[place] - low[place]))
            left -= top
            if top:
                now.add((int(high[place]) - top, int(high[place]), SLICE))
            if high[place] - top > low[place]:
                now.add((int(low[place]), int(high[place]) - top, WAITING if waits else IDLE))
        for piece in [piece for piece in open_pieces if piece not in now]:
            rows.append((open_pieces.pop(piece), moment, *piece))
        for piece in now:
            open_pieces.setdefault(piece, moment)
    rows += [(since, begin + WEEK, *piece) for piece, since in open_pieces.items()]
    frame = pd.DataFrame(sorted(rows), columns=["start", "end", "low", "high", "state"])
    return frame.assign(words="")


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Specification of the Gantt chart of a week."""
    series = look.series
    color = alt.Color(
        "state:N",
        scale=alt.Scale(
            domain=[*CLASSES, IDLE, WAITING, SLICE], range=[*series[:3], look.faint, look.quiet, series[3]]
        ),
        legend=alt.Legend(
            title=None,
            orient="top",
            columns=alt.ExprRef(f"{NARROW} ? 2 : 3"),
            labelExpr=f"{NARROW} ? replace(datum.label, /( of the queue|idle, (?=[nr]))/, '') : datum.label",
            labelLimit=400,
            symbolType="square",
        ),
    )
    bars = (
        alt.Chart()
        .mark_rect(stroke=look.paper, strokeWidth=0.4)
        .encode(
            x=axes.x("start:Q", "day", zero=False),
            x2=alt.X2("end:Q"),
            y=axes.y("low:Q", "GPU"),
            y2=alt.Y2("high:Q"),
            color=color,
            tooltip=[alt.Tooltip("state:N"), alt.Tooltip("words:N", title="job")],
        )
    )
    return specification(alt.layer(bars), look, height=330)
