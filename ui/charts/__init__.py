"""Charts: building blocks of the lessons' pictures.

What needs Altair is imported when it is first asked for: that takes a sixth of a second, and home,
which a server that has just started is asked for first, draws no chart.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ui.charts.layers import only
from ui.charts.look import NARROW, Look, specification, stack

if TYPE_CHECKING:  # made by `__getattr__`
    from ui.charts import axes, marks
    from ui.charts.planes import Layer, box, layer, level, line, picture, plane, span, upright

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


def __getattr__(name: str) -> Any:
    """Return a module that uses Altair, or what `ui.charts.planes` offers."""
    if name in ("axes", "marks"):
        return import_module(f"ui.charts.{name}")
    if name in __all__:
        return getattr(import_module("ui.charts.planes"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
