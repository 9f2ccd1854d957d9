"""The layers of a chart's specification: as few as can be, labels with a rim, none without a row to draw.

All layers of a chart share one frame and tell their rows by its `kind` column. A browser that opens a chart builds
every layer, and updates every layer on a turn of a knob. Those that differ in looks only are merged: in 23 of the 62
specifications, such as 29 layers into 15, 18 into 5 and 9 into 4.
"""

import json
import re
import textwrap
from functools import lru_cache
from itertools import groupby


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
    if len(y.get("title") or "") <= most:
        return node
    return node | {"encoding": node["encoding"] | {"y": y | {"title": textwrap.wrap(y["title"], most)}}}


def with_rims(node: dict, paper: str) -> dict:
    """Put under every layer of text the same text, wider and in the page's color."""
    layers = []
    for part in node.get("layer", []):
        part = with_rims(part, paper)
        if isinstance(part.get("mark"), dict) and part["mark"].get("type") == "text":
            mark = part["mark"] | {"color": paper, "stroke": paper, "strokeWidth": 3.5, "strokeJoin": "round"}
            seen = {name: channel for name, channel in part["encoding"].items() if name not in ("color", "tooltip")}
            layers.append(part | {"mark": mark, "encoding": seen})
        layers.append(part)
    return node | {"layer": layers} if layers else node


#: Channels that have a scale of their own, but for the ends of a span.
_SCALED = ("x", "x2", "y", "y2", "color", "shape", "size", "opacity")
_ONE_KIND = re.compile(re.escape(only("?")).replace(r"\?", "([^']*)"))
#: What may differ between layers that are drawn as one: the expression that picks it is evaluated for each row.
_BY_ROW = {
    "text": {"align", "baseline", "color", "dx", "dy", "fontSize", "fontStyle", "fontWeight"},
    "point": {"color", "opacity", "shape", "size", "stroke", "strokeWidth", "xOffset", "yOffset"},
    "line": {"color", "opacity", "strokeDash", "strokeWidth"},
}
#: What a mark that does not say so is drawn with.
_USUAL = {
    "text": {"align": "center", "baseline": "middle", "dx": 0, "dy": 0, "fontStyle": "normal", "fontWeight": "normal"},
    "point": {"shape": "circle", "xOffset": 0, "yOffset": 0},
    "line": {"opacity": 1, "strokeDash": []},
}


def with_fewer_layers(node: dict) -> dict:
    """Draw neighboring layers as one where they differ in the kind of row and in looks only."""
    node = dict(node)
    for name in ("hconcat", "vconcat", "concat"):
        if name in node:
            node[name] = [with_fewer_layers(part) for part in node[name]]
    if isinstance(node.get("spec"), dict):
        node["spec"] = with_fewer_layers(node["spec"])
    if "layer" in node:
        parts = [with_fewer_layers(part) for part in node["layer"]]
        node["layer"] = [layer for _, group in groupby(parts, _alike) for layer in _as_one(list(group))]
    return node


def _kind(layer: dict) -> str | None:
    """Return which kind of row a layer draws, if that is all that its transform says."""
    transform = layer.get("transform", ())
    found = _ONE_KIND.fullmatch(str(transform[0].get("filter"))) if len(transform) == 1 else None
    return found[1] if found else None


def _alike(layer: dict) -> object:
    """Return what layers must share to be drawn as one; of its own for a layer that cannot be."""
    mark = layer.get("mark")
    if not isinstance(mark, dict) or mark["type"] not in _BY_ROW or _kind(layer) is None:
        return id(layer)
    rest = {name: value for name, value in layer.items() if name not in ("mark", "transform")}
    fixed = {name: value for name, value in mark.items() if name not in _BY_ROW[mark["type"]]}
    # A look that only some of them state must have a usual value.
    unusual = sorted(_BY_ROW[mark["type"]] & mark.keys() - _USUAL[mark["type"]].keys())
    return json.dumps([rest, fixed, unusual], sort_keys=True)


def _as_one(layers: list[dict]) -> list[dict]:
    """Draw alike layers as one, each row in the looks of its kind; as they are if a kind is drawn twice."""
    kinds = [_kind(layer) for layer in layers]
    if len(layers) == 1 or len(set(kinds)) < len(kinds):
        return layers
    marks = [layer["mark"] for layer in layers]
    usual, mark = _USUAL[marks[0]["type"]], {}
    for name in sorted({name for one in marks for name in one}):
        values = [json.dumps(one.get(name, usual.get(name))) for one in marks]
        mark[name] = json.loads(values[0])
        if len(set(values)) > 1:
            rest = max(values, key=values.count)
            tests = [f"{only(k)} ? {value} : " for k, value in zip(kinds, values, strict=True) if value != rest]
            mark[name] = {"expr": "".join(tests) + rest}
    layer = layers[0] | {"mark": mark, "transform": [{"filter": only(*kinds)}]}
    if mark["type"] == "line":
        layer["encoding"] = layer["encoding"] | {"detail": {"field": "kind", "type": "nominal"}}
    return [layer]


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
