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
    here = training.packed.stranded
    text = f"{f.significant(here)} GPUs are stranded"
    low = here - here.half_width
    return [
        {"kind": "curve", "x": CORES, "y": curve},
        {"kind": "interval", "x": training.cores, "y": low, "y2": here + here.half_width},
        *marks.here(training.cores, float(here), text, short="stranded", dx=-12, dy=-16),
    ]


view = View("dimensions", figure=figure)
