"""Make a chart's x axis draggable: invisible bands, a pointer signal, and points that follow it.

The bands lie on top of everything. The signal `held` says where the pointer went down (`start`),
where it is (`at`), and when that was (`when`). Only the visitor's pointer writes it. Vega computes
a selection anew when an axis or the window changes, and Streamlit gives a rebuilt chart its old
selections back: the server would take either for a press. The moment makes a second press on the
same place news. While the chart is pressed a ring runs along each of its curves, between the two
points that the curve has there: what the server will answer as soon as it can. The style sheet
shows band and rings.

On a chart with a layer named "dot" a finger on that drags; elsewhere it scrolls.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ui.charts.layers import only

#: No chart has a place so far out.
MOST = 1e100
#: Bands across the chart.
BANDS = 240
GRAB = "grab"
#: Arrows around a mark that can be moved to both sides, and beside one that goes up and down.
ACROSS = "◀\u2003\u2003▶"
UPWARD = "↕"
HELD = "held"
#: A picture beside a chart with a handle has a layer of this name and a signal of this name, to
#: which hand.js hands on the place at which the handle is held, null while it is not.
POINTED = "pointed"
#: The unseen layer above the bands on which a finger drags; each of its rows has its place in `at`.
#: A touch there is taken from the browser, which would scroll.
DOT = "dot"
#: How that layer looks. Where it is not clipped, one that overhangs the frame moves the plot.
UNSEEN = {
    "filled": True,
    "opacity": 0,
    "size": 2400,
    "clip": True,
    "tooltip": {"expr": "null"},
}
_ON_DOT = ("@dot_marks:pointerdown[event.pointerType === 'mouse']", "@dot_marks:touchstart!")
#: Vega expression: the pointer has moved a chart to a place of which the server has not heard. A
#: row's `told` is the moment of the last press that the server has heard of.
NEWS = f"(isValid({HELD}.at) && {HELD}.when !== datum.told)"


class Press(NamedTuple):
    """Visitor's pointer action on a chart."""

    start: float  #: where it went down, in the axis' unit
    at: float  #: where it is
    when: float  #: the moment of its last move [ms since 1970], by the browser's clock


def follow(spec: Mapping, along: str, channel: Mapping, name: str) -> dict:
    """Make the signal `held` follow the pointer along an axis, over the named invisible marks and
    the dot.

    A dot's rows have its place in `at`; it stays as far from the pointer as where it was taken.
    """
    low, high = sorted(channel["scale"]["domain"])
    with_dot = any(layer.get("name") == DOT for layer in spec["layer"])
    mouse = f"@{name}_marks:pointerdown[event.pointerType === 'mouse']"
    # A finger that moves scrolls the page; a tap is a click.
    tap = f"@{name}_marks:click[event.pointerType !== 'mouse']"
    moves = "[{}, window:pointerup] > window:pointermove[event.buttons]"
    drags = [moves.format(mouse)]
    if with_dot:
        drags.append(moves.format(_ON_DOT[0]))
        drags.append(f"[{_ON_DOT[1]}, @dot_marks:touchend] > @dot_marks:touchmove!")

    def to(start: str, at: str, off: str) -> str:
        return f"{{start: {start}, at: {at}, off: {off}, when: now()}}"

    def here(off: str) -> str:
        return f"clamp(invert('{along}', {along}() + {off}), {low!r}, {high!r})"

    updates = {
        f"{mouse}, {tap}": to(here("0"), here("0"), "0"),
        ", ".join(drags): to(f"{HELD}.start", here(f"{HELD}.off"), f"{HELD}.off"),
    }
    if with_dot:  # a chart that listens to touches gets no clicks of a finger
        off = f"scale('{along}', datum.at) - {along}()"
        updates[", ".join(_ON_DOT)] = to("datum.at", "datum.at", off)
    on = [{"events": events, "update": update} for events, update in updates.items()]
    signal = {"name": HELD, "value": {}, "on": on}
    # Streamlit sends what a signal says, but asks for names of selections only. It looks for them
    # in a nested `spec`, too, and Vega-Lite does not where there are layers.
    named = {"params": [{"name": HELD, "select": "point"}]}
    return dict(spec) | {"params": [*spec.get("params", ()), signal], "spec": named}


def followed(step: float, low: float, high: float) -> str:
    """Vega expression for the dragged dot's position, in a setting's steps; `held` after the server
    has replied.

    The rows have `held`, the knob's value in the axis' unit, and `told`.
    """
    at = f"clamp(round({HELD}.at / {step}) * {step}, {low}, {high})"
    return f"({NEWS} ? {at} : datum.held)"


def axis_of(spec: Mapping) -> Mapping:
    """Return the x channel of a layered chart, which must have a field and fixed ends."""
    for layer in spec["layer"]:
        x = layer.get("encoding", {}).get("x", {})
        if x.get("type") == "quantitative" and "field" in x and "domain" in (x.get("scale") or {}):
            return x
    raise ValueError("a chart that is grabbed needs an x axis with fixed ends")


def places_of(spec: Mapping) -> list[float]:
    """Return the centers of a chart's bands, in the unit of its x axis."""
    scale = axis_of(spec)["scale"]
    low, high = scale["domain"]
    if scale.get("type") == "log":
        return np.geomspace(low, high, BANDS + 1).tolist()
    return np.linspace(low, high, BANDS + 1).tolist()


def with_handle(
    spec: Mapping, lines: Sequence[str] = (), moves: str = "", follows: bool = False
) -> dict:
    """Add to a chart the drag bands, rings on lines of these kinds, and a hint next to the movable
    mark.

    `moves` is the filter of that mark's rows, and `follows` says that the picture follows the
    pointer.
    """
    wanted = {only(line) for line in lines}
    curves = [layer for layer in spec["layer"] if _filters(layer) and _filters(layer) <= wanted]
    rings = [_ring(layer) for layer in curves if layer["mark"]["type"] == "line"]
    dots = [layer for layer in spec["layer"] if layer.get("name") == DOT]
    below = [layer for layer in spec["layer"] if layer not in dots]
    if follows:
        below[0] = below[0] | {"name": "follows"}
    x = axis_of(spec)
    if moves or dots:
        steps = [{"filter": moves}]
        for dot in dots:
            steps = dot["transform"]
        y = next(
            layer["encoding"]["y"] for layer in spec["layer"] if "field" in layer["encoding"]["y"]
        )
        below.append(hint({"x": x, "y": y}, steps, ACROSS))
    layered = dict(spec) | {"layer": [*below, *rings, _grabbed(x), *dots]}
    followed = follow(layered, "x", x, GRAB)
    if dots:
        return scrolling(followed)
    return followed


def _filters(layer: Mapping) -> set[str]:
    """Filters of a layer; a glow under a curve has one more than the curve."""
    return {str(step["filter"]) for step in layer.get("transform", ()) if "filter" in step}


def hint(places: Mapping, steps: Sequence[Mapping], arrows: str) -> dict:
    """Make the arrows around a movable mark, visible until the visitor has moved it."""
    mark = {"type": "text", "opacity": 0, "clip": True, "fontSize": 11}
    mark |= {"align": "center", "baseline": "middle"}
    if arrows == UPWARD:
        mark |= {"dx": -16, "fontSize": 18}
    return {
        "name": "hint",
        "transform": list(steps),
        "mark": mark,
        "encoding": dict(places) | {"text": {"value": arrows}},
    }


def scrolling(spec: Mapping) -> dict:
    """Allow finger scrolling on a chart by limiting the events that Vega captures."""
    allowed = {"defaults": {"allow": ["wheel", "touchstart", "touchmove", "touchend"]}}
    return dict(spec) | {"config": spec["config"] | {"events": allowed}}


def heard(selection: Any) -> Press | None:
    """Return the press sent by the browser; None if the data is invalid.

    >>> heard({"held": {"start": 6.0, "at": 2.5, "off": 0, "when": 17}})
    Press(start=6.0, at=2.5, when=17)
    >>> heard({"held": {}}) is None
    True
    """
    try:
        press = Press(*(selection[HELD][name] for name in Press._fields))
    except (KeyError, TypeError):
        return None
    # Further out than any axis a number may be one that no float holds, or is none any more in the
    # knob's unit.
    for number in press:
        if not isinstance(number, int | float) or isinstance(number, bool):
            return None
        if not abs(number) < MOST:
            return None
    return press


def _ring(layer: Mapping) -> dict:
    """Make the ring that runs along a curve while the pointer is pressed."""
    x, y = (layer["encoding"][name] for name in "xy")
    apart = [
        channel["field"]
        for name, channel in layer["encoding"].items()
        if name == "color" and "field" in channel
    ]
    lead = [
        {"op": "lead", "field": channel["field"], "as": f"next_{channel['field']}"}
        for channel in (x, y)
    ]
    here = f"{HELD}.at"
    (x0, x1), (y0, y1) = (
        (f"datum.{channel['field']}", f"datum.next_{channel['field']}") for channel in (x, y)
    )
    inside = f"isValid({here}) && {x0} <= {here} && {here} < {x1}"
    # A line is straight on the page, not in its values where an axis is logarithmic.
    wide, high = (
        "log" if channel.get("scale", {}).get("type") == "log" else "" for channel in (x, y)
    )
    along = f"({wide}({here}) - {wide}({x0})) / ({wide}({x1}) - {wide}({x0}))"
    expression = (
        f"{'exp' if high else ''}({high}({y0}) + datum.along * ({high}({y1}) - {high}({y0})))"
    )
    return {
        "name": "ring",
        "transform": [
            *layer["transform"],
            {"window": lead, "sort": [{"field": x["field"]}], "groupby": apart},
            {"filter": inside},
            {"calculate": along, "as": "along"},
            {"calculate": expression, "as": y["field"]},
            {"calculate": here, "as": x["field"]},
        ],
        "mark": {
            "type": "point",
            "size": 150,
            "stroke": "currentColor",
            "strokeWidth": 2,
            "opacity": 0,
            "clip": True,
        },
        "encoding": {"x": x, "y": y},
    }


def bands(
    name: str,
    along: str,
    channel: Mapping,
    **looks: Any,
) -> dict:
    """Make the invisible bands along an axis.

    A band lies `from` one place `to` another, and its middle is `at`.
    """
    low, high = channel["scale"]["domain"]
    logarithmic = channel["scale"].get("type") == "log"
    if logarithmic:
        low = math.log10(low)
        high = math.log10(high)
    width, across, end = (high - low) / BANDS, *{"x": ("y", "height"), "y": ("x", "width")}[along]

    def place(offset: str) -> str:
        inside = f"clamp({low!r} + (datum.n{offset}) * {width!r}, {low!r}, {high!r})"
        if logarithmic:
            return f"pow(10, {inside})"
        return inside

    places = {"at": place(""), "from": place(" - 0.5"), "to": place(" + 0.5")}
    return {
        "name": name,
        "data": {"sequence": {"start": 0, "stop": BANDS + 1, "as": "n"}},
        "transform": [*({"calculate": how, "as": what} for what, how in places.items())],
        "mark": {"type": "rect", "opacity": 0} | looks,
        "encoding": {
            along: dict(channel) | {"field": "from"},
            f"{along}2": {"field": "to"},
            across: {"value": 0},
            f"{across}2": {"value": end},
        },
    }


def _grabbed(x: Mapping) -> dict:
    """Make the bands of a chart whose x axis is a handle; each says what its knob gets there."""
    grabbed = bands(GRAB, "x", x, cursor="ew-resize")
    grabbed["data"] = {"name": GRAB}
    grabbed["encoding"]["tooltip"] = [
        {"field": "gives", "type": "nominal", "title": "click or drag to"}
    ]
    return grabbed


def band_rows(gives: Sequence[str]) -> pa.Table:
    """Return the bands' data: number, and the setting's value there in words, as in `places_of`.
    Beside the specification, or each change would build the chart again.
    """
    return pa.table({"n": list(range(BANDS + 1)), "gives": list(gives) or [""] * (BANDS + 1)})
