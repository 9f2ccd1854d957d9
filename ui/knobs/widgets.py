"""The knobs of a page: sidebar widgets that remember, travel in the query string, and return SI values.

Every knob has a key `<lesson>_<quantity>`, and a range and a default from its constant. The default is the widget's
own, because the query string leaves out what equals it. A value from there or from session state that does not fit
is not used; the visitor is told once which one it was.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui.base import device, state
from ui.base.format import significant
from ui.base.lesson import Grab, Preset, Taps
from ui.knobs.declared import Knob, Settings, default_of, knobs_of, nearest, tidy
from ui.knobs.values import as_in_query, finite, is_infinite, is_number, no_effect, plain, quoted

#: Names in the query string that are not knobs: the projector mode, a class code, and what hosts and mail programs add.
NOT_KNOBS = re.compile(r"present$|class$|embed|utm_|fbclid$|gclid$")
BIND = "query-params"
_ABSENT = object()
#: Dict of the values that knobs are put back to, by key.
STANDING = "_standing"
#: Dict of the bounds between which knobs were drawn last, by key.
BOUNDS = "_bounds"
#: Longest text that an address may bring beyond knobs.
MOST_CARRIED = 3000


@dataclass
class Knobs:
    """Draws the knobs of one lesson and knows what was drawn."""

    lesson: str  #: lesson id, the prefix of every key
    enabled: bool  #: False before the prediction is locked
    query: Mapping[str, str]  #: what the query string held before any widget was drawn
    entered: bool  #: first run of this visit to the page
    lesson_ids: Sequence[str] = ()  #: all lessons, whose knobs may stand in the query string too
    defaults: dict[str, object] = field(default_factory=dict)  #: widget value of every knob drawn, by key
    units: dict[str, float] = field(default_factory=dict)  #: SI value of one widget unit, by key
    values: dict[str, object] = field(default_factory=dict)  #: widget value now, by key
    labels: dict[str, str] = field(default_factory=dict)  #: label of every knob drawn, by key
    words: dict[str, Mapping[str, str]] = field(default_factory=dict)  #: words of each choice's ids, by key
    quantities: dict[str, object] = field(default_factory=dict)  #: SI value or id of every knob drawn, by quantity
    moved_back: bool = False  #: a knob shows the query string's old value: run once more when the page is drawn
    place: Any = None  #: their place in the sidebar
    under_picture: bool = False  #: whether they stand under the picture, as on a phone
    hand: Any = None  #: the place there; as long as there is none, they are not drawn
    shown: Sequence[str] = ()  #: the knobs of the picture in sight
    boxes: dict[str, Any] = field(default_factory=dict)  #: their places, in the picture's order
    away: dict[str, str] = field(default_factory=dict)  #: in words, what knobs out of sight hold beside their default

    def __post_init__(self) -> None:
        """Read once what few runs hold: values that a restored visit asks for, and values to be put back."""
        self._asked = state.asked(self.lesson)
        self._standing = state.read(STANDING)
        self._drawn = state.read(BOUNDS)

    def again(self) -> "Knobs":
        """Return these knobs for drawing them again: the query string has been read, and nothing is drawn yet."""
        stays = ("lesson", "enabled", "lesson_ids", "place", "under_picture", "shown")
        return Knobs(**{name: getattr(self, name) for name in stays}, query={}, entered=False)

    def lay_out(self) -> None:
        """Make the place of the knobs in the sidebar: on full runs only."""
        with st.sidebar:
            self.place = st.container()

    def draw(self, settings: type[Settings]) -> Settings:
        """Draw the knobs of the picture in sight, take the values of the others, and return the settings.

        A caption under them names those that have no effect at the moment, if the settings say so (`idle`).
        """
        declared, found = knobs_of(settings), {}
        with self.place if self.hand is None else self.hand:
            # A bound may need a knob that stands further down. A box without a key that moves would be another one to
            # the browser, and its knob would no longer write to the query string.
            self.boxes = {name: st.container(key=f"{self.lesson}_{name}_box") for name in self.shown}
        with self.place:
            for name, one in declared.items():
                with self.boxes.get(name) or nullcontext():
                    found[name] = self._drawn_as(name, one, settings, found)
        drawn = settings(**found)
        reasons = drawn.idle() if self.enabled and hasattr(drawn, "idle") else {}
        if idle := {declared[name].label: why for name, why in reasons.items() if name in self.shown}:
            self.place.caption(no_effect(idle))
        return drawn

    def _out_of_sight(self, key: str, declared: Knob, written: Callable[[Any], str]) -> object:
        """Return what a knob holds that is not drawn, and keep it in session state and in the query string.

        Streamlit forgets the value of a widget that leaves, and takes its parameter out of the query string.
        """
        default = self.defaults[key]
        value = state.put(key, state.get(key, default))
        if value != default:
            self.away[key.removeprefix(f"{self.lesson}_")] = f"{declared.label}: {written(value)}"
        state.unbind(key)
        text = "" if value == default else written(value)
        if self.enabled and st.query_params.get(key, "") != text:
            with suppress(StreamlitAPIException):  # a widget that left in this run may still hold the parameter
                if text:
                    st.query_params[key] = text
                else:
                    del st.query_params[key]
        return value

    def _drawn_as(self, name: str, declared: Knob, settings: type, before: Mapping[str, object]) -> object:
        """Draw one declared knob as its kind asks for, and return its value in SI or the id that is chosen."""
        if declared.kind == "text":
            return self._text(name, declared, default_of(settings, name))
        if declared.kind == "toggle":
            return self._toggle(name, declared, default_of(settings, name))
        if declared.options is not None:
            return self._choice(name, declared, default_of(settings, name), declared.choices(before))
        return self._steps(name, declared) if declared.kind == "steps" else self._number(name, declared, before)

    def take_texts(self, settings: type) -> None:
        """Take over what a link, a restored visit or an import brings beyond knobs, or say why not. Once a run."""
        for name, declared in knobs_of(settings).items():
            if declared.kind != "text":
                continue
            key, brought = f"{self.lesson}_{name}", self.carried(name)
            text = str(state.get(key, "")) if brought is None else brought
            try:
                state.put(key, declared.write(declared.parse(text)))
            except ValueError as refusal:
                where = "" if brought is None else " in the address"
                state.notify(f"The {declared.label.lower()}{where} was ignored: {refusal}.")
                if brought is None:
                    state.drop(key)

    def _text(self, name: str, declared: Knob, default: object) -> object:
        """Return what the text in session state means, which the page lets edit by means of its own."""
        value = self._meaning(name, declared, default)
        self.carry(name, declared.write(value), declared.words(value))
        return value

    def _meaning(self, name: str, declared: Knob, default: object) -> object:
        try:
            return declared.parse(str(state.get(f"{self.lesson}_{name}", "")))
        except ValueError:
            return default

    def _number(self, name: str, declared: Knob, before: Mapping[str, object]) -> float:
        """Draw a slider, or a box for a value that is typed rather than dragged."""
        kind, typed, format = int if declared.whole else float, declared.kind == "number", declared.format
        low, high = (kind(tidy(bound / declared.unit)) for bound in declared.bounds(before))
        key, held = self._take_number(name, declared, (low, high))
        value = self._widget(
            st.number_input if typed else st.slider,
            declared,
            low,
            high,
            self.defaults[key],
            step=kind(declared.step),
            key=key,
            bind=None if typed and kind is int and is_infinite(self.query.get(key)) else BIND,  # int(inf) ends a run
            format=format if typed or format else "%d" if kind is int else "%g",
        )
        value = self.defaults[key] if value is None else value
        return self._give(key, self._stands(key, held, value))

    def _steps(self, name: str, declared: Knob) -> float:
        """Draw a slider over given positions, for ranges of several powers of ten."""
        values = declared.positions
        key, default = f"{self.lesson}_{name}", nearest(values, declared.constant / declared.unit)
        self._register(key, declared, default)
        raw = self._raw(key)
        if raw is not None:
            number = finite(raw)
            if number is not None and number in values:
                state.put(key, nearest(values, number))
            else:
                self._refuse(key, raw, f"one of {significant(values[0], 6)} to {significant(values[-1], 6)}")
        self._take_wanted(name, key, declared.unit)
        held = state.get(key, default)
        if held not in values:
            state.put(key, nearest(values, held) if is_number(held) else default)
        options = {"options": list(values), "value": default, "format_func": plain}
        return self._give(key, self._widget(st.select_slider, declared, key=key, **options))

    def _choice(self, name: str, declared: Knob, default: str, options: Mapping[str, str]) -> str:
        """Draw a choice among {id: words}; the query string may hold the id or the words."""
        key, default = f"{self.lesson}_{name}", default if default in options else next(iter(options))
        self._register(key, declared, default)
        self.words[key] = options
        raw = self._raw(key)
        if raw is not None:
            if named := next((one for one, words in options.items() if raw in (one, words)), None):
                state.put(key, named)
            else:
                self._refuse(key, raw, "one of " + ", ".join(options))
        self._take_wanted(name, key)
        if state.get(key, default) not in options:
            state.put(key, default)
        segmented = declared.kind == "segmented"
        draw = st.segmented_control if segmented else st.selectbox
        extra = {"required": True, "default": default} if segmented else {"index": list(options).index(default)}
        extra["format_func"] = lambda option: options.get(option, option)
        value = self._widget(draw, declared, list(options), key=key, **extra)
        return self._give(key, value if value in options else default)

    def _toggle(self, name: str, declared: Knob, default: bool) -> bool:
        """Draw a switch."""
        key = f"{self.lesson}_{name}"
        self._register(key, declared, default)
        raw = self._raw(key)
        if raw is not None and raw.lower() not in ("true", "false"):
            self._refuse(key, raw, "true or false")
        elif raw is not None and name not in self.shown:
            state.put(key, raw.lower() == "true")
        self._take_wanted(name, key)
        if not isinstance(state.get(key, default), bool):
            state.put(key, default)
        return self._give(key, bool(self._widget(st.toggle, declared, default, key=key)))

    def _widget(self, draw: Callable, declared: Knob, *args: Any, key: str, **options: Any) -> Any:
        """Draw a widget and return its value.

        Before the lock a phone's knobs, which stand under the picture, are not drawn: there is none yet, and a knob
        that leaves another place takes its value out of the query string. What that says waits there for it.
        """
        name = key.removeprefix(f"{self.lesson}_")
        if name not in self.shown:
            return self._out_of_sight(key, declared, options.get("format_func", as_in_query))
        if self.under_picture and self.hand is None:
            return state.get(key, self.defaults[key])
        shared = {"bind": BIND, "disabled": not self.enabled, "help": declared.help}
        return draw(declared.label, *args, key=key, **shared | options)

    def carried(self, name: str) -> str | None:
        """Return what a link, a restored visit or an import brings beyond knobs, once; None if nothing. Check it."""
        key = f"{self.lesson}_{name}"
        asked = state.wanted(self.lesson, name) if name in self._asked else None
        text = self._raw(key) or asked
        if text is None:
            return None
        if not isinstance(text, str) or len(text) > MOST_CARRIED:
            self._refuse(key, str(text), f"a text of at most {MOST_CARRIED} characters")
            return None
        return text

    def carry(self, name: str, text: str, words: str = "") -> None:
        """Make a text part of the scenario, such as an edited table: in the query string, the ledger and shared links.

        What a reader sees of it, in pinned results, are the words.
        """
        key = f"{self.lesson}_{name}"
        self.words[key] = {text: words} if words else {}
        self.defaults[key], self.units[key], self.labels[key] = "", 1.0, name.replace("_", " ").capitalize()
        self.values[key] = self.quantities[name] = text
        if self.enabled and st.query_params.get(key, "") != text:
            if text:
                st.query_params[key] = text
            else:
                del st.query_params[key]

    def worded(self, key: str, value: str) -> str:
        """Return the words that a visitor reads for a value: a choice's, not its id."""
        return self.words.get(key, {}).get(value, value)

    def apply(self, preset: Preset) -> None:
        """Set every knob of the lesson: the preset's SI values and ids, defaults for the rest. Only in a callback.

        A preset's view is opened, so that its effect is in sight; without one the chosen chart stays. On a phone, where
        the list covers the chart, it is closed.
        """
        wanted = preset.changes
        if device.on_phone():
            state.put(f"{self.lesson}_presets", False)
        if preset.view is not None:
            state.put(f"{self.lesson}_view", preset.view)
        for key, default in self.defaults.items():
            value = wanted.get(key.removeprefix(f"{self.lesson}_"))
            if value is None:
                value = default
            elif isinstance(value, int | float) and not isinstance(value, bool):
                value = type(default)(tidy(value / self.units[key]))
            state.put(key, value)

    def turn(self, grab: Grab, settings: object, at: float) -> None:
        """Move a knob to the place at which a chart is held, in the bounds of these settings. Only in a callback."""
        before = {name: getattr(settings, name) for name in knobs_of(type(settings))}
        declared = knobs_of(type(settings))[grab.knob]
        value = grab.choose(at) if grab.choose else declared.nearest(at * grab.unit, before)
        state.put(f"{self.lesson}_{grab.knob}", value)

    def tap(self, taps: Taps, settings: Any, marks: Sequence) -> bool:
        """Set the knobs that a tap on a chart's marks changes; False if another tap must follow. Only in a callback.

        Texts and switches are read anew: a second tap may come before the first one is drawn.
        """
        kind = type(settings)
        texts = {name: one for name, one in knobs_of(kind).items() if one.kind == "text"}
        now = {name: self._meaning(name, one, default_of(kind, name)) for name, one in texts.items()}
        switches = (name for name, one in knobs_of(kind).items() if one.kind == "toggle")
        now |= {name: on for name in switches if isinstance(on := state.get(f"{self.lesson}_{name}"), bool)}
        changes = taps.changes(replace(settings, **now), marks)
        for name, value in (changes or {}).items():
            state.put(f"{self.lesson}_{name}", texts[name].write(value) if name in texts else value)
        return changes is not None

    def report_query(self) -> None:
        """Say once which values of the query string are no knob of this page. Call after the last knob."""
        if not self.entered:
            return
        for key, raw in self.query.items():
            ours = key in self.defaults or key == f"{self.lesson}_view" or NOT_KNOBS.match(key)
            elsewhere = any(key.startswith(f"{i}_") for i in self.lesson_ids if i != self.lesson)
            if not ours and not elsewhere:
                state.notify(
                    f"The address holds {quoted(key)} = {quoted(raw)}, which this page does not recognize; "
                    "it was ignored."
                )

    def _take_number(self, name: str, declared: Knob, bounds: tuple):
        """Put a number knob's value into session state before it is drawn: the query string's, else what is kept."""
        key, default = f"{self.lesson}_{name}", type(bounds[0])(tidy(declared.constant / declared.unit))
        default = min(max(default, bounds[0]), bounds[1])
        self._register(key, declared, default)
        raw = self._raw(key)
        if raw is not None:
            number = finite(raw)
            if number is None or not bounds[0] <= number <= bounds[1]:
                self._refuse(key, raw, f"a number from {significant(bounds[0], 9)} to {significant(bounds[1], 9)}")
            elif name not in self.shown:
                state.put(key, type(default)(number))
        self._take_wanted(name, key, declared.unit)
        if (stands := self._standing.get(key)) is not None:
            state.put(key, stands)
            state.forget(STANDING, key)
        held = state.get(key, _ABSENT)
        if held is _ABSENT:
            held = None
        elif not is_number(held):
            held = state.put(key, default)
        elif not bounds[0] <= held <= bounds[1] or type(held) is not type(default):
            held = state.put(key, type(default)(min(max(held, bounds[0]), bounds[1])))
        elif self._drawn.get(key) not in (None, bounds):
            # A new bound makes a new widget, to which Streamlit would give what a run long ago has put.
            state.put(key, held)
        if self._drawn.get(key) != bounds:
            state.write(BOUNDS, key, bounds)
        return key, held

    def _stands(self, key, held, value):
        """Return what the visitor last chose, where Streamlit brings back what the query string held at the first run.

        It does so when another knob moves a bound, which makes the widget a new one. After a step in the browser's
        history the query string is meant.
        """
        if self.entered or held is None or value == held or state.stepped_in_history():
            return value
        state.write(STANDING, key, held)
        self.moved_back = True
        return held

    def _register(self, key: str, declared: Knob, default: object) -> None:
        self.defaults[key], self.units[key], self.labels[key] = default, declared.unit, declared.label

    def _raw(self, key) -> str | None:
        return self.query.get(key) if self.entered else None

    def _refuse(self, key, raw, wanted) -> None:
        state.notify(f"The address holds {quoted(key)} = {quoted(raw)}, which is not {wanted}; it was ignored.")

    def _take_wanted(self, name: str, key: str, unit: float = 1.0) -> None:
        """Take what a restored visit or an import asks for; the checks that follow settle whether it fits."""
        wanted = state.wanted(self.lesson, name) if name in self._asked else None
        if wanted is None:
            return
        if isinstance(default := self.defaults[key], bool | str):
            state.put(key, wanted)
        elif is_number(wanted):
            state.put(key, type(default)(tidy(wanted / unit)))

    def _give(self, key, value):
        self.values[key] = value
        unit = self.units[key]
        quantity = value if unit == 1.0 or not isinstance(value, int | float) else tidy(value * unit)
        self.quantities[key.removeprefix(f"{self.lesson}_")] = quantity
        return quantity
