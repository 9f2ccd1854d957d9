"""What a value of a knob is, and how it is written in the query string, a widget, a sentence. No Streamlit here."""

import math
import re
from collections.abc import Mapping


def no_effect(idle: Mapping[str, str]) -> str:
    """Say which knobs have no effect at the moment, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for label, why in idle.items():
        reasons.setdefault(why, []).append(label)
    return "No effect now: " + "; ".join(f"{', '.join(found)} ({why})" for why, found in reasons.items()) + "."


def is_infinite(raw: str | None) -> bool:
    """Say whether an address holds a number beyond all bounds, which Streamlit cannot turn into a whole one."""
    try:
        return raw is not None and math.isinf(float(raw))
    except ValueError:
        return False


def finite(raw: str) -> float | None:
    """Return the number that a text says; None if it is none or beyond all bounds."""
    try:
        number = float(raw)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def is_number(value: object) -> bool:
    """Say whether a value can be a knob's: a finite number that a float can hold with room to convert it."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def as_in_query(value: object) -> str:
    """Write a value as Streamlit does in the query string; a text, such as an option, stays what it is."""
    if isinstance(value, str | bool):
        return str(value).lower() if isinstance(value, bool) else value
    return f"{value:.12g}"


def quoted(text: str) -> str:
    """Quote what came from the query string: short, and with nothing in it that Markdown would read."""
    short = text if len(text) <= 40 else text[:39] + "…"
    return "`" + re.sub(r"[`\s\x00-\x1f]+", " ", short) + "`"
