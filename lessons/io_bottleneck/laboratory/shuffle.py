"""I/O bottleneck, part 5: randomness of the order when shards are read sequentially through a
shuffle buffer.
"""

import numpy as np

from lessons.io_bottleneck.settings import Job, say
from physics.dataloading.pipeline import shuffle_randomness
from ui.base import format as f
from ui.charts import axes, line, marks, picture

HELD = np.linspace(0, 1, 41).tolist()
SHARES = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]}


@picture(
    say,
    "shuffle",
    "How random is an order that passes through a buffer?",
    axes.x("held:Q", "share of the samples that the buffer holds", [-0.01, 1.02], **SHARES),
    axes.y("mixed:Q", "randomness of the order", [-0.02, 1.15], **SHARES),
    line("curve"),
)
def figure(job: Job) -> list[marks.Row]:
    """Chart of the randomness against the buffer size."""
    held = job.buffered / job.samples
    here = f.share(job.mixed)
    mixed = [shuffle_randomness(max(1, round(part * job.samples)), job.samples) for part in HELD]
    side = {"dx": -10 if held > 0.5 else 12, "dy": -13}
    return [
        {"kind": "curve", "x": HELD, "y": mixed},
        *marks.here(held, job.mixed, f"you are here: {here}", short=here, **side),
    ]
