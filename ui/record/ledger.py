"""Saved work of a visitor: one record per lesson with predictions, trials, and results.

A record is a dict with the fields below; a field is missing until there is something to save.
Times are ISO 8601 in UTC.

| field | value |
|---|---|
| `schema` | version of the format, 1 |
| `prediction`, `right`, `predicted_at` | id of an option or "skipped"; bool or None; time |
| `sure` | confidence in the prediction, a key of `state.SURE` |
| `second`, `second_at` | id of the option of the second vote in a class; time |
| `reflection`, `reflection_right`, `reflected_at` | as of the prediction |
| `steps` | `{"tested": time, "explained": time}`, see `STEPS` |
| `settings`, `results` | `{quantity: SI value or id}`, `{label: text}` of the last trial |
| `won` | settings that first met the challenge, so that they can be judged again |
| `note` | the visitor's own words |
| `own` | short text in which a lesson stores the visitor's work, checked when it is read |
| `transfer` | `{"beds/0": {"answer": id, "at": time}}` by transfer question and variant |
| `guesses` | `{"knee": 1}`, index of the value guessed for each part |
| `parts`, `toured` | list of opened parts; number of steps of the tour that were visited |
| `changes` | `[{"of": "prediction", "from": id, "to": id, "at": time}]` |

A locked-in answer cannot be changed on its page. But another window of the same browser may have
locked in another answer first, and a visitor may send the server a forged one. "changes" records
each time that a locked-in answer was replaced.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from ui.base import device, state
from ui.base.words import Question, Transfer, Words
from ui.record import compare, plain

SCHEMA = 1
#: Earliest valid time of an answer: the app is not older.
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
#: How far in the future a valid time may be: the clock of another server may be ahead.
AHEAD = timedelta(days=1)
#: Steps that unlock sections of a lesson's page: testing the prediction, earning the explanation.
STEPS = ("tested", "explained")
#: Fields of a record with an answer's time, and with whether it is right, by the answer's field.
WHEN = {"prediction": "predicted_at", "reflection": "reflected_at", "second": "second_at"}
RIGHT = {"prediction": "right", "reflection": "reflection_right"}
#: Fields of a record that the browser stores together, as {key: field}, by the browser's field.
TOGETHER = {name: {"answer": name, "at": when} for name, when in WHEN.items()}
TOGETHER["prediction"]["sure"] = "sure"
TOGETHER["tried"] = {"settings": "settings", "results": "results"}
#: Maximum length of a note, and of the field `own` [characters].
NOTE_LENGTH = 2000
OWN_LENGTH = 500
#: Maximum number of changes in a record; further ones would tell nothing new.
MOST_CHANGES = 20
_TIME = "a time that cannot be read, or at which nothing can have been locked"
_SETTINGS = "settings that are not numbers or short texts"
#: Fields of a record in a report's file, with the problem of an invalid value in words.
FIELDS = {
    "prediction": "a prediction that is not one of the answers",
    "reflection": "a reflection that is not one of the answers",
    "sure": "a confidence that is not one of the choices",
    "second": "a second vote that is not one of the answers",
    "predicted_at": _TIME,
    "tested": _TIME,
    "explained": _TIME,
    "reflected_at": _TIME,
    "second_at": _TIME,
    "changes": "a history that cannot be read",
    "note": f"notes that are not a text of at most {NOTE_LENGTH} characters",
    "settings": _SETTINGS,
    "won": _SETTINGS,
    "results": "results that are not short texts",
    "pins": "pinned results that cannot be read",
}


class Answer(NamedTuple):
    """Answer to a question of a lesson, as listed in a report."""

    kind: str  #: such as "Prediction"
    question: Question
    option: str  #: id of the chosen option, or "skipped"
    right: bool | None  #: None if the question was skipped
    at: str  #: time of the answer


def now() -> str:
    """Return the current time in the record's format."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def record(lesson_id: str) -> dict:
    """Return a copy of a lesson's record; empty if there is none."""
    stored = state.read(state.LEDGER).get(lesson_id)
    if isinstance(stored, Mapping):
        return dict(stored)
    return {}


def update(lesson_id: str, **fields: Any) -> None:
    """Add entries to a lesson's record, writing only if something changes."""
    before = record(lesson_id)
    after = before | fields
    if after != before:
        state.write(state.LEDGER, lesson_id, after | {"schema": SCHEMA})


def keep_first(lesson_id: str, **fields: Any) -> dict[str, Any]:
    """Add missing entries to a lesson's record and return those added; empty values are skipped."""
    current = record(lesson_id)
    new = {name: value for name, value in fields.items() if value and name not in current}
    update(lesson_id, **new)
    return new


def own(lesson_id: str) -> str:
    """Return the visitor's own text in a lesson's record; "" if there is none."""
    return str(record(lesson_id).get("own") or "")


def sure(lesson_id: str) -> str | None:
    """Return the visitor's confidence in the prediction; None if it was not given."""
    confidence = record(lesson_id).get("sure")
    if confidence in tuple(state.SURE):
        return confidence
    return None


def steps(lesson_id: str) -> dict[str, str]:
    """Return the steps of `STEPS` taken in a lesson, with their times."""
    stored = record(lesson_id).get("steps")
    if isinstance(stored, Mapping):
        return {name: at for name, at in stored.items() if name in STEPS}
    return {}


def step(lesson_id: str, name: str, at: str = "") -> None:
    """Record the time of one of `STEPS`, by default now; an earlier record of that step is kept."""
    update(lesson_id, steps={name: at or now()} | steps(lesson_id))


def is_curtained(lesson: Words) -> bool:
    """Return whether a lesson's predicted number is still hidden.

    In a browser it is hidden until the visitor tests the prediction or changes a setting. A visitor
    who has answered the reflection or won the challenge has seen it.
    """
    if not device.in_browser() or steps(lesson.id) or "won" in record(lesson.id):
        return False
    return state.committed(state.REFLECTIONS, lesson.id, lesson.reflection.ids) is None


def variants(question: Transfer) -> list[str]:
    """Return the names of a transfer question's variants, such as "beds/0"."""
    return [f"{question.id}/{number}" for number in range(len(question.variants))]


def transfers(lesson: Words, entries: Any) -> dict[str, dict[str, str]]:
    """Return the valid answers to transfer questions in possibly external data, by question."""
    if not isinstance(entries, Mapping):
        return {}
    answers = {}
    for question in lesson.transfer:
        ids = [option.id for option in question.options]
        for name in variants(question):
            match entries.get(name):
                case {"answer": answer, "at": at} if answer in ids and is_time(at):
                    answers[name] = {"answer": answer, "at": at}
    return answers


def guesses(lesson: Words, entries: object) -> dict[str, int]:
    """Return the valid guesses in possibly external data: index of the guessed value by part."""
    if not isinstance(entries, Mapping):
        return {}
    indices = {}
    for name, guess in lesson.guesses.items():
        number = entries.get(name)
        if type(number) is int and 0 <= number < len(guess.values):
            indices[name] = number
    return indices


def opened(lesson: Words, names: object) -> list[str]:
    """Return the lesson's parts that are named in a list of possibly external data."""
    if not isinstance(names, list):
        return []
    return [name for name in lesson.labels["asks"] if name in names]


def toured(lesson: Words, step: object) -> int:
    """Return a number of tour steps from possibly external data; 0 if it is invalid."""
    if type(step) is int and 0 < step <= len(lesson.tour):
        return step
    return 0


#: Fields of a record that only grow, each with the function that returns the valid part of a value.
GROWING: dict[str, Callable[[Words, Any], Any]] = {
    "transfer": transfers,
    "guesses": guesses,
    "parts": opened,
    "toured": toured,
}


def grown(lesson: Words, field: str) -> Any:
    """Return one of the `GROWING` fields of the visitor's record; empty or 0 if missing."""
    return GROWING[field](lesson, record(lesson.id).get(field))


def grow(lesson: Words, field: str, value: Any) -> None:
    """Add the valid entries of a value to one of the `GROWING` fields, without removing any."""
    current = grown(lesson, field)
    more = GROWING[field](lesson, value)
    if isinstance(more, dict):
        more |= current
    elif isinstance(more, list):
        more = opened(lesson, current + more)
    else:
        more = max(current, more)
    if more != current:
        update(lesson.id, **{field: more})


def is_time(text: Any) -> bool:
    """Return whether a value is a time, with its zone, since the app's first version.

    It may be in the future by `AHEAD`.

    >>> is_time(now()), is_time("9999-01-01T00:00:00+00:00")
    (True, False)
    >>> is_time("2026-03-01T10:00:00"), is_time("now")
    (False, False)
    """
    try:
        time = datetime.fromisoformat(text)
        return len(text) <= 32 and FIRST <= time <= datetime.now(UTC) + AHEAD
    except (ValueError, TypeError, OverflowError):
        return False  # a time without its zone raises TypeError when it is compared


def locks(lesson: Words) -> Iterator[tuple[str, str, Question]]:
    """Yield the record's key, session dict, and question of a lesson's two locked-in answers."""
    yield "prediction", state.PREDICTIONS, lesson.prediction
    yield "reflection", state.REFLECTIONS, lesson.reflection


def keep_lock(lesson: Words) -> None:
    """Update the record from the locked-in answers, which may come from a restored visit."""
    for name, stored_in, question in locks(lesson):
        answer = state.committed(stored_in, lesson.id, question.ids)
        current = record(lesson.id)
        if answer is None or current.get(name) == answer:
            continue
        fields: dict[str, Any] = {name: answer, WHEN[name]: now()}
        fields |= judged(lesson, {name: answer})
        change = {"of": name, "from": current.get(name), "to": answer, "at": now()}
        history = changes(lesson, current.get("changes"), [change])
        if history:
            fields["changes"] = history
        update(lesson.id, **fields)


def judged(lesson: Words, record: Mapping) -> dict[str, bool | None]:
    """Return whether the locked-in answers of a record are right, by the fields in `RIGHT`.

    The value is None for a skipped question.
    """
    rights: dict[str, bool | None] = {}
    for name, _, question in locks(lesson):
        if name in record:
            rights[RIGHT[name]] = record[name] == question.right
            if record[name] == state.SKIPPED:
                rights[RIGHT[name]] = None
    return rights


def changes(lesson: Words, *histories: Any) -> list[dict[str, str]]:
    """Merge histories, possibly external: each change of a locked-in answer once, in time order."""
    merged = {}
    for history in histories:
        for change in history if isinstance(history, list) else ():
            if _is_change(lesson, change):
                entry = {key: change[key] for key in ("of", "from", "to", "at")}
                merged[tuple(entry.values())] = entry
    ordered = sorted(merged.values(), key=lambda change: datetime.fromisoformat(change["at"]))
    return ordered[:MOST_CHANGES]


def _is_change(lesson: Words, change: Any) -> bool:
    """Return whether a value is a valid entry of a record's "changes"."""
    if not isinstance(change, Mapping) or not is_time(change.get("at")):
        return False
    for name, stored_in, question in locks(lesson):
        if change.get("of") == name:
            answers = (change.get("from"), change.get("to"))
            return all(state.is_answer(stored_in, answer, question.ids) for answer in answers)
    return False


def progress(lesson: Words) -> str:
    """Return a visitor's progress in a lesson: "new", "predicted", or "finished"."""
    predicted, reflected = (
        state.committed(stored_in, lesson.id, question.ids)
        for _, stored_in, question in locks(lesson)
    )
    if reflected:
        return "finished"
    if predicted:
        return "predicted"
    return "new"


def fits(lesson: Words, field: str, value: Any) -> bool:
    """Return whether an external value is valid for this field of a lesson's record."""
    match field:
        case "prediction":
            return state.is_answer(state.PREDICTIONS, value, lesson.prediction.ids)
        case "reflection":
            return state.is_answer(state.REFLECTIONS, value, lesson.reflection.ids)
        case "sure":
            return value in tuple(state.SURE)
        case "second":
            return value in lesson.prediction.ids
        case "predicted_at" | "reflected_at" | "second_at" | "tested" | "explained":
            return is_time(value)
        case "changes":
            return isinstance(value, list) and len(changes(lesson, value)) == len(value)
        case "note":
            return plain.is_text(value, NOTE_LENGTH)
        case "own":
            return plain.is_text(value, OWN_LENGTH)
        case "settings" | "won":
            return plain.are_settings(value)
        case "results":
            return plain.are_texts(value, 200)
        case _:
            return (
                isinstance(value, list)
                and len(value) <= compare.MOST
                and all(map(compare.is_pin, value))
            )


def valid(lesson: Words, record: Mapping) -> dict[str, Any]:
    """Return a record's data for a report: valid fields, and which answers are right."""
    steps_taken = record.get("steps")
    if isinstance(steps_taken, Mapping):
        record = {**record, **steps_taken}
    entry = {}
    for field in FIELDS:
        if field in record and fits(lesson, field, record[field]):
            entry[field] = record[field]
    answered = transfers(lesson, record.get("transfer"))
    if answered:
        entry["transfer"] = answered
    return entry | judged(lesson, entry)
