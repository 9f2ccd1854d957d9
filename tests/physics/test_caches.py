"""Whatever visitors ask for, memory stays flat: every cache has a bound."""

import ast
import importlib
from functools import _lru_cache_wrapper
from pathlib import Path
from types import ModuleType, SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for folder in ("physics", "ui", "lessons", "polls")
    for path in (ROOT / folder).rglob("*.py")
)
#: Streamlit's own caches: each has a bound of its own, as an argument.
OF_STREAMLIT = {"cache_data", "cache_resource"}


def bounds(module: ModuleType | SimpleNamespace) -> dict[str, int | None]:
    """Most entries of each cache of a module and of its classes, by name; None if there is no
    bound.
    """
    owners = [module, *(value for value in vars(module).values() if isinstance(value, type))]
    found = {name: value for owner in owners for name, value in vars(owner).items()}
    return {
        name: value.cache_parameters()["maxsize"]
        for name, value in found.items()
        if isinstance(value, _lru_cache_wrapper)
    }


def unbounded_calls(source: str) -> list[str]:
    """Streamlit's caches that are used without `max_entries`."""
    if not any(name in source for name in OF_STREAMLIT):
        return []
    tree = ast.parse(source)
    bounded = {
        id(node.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and any(word.arg == "max_entries" for word in node.keywords)
    }
    uses = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in OF_STREAMLIT
    ]
    cleared = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "clear"
    }
    return [ast.unparse(node) for node in uses if id(node) not in bounded | cleared]


def test_every_cache_has_a_bound():
    found = {}
    for path in SOURCES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for cached, most in bounds(importlib.import_module(name)).items():
            found[f"{name}.{cached}"] = most
    assert len(found) > 50
    assert not [name for name, most in found.items() if most is None]


def test_streamlit_keeps_no_cache_without_a_bound():
    assert not {
        path.name: calls
        for path in SOURCES
        if (calls := unbounded_calls(path.read_text(encoding="utf-8")))
    }
