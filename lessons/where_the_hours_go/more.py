"""Where the hours go: the time to the result against the number of GPUs."""

from dataclasses import replace

from lessons.where_the_hours_go.settings import Center, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Top of the chart [h].
TOP = 14.0
#: Numbers of GPUs that the slider offers.
STEP = int(k.HOURS_GPUS.step)
SIZES = range(int(k.HOURS_GPUS.low), int(k.HOURS_GPUS.high) + 1, STEP)


@chart(say, "more", x=[SIZES[0] - STEP / 2, SIZES[-1] + STEP / 2], y=[0, TOP])
def figure(center: Center) -> Rows:
    """Chart of the time to the result, and of the time on GPUs, against the number of GPUs."""
    fleets = {gpus: replace(center, gpus=gpus).now for gpus in SIZES}
    inside = {gpus: fleet for gpus, fleet in fleets.items() if fleet.total <= TOP * k.HOUR}
    rows = []
    if inside:
        sizes = list(inside)
        totals = [fleet.total / k.HOUR for fleet in inside.values()]
        runs = [fleet.run_time / k.HOUR for fleet in inside.values()]
        rows += [
            {"kind": "total", "x": sizes, "y": totals},
            {"kind": "run", "x": sizes, "y": runs},
            marks.label(sizes[-1], runs[-1], "on its GPUs", dx=-4, dy=14, tone="bad"),
            *(marks.point(*point, size=40) for point in zip(sizes, totals, strict=True)),
        ]
    total = center.now.total
    words = f"{center.gpus:,} GPUs: {f.duration(total)}"
    side = {"dx": -10 if center.gpus > k.HOURS_GPUS else 10, "dy": -14}
    return [*rows, *marks.here(center.gpus, total / k.HOUR, words, top=TOP, **side)]


view = View("more", figure=figure)
