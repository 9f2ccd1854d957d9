"""A tidy frame in, a Vega-Lite specification out. No Streamlit in here.

A specification is built once with Altair for each look and kept; on a rerun only data travel. All layers of a chart
share one frame, told apart by a `kind` column. The lessons' own charts are in `ui/views`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa


@dataclass(frozen=True)
class Look:
    """How a chart is drawn: on a light or a dark page, at a desk or on a projector.

    Colors are Okabe–Ito's, darkened or lightened where the page needs it, and always paired with a word or a shape.
    """

    dark: bool = False
    present: bool = False

    @property
    def ink(self) -> str:
        """Text and axes: at least 7 to 1 on the page."""
        return "#dfe4ea" if self.dark else "#33393f"

    @property
    def faint(self) -> str:
        """Grid lines and what stands in the background."""
        return "#313944" if self.dark else "#e3e6ea"

    @property
    def quiet(self) -> str:
        """Lines for comparison and their labels: at least 4.5 to 1 on the page."""
        return "#8d98a5" if self.dark else "#68727d"

    @property
    def paper(self) -> str:
        """The page itself."""
        return "#111418" if self.dark else "#ffffff"

    @property
    def accent(self) -> str:
        """What the lesson is about."""
        return "#56B4E9" if self.dark else "#0072B2"

    @property
    def bad(self) -> str:
        """What misses a target or overloads."""
        return "#ff8a5c" if self.dark else "#C24A00"

    @property
    def good(self) -> str:
        """What meets a target."""
        return "#2fc49b" if self.dark else "#007A5A"

    @property
    def series(self) -> tuple[str, ...]:
        """Colors for categories, in order, the same as in config.toml."""
        if self.dark:
            return ("#56B4E9", "#E69F00", "#2fc49b", "#d693bd", "#aab4bf")
        return ("#0072B2", "#C24A00", "#007A5A", "#A8508A", "#5b6770")

    @property
    def text_size(self) -> int:
        """Chart text in px, readable from the last row when projected."""
        return 17 if self.present else 12

    @property
    def stroke(self) -> float:
        """Width of a main line in px."""
        return 3.5 if self.present else 2.5


#: Vega expression: the chart is drawn on a phone, where long labels are shortened or broken.
NARROW = "width < 400"


def specification(chart: alt.TopLevelMixin, look: Look, height: int | None = 290, rims: bool = True) -> dict:
    """Turn an Altair chart into a plain specification without data, in the app's look.

    Parameters
    ----------
    chart : Altair chart
        Built on no data; its layers filter one shared frame.
    look : Look
    height : int or None
        Fixed height [px], so that the page does not shift; None for a facet that sets its own.
    rims : bool
        Give labels a rim in the page's color, so that they can be read across lines; not where they stand on fills.
    """
    if height is not None:
        chart = chart.properties(height=height, width="container")
    size = look.text_size
    styled = (
        chart.configure_axis(
            labelColor=look.ink,
            titleColor=look.ink,
            labelFontSize=size,
            titleFontSize=size,
            titleFontWeight="normal",
            gridColor=look.faint,
            domainColor=look.quiet,
            tickColor=look.quiet,
        )
        .configure_legend(labelColor=look.ink, titleColor=look.ink, labelFontSize=size, titleFontSize=size)
        .configure_header(labelColor=look.ink, titleColor=look.ink, labelFontSize=size, titleFontSize=size)
        .configure_title(color=look.ink, fontSize=size + 1, fontWeight="normal", anchor="start")
        .configure_view(strokeWidth=0)
        .configure_text(color=look.ink, fontSize=size)
        # The chart has one alternative text. `config.aria` would take the marks' names and leave them pictures.
        .configure_mark(aria=False)
    )
    found = _with_fewer_layers(_without_data(styled.to_dict(validate=False)))
    return _with_rims(found, look.paper) if rims else found


def stack(parts: Iterable[Mapping[str, object]]) -> pd.DataFrame:
    """Put the parts of a chart's frame under one another; far cheaper than a frame for each part.

    A part is {column: its values, or one value for all of its rows}; a column that a part lacks is missing there.
    """
    columns: dict[str, list] = {}
    rows = 0
    for part in parts:
        sizes = {len(value) for value in part.values() if not _single(value)} or {1}
        if len(sizes) > 1:
            raise ValueError(f"columns of one part must be equally long, got {sorted(sizes)}")
        size = sizes.pop()
        for name, value in part.items():
            held = columns.setdefault(name, [])
            held += [None] * (rows - len(held))
            held += [value] * size if _single(value) else value.tolist() if hasattr(value, "tolist") else list(value)
        rows += size
    return pd.DataFrame({name: held + [None] * (rows - len(held)) for name, held in columns.items()})


def _single(value: object) -> bool:
    return isinstance(value, str | int | float) or np.ndim(value) == 0


def table(frame: pd.DataFrame) -> pa.Table:
    """Turn a frame into what travels to the browser, without the notes on dtypes and index that pandas would add."""
    columns = ((name, column.values) for name, column in frame.items())
    return pa.table({name: pa.array(column, from_pandas=True) for name, column in columns})


def _without_data(node: dict) -> dict:
    """Take out what Altair says about data, in every layer: the frame comes with each rerun."""
    node = {name: value for name, value in node.items() if name not in ("data", "datasets")}
    for name in ("layer", "hconcat", "vconcat", "concat"):
        if name in node:
            node[name] = [_without_data(part) for part in node[name]]
    if isinstance(node.get("spec"), dict):
        node["spec"] = _without_data(node["spec"])
    return node


def shortened(short: str, field: str = "label") -> object:
    """Words of a text mark: a field as it is, and on a phone what a Vega expression makes of it."""
    return alt.value({"expr": f"{NARROW} ? {short} : datum.{field}"})


def _with_rims(node: dict, paper: str) -> dict:
    """Put under every layer of text the same text, wider and in the page's color."""
    layers = []
    for part in node.get("layer", []):
        part = _with_rims(part, paper)
        if isinstance(part.get("mark"), dict) and part["mark"].get("type") == "text":
            mark = part["mark"] | {"color": paper, "stroke": paper, "strokeWidth": 3.5, "strokeJoin": "round"}
            seen = {name: channel for name, channel in part["encoding"].items() if name not in ("color", "tooltip")}
            layers.append(part | {"mark": mark, "encoding": seen})
        layers.append(part)
    return node | {"layer": layers} if layers else node


def only(kind: str) -> str:
    """Vega expression that keeps the rows of one kind."""
    return f"datum.kind === '{kind}'"


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


def _with_fewer_layers(node: dict) -> dict:
    """Draw neighboring layers as one where they differ in the kind of row and in looks only.

    A browser builds a chart again on every rerun, and that takes it about as long as there are layers.
    """
    node = dict(node)
    for name in ("hconcat", "vconcat", "concat"):
        if name in node:
            node[name] = [_with_fewer_layers(part) for part in node[name]]
    if isinstance(node.get("spec"), dict):
        node["spec"] = _with_fewer_layers(node["spec"])
    if "layer" in node:
        parts = [_with_fewer_layers(part) for part in node["layer"]]
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
    layer = layers[0] | {"mark": mark, "transform": [{"filter": " || ".join(map(only, kinds))}]}
    if mark["type"] == "line":
        layer["encoding"] = layer["encoding"] | {"detail": {"field": "kind", "type": "nominal"}}
    return [layer]
