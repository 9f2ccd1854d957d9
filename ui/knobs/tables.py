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
    before: dict = {name: default_of(lesson.settings, name) for name in declared}
    rows = [HEAD]

    def add(name: str, kind: str, text: str) -> None:
        rows.append(f"| `{lesson.id}_{name}` | {kind} | {text} |")

    for name, knob in declared.items():
        add(name, KINDS[knob.kind], "; ".join(filter(None, (knob.label, _values(knob, before)))))
    add("view", "segmented control", _ids(lesson.views))
    for name, view in lesson.parts.items():
        add(f"part_{name}", "button", f"opens “{view.title}”")
    for name, preset in lesson.presets.items():
        opens = f"; opens “{preset.view}”" if preset.view else ""
        add(f"preset_{name}", "button", preset.words + opens)
    if lesson.transfer:
        banks = ", ".join(f'"{transfer.id}"' for transfer in lesson.transfer)
        add("transfer", "radio", f'"a" to "d", after the reflection; asks one of {banks}')
    return "\n".join(rows)


def written(document: str, lessons: Sequence[Lesson]) -> str:
    """Return the document with every lesson's table regenerated between its markers."""
    for lesson in lessons:
        begin = f"<!-- keys of {lesson.id} -->"
        end = f"<!-- end of {lesson.id} -->"
        before, begun, remainder = document.partition(begin)
        _, ended, after = remainder.partition(end)
        if not begun or not ended:
            lines = f"the lines {begin} and {end} where the table of {lesson.page} goes"
            raise ValueError(f"the document needs {lines}")
        document = f"{before}{begin}\n{table(lesson)}\n{end}{after}"
    return document


def _values(knob: Knob, before: Values) -> str:
    """Say which values a knob takes, at the defaults of the other knobs."""
    if knob.kind in ("toggle", "text"):
        return ""
    if knob.options is not None:
        return _ids(knob.choices(before))
    if knob.positions:
        return ", ".join(map(_plain, knob.positions))
    low, high = (_plain(bound / knob.unit) for bound in knob.bounds(before))
    moved = "; another knob moves the bounds" if knob.hangs else ""
    return f"{low} to {high} in steps of {_plain(knob.step)}{moved}"


def _ids(options: Mapping[str, str]) -> str:
    return ", ".join(f'"{name}" ({words})' for name, words in options.items())


def _plain(number: float) -> str:
    return f"{tidy(number):,.10g}"
