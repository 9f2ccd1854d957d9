"""I/O bottleneck: the utilization of the GPUs against the number of loader workers."""

from dataclasses import replace

from lessons.io_bottleneck.settings import Job, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

WORKERS = range(int(k.IO_WORKERS.low), int(k.IO_WORKERS.high) + 1)


@chart(say, "crew")
def figure(job: Job) -> Rows:
    """Chart of utilization against workers, with the target and the limit of the cores."""
    utilization = [replace(job, workers=workers).utilization for workers in WORKERS]
    rows = [
        {"kind": "curve", "x": list(WORKERS), "y": utilization},
        *marks.limit("target", 0, job.goal, f"target {f.share(job.goal)}", dx=6, dy=-10),
    ]
    limit = job.cores_limit
    if limit < 1:
        words = f"{job.cores} CPU cores: at most {f.share(limit)}"
        style = {"dx": -6, "dy": 34, "tone": "bad", "short": f"cores: {f.share(limit)}"}
        rows += marks.limit("cores", 16.8, limit, words, **style)
    side = {"dx": 14, "dy": 14}
    if job.workers > 8:
        side = {"dx": -10, "dy": 18}
    rows += marks.here(job.workers, job.utilization, "you are here", **side)
    return rows


view = View("crew", figure=figure)
sample = replace(view, id="sample")
