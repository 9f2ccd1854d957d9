"""Checks of a chart for mistakes that would silently drop a curve or a setting."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ui.base.lesson.figure import Figure
from ui.base.words import LessonError

#: The filter of a layer by kind of row, as `ui.charts.layers.only` writes it.
KIND = re.compile(r"datum\.kind === '([^']*)'")
#: Kinds of rows that a chart may have only for its data table or its labels.
UNSEEN = frozenset(("label", "point"))


def check_figure(figure: Figure, settings: Any) -> None:
    """Raise an error for rows that no layer draws, or for a handle of an unknown setting."""
    handles = [level.knob for level in figure.levels]
    if figure.grab is not None:
        handles.append(figure.grab.knob)
    for name in handles:
        if not hasattr(settings, name):
            raise LessonError(f"chart {figure.name}: it moves {name}, which is no setting")
    if "kind" in figure.rows.column_names:
        kinds = set(figure.rows["kind"].unique().to_pylist()) - {None}
        for kind in sorted(undrawn(figure.spec, kinds) - UNSEEN):
            raise LessonError(f"chart {figure.name}: no layer draws rows of kind {kind}")


def undrawn(spec: Mapping, kinds: Collection[str]) -> set[str]:
    """Return the kinds of rows that no layer of a specification draws.

    A layer without a filter of kinds draws all of them.
    """
    remaining = set(kinds)
    for layer in _leaves(spec):
        by_step = [KIND.findall(str(step.get("filter"))) for step in layer.get("transform", ())]
        filters = [names for names in by_step if names]
        if not filters:
            return set()
        remaining -= set.intersection(*map(set, filters))
    return remaining


def _leaves(spec: Mapping) -> Iterator[Mapping]:
    """Yield the layers of a specification that draw, also those inside layers and facets."""
    if "spec" in spec:
        yield from _leaves(spec["spec"])
    elif "layer" in spec:
        for layer in spec["layer"]:
            yield from _leaves(layer)
    else:
        yield spec
