"""Reject unknown quantities in a lesson's texts, which would otherwise be ignored silently."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from ui.base.lesson.figure import Preset
from ui.base.lesson.view import View
from ui.base.words import LessonError, Words


def check_quantities(
    words: Words, settings: type[Any], presets: Mapping[str, Preset], views: Sequence[View]
) -> None:
    """Raise an error if presets, views, tests, or the tour name a setting that the lesson lacks."""
    check = partial(_check, words.page, settings)
    for name, preset in presets.items():
        check(f"the preset {name}", preset.changes)
    for view in views:
        check(f"the view {view.id}", [*view.knobs, *view.also])
        check(f"the view {view.id}", [*(view.fixed or ()), *(view.opens or ())])
    for option in words.prediction.options:
        if option.test is not None:
            check(f"the test of option {option.id}", option.test.settings)
    for number, stop in enumerate(words.tour, 1):
        check(f"step {number} of the tour", stop.settings)
    if words.exemplar is not None:
        check("the exemplar", words.exemplar.settings)


def _check(page: str, settings: type[Any], where: str, names: Iterable[str]) -> None:
    """Refuse a name that is no field of a lesson's settings."""
    field_names = [field.name for field in dataclasses.fields(settings)]
    for name in names:
        if name not in field_names:
            near = get_close_matches(name, field_names, 1)
            hint = f"; is it {near[0]}?" if near else ""
            raise LessonError(f"{page}: {where} names {name}, which is no setting{hint}")
