"""A chart's x axis as a handle: bands that nobody sees, two selections of them, and points that
follow the pointer.

The bands come from a sequence inside the specification, so no data travel for them, and lie on top
of everything. The selection `grab` holds where the pointer is while it is pressed; `press` flips
with every press, so that a press on the place of the last one is news to the browser, which keeps
what equals what it has sent to itself. While it is pressed a ring runs along each of the chart's
curves, between the two points that the curve has there: what the server will answer as soon as it
can. The style sheet shows band and rings.

A finger's events stay with the mark where it began, so bands do not follow it. On a chart with a
layer named "dot" a finger on that drags, by the interval `pull` from the dot's place, which `grab`
then holds; elsewhere it scrolls.
"""

import math
from collections.abc import Mapping, Sequence

from ui.charts.layers import only

#: No chart has a place so far out.
MOST = 1e100
#: Bands across the chart.
BANDS = 240
GRAB = "grab"
PRESS = "press"
PULL = "pull"
_DOWN = f"@{GRAB}_marks:pointerdown[event.pointerType === 'mouse']"
_MOVE = f"[{_DOWN}, window:pointerup] > @{GRAB}_marks:pointermove"
#: A finger that moves scrolls the page; a tap is a click.
_TAP = f"@{GRAB}_marks:click[event.pointerType !== 'mouse']"
#: The unseen layer above the bands on which a finger drags; each of its rows has its place in `at`.
#: A touch there is taken from the browser, which would scroll.
DOT = "dot"
_ON_DOT = ("@dot_marks:pointerdown[event.pointerType === 'mouse']", "@dot_marks:touchstart!")
#: An interval that nobody sees or moves.
INTERVAL = {
    "type": "interval",
    "translate": False,
    "zoom": False,
    "mark": {"fillOpacity": 0, "strokeOpacity": 0},
}
_PULLED = INTERVAL | {
    "encodings": ["x"],
    "on": f"[{_ON_DOT[0]}, window:pointerup] > window:pointermove, "
    f"[{_ON_DOT[1]}, @dot_marks:touchend] > @dot_marks:touchmove!",
    "clear": f"{_DOWN}, {_TAP}",
}


def farther(ends: str, start: str) -> str:
    """Vega expression: the end of an interval, which comes sorted, that is farther from where it
    began.
    """
    return f"{ends}[abs({ends}[0] - {start}) > abs({ends}[1] - {start}) ? 0 : 1]"


#: Vega expression: where a chart with a dot is held; null if it never was.
HELD_AT = f"(isArray({PULL}.from) ? {farther(f'{PULL}.from', f'{GRAB}.at[0]')} : isArray({GRAB}.at) ? {GRAB}.at[0] : null)"


def followed(step: float, low: float, high: float) -> str:
    """Vega expression: where a chart with a dot is held, in a knob's steps; once the server has
    heard of it, `held`.

    The rows have `held`, the knob's value in the axis' unit, and `told`, the place of the last
    press that was heard of.
    """
    at = f"clamp(round({HELD_AT} / {step}) * {step}, {low}, {high})"
    return f"(isValid({HELD_AT}) && abs({HELD_AT} - datum.told) > 1e-9 ? {at} : datum.held)"


def axis_of(spec: Mapping) -> Mapping:
    """Return the x channel of a layered chart, which has a field and fixed ends."""
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
    rings = [_ring(layer) for layer in curves if layer["mark"]["type"] == "line"]
    dots = [layer for layer in spec["layer"] if layer.get("name") == DOT]
    below = [layer for layer in spec["layer"] if layer not in dots]
    found = dict(spec) | {"layer": [*below, *rings, _grabbed(axis_of(spec), bool(dots)), *dots]}
    if dots:
        return scrolling(found)
    return found


def scrolling(spec: Mapping) -> dict:
    """Let a finger scroll on a chart: Vega takes each event that a selection listens to from the
    browser.
    """
    allowed = {"defaults": {"allow": ["wheel", "touchstart", "touchmove", "touchend"]}}
    return dict(spec) | {"config": spec["config"] | {"events": allowed}}


def selections(spec: Mapping) -> tuple[str, ...]:
    """Return the names of a chart's selections."""
    if any(layer.get("name") == DOT for layer in spec["layer"]):
        return (GRAB, PRESS, PULL)
    return (GRAB, PRESS)


def heard(selection: object, name: str = GRAB) -> tuple[float, float] | None:
    """Return where the pointer went down on a chart and where it is, of what the browser sent; None
    if it is nowhere.

    `name` is the selection that holds where it went down.

    >>> heard({"grab": [{"at": 6.0}]}), heard({"grab": [{"at": 6.0}], "pull": {"from": [2.5, 6.1]}}), heard({})
    ((6.0, 6.0), (6.0, 2.5), None)
    """
    try:
        start = selection[name][0]["at"]
        ends = [start, *((selection.get(PULL) or {}).get("from") or ())]
        # Further out than any axis a number may be one that no float holds, or is none any more in
        # the knob's unit.
        fit = all(
            isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < MOST
            for one in ends
        )
        if fit:
            return (start, max(ends, key=lambda one: abs(one - start)))
        return None
    except (KeyError, IndexError, TypeError, AttributeError):
        return None


def _ring(layer: Mapping) -> dict:
    """Make the ring that runs along a curve while the pointer is pressed."""
    x, y = (layer["encoding"][name] for name in "xy")
    apart = [
        one["field"]
        for name, one in layer["encoding"].items()
        if name == "color" and "field" in one
    ]
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
    params: Sequence[Mapping],
    *steps: Mapping,
    **looks: object,
) -> dict:
    """Make the unseen bands along an axis with their selections.

    A band lies `from` one place `to` another, its middle is `at`, and `one` is the same for all;
    `steps` add to that.
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

    places = {"at": place(""), "from": place(" - 0.5"), "to": place(" + 0.5"), "one": "1"}
    return {
        "name": name,
        "data": {"sequence": {"start": 0, "stop": BANDS + 1, "as": "n"}},
        "transform": [*({"calculate": how, "as": what} for what, how in places.items()), *steps],
        "params": list(params),
        "mark": {"type": "rect", "opacity": 0} | looks,
        "encoding": {
            along: dict(channel) | {"field": "from"},
            f"{along}2": {"field": "to"},
            across: {"value": 0},
            f"{across}2": {"value": end},
        },
    }


def _grabbed(x: Mapping, dot: bool) -> dict:
    """Make the bands of a chart whose x axis is a handle."""

    def on(*events: str) -> dict:
        return {"type": "point", "on": ", ".join(events), "clear": False}

    usual = (x.get("axis") or {}).get("format") or ""
    # Bands are finer than an axis's whole percents: what is said is where the knob goes.
    if usual.endswith("%"):
        written = usual.replace(".0%", ".1~%")
    else:
        written = ",.3~r"
    told = {"calculate": f"format(datum.at, '{written}')", "as": "told"}
    params = [
        {
            "name": GRAB,
            "select": on(_DOWN, _MOVE, _TAP, *_ON_DOT * dot) | {"fields": ["at"], "toggle": False},
        },
        {"name": PRESS, "select": on(_DOWN, _TAP) | {"fields": ["one"], "toggle": "true"}},
        *[{"name": PULL, "select": _PULLED}] * dot,
    ]
    found = bands(GRAB, "x", x, params, told, cursor="ew-resize")
    found["encoding"]["tooltip"] = [
        {"field": "told", "type": "nominal", "title": "click or drag to"}
    ]
    return found
