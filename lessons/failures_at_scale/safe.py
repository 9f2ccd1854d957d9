"""Eight times the GPUs: checkpoints written in the background, which are safe only later."""

from dataclasses import replace

from lessons.failures_at_scale.settings import Run, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Times until a checkpoint is safe that the chart shows [min].
MINUTES = list(range(int(k.SCALE_WRITE.high / k.MINUTE) + 1))


@chart(say, "safe", x=[0, MINUTES[-1]])
def figure(run: Run) -> Rows:
    """Chart of the useful share against the time until a checkpoint is safe."""
    shares = [replace(run, write=minutes * k.MINUTE).share for minutes in MINUTES]
    minutes = run.write / k.MINUTE
    side = -10 if minutes > MINUTES[-1] / 2 else 10
    safe_now = {"align": "right", "dx": -4, "dy": -10, "tone": "quiet"}
    return [
        {"kind": "curve", "x": MINUTES, "y": shares},
        *marks.limit("immediately", MINUTES[-1], shares[0], "if safe immediately", **safe_now),
        *marks.here(minutes, run.share, f"{f.share(run.share)} useful", dx=side, dy=22),
    ]


@verdict_of(say)
def verdict(run: Run) -> Outcome:
    """Return the verdict on the recovery time that would cost as much as late checkpoints."""
    return "safe" if run.write else "safe_now", None


view = View("safe", figure=figure, verdict=verdict)
