"""Reject unknown quantities in a lesson's texts, which would otherwise be ignored silently."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from ui.base.lesson.figure import Preset
from ui.base.lesson.view import View
from ui.base.words import LessonError, Words


def check_quantities(
    words: Words, settings: type, presets: Mapping[str, Preset], views: Sequence[View]
) -> None:
    """Raise an error if presets, views, tests, or the tour name a setting that the lesson lacks."""
    named: dict[str, Iterable[str]] = {}  # by the text for the error message
    for name, preset in presets.items():
        named[f"the preset {name}"] = preset.changes
    for view in views:
        opened = (*(view.fixed or ()), *(view.opens or ()))
        named[f"the view {view.id}"] = (*view.knobs, *view.also, *opened)
    for option in words.prediction.options:
        if option.test is not None:
            named[f"the test of option {option.id}"] = option.test.settings
    for number, stop in enumerate(words.tour, 1):
        named[f"step {number} of the tour"] = stop.settings
    if words.exemplar is not None:
        named["the exemplar"] = words.exemplar.settings
    fields = [field.name for field in dataclasses.fields(settings)]
    for where, names in named.items():
        for name in names:
            if name not in fields:
                near = get_close_matches(name, fields, 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise LessonError(
                    f"{words.page}: {where} names {name}, which is not a setting{hint}"
                )
