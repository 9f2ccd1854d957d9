"""I/O bottleneck, part 4: share of reads served by a cache after the first epoch."""

import numpy as np

from lessons.io_bottleneck.settings import Job, say
from physics.dataloading import lru_hit_share
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Sizes of a cache or a buffer, as shares of the data.
SHARES = np.linspace(0, 1, 41).tolist()


@chart(say, "cache")
def figure(job: Job) -> Rows:
    """Chart of the share of reads served by both kinds of cache, with the current job."""
    lru = {"short": "LRU", "tone": "accent", "align": "right"}
    side = {"dx": -10 if job.cached > 0.35 else 10, "dy": -12}
    return [
        {"kind": "keep", "x": SHARES, "y": SHARES},
        {"kind": "curve", "x": SHARES, "y": [lru_hit_share(share) for share in SHARES]},
        marks.label(0.3, 0.3, "drops nothing", short="no drops", tone="good", dx=-10, dy=-8),
        marks.label(1, 0.1, "drops the least recently used", **lru),
        marks.point(job.cached, job.cached, tone="good"),
        *marks.here(job.cached, job.hits, "you are here", **side),
    ]


view = View("cache", figure=figure)
