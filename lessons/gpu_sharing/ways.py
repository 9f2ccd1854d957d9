"""Sharing a GPU: time of the same work with time slices, concurrently, and in MIG slices, as
bars.
"""

from lessons.gpu_sharing.settings import Sharing, say, times
from ui.charts import axes, box, marks, picture, upright

#: End of the axis [times alone]; what goes on beyond it ends in an arrow.
RIGHT = 6.0
#: Time slices that the work of each job takes.
SLICES = 6
#: Height of a way: its headline, two bars, and a gap [heights of a bar].
TALL = 3.2
NAMES = ("your job", "its neighbor")
TONES = ("s0", "s3")


@picture(
    say,
    "ways",
    "How long does each job take?",
    axes.x("x:Q", "time, divided by the time alone", [0, RIGHT], values=list(range(7))),
    axes.y("y:Q", None, [3 * TALL, 0], zero=False, axis=None),
    upright("alone", "ink", ()),
    box("bar", opacity={"expr": "datum.opacity"}),
    box("slice", opacity={"expr": "datum.opacity"}),
)
def figure(pair: Sharing) -> list[marks.Row]:
    """Chart of two bars per sharing method; with time slices a bar is dark while its job has the
    GPU.
    """
    slots = (pair.your_slice["takes"], pair.other_slice["takes"])
    rows: list[marks.Row] = [{"kind": "alone", "x": 1.0}]
    for number, (name, lengths) in enumerate(
        (
            ("Time slicing", (pair.turns["slowdown"], pair.turns["slowdown"])),
            ("At once (MPS)", (pair.slowdown, pair.slowdown)),
            ("Slices (MIG)", slots),
        )
    ):
        top = number * TALL
        rows.append(marks.label(0, top + 0.45, name, dx=2, bold=True))
        for job, length in enumerate(lengths):
            opacity = 0.25 if number == 0 else 1.0
            rows += _bar(job, length, top + 0.9 + job, opacity)
    return rows + _slices(pair)


def _bar(job: int, length: float, top: float, opacity: float) -> list[marks.Row]:
    """The bar of one job from its start to its end, and what it is called."""
    words = f"{NAMES[job]}: {times(length)}"
    if length > RIGHT:
        words += " →"
    end = min(length, RIGHT)
    place = {"x": 0.0, "x2": end, "y": top, "y2": top + 0.85}
    bar = {"kind": "bar", "tone": TONES[job], "opacity": opacity} | place
    # A bar that nearly reaches the edge has its words on it.
    if end > RIGHT / 2:
        side = {"dx": -6, "align": "right", "short": times(length)}
    else:
        side = {"dx": 6, "short": times(length)}
    return [bar, marks.label(end, top + 0.45, words, **side)]


def _slices(pair: Sharing) -> list[marks.Row]:
    """The time slices in which each job runs, as far as there is room."""
    rows = []
    period = pair.turns["slowdown"] / SLICES
    for job in range(2):
        for number in range(SLICES):
            start = (number + job / 2) * period
            end = min(start + 1 / SLICES, RIGHT)
            if start < RIGHT:
                place = {"x": start, "x2": end, "y": 0.9 + job, "y2": 1.75 + job}
                rows.append({"kind": "slice", "tone": TONES[job], "opacity": 1.0} | place)
    return rows
