"""Placement, laboratory: GPUs stranded because a node's cores or memory are used up."""

from lessons.placement.laboratory.packing import CORES, packed
from lessons.placement.settings import Training, say
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks


@chart(say, "dimensions")
def figure(training: Training) -> Rows:
    """Chart of stranded GPUs against the cores per GPU of a core-heavy job."""
    curve = [packed(cores, training.load, training.packing).stranded for cores in CORES]
    stranded = training.packed.stranded
    text = f"{f.significant(stranded)} GPUs are stranded"
    half = stranded.half_width
    return [
        {"kind": "curve", "x": CORES, "y": curve},
        {"kind": "interval", "x": training.cores, "y": stranded - half, "y2": stranded + half},
        *marks.here(training.cores, float(stranded), text, short="stranded", dx=-12, dy=-16),
    ]


view = View("dimensions", figure=figure)
