"""The smallest change of one knob that fixes it, found by trying the knobs that a lesson declares."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from ui.knobs.declared import knobs_of

Settings = TypeVar("Settings")
#: Values of one knob that are looked at before the search narrows down.
COARSE = 64


@dataclass(frozen=True)
class Change:
    """One knob moved to another value."""

    name: str  #: the quantity
    value: Any  #: SI value or option id
    words: str  #: such as "buy 256 GPUs" or "Packing → 16"
    moved: float  #: how far, as a share of the knob's positions; a choice or switch counts as one whole move [1]


def remedies(
    settings: Settings, meets: Callable[[Settings], bool], names: Iterable[str] | None = None, coarse: int = COARSE
) -> list[Change]:
    """List for each knob the smallest change that alone meets the aim, the nearest first.

    Both directions are tried. Of a long range `coarse` values are looked at and the gap in which the aim is first met
    is halved, so a knob that meets it only between two of those is not found: the words for a result are "found", not
    "exists". They are few where one takes long, and 1 where an aim that is met stays met further along. A ValueError of
    `meets` counts as no. `names` are the knobs to try, all by default.
    """
    declared = knobs_of(type(settings))
    found = [change for name in (names or declared) if (change := _smallest(settings, meets, name, coarse))]
    return sorted(found, key=lambda change: change.moved)


def told(
    say: Callable[..., str],
    settings: Any,
    meets: Callable[[Any], bool],
    names: Iterable[str],
    coarse: int = COARSE,
    **numbers: str,
) -> str:
    """Return the lesson's sentence "remedies" with these changes, "no_remedy" without any, "" where none is needed."""
    if meets(settings):
        return ""
    found = remedies(settings, meets, names, coarse)
    return say("remedies", settings, found=listed(found), **numbers) if found else say("no_remedy", settings, **numbers)


def listed(changes: Sequence[Change]) -> str:
    """Write changes as one clause: "buy 256 GPUs; or run jobs of 8 GPUs"."""
    return "; or ".join(change.words for change in changes)


def worded(settings: Any, name: str, value: Any) -> str:
    """Write a change of one knob: "buy 256 GPUs"."""
    declared = knobs_of(type(settings))[name]
    written = declared.words(value, {one: getattr(settings, one) for one in knobs_of(type(settings))})
    return declared.change.format(written) if declared.change else f"{declared.label} → {written}"


def moved(settings: Any, name: str, value: Any) -> float:
    """Return how far a change of one knob goes, as a share of its positions; one for a choice or a switch [1]."""
    if isinstance(value, str | bool):
        return 1.0
    now, values = getattr(settings, name), _values(settings, name)
    # A value may differ from its position by the rounding of the widget's unit.
    low, high = (end * (1 + 1e-9) for end in (min(now, value), max(now, value)))
    return sum(low < one <= high for one in values) / len(values)


def _smallest(settings: Settings, meets: Callable[[Settings], bool], name: str, coarse: int) -> Change | None:
    values = _values(settings, name)
    now = getattr(settings, name)
    if any(isinstance(value, str | bool) for value in values):
        for value in values:
            if value != now and _holds(settings, meets, name, value):
                return _change(settings, name, value)
        return None
    above = [value for value in values if value > now]
    below = [value for value in reversed(values) if value < now]
    nearest = [found for side in (above, below) if (found := _first(settings, meets, name, side, coarse)) is not None]
    return min((_change(settings, name, value) for value in nearest), key=lambda one: one.moved, default=None)


def _first(
    settings: Settings, meets: Callable[[Settings], bool], name: str, side: Sequence[Any], coarse: int
) -> Any | None:
    """Return the first value on one side that meets the aim: looked at coarsely, then by halving."""
    if not side:
        return None
    stride = max(1, len(side) // coarse)
    looked = sorted({*range(0, len(side), stride), len(side) - 1})
    before = -1
    for at in looked:
        if _holds(settings, meets, name, side[at]):
            holds = partial(_holds, settings, meets, name)
            return side[bisect_left(side, True, before + 1, at, key=holds)]
        before = at
    return None


def _holds(settings: Settings, meets: Callable[[Settings], bool], name: str, value: Any) -> bool:
    try:
        return meets(replace(settings, **{name: value}))
    except ValueError:
        return False


def _values(settings: Settings, name: str) -> list[Any]:
    names = list(knobs_of(type(settings)))
    before = {one: getattr(settings, one) for one in names[: names.index(name)]}
    return knobs_of(type(settings))[name].values(before)


def _change(settings: Settings, name: str, value: Any) -> Change:
    return Change(name, value, worded(settings, name, value), moved(settings, name, value))
