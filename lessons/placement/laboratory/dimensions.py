"""Placement, laboratory: GPUs stranded because a node's cores or memory are used up."""

from lessons.placement.laboratory.packing import CORES, packed
from lessons.placement.settings import Training, say
from ui.base import format as f
from ui.base.lesson import Grab
from ui.charts import axes, line, marks, picture, span

#: Top of the chart [GPUs].
TOP = 16


@picture(
    say,
    "dimensions",
    "How many free GPUs can no job use?",
    axes.x("x:Q", "cores per GPU of a core-heavy job", [0, CORES[-1] + 2], values=list(CORES)),
    axes.y("y:Q", "stranded GPUs", [0, TOP], tickCount=4),
    line("curve"),
    span("interval", "ink", y2="y2:Q"),
    lines=("curve",),
    grab=Grab("cores"),
)
def figure(training: Training) -> list[marks.Row]:
    """Chart of stranded GPUs against the cores per GPU of a core-heavy job."""
    curve = []
    for cores in CORES:
        curve.append(packed(cores, training.load, training.packing).stranded)
    here = training.packed.stranded
    text = f"{f.significant(here)} GPUs are stranded"
    low = here - here.half_width
    return [
        {"kind": "curve", "x": CORES, "y": curve},
        {"kind": "interval", "x": training.cores, "y": low, "y2": here + here.half_width},
        *marks.here(training.cores, float(here), text, short="stranded", dx=-12, dy=-16),
    ]
