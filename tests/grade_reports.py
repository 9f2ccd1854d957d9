"""A small course: honest reports, broken and forged ones."""

import io
import json
import zipfile

from lessons import LESSONS
from ui.grades.course import Course
from ui.grades.files import File, heads, opened

TRAP, NOTEBOOKS = (
    next(lesson for lesson in LESSONS if lesson.id == name) for name in ("trap", "notebooks")
)
#: What the page of the trap keeps when 256 GPUs are bought.
SETTINGS = {
    "fleet": 1024,
    "gpus_per_job": 256,
    "utilization": 0.95,
    "added": 256,
    "job_length": 3600.0,
}
RESULTS = {"Mean wait": "24 min", "Jobs waiting": "1.52", "Utilization": "76%"}
RECORD = {
    "prediction": TRAP.prediction.right,
    "reflection": TRAP.reflection.right,
    "settings": SETTINGS,
    "results": RESULTS,
    "note": "The wait is set by the jobs that are ahead, not by the mean.",
}
#: Settings that win the trap's challenge.
WON = {"fleet": 1024, "gpus_per_job": 64, "utilization": 0.905, "added": 0, "job_length": 3600.0}


def written(record: dict | None = None, **top: object) -> bytes:
    """Write a report of the trap."""
    whole = {"app": "fleet-what-if", "schema": 1, "name": "A student", "login": "a@example.org"}
    return json.dumps(whole | {"lessons": {"trap": RECORD | (record or {})}} | top).encode()


def file(name: str, data: bytes) -> File:
    """Hand over some bytes as a file."""
    return File(name, len(data), lambda most: data[:most])


def course(*data: bytes) -> Course:
    """Collect reports called a.json, b.json, … and compute all of them again."""
    found = handed(*(file(f"{'abcdefgh'[number]}.json", one) for number, one in enumerate(data)))
    list(found.go_on(60.0))
    return found


def handed(*files: File) -> Course:
    """Hand files over, as staff do."""
    return Course(opened(heads(files)))


def packed(*entries: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Write a ZIP."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", how) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return held.getvalue()
