"""Your cluster: its widgets, whose values stay in the visit; keys begin with "cluster_"."""

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def number(
    label: str, least: float, most: float, value: float, step: float, name: str, help: str | None = None,
    place: DeltaGenerator = st,
) -> float:  # fmt: skip
    """Draw a number and return it."""
    return place.number_input(
        label, least, most, value, step, key=f"cluster_{name}", help=help, persist_state="session"
    )


def choice(
    label: str, options: Mapping[str, str] | Sequence[str], name: str, help: str | None = None,
    place: DeltaGenerator = st, at: int = 0,
) -> str:  # fmt: skip
    """Draw a choice among options, by their words if they have some, and return the chosen one."""
    words = options if isinstance(options, Mapping) else {one: one for one in options}
    return place.selectbox(
        label, list(words), at, format_func=lambda one: words.get(one, one), key=f"cluster_{name}", help=help,
        persist_state="session",
    )  # fmt: skip


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table in Markdown.

    >>> print(table(["", "b"], [["c", "d"]]))
    |  | b |
    |---|---|
    | c | d |
    """
    heads = list(heads)
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(heads), *lines[1:]])
