"""What a lesson's record may hold, and how a browser keeps it. A report's file and a browser are judged alike."""

from collections.abc import Mapping

from ui.base import state
from ui.base.lesson import Lesson
from ui.record import compare, ledger
from ui.record.plain import are_settings, are_texts, is_text

#: Longest notes on a lesson [characters].
NOTE_LENGTH = 2000
_TIME = "a time that cannot be read, or at which nothing can have been locked"
_SETTINGS = "settings that are not numbers or short texts"
#: The parts of a record that come from outside, and what is said of one that does not fit.
PARTS = {
    "prediction": "a prediction that is not one of the answers",
    "reflection": "a reflection that is not one of the answers",
    "sure": "a confidence that is not one of the choices",
    "second": "a second vote that is not one of the answers",
    "predicted_at": _TIME,
    "reflected_at": _TIME,
    "second_at": _TIME,
    "changes": "a history that cannot be read",
    "note": f"notes that are not a text of at most {NOTE_LENGTH} characters",
    "settings": _SETTINGS,
    "won": _SETTINGS,
    "results": "results that are not short texts",
    "pins": "pinned results that cannot be read",
}


def fits(lesson: Lesson, part: str, value: object) -> bool:
    """Return whether a value may be this part of a lesson's record."""
    match part:
        case "prediction":
            return state.is_answer(state.PREDICTIONS, value, lesson.prediction.ids)
        case "reflection":
            return state.is_answer(state.REFLECTIONS, value, lesson.reflection.ids)
        case "sure":
            return value in tuple(state.SURE)
        case "second":
            return value in lesson.prediction.ids
        case "predicted_at" | "reflected_at" | "second_at":
            return ledger.is_time(value)
        case "changes":
            return isinstance(value, list) and ledger.changes(lesson, value) == value
        case "tested" | "explained":
            return ledger.is_time(value)
        case "note":
            return is_text(value, NOTE_LENGTH)
        case "own":
            return is_text(value, ledger.OWN_LENGTH)
        case "settings" | "won":
            return are_settings(value)
        case "results":
            return are_texts(value, 200)
        case _:
            return isinstance(value, list) and len(value) <= compare.MOST and all(map(compare.is_pin, value))


def locks(lesson: Lesson, record: Mapping) -> dict[str, dict[str, object]]:
    """Return a record's locks as a browser keeps them: the answer, when it was locked, and how sure one was."""
    found = {}
    for name, when in ledger.WHEN.items():
        if fits(lesson, name, record.get(name)):
            found[name] = {"answer": record[name], "at": record.get(when, "")}
    if "prediction" in found and fits(lesson, "sure", record.get("sure")):
        found["prediction"]["sure"] = record["sure"]
    return found


def by_field(lesson: Lesson, record: Mapping) -> dict[str, object]:
    """Return what a record holds, by the name of the browser's field that keeps it."""
    found: dict[str, object] = {"note": record.get("note", "")}
    found |= {name: record[name] for name in ("won", "changes", "own") if name in record}
    if "settings" in record:
        found["tried"] = {"settings": record["settings"], "results": record.get("results", {})}
    answered = ledger.transfers(lesson, record.get("transfer"))
    found |= {f"transfer/{name}": entry for name, entry in answered.items()}
    return found | ledger.taken(record) | locks(lesson, record)


def of_field(lesson: Lesson, name: str, value: object) -> dict[str, object] | None:
    """Return the parts of a record that a browser keeps in one of its fields; None if they cannot be used."""
    match name, value:
        case "prediction" | "reflection" | "second", {"answer": answer}:
            more = {ledger.WHEN[name]: value.get("at"), "sure": value.get("sure")}
            found = {name: answer} | {part: one for part, one in more.items() if fits(lesson, part, one)}
        case "tried", {"settings": settings, "results": results}:
            found = {"settings": settings, "results": results}
        case "changes", list():
            found = {name: ledger.changes(lesson, value)}
        case "won" | "note" | "pins" | "own" | "tested" | "explained", _:
            found = {name: value}
        case _:
            return None
    return found if all(fits(lesson, part, one) for part, one in found.items()) else None
