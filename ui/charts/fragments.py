"""Fragments of Vega-Lite specifications, kept as JSON beside this module."""

import json
from string import Template
from typing import Any

from physics.texts import text_beside

FRAGMENTS = json.loads(text_beside(__file__, "fragments.json"))


def fragment(name: str, /, **values: Any) -> Any:
    """Return the named fragment with values in place of its `$names`.

    A string that is nothing but a `$name` becomes its value, whatever that is; elsewhere the value
    is written into the text. A name without a value is a KeyError.
    """
    return _filled(FRAGMENTS[name], values)


def _filled(node: Any, values: dict[str, Any]) -> Any:
    if isinstance(node, dict):
        return {_text(name, values): _filled(inner, values) for name, inner in node.items()}
    if isinstance(node, list):
        return [_filled(inner, values) for inner in node]
    if isinstance(node, str):
        return _text(node, values)
    return node


def _text(text: str, values: dict[str, Any]) -> Any:
    if text.startswith("$") and text[1:] in values:
        return values[text[1:]]
    return Template(text).substitute(values)
