"""Definition of a setting: its widget, its conversion from SI, and its valid query strings. No
Streamlit here.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from physics.constants import Constant
from ui.base import format as f

#: A bound in SI, the name of the knob that bounds, or a function of the values of the knobs
#: declared before it.
Bound = float | str | Callable[[Mapping[str, Any]], float] | None


@dataclass(frozen=True)
class Knob:
    """Metadata of a field of the settings: the data for its widget, its bounds, and its row in the
    docs.
    """

    kind: str  #: "slider", "number", "steps", "choice", "segmented", "toggle" or "text"
    constant: Constant | None = None  #: default and range of a number
    unit: float = 1.0  #: SI value of one unit of the widget
    step: float = 1.0  #: in the widget's unit
    positions: tuple[float, ...] = ()  #: of "steps", in the widget's unit
    #: {id: words} of a choice, or how to tell them from the knobs before it; a toggle's ids are
    #: False and True
    options: Mapping[Any, str] | Callable[[Mapping[str, Any]], Mapping[str, str]] | None = None
    low: Bound = None
    high: Bound = None
    format: str | None = None  #: printf format of the number
    #: how a value is written in words: a function, or what is counted
    #: in the widget's unit, such as "GPU"; by default the bare number in that unit
    spoken: Callable[[Any], str] | str | None = None
    #: of "text": what the text means; a ValueError says why it means nothing
    parse: Callable[[str], Any] = str
    write: Callable[[Any], str] = str  #: of "text": the one text of a value
    label: str = ""  #: with the unit in it
    help: str = ""  #: one sentence
    #: whether buttons in the picture move it, so that it is drawn with the picture
    pushed: bool = False
    #: words of a change of this knob, such as "buy {} GPUs"; "" is "label → value"
    change: str = ""

    @property
    def whole(self) -> bool:
        """Whether the widget's values are integers."""
        if self.positions:
            return self.unit == 1 and all(isinstance(position, int) for position in self.positions)
        return self.kind in ("slider", "number") and float(self.step).is_integer()

    @property
    def hangs(self) -> bool:
        """Whether the bounds or options depend on other settings."""
        return callable(self.options) or any(
            isinstance(bound, str) or callable(bound) for bound in (self.low, self.high)
        )

    def bounds(self, before: Mapping[str, Any]) -> tuple[float, float]:
        """Return the range in SI, given the values of the settings declared earlier."""
        lowest = _bound(self.low, before)
        highest = _bound(self.high, before)
        if self.constant is not None:
            if lowest is None:
                lowest = self.constant.low
            if highest is None:
                highest = self.constant.high
        if lowest is None or highest is None:
            raise ValueError(f"{self.label or self.kind} must have a lowest and a highest value")
        return float(lowest), float(max(lowest, highest))

    def choices(self, before: Mapping[str, Any]) -> Mapping[str, str]:
        """Return {id: label} of a choice, given the values of the settings declared earlier."""
        if callable(self.options):
            return self.options(before)
        return self.options or {}

    def offers(self, value: Any, before: Mapping[str, Any]) -> bool:
        """Return whether a value is an option of a choice, with its exact type: 1 is no option of a
        toggle.
        """
        return any(
            type(option) is type(value) and option == value for option in self.choices(before)
        )

    def values(self, before: Mapping[str, Any]) -> list[Any]:
        """List every value of the widget in its order, in SI or as ids."""
        if self.kind == "text":
            return []
        if self.options is not None:
            return list(self.choices(before))
        if self.positions:
            return [
                position if self.whole else tidy(position * self.unit)
                for position in self.positions
            ]
        low, high = self.bounds(before)
        return list(_grid(low, high, self.step, self.unit, self.whole and self.unit == 1))

    def nearest(self, value: float, before: Mapping[str, Any]) -> float:
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
        position = tidy(low / self.unit + min(steps, last) * self.step)
        if self.whole:
            return int(position)
        return position

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

    def limits(self, before: Mapping[str, Any]) -> tuple[float, float]:
        """Return the range in the widget's unit."""
        low, high = self.bounds(before)
        return self.in_widget(low), self.in_widget(high)

    def default(self, value: Any, before: Mapping[str, Any]) -> Any:
        """Return the widget's default: the allowed value nearest to the declared one, `value` [SI]
        or an id.
        """
        return self.fit(
            self.in_widget(value),
            before,
            next(iter(self.choices(before))) if self.options else None,
        )

    def fit(self, value: Any, before: Mapping[str, Any], default: Any) -> Any:
        """Return the valid widget position nearest to any session value, or the default."""
        if self.options is not None:
            if self.offers(value, before):
                return value
            return default
        if not is_number(value):
            return default
        if self.positions:
            if value in self.positions:
                return value
            return nearest(self.positions, value)
        low, high = self.limits(before)
        return self._number(min(max(value, low), high))

    def from_query(self, raw: str, before: Mapping[str, Any]) -> Any:
        """Return the widget position requested by the query string; None if there is none."""
        if self.options is not None:
            written = {
                text: option
                for option, words in self.choices(before).items()
                for text in (words, as_in_query(option))
            }
            return written.get(raw, written.get(raw.lower()))
        number = finite(raw)
        if number is None or self.positions:
            return next((position for position in self.positions if position == number), None)
        low, high = self.limits(before)
        if low <= number <= high:
            return self._number(number)
        return None

    def expected(self, before: Mapping[str, Any]) -> str:
        """Describe the valid values for the query string."""
        if self.options is not None:
            return "one of " + ", ".join(map(as_in_query, self.choices(before)))
        if not self.positions:
            low, high = self.limits(before)
        else:
            low = self.positions[0]
            high = self.positions[-1]
        if self.positions:
            digits = 6
            range = "one of"
        else:
            digits = 9
            range = "a number from"
        return f"{range} {f.significant(low, digits)} to {f.significant(high, digits)}"

    def _number(self, value: float) -> float:
        if self.whole:
            return int(value)
        return float(value)

    def words(self, value: Any, before: Mapping[str, Any] | None = None) -> str:
        """Write a value as the widget shows it."""
        if self.options is not None:
            return self.choices(before or {}).get(value, str(value))
        if isinstance(self.spoken, str):
            return f.count(tidy(value / self.unit), self.spoken)
        if self.spoken:
            return self.spoken(value)
        return f"{tidy(value / self.unit):,.10g}"


def _bound(bound: Bound, before: Mapping[str, Any]) -> float | None:
    if isinstance(bound, str):
        return before.get(bound)
    if callable(bound):
        return bound(before)
    return bound


@lru_cache(maxsize=256)
def _grid(low: float, high: float, step: float, unit: float, whole: bool) -> tuple[float, ...]:
    """List the positions of a slider [SI]; a search asks for them again and again."""
    last = math.floor((high - low) / unit / step + 1e-9)
    values = (tidy(low + number * step * unit) for number in range(last + 1))
    if whole:
        return tuple(int(value) for value in values)
    return tuple(values)


def tidy(value: float) -> float:
    """Undo the last bit of rounding of a unit conversion: 0.95 / 0.01 is 95, not
    94.99999999999999.
    """
    return float(f"{value:.12g}")


def nearest(values: Sequence[float], wanted: float) -> float:
    """Return the value nearest to `wanted`: by ratio if both are positive, otherwise by
    difference.
    """
    return min(
        values, key=lambda v: abs(math.log(v / wanted)) if v > 0 and wanted > 0 else abs(v - wanted)
    )


def finite(raw: str) -> float | None:
    """Parse a number from a text; None if the text is no finite number."""
    try:
        number = float(raw)
    except ValueError:
        return None
    if math.isfinite(number):
        return number
    return None


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number, small enough for unit conversion."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def as_in_query(value: Any) -> str:
    """Write a value as Streamlit does in the query string; texts are unchanged."""
    if isinstance(value, str | bool):
        if isinstance(value, bool):
            return str(value).lower()
        return value
    return f"{value:.12g}"
