"""Marks of a chart that can be tapped: those of its topmost layer, told apart by one field.

The selection `tap` holds every mark whose parity is odd: a tap flips its mark. What has flipped
since the last time was tapped in between, so that quick taps are not lost while the server draws.
`over` is the mark under the mouse, or the last one that a finger tapped; it stays in the browser,
where the chart's own expressions may ask for it, as `over.slice[0]` for the field "slice".
"""

from collections.abc import Collection, Mapping
from typing import Any

TAP = "tap"
OVER = "over"
_MOUSE = "event.pointerType === 'mouse'"


def with_taps(spec: Mapping, field: str) -> dict:
    """Let the marks of the topmost layer be tapped."""
    *below, top = spec["layer"]
    point = {"type": "point", "fields": [field]}
    params = [
        {
            "name": TAP,
            "select": point | {"on": f"@{TAP}_marks:click", "toggle": "true", "clear": False},
        },
        {
            "name": OVER,
            "select": point
            | {
                "on": f"@{TAP}_marks:pointerover[{_MOUSE}], @{TAP}_marks:click[!({_MOUSE})]",
                "clear": f"@{TAP}_marks:pointerout",
                "toggle": False,
            },
        },
    ]
    return dict(spec) | {"layer": [*below, top | {"name": TAP, "params": params}]}


def held(field: str) -> str:
    """Vega expression: a mark has been tapped and waits for another tap; its row says in `told`
    what was heard.
    """
    return (
        f"(indexof(isArray({TAP}.{field}) ? {TAP}.{field} : [], datum.{field}) >= 0) !== datum.told"
    )


def flipped(sent: Any, field: str) -> set:
    """Return the marks whose parity is odd by what the browser sent; none where a chart is new.

    >>> flipped({"selection": {"tap": [{"slice": 4}]}}, "slice"), flipped({"selection": {}}, "slice")
    ({4}, set())
    """
    try:
        return {row[field] for row in sent["selection"].get(TAP) or ()}
    except (KeyError, TypeError, AttributeError):
        return set()


def tapped(now: Collection, heard: Collection) -> list:
    """List the marks that were tapped since the last time, in order of their names."""
    return sorted(set(now) ^ set(heard), key=str)
