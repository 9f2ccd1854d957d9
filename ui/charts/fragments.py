"""Fragments of Vega-Lite specifications, kept as JSON beside this module."""

import json
from pathlib import Path
from string import Template
from typing import Any

FRAGMENTS = json.loads(Path(__file__).with_name("fragments.json").read_text(encoding="utf-8"))


def fragment(name: str, /, **values: Any) -> Any:
    """Return the named fragment with values in place of its `$names`.

    A string that is nothing but a `$name` becomes its value, whatever that is; elsewhere the value
    is written into the text. A name without a value is a KeyError.
    """
    return _filled(FRAGMENTS[name], values)


def _filled(part: Any, values: dict[str, Any]) -> Any:
    if isinstance(part, dict):
        return {_text(name, values): _filled(inner, values) for name, inner in part.items()}
    if isinstance(part, list):
        return [_filled(inner, values) for inner in part]
    if isinstance(part, str):
        return _text(part, values)
    return part


def _text(text: str, values: dict[str, Any]) -> Any:
    if text.startswith("$") and text[1:] in values:
        return values[text[1:]]
    return Template(text).substitute(values)
