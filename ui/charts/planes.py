"""Standard chart: two axes, layers between them, and points and labels on top."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import Any

import altair as alt

from ui.base.lesson import Figure, Grab
from ui.base.sentences import Sentences
from ui.charts import marks
from ui.charts.layers import only
from ui.charts.look import Look, specification, stack

#: Function that draws a layer, given a chart with axes and no marks, and the look.
Layer = Callable[[alt.Chart, Look], alt.Chart]


def plane(describe: Callable[..., tuple]) -> Callable[..., dict]:
    """Decorate a function that returns two axes and layers to return the chart's specification.

    The lines of pinned scenarios lie under the layers, points and labels above them. Specifications
    are cached.
    """

    @lru_cache(maxsize=32)
    @wraps(describe)
    def specify(look: Look, *args: Any) -> dict:
        """Return the specification of the chart in a look."""
        x, y, *layers = describe(look, *args)
        base = alt.Chart().encode(x=x, y=y)
        ghosts = marks.ghosts(base, look, x.shorthand)
        drawn_layers = (layer(base, look) for layer in layers)
        chart = alt.layer(ghosts, *drawn_layers, marks.points(base, look), marks.labels(base, look))
        return specification(chart, look)

    return specify


def picture(
    say: Sentences,
    name: str,
    title: str,
    x: alt.X,
    y: alt.Y,
    *layers: Layer,
    lines: Sequence[str] = (),
    grab: Grab | None = None,
    sentence: str = "",
) -> Callable[[Callable[..., list[marks.Row]]], Callable[..., Figure]]:
    """Turn a function that returns rows into a view's `figure` with these axes and layers.

    The rows' "x" and "y" are renamed to the columns of the axes. `lines` and `grab` are fields of
    `Figure`, and `sentence` is the key of the chart's description, by default `<name>_chart`.
    """

    @plane
    def specify(look: Look) -> tuple:
        """Return the chart's axes and layers, which are the same in every look."""
        return x, y, *layers

    def make_figure(make_rows: Callable[..., list[marks.Row]]) -> Callable[..., Figure]:
        """Turn a function that returns rows into a view's `figure`."""

        @wraps(make_rows)
        def figure(settings: Any, look: Look, *args: Any, **extra: Any) -> Figure:
            """Return the chart of these settings."""
            columns = (axis.shorthand.partition(":")[0] for axis in (x, y))
            rows = stack(marks.renamed(make_rows(settings, *args, **extra), *columns))
            alt_text = say(sentence or f"{name}_chart", settings)
            return Figure(name, title, rows, specify(look), alt_text, lines, grab)

        return figure

    return make_figure


def line(
    kind: str,
    tone: str = "accent",
    dash: Sequence[int] = (),
    width: float = 0,
    thick: bool = False,
    **encoded: Any,
) -> Layer:
    """Return a layer that draws a line through rows of one kind, in the order of x.

    Dashed lines are thin unless `thick`.
    """

    def draw(base: alt.Chart, look: Look) -> alt.Chart:
        """Draw the line on a chart with axes."""
        ordered = base.encode(**{"order": base.encoding.x.shorthand} | encoded)
        usual = look.stroke if thick or not dash else 1.5
        return ordered.transform_filter(only(kind)).mark_line(
            strokeDash=list(dash), color=look.color(tone), strokeWidth=width or usual
        )

    return draw


def level(kind: str, tone: str, dash: tuple[int, ...] = (8, 4)) -> Layer:
    """Return a layer that draws a horizontal line across the chart at each row of one kind."""
    return span(kind, tone, dash, 1.5, x=alt.value(0), x2=alt.value("width"))


def upright(kind: str, tone: str, dash: tuple[int, ...] = (4, 3)) -> Layer:
    """Return a layer that draws a vertical line across the chart at each row of one kind."""
    return span(kind, tone, dash, 1.5, y=alt.value(0), y2=alt.value("height"))


def box(kind: str, tone: str = "", x2: Any = "x2:Q", y2: Any = "y2:Q", **looks: Any) -> Layer:
    """Return a layer that draws rectangles for rows of one kind, from (x, y) to (x2, y2).

    Without a tone each row has a tone of its own. Of `looks`, `x`, `y`, and `tooltip` are encoded
    as channels, and all others are properties of the mark.
    """
    encoded = {"x2": x2, "y2": y2} | {
        name: looks.pop(name) for name in ("x", "y", "tooltip") if name in looks
    }
    return layer(kind, "rect", tone, encoded, **looks)


def span(
    kind: str, tone: str = "", dash: tuple[int, ...] = (), width: float = 2, **ends: Any
) -> Layer:
    """Return a layer that draws lines from the rows of one kind to their `x2`, `y2`, or both."""
    return layer(kind, "rule", tone, ends, strokeWidth=width, strokeDash=list(dash))


def layer(
    kind: str, mark: str, tone: str = "", encoded: Mapping = MappingProxyType({}), **looks: Any
) -> Layer:
    """Return a layer that draws rows of one kind with a Vega-Lite mark, such as "bar"."""

    def draw(base: alt.Chart, look: Look) -> alt.Chart:
        """Draw the marks on a chart with axes."""
        color: Any = look.color(tone) if tone else marks.tone(look)
        draw_mark = getattr(base.transform_filter(only(kind)), f"mark_{mark}")
        return draw_mark(color=color, **looks).encode(**encoded)

    return draw
