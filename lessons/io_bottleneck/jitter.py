"""I/O bottleneck: how deep a buffer absorbs the jitter, the rule beside a simulation. No Streamlit in here."""

import math
from functools import lru_cache, partial

import altair as alt
import numpy as np
import pandas as pd

from lessons.io_bottleneck.settings import Job
from physics import constants as k
from physics.dataloading import prefetch_depth_for
from physics.dataloading.prefetching import PrefetchRun, shallowest, simulate_depths
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import axes
from ui.charts.look import Look, label, only, specification

#: The chart ends here: smaller shares are too rare in the simulation to be told apart.
LEAST_SHARE = 1e-3
DEPTHS = tuple(range(1, int(k.IO_PREFETCH_DEPTH.high) + 1))


@lru_cache(maxsize=64)
def runs_of(reader_load: float, io_scv: float, compute_scv: float) -> tuple[PrefetchRun, ...]:
    """Simulate every depth of the knob on the same random times."""
    rng = np.random.default_rng(20260301)
    return tuple(
        simulate_depths(DEPTHS, reader_load, io_scv, compute_scv, steps=1000, warmup=1000, replications=100, rng=rng)
    )


def caption(job: Job) -> str:
    """Depth wanted by the rule and by the simulation, in one or two sentences."""
    load, stall = job.reader_load, f.share(k.IO_STALL)
    turns = "" if job.prefetch_depth else " At a depth of 0, as set now, every step waits for its own batch."
    if load >= 1:
        return (
            f"Reading a batch takes {_as_long(load)} as computing on it. Every buffer runs dry, whatever its "
            f"depth: first make the mean rate sufficient, then think of depth.{turns}"
        )
    rule = prefetch_depth_for(load, job.scv, job.compute_scv, k.IO_STALL)
    need = shallowest(runs_of(load, job.scv, job.compute_scv), k.IO_STALL)
    simulated = f"{need} in the simulation" if need <= DEPTHS[-1] else f"more than {DEPTHS[-1]} in the simulation"
    text = (
        f"Reading a batch takes {f.share(load)} of the time that computing on it takes. For at most {stall} of "
        f"steps to wait, the rule asks for a depth of {f.significant(max(rule, 1), 6)}, against {simulated}."
    )
    return (
        text
        + " The rule is one of magnitude: between half and 3.4 times the simulated need in the cases tried."
        + turns
    )


def _as_long(load: float) -> str:
    return "as long" if load == 1 else f"{f.times(load, 3)} as long"


def frame(job: Job) -> pd.DataFrame:
    """Rows of the jitter chart: depth, share of steps that wait, its interval, label, by kind."""
    load, stall = job.reader_load, float(k.IO_STALL)
    runs = runs_of(load, job.scv, job.compute_scv)
    rows: list[tuple[str, float, float, float, float, str]] = []

    def add(kind: str, depth: float, share: float, half: float = 0.0, label: str = "") -> None:
        bounds = (max(value, LEAST_SHARE) for value in (share, share - half, min(share + half, 1.0)))
        rows.append((kind, depth, *bounds, label))

    for run in (run for run in runs if run.stalled >= LEAST_SHARE):
        add("simulated", run.depth, run.stalled, run.stalled_half_width, f"{waiting(run.stalled)} simulated")
    add("target", 1, stall, label=f"target {f.share(stall)}")
    if load < 1 and (jitter := load * job.compute_scv + job.scv) > 0:
        for run in runs:
            share = math.exp(-2 * (1 - load) * run.depth / jitter)
            if share >= LEAST_SHARE:
                add("rule", run.depth, share, label="rule")
        rule, need = prefetch_depth_for(load, job.scv, job.compute_scv, stall), shallowest(runs, stall)
        if 1 <= rule <= DEPTHS[-1]:
            add("rule needs", rule, stall, label=f"rule: {rule}")
        if need <= DEPTHS[-1]:
            add("simulation needs", need, runs[int(need) - 1].stalled, label=f"simulated: {need}")
    if job.prefetch_depth:
        here = runs[job.prefetch_depth - 1]
        side = "left" if here.depth > 8 else "right"
        for kind in ("here", f"here {side}"):
            add(kind, here.depth, here.stalled, label=f"you are here: {waiting(here.stalled)}")
    return pd.DataFrame(rows, columns=["kind", "depth", "share", "low", "high", "label"])


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Share of steps that wait against the depth of the buffer: simulation with interval, and the rule."""
    ticks = [1, 2, 4, 8, 16, 32, 64]
    base = alt.Chart().encode(
        x=axes.x(
            "depth:Q", "prefetch depth (batches, log scale)", [0.9, 72], type="log", base=2, values=ticks, format="d"
        ),
        y=axes.y(
            "share:Q",
            "steps that wait (log scale)",
            [LEAST_SHARE, 2.5],
            type="log",
            values=[0.001, 0.01, 0.1, 1],
            format="~%",
        ),
    )
    tooltip = ["depth:Q", alt.Tooltip("share:Q", format=".2%"), "label:N"]

    def points(kind: str, color: str, **options: object) -> alt.Chart:
        return base.transform_filter(only(kind)).mark_point(color=color, opacity=1, **options).encode(tooltip=tooltip)

    text = partial(label, base, look=look, short="replace(datum.label, 'you are here: ', '')")
    layers = [
        base.transform_filter(only("target"))
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0.9), x2=alt.datum(72)),
        base.transform_filter(only("rule")).mark_line(color=look.quiet, strokeWidth=1.5, strokeDash=[6, 3]),
        base.transform_filter(only("simulated")).mark_rule(color=look.accent).encode(y="low:Q", y2="high:Q"),
        points("simulated", look.accent, filled=True, size=28),
        points("rule needs", look.quiet, filled=True, shape="diamond", size=110),
        points("simulation needs", look.good, filled=True, shape="diamond", size=110),
        points("here", look.accent, filled=True, size=130, stroke=look.paper, strokeWidth=1.5),
        text("target", look.good, align="left", baseline="bottom", dy=-4),
        text("rule needs", look.ink, align="left", baseline="bottom", dx=8, dy=-4),
        text("simulation needs", look.good, align="right", baseline="top", dx=-6, dy=8),
        text("here right", look.ink, align="left", baseline="bottom", dx=10, dy=-4, fontWeight="bold"),
        text("here left", look.ink, align="right", baseline="bottom", dx=-4, dy=-8, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look)


def waiting(share: float) -> str:
    """Write a simulated share of waiting steps; what is hardly ever seen is not given a number."""
    return f.share(share, 2) if share >= LEAST_SHARE else f"less than {f.share(LEAST_SHARE)}"


def words(job: Job) -> str:
    """The jitter chart in one sentence."""
    runs = runs_of(job.reader_load, job.scv, job.compute_scv)
    first, last = runs[0], runs[-1]
    return (
        f"Share of steps that wait for their batch, simulated: {waiting(first.stalled)} at a depth of "
        f"{first.depth}, {waiting(last.stalled)} at {last.depth}."
    )


def figure(job: Job, look: Look) -> Figure:
    """Draw the simulated depths, and those that the rule and the simulation ask for."""
    return Figure(
        "jitter",
        "How deep a buffer absorbs the jitter?",
        frame(job),
        spec(look),
        words(job),
        grab=Grab("prefetch_depth"),
    )
