"""I/O bottleneck, part 5: how random the order is when shards are read in sequence through a shuffle buffer."""

import numpy as np

from lessons.io_bottleneck.settings import Job, say
from physics.dataloading.pipeline import shuffle_randomness
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, line, marks, plane, stack

HELD = np.linspace(0, 1, 41).tolist()


@plane
def _spec(look: Look) -> tuple:
    """Randomness of the order against the share of the samples that the buffer holds."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    return (
        axes.x("held:Q", "share of the samples that the buffer holds", [-0.01, 1.02], format=".0%", values=ticks),
        axes.y("mixed:Q", "randomness of the order", [-0.02, 1.15], format=".0%", values=ticks),
        line("curve"),
    )


def figure(job: Job, look: Look) -> Figure:
    """Draw the randomness for every size of the buffer."""
    held, here = job.buffered / job.samples, f.share(job.mixed)
    mixed = [shuffle_randomness(max(1, round(part * job.samples)), job.samples) for part in HELD]
    found = [
        {"kind": "curve", "x": HELD, "y": mixed},
        marks.point(held, job.mixed, size=130, role="here"),
        marks.label(
            held, job.mixed, f"you are here: {here}", short=here, bold=True, dx=-10 if held > 0.5 else 12, dy=-13
        ),
    ]
    title = "How random is an order that passes through a buffer?"
    rows = stack(marks.renamed(found, "held", "mixed"))
    return Figure("shuffle", title, rows, _spec(look), say("shuffle_chart", job))
