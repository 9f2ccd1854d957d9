"""Untrusted text: limited before parsing, and escaped for spreadsheets, terminals, and readers.

A parser's time and memory can grow with the square of its text: Python's TOML parser keeps every
prefix of a dotted key, so 64 kB of `a.a.a…=1` take 4 GB. The scanner here reads a text once, in
time and memory proportional to its length. It follows strings and comments as the parsers do, so
that a dot or a bracket in them counts for nothing; where it and a parser would part ways, the
text is wrong, and the parser stops there.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "JSON_BOUNDS",
    "TOML_BOUNDS",
    "Bounds",
    "PastBound",
    "harmless",
    "json_of",
    "seen",
    "text_beside",
    "toml_beside",
    "toml_of",
    "visible",
]

#: What a parser makes of a text.
Parsed = TypeVar("Parsed")
#: Signs that are not seen: controls, spaces without width, marks of direction and of variation.
UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\U000e0100-\U000e01ef"
)
#: The start of a part with all invisible signs before it, in one match: a search that began anew at
#: each of these signs would take minutes for a name of tabs.
_BEGINS = re.compile(rf"((?:^|[;\t\r\n])[\s{UNSEEN}]*)([=+\-@\uff0b\uff0d\uff1d\uff20]?)")
_UNSEEN = re.compile(f"[{UNSEEN}]+")


def harmless(text: str) -> str:
    """Return a text with an apostrophe before each part that a spreadsheet reads as a formula.

    Such a part begins with = + - or @. Spaces and signs that are not seen may come before.
    """
    return _BEGINS.sub(lambda start: start[1] + (f"'{start[2]}" if start[2] else ""), text)


def visible(text: str) -> str:
    """Return a text with unprintable characters escaped.

    They could control a terminal or reverse the text.
    """
    if text.isprintable():
        return text
    signs = []
    for sign in text:
        signs.append(sign if sign.isprintable() else sign.encode("unicode_escape").decode())
    return "".join(signs)


def seen(text: str) -> str:
    """Return a text as a reader sees it: without invisible characters, with single spaces."""
    return " ".join(_UNSEEN.sub("", " ".join(text.split())).split())


class PastBound(ValueError):
    """Raised for a text that exceeds a limit and was not parsed; the message is one sentence."""


@dataclass(frozen=True)
class Bounds:
    """Limits on an untrusted text; strings and comments do not count unless named."""

    depth: int  #: brackets and braces inside one another
    parts: int  #: parts of one dotted key
    signs: int  #: separators: dots, commas, equal signs, colons, brackets
    word: int  #: characters of one number or bare key


#: The longest shipped file of words has 800 separators and keys of 3 parts.
TOML_BOUNDS = Bounds(depth=10, parts=8, signs=10_000, word=100)
#: A report with the longest notes has a third of these separators, and a number has 25 characters.
JSON_BOUNDS = Bounds(depth=12, parts=8, signs=200_000, word=1_000)

#: Strings, of several lines first, and comments; what is not closed runs to the end, where the
#: parser stops. Possessive, so that nothing is read twice.
_BASIC = r'"(?:[^"\\\n]|\\[^\n])*+"?'
_TOML = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    rf"|{_BASIC}|'[^'\n]*+'?|\#[^\n]*+"
    r"|(?P<word>[^\s\"'#.,=\[\]{}]++)|(?P<sign>[.,=\[\]{}\n])",
    re.DOTALL,
)
_JSON = re.compile(
    r'"(?:[^"\\]|\\.)*+"?|(?P<word>[^\s",:\[\]{}]++)|(?P<sign>[,:\[\]{}])', re.DOTALL
)


def toml_beside(module: str, name: str) -> dict[str, Any]:
    """Read a TOML file of this package that stands beside a module, named by its `__file__`."""
    return tomllib.loads(text_beside(module, name))


def text_beside(module: str, name: str) -> str:
    """Read a text file that stands beside a module, named by its `__file__`."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


def toml_of(data: bytes | str, name: str, longest: int, bounds: Bounds = TOML_BOUNDS) -> dict:
    """Parse untrusted TOML, or raise ValueError if it exceeds the limits.

    Args:
        data: The text, or its UTF-8, with or without a byte order mark.
        name: What messages call it, such as "The playlist".
        longest: The largest text [B].

    Raises PastBound where a bound is passed, and ValueError where the text is not valid, each in
    one sentence.

    >>> toml_of("a.b = 1", "The file", 100)
    {'a': {'b': 1}}
    >>> toml_of("a." * 20 + "a = 1", "The file", 100)
    Traceback (most recent call last):
    physics.texts.PastBound: The file has a key of more than 8 parts; nothing was read.
    """
    text = _text(data, name, longest, "TOML").replace("\r\n", "\n")
    _check(text, name, _TOML, bounds)
    return _parsed(tomllib.loads, text, f"{name} is not valid TOML")


def json_of(
    data: bytes | str,
    name: str,
    longest: int,
    bounds: Bounds = JSON_BOUNDS,
    parse: Callable[[str], object] = json.loads,
) -> object:
    """Parse untrusted JSON, or raise ValueError if it exceeds the limits.

    Args:
        data, name, longest: As in `toml_of`.
        parse: The parser.

    Raises PastBound where a bound is passed, and ValueError where the text is not valid, each in
    one sentence.

    >>> json_of("[" * 20 + "]" * 20, "The file", 100)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    physics.texts.PastBound: The file has brackets inside one another deeper than 12; ...
    """
    text = _text(data, name, longest, "JSON")
    _check(text, name, _JSON, bounds)
    return _parsed(parse, text, f"{name} is not valid JSON")


def _text(data: bytes | str, name: str, longest: int, kind: str) -> str:
    """Return untrusted data as a text, or raise ValueError if it is too long or not UTF-8."""
    if len(data) > longest:
        raise PastBound(
            f"{name} has at most {longest / 1000:,.0f} kB, got {len(data) / 1000:,.0f} kB."
        )
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not valid {kind}: {error}.") from None


def _check(text: str, name: str, tokens: re.Pattern, bounds: Bounds) -> None:
    """Refuse a text that passes a bound."""
    depth = 0
    parts = 1
    signs = 0
    for sign in _signs(text, name, tokens, bounds.word):
        parts = parts + 1 if sign == "." else 1
        signs += sign != "\n"
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth = max(0, depth - 1)
        if depth > bounds.depth:
            excess = f"brackets inside one another deeper than {bounds.depth}"
        elif parts > bounds.parts:
            excess = f"a key of more than {bounds.parts} parts"
        elif signs > bounds.signs:
            excess = f"more than {bounds.signs:,} keys, values, and brackets"
        else:
            continue
        raise PastBound(f"{name} has {excess}; nothing was read.")


def _signs(text: str, name: str, tokens: re.Pattern, longest: int) -> Iterator[str]:
    """Yield the separators of a text; refuse a number or bare key that is too long."""
    for token in tokens.finditer(text):
        if token["sign"]:
            yield token["sign"]
        elif token["word"] and len(token["word"]) > longest:
            raise PastBound(
                f"{name} has a number or a key of more than {longest} characters; nothing was read."
            )


def _parsed(parse: Callable[[str], Parsed], text: str, invalid: str) -> Parsed:
    """Parse a text; ValueError with one sentence if the parser refuses it."""
    try:
        return parse(text)
    except RecursionError:
        raise ValueError(f"{invalid}: it is too deep.") from None
    except ValueError as error:
        raise ValueError(f"{invalid}: {str(error)[:200].rstrip('.')}.") from None
