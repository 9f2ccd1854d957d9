"""Times and result marks of a report in readable form."""

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone

import streamlit as st

from ui.base import state


def moment(at: str) -> datetime:
    """Return a recorded time in the visitor's time zone, or in UTC if the zone is not known."""
    ahead = -max(-840, min(840, st.context.timezone_offset or 0))
    return datetime.fromisoformat(at).astimezone(timezone(timedelta(minutes=ahead)))


def local(at: str) -> str:
    """Return a recorded time in the visitor's time zone as text; "" if there is none.

    >>> local("2026-03-01T10:00:00+00:00"), local("")
    ('2026-03-01, 10:00', '')
    """
    if not at:
        return ""
    return f"{moment(at):%Y-%m-%d, %H:%M}"


def mark(kind: str, right: bool | None, record: Mapping) -> str:
    """Return whether an answer was right, and the confidence of a prediction, as text.

    >>> mark("Prediction", False, {"sure": "certain"}), mark("Reflection", True, {})
    ('incorrect, certain', 'right')
    >>> mark("Prediction", None, {})
    'skipped'
    """
    text = {None: "skipped", True: "right", False: "incorrect"}[right]
    sure = state.SURE.get(str(record.get("sure")))
    if kind == "Prediction" and sure:
        text += f", {sure}"
    return text
