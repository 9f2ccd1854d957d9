"""A chart's x axis as a handle: bands that nobody sees, two selections of them, and points that follow the pointer.

The bands come from a sequence inside the specification, so no data travel for them, and lie on top of everything. The
selection `grab` holds where the pointer is while it is pressed; `press` flips with every press, so that a press on the
place of the last one is news to the browser, which keeps what equals what it has sent to itself. While it is pressed a
ring runs along each of the chart's curves, between the two points that the curve has there: what the server will answer
as soon as it can. The style sheet shows band and rings.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ui.charts.layers import only

#: Bands across the chart.
BANDS = 240
GRAB, PRESS = "grab", "press"
_DOWN = f"@{GRAB}_marks:pointerdown[event.pointerType === 'mouse']"
_MOVE = f"[{_DOWN}, window:pointerup] > @{GRAB}_marks:pointermove"
#: A finger that moves scrolls the page; a tap is a click.
_TAP = f"@{GRAB}_marks:click[event.pointerType !== 'mouse']"


def axis_of(spec: Mapping) -> Mapping:
    """Return the x channel of a layered chart, which has a field and fixed ends.

    Raises
    ------
    ValueError
        The chart has none.
    """
    for layer in spec["layer"]:
        x = layer.get("encoding", {}).get("x", {})
        if x.get("type") == "quantitative" and "field" in x and "domain" in (x.get("scale") or {}):
            return x
    raise ValueError("a chart that is grabbed needs an x axis with fixed ends")


def with_handle(spec: Mapping, lines: Sequence[str] = ()) -> dict:
    """Lay the bands over a chart, and rings on its lines of these kinds of rows."""
    wanted = {only(line) for line in lines}
    curves = [
        layer
        for layer in spec["layer"]
        if any(str(step.get("filter")) in wanted for step in layer.get("transform", ()))
    ]
    rings = [_ring(json.dumps(layer, sort_keys=True)) for layer in curves if layer["mark"]["type"] == "line"]
    return dict(spec) | {"layer": [*spec["layer"], *rings, _layer(json.dumps(axis_of(spec), sort_keys=True))]}


@lru_cache(maxsize=64)
def _ring(curve: str) -> dict:
    """Make the ring that runs along a curve while the pointer is pressed."""
    layer = json.loads(curve)
    x, y = (layer["encoding"][name] for name in "xy")
    apart = [one["field"] for name, one in layer["encoding"].items() if name == "color" and "field" in one]
    lead = [{"op": "lead", "field": one["field"], "as": f"next_{one['field']}"} for one in (x, y)]
    here = f"{GRAB}.at[0]"
    (x0, x1), (y0, y1) = ((f"datum.{one['field']}", f"datum.next_{one['field']}") for one in (x, y))
    inside = f"isValid({GRAB}.at) && {x0} <= {here} && {here} < {x1}"
    # A line is straight on the page, not in its values where an axis is logarithmic.
    wide, high = ("log" if one.get("scale", {}).get("type") == "log" else "" for one in (x, y))
    along = f"({wide}({here}) - {wide}({x0})) / ({wide}({x1}) - {wide}({x0}))"
    place = f"{'exp' if high else ''}({high}({y0}) + datum.along * ({high}({y1}) - {high}({y0})))"
    return {
        "name": "ring",
        "transform": [
            *layer["transform"],
            {"window": lead, "sort": [{"field": x["field"]}], "groupby": apart},
            {"filter": inside},
            {"calculate": along, "as": "along"},
            {"calculate": place, "as": y["field"]},
            {"calculate": here, "as": x["field"]},
        ],
        "mark": {"type": "point", "size": 150, "stroke": "currentColor", "strokeWidth": 2, "opacity": 0, "clip": True},
        "encoding": {"x": x, "y": y},
    }


@lru_cache(maxsize=64)
def _layer(channel: str) -> dict:
    x = json.loads(channel)
    low, high = x["scale"]["domain"]
    logarithmic = x["scale"].get("type") == "log"
    if logarithmic:
        low, high = math.log10(low), math.log10(high)
    width = (high - low) / BANDS

    def place(offset: str) -> str:
        inside = f"clamp({low!r} + (datum.n{offset}) * {width!r}, {low!r}, {high!r})"
        return f"pow(10, {inside})" if logarithmic else inside

    def on(*events: str) -> dict[str, object]:
        return {"type": "point", "on": ", ".join(events), "clear": False}

    usual = (x.get("axis") or {}).get("format") or ""
    # Bands are finer than an axis's whole percents: what is said is where the knob goes.
    written = usual.replace(".0%", ".1~%") if usual.endswith("%") else ",.3~r"
    return {
        "name": GRAB,
        "data": {"sequence": {"start": 0, "stop": BANDS + 1, "as": "n"}},
        "transform": [
            {"calculate": place(""), "as": "at"},
            {"calculate": place(" - 0.5"), "as": "from"},
            {"calculate": place(" + 0.5"), "as": "to"},
            {"calculate": "1", "as": "one"},
            {"calculate": f"replace(format(datum.at, '{written}'), '%', ' %')", "as": "told"},
        ],
        "params": [
            {"name": GRAB, "select": on(_DOWN, _MOVE, _TAP) | {"fields": ["at"], "toggle": False}},
            {"name": PRESS, "select": on(_DOWN, _TAP) | {"fields": ["one"], "toggle": "true"}},
        ],
        "mark": {"type": "rect", "opacity": 0, "cursor": "ew-resize"},
        "encoding": {
            "x": x | {"field": "from"},
            "x2": {"field": "to"},
            "y": {"value": 0},
            "y2": {"value": "height"},
            "tooltip": [{"field": "told", "type": "nominal", "title": "click or drag to"}],
        },
    }
