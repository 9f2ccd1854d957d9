"""I/O bottleneck, part 3: buffer depth that absorbs the jitter, by a formula and by simulation."""

import math

from lessons.io_bottleneck.settings import DEPTHS, LEAST, Job, say, seldom
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks


@verdict_of(say)
def verdict(job: Job) -> Outcome:
    """Return the verdict on whether the buffer is deep enough, and on the necessary depth."""
    if job.reading >= 1:
        return "runs_dry", False
    if job.prefetch_depth == 0:
        return "turns", False
    enough = job.stalled <= k.IO_STALL
    return "deep_enough" if enough else "too_shallow", enough


@chart(say, "jitter", y=[LEAST, 2.5])
def figure(job: Job) -> Rows:
    """Chart of the simulated depths, the formula, and the current job."""
    runs = [run for run in job.buffers if run.stalled >= LEAST]
    rows = [
        {"kind": "curve", "x": [run.depth for run in runs], "y": [run.stalled for run in runs]},
        *marks.limit("target", 1, float(k.IO_STALL), f"target {f.share(k.IO_STALL)}", dy=-10),
    ]
    if job.reading < 1 and job.scv:
        shares = {depth: math.exp(-2 * (1 - job.reading) * depth / job.scv) for depth in DEPTHS}
        visible = {depth: share for depth, share in shares.items() if share >= LEAST}
        rows.append({"kind": "rule", "x": list(visible), "y": list(visible.values())})
    depth = job.prefetch_depth
    if depth:
        share = seldom(job.stalled)
        style = {"short": share, "dx": -8 if depth > 8 else 10, "dy": -11}
        rows += marks.here(depth, max(job.stalled, LEAST), f"you are here: {share}", **style)
    return rows


view = View("jitter", figure=figure, verdict=verdict)
