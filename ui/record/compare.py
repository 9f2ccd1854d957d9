"""Compare the current result with up to three pinned results, with differences marked."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ui.base import device, state
from ui.base.format import MINUS, share, significant
from ui.base.lesson import Lesson, Result
from ui.base.words import literal
from ui.knobs.declared import knobs_of, read
from ui.knobs.widgets import Knobs
from ui.record import sheet
from ui.record.plain import are_settings, are_texts, is_text

#: Maximum number of pins per lesson.
MOST = 3


def pinned(lesson_id: str) -> list[dict]:
    """Return the pinned results of a lesson.

    A pin is `{"settings": {label: text}, "results": {label: [value, text]}, "quantities": {name: SI
    value or id}}`, in which "quantities" may be missing.
    """
    pins = state.read(state.PINS).get(lesson_id, [])
    if isinstance(pins, list):
        return [pin for pin in pins if is_pin(pin)][:MOST]
    return []


def scenarios(lesson: Lesson) -> list[tuple[str, Any]]:
    """List name and settings of each pin that has valid settings."""
    pins = []
    knobs = knobs_of(lesson.settings)
    for number, pin in enumerate(pinned(lesson.id), 1):
        # An imported file may have other quantities, which are not checked when they are read.
        quantities = {
            name: value for name, value in pin.get("quantities", {}).items() if name in knobs
        }
        if quantities:
            with suppress(ValueError):
                pins.append((f"pinned {number}", read(lesson.settings, quantities)[0]))
    return pins


def controls(lesson_id: str) -> None:
    """Draw the buttons that pin the current result and remove all pins."""
    pins = pinned(lesson_id)
    device.button(
        "Pin this result",
        f"{lesson_id}_pin",
        _pin,
        lesson_id,
        icon=":material/keep:",
        disabled=len(pins) >= MOST,
        shortcut="p" if device.on_projector() else None,
        help=f"Keeps these numbers for comparison; up to {MOST}.",
    )
    if pins:
        device.button(
            "Unpin all",
            f"{lesson_id}_unpin",
            state.write,
            state.PINS,
            lesson_id,
            [],
            icon=":material/keep_off:",
        )


def show(knobs: Knobs, results: Sequence[Result], container: device.Box) -> None:
    """Store the current result for pinning, and draw the table of pins if there are any."""
    current = {
        "settings": dict(knobs.texts_by_label),
        "results": {result.label: [_finite(result.value), result.text] for result in results},
        "quantities": dict(knobs.quantities),
    }
    state.put(f"_now/{knobs.lesson}", current)
    pins = pinned(knobs.lesson)
    if pins:
        container.markdown(table(pins, _in_words(current)))


def table(pins: Sequence[Mapping], current: Mapping) -> str:
    """Write pinned results and the current one as a Markdown table, with settings that differ.

    >>> one = {"settings": {"Fleet": "1024"}, "results": {"Mean wait": [16044.0, "4.46 h"]}}
    >>> two = {"settings": {"Fleet": "1280"}, "results": {"Mean wait": [1447.0, "24.1 min"]}}
    >>> print(table([one], two))
    | Quantity | Pinned 1 | Now |
    | --- | --- | --- |
    | *Fleet* | 1024 | **1280** |
    | Mean wait | 4.46 h | 24.1 min (−91%) |
    """
    columns = [*pins, current]
    rows = [["Quantity", *(f"Pinned {number}" for number in range(1, len(columns))), "Now"]]
    for label in current["settings"]:
        cells = [_cell(column["settings"].get(label) or "–") for column in columns]
        changed = [cell if cell == cells[0] else f"**{cell}**" for cell in cells]
        if changed != cells:
            rows.append([f"*{_cell(label)}*", *changed])
    for label in current["results"]:
        (before, first), *others = [column["results"].get(label, [None, "–"]) for column in columns]
        changes = [
            text + _change(before, value, first.endswith("%") and text.endswith("%"))
            for value, text in others
        ]
        rows.append([_cell(text) for text in (label, first, *changes)])
    return sheet.markdown(rows)


def _change(before: float | None, after: float | None, shares: bool) -> str:
    """Write the change from one value to another: of shares in points, of others in percent.

    The result is "" if nothing has changed or if the two values are hard to compare.

    >>> pairs = ((0.95, 0.76), (0.5, 0.5), (0.001, 0.0015), (None, 1.0), (0.50, 0.51))
    >>> [_change(*shares, True) for shares in pairs]
    [' (−19 points)', '', ' (+0.05 points)', '', ' (+1 point)']
    >>> pairs = ((4.92, 0.0197), (4.0, 0.0), (1.0, 57.2), (5e-324, 1e299), (1.0, -1e299))
    >>> [_change(*waits, False) for waits in pairs]
    [' (−99.6%)', ' (−100%)', ' (57 times)', '', '']
    """
    if before is None or after is None or not (before or shares):
        return ""
    sign = "+" if after > before else MINUS
    if shares:
        change = abs(after - before)
        digits = 3
        if change < 0.1:
            digits = 2
        size = significant(100 * change, digits)
        noun = "points"
        if size == "1":
            noun = "point"
        if 5e-6 <= change < 1e6:
            return f" ({sign}{size} {noun})"
        return ""
    ratio = after / before
    percent = round((ratio - 1) * 100) if 0 <= ratio <= 1e6 else 0
    # The values are equal, of different sign, or too far apart for a useful percentage.
    if not percent:
        return ""
    if ratio >= 10:
        return f" ({ratio:,.0f} times)"
    sign = "+" if percent > 0 else MINUS
    if percent == -100:  # rounded, so more digits: −99.6% is not −100%
        return f" ({sign}{share(1 - ratio, 2)})"
    return f" ({sign}{abs(percent)}%)"


def _pin(lesson_id: str) -> None:
    """Callback: pin the current result."""
    current = state.get(f"_now/{lesson_id}")
    if current is None:
        return
    pin = _in_words(current)
    if is_pin(pin):
        state.write(state.PINS, lesson_id, [*pinned(lesson_id), pin][:MOST])


def _in_words(current: Mapping) -> dict[str, Any]:
    """Return a result in which the settings are texts."""
    settings = {label: _text(value) for label, value in current["settings"].items()}
    return {**current, "settings": settings}


def is_pin(pin: Any) -> bool:
    """Return whether data from a browser or a file has the shape of a pin that `show` writes."""
    match pin:
        case {"settings": dict(settings), "results": dict(results)}:
            return (
                are_texts(settings)
                and are_texts(dict.fromkeys(results, ""))
                and are_settings(pin.get("quantities", {}))
                and all(map(_is_cell, results.values()))
            )
    return False


def _is_cell(cell: Any) -> bool:
    """Return whether a value is a pin's result: a finite number or None, and its text."""
    match cell:
        case [None | int() | float() as value, text]:
            return is_text(text) and abs(value or 0) < 1e300
    return False


def _finite(value: float) -> float | None:
    """Return a finite number for JSON; None if the number is infinite or NaN."""
    number = float(value)
    if abs(number) < float("inf"):
        return number
    return None


def _text(value: Any) -> str:
    """Return the value of a setting as text."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return significant(value, 12).replace(",", "")
    return str(value)


def _cell(text: str) -> str:
    """Make a text safe inside a Markdown table; a pin may have come from a file."""
    return literal(text.replace("|", "/"))
