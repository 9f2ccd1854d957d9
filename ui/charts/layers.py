"""Layers of a chart's specification: their rows, names of axes, and halos of text.

All layers of a chart share one frame; each draws the rows of certain kinds in its column `kind`.
"""

import textwrap
from collections.abc import Mapping
from typing import Any

from ui.base.lesson.slips import KIND


def only(*kinds: str) -> str:
    """Vega expression that keeps the rows of these kinds."""
    return " || ".join(f"datum.kind === '{kind}'" for kind in kinds)


def computed(columns: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the transforms that compute columns, each by a Vega expression, in this order."""
    return [{"calculate": expression, "as": name} for name, expression in columns.items()]


def without_data(node: dict) -> dict:
    """Remove Altair's data from a specification, because the frame is sent with each rerun."""
    return {name: value for name, value in node.items() if name not in ("data", "datasets")}


def with_short_name(layer: dict, longest: int) -> dict:
    """Break a y axis title into lines of at most `longest` letters, so that it fits the axis."""
    encoding = layer.get("encoding", {})
    y = encoding.get("y", {})
    title = y.get("title") or ""
    if len(title) <= max(longest, 0):
        return layer
    return layer | {"encoding": encoding | {"y": y | {"title": textwrap.wrap(title, longest)}}}


def halo_of(paper: str) -> dict[str, Any]:
    """Return the text properties for a halo in the page's color.

    The style sheet makes the halo visible and paints it below the text. A saved picture is drawn
    without the style sheet; there the halo would lie over the text, so it must be invisible.
    """
    return {"stroke": paper, "strokeWidth": 3.5, "strokeJoin": "round", "strokeOpacity": 0}


def kinds_of(layer: dict) -> list[str]:
    """Return the kinds of rows that a layer draws, as `only` names them.

    The result is [] if its filter has other conditions.
    """
    filters = [step.get("filter") for step in layer.get("transform", ())]
    if len(filters) != 1 or not isinstance(filters[0], str):
        return []
    kinds = KIND.findall(filters[0])
    if filters[0] == only(*kinds):
        return kinds
    return []


def is_framed(spec: Mapping) -> bool:
    """Return whether every quantitative scale has a fixed domain.

    Then the browser needs no rows to find the ends of an axis, and layers without rows may stay;
    otherwise it would warn about them on its console.
    """
    scaled = set()
    framed = set()
    for layer in spec["layer"]:
        encoding = layer.get("encoding", {})
        for name in encoding.keys() & {"x", "y", "color", "shape", "size", "opacity"}:
            channel = encoding[name]
            if "field" in channel and channel.get("type") in ("quantitative", "temporal"):
                scaled.add(name)
            if "domain" in (channel.get("scale") or {}):
                framed.add(name)
    return scaled <= framed


def with_rows(spec: dict, kinds: set[str]) -> dict:
    """Remove layers whose `only` filters exclude rows of all these kinds."""
    layers = []
    for layer in spec["layer"]:
        filters = (KIND.findall(str(step.get("filter"))) for step in layer.get("transform", ()))
        if all(not names or kinds.intersection(names) for names in filters):
            layers.append(layer)
    return spec | {"layer": layers}
