"""I/O bottleneck, part 3: buffer depth that absorbs the jitter, by a formula and by simulation."""

import math

from lessons.io_bottleneck.settings import DEPTHS, LEAST, Job, say, seldom
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture


def verdict(job: Job) -> Verdict:
    """Return the verdict on whether the buffer is deep enough, and on the necessary depth."""
    if job.reading >= 1:
        return Verdict(say("runs_dry", job), False)
    if job.prefetch_depth == 0:
        return Verdict(say("turns", job), False)
    enough = job.stalled <= k.IO_STALL
    return Verdict(say("deep_enough" if enough else "too_shallow", job), enough)


@picture(
    say,
    "jitter",
    "How deep a buffer absorbs the jitter?",
    axes.x(
        "depth:Q",
        "prefetch depth (batches)",
        [0.9, 72],
        type="log",
        base=2,
        values=[2**n for n in range(7)],
        format="d",
    ),
    axes.y(
        "share:Q",
        "steps that wait",
        [LEAST, 2.5],
        type="log",
        values=[0.001, 0.01, 0.1, 1],
        format="~%",
    ),
    level("target", "good"),
    line("rule", "quiet", (6, 3)),
    line("curve"),
    lines=("curve",),
    grab=Grab("prefetch_depth", says="batch|batches"),
)
def figure(job: Job) -> list[marks.Row]:
    """Chart of the simulated depths, the formula, and the current job."""
    runs = [run for run in job.buffers if run.stalled >= LEAST]
    rows = [
        {"kind": "curve", "x": [run.depth for run in runs], "y": [run.stalled for run in runs]},
        *marks.limit("target", 1, float(k.IO_STALL), f"target {f.share(k.IO_STALL)}", dy=-10),
    ]
    if job.reading < 1 and job.scv:
        tail = {depth: math.exp(-2 * (1 - job.reading) * depth / job.scv) for depth in DEPTHS}
        drawn = {depth: share for depth, share in tail.items() if share >= LEAST}
        rows.append({"kind": "rule", "x": list(drawn), "y": list(drawn.values())})
    if job.prefetch_depth:
        here = seldom(job.stalled)
        if job.prefetch_depth > 8:
            dx = -8
        else:
            dx = 10
        looks = {"short": here, "dx": dx, "dy": -11}
        rows += marks.here(
            job.prefetch_depth, max(job.stalled, LEAST), f"you are here: {here}", **looks
        )
    return rows
