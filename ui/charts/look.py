"""Turn a tidy frame into a Vega-Lite specification. No Streamlit in here.

Altair builds each specification once per look; a rerun sends only data to the browser. All layers
of a chart share one frame; its column `kind` says which layer draws a row. The charts of a lesson
are in its folder.
"""

import json
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ui.charts.fragments import fragment
from ui.charts.layers import is_framed, with_rows, with_short_name, without_data

if TYPE_CHECKING:
    import altair as alt


class _Color:
    """One or several colors of a look: their values on a light page and on a dark one."""

    def __init__(self, light: Any, dark: Any):
        self.light = light
        self.dark = dark

    def __get__(self, look: "Look", kind: type) -> Any:
        if look.dark:
            return self.dark
        return self.light


@dataclass(frozen=True)
class Look:
    """Style of a chart: light or dark page, desk or projector.

    Colors are Okabe–Ito's, darkened or lightened where the page needs it, and always paired with a
    word or a shape.
    """

    dark: bool = False
    present: bool = False

    ink = _Color("#33393f", "#dfe4ea")  #: text and axes: at least 7 to 1 on the page
    faint = _Color("#e3e6ea", "#313944")  #: grid lines and the background
    #: lines for comparison and their labels: at least 4.5 to 1 on the page
    quiet = _Color("#68727d", "#8d98a5")
    paper = _Color("#ffffff", "#111418")  #: the page itself
    accent = _Color("#0072B2", "#56B4E9")  #: what the lesson is about
    tint = _Color("#b9d9ec", "#234a62")  #: the accent as a surface on which ink can be read
    bad = _Color("#C24A00", "#ff8a5c")  #: values that miss a target or mean overload
    good = _Color("#007A5A", "#2fc49b")  #: values that meet a target
    #: colors of categories, in order, the same as in config.toml
    series = _Color(
        ("#0072B2", "#C24A00", "#007A5A", "#A8508A", "#5b6770"),
        ("#56B4E9", "#E69F00", "#2fc49b", "#d693bd", "#aab4bf"),
    )

    def color(self, tone: str) -> str:
        """Return the color of a tone: "s0" is the first series color.

        Other tones are fields of this style.
        """
        if tone[1:].isdigit():
            return self.series[int(tone[1:])]
        return getattr(self, tone)

    @property
    def text_size(self) -> int:
        """Size of chart text [px], readable from the last row when projected."""
        if self.present:
            return 17
        return 12

    @property
    def stroke(self) -> float:
        """Width of a main line [px]."""
        if self.present:
            return 3.5
        return 2.5


#: Vega expression: the chart is drawn on a phone, where long labels are shortened or broken.
NARROW = "width < 400"


def specification(chart: "alt.LayerChart | alt.FacetChart", look: Look, height: int = 290) -> dict:
    """Turn a layered Altair chart into a plain specification without data, in the app's style.

    The chart is built on no data; its layers filter one shared frame. Its height [px] is fixed, so
    that the page does not shift.
    """
    spec = without_data(chart.to_dict(validate=False))
    # Letters that fit along the y axis, without the title, the x axis and its name.
    longest = round((height - 7.5 * look.text_size) / (0.56 * look.text_size))
    spec["layer"] = [with_short_name(without_data(layer), longest) for layer in spec["layer"]]
    # Without `padding`, Streamlit leaves 20 px below a chart, and 26 px below a title. There is no
    # `config.aria`, because it would remove the names of marks but not their roles.
    return spec | {
        "config": fragment(
            "config",
            ink=look.ink,
            faint=look.faint,
            quiet=look.quiet,
            size=look.text_size,
            title_size=look.text_size + 1,
        ),
        "height": height,
        "width": "container",
        "padding": {"bottom": 4},
    }


def titled(spec: Mapping, title: str) -> dict:
    """Put a chart's question above it, with line breaks that fit a phone or a desk."""
    return dict(spec) | {"title": _title(title, spec["config"]["title"]["fontSize"])}


@lru_cache(maxsize=256)
def _title(title: str, size: int) -> dict[str, Any]:
    """Return a Vega-Lite title whose lines fit the chart's width in the browser."""
    # The width of the chart, not of the plot, which depends on the number of lines of the title.
    room = "containerSize()[0] + 0 * width"
    length = 1430 // size
    expression = json.dumps(textwrap.wrap(title, length))
    for shorter in (85, 60, 42, 38, 30, 24):
        if shorter < length:
            lines = json.dumps(textwrap.wrap(title, shorter))
            expression = f"{room} < {round(0.7 * size * length)} ? {lines} : {expression}"
            length = shorter
    text: str | dict[str, str] = {"expr": expression}
    if len(textwrap.wrap(title, 24)) == 1:
        text = title
    return {"text": text, "anchor": "start", "frame": "bounds", "fontWeight": "bold"}


def stack(parts: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Concatenate blocks of chart rows, each given by column, into an Arrow table.

    A part is {column: its values, or one value for all of its rows}. In the rows of a part without
    a column, the column's value is null; NaN becomes null, too.
    """
    columns: dict[str, list] = {}
    rows = 0
    for block in parts:
        lists = {}
        for name, value in block.items():
            if hasattr(value, "__len__") and not isinstance(value, str):
                lists[name] = value.tolist() if hasattr(value, "tolist") else value
        sizes = set(map(len, lists.values())) or {1}
        if len(sizes) > 1:
            raise ValueError(f"columns of one part must be equally long, got {sorted(sizes)}")
        size = sizes.pop()
        for name, value in block.items():
            column = columns.setdefault(name, [])
            column += [None] * (rows - len(column))
            column += lists.get(name, [value] * size)
        rows += size
    table = {}
    for name, column in columns.items():
        column += [None] * (rows - len(column))
        table[name] = pa.array(column, from_pandas=True)
    return pa.table(table)


def filled(spec: Mapping, rows: pa.Table) -> dict:
    """Insert rows into a chart's specification.

    If the axes are fixed, layers without a row stay, because the browser rebuilds the chart when
    its specification changes. Otherwise they are left out, because the browser would log a warning
    for each. The table is a named data set, so that the browser has it when it first builds the
    chart; a table beside the specification would arrive later.
    """
    if "kind" in rows.column_names and not is_framed(spec):
        spec = with_rows(dict(spec), set(rows["kind"].to_pylist()))
    return dict(spec) | {"data": {"name": "rows"}, "datasets": {"rows": rows}}
