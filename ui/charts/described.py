"""Charts that the lesson's lesson.toml describes: titles, axes, and layers as data."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import altair as alt

from ui.base.lesson import Figure, Grab
from ui.base.sentences import Sentences
from ui.base.words import declared
from ui.charts import axes, marks, planes

#: Rows of a chart, see `ui.charts.marks`.
Rows = list[marks.Row]
#: Options of an axis or a mark that TOML writes as false where there is none.
NOTHING = ("title", "axis", "sort", "stroke")


def chart(
    say: Sentences,
    name: str,
    *layers: planes.Layer,
    x: Sequence | None = None,
    y: Sequence | None = None,
    **options: Any,
) -> Callable[[Callable[..., Rows]], Callable[..., Figure]]:
    """Turn a function that returns rows into a view's `figure` by lesson.toml's `[charts.<name>]`.

    The table has the chart's `title`, the parameters of `axes.x` and `axes.y` under `x` and `y`,
    and options of `planes.picture`. Each of its `layers` has in `draw` the name of a function of
    `ui.charts.planes`, and that function's parameters. The argument `layers` lie above these; `x`
    and `y` are ends of axes that the code computes.
    """
    table = dict(declared(say.settings.page, "charts", Mapping[str, Mapping[str, Any]])[name])
    if "grab" in table:
        table["grab"] = Grab(**table["grab"])
    below = [_layer(**layer) for layer in table.pop("layers", ())]
    return planes.picture(
        say,
        name,
        table.pop("title"),
        _axis(axes.x, "x:Q", x, table.pop("x")),
        _axis(axes.y, "y:Q", y, table.pop("y")),
        *below,
        *layers,
        **table,
        **options,
    )


def curve(kind: str, heights: Mapping[Any, float], top: float) -> Rows:
    """Return the rows of a curve from its heights by position, cut off at the chart's top."""
    inside = {x: height for x, height in heights.items() if height <= top}
    if not inside:
        return []
    return [{"kind": kind, "x": list(inside), "y": list(inside.values())}]


def _axis(
    make: Callable[..., Any], field: str, ends: Sequence | None, table: Mapping[str, Any]
) -> Any:
    """Return the axis that a table describes."""
    return make(**{"field": field, "ends": ends, "title": alt.Undefined, **_options(table)})


def _layer(draw: str, **parameters: Any) -> planes.Layer:
    """Return the layer that a function of `ui.charts.planes` draws."""
    return getattr(planes, draw)(**_options(parameters))


def _options(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a table, with None in place of false for those in `NOTHING`."""
    options = dict(table)
    for name in NOTHING:
        if options.get(name) is False:
            options[name] = None
    return options
