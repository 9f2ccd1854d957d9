"""Search for the smallest change of one setting that fixes the lesson's problem."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, TypeVar

from ui.knobs.declared import knobs_of

Settings = TypeVar("Settings")
#: Values of one knob that are looked at before the search narrows down.
COARSE = 64


@dataclass(frozen=True)
class Change:
    """Change of one setting to another value."""

    name: str  #: the quantity
    value: Any  #: SI value or option id
    words: str  #: such as "buy 256 GPUs" or "Packing → 16"
    #: how far, as a share of the knob's positions; a choice or switch counts as one whole move [1]
    moved: float


def remedies(
    settings: Settings,
    meets: Callable[[Settings], bool],
    names: Iterable[str] | None = None,
    coarse: int = COARSE,
) -> list[Change]:
    """List each setting's smallest change that meets the goal by itself, smallest first.

    Both directions are tried. Of a long range `coarse` values are looked at and the gap in which
    the aim is first met is halved, so a knob that meets it only between two of those is not found:
    the words for a result are "found", not "exists". They are few where one takes long, and 1 where
    an aim that is met stays met further along. A ValueError of `meets` counts as no. `names` are
    the knobs to try, all by default.
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
    """Return the lesson's sentence "remedies" with these changes, "no_remedy" if there are none, or
    "" if none is needed.
    """
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
    """Write a change of one setting: "buy 256 GPUs"."""
    declared = knobs_of(type(settings))[name]
    written = declared.words(value, vars(settings))
    if declared.change:
        return declared.change.format(written)
    return f"{declared.label} → {written}"


def _smallest(
    settings: Settings, meets: Callable[[Settings], bool], name: str, coarse: int
) -> Change | None:
    of_lesson: Any = settings  # a dataclass, of which only the lesson knows the fields
    current = getattr(settings, name)
    values = knobs_of(type(settings))[name].values(vars(settings))

    def holds(value: Any) -> bool:
        try:
            return value != current and meets(replace(of_lesson, **{name: value}))
        except ValueError:
            return False

    def moved(value: Any) -> float:
        if isinstance(value, str | bool):
            return 1.0
        # A value may differ from its position by the rounding of the widget's unit.
        low, high = (end * (1 + 1e-9) for end in sorted((current, value)))
        return sum(low < position <= high for position in values) / len(values)

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


def _first(side: Sequence, holds: Callable[[Any], bool], coarse: int) -> Any | None:
    """Return the first value on one side that meets the aim: looked at coarsely, then by
    halving.
    """
    last_tried = -1
    last = len(side) - 1
    for index in sorted({*range(0, last, max(1, len(side) // coarse)), last} - {-1}):
        if holds(side[index]):
            return side[bisect_left(side, True, last_tried + 1, index, key=holds)]
        last_tried = index
    return None
