"""What a visitor predicted, tried and found: one record a lesson, plain data.

A record is `{"schema": 1, "prediction": "c" | "skipped", "right": bool | None, "predicted_at": text,
"settings": {quantity: SI value or id}, "results": {label: number or text}, "reflection": "b", "reflection_right": bool,
"reflected_at": text, "note": text}`; what has not happened yet is missing. Times are ISO 8601 in UTC.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from ui import state
from ui.words import Lesson

SCHEMA = 1


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


def keep_lock(lesson: Lesson) -> None:
    """Bring the record in line with the locks, which a script or a restored visit may have set."""
    answer = state.committed(state.PREDICTIONS, lesson.id, lesson.prediction.ids)
    if answer is not None and record(lesson.id).get("prediction") != answer:
        right = None if answer == state.SKIPPED else answer == lesson.prediction.right
        update(lesson.id, prediction=answer, right=right, predicted_at=now())
    reflected = state.committed(state.REFLECTIONS, lesson.id, lesson.reflection.ids)
    if reflected is not None and record(lesson.id).get("reflection") != reflected:
        update(
            lesson.id, reflection=reflected, reflection_right=reflected == lesson.reflection.right, reflected_at=now()
        )


def progress(lesson: Lesson) -> str:
    """Say how far a visitor is with a lesson: "new", "predicted" or "finished"."""
    if state.committed(state.REFLECTIONS, lesson.id, lesson.reflection.ids) is not None:
        return "finished"
    if state.committed(state.PREDICTIONS, lesson.id, lesson.prediction.ids) is not None:
        return "predicted"
    return "new"
