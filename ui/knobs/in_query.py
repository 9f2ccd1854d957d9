"""Read a page's settings from its query string, and write them to it."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ui.base import state
from ui.knobs.declared import knobs_of
from ui.knobs.knob import Knob

#: Names in the query string that are not knobs: the projector mode, a class code, and what hosts
#: and mail programs add.
NOT_KNOBS = re.compile(r"present$|class$|embed|utm_|fbclid$|gclid$")
#: Dict of the bounds between which knobs were drawn last, by key.
BOUNDS = "_bounds"
#: Longest text that an address may bring beyond knobs.
MOST_CARRIED = 3000


class InQuery:
    """Reader and writer of a page's query string, the base of a lesson's
    `ui.knobs.widgets.Knobs`.
    """

    lesson: str
    enabled: bool
    query: Mapping[str, str]
    entered: bool
    lesson_ids: Sequence[str]
    defaults: dict[str, Any]
    values: dict[str, Any]
    quantities: dict[str, Any]
    told: dict[str, Any]
    _asked: Any

    def _key(self, name: str) -> str:
        return f"{self.lesson}_{name}"

    def _say(self, key: str, text: str) -> None:
        """Put a text into the query string, or take it out."""
        if self.enabled and st.query_params.get(key, "") != text:
            if text:
                st.query_params[key] = text
            else:
                del st.query_params[key]

    def take_texts(self, settings: type) -> None:
        """Apply the text values of a link, a restored visit, or an import, or show why they are
        invalid. Once a run.
        """
        for name, declared in knobs_of(settings).items():
            if declared.kind != "text":
                continue
            key = self._key(name)
            brought = self._brought(name)
            if brought is None:
                text = str(state.get(key, ""))
            else:
                text = brought
            try:
                state.put(key, declared.write(declared.parse(text)))
            except ValueError as refusal:
                if brought is None:
                    where = ""
                else:
                    where = " in the address"
                state.notify(f"The {declared.label.lower()}{where} was ignored: {refusal}.")
                if brought is None:
                    state.drop(key)

    def _brought(self, name: str) -> str | None:
        """Return what a link, a restored visit or an import brings beyond knobs; None if nothing.
        Check it.
        """
        key = self._key(name)
        if name in self._asked:
            requested = state.wanted(self.lesson, name)
        else:
            requested = None
        text = self._raw(key) or requested
        if text is not None and (not isinstance(text, str) or len(text) > MOST_CARRIED):
            self._refuse(key, str(text), f"a text of at most {MOST_CARRIED} characters")
            return None
        return text

    def _text(self, name: str, declared: Knob, default: Any) -> Any:
        """Return what the text in session state means, which the page lets edit by means of its
        own.

        The text is part of the scenario: in the query string, the ledger and shared links. What a
        reader sees of it, in pinned results, are its words.
        """
        value = self._meaning(name, declared, default)
        text = declared.write(value)
        self.defaults[name], self.values[name], self.quantities[name] = "", text, text
        self.told[name.replace("_", " ").capitalize()] = declared.words(value) or text
        self._say(self._key(name), text)
        return value

    def _meaning(self, name: str, declared: Knob, default: Any) -> Any:
        try:
            return declared.parse(str(state.get(self._key(name), "")))
        except ValueError:
            return default

    def report_query(self) -> None:
        """Report once the names in the query string that are no setting of this page. Call after
        the last knob.
        """
        ours = {self._key(name) for name in (*self.defaults, "view")}
        others = tuple(f"{lesson_id}_" for lesson_id in self.lesson_ids if lesson_id != self.lesson)
        for key, raw in self.query.items() if self.entered else ():
            if key not in ours and not NOT_KNOBS.match(key) and not key.startswith(others):
                state.notify(
                    f"The address holds {quoted(key)} = {quoted(raw)}, which this page does not "
                    "recognize; "
                    "it was ignored."
                )

    def _raw(self, key: str) -> str | None:
        if self.entered:
            return self.query.get(key)
        return None

    def _refuse(self, key: str, raw: str, wanted: str) -> None:
        state.notify(
            f"The address holds {quoted(key)} = {quoted(raw)}, which is not {wanted}; it was "
            "ignored."
        )


def is_infinite(raw: str | None) -> bool:
    """Return whether a text is an infinite number, which Streamlit cannot convert to an integer."""
    try:
        return raw is not None and math.isinf(float(raw))
    except ValueError:
        return False


def follow(drawn: Any, bounds: tuple[float, float], key: str) -> None:
    """Keep the value of a slider whose bounds may have changed since it was last `drawn`.

    A new bound makes a new widget, to which Streamlit would give what a run long ago has put.
    """
    if drawn not in (None, bounds) and (held := state.get(key)) is not None:
        state.put(key, held)
    if drawn != bounds:
        state.write(BOUNDS, key, bounds)


def quoted(text: str) -> str:
    """Quote a text from the query string: shortened, and without Markdown."""
    if len(text) <= 40:
        short = text
    else:
        short = text[:39] + "…"
    return "`" + re.sub(r"[`\s\x00-\x1f]+", " ", short) + "`"
