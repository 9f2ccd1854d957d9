"""Design ledger in the format of the draft labs, filled from a report."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ui.base import state
from ui.base.time_slices import TooLong
from ui.knobs.declared import read as read_settings
from ui.record.report import begun


def drafted(report: Mapping) -> dict:
    """Return a report's results as a ledger in the format and with the keys of the draft labs.

    The numbers are the models' results at the last settings of each record. The keys of a lesson
    are left out if it has no record, or settings that cannot be computed.
    """
    chapters: dict[str, dict[str, Any]] = {}
    for lesson, record in begun(report):
        draft = lesson.drafted
        if draft is None or not record:
            continue
        answer = record.get("prediction", state.SKIPPED).replace(state.SKIPPED, "")
        with suppress(ValueError, ArithmeticError, TooLong):
            settings = read_settings(lesson.settings, record.get("settings", {}))[0]
            entries = draft.entries(settings, answer, answer == lesson.prediction.right)
            chapters.setdefault(draft.chapter, {}).update(entries)
    history = [
        {"chapter": chapter, "design": design} for chapter, design in sorted(chapters.items())
    ]
    return {
        "track": None,
        "current_chapter": max(chapters, default=0),
        "history": history,
        "last_updated": report["written_at"],
    }
