"""Make a chart's y axis a handle for two settings: lines to drag up and down, and rows that follow.

A press moves the nearer line. A finger drags a line by its dot; elsewhere it scrolls the page, and
a tap moves the nearer line.

Until the server has answered, the browser draws the dragged line at the pointer. Some rows hold
only while a line (`line`, 0 or 1) is between `start` and `stop`; of these the browser draws the
rows for the line's position at the pointer.
"""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from ui.base.lesson import Level
from ui.charts.fragments import fragment
from ui.charts.handle import HELD, NEWS, UPWARD, Press, bands, follow, hint, scrolling
from ui.charts.look import NARROW, Look, stack

#: Step of a line, in the unit of the y axis.
STEP = 0.01
#: Vega expression: the line, 0 or 1, that is dragged to a position that the server does not know
#: yet; -1 if none is.
_LINE = f"({NEWS} ? ({HELD}.start < (datum.level_0 + datum.level_1) / 2 ? 0 : 1) : -1)"


def _place(line: int) -> str:
    """Return the Vega expression for the height of a line."""
    at_pointer = f"clamp(round({HELD}.at / {STEP}) * {STEP}, datum.least_{line}, datum.most_{line})"
    return f"({_LINE} === {line} ? {at_pointer} : datum.level_{line})"


#: Vega expressions: the heights of the lower line and the upper one.
PLACES = (_place(0), _place(1))
_HERE = f"(datum.line === 0 ? {PLACES[0]} : {PLACES[1]})"
#: Vega expression: whether a row holds at the height of its line, and this line is the dragged one
#: or, if none is dragged, the lower one.
FOLLOWS = f"datum.line === max({_LINE}, 0) && datum.start <= {_HERE} && {_HERE} < datum.stop"


def with_lines(rows: pa.Table, lines: Sequence[Level], heard_at: float) -> pa.Table:
    """Add the rows of both lines, and columns for their values and the last known press."""
    both = stack(
        {"kind": "level", "line": at, "label": level.words, "short": level.short}
        for at, level in enumerate(lines)
    )
    rows = pa.concat_tables([rows, both], promote_options="permissive")
    columns = {"told": heard_at} | {
        f"{name}_{at}": float(value)
        for at, level in enumerate(lines)
        for name, value in (("level", level.value), ("least", level.least), ("most", level.most))
    }
    for name, value in columns.items():
        rows = rows.append_column(name, pa.array([value] * rows.num_rows))
    return rows


def with_levels(spec: Mapping, look: Look, end: float) -> dict:
    """Add to a layered chart two labeled, draggable lines that end at a position on the x axis."""
    ys = (layer["encoding"]["y"] for layer in spec["layer"])
    y = next(channel for channel in ys if "domain" in channel.get("scale", {}))
    bare = {"field": "place", "type": "quantitative", "scale": y["scale"]}
    rule, *marks, dot = fragment(
        "levels",
        y=bare,
        end=end,
        here=_HERE,
        narrow=NARROW,
        size=look.text_size,
        ink=look.ink,
        paper=look.paper,
    )
    arrows = hint({"y": bare, "x": {"datum": end}}, rule["transform"], UPWARD)
    grips = bands("levels", "y", y, cursor="ns-resize", tooltip=None)
    over = [rule, *marks, arrows, grips, dot]
    layered = dict(spec) | {"layer": [*spec["layer"], *over]}
    return scrolling(follow(layered, "y", y, "levels"))


def meant(lines: Sequence[Level], press: Press) -> tuple[str, float]:
    """Return the setting whose line is nearest to the press, and the line's new value.

    >>> pair = Level("low", 0.5, 0.0, 0.7, "below "), Level("high", 0.8, 0.6, 1.0, "above ")
    >>> meant(pair, Press(0.52, 0.4, 1)), meant(pair, Press(0.9, 0.3, 2))
    (('low', 0.4), ('high', 0.6))
    """
    low, high = lines
    line = high
    if press.start < (low.value + high.value) / 2:
        line = low
    return line.knob, min(max(press.at, line.least), line.most)
