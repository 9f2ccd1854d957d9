"""Notebook sharing, laboratory: waits of users who share one GPU, with and without pauses."""

from lessons.notebook_sharing.settings import Study, say
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Right end of the axis of slowdowns, beyond any slowdown of six users on one GPU.
END = 5.0
#: Names of the kinds of sessions.
NAMES = {"batch": "No pauses", "semi": "With pauses", "night": "Left overnight"}


@chart(say, "gpu", x=[1, END])
def figure(study: Study) -> Rows:
    """Chart of the best, average, and worst slowdown for each kind of session."""
    rows = []
    for name, spread in study.gpu.items():
        kind = NAMES[name]
        mean = f.significant(spread.average)
        words = f"{mean} on average"
        rows += [
            {"kind": "range", "x": spread.best, "x2": spread.worst, "y": kind},
            marks.point(spread.average, kind),
            marks.label(spread.worst, kind, words, short=mean, dx=12, bold=True),
        ]
    return rows


@verdict_of(say)
def verdict(study: Study) -> Outcome:
    """Return the verdict on the effect of pauses on the waits for the GPU."""
    spreads = study.gpu
    if study.users == 1:
        return "gpu_alone", None
    if spreads["semi"].average >= spreads["batch"].average:
        return "gpu_rare", None
    return "gpu_shared", None


view = View("gpu", figure=figure, verdict=verdict)
