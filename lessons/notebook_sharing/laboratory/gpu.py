"""Notebook sharing, laboratory: users with pauses, cells that need a GPU, and the cost of idle
GPUs.
"""

from lessons.notebook_sharing.settings import Study, say
from ui.base import format as f
from ui.base.lesson import Figure, Outcome, verdict_of
from ui.charts import Look, axes, marks, plane, span, stack

#: Right end of the axis of slowdowns: more than six users on one GPU ever reach.
END = 5.0
NAMES = {"batch": "No pauses", "semi": "Semi-interactive", "night": "Left overnight"}


def figure(study: Study, look: Look) -> Figure:
    """Chart of the best, average, and worst slowdown for each kind of session."""
    rows = []
    for name, spread in study.gpu.items():
        kind = NAMES[name]
        rows.append({"kind": "range", "x": spread.best, "x2": spread.worst, "y": kind})
        rows.append(marks.point(spread.average, kind))
        mean = f.significant(spread.average)
        text = f"{mean} on average"
        rows.append(marks.label(spread.worst, kind, text, short=mean, dx=12, bold=True))
    title = "How slow are users who share one GPU: best, average, and worst run?"
    return Figure("gpu", title, stack(rows), _spec(look), say("gpu_chart", study))


@verdict_of(say)
def verdict(study: Study) -> Outcome:
    """Return the verdict on the effect of pauses on the waits for the GPU."""
    spreads = study.gpu
    if study.users == 1:
        return "gpu_alone", None
    if spreads["semi"].average >= spreads["batch"].average:
        return "gpu_rare", None
    return "gpu_shared", None


@plane
def _spec(look: Look) -> tuple:
    """A row for each kind of session."""
    x = axes.x("x:Q", "slowdown (1 means no waiting)", [1, END], tickCount=5)
    y = axes.y("y:N", None, list(NAMES.values()), sort=None, labelLimit=160)
    return x, y, span("range", "quiet", width=6, x2="x2:Q")
