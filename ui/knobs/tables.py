"""Key tables of docs/driving-pages.md, generated from the settings' declarations."""

from collections.abc import Mapping, Sequence

from ui.base.lesson import Lesson
from ui.knobs.declared import default_of, knobs_of
from ui.knobs.knob import Knob, Values, tidy

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
    defaults: dict = {name: default_of(lesson.settings, name) for name in declared}
    rows = []
    for name, knob in declared.items():
        text = "; ".join(filter(None, (knob.label, _values(knob, defaults))))
        rows.append((name, KINDS[knob.kind], text))
    rows.append(("view", "segmented control", _ids(lesson.views)))
    for name, view in lesson.parts.items():
        rows.append((f"part_{name}", "button", f"opens “{view.title}”"))
    for name, preset in lesson.presets.items():
        text = preset.words
        if preset.view:
            text += f"; opens “{preset.view}”"
        rows.append((f"preset_{name}", "button", text))
    if lesson.transfer:
        banks = ", ".join(f'"{transfer.id}"' for transfer in lesson.transfer)
        text = f'"a" to "d", after the reflection; asks one of {banks}'
        rows.append(("transfer", "radio", text))
    lines = [f"| `{lesson.id}_{name}` | {kind} | {text} |" for name, kind, text in rows]
    return "\n".join([HEAD, *lines])


def written(document: str, lessons: Sequence[Lesson]) -> str:
    """Return the document with every lesson's table regenerated between its markers."""
    for lesson in lessons:
        begin = f"<!-- keys of {lesson.id} -->"
        end = f"<!-- end of {lesson.id} -->"
        before, has_begin, remainder = document.partition(begin)
        _, has_end, after = remainder.partition(end)
        if not has_begin or not has_end:
            lines = f"the lines {begin} and {end} where the table of {lesson.page} goes"
            raise ValueError(f"the document needs {lines}")
        document = f"{before}{begin}\n{table(lesson)}\n{end}{after}"
    return document


def _values(knob: Knob, before: Values) -> str:
    """Describe the values of a knob at the defaults of the other knobs."""
    if knob.kind in ("toggle", "text"):
        return ""
    if knob.options is not None:
        return _ids(knob.choices(before))
    if knob.positions:
        return ", ".join(map(_plain, knob.positions))
    low, high = (_plain(bound / knob.unit) for bound in knob.bounds(before))
    text = f"{low} to {high} in steps of {_plain(knob.step)}"
    if knob.hangs:
        text += "; another knob moves the bounds"
    return text


def _ids(options: Mapping[str, str]) -> str:
    """Write {id: label} as one list."""
    return ", ".join(f'"{name}" ({words})' for name, words in options.items())


def _plain(number: float) -> str:
    """Write a number without an exponent or a rounding error."""
    return f"{tidy(number):,.10g}"
