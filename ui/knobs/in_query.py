"""Read a page's settings from its query string, and write them to it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.base import state
from ui.knobs.declared import knobs_of
from ui.knobs.knob import Knob

#: Names in the query string that are not knobs: the projector mode, a class code, and what hosts
#: and mail programs add.
NOT_KNOBS = re.compile(r"present$|class$|embed|utm_|fbclid$|gclid$")
#: Key in session state of the bounds with which sliders were drawn last, by key of the slider.
BOUNDS = "_bounds"
#: Longest value of a text setting in the query string [characters].
MOST_CARRIED = 3000


@dataclass
class InQuery:
    """Reader and writer of a page's query string, the base of a lesson's `Knobs`."""

    lesson: str  #: lesson id, the prefix of every key
    enabled: bool  #: False before the prediction is locked
    query: Mapping[str, str]  #: the query string before any widget was drawn
    entered: bool  #: whether this is the first run of this visit to the page
    settings: type[Any]  #: class of the lesson's settings, whose knobs are drawn
    lesson_ids: Sequence[str] = ()  #: all lessons, whose settings may be in the query string, too

    def __post_init__(self) -> None:
        """Read from the session the values that a restored visit requests, and the last bounds."""
        self.declared = knobs_of(self.settings)
        self._requests = state.requested_names(self.lesson)
        self._bounds = state.read(BOUNDS)
        self._clear()

    def _clear(self) -> None:
        """Forget all values; drawing each knob adds its values by quantity."""
        self.defaults: dict = {}  #: in the widget's unit
        self.values: dict = {}  #: current values, in the widget's unit
        self.quantities: dict = {}  #: current values, in SI or as ids
        self.texts_by_label: dict = {}  #: current values as a visitor reads them, by label
        self.away: dict = {}  #: texts for hidden knobs that are not at their default

    def say(self, key: str, text: str) -> None:
        """Set a key of the query string to a text, or remove the key if the text is empty."""
        if self.enabled and st.query_params.get(key, "") != text:
            if text:
                st.query_params[key] = text
            else:
                del st.query_params[key]

    def take_texts(self) -> None:
        """Apply text settings from a link, restored visit, or import, or say why they are invalid.

        Call this once per run.
        """
        for name, declared in self.declared.items():
            if declared.kind != "text":
                continue
            key = f"{self.lesson}_{name}"
            where = " in the address"
            brought = self._brought(name)
            text = brought or ""
            if brought is None:
                where = ""
                text = str(state.get(key, ""))
            try:
                state.put(key, declared.write(declared.parse(text)))
            except ValueError as refusal:
                state.notify(f"The {declared.label.lower()}{where} was ignored: {refusal}.")
                if brought is None:
                    state.drop(key)

    def _brought(self, name: str) -> str | None:
        """Return a text setting's value from a link, restored visit or import, if it is valid."""
        key = f"{self.lesson}_{name}"
        requested = self._requested(name)
        text = self._raw(key) or requested
        if text is not None and (not isinstance(text, str) or len(text) > MOST_CARRIED):
            self._ignore(key, str(text), f"is not a text of at most {MOST_CARRIED} characters")
            return None
        return text

    def _requested(self, name: str) -> Any:
        """Return the value that a restored visit or an import requests; None if there is none."""
        return state.take_request(self.lesson, name) if name in self._requests else None

    def _text(self, name: str, declared: Knob, default: Any) -> Any:
        """Return the value of a text setting, which the page's own widget edits.

        The query string, the ledger and shared links contain the text; pinned results show the
        value as `spoken` writes it.
        """
        value = self._meaning(name, declared, default)
        text = declared.write(value)
        self.defaults[name] = ""
        self.values[name] = self.quantities[name] = text
        self.texts_by_label[name.replace("_", " ").capitalize()] = declared.words(value) or text
        self.say(f"{self.lesson}_{name}", text)
        return value

    def _meaning(self, name: str, declared: Knob, default: Any) -> Any:
        """Return the value of the text in session state; the default if the text is invalid."""
        try:
            return declared.parse(str(state.get(f"{self.lesson}_{name}", "")))
        except ValueError:
            return default

    def report_query(self) -> None:
        """Show, once, the names in the query string that are not settings of this page.

        Call after the last knob.
        """
        if not self.entered:
            return
        ours = {f"{self.lesson}_{name}" for name in (*self.defaults, "view")}
        others = tuple(f"{lesson_id}_" for lesson_id in self.lesson_ids if lesson_id != self.lesson)
        for key, raw in self.query.items():
            if key not in ours and not NOT_KNOBS.match(key) and not key.startswith(others):
                self._ignore(key, raw, "this page does not recognize")

    def _raw(self, key: str) -> str | None:
        """Return a key's value in the query string, in the first run of a visit only."""
        return self.query.get(key) if self.entered else None

    def _follow(self, key: str, bounds: tuple[float, float]) -> None:
        """Keep the value of a slider whose bounds may have changed since it was last drawn.

        With new bounds it is a new widget, to which Streamlit would give an outdated value.
        """
        last_bounds = self._bounds.get(key)
        if last_bounds != bounds:
            stored = state.get(key)
            if last_bounds is not None and stored is not None:
                state.put(key, stored)
            state.write(BOUNDS, key, bounds)

    def _ignore(self, key: str, raw: str, why: str) -> None:
        """Notify the visitor that a value of the query string is not used, and why."""
        notice = f"The address holds {quoted(key)} = {quoted(raw)}, which {why}; it was ignored."
        state.notify(notice)


def quoted(text: str) -> str:
    """Quote a text from the query string: shortened, and without Markdown."""
    if len(text) > 40:
        text = text[:39] + "…"
    return "`" + re.sub(r"[`\s\x00-\x1f]+", " ", text) + "`"
