"""Charts: what a lesson's pictures are made of."""

from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import NARROW, Look, specification, stack
from ui.charts.plane import Layer, box, layer, level, line, picture, plane, span, upright

__all__ = [
    "NARROW",
    "Layer",
    "Look",
    "axes",
    "box",
    "layer",
    "level",
    "line",
    "marks",
    "only",
    "picture",
    "plane",
    "span",
    "specification",
    "stack",
    "upright",
]
