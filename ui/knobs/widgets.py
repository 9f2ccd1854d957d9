"""Settings of a page: sidebar widgets that keep their values and return SI values.

Every knob has a key `<lesson>_<quantity>`, and a range and a default from its constant. The default
is the widget's own, because the query string leaves out what equals it. A value from there or from
session state that does not fit is not used; the visitor is told once which one it was.
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
    """Return the settings equal to these that another visitor already has: what they have computed
    is known then.
    """
    return settings


@dataclass
class Knobs(InQuery):
    """Widgets for the settings of one lesson, with the values last drawn, by quantity."""

    under_picture: bool = False  #: whether they stand under the picture, as on a phone
    sidebar: Any = None  #: their container in the sidebar
    #: the place under the picture; as long as there is none, they are not drawn there
    hand: Any = None
    shown: Sequence[str] = ()  #: the knobs of the picture in sight
    also: Sequence[str] = ()  #: those out of sight that move that picture, too
    boxes: Values = field(default_factory=dict)  #: the places of the knobs in sight
    standing: Sequence[str] = ()  #: the knobs that no turn draws again
    #: what the knobs out of sight held when they were last put into session state and query string
    hidden: dict[str, Any] = field(default_factory=dict)
    #: what is called when a preset or the picture sets knobs, even to what they were
    moved: Callable[[], Any] = lambda: None

    def again(self) -> "Knobs":
        """Return a copy for the next change of a setting, without the query string."""
        return replace(self, query={}, entered=False)

    def lay(self) -> None:
        """Create containers for the visible settings; draw settings that depend on no others."""
        with self.hand or self.sidebar:
            # A bound may need a knob that stands further down. A box without a key that moves would
            # be another one to the browser, and its knob would no longer write to the query string.
            self.boxes = {
                name: st.container(key=f"{self.lesson}_{name}_box") for name in self.shown
            }
        self.standing = ()
        standing = []
        # A script sees a whole page at every run, on a phone they stand in the picture.
        if device.in_browser() and not self.under_picture:
            for name in self.shown:
                if not self.declared[name].hangs and not self.declared[name].pushed:
                    standing.append(name)
                    with self.boxes[name]:
                        self._drawn_as(name, {})
        self.standing = standing

    def draw(self) -> Any:
        """Draw the remaining visible settings; return all settings, hidden ones as stored.

        A caption under them names those that have no effect at the moment, if the settings say so
        (`idle`).
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
        """Draw one declared knob as its kind asks for, and return its value in SI or the id that is
        chosen.
        """
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
        """Put into session state what the query string, a restored visit or an import brings, and
        what fits there.
        """
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

        Before the lock a phone's knobs, which stand under the picture, are not drawn: there is none
        yet, and a knob that leaves another place takes its value out of the query string. What that
        says waits there for it.
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
        """Say whether a knob is drawn nowhere in this run."""
        return name not in self.shown or (self.under_picture and self.hand is None)

    def _out_of_sight(self, name: str, written: Callable[[Any], str]) -> Any:
        """Return what a knob holds that is not drawn, and keep it in session state and in the query
        string.

        Streamlit forgets the value of a widget that leaves, and takes its parameter out of the
        query string.
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
            # A widget that left in this run may still hold the parameter.
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
        """Set a preset's settings to their values, and all other settings to their defaults. Call
        this only in a callback.

        A preset's view is opened, so that its effect is in sight; without one the chosen chart
        stays. The list, which covers the picture, is closed.
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

        The result is False if a second click is needed. Call this only in a callback.

        Texts and switches are read anew: a second tap may come before the first one is drawn.
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

        Call this only in a chart's callback, because after a button's callback the settings would
        show no change.

        Streamlit runs a fragment that a button's callback asks for with the button's press, and
        takes what the callback has put for old.
        """
        if self.standing:
            st.rerun(runs.ALL)
