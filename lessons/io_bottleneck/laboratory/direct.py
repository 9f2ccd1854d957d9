"""I/O bottleneck, part 6: time saved by a read that bypasses the CPU's memory."""

from dataclasses import replace

import numpy as np

from lessons.io_bottleneck.settings import Job, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Sizes of a sample [MB].
SIZES = np.geomspace(4e-3, 1e3, 61).tolist()
#: Limit of the saved share for ever larger samples [1].
MOST = k.IO_STREAM_BANDWIDTH / k.IO_MEMORY_BANDWIDTH
#: Size of one of the reflection's volumes [MB].
VOLUME = 60.0


def saved(job: Job, megabytes: float) -> float:
    """Share of the time per sample that direct reads save, for samples of this size [MB]."""
    return replace(job, sample_size=megabytes * k.MB).direct_saving


@chart(say, "direct", x=[SIZES[0], SIZES[-1]])
def figure(job: Job) -> Rows:
    """Chart of the saved share against the sample size, with two example samples."""
    of_volume = saved(job, VOLUME)
    short = f.share(job.direct_saving, 2)
    words = f"samples in the message: {short}"
    return [
        {"kind": "curve", "x": SIZES, "y": [saved(job, size) for size in SIZES]},
        *marks.limit("most", SIZES[0], MOST, f"at most {f.share(MOST)}", dx=6, dy=-9, tone="quiet"),
        marks.point(VOLUME, of_volume, tone="quiet"),
        marks.label(VOLUME, of_volume, f"a volume of 60 MB: {f.share(of_volume, 2)}", dx=10, dy=14),
        *marks.here(job.sample_size / k.MB, job.direct_saving, words, short=short, dx=8, dy=-14),
    ]


view = View("direct", figure=figure)
