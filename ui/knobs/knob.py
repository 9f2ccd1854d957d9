"""Definition of a setting: its widget, its conversion from SI, and its valid query strings.

No Streamlit here.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

from physics.constants import Constant
from ui.base import format as f
from ui.base.records import Values

#: A bound in SI, the name of the knob whose value is the bound, or a function of the values of the
#: knobs declared before it.
Bound = float | str | Callable[[Values], float] | None


@dataclass(frozen=True)
class Knob:
    """Metadata of a field of the settings: data for its widget, its bounds, and its docs."""

    kind: str  #: "slider", "number", "steps", "choice", "segmented", "toggle" or "text"
    constant: Constant | None = None  #: default and range of a number
    unit: float = 1.0  #: SI value of one unit of the widget
    step: float = 1.0  #: in the widget's unit
    positions: tuple[float, ...] = ()  #: of "steps", in the widget's unit
    #: {id: label} of a choice, or a function of the values of the knobs before it that gives it;
    #: a toggle's ids are False and True
    options: Mapping[Any, str] | Callable[[Values], Mapping[str, str]] | None = None
    low: Bound = None
    high: Bound = None
    format: str | None = None  #: printf format of the number
    #: how a value is written in a sentence: a function of the value, or the noun that the widget's
    #: unit counts, such as "GPU"; by default the number in the widget's unit
    spoken: Callable[[Any], str] | str | None = None
    #: of "text": text → value; a ValueError says why the text is invalid
    parse: Callable[[str], Any] = str
    write: Callable[[Any], str] = str  #: of "text": value → text
    label: str = ""  #: with the unit in it
    help: str = ""  #: one sentence
    #: whether buttons in the picture change it, so that it is drawn with the picture
    pushed: bool = False
    #: text for a change of this knob, such as "buy {} GPUs"; "" means "label → value"
    change: str = ""

    @cached_property
    def whole(self) -> bool:
        """Whether the widget's values are integers."""
        if self.positions:
            return self.unit == 1 and all(isinstance(position, int) for position in self.positions)
        return self.kind in ("slider", "number") and float(self.step).is_integer()

    @cached_property
    def hangs(self) -> bool:
        """Whether the bounds or options depend on other settings."""
        ends = (self.low, self.high)
        return callable(self.options) or any(isinstance(end, str) or callable(end) for end in ends)

    def bounds(self, before: Values) -> tuple[float, float]:
        """Return the range in SI, given the values of the settings declared earlier."""
        lowest = self._bound("low", before)
        highest = self._bound("high", before)
        if lowest is None or highest is None:
            raise ValueError(f"{self.label or self.kind} must have a lowest and a highest value")
        return float(lowest), float(max(lowest, highest))

    def _bound(self, end: str, before: Values) -> float | None:
        """Return the "low" or the "high" bound [SI]: the knob's own, or else its constant's."""
        bound = getattr(self, end)
        if isinstance(bound, str):
            bound = before.get(bound)
        elif callable(bound):
            bound = bound(before)
        if bound is None:
            return getattr(self.constant, end, None)
        return bound

    def choices(self, before: Values) -> Mapping[str, str]:
        """Return {id: label} of a choice, given the values of the settings declared earlier."""
        if callable(self.options):
            return self.options(before)
        return self.options or {}

    def offers(self, value: Any, before: Values) -> bool:
        """Return whether a value equals an option of a choice and has the option's type."""
        options = [option for option in self.choices(before) if type(option) is type(value)]
        return value in options

    def values(self, before: Values) -> list[Any]:
        """List every value of the widget in its order, in SI or as ids."""
        if self.kind == "text":
            return []
        if self.options is not None:
            return list(self.choices(before))
        values: Sequence[float] = [tidy(position * self.unit) for position in self.positions]
        if not self.positions:
            values = _grid(*self.bounds(before), self.step, self.unit)
        return list(map(int, values) if self.whole and self.unit == 1 else values)

    def nearest(self, value: float, before: Values) -> float:
        """Return the widget position nearest to a number [SI], in the widget's unit.

        >>> from physics import constants as k
        >>> load = Knob("slider", k.TRAP_UTILIZATION, unit=0.01, step=0.5)
        >>> load.nearest(0.9312, {}), load.nearest(9.0, {})
        (93.0, 120.0)
        """
        if self.positions:
            return nearest(self.positions, value / self.unit)
        low, high = self.bounds(before)
        steps = round((min(max(value, low), high) - low) / self.unit / self.step)
        last = math.floor((high - low) / self.unit / self.step + 1e-9)
        return self._number(tidy(low / self.unit + min(steps, last) * self.step))

    def in_widget(self, value: Any) -> Any:
        """Return the widget's value for a value in SI or an id.

        >>> from physics import constants as k
        >>> Knob("slider", k.TRAP_UTILIZATION, unit=0.01, step=0.5).in_widget(0.95)
        95.0
        """
        if isinstance(value, bool | str):
            return value
        if self.positions:
            return nearest(self.positions, value / self.unit)
        return self._number(tidy(value / self.unit))

    def limits(self, before: Values) -> tuple[float, float]:
        """Return the range in the widget's unit."""
        if not self.hangs:
            return self._fixed_limits
        low, high = self.bounds(before)
        return self.in_widget(low), self.in_widget(high)

    @cached_property
    def _fixed_limits(self) -> tuple[float, float]:
        """Range in the widget's unit, if it depends on no other setting."""
        low, high = self.bounds({})
        return self.in_widget(low), self.in_widget(high)

    def default(self, value: Any, before: Values) -> Any:
        """Return the widget's default: the allowed value nearest to `value` (SI or an id)."""
        first = next(iter(self.choices(before)), None)
        return self.fit(self.in_widget(value), before, first)

    def fit(self, value: Any, before: Values, default: Any) -> Any:
        """Return the valid widget position nearest to any session value, or the default."""
        if self.options is not None:
            return value if self.offers(value, before) else default
        if not is_number(value):
            return default
        if self.positions:
            return value if value in self.positions else nearest(self.positions, value)
        low, high = self.limits(before)
        return self._number(min(max(value, low), high))

    def from_query(self, raw: str, before: Values) -> Any:
        """Return the widget position requested by the query string; None if there is none."""
        if self.options is not None:
            by_text = {}
            for option, label in self.choices(before).items():
                by_text[label] = option
                by_text[as_in_query(option)] = option
            return by_text.get(raw, by_text.get(raw.lower()))
        number = number_of(raw)
        if self.positions:
            return next((position for position in self.positions if position == number), None)
        low, high = self.limits(before)
        return self._number(number) if low <= number <= high else None

    def expected(self, before: Values) -> str:
        """Describe the valid values for the query string."""
        if self.options is not None:
            return "one of " + ", ".join(map(as_in_query, self.choices(before)))
        if self.positions:
            low = self.positions[0]
            return f"one of {f.significant(low, 6)} to {f.significant(self.positions[-1], 6)}"
        low, high = self.limits(before)
        return f"a number from {f.significant(low, 9)} to {f.significant(high, 9)}"

    def _number(self, value: float) -> float:
        """Return a number as the widget's type, an int if its values are integers."""
        return int(value) if self.whole else float(value)

    def words(self, value: Any, before: Values | None = None) -> str:
        """Write a value as the widget shows it."""
        if self.options is not None:
            return self.choices(before or {}).get(value, str(value))
        if isinstance(self.spoken, str):
            return f.count(tidy(value / self.unit), self.spoken)
        if self.spoken:
            return self.spoken(value)
        return f"{tidy(value / self.unit):,.10g}"


@lru_cache(maxsize=256)
def _grid(low: float, high: float, step: float, unit: float) -> tuple[float, ...]:
    """List the positions of a slider [SI]; cached, because a search needs them repeatedly."""
    last = math.floor((high - low) / unit / step + 1e-9)
    return tuple(tidy(low + number * step * unit) for number in range(last + 1))


def tidy(value: float) -> float:
    """Remove the rounding error of a unit conversion: 0.95 / 0.01 is 95, not 94.99999999999999."""
    return float(f"{value:.12g}")


def nearest(values: Sequence[float], wanted: float) -> float:
    """Return the value nearest to `wanted`: by ratio if both are positive, else by difference."""
    return min(values, key=partial(_distance, wanted))


def _distance(wanted: float, value: float) -> float:
    """Return how far a value is from `wanted`."""
    if value > 0 and wanted > 0:
        return abs(math.log(value / wanted))
    return abs(value - wanted)


def number_of(raw: str) -> float:
    """Parse a number from a text; nan if the text is not one."""
    try:
        return float(raw)
    except ValueError:
        return math.nan


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number, small enough for unit conversion."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def as_in_query(value: Any) -> str:
    """Write a value as Streamlit does in the query string; texts are unchanged."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}"
