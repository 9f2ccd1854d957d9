"""Key tables of docs/driving-pages.md, generated from the settings' declarations."""

from collections.abc import Mapping, Sequence
from typing import Any

from ui.base.lesson import Lesson
from ui.knobs.declared import default_of, knobs_of
from ui.knobs.knob import Knob, tidy

KINDS = {
    "slider": "slider",
    "number": "number input",
    "steps": "select slider",
    "choice": "select box",
    "segmented": "segmented control",
    "toggle": "toggle",
    "text": "text in the query string",
}
HEAD = "| key | kind | label; values in the label's unit |\n|---|---|---|"


def table(lesson: Lesson) -> str:
    """Write the table of one lesson: its settings, its further charts, and its presets."""
    declared = knobs_of(lesson.settings)
    before: dict[str, Any] = {name: default_of(lesson.settings, name) for name in declared}
    rows = [
        (
            f"`{lesson.id}_{name}`",
            KINDS[knob.kind],
            "; ".join(filter(None, (knob.label, _values(knob, before)))),
        )
        for name, knob in declared.items()
    ]
    rows.append((f"`{lesson.id}_view`", "segmented control", _ids(lesson.views)))
    rows += [
        (f"`{lesson.id}_part_{name}`", "button", f"opens “{view.title}”")
        for name, view in lesson.parts.items()
    ]
    rows += [
        (
            f"`{lesson.id}_preset_{name}`",
            "button",
            preset.words + (f"; opens “{preset.view}”" if preset.view else ""),
        )
        for name, preset in lesson.presets.items()
    ]
    if lesson.transfer:
        banks = ", ".join(f'"{transfer.id}"' for transfer in lesson.transfer)
        rows.append(
            (
                f"`{lesson.id}_transfer`",
                "radio",
                f'"a" to "d", after the reflection; asks one of {banks}',
            )
        )
    return "\n".join([HEAD, *(f"| {' | '.join(row)} |" for row in rows)])


def written(document: str, lessons: Sequence[Lesson]) -> str:
    """Return the document with every lesson's table regenerated between its markers."""
    for lesson in lessons:
        begin = f"<!-- keys of {lesson.id} -->"
        end = f"<!-- end of {lesson.id} -->"
        before, begun, rest = document.partition(begin)
        _, ended, after = rest.partition(end)
        if not begun or not ended:
            raise ValueError(
                f"the document needs the lines {begin} and {end} where the table of {lesson.page} "
                "goes"
            )
        document = f"{before}{begin}\n{table(lesson)}\n{end}{after}"
    return document


def _values(knob: Knob, before: Mapping[str, Any]) -> str:
    """Say which values a knob takes, at the defaults of the other knobs."""
    if knob.kind in ("toggle", "text"):
        return ""
    if knob.options is not None:
        return _ids(knob.choices(before))
    if knob.positions:
        return ", ".join(_plain(position) for position in knob.positions)
    low, high = (_plain(bound / knob.unit) for bound in knob.bounds(before))
    if knob.hangs:
        moved = "; another knob moves the bounds"
    else:
        moved = ""
    return f"{low} to {high} in steps of {_plain(knob.step)}{moved}"


def _ids(options: Mapping[str, str]) -> str:
    return ", ".join(f'"{name}" ({words})' for name, words in options.items())


def _plain(number: float) -> str:
    return f"{tidy(number):,.10g}"
