"""A chart's y axis as the handle of two knobs: lines that are dragged up and down, and rows that
follow them at once.

Unseen bands over the chart carry three selections. `press` holds where the pointer went down, which
says which line is meant; `pull` is an interval from there to where it is now; `flip` makes a press
on the place of the last one news to the server. An interval goes by coordinates, so that it follows
a finger too: a finger on a line's dot drags it, elsewhere it scrolls the page, and a tap moves the
nearer line.

Until the server has answered the browser draws what it knows itself: the lines where the pointer
is, and of the rows that say for which places of a line they hold (`line`, 0 or 1, `start`, `stop`)
those of the place where it is.
"""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from ui.base.lesson import Level
from ui.charts.handle import INTERVAL, PULL, bands, farther, scrolling
from ui.charts.look import NARROW, Look, stack

#: Step of a line.
STEP = 0.01
PRESS = "press"
FLIP = "flip"
SELECTIONS = (PULL, PRESS, FLIP)
_MOUSE = "@levels_marks:pointerdown[event.pointerType === 'mouse']"
_DOT = "@dot_marks:pointerdown[event.pointerType === 'mouse']"
#: Taken from the browser, which would scroll.
_FINGER = "@dot_marks:touchstart!"
_TAP = "@levels_marks:click[event.pointerType !== 'mouse']"
#: Where the pointer went down, and where it is.
_AT = f"{PRESS}.at[0]"
_TO = f"(isArray({PULL}.from) ? {farther(f'{PULL}.from', _AT)} : {_AT})"
#: Which line is dragged to a place of which the server has not heard; -1 if none is.
_LINE = (
    f"(isArray({PRESS}.at) && abs({_TO} - datum.told) > 1e-9 ? "
    f"({_AT} < (datum.level_0 + datum.level_1) / 2 ? 0 : 1) : -1)"
)


def _place(line: int) -> str:
    """Vega expression: where a line is drawn."""
    to = f"clamp(round({_TO} / {STEP}) * {STEP}, datum.least_{line}, datum.most_{line})"
    return f"({_LINE} === {line} ? {to} : datum.level_{line})"


_HERE = f"(datum.line === 0 ? {_place(0)} : {_place(1)})"
#: Vega expression that keeps the rows which hold for the place of their line; of both lines' rows
#: those of one.
FOLLOWS = f"datum.line === max({_LINE}, 0) && datum.start <= {_HERE} && {_HERE} < datum.stop"


def with_lines(rows: pa.Table, lines: Sequence[Level], told: float) -> pa.Table:
    """Add the rows of the lower and the upper line, and tell all rows where both stand and what was
    heard last.
    """
    both = stack(
        {"kind": "level", "line": at, "label": one.words, "short": one.short}
        for at, one in enumerate(lines)
    )
    rows = pa.concat_tables([rows, both], promote_options="permissive")
    known = {"told": told} | {
        f"{name}_{at}": float(value)
        for at, one in enumerate(lines)
        for name, value in (("level", one.value), ("least", one.least), ("most", one.most))
    }
    for name, value in known.items():
        rows = rows.append_column(name, pa.array([value] * rows.num_rows))
    return rows


def with_levels(spec: Mapping, look: Look, end: float) -> dict:
    """Lay two lines up to a place on the x axis over a layered chart, named at their right, and
    what is dragged.
    """
    y = next(
        one["encoding"]["y"]
        for one in spec["layer"]
        if "domain" in one["encoding"]["y"].get("scale", {})
    )
    bare = {"field": "place", "type": "quantitative", "scale": y["scale"]}
    place = [{"filter": "datum.kind === 'level'"}, {"calculate": _HERE, "as": "place"}]
    shown = f"({NARROW} ? datum.short : datum.label) + format(datum.place, '.0%')"

    def layer(mark: dict, at: float = end, *more: dict, **encoding: object) -> dict:
        places = {"y": bare, "x": {"datum": at}} | encoding
        return {"transform": [*place, *more], "mark": mark, "encoding": places}

    words = {
        "type": "text",
        "align": "left",
        "dx": 14,
        "fontSize": look.text_size,
        "fontWeight": "bold",
    }
    dot = {"type": "point", "filled": True, "color": look.ink}
    unseen = {"size": 2400, "opacity": 0, "cursor": "ns-resize", "tooltip": {"expr": "null"}}
    rule = {"type": "rule", "color": look.ink, "strokeWidth": 2, "strokeDash": [8, 4]}
    over = [
        layer(rule, 0, x2={"datum": end}),
        layer(
            words | {"color": look.ink},
            end,
            {"calculate": shown, "as": "said"},
            text={"field": "said"},
        ),
        layer(dot | {"size": 150, "opacity": 1, "stroke": look.paper, "strokeWidth": 1.5}),
        _bands(y),
        layer(dot | unseen, end, {"calculate": "datum.place", "as": "at"}) | {"name": "dot"},
    ]
    return scrolling(dict(spec) | {"layer": [*spec["layer"], *over]})


def _bands(y: Mapping) -> dict:
    """Make the unseen bands with their selections."""
    to_end = "[{}, window:pointerup] > window:pointermove"
    drags = (
        to_end.format(_MOUSE),
        to_end.format(_DOT),
        f"[{_FINGER}, @dot_marks:touchend] > @dot_marks:touchmove!",
    )
    point = {"type": "point", "clear": False}
    press = {"on": f"{_MOUSE}, {_DOT}, {_FINGER}, {_TAP}", "toggle": False, "fields": ["at"]}
    params = [
        {
            "name": PULL,
            "select": INTERVAL | {"encodings": ["y"], "on": ", ".join(drags), "clear": False},
        },
        {"name": PRESS, "select": point | press},
        {
            "name": FLIP,
            "select": point | {"on": f"{_MOUSE}, {_TAP}", "toggle": "true", "fields": ["one"]},
        },
    ]
    return bands("levels", "y", y, params, cursor="ns-resize", tooltip=None)


def meant(lines: Sequence[Level], start: float, to: float) -> tuple[str, float]:
    """Return the knob of the line that is nearer to where the pointer went down, and the place that
    it gets.

    >>> pair = Level("low", 0.5, 0.0, 0.7, "below "), Level("high", 0.8, 0.6, 1.0, "above ")
    >>> meant(pair, 0.52, 0.4), meant(pair, 0.9, 0.3)
    (('low', 0.4), ('high', 0.6))
    """
    line = lines[0 if start < (lines[0].value + lines[1].value) / 2 else 1]
    return line.knob, min(max(to, line.least), line.most)
