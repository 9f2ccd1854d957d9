"""Constants read from TOML files, each table checked, and their names for type checkers."""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from physics.constants.kinds import Constant, Kind

__all__ = ["read_file", "read_files", "stub"]

REQUIRED = ("kind", "value", "unit", "meaning", "source")
NUMBERS = ("value", "low", "high", "step")
FIELDS = (*REQUIRED, "symbol", "low", "high", "step", "positions")


def read_files(paths: Iterable[Path]) -> dict[str, Constant]:
    """Return the constants of several TOML files by name, in the files' order.

    Raises:
        ValueError: For a wrong table, or a name that two files have.
    """
    constants: dict[str, Constant] = {}
    for path in paths:
        for name, constant in read_file(path).items():
            if name in constants:
                raise ValueError(f"{path.name}, {name}: another file has a constant of this name")
            constants[name] = constant
    return constants


def read_file(path: Path) -> dict[str, Constant]:
    """Return the constants of one TOML file by name: each is a table with the fields of `FIELDS`.

    Raises:
        ValueError: For a wrong table, in one sentence that names the file, the constant, and the
            field.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}") from None
    constants = {}
    for name, fields in tables.items():
        try:
            constants[name] = _constant(name, fields)
        except ValueError as error:
            raise ValueError(f"{path.name}, {name}: {error}") from None
    return constants


def _constant(name: str, fields: object) -> Constant:
    """Return the constant of a table, whose fields are checked here."""
    if not re.fullmatch("[A-Z][A-Z0-9_]*", name):
        raise ValueError("a constant's name has capital letters, digits, and underscores")
    if not isinstance(fields, dict):
        raise ValueError(f"a constant is a table with {', '.join(REQUIRED)}, got {fields!r}")
    for field in REQUIRED:
        if field not in fields:
            raise ValueError(f"the field {field} is missing")
    for field, content in fields.items():
        if field not in FIELDS:
            raise ValueError(f"there is no field {field}, only {', '.join(FIELDS)}")
        if field in NUMBERS:
            if not _is_number(content):
                raise ValueError(f"{field} must be a finite number, got {content!r}")
        elif field == "positions":
            if not isinstance(content, list) or not all(map(_is_number, content)):
                raise ValueError(f"{field} must be a list of finite numbers, got {content!r}")
        elif not isinstance(content, str):
            raise ValueError(f"{field} must be a text, got {content!r}")
    if fields["kind"] not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, got {fields['kind']!r}")
    return Constant(**fields)


def _is_number(content: object) -> bool:
    """Return whether a field holds a finite number; a truth value, an int to Python, is none."""
    if isinstance(content, bool) or not isinstance(content, int | float):
        return False
    return math.isfinite(content)


def stub(constants: Mapping[str, Constant]) -> str:
    """Return the text of `__init__.pyi`, which names each constant to a type checker."""
    lines = [
        "# Written by `python -m lessons`.",
        "",
        "from physics.constants.kinds import Constant as Constant",
        "from physics.constants.kinds import Kind as Kind",
        "",
        "FILES: tuple[str, ...]",
        "CONSTANTS: dict[str, Constant]",
        "",
        "def table() -> list[dict[str, object]]: ...",
        "",
    ]
    lines += [f"{name}: Constant" for name in constants]
    return "\n".join([*lines, ""])
