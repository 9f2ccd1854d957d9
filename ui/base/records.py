"""Read dataclasses from TOML tables: each key is a field, and errors name the position."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
#: {quantity: SI value or id}, or {placeholder: what stands in its place}.
Values = Mapping[str, Any]
#: (table, key) → the table as its author would count it, and the line of the key, 0 if unknown.
Locator = Callable[[str, str], tuple[str, int]]
NAMES = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "a table",
}


class LessonError(ValueError):
    """Error in a lesson's file that prevents the app from showing the lesson."""

    table = ""  #: the table that is wrong, as the file counts it
    key = ""  #: the key in it; "" if no key is to blame


class Table:
    """TOML table that knows its position in the file, so that every error can name it."""

    def __init__(self, file: str, name: str, raw: Values, locate: Locator | None = None):
        self.file = file
        self.name = name
        self.raw = raw
        self.locate = locate

    def error(self, key: str, why: str) -> LessonError:
        """Return an error about a key, with its position in the file."""
        name = self.name
        line = 0
        if self.locate is not None:
            name, line = self.locate(name, key)
        where = f"{self.file}, line {line}: " if line else f"{self.file}: "
        if name:
            where += f"table [{name}], "
        error = LessonError(f"{where}key {key}: {why}")
        error.table = name
        error.key = key
        return error

    def record(
        self, kind: type[Record], other_keys: tuple[str, ...] = (), **extra_fields: Any
    ) -> Record:
        """Read the table as a dataclass; fields without a default are required.

        The `extra_fields` are not keys of the table, and the `other_keys` are not fields.
        """
        values = dict(extra_fields)
        of_class: Any = kind
        hints = _hints(of_class)
        for field in fields(of_class):
            optional = field.default is not MISSING or field.default_factory is not MISSING
            if field.name not in extra_fields and (field.name in self.raw or not optional):
                values[field.name] = self.value(field.name, hints[field.name], optional)
        extra = sorted(self.raw.keys() - (hints.keys() - extra_fields.keys()) - {*other_keys})
        if extra:
            raise self.error(extra[0], "is not a key of this table")
        return kind(**values)

    def value(self, key: str, hint: Any = str, optional: bool = False) -> Any:
        """Return a key's value as a type: text, number, flag, record, or list or table of these."""
        outer = get_origin(hint)
        inner = get_args(hint)
        if outer is UnionType:
            return self.value(key, inner[0], optional)
        if isinstance(hint, type) and is_dataclass(hint):
            return self.table(key).record(hint)
        if hint is str:
            text = self._get(key, str).strip()
            if not text and not optional:
                raise self.error(key, "must not be empty")
            return text
        if outer is tuple and inner[0] is str:
            return self._texts(key)
        if outer is tuple:
            tables = self.tables(key)
            if get_origin(inner[0]) is Mapping:
                return tuple(table.raw for table in tables)
            if not tables and not optional:
                raise self.error(key, "must be a list of tables, at least one")
            return tuple(table.record(inner[0]) for table in tables)
        if outer is Mapping:
            nested = self.table(key)
            if inner[1] in (object, Any):
                return nested.raw
            return {name: nested.value(name, inner[1]) for name in nested.raw}
        return self._get(key, hint)

    def table(self, key: str) -> "Table":
        """Return the table at a key."""
        return Table(self.file, f"{self.name}.{key}".strip("."), self._get(key, dict), self.locate)

    def tables(self, key: str) -> list["Table"]:
        """Return the list of tables at a key."""
        items = self._get(key, list, "a list of tables")
        if not all(isinstance(item, dict) for item in items):
            raise self.error(key, "must be a list of tables, at least one")
        name = f"{self.name}.{key}".strip(".")
        return [
            Table(self.file, f"{name} {number}", item, self.locate)
            for number, item in enumerate(items, 1)
        ]

    def _get(self, key: str, kind: type, words: str = "") -> Any:
        """Return a key's value; raise an error if it is missing or of another type."""
        if key not in self.raw:
            raise self.error(key, "is missing")
        value = self.raw[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(key, f"must be {words or NAMES[kind]}, found {value!r}")
        return value

    def _texts(self, key: str) -> tuple[str, ...]:
        """Return a key's list of texts."""
        value = self._get(key, list, "a list of texts")
        if not value or not all(isinstance(item, str) and item.strip() for item in value):
            raise self.error(key, "must be a list of texts, none of them empty")
        return tuple(item.strip() for item in value)


_hints = lru_cache(maxsize=64)(get_type_hints)
