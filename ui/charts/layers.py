"""The layers of a chart's specification: labels with a halo, none without a row to draw.

All layers of a chart share one frame and tell their rows by its `kind` column.
"""

import re
import textwrap
from functools import lru_cache


def only(*kinds: str) -> str:
    """Vega expression that keeps the rows of these kinds."""
    return " || ".join(f"datum.kind === '{kind}'" for kind in kinds)


def without_data(node: dict) -> dict:
    """Take out what Altair says about data, in every layer: the frame comes with each rerun."""
    node = {name: value for name, value in node.items() if name not in ("data", "datasets")}
    for name in ("layer", "hconcat", "vconcat", "concat"):
        if name in node:
            node[name] = [without_data(part) for part in node[name]]
    if isinstance(node.get("spec"), dict):
        node["spec"] = without_data(node["spec"])
    return node


def with_short_names(node: dict, most: int) -> dict:
    """Break the names of y axes that are longer than the axis: Vega would take the room for them from the chart."""
    node = node | {"layer": [with_short_names(part, most) for part in node["layer"]]} if "layer" in node else node
    y = node.get("encoding", {}).get("y", {})
    if len(y.get("title") or "") <= max(most, 0):
        return node
    return node | {"encoding": node["encoding"] | {"y": y | {"title": textwrap.wrap(y["title"], most)}}}


def halo_of(paper: str | dict[str, str]) -> dict[str, object]:
    """Return what puts a halo in the page's color around text.

    The style sheet has it seen, and painted below the text. A picture that a visitor saves is drawn without the sheet,
    the halo on the text: there it must not be seen.
    """
    return {"stroke": paper, "strokeWidth": 3.5, "strokeJoin": "round", "strokeOpacity": 0}


def with_halo(node: dict, paper: str) -> dict:
    """Give every layer of text a halo."""
    if "layer" in node:
        return node | {"layer": [with_halo(part, paper) for part in node["layer"]]}
    mark = node.get("mark")
    return node | {"mark": mark | halo_of(paper)} if isinstance(mark, dict) and mark.get("type") == "text" else node


#: Channels that have a scale of their own, but for the ends of a span.
_SCALED = ("x", "x2", "y", "y2", "color", "shape", "size", "opacity")
_ONE_KIND = re.compile(re.escape(only("?")).replace(r"\?", "([^']*)"))


def is_framed(node: dict) -> bool:
    """Say whether every shared scale of numbers has a domain of its own: then a layer without a row changes nothing.

    A scale without one would ask the rows, and the browser would note on its console that there are none.
    """
    asked, framed = set(), set()
    for part in node.get("layer", ()):
        if "layer" in part or "resolve" in node:
            return False
        for name in _SCALED:
            channel = part.get("encoding", {}).get(name)
            if isinstance(channel, dict) and "field" in channel and channel.get("type") in ("quantitative", "temporal"):
                asked.add(name[0] if name in ("x2", "y2") else name)
                if "domain" in (channel.get("scale") or {}):
                    framed.add(name)
    return "layer" in node and asked <= framed


def with_rows(node: dict, kinds: set[str]) -> dict:
    """Leave out layers that draw other kinds of rows only, unless they alone say something of an axis or a legend."""
    for name in ("hconcat", "vconcat", "concat"):
        if name in node:
            node = node | {name: [with_rows(part, kinds) for part in node[name]]}
    if "layer" not in node:
        return node
    parts = [with_rows(part, kinds) for part in node["layer"]]
    drawn = [_draws(part, kinds) for part in parts]
    if all(drawn):
        return node | {"layer": parts}
    said = [channel for part, here in zip(parts, drawn, strict=True) if here for channel in _scaled(part)]
    pairs = zip(parts, drawn, strict=True)
    return node | {"layer": [part for part, here in pairs if here or any(c not in said for c in _scaled(part))]}


def _draws(layer: dict, kinds: set[str]) -> bool:
    """Say whether a layer may draw rows of these kinds, as far as its filters tell."""
    found = (_kinds(str(step.get("filter"))) for step in layer.get("transform", ()))
    return all(kept is None or not kept.isdisjoint(kinds) for kept in found)


@lru_cache(maxsize=1024)
def _kinds(test: str) -> frozenset[str] | None:
    """Return the kinds of rows that a filter keeps; None if it says anything else."""
    found = [_ONE_KIND.fullmatch(part) for part in test.split(" || ")]
    return frozenset(match[1] for match in found) if all(found) else None


def _scaled(layer: dict) -> list[tuple[str, object]]:
    """Return what a layer says of the channels that have an axis or a legend; a value in pixels says nothing."""
    found = [(name, layer.get("encoding", {}).get(name)) for name in _SCALED]
    return [(name, channel) for name, channel in found if isinstance(channel, dict) and "value" not in channel]
