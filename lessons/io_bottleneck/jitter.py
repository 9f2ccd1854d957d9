"""I/O bottleneck, part 3: how deep a buffer absorbs the jitter, the rule beside a simulation."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.io_bottleneck.settings import Job, say
from physics import constants as k
from physics.dataloading.prefetching import PrefetchRun, shallowest, simulate_depths
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import Look, axes, level, line, marks, plane, stack

#: The chart ends here: smaller shares are too rare in the simulation to be told apart.
LEAST = 1e-3
DEPTHS = tuple(range(1, int(k.IO_PREFETCH_DEPTH.high) + 1))


@lru_cache(maxsize=64)
def runs_of(reading: float, scv: float) -> tuple[PrefetchRun, ...]:
    """Simulate every depth of the knob on the same random times."""
    sizes = {"steps": 1000, "warmup": 1000, "replications": 100}
    return tuple(simulate_depths(DEPTHS, reading, scv, 0.0, **sizes, rng=np.random.default_rng(20260301)))


def stalled(job: Job) -> float:
    """Share of the steps that wait for their batch [1]; all of them if nothing is read ahead."""
    return runs_of(job.reading, job.scv)[job.prefetch_depth - 1].stalled if job.prefetch_depth else 1.0


def waiting(share: float) -> str:
    """Write a simulated share of waiting steps; one that is hardly ever seen gets no number."""
    return f.share(share, 2) if share >= LEAST else f"less than {f.share(LEAST)}"


def metrics(job: Job) -> list[Metric]:
    """The numbers beside the buffer."""
    steady = replace(job, scv=0.0).jittered
    return [
        Metric("GPUs busy, with jitter", f.share(job.jittered), f"{f.share(steady)} without jitter"),
        Metric("Steps that wait", waiting(stalled(job)), f"at most {f.share(k.IO_STALL)} wanted"),
        Metric("Depth by the rule", f.significant(job.depth_rule), "batches"),
    ]


def verdict(job: Job) -> Verdict:
    """Say whether the buffer is deep enough, and what it takes."""
    if job.reading >= 1:
        return Verdict(say("runs_dry", job), False)
    if job.prefetch_depth == 0:
        return Verdict(say("turns", job), False)
    need, share = shallowest(runs_of(job.reading, job.scv), k.IO_STALL), waiting(stalled(job))
    if stalled(job) <= k.IO_STALL:
        return Verdict(say("deep_enough", job, share=share), True)
    need = f.count(need, "batch", "batches") if need <= DEPTHS[-1] else f"more than {DEPTHS[-1]} batches"
    return Verdict(say("too_shallow", job, share=share, need=need), False)


@plane
def _spec(look: Look) -> tuple:
    """Share of steps that wait against the depth of the buffer: simulation and rule."""
    ticks, shares = [1, 2, 4, 8, 16, 32, 64], [0.001, 0.01, 0.1, 1]
    return (
        axes.x("depth:Q", "prefetch depth (batches)", [0.9, 72], type="log", base=2, values=ticks, format="d"),
        axes.y("share:Q", "steps that wait", [LEAST, 2.5], type="log", values=shares, format="~%"),
        level("target", "good"),
        line("rule", "quiet", (6, 3)),
        line("curve"),
    )


def figure(job: Job, look: Look) -> Figure:
    """Draw the simulated depths, the rule, and where this job is."""
    runs = [run for run in runs_of(job.reading, job.scv) if run.stalled >= LEAST]
    found: list[dict[str, object]] = [
        {"kind": "target", "y": float(k.IO_STALL)},
        {"kind": "curve", "x": [run.depth for run in runs], "y": [run.stalled for run in runs]},
        marks.label(1, float(k.IO_STALL), f"target {f.share(k.IO_STALL)}", dy=-10, tone="good"),
    ]
    if job.reading < 1 and job.scv:
        tail = {depth: math.exp(-2 * (1 - job.reading) * depth / job.scv) for depth in DEPTHS}
        drawn = {depth: share for depth, share in tail.items() if share >= LEAST}
        found.append({"kind": "rule", "x": list(drawn), "y": list(drawn.values())})
    if job.prefetch_depth:
        at, here, dx = max(stalled(job), LEAST), waiting(stalled(job)), -8 if job.prefetch_depth > 8 else 10
        found.append(marks.point(job.prefetch_depth, at, size=130, role="here"))
        words = f"you are here: {here}"
        found.append(marks.label(job.prefetch_depth, at, words, short=here, bold=True, dx=dx, dy=-11))
    rows, words = stack(marks.renamed(found, "depth", "share")), say("jitter_chart", job, share=waiting(stalled(job)))
    title, grab = "How deep a buffer absorbs the jitter?", Grab("prefetch_depth")
    return Figure("jitter", title, rows, _spec(look), words, ("curve",), grab)
