"""Settings of a page: sidebar widgets that keep their values and return SI values.

Every knob has a key `<lesson>_<quantity>`, and a range and a default from its constant. The default
is that of the widget, too, because the query string omits values equal to it. A value from the
query string or from session state that does not fit is not used; one notice names it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui.base import device, state
from ui.base.lesson import Grab, Preset, Taps
from ui.knobs.declared import default_of, quantities, read
from ui.knobs.in_query import InQuery
from ui.knobs.knob import Knob, Values, as_in_query, is_number, number_of, tidy
from ui.knobs.places import value_at
from ui.server import runs


@lru_cache(maxsize=128)
def _shared(settings: Any) -> Any:
    """Return an equal object of another visitor, if any, because it has already cached results."""
    return settings


@dataclass
class Knobs(InQuery):
    """Widgets for the settings of one lesson, with the values last drawn, by quantity."""

    under_picture: bool = False  #: whether the knobs are under the picture, as on a phone
    sidebar: Any = None  #: container of the knobs in the sidebar
    hand: Any = None  #: container of the knobs under the picture; None as long as there is none
    shown: Sequence[str] = ()  #: quantities with a visible knob, those of the visible picture
    also: Sequence[str] = ()  #: quantities with a hidden knob that change that picture, too
    boxes: Values = field(default_factory=dict)  #: containers of the visible knobs
    standing: Sequence[str] = ()  #: quantities whose knobs are not drawn again in a turn
    #: values of the hidden knobs when they were last written to session state and query string
    hidden: dict[str, Any] = field(default_factory=dict)
    #: called when a preset or the picture sets knobs, even to their current values
    moved: Callable[[], Any] = lambda: None

    def again(self) -> "Knobs":
        """Return a copy for the next change of a setting, without the query string."""
        return replace(self, query={}, entered=False)

    def lay(self) -> None:
        """Create containers for the visible settings; draw settings that depend on no others."""
        with self.hand or self.sidebar:
            # A knob's bound may depend on a knob further down, which is drawn first. A box needs a
            # key: without one, a moved box is new to the browser, and its knob would no longer
            # write to the query string.
            self.boxes = {
                name: st.container(key=f"{self.lesson}_{name}_box") for name in self.shown
            }
        self.standing = ()
        standing = []
        # A script draws the whole page at every run, and on a phone the picture contains the knobs.
        if device.in_browser() and not self.under_picture:
            for name in self.shown:
                if not self.declared[name].hangs and not self.declared[name].pushed:
                    standing.append(name)
                    with self.boxes[name]:
                        self._drawn_as(name, {})
        self.standing = standing

    def draw(self) -> Any:
        """Draw the remaining visible settings; return all settings, hidden ones as stored.

        A caption names settings that have no effect now, if the settings have a method `idle`.
        """
        self._clear()
        values: dict = {}
        with self.sidebar:
            for name in self.declared:
                with self.boxes.get(name) or nullcontext():
                    values[name] = self._drawn_as(name, values)
        settings = _shared(self.settings(**values))
        if self.enabled and hasattr(settings, "idle"):
            reasons: dict[str, list[str]] = {}
            for name, why in settings.idle().items():
                if name in self.shown:
                    reasons.setdefault(why, []).append(self.declared[name].label)
            if reasons:
                clauses = (f"{', '.join(labels)} ({why})" for why, labels in reasons.items())
                self.sidebar.caption(f"No effect now: {'; '.join(clauses)}.")
            else:
                self.sidebar.empty()
        return settings

    def _drawn_as(self, name: str, before: Values) -> Any:
        """Draw the widget of a knob, if it is visible, and return its value in SI or as an id."""
        declared = self.declared[name]
        default = default_of(self.settings, name)
        if declared.kind == "text":
            return self._text(name, declared, default)
        default = self.defaults[name] = declared.default(default, before)
        if name not in self.standing:
            self._take(name, declared, default, before)
        value: Any
        words: Mapping[Any, str] = {}
        if declared.kind == "toggle":
            value = bool(self._widget(st.toggle, name, default))
        elif declared.options is not None:
            words = declared.choices(before)
            value = self._choice(name, declared.kind == "segmented", default, words)
        elif declared.positions:
            positions = list(declared.positions)
            value = self._widget(
                st.select_slider, name, positions, default, format_func=as_in_query
            )
        else:
            value = self._number(name, declared, default, declared.limits(before))
        quantity = value
        if declared.unit != 1.0 and isinstance(value, int | float):
            quantity = tidy(value * declared.unit)
        self.values[name] = value
        self.texts_by_label[declared.label] = words.get(value, value)
        self.quantities[name] = quantity
        return quantity

    def _take(self, name: str, declared: Knob, default: Any, before: Values) -> None:
        """Put a value from a link, saved visit, or import into session state, within its range."""
        key = f"{self.lesson}_{name}"
        raw = self._raw(key)
        if raw is not None:
            value = declared.from_query(raw, before)
            if value is None:
                self._ignore(key, raw, f"is not {declared.expected(before)}")
            elif self._is_away(name) or declared.kind not in ("slider", "number", "toggle"):
                state.put(key, value)
        requested = self._requested(name)
        if is_number(requested) or (requested is not None and isinstance(default, bool | str)):
            state.put(key, declared.in_widget(requested))
        stored = state.get(key, default)
        fit = declared.fit(stored, before, default)
        if type(fit) is not type(stored) or fit != stored:
            state.put(key, fit)

    def _number(
        self, name: str, declared: Knob, default: float, bounds: tuple[float, float]
    ) -> float:
        """Draw a slider, or a box for a value that is typed rather than dragged."""
        key = f"{self.lesson}_{name}"
        if declared.hangs:
            self._follow(key, bounds)
        draw: Callable = st.slider
        options: dict = {"step": declared.step, "format": declared.format}
        if declared.whole:
            options["step"] = int(declared.step)
        if declared.kind == "number":
            draw = st.number_input
            if declared.whole and math.isinf(number_of(self.query.get(key, ""))):
                options["bind"] = None  # int(inf) ends a run
        elif declared.format is None:
            options["format"] = "%d" if declared.whole else "%g"
        value = self._widget(draw, name, *bounds, default, **options)
        return default if value is None else value

    def _choice(self, name: str, segmented: bool, default: str, options: Mapping[str, str]) -> str:
        """Draw a choice among {id: words}."""
        ids = list(options)
        draw: Callable = st.selectbox
        extra: dict = {"format_func": lambda option: options.get(option, option)}
        if segmented:
            draw = st.segmented_control
            extra |= {"required": True, "default": default}
        else:
            extra["index"] = ids.index(default)
        value = self._widget(draw, name, ids, **extra)
        return value if value in ids else default

    def _widget(self, draw: Callable, name: str, *args: Any, **options: Any) -> Any:
        """Draw a widget and return its value.

        Before the lock, a phone's knobs are not drawn: there is no picture yet, and if a knob moved
        from elsewhere to its container under the picture, its value would disappear from the query
        string.
        """
        key = f"{self.lesson}_{name}"
        declared = self.declared[name]
        if name not in self.shown:
            return self._out_of_sight(name, options.get("format_func", as_in_query))
        if self._is_away(name):
            return state.get(key, self.defaults[name])
        if name in self.standing:
            return declared.fit(state.get(key), {}, self.defaults[name])
        if not self.entered:
            state.unseed(key)
        shared = {"bind": "query-params", "disabled": not self.enabled, "help": declared.help}
        return draw(declared.label, *args, key=key, **shared | options)

    def _is_away(self, name: str) -> bool:
        """Return whether a knob is not drawn in this run."""
        return name not in self.shown or (self.under_picture and self.hand is None)

    def _out_of_sight(self, name: str, written: Callable[[Any], str]) -> Any:
        """Return a hidden knob's value, and write it to session state and the query string again.

        Streamlit forgets the value of a widget that is no longer drawn, and removes its parameter
        from the query string.
        """
        key = f"{self.lesson}_{name}"
        default = self.defaults[name]
        value = state.get(key, default)
        text = ""
        if value != default:
            text = written(value)
            if name in self.also:
                declared = self.declared[name]
                words = declared.words(value) if isinstance(value, bool) else text
                self.away[name] = f"{declared.label}: {words}"
        if name not in self.hidden or self.hidden[name] is not value:
            self.hidden[name] = state.put(key, value)
            state.unbind(key)
            # A widget that was still drawn in the last run may own the parameter.
            with suppress(StreamlitAPIException):
                self.say(key, text)
        return value

    def offer(self, presets: Mapping[str, Preset]) -> None:
        """Draw a button per preset and a reset button; settings not in a preset get defaults."""
        off = {"disabled": not self.enabled}
        box = device.popover("Presets", f"{self.lesson}_presets", ":material/bookmark:", **off)
        if box is None:
            return
        style: dict = {"width": "stretch", **off}
        with box:
            for name, preset in presets.items():
                device.button(
                    preset.words, f"{self.lesson}_preset_{name}", self.apply, preset, **style
                )
            style["icon"] = ":material/restart_alt:"
            device.button("Reset settings", f"{self.lesson}_reset", self.apply, Preset(), **style)

    def apply(self, preset: Preset) -> None:
        """Set a preset's settings to their values, and all other settings to their defaults.

        The preset's view, if any, is opened, so that its effect is visible. The list of presets,
        which covers the picture, is closed. Call this only in a callback.
        """
        state.put(f"{self.lesson}_presets", False)
        self.moved()
        if preset.view is not None:
            state.put(f"{self.lesson}_view", preset.view)
        for name, value in quantities(read(self.settings, preset.changes)[0]).items():
            state.put(f"{self.lesson}_{name}", self.declared[name].in_widget(value))

    def fill_in(self, changes: Values) -> None:
        """Apply changes, in SI units by quantity, to settings that are still at their defaults.

        Call this only in a callback.
        """
        values = quantities(read(self.settings, changes)[0])
        for name in changes:
            key = f"{self.lesson}_{name}"
            default = self.defaults.get(name)
            if state.get(key, default) == default:
                state.put(key, self.declared[name].in_widget(values[name]))

    def turn(self, grab: Grab, settings: Any, at: float) -> None:
        """Set a setting to the value at a dragged chart position, within the current bounds.

        Only in a callback.
        """
        self.moved()
        state.put(f"{self.lesson}_{grab.knob}", value_at(grab, settings, at))

    def tap(self, taps: Taps, settings: Any, marks: Sequence) -> bool:
        """Apply the settings that a click on chart marks changes.

        The result is False if a second click is needed. Texts and switches are read from the
        session, because a second click may come before the first one is drawn. Call this only in a
        callback.
        """
        self.moved()
        current = {}
        for name, knob in self.declared.items():
            stored = state.get(f"{self.lesson}_{name}")
            if knob.kind == "text":
                current[name] = self._meaning(name, knob, default_of(self.settings, name))
            elif knob.kind == "toggle" and isinstance(stored, bool):
                current[name] = stored
        changes = taps.changes(replace(settings, **current), marks)
        for name, value in (changes or {}).items():
            if self.declared[name].kind == "text":
                value = self.declared[name].write(value)
            state.put(f"{self.lesson}_{name}", value)
        return changes is not None

    def redraw(self) -> None:
        """Redraw the settings and the picture.

        Call this only in a chart's callback. After a button's callback the settings would show no
        change: Streamlit runs the fragment with the button's press, and considers values from the
        callback as outdated.
        """
        if self.standing:
            st.rerun(runs.ALL)
