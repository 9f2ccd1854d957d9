"""Chart axes: their fields, titles, ends, and number formats."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from ui.charts.look import NARROW

#: Vega expression for names beside bars (`labelExpr`): on a phone each word has its own line, to
#: leave more room for the bars.
BROKEN = f"{NARROW} ? split(datum.label, ' ') : datum.label"
#: Options of the scale; all others are options of the axis as it is drawn.
SCALE = {
    "type",
    "base",
    "constant",
    "zero",
    "nice",
    "padding",
    "paddingInner",
    "paddingOuter",
    "range",
    "reverse",
}


def x(
    field: str, title: object = alt.Undefined, ends: Sequence | None = None, **options: Any
) -> alt.X:
    """Describe the x axis of a chart by its field, its title, and its ends.

    `field` is the column and its type, such as "wait:Q". `title` has the unit; None means no title.
    `ends` are the ends of a fixed axis, or all names of an axis of names, in order. `options` are
    options of the scale (`type="log"`) and of the axis (`format=".0%"`, `tickCount=5`,
    `values=[1, 10]`), `sort=`, and `axis=None` for an invisible axis. An axis of numbers is not
    extended to round numbers unless `nice=True`.
    """
    return alt.X(field, **_channel(field, title, ends, options))


def y(
    field: str, title: object = alt.Undefined, ends: Sequence | None = None, **options: Any
) -> alt.Y:
    """Describe the y axis with the same parameters as `x`."""
    return alt.Y(field, **_channel(field, title, ends, options))


def _channel(
    field: str, title: Any, ends: Sequence | None, options: dict[str, Any]
) -> dict[str, Any]:
    """Sort the options of an axis into those of its channel, its scale and its axis."""
    channel = {"title": title}
    axis = {}
    scale: dict[str, Any] = {}
    if field.endswith((":Q", ":T")):
        scale["nice"] = False
    for name, value in options.items():
        if name in ("sort", "axis"):
            channel[name] = value
        elif name in SCALE:
            scale[name] = value
        else:
            axis[name] = value
    if ends is not None:
        scale["domain"] = list(ends)
    if axis:
        channel["axis"] = alt.Axis(**axis)
    if scale:
        channel["scale"] = alt.Scale(**scale)
    return channel


def tip(field: str, title: Any = alt.Undefined, form: Any = alt.Undefined) -> alt.Tooltip:
    """Return a tooltip line for a column such as "wait:Q", with its title and number format."""
    return alt.Tooltip(field, format=form, title=title)
