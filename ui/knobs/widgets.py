"""Settings of a page: sidebar widgets that keep their values, appear in the query string, and
return SI values.

Every knob has a key `<lesson>_<quantity>`, and a range and a default from its constant. The default
is the widget's own, because the query string leaves out what equals it. A value from there or from
session state that does not fit is not used; the visitor is told once which one it was.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui.base import device, state
from ui.base.lesson import Grab, Preset, Taps
from ui.knobs.declared import Settings, default_of, knobs_of, quantities, read
from ui.knobs.in_query import BOUNDS, InQuery, follow, is_infinite
from ui.knobs.knob import Knob, as_in_query, is_number, tidy
from ui.knobs.places import value_at
from ui.server import runs

BIND = "query-params"


@lru_cache(maxsize=128)
def _shared(settings: Settings) -> Settings:
    """Return the settings equal to these that another visitor already has: what they have computed
    is known then.
    """
    return settings


@dataclass
class Knobs(InQuery):
    """Widgets for the settings of one lesson, with the values last drawn, by quantity."""

    lesson: str  #: lesson id, the prefix of every key
    enabled: bool  #: False before the prediction is locked
    query: Mapping[str, str]  #: what the query string held before any widget was drawn
    entered: bool  #: first run of this visit to the page
    lesson_ids: Sequence[str] = ()  #: all lessons, whose knobs may stand in the query string too
    under_picture: bool = False  #: whether they stand under the picture, as on a phone
    place: Any = None  #: their place in the sidebar
    #: the place under the picture; as long as there is none, they are not drawn there
    hand: Any = None
    shown: Sequence[str] = ()  #: the knobs of the picture in sight
    also: Sequence[str] = ()  #: those out of sight that move that picture, too
    settings: type = object  #: the lesson's settings, whose knobs were drawn
    declared: Mapping[str, Knob] = field(default_factory=dict)  #: those knobs
    defaults: dict[str, Any] = field(default_factory=dict)  #: in the widget's unit
    values: dict[str, Any] = field(default_factory=dict)  #: now, in the widget's unit
    quantities: dict[str, Any] = field(default_factory=dict)  #: now, SI values or ids
    told: dict[str, Any] = field(
        default_factory=dict
    )  #: now, as a visitor reads it: words of a choice, by label
    away: dict[str, str] = field(
        default_factory=dict
    )  #: in words, those of `also` that are not at their default
    boxes: Mapping[str, Any] = field(default_factory=dict)  #: the places of the knobs in sight
    standing: Sequence[str] = ()  #: the knobs that no turn draws again
    #: what is called when a preset or the picture sets knobs, even to what they were
    moved: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        """Read once what few runs hold: values that a restored visit asks for, and bounds."""
        self._asked = state.asked(self.lesson)
        self._drawn = state.read(BOUNDS)

    def again(self, whole: bool) -> "Knobs":
        """Return a copy that redraws all settings or the picture's, with the query string read."""
        stays = [
            "lesson",
            "enabled",
            "lesson_ids",
            "place",
            "under_picture",
            "shown",
            "also",
            "moved",
        ]
        if not whole:
            stays += ["boxes", "standing"]
        return Knobs(**{name: getattr(self, name) for name in stays}, query={}, entered=False)

    def lay_out(self) -> None:
        """Create the sidebar container for the settings, on full runs only."""
        with st.sidebar:
            self.place = st.container()

    def lay(self, settings: type[Settings]) -> None:
        """Create containers for the visible settings, and draw those that no other setting
        affects.
        """
        self.settings = settings
        self.declared = knobs_of(settings)
        with self.place if self.hand is None else self.hand:
            # A bound may need a knob that stands further down. A box without a key that moves would
            # be another one to the browser, and its knob would no longer write to the query string.
            self.boxes = {name: st.container(key=f"{self._key(name)}_box") for name in self.shown}
        # A script sees a whole page at every run, on a phone they stand in the picture.
        apart = device.in_browser() and not self.under_picture
        apart_from_picture = [
            name
            for name in self.shown
            if apart and not (self.declared[name].hangs or self.declared[name].pushed)
        ]
        for name in apart_from_picture:
            with self.boxes[name]:
                self._drawn_as(name, {})
        self.standing = apart_from_picture
        self.values = {}
        self.quantities = {}
        self.told = {}

    def draw(self, settings: type[Settings]) -> Settings:
        """Draw the remaining visible settings, use the stored values of the others, and return all
        settings.

        A caption under them names those that have no effect at the moment, if the settings say so
        (`idle`).
        """
        self.settings = settings
        self.declared = knobs_of(settings)
        values: dict[str, Any] = {}
        with self.place:
            for name in self.declared:
                with self.boxes.get(name) or nullcontext():
                    values[name] = self._drawn_as(name, values)
        drawn = _shared(settings(**values))
        if self.enabled and hasattr(drawn, "idle"):
            idle = {
                self.declared[name].label: why
                for name, why in drawn.idle().items()
                if name in self.shown
            }
            if idle:
                self.place.caption(no_effect(idle))
            else:
                self.place.empty()
        return drawn

    def _drawn_as(self, name: str, before: Mapping[str, Any]) -> Any:
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
            options: dict[str, Any] = {
                "options": list(declared.positions),
                "value": default,
                "format_func": as_in_query,
            }
            value = self._widget(st.select_slider, name, **options)
        else:
            value = self._number(name, declared, default, declared.limits(before))
        self.values[name], self.told[declared.label] = value, words.get(value, value)
        same = declared.unit == 1.0 or not isinstance(value, int | float)
        if same:
            self.quantities[name] = value
        else:
            self.quantities[name] = tidy(value * declared.unit)
        return self.quantities[name]

    def _take(self, name: str, declared: Knob, default: Any, before: Mapping[str, Any]) -> None:
        """Put into session state what the query string, a restored visit or an import brings, and
        what fits there.
        """
        key = self._key(name)
        raw = self._raw(key)
        if raw is not None:
            value = declared.from_query(raw, before)
            if value is None:
                self._refuse(key, raw, declared.expected(before))
            elif self._is_away(name) or declared.kind not in ("slider", "number", "toggle"):
                state.put(key, value)
        if name in self._asked:
            wanted = state.wanted(self.lesson, name)
        else:
            wanted = None
        if is_number(wanted) or (wanted is not None and isinstance(default, bool | str)):
            state.put(key, declared.in_widget(wanted))
        stored = state.get(key, default)
        fit = declared.fit(stored, before, default)
        if type(fit) is not type(stored) or fit != stored:
            state.put(key, fit)

    def _number(
        self, name: str, declared: Knob, default: float, bounds: tuple[float, float]
    ) -> float:
        """Draw a slider, or a box for a value that is typed rather than dragged."""
        key = self._key(name)
        whole = declared.whole
        typed = declared.kind == "number"
        if declared.hangs:
            follow(self._drawn.get(key), bounds, key)
        draw: Callable[..., Any]
        if typed:
            draw = st.number_input
        else:
            draw = st.slider
        if whole:
            step: float = int(declared.step)
            written: str | None = "%d"
        else:
            step = float(declared.step)
            written = "%g"
        if typed:
            written = declared.format
        bind: str | None = BIND
        if typed and whole and is_infinite(self.query.get(key)):
            bind = None  # int(inf) ends a run
        value = self._widget(
            draw,
            name,
            *bounds,
            default,
            step=step,
            bind=bind,
            format=declared.format or written,
        )
        if value is None:
            return default
        return value

    def _choice(self, name: str, segmented: bool, default: str, options: Mapping[str, str]) -> str:
        """Draw a choice among {id: words}."""
        ids = list(options)
        draw: Callable[..., Any]
        extra: dict[str, Any]
        if segmented:
            draw = st.segmented_control
            extra = {"required": True, "default": default}
        else:
            draw = st.selectbox
            extra = {"index": ids.index(default)}
        extra["format_func"] = lambda option: options.get(option, option)
        value = self._widget(draw, name, ids, **extra)
        if value in ids:
            return value
        return default

    def _widget(self, draw: Callable, name: str, *args: Any, **options: Any) -> Any:
        """Draw a widget and return its value.

        Before the lock a phone's knobs, which stand under the picture, are not drawn: there is none
        yet, and a knob that leaves another place takes its value out of the query string. What that
        says waits there for it.
        """
        key = self._key(name)
        declared = self.declared[name]
        if name not in self.shown:
            return self._out_of_sight(name, options.get("format_func", as_in_query))
        if self._is_away(name):
            return state.get(key, self.defaults[name])
        if name in self.standing:
            return declared.fit(state.get(key), {}, self.defaults[name])
        if not self.entered:
            state.unseed(key)
        shared = {"bind": BIND, "disabled": not self.enabled, "help": declared.help}
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
        key = self._key(name)
        default = self.defaults[name]
        value = state.put(key, state.get(key, default))
        if value != default and name in self.also:
            if isinstance(value, bool):
                words = self.declared[name].words(value)
            else:
                words = written(value)
            self.away[name] = f"{self.declared[name].label}: {words}"
        state.unbind(key)
        with suppress(
            StreamlitAPIException
        ):  # a widget that left in this run may still hold the parameter
            self._say(key, "" if value == default else written(value))
        return value

    def offer(self, presets: Mapping[str, Preset]) -> None:
        """Draw a button per preset and a reset button; a preset's missing settings are defaults."""
        off = not self.enabled
        box = device.popover("Presets", self._key("presets"), ":material/bookmark:", disabled=off)
        if box is None:
            return
        shared: dict[str, Any] = {"on_click": self.apply, "width": "stretch", "disabled": off}
        with box:
            for name, preset in presets.items():
                st.button(preset.words, key=self._key(f"preset_{name}"), args=(preset,), **shared)
            icon = ":material/restart_alt:"
            args = (Preset(words="Reset"),)
            st.button("Reset settings", key=self._key("reset"), icon=icon, args=args, **shared)

    def apply(self, preset: Preset) -> None:
        """Set all settings of the lesson to a preset's SI values and ids, and the others to their
        defaults. Call this only in a callback.

        A preset's view is opened, so that its effect is in sight; without one the chosen chart
        stays. The list, which covers the picture, is closed.
        """
        state.put(self._key("presets"), False)
        self._tell()
        if preset.view is not None:
            state.put(self._key("view"), preset.view)
        for name, value in quantities(read(self.settings, preset.changes)[0]).items():
            state.put(self._key(name), self.declared[name].in_widget(value))

    def fill_in(self, changes: Mapping[str, Any]) -> None:
        """Apply changes, in SI units by quantity, to settings that are still at their defaults.
        Call this only in a callback.
        """
        values = quantities(read(self.settings, changes)[0])
        for name in changes:
            key = self._key(name)
            default = self.defaults.get(name)
            if state.get(key, default) == default:
                state.put(key, self.declared[name].in_widget(values[name]))

    def _tell(self) -> None:
        if self.moved is not None:
            self.moved()

    def turn(self, grab: Grab, settings: Any, at: float) -> None:
        """Set a setting to the value at a dragged chart position, within the current bounds. Only
        in a callback.
        """
        self._tell()
        state.put(self._key(grab.knob), value_at(grab, settings, at))

    def tap(self, taps: Taps, settings: Any, marks: Sequence) -> bool:
        """Apply the settings that a click on chart marks changes; False if a second click is
        needed. Call this only in a callback.

        Texts and switches are read anew: a second tap may come before the first one is drawn.
        """
        self._tell()
        kind = type(settings)
        texts = {
            name: declared for name, declared in knobs_of(kind).items() if declared.kind == "text"
        }
        now = {
            name: self._meaning(name, declared, default_of(kind, name))
            for name, declared in texts.items()
        }
        switches = (name for name, declared in knobs_of(kind).items() if declared.kind == "toggle")
        now |= {name: on for name in switches if isinstance(on := state.get(self._key(name)), bool)}
        changes = taps.changes(replace(settings, **now), marks)
        for name, value in (changes or {}).items():
            state.put(self._key(name), texts[name].write(value) if name in texts else value)
        return changes is not None

    def redraw(self) -> None:
        """Redraw the settings and the picture. Call this only in a chart's callback, because after
        a button's callback the settings would show no change.

        Streamlit runs a fragment that a button's callback asks for with the button's press, and
        takes what the callback has put for old.
        """
        if self.standing:
            st.rerun(runs.ALL)


def no_effect(idle: Mapping[str, str]) -> str:
    """Return a sentence that lists the settings without effect, grouped by reason."""
    reasons: dict[str, list[str]] = {}
    for label, why in idle.items():
        reasons.setdefault(why, []).append(label)
    return (
        "No effect now: "
        + "; ".join(f"{', '.join(labels)} ({why})" for why, labels in reasons.items())
        + "."
    )
