"""Locate the custom texts in a course's file, and check which placeholders each may contain."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ui.base.words import PLACEHOLDER


class Lines:
    """Line numbers of a TOML file's tables and keys."""

    _HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")
    _KEY = re.compile(r"\s*([A-Za-z0-9_-]+(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=(.*)$")

    def __init__(self, text: str):
        self.tables: dict[str, int] = {"": 1}
        self.keys: dict[tuple[str, str], int] = {}
        counts: Counter[str] = Counter()  # of the tables in each list
        table = ""
        quote = None  # closing mark of a text of several lines
        for number, line in enumerate(text.split("\n"), 1):
            if quote is not None:
                if quote in line:
                    quote = None
            elif header := self._HEADER.match(line):
                table = "".join(header[2].split())
                if header[1] == "[[":
                    counts[table] += 1
                    table = f"{table} {counts[table]}"
                self.tables.setdefault(table, number)
            elif key := self._KEY.match(line):
                inner = table
                for name in "".join(key[1].split()).split("."):
                    self.keys.setdefault((inner, name), number)
                    inner = f"{inner}.{name}".strip(".")
                quote = next((mark for mark in ('"""', "'''") if key[2].count(mark) == 1), None)

    def of(self, table: str, key: str) -> int:
        """Line number of a key, or of its table or parent table if the file has no such key."""
        if (table, key) in self.keys:
            return self.keys[table, key]
        if table in self.tables:
            return self.tables[table]
        parent, _, leaf = table.rpartition(".")
        return self.of(parent, leaf.split(" ")[0])


def texts(tree: Mapping, at: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield table, key, and text of every text in a parsed file, whose own table is `at`."""
    for key, value in tree.items():
        name = f"{at}.{key}".strip(".")
        if isinstance(value, Mapping):
            yield from texts(value, name)
            continue
        items = value if isinstance(value, list) else [value]
        for number, item in enumerate(items, 1):
            if isinstance(item, str):
                yield at, key, item
            elif isinstance(item, Mapping):
                yield from texts(item, f"{name} {number}")


def is_fixed(table: str, key: str) -> bool:
    """Return whether a text may contain no live number.

    These are questions, options, and texts shown before the prediction is locked in.
    """
    if table.startswith(("prediction", "reflection")):
        return key == "text"
    if not table:
        return key in ("id", "title", "question", "objective", "origin")
    return table.startswith(("message", "knobs", "views", "asks", "presets"))


def is_format(text: str) -> bool:
    """Return whether a text has exactly one placeholder for a value and no stray brace."""
    return text == "" or (text.count("{}") == 1 and not re.search(r"[{}]", text.replace("{}", "")))


def has_stray_brace(text: str) -> bool:
    """Return whether a text has a brace that belongs to no placeholder and no formula."""
    return not re.search(r"[$\\]", text) and bool(re.search(r"[{}]", PLACEHOLDER.sub("", text)))


def table_at(tree: Any, *path: str) -> Mapping:
    """Return the table at a path in a file; an empty one if there is none."""
    for name in path:
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    if isinstance(tree, Mapping):
        return tree
    return {}
