"""Spacing of a chart on a projector, in pixels. No Streamlit.

Streamlit sets spacing in units of the text, which the projector's screen would enlarge twice.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

#: Space around the words of a chart, and the size of a legend's symbols [px, px²].
SPACE = {
    "axis": {"labelPadding": 6, "titlePadding": 6},
    "legend": {
        "offset": 6,
        "padding": 0,
        "rowPadding": 4,
        "columnPadding": 18,
        "labelOffset": 6,
        "symbolSize": 160,
    },
    "title": {"offset": 8},
}


def spaced(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chart's specification with its spacing in pixels and its legend in one row."""
    result = deepcopy(dict(spec))
    config = result.setdefault("config", {})
    for name, space in SPACE.items():
        config.setdefault(name, {}).update(space)
    for layer in result.get("layer", ()):
        legend = layer.get("encoding", {}).get("color", {}).get("legend")
        if legend:
            legend.pop("columns", None)
    return result
