"""I/O bottleneck, part 5: randomness of the order after a shuffle buffer."""

from lessons.io_bottleneck.laboratory.cache import SHARES
from lessons.io_bottleneck.settings import Job, say
from physics.dataloading.pipeline import shuffle_randomness
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks


@chart(say, "shuffle")
def figure(job: Job) -> Rows:
    """Chart of the randomness against the buffer size."""
    share = job.buffered / job.samples
    randomness = f.share(job.mixed)
    sizes = [max(1, round(share * job.samples)) for share in SHARES]
    curve = [shuffle_randomness(size, job.samples) for size in sizes]
    style = {"dx": -10 if share > 0.5 else 12, "dy": -13, "short": randomness}
    return [
        {"kind": "curve", "x": SHARES, "y": curve},
        *marks.here(share, job.mixed, f"you are here: {randomness}", **style),
    ]


view = View("shuffle", figure=figure)
