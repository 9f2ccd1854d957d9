"""Clickable marks in the top layer of a chart, identified by one field.

The selection `tap` holds every mark whose parity is odd: a tap flips its mark. What has flipped
since the last time was tapped in between, so that quick taps are not lost while the server draws.
`over` is the mark under the mouse, or the last one that a finger tapped; it stays in the browser,
where the chart's own expressions may ask for it, as `over.slice[0]` for the field "slice".
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
    """Vega expression: whether a mark was clicked and the server has not yet processed the
    click.
    """
    return (
        f"(indexof(isArray({TAP}.{field}) ? {TAP}.{field} : [], datum.{field}) >= 0) !== datum.told"
    )


def flipped(sent: Any, field: str) -> set:
    """Return the marks that were clicked an odd number of times; none if the chart is new.

    >>> flipped({"selection": {"tap": [{"slice": 4}]}}, "slice"), flipped({"selection": {}}, "slice")
    ({4}, set())
    """
    try:
        return {row[field] for row in sent["selection"].get(TAP) or ()}
    except (KeyError, TypeError, AttributeError):
        return set()


def tapped(now: Collection, heard: Collection) -> list:
    """List the marks clicked since the last run, sorted by name."""
    return sorted(set(now) ^ set(heard), key=str)
