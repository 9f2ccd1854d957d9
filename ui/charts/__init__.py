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
    from ui.charts.described import Rows, chart, curve
    from ui.charts.planes import Layer, box, layer, level, line, picture, plane, span, upright

__all__ = [
    "NARROW",
    "Layer",
    "Look",
    "Rows",
    "axes",
    "box",
    "chart",
    "curve",
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
    """Return a module that uses Altair, or what `described` and `planes` offer."""
    if name in ("axes", "marks"):
        return import_module(f"ui.charts.{name}")
    if name in __all__:
        module = "described" if name in ("Rows", "chart", "curve") else "planes"
        return getattr(import_module(f"ui.charts.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
