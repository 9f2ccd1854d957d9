"""Escape text from outside for spreadsheets, terminals and readers."""

import re

__all__ = ["harmless", "seen", "visible"]

#: Signs that are not seen: controls, spaces without width, marks of direction and of variation.
UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\U000e0100-\U000e01ef"
)
#: Each stretch is read once: looked for anew at each of its signs, a name of tabs would take
#: minutes.
_BEGINS = re.compile(rf"((?:^|[;\t\r\n])[\s{UNSEEN}]*)([=+\-@\uff0b\uff0d\uff1d\uff20]?)")
_UNSEEN = re.compile(f"[{UNSEEN}]+")


def harmless(text: str) -> str:
    """Return a text with an apostrophe before each piece that a spreadsheet would take for a
    formula (= + - @).

    Spaces and signs that are not seen may come before.
    """
    return _BEGINS.sub(lambda found: found[1] + (f"'{found[2]}" if found[2] else ""), text)


def visible(text: str) -> str:
    """Return a text with unprintable characters escaped, which could control a terminal or reverse
    the text.
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def seen(text: str) -> str:
    """Return a text without invisible characters and with each run of white space as one space."""
    return " ".join(_UNSEEN.sub("", " ".join(text.split())).split())
