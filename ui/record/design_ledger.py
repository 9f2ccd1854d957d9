"""Design ledger in the format of the draft labs, filled from a report."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ui.base import state
from ui.base.time_slices import TooLong
from ui.knobs.declared import read as read_settings
from ui.record.report import begun


def drafted(report: Mapping) -> dict:
    """Return a report's results as a ledger in the draft labs' format, with the labs' keys.

    The numbers are the models' at the last settings of each record. A lesson without a record
    leaves its keys out, and so does one whose settings cannot be computed.
    """
    chapters: dict[str, dict[str, Any]] = {}
    for lesson, record in begun(report):
        draft = lesson.drafted
        if draft is None or not record:
            continue
        answer = record.get("prediction", state.SKIPPED).replace(state.SKIPPED, "")
        with suppress(ValueError, ArithmeticError, TooLong):
            settings = read_settings(lesson.settings, record.get("settings", {}))[0]
            ledger_entries = draft.entries(settings, answer, answer == lesson.prediction.right)
            chapters.setdefault(draft.chapter, {}).update(ledger_entries)
    history = [
        {"chapter": chapter, "design": design} for chapter, design in sorted(chapters.items())
    ]
    last = max(chapters, default=0)
    return {
        "track": None,
        "current_chapter": last,
        "history": history,
        "last_updated": report["written_at"],
    }
