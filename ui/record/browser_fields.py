"""Convert a visitor's record to and from the fields of the browser's storage."""

from collections.abc import Mapping
from typing import Any

from ui.base import state
from ui.base.words import Words
from ui.record import compare, ledger


def by_field(lesson: Words, locks_only: bool = False) -> dict[str, Any]:
    """Return a visitor's record by browser field, with the locked-in answers of the session."""
    current = ledger.record(lesson.id) | {
        name: state.read(stored_in).get(lesson.id) for name, stored_in, _ in ledger.locks(lesson)
    }
    fields: dict[str, Any] = {}
    for field in ledger.WHEN if locks_only else ledger.TOGETHER:
        values = _together(lesson, field, current)
        if values:
            fields[field] = values
    if locks_only:
        return fields
    fields |= {"note": current.get("note", ""), "pins": compare.pinned(lesson.id)}
    draft = {}
    for name, *_ in ledger.locks(lesson):
        choice = state.get(f"{lesson.id}_{name}")
        if isinstance(choice, str):
            draft[name] = choice
    if draft:
        fields["draft"] = draft
    for name in ("won", "changes", "own"):
        if name in current:
            fields[name] = current[name]
    for name in ("guesses", "parts", "toured"):
        grown = ledger.grown(lesson, name)
        if grown:
            fields[name] = grown
    for name, entry in ledger.grown(lesson, "transfer").items():
        fields[f"transfer/{name}"] = entry
    return fields | ledger.steps(lesson.id)


def tried(lesson: Words) -> dict[str, Any]:
    """Return the fields that a turn of a knob may change."""
    current = ledger.record(lesson.id)
    values = {name: current.get(name) for name in ("won", "own")}
    values["tried"] = _together(lesson, "tried", current)
    return {name: value for name, value in values.items() if value}


def _together(lesson: Words, field: str, current: Mapping[str, Any]) -> dict[str, Any]:
    """Return what one of the browser's fields stores of a record; {} without answer or settings."""
    values = {}
    for key, name in ledger.TOGETHER[field].items():
        if name in current and ledger.fits(lesson, name, current[name]):
            values[key] = current[name]
    if "answer" in values or "settings" in values:
        return values
    return {}


def of_field(lesson: Words, name: str, value: Any) -> dict[str, Any] | None:
    """Return the fields of a record in one of the browser's fields; None if that is invalid."""
    match name, value:
        case "prediction" | "reflection" | "second" | "tried", {}:
            values = {}
            for key, record_field in ledger.TOGETHER[name].items():
                if key in value and ledger.fits(lesson, record_field, value[key]):
                    values[record_field] = value[key]
            if name in values or "settings" in values:
                return values
            return None
        case "changes", list():
            value = ledger.changes(lesson, value)
        case "guesses" | "parts" | "toured", _:
            return {name: ledger.GROWING[name](lesson, value)}
        case "won" | "note" | "pins" | "own" | "tested" | "explained", _:
            pass
        case _:
            return None
    if ledger.fits(lesson, name, value):
        return {name: value}
    return None
