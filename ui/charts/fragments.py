"""Fragments of Vega-Lite specifications, kept as JSON beside this module."""

import json
from string import Template
from typing import Any

from physics.texts import text_beside

FRAGMENTS = json.loads(text_beside(__file__, "fragments.json"))


def fragment(name: str, /, **values: Any) -> Any:
    """Return the named fragment with values in place of its `$names`.

    A string that consists of one `$name` becomes the value itself, of any type; in a longer string
    the value is inserted as text. A name without a value is a KeyError.
    """
    return _filled(FRAGMENTS[name], values)


def _filled(node: Any, values: dict[str, Any]) -> Any:
    """Return a part of a fragment with its names replaced."""
    if isinstance(node, dict):
        return {_text(name, values): _filled(inner, values) for name, inner in node.items()}
    if isinstance(node, list):
        return [_filled(inner, values) for inner in node]
    if isinstance(node, str):
        return _text(node, values)
    return node


def _text(text: str, values: dict[str, Any]) -> Any:
    """Return the value that a string names, or the string with its names replaced."""
    if text.startswith("$") and text[1:] in values:
        return values[text[1:]]
    return Template(text).substitute(values)
