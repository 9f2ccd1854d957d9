"""Make a chart's x axis draggable: invisible bands, a pointer signal, and points that follow it.

The bands lie on top of all layers. The signal `held` says where the pointer went down (`start`),
where it is (`at`), and when it moved last (`when`). Only the visitor's pointer changes it: a Vega
selection would also change when an axis or the window changes, or when Streamlit rebuilds the
chart, and the server would mistake that for a press. The time distinguishes a second press at the
same position from the first. While the chart is pressed, a ring moves along each curve, between the
two nearest points of the curve: a preview of the server's answer. The style sheet shows bands and
rings.

On a chart with a layer named "dot", a finger drags the dot; elsewhere it scrolls the page.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ui.charts.fragments import fragment
from ui.charts.layers import only

#: Positions at or beyond this are invalid [unit of the axis].
MOST = 1e100
#: Number of bands across the chart.
BANDS = 240
GRAB = "grab"
#: Arrows around a mark that moves to both sides, and beside a mark that moves up and down.
ACROSS = "◀\u2003\u2003▶"
UPWARD = "↕"
HELD = "held"
#: Name of a layer and a signal of a picture beside a chart with a handle. hand.js sets the signal
#: to the position of the pressed handle, or to null while it is not pressed.
POINTED = "pointed"
#: Name of the invisible layer above the bands that a finger drags; each of its rows has its
#: position in `at`. A touch there does not scroll the page.
DOT = "dot"
#: Properties of that layer. Without `clip`, a dot that overhangs the frame would move the plot.
UNSEEN = {
    "filled": True,
    "opacity": 0,
    "size": 2400,
    "clip": True,
    "tooltip": {"expr": "null"},
}
#: Vega expression: the pointer is at a position that the server does not know yet. A row's `told`
#: is the time of the last press that the server knows.
NEWS = f"(isValid({HELD}.at) && {HELD}.when !== datum.told)"


class Press(NamedTuple):
    """Visitor's pointer action on a chart."""

    start: float  #: where it went down, in the axis' unit
    at: float  #: where it is, in the axis' unit
    when: float  #: time of its last move [ms since 1970], by the browser's clock


def follow(spec: Mapping, along: str, channel: Mapping, name: str) -> dict:
    """Make the signal `held` follow the pointer along an axis, on the named bands and the dot.

    While the pointer drags the dot, its distance from the dot's position in `at` stays the same.
    """
    low, high = sorted(channel["scale"]["domain"])
    # A finger that moves scrolls the page; a tap is a click.
    signal = fragment("held", bands=name, along=along, low=low, high=high)
    if any(layer.get("name") == DOT for layer in spec["layer"]):
        # A chart that listens to touches gets no clicks of a finger.
        signal["on"][1]["events"] += f", {fragment('dot_drags')}"
        signal["on"].append(fragment("dot_pressed", along=along))
    # Streamlit sends the value of a signal only if a selection has its name. It finds selections
    # in a nested `spec`, too, which Vega-Lite ignores where there are layers.
    named = {"params": [{"name": HELD, "select": "point"}]}
    return dict(spec) | {"params": [*spec.get("params", ()), signal], "spec": named}


def followed(step: float, low: float, high: float) -> str:
    """Return the Vega expression for the dragged dot's position, in steps of its setting.

    Once the server has replied it is the rows' `held`, the knob's value in the axis' unit. The rows
    also have `told`.
    """
    at = f"clamp(round({HELD}.at / {step}) * {step}, {low}, {high})"
    return f"({NEWS} ? {at} : datum.held)"


def dot(base: Any, look: Any = None) -> Any:
    """Draw the rows of kind "dot" as the invisible layer on which a finger drags."""
    return base.transform_filter(only("dot")).mark_point(**UNSEEN).properties(name=DOT)


def axis_of(spec: Mapping) -> Mapping:
    """Return the x channel of a layered chart, which must have a field and fixed ends."""
    for layer in spec["layer"]:
        x = layer.get("encoding", {}).get("x", {})
        if x.get("type") == "quantitative" and "field" in x and "domain" in (x.get("scale") or {}):
            return x
    raise ValueError("a chart that is grabbed needs an x axis with fixed ends")


def places_of(spec: Mapping) -> tuple[float, ...]:
    """Return the centers of a chart's bands, in the unit of its x axis."""
    scale = axis_of(spec)["scale"]
    low, high = scale["domain"]
    return _centers(low, high, scale.get("type") == "log")


@lru_cache(maxsize=64)
def _centers(low: float, high: float, is_log: bool) -> tuple[float, ...]:
    spaced = np.geomspace if is_log else np.linspace
    return tuple(spaced(low, high, BANDS + 1).tolist())


def with_handle(
    spec: Mapping, lines: Sequence[str] = (), moves: str = "", follows: bool = False
) -> dict:
    """Add to a chart the drag bands, rings on lines of these kinds, and arrows at the movable mark.

    `moves` is the filter of that mark's rows, and `follows` says that the picture follows the
    pointer.
    """
    line_filters = {only(line) for line in lines}
    rings: list[dict] = []
    dots = []
    below = []
    for layer in spec["layer"]:
        if layer.get("name") == DOT:
            dots.append(layer)
            continue
        below.append(layer)
        # A glow under a curve has one filter more than the curve.
        filters = {step["filter"] for step in layer.get("transform", ()) if "filter" in step}
        if layer["mark"]["type"] == "line" and filters and filters <= line_filters:
            # The browser would draw nothing if two layers had the same name.
            rings.append(_ring(layer, f"ring_{len(rings)}" if rings else "ring"))
    if follows:
        below[0] = below[0] | {"name": "follows"}
    x = axis_of(spec)
    if moves or dots:
        steps = [{"filter": moves}]
        if dots:
            steps = dots[0]["transform"]
        ys = (layer["encoding"]["y"] for layer in spec["layer"])
        y = next(channel for channel in ys if "field" in channel)
        below.append(hint({"x": x, "y": y}, steps, ACROSS))
    layered = dict(spec) | {"layer": [*below, *rings, _grabbed(x), *dots]}
    draggable = follow(layered, "x", x, GRAB)
    if dots:
        return scrolling(draggable)
    return draggable


def hint(places: Mapping, steps: Sequence[Mapping], arrows: str) -> dict:
    """Make the arrows around a movable mark, visible until the visitor has moved it."""
    layer = fragment("hint", steps=list(steps), arrows=arrows, **places)
    if arrows == UPWARD:
        layer["mark"] |= {"fontSize": 18, "dx": -16}
    return layer


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
    # A larger number may be too large for a float, or become infinite in the knob's unit. A bool is
    # no number.
    if all(type(number) in (int, float) and abs(number) < MOST for number in press):
        return press
    return None


def _ring(layer: Mapping, name: str) -> dict:
    """Make the ring that runs along a curve while the pointer is pressed."""
    encoding = layer["encoding"]
    x = encoding["x"]
    y = encoding["y"]
    color = encoding.get("color", {})
    # The line between two points is straight on the page, not in values on a logarithmic axis.
    ring = fragment(
        "ring",
        name=name,
        x=x["field"],
        y=y["field"],
        apart=[color["field"]] if "field" in color else [],
        wide=_bent(x),
        high=_bent(y),
        back=_bent(y).replace("log", "exp"),
    )
    transform = [*layer["transform"], *ring["transform"]]
    return ring | {"transform": transform, "encoding": {"x": x, "y": y}}


def _bent(channel: Mapping) -> str:
    """Return the Vega function that makes a channel's axis linear; "" if it is linear."""
    if channel.get("scale", {}).get("type") == "log":
        return "log"
    return ""


def bands(name: str, along: str, channel: Mapping, **style: Any) -> dict:
    """Make the invisible bands along an axis.

    Each band extends `from` one position `to` another, and its center is `at`.
    """
    low, high = channel["scale"]["domain"]
    function = ""
    if _bent(channel):
        low = math.log(low)
        high = math.log(high)
        function = "exp"
    across, size = {"x": ("y", "height"), "y": ("x", "width")}[along]
    layer = fragment(
        "bands",
        name=name,
        stop=BANDS + 1,
        along=along,
        across=across,
        size=size,
        starts={**channel, "field": "from"},
        place=function,
        low=low,
        high=high,
        width=(high - low) / BANDS,
    )
    layer["mark"] |= style
    return layer


def _grabbed(x: Mapping) -> dict:
    """Make the bands of a chart whose x axis is a handle, with the knob's value as tooltip."""
    grabbed = bands(GRAB, "x", x, cursor="ew-resize")
    grabbed["data"] = {"name": GRAB}
    grabbed["encoding"]["tooltip"] = [
        {"field": "gives", "type": "nominal", "title": "click or drag to"}
    ]
    return grabbed


def band_rows(gives: Sequence[str]) -> pa.Table:
    """Return the rows of the drag bands: each band's number, and the setting's value as text.

    They are not part of the specification, because each change of it would rebuild the chart.
    """
    return pa.table({"n": list(range(BANDS + 1)), "gives": list(gives) or [""] * (BANDS + 1)})
