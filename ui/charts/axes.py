"""Chart axes: their fields, titles, ends, and number formats."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from ui.charts.look import NARROW

#: Names beside bars (`labelExpr`): on a phone each word has a line, or they would take the bars'
#: room.
BROKEN = f"{NARROW} ? split(datum.label, ' ') : datum.label"
#: What an option says of the scale; every other one speaks of the axis as it is drawn.
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

    `field` is the column and its type, such as "wait:Q"; `title` names it with its unit, None where
    its words say so themselves; `ends` are those of a fixed axis, or all names of one of names, in
    order. `options` are of the scale (`type="log"`), of the axis (`format=".0%"`, `tickCount=5`,
    `values=[1, 10]`), `sort=`, and `axis=None` where nothing of it is drawn. An axis of numbers
    ends where its numbers do unless `nice=True`.
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
