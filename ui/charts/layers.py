"""Layers of a chart's specification: short names, and no layer without rows.

All layers of a chart share one frame and tell their rows by its `kind` column.
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


def with_short_name(layer: dict, most: int) -> dict:
    """Break a y axis title that is longer than the axis into lines, to keep the chart wide."""
    y = layer.get("encoding", {}).get("y", {})
    if len(y.get("title") or "") <= max(most, 0):
        return layer
    return layer | {
        "encoding": layer["encoding"] | {"y": y | {"title": textwrap.wrap(y["title"], most)}}
    }


def halo_of(paper: str) -> dict[str, Any]:
    """Return the text properties for a halo in the page's color.

    The style sheet has it seen, and painted below the text. A picture that a visitor saves is drawn
    without the sheet, the halo on the text: there it must not be seen.
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
    """Return whether every quantitative scale has a fixed domain, so that removing an empty layer
    changes nothing.

    A scale without one would ask the rows, and the browser would note on its console that there are
    none.
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
    """Remove layers whose `only` filters exclude all of these rows."""

    def draws(layer: dict) -> bool:
        named = (KIND.findall(str(step.get("filter"))) for step in layer.get("transform", ()))
        return all(not names or kinds.intersection(names) for names in named)

    return spec | {"layer": list(filter(draws, spec["layer"]))}
