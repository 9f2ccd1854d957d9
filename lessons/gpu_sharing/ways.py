"""Sharing a GPU: time of the same work under each sharing method, as bars."""

from lessons.gpu_sharing.settings import Sharing, say, times
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: End of the axis, in times alone [1]; the label of a longer bar ends in an arrow.
RIGHT = 6.0
#: Number of time slices into which the work of each job is divided.
SLICES = 6
#: Height of a method: its headline, two bars, and a gap [heights of a bar].
HEIGHT = 3.2
NAMES = ("your job", "its neighbor")
TONES = ("s0", "s3")


@chart(say, "ways", x=[0, RIGHT], y=[3 * HEIGHT, 0])
def figure(pair: Sharing) -> Rows:
    """Chart of two bars per sharing method; with time slicing, a bar is dark while its job runs."""
    slowdowns = {
        "Time slicing": [pair.turns["slowdown"]] * 2,
        "At once (MPS)": [pair.slowdown] * 2,
        "Slices (MIG)": [pair.your_slice["takes"], pair.other_slice["takes"]],
    }
    rows = [{"kind": "alone", "x": 1.0}]
    for number, (name, job_slowdowns) in enumerate(slowdowns.items()):
        top = number * HEIGHT
        rows.append(marks.label(0, top + 0.45, name, dx=2, bold=True))
        opacity = 0.25 if number == 0 else 1.0
        for job, length in enumerate(job_slowdowns):
            rows += _bar(job, length, top + 0.9 + job, opacity)
    return rows + _slices(pair)


def _bar(job: int, length: float, top: float, opacity: float) -> Rows:
    """Return the rows of a job's bar, as long as the job's slowdown, and of its label."""
    words = f"{NAMES[job]}: {times(length)}"
    if length > RIGHT:
        words += " →"
    end = min(length, RIGHT)
    edges = {"x": 0.0, "x2": end, "y": top, "y2": top + 0.85}
    bar = {"kind": "bar", "tone": TONES[job], "opacity": opacity} | edges
    # The label of a long bar is inside the bar.
    dx = -6 if end > RIGHT / 2 else 6
    return [bar, marks.label(end, top + 0.45, words, dx=dx, short=times(length))]


def _slices(pair: Sharing) -> Rows:
    """Return the rows of the time slices in which each job runs, up to the end of the axis."""
    rows = []
    period = pair.turns["slowdown"] / SLICES
    for job in range(2):
        for number in range(SLICES):
            start = (number + job / 2) * period
            end = min(start + 1 / SLICES, RIGHT)
            edges = {"x": start, "x2": end, "y": 0.9 + job, "y2": 1.75 + job}
            if start < RIGHT:
                rows.append({"kind": "slice", "tone": TONES[job], "opacity": 1.0} | edges)
    return rows


view = View("ways", figure=figure)
