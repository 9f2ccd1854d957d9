"""Your cluster: widgets whose values last for the visit, with keys that begin with "cluster_"."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from physics.cluster import shown
from ui.base import background, state
from ui.base.words import literal

_ASKED = "_cluster_asked"


def number(
    label: str,
    least: float,
    most: float,
    value: float,
    step: float,
    name: str,
    help: str | None = None,
    place: DeltaGenerator | None = None,
) -> float:
    """Draw a number field and return its value."""
    return (place or st).number_input(
        label, least, most, value, step, key=f"cluster_{name}", help=help, persist_state="session"
    )


def choice(
    label: str,
    options: Mapping[str, str] | Sequence[str],
    name: str,
    help: str | None = None,
    place: DeltaGenerator | None = None,
    at: int = 0,
) -> str:
    """Draw a select box of options with their labels, and return the selected option."""
    if isinstance(options, Mapping):
        words = options
    else:
        words = {option: option for option in options}
    return (place or st).selectbox(
        label,
        list(words),
        at,
        format_func=lambda option: words.get(option, option),
        key=f"cluster_{name}",
        help=help,
        persist_state="session",
    )


def kept(key: str, what: Any) -> Any:
    """Session value under a key if it belongs to `what`; otherwise None."""
    stored = state.get(key)
    if isinstance(stored, tuple) and stored[0] == what:
        return stored[1]
    return None


def answer(
    pressed: bool, question: tuple, doing: str, work: Callable[[background.Progress], Any], key: str
) -> Any:
    """Start work on a question after a button press; return its result, or None until it is ready.

    One question at a time: another one takes its place.
    """
    if pressed:
        state.put(_ASKED, question)
    if state.get(_ASKED) != question:
        return None
    outcome = background.obtain(question, doing, work, key)
    if outcome is not None:
        state.drop(_ASKED)
    return outcome


def table(content: Mapping) -> None:
    """Draw a table of a report."""
    st.markdown(f"**{literal(content['title'])}**")
    cells = [map(headed, content["columns"]), *(map(shown, row) for row in content["rows"])]
    head, *rows = (f"| {' | '.join(map(literal, row))} |" for row in cells)
    st.markdown("\n".join([head, "|" + "---|" * len(content["columns"]), *rows]))


def headed(column: str) -> str:
    """Write a column's unit in parentheses, and escape brackets, because the text may come from a
    file.

    >>> headed("mean wait [h]")
    'mean wait (h)'
    """
    return re.sub(r"\[([^\[\]]+)\]", r"(\1)", column)


def capital(text: str) -> str:
    """Capitalize the first letter of a text.

    >>> capital("GPUs"), capital("node")
    ('GPUs', 'Node')
    """
    return text[:1].upper() + text[1:]
