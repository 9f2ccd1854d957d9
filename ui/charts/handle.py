"""A chart's x axis as a handle: bands that nobody sees, and two selections of them.

The bands come from a sequence inside the specification, so no data travel for them, and lie on top of everything. The
selection `grab` holds where the pointer is while it is pressed; `press` flips with every press, so that a press on the
place of the last one is news to the browser, which keeps what equals what it has sent to itself.
"""

import json
import math
from collections.abc import Mapping
from functools import lru_cache

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


def with_handle(spec: Mapping) -> dict:
    """Lay the bands over a chart."""
    return dict(spec) | {"layer": [*spec["layer"], _layer(json.dumps(axis_of(spec), sort_keys=True))]}


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

    written = (x.get("axis") or {}).get("format") or ".3~g"
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
