"""Convert a visitor's record to and from the fields of the browser's storage."""

from typing import Any

from ui.base import state
from ui.base.words import Words
from ui.record import compare, ledger


def by_field(lesson: Words, locks_only: bool = False) -> dict[str, Any]:
    """Return a visitor's record by browser field; its locked-in answers are the session's."""
    current = ledger.record(lesson.id) | {
        name: state.read(held_in).get(lesson.id) for name, held_in, _ in ledger.locks(lesson)
    }
    fields: dict[str, Any] = {}
    for field in ledger.WHEN if locks_only else ledger.TOGETHER:
        parts = ledger.TOGETHER[field].items()
        kept = {
            key: current[part]
            for key, part in parts
            if part in current and ledger.fits(lesson, part, current[part])
        }
        if "answer" in kept or "settings" in kept:
            fields[field] = kept
    if locks_only:
        return fields
    alone = {name: current[name] for name in ("won", "changes", "own") if name in current}
    if ledger.guesses(lesson):
        alone["guesses"] = ledger.guesses(lesson)
    if ledger.opened(lesson):
        alone["parts"] = ledger.opened(lesson)
    if ledger.toured(lesson):
        alone["toured"] = ledger.toured(lesson)
    answered = {f"transfer/{name}": entry for name, entry in ledger.given(lesson).items()}
    fields |= {"note": current.get("note", ""), "pins": compare.pinned(lesson.id)}
    choices = {name: state.get(f"{lesson.id}_{name}") for name, *_ in ledger.locks(lesson)}
    draft = {name: choice for name, choice in choices.items() if isinstance(choice, str)}
    if draft:
        fields["draft"] = draft
    return fields | alone | answered | ledger.steps(lesson.id)


def of_field(lesson: Words, name: str, value: Any) -> dict[str, Any] | None:
    """Return the parts of a record from one of the browser's fields; None if they are invalid."""
    match name, value:
        case "prediction" | "reflection" | "second" | "tried", {}:
            parts = ledger.TOGETHER[name].items()
            values = {
                part: value[key]
                for key, part in parts
                if key in value and ledger.fits(lesson, part, value[key])
            }
            if name in values or "settings" in values:
                return values
            return None
        case "changes", list():
            value = ledger.changes(lesson, value)
        case "guesses", dict():
            return {"guesses": ledger.guesses(lesson, value)}
        case "parts", list():
            return {"parts": ledger.opened(lesson, value)}
        case "toured", int():
            return {"toured": ledger.toured(lesson, value)}
        case "won" | "note" | "pins" | "own" | "tested" | "explained", _:
            pass
        case _:
            return None
    if ledger.fits(lesson, name, value):
        return {name: value}
    return None
