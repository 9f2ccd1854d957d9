"""Eight times the GPUs: spare nodes, and how long the run waits for a repair."""

from lessons.failures_at_scale.settings import Run, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Numbers of spare nodes that the chart shows.
COUNTS = list(range(int(k.SCALE_SPARES.high) + 1))


@chart(say, "spares", x=[0, COUNTS[-1]])
def figure(run: Run) -> Rows:
    """Chart of the share of time spent waiting for repairs, against the number of spare nodes."""
    limit = k.SCALE_PATIENCE
    side = -10 if run.spares > COUNTS[-1] / 2 else 10
    return [
        {"kind": "curve", "x": COUNTS, "y": [run.waiting_with(spares) for spares in COUNTS]},
        *marks.limit("limit", COUNTS[-1], limit, f.share(limit), dx=-4, dy=-10),
        *marks.here(run.spares, run.waiting, f"run waits {f.share(run.waiting)}", dx=side, dy=-14),
    ]


@verdict_of(say)
def verdict(run: Run) -> Outcome:
    """Return the verdict on the waiting time, and on faults without a ready spare node."""
    return "spares", run.patient


view = View("spares", figure=figure, verdict=verdict)
