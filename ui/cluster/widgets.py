"""Your cluster: widgets whose values last for the visit, with keys that begin with "cluster_"."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from physics.cluster import shown
from physics.texts import toml_beside
from ui.base import background, state
from ui.base.format import capital
from ui.base.words import literal

#: Arguments of each field's widget, by name.
FIELDS = toml_beside(__file__, "fields.toml")
_QUESTION = "_cluster_asked"


def row() -> DeltaGenerator:
    """Return a new container that puts fields side by side."""
    return st.container(horizontal=True, vertical_alignment="bottom")


def field(name: str, container: DeltaGenerator | None = None, unit: str = "", **more: Any) -> Any:
    """Draw a field that `fields.toml` declares, and return its value.

    `more` has arguments that depend on the log, such as `options` (labels by value) or `range`.
    """
    declared = {"key": f"cluster_{name}", "persist_state": "session"} | FIELDS[name] | more
    for text in declared.keys() & {"label", "help"}:
        declared[text] = declared[text].format(unit=unit, Unit=capital(unit))
    options = declared.get("options")
    kind = declared.pop("kind", "selectbox" if options else "number_input")
    if isinstance(options, dict):
        declared["options"] = list(options)
        declared["format_func"] = lambda option: options.get(option, option)
    return getattr(container or st, kind)(
        declared.pop("label"), *declared.pop("range", ()), **declared
    )


def stored_for(key: str, what: Any) -> Any:
    """Return the session's value under a key if it was stored for `what`; otherwise None."""
    stored = state.get(key)
    if isinstance(stored, tuple) and stored[0] == what:
        return stored[1]
    return None


def answer(
    pressed: bool, question: tuple, doing: str, work: Callable[[background.Progress], Any], key: str
) -> Any:
    """Start work on a question after a button press; return its result, or None until it is ready.

    A new question replaces the last one.
    """
    if pressed:
        state.put(_QUESTION, question)
    if state.get(_QUESTION) != question:
        return None
    outcome = background.obtain(question, doing, work, key)
    if outcome is not None:
        state.drop(_QUESTION)
    return outcome


def warn(sentence: str | None) -> None:
    """Draw a sentence as a warning, if there is one."""
    if sentence:
        st.warning(literal(sentence), icon=":material/warning:")


def table(content: Mapping) -> None:
    """Draw a table of a report."""
    st.markdown(f"**{literal(content['title'])}**")
    cells = [map(headed, content["columns"]), *(map(shown, row) for row in content["rows"])]
    head, *rows = (f"| {' | '.join(map(literal, row))} |" for row in cells)
    st.markdown("\n".join([head, "|" + "---|" * len(content["columns"]), *rows]))


def headed(column: str) -> str:
    """Write bracketed units in parentheses, because Markdown reads brackets as links.

    >>> headed("mean wait [h]")
    'mean wait (h)'
    """
    return re.sub(r"\[([^\[\]]+)\]", r"(\1)", column)
