"""Plain data of a report file, limited in size before it is parsed or used.

Streamlit is not imported here: uploaded files are parsed in a worker process, see
`ui.base.worker_pool`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from physics.texts import PastBound, json_of

#: Maximum size of a file [B].
MOST = 1_000_000
#: Maximum number of keys and values in a report; a report with all fields and pins has a third.
MOST_VALUES = 30_000
#: Maximum depth of lists and records inside one another; a pin's result is at depth six.
MOST_DEPTH = 10
#: Maximum number of settings, or of results, in a record or pin.
MOST_PARTS = 60
#: Maximum number of commas and opening brackets in a file, also those inside texts.
_MOST_SIGNS = 100_000


class ReportError(ValueError):
    """Raised for a file that is not a valid report, with one sentence for the visitor."""


def is_text(value: Any, longest: int = 3000) -> bool:
    """Return whether a value is a text of at most `longest` characters that can be encoded.

    JSON may contain a lone surrogate, which cannot be encoded.

    >>> is_text("½"), is_text(chr(0xD83D)), is_text("long", 3), is_text(3)
    (True, False, False, False)
    """
    if not isinstance(value, str) or len(value) > longest:
        return False
    return not re.search("[\ud800-\udfff]", value)


def are_texts(texts: Any, longest: int = 3000) -> bool:
    """Return whether the value is a mapping of texts to texts with at most `MOST_PARTS` entries."""
    if not isinstance(texts, Mapping) or len(texts) > MOST_PARTS:
        return False
    return all(is_text(text, longest) for pair in texts.items() for text in pair)


def are_settings(settings: Any) -> bool:
    """Return whether a value is a mapping of at most `MOST_PARTS` plain values by name."""
    if not isinstance(settings, Mapping) or not are_texts(dict.fromkeys(settings, ""), 200):
        return False
    for value in settings.values():
        if not is_text(value) and not (isinstance(value, int | float) and abs(value) < 1e300):
            return False
    return True


def decoded(text: str) -> Any:
    """Parse external JSON; `ValueError` if it is invalid or has NaN or lone surrogates.

    >>> decoded('[1, "a"]')
    [1, 'a']
    """
    data = json_of(text, "it", MOST)
    encoded(data)
    return data


def encoded(value: Any) -> str:
    """Serialize plain data as JSON; `ValueError` if that fails, as for NaN or a lone surrogate."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return text


def parsed(data: bytes) -> Any:
    """Parse a file's JSON.

    Raises
    ------
    ReportError
        If it is too large, is no JSON, or has more values, or deeper ones, than a report has.
    """
    if len(data) > MOST:
        raise ReportError("The file is larger than 1 MB, so it is not a report of this app.")
    if sum(map(data.count, (b",", b"{", b"["))) > _MOST_SIGNS:
        raise ReportError("The file holds more values than a report of this app has.")
    try:
        content = decoded(data.decode("utf-8"))
    except PastBound as refusal:
        raise ReportError(f"The file is not readable JSON of a report: {refusal}") from None
    except ValueError:
        raise ReportError(
            "The file is not readable JSON, so it is not a report of this app."
        ) from None
    _check(content)
    return content


def _check(content: Any) -> None:
    """Raise a `ReportError` if parsed JSON has too many values, or too deep ones."""
    level = [content]
    number = 1
    for _ in range(MOST_DEPTH):
        values: list[Any] = []
        for inner in level:
            if isinstance(inner, dict):
                values += inner.values()
                number += len(inner)  # its keys
            elif isinstance(inner, list):
                values += inner
        number += len(values)
        if number > MOST_VALUES:
            raise ReportError("The file holds more values than a report of this app has.")
        if not values:
            return
        level = values
    raise ReportError(
        "The file holds records inside records, deeper than a report of this app has them."
    )
