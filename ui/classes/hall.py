"""Spacing of a chart on a projector, in pixels. No Streamlit.

Streamlit sets spacing in units of the text, which the projector's screen would enlarge twice.
"""

from collections.abc import Mapping
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
    config = dict(spec.get("config", {}))
    for name, space in SPACE.items():
        config[name] = dict(config.get(name, {})) | space
    result = dict(spec) | {"config": config}
    if "layer" in spec:
        result["layer"] = [_in_one_row(layer) for layer in spec["layer"]]
    return result


def _in_one_row(layer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a layer whose legend of colors has no fixed number of columns."""
    color = layer.get("encoding", {}).get("color")
    if not isinstance(color, Mapping) or not isinstance(color.get("legend"), Mapping):
        return layer
    legend = dict(color["legend"])
    legend.pop("columns", None)
    encoding = dict(layer["encoding"]) | {"color": dict(color) | {"legend": legend}}
    return dict(layer) | {"encoding": encoding}
