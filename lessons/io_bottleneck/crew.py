"""I/O bottleneck: the utilization of the GPUs against the number of loader workers."""

from dataclasses import replace

from lessons.io_bottleneck.settings import Job, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab
from ui.charts import axes, level, line, marks, picture

WORKERS = range(int(k.IO_WORKERS.low), int(k.IO_WORKERS.high) + 1)
SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1]


@picture(
    say,
    "crew",
    "How many workers keep the GPUs busy?",
    axes.x("workers:Q", "loader workers per GPU", [0, 16.8], values=[1, 4, 8, 12, 16]),
    axes.y("share:Q", "accelerator utilization", [0, 1.08], format=".0%", values=SHARES),
    level("target", "good"),
    level("cores", "bad", (3, 3)),
    line("curve"),
    lines=("curve",),
    grab=Grab("workers"),
)
def figure(job: Job) -> list[marks.Row]:
    """Chart of utilization against workers, with the target, the limit of the cores, and the
    current job.
    """
    utilization = [replace(job, workers=workers).utilization for workers in WORKERS]
    target = float(k.IO_TARGET)
    drawn = [
        {"kind": "curve", "x": list(WORKERS), "y": utilization},
        *marks.limit("target", 0, target, f"target {f.share(target)}", dx=6, dy=-10),
    ]
    limit = job.cores_limit
    if limit < 1:
        words = f"{job.cores} CPU cores: at most {f.share(limit)}"
        short = f"cores: {f.share(limit)}"
        looks = {"dx": -6, "dy": 34, "tone": "bad", "short": short}
        drawn += marks.limit("cores", 16.8, limit, words, **looks)
    right = job.workers > 8
    looks = {"dx": -10 if right else 14, "dy": 18 if right else 14}
    return [*drawn, *marks.here(job.workers, job.utilization, "you are here", **looks)]
