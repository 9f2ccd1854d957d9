"""What a visitor predicted, tried and found: one record a lesson, plain data.

A record is `{"schema": 1, "prediction": "c" | "skipped", "right": bool | None, "predicted_at": text, "sure": id of
`state.SURE`, "settings": {quantity: SI value or id}, "results": {label: number or text}, "reflection": "b",
"reflection_right": bool, "reflected_at": text, "note": text, "changes": [{"of": "prediction", "from": "a", "to": "b",
"at": text}], "won": {quantity: SI value or id}, "second": "b", "second_at": text, "steps": {"tested": text,
"explained": text}, "transfer": {"beds/0": {"answer": "b", "at": text}}}`; what has not happened yet is missing, and a
further prediction is "prediction_2". "transfer" holds the transfer questions that were answered, by id and variant.
"won" are the settings that first met the lesson's challenge, so that anybody can judge them again; "second" is the
second vote in a class; "own" is a short text that a lesson keeps of what the visitor did in it, and checks when it
reads it. Times are ISO 8601 in UTC.

A lock cannot be changed on its page. Another window of the same browser may have locked first, though, and whoever
knows how can tell the server of a lock that never was: "changes" says each time that a lock of this record became
another.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from ui.base import state
from ui.base.lesson import Lesson
from ui.base.words import Question

SCHEMA = 1
#: No lock is older than the app.
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
#: A lock of another server may seem to lie ahead by the difference of the clocks.
AHEAD = timedelta(days=1)
#: What opens further parts of a lesson's page: the prediction was tested, the explanation earned.
STEPS = ("tested", "explained")
#: Where a record says when it was answered, and whether what was locked is right.
WHEN = {"prediction": "predicted_at", "reflection": "reflected_at", "second": "second_at"}
RIGHT = {"prediction": "right", "reflection": "reflection_right"}
#: Longest text that a lesson keeps of its own [characters].
OWN_LENGTH = 500
#: Changes kept of one record; more of them say nothing new.
MOST_CHANGES = 20


def now() -> str:
    """Return the present time as the ledger writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def record(lesson_id: str) -> dict:
    """Return a copy of a lesson's record; empty if there is none."""
    found = state.read(state.LEDGER).get(lesson_id)
    return dict(found) if isinstance(found, Mapping) else {}


def update(lesson_id: str, **fields: object) -> None:
    """Add to a lesson's record; writes only when something changed."""
    before = record(lesson_id)
    after = before | fields | {"schema": SCHEMA}
    if after != before:
        state.write(state.LEDGER, lesson_id, after)


def own(lesson_id: str) -> str:
    """Return the text that a lesson keeps of what the visitor did in it; "" if there is none."""
    found = record(lesson_id).get("own")
    return found if isinstance(found, str) else ""


def keep_won(lesson_id: str, settings: Mapping[str, object]) -> None:
    """Note the settings {quantity: SI value or id} that met a lesson's challenge; the first ones stay."""
    if "won" not in record(lesson_id):
        update(lesson_id, won=dict(settings))


def sure(lesson_id: str) -> str | None:
    """Return how sure the visitor was of the prediction; None if nothing was said."""
    return said if (said := record(lesson_id).get("sure")) in tuple(state.SURE) else None


def keep_sure(lesson_id: str, said: object) -> None:
    """Note how sure the visitor is; as with the lock, the first answer stays."""
    if said in tuple(state.SURE) and sure(lesson_id) is None:
        update(lesson_id, sure=said)


def taken(record: Mapping) -> dict[str, str]:
    """Return which of `STEPS` a record says have been taken, and when."""
    found = record.get("steps")
    return {name: at for name, at in found.items() if name in STEPS} if isinstance(found, Mapping) else {}


def steps(lesson_id: str) -> dict[str, str]:
    """Return which of `STEPS` have been taken in a lesson, and when."""
    return taken(record(lesson_id))


def step(lesson_id: str, name: str) -> None:
    """Note one of `STEPS`; the time of the first one stays."""
    before = steps(lesson_id)
    if name not in before:
        update(lesson_id, steps=before | {name: now()})


def transfers(lesson: Lesson, found: object) -> dict[str, dict[str, str]]:
    """Return those of a dict's entries that answer a transfer question of this lesson; it may come from outside."""
    asked = {f"{one.id}/{number}": one for one in lesson.transfer for number in range(len(one.variants))}
    given = found if isinstance(found, Mapping) else {}
    return {
        name: {"answer": entry["answer"], "at": entry["at"]}
        for name, one in asked.items()
        if isinstance(entry := given.get(name), Mapping)
        and entry.get("answer") in [option.id for option in one.options]
        and is_time(entry.get("at"))
    }


def keep_transfers(lesson: Lesson, found: Mapping) -> None:
    """Add answers to transfer questions; an answer that was given before stays."""
    held = transfers(lesson, record(lesson.id).get("transfer"))
    if more := transfers(lesson, found):
        update(lesson.id, transfer=more | held)


def is_time(text: object) -> bool:
    """Say whether a text is a time at which a lock may have been made: not before the app was, and not ahead.

    >>> is_time(now()), is_time("9999-01-01T00:00:00+00:00"), is_time("2026-03-01T10:00:00"), is_time("now")
    (True, False, False, False)
    """
    try:
        time = datetime.fromisoformat(text) if isinstance(text, str) and len(text) <= 32 else None
        return time is not None and FIRST <= time <= datetime.now(UTC) + AHEAD
    except (ValueError, TypeError, OverflowError):
        return False  # no time, or one without its zone


def locks(lesson: Lesson) -> Iterator[tuple[str, str, Question]]:
    """Yield name in the record, dict of session state and question of both locks of a lesson."""
    yield "prediction", state.PREDICTIONS, lesson.prediction
    yield "reflection", state.REFLECTIONS, lesson.reflection


def keep_lock(lesson: Lesson) -> None:
    """Bring the record in line with the locks, which a script or a restored visit may have set."""
    for name, held_in, question in locks(lesson):
        answer, held = state.committed(held_in, lesson.id, question.ids), record(lesson.id)
        if answer is None or held.get(name) == answer:
            continue
        fields: dict[str, object] = {name: answer, WHEN[name]: now()} | judged(lesson, {name: answer})
        if state.is_answer(held_in, held.get(name), question.ids):
            change = {"of": name, "from": held[name], "to": answer, "at": now()}
            fields["changes"] = merged(changes(lesson, held.get("changes")), [change])
        update(lesson.id, **fields)


def judged(lesson: Lesson, record: Mapping) -> dict[str, bool | None]:
    """Return whether the locked answers of a record are right, under their names in it; None of a skipped one."""
    return {
        RIGHT[name]: None if record[name] == state.SKIPPED else record[name] == question.right
        for name, _, question in locks(lesson)
        if name in record
    }


def changes(lesson: Lesson, found: object) -> list[dict[str, str]]:
    """Return those of a list's entries that are changes of this lesson's locks; the list may come from outside."""
    return [
        {part: change[part] for part in ("of", "from", "to", "at")}
        for change in (found if isinstance(found, list) else [])
        if isinstance(change, Mapping) and is_time(change.get("at"))
        for name, held_in, question in locks(lesson)
        if change.get("of") == name
        and all(state.is_answer(held_in, change.get(part), question.ids) for part in ("from", "to"))
    ][:MOST_CHANGES]


def merged(first: list[dict[str, str]], later: list[dict[str, str]]) -> list[dict[str, str]]:
    """Put two histories together: each change once, in the order of their times."""
    found = first + [change for change in later if change not in first]
    return sorted(found, key=lambda change: datetime.fromisoformat(change["at"]))[:MOST_CHANGES]


def progress(lesson: Lesson) -> str:
    """Say how far a visitor is with a lesson: "new", "predicted" or "finished"."""
    made = {name for name, held_in, one in locks(lesson) if state.committed(held_in, lesson.id, one.ids) is not None}
    return "finished" if "reflection" in made else "predicted" if made else "new"
