"""Clickable marks in the top layer of a chart, identified by one field.

A tap adds its mark to the selection `tap` or removes it from there. Marks that differ from the last
known selection were tapped since then, so that quick taps are not lost while the server draws.
`over` is the mark under the mouse, or the last mark that a finger tapped; it stays in the browser,
where the chart's own expressions may use it, as `over.slice[0]` for the field "slice".
"""

from collections.abc import Collection, Mapping
from typing import Any

from ui.charts.fragments import fragment

TAP = "tap"
OVER = "over"


def with_taps(spec: Mapping, field: str) -> dict:
    """Make the marks of the top layer clickable."""
    *below, top = spec["layer"]
    params = fragment("taps", field=field)
    return dict(spec) | {"layer": [*below, top | {"name": TAP, "params": params}]}


def is_held(field: str) -> str:
    """Return the Vega expression for whether a mark has a click that the server does not know."""
    selected = f"{TAP}.{field}"
    return f"(indexof(isArray({selected}) ? {selected} : [], datum.{field}) >= 0) !== datum.told"


def flipped(sent: Any, field: str) -> set:
    """Return the marks that were clicked an odd number of times; none if the chart is new.

    >>> flipped({"selection": {"tap": [{"slice": 4}]}}, "slice")
    {4}
    >>> flipped({"selection": {}}, "slice")
    set()
    """
    try:
        return {row[field] for row in sent["selection"].get(TAP) or ()}
    except (KeyError, TypeError, AttributeError):
        return set()


def tapped(now: Collection, heard: Collection) -> list:
    """List the marks clicked since the last run, sorted by name."""
    return sorted(set(now) ^ set(heard), key=str)
