"""Value of a setting at a dragged position on a chart, and its text next to the pointer."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ui.base import format as f
from ui.base.lesson import Grab
from ui.knobs.declared import knobs_of

#: The unit in a knob's label, such as "Time-out (h)".
_UNIT = re.compile(r"\(([^()]+)\)$")


def value_at(grab: Grab, settings: Any, at: float) -> Any:
    """Return a setting's value at a position on the chart's axis, within the current bounds."""
    if grab.choose:
        return grab.choose(at)
    return knobs_of(type(settings))[grab.knob].nearest(at * grab.unit, vars(settings))


def words_at(grab: Grab, settings: Any, positions: Sequence[float]) -> tuple[str, ...]:
    """Return a setting's value with its unit, as text, at each position on the chart's axis."""
    kind: type = type(settings)
    declared = knobs_of(kind)[grab.knob]
    bounds = (0.0, 0.0)
    if declared.options is None and not declared.positions:
        bounds = declared.bounds(vars(settings))
    return _words_at(grab, kind, bounds, tuple(positions))


@lru_cache(maxsize=64)
def _words_at(grab: Grab, kind: type, bounds: tuple, positions: tuple) -> tuple[str, ...]:
    """Write the values for `words_at`, which depend only on the bounds [SI] of the setting."""
    declared = replace(knobs_of(kind)[grab.knob], low=bounds[0], high=bounds[1])
    unit = _UNIT.search(declared.label)
    texts = []
    for at in positions:
        if grab.choose:
            texts.append(declared.words(grab.choose(at)))
            continue
        number = declared.nearest(at * grab.unit, {})
        if callable(grab.says):
            text = grab.says(number * declared.unit / grab.unit)
        elif "{}" in grab.says:
            text = grab.says.format(f.significant(number))
        elif grab.says:
            text = f.count(number, *grab.says.split("|"))
        elif declared.spoken or not unit:
            text = declared.words(number * declared.unit)
        else:
            text = f"{f.significant(number)} {unit[1]}"
        texts.append(text)
    return tuple(texts)
