"""Search for the smallest change of one setting that fixes the lesson's problem."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from ui.knobs.declared import knobs_of

Settings = TypeVar("Settings")
#: Number of values of one knob that are tried before the search narrows down.
COARSE = 64


@dataclass(frozen=True)
class Change:
    """Change of one setting to another value."""

    name: str  #: the quantity
    value: Any  #: SI value or option id
    words: str  #: such as "buy 256 GPUs" or "Packing → 16"
    moved: float  #: share of the knob's positions that it passes [1]; 1 for a choice or a switch


def remedies(
    settings: Settings,
    meets: Callable[[Settings], bool],
    names: Iterable[str] | None = None,
    coarse: int = COARSE,
) -> list[Change]:
    """List each setting's smallest change that meets the goal by itself, smallest first.

    Both directions are tried. Of a long range, `coarse` values are tried, and the gap before the
    first that meets the goal is halved repeatedly. So a value between two others that do not meet
    the goal may be missed, and a text should write "found", not "exists". `coarse` may be small if
    `meets` takes long, and 1 if every value beyond one that meets the goal meets it, too. A
    ValueError of `meets` counts as False. `names` are the knobs to try, by default all.
    """
    names = names or knobs_of(type(settings))
    changes = (_smallest(settings, meets, name, coarse) for name in names)
    return sorted(filter(None, changes), key=attrgetter("moved"))


def fix_sentence(
    say: Callable[..., str],
    settings: Any,
    meets: Callable[[Any], bool],
    names: Iterable[str],
    coarse: int = COARSE,
    **numbers: str,
) -> str:
    """Return the sentence "remedies" with these changes, or "no_remedy"; "" if none is needed."""
    if meets(settings):
        return ""
    changes = remedies(settings, meets, names, coarse)
    if changes:
        return say("remedies", settings, found=listed(changes), **numbers)
    return say("no_remedy", settings, **numbers)


def listed(changes: Sequence[Change]) -> str:
    """Write changes as one clause: "buy 256 GPUs; or run jobs of 8 GPUs"."""
    return "; or ".join(change.words for change in changes)


def worded(settings: Any, name: str, value: Any) -> str:
    """Write a change of one setting, such as "buy 256 GPUs"."""
    declared = knobs_of(type(settings))[name]
    text = declared.words(value, vars(settings))
    if declared.change:
        return declared.change.format(text)
    return f"{declared.label} → {text}"


def _smallest(
    settings: Settings, meets: Callable[[Settings], bool], name: str, coarse: int
) -> Change | None:
    """Return the smallest change of one setting that meets the goal; None if none was found."""
    current = getattr(settings, name)
    values = knobs_of(type(settings))[name].values(vars(settings))
    holds = partial(_holds, settings, meets, name)
    moved = partial(_moved, values, current)
    if isinstance(current, str | bool):
        nearest = next(filter(holds, values), None)
    else:
        above = [option for option in values if option > current]
        below = [option for option in reversed(values) if option < current]
        ends = (_first(above, holds, coarse), _first(below, holds, coarse))
        nearest = min((end for end in ends if end is not None), key=moved, default=None)
    if nearest is None:
        return None
    return Change(name, nearest, worded(settings, name, nearest), moved(nearest))


def _holds(settings: Any, meets: Callable[[Any], bool], name: str, value: Any) -> bool:
    """Return whether a new value of one setting meets the goal."""
    try:
        return value != getattr(settings, name) and meets(replace(settings, **{name: value}))
    except ValueError:
        return False


def _moved(values: Sequence, current: Any, value: Any) -> float:
    """Return the share of a knob's values between the current value and another one [1]."""
    if isinstance(value, str | bool):
        return 1.0
    # A value may differ from its position by the rounding of the widget's unit.
    low, high = (end * (1 + 1e-9) for end in sorted((current, value)))
    return sum(low < position <= high for position in values) / len(values)


def _first(side: Sequence, holds: Callable[[Any], bool], coarse: int) -> Any | None:
    """Return the first value on one side that meets the goal, by coarse steps and then halving."""
    last_tried = -1
    last = len(side) - 1
    for index in sorted({*range(0, last, max(1, len(side) // coarse)), last} - {-1}):
        if holds(side[index]):
            return side[bisect_left(side, True, last_tried + 1, index, key=holds)]
        last_tried = index
    return None
