"""Declare settings: a frozen dataclass per lesson whose fields carry their knobs.

No Streamlit here.

>>> from dataclasses import dataclass
>>> from physics import constants as k
>>> @dataclass(frozen=True)
... class Fleet:
...     fleet: int = knob(k.TRAP_FLEET)
...     gpus_per_job: int = knob(k.TRAP_GPUS_PER_JOB, high="fleet")
...     job_length: float = knob(k.TRAP_JOB_LENGTH, unit=k.HOUR)
>>> Fleet()
Fleet(fleet=1024, gpus_per_job=256, job_length=3600.0)
>>> read(Fleet, {"fleet": 512, "gpus_per_job": 4096})
(Fleet(fleet=512, gpus_per_job=512, job_length=3600.0), ('job_length',))

A field's name is the quantity, and `<lesson>_<quantity>` the key of its widget. Values are SI or
option ids. The sidebar, reading settings back from a ledger or a report, clamping, the search for
the smallest change and the key tables of the docs all come from here.
"""

import dataclasses
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from physics.constants import Constant
from ui.base.words import KnobWords, LessonError, Values, in_use
from ui.knobs.knob import Knob, nearest, tidy

Settings = TypeVar("Settings")


def knob(
    constant: Constant,
    *,
    step: float | None = None,
    unit: float = 1.0,
    positions: Sequence[float] = (),
    typed: bool = False,
    **options: Any,
) -> Any:
    """Declare a number: a slider, a number field (`typed`), or a slider over given `positions`.

    Default, range, step, and positions are the constant's, in SI. Label, help and `change` are in
    the lesson's words.toml under `[knobs.<quantity>]`. The arguments `step` and `positions` are in
    the widget's unit, whose SI value is `unit`; a whole step makes whole numbers. The `options` are
    `low`, `high`, `format`, `spoken` and `pushed` of `Knob`. `low` and `high` [SI] replace the
    constant's bounds: each is a number, the name of a knob declared before, or a function of the
    values of these knobs.
    """
    if step is None:
        step = tidy(constant.step / unit) if constant.step else 1
    if not positions:
        positions = constant.positions
        if unit != 1:
            positions = [tidy(position / unit) for position in positions]
    kind = "slider"
    if positions:
        kind = "steps"
    elif typed:
        kind = "number"
    declared = Knob(kind, constant, float(unit), step, tuple(positions), **options)
    default = float(constant)
    if positions:
        default = tidy(nearest(positions, constant / unit) * unit)
    if declared.whole and unit == 1:
        default = int(default)
    return _field(default, declared)


def choice(
    options: Sequence[str] | Mapping[str, str] | Callable[[Values], Mapping[str, str]],
    *,
    default: str | None = None,
    segmented: bool = False,
    pushed: bool = False,
) -> Any:
    """Declare a choice among {id: label}; the first is the default unless `default` names another.

    For ids without labels, the labels are in `[knobs.<quantity>.options]` of words.toml.
    """
    if not callable(options) and not isinstance(options, Mapping):
        options = dict.fromkeys(options, "")
    kind = "segmented" if segmented else "choice"
    declared = Knob(kind, options=options, pushed=pushed)
    if default is None:
        default = next(iter(declared.choices({})))
    return _field(default, declared)


def toggle(default: bool = False) -> Any:
    """Declare a switch."""
    return _field(default, Knob("toggle", options={False: "off", True: "on"}))


def text(
    default: Any,
    *,
    parse: Callable[[str], Any],
    write: Callable[[Any], str],
    spoken: Callable[[Any], str] | None = None,
) -> Any:
    """Declare a value that is stored as text and edited by the page's own widget, such as a table.

    The settings contain the value that `parse` returns; the query string, session state, ledger and
    reports contain the text that `write` returns. The text "" means the default. `spoken` writes
    the value for a reader.
    """
    return _field(default, Knob("text", spoken=spoken or write, parse=parse, write=write))


def _field(default: Any, declared: Knob) -> Any:
    """Return a field of the settings with its knob."""
    return dataclasses.field(default=default, metadata={"knob": declared})


def knobs_of(settings: type[Any]) -> dict[str, Knob]:
    """Return a settings class's knobs in field order, keyed by quantity.

    Their texts are those of the lesson's words.toml; without an attribute `page`, a class has none.
    """
    kind: type = settings
    words = id(in_use(settings.page)) if hasattr(settings, "page") else 0
    return _knobs_of(kind, words)


@lru_cache(maxsize=64)
def _knobs_of(settings: type[Any], words: int) -> dict[str, Knob]:
    """Return the knobs with the texts in use, whose identity is `words`; 0 if there are none."""
    declared: dict[str, Knob] = {
        field.name: field.metadata["knob"]
        for field in dataclasses.fields(settings)
        if "knob" in field.metadata
    }
    if not words:
        return declared
    texts = in_use(settings.page).knobs
    table = f"{settings.page}/words.toml: table [knobs."
    for name in texts:
        if name not in declared:
            raise LessonError(f"{table}{name}]: there is no such setting")
    for name, knob_declared in declared.items():
        worded = _worded(knob_declared, texts.get(name, KnobWords()), f"{table}{name}")
        if not worded.label:
            raise LessonError(f"{table}{name}], key label: is missing")
        declared[name] = worded
    return declared


def _worded(declared: Knob, texts: KnobWords, table: str) -> Knob:
    """Return a knob with the texts of its `table`; its options keep their declared order."""
    words: dict = {key: text for key, text in vars(texts).items() if text}
    if texts.options:
        if not isinstance(declared.options, Mapping) or set(declared.options) != set(texts.options):
            raise LessonError(f"{table}.options]: needs each option's id once")
        words["options"] = {option: texts.options[option] for option in declared.options}
    return dataclasses.replace(declared, **words)


def default_of(settings: type[Any], name: str) -> Any:
    """Return the default of one setting, in SI or as an id."""
    return settings.__dataclass_fields__[name].default


def quantities(settings: Any) -> dict[str, Any]:
    """Return {quantity: SI value or id} of all settings, as saved in a record."""
    values = {}
    for name, declared in knobs_of(type(settings)).items():
        value = getattr(settings, name)
        values[name] = declared.write(value) if declared.kind == "text" else value
    return values


def moved(settings: Any, free: Collection[str] = (), fixed: Collection[str] = ()) -> str:
    """List labels of changed settings (in `fixed` if given, else all but `free`); "" if none."""
    kind = type(settings)
    labels = []
    for name, declared in knobs_of(kind).items():
        concerns = name in fixed if fixed else name not in free
        if concerns and getattr(settings, name) != default_of(kind, name):
            labels.append(declared.label)
    return ", ".join(labels)


def read(settings: type[Settings], quantities: Values) -> tuple[Settings, tuple[str, ...]]:
    """Read settings from SI values by quantity.

    Return them and the missing names, which get their defaults.

    Numbers are clamped to their knobs' ranges, which may depend on other knobs; a number that
    differs from a bound only by rounding stays as it is. Values of fields without a knob are not
    checked. A ValueError says in one sentence which value is no number, or no option of the page.
    """
    values: dict = {}
    for name, declared in knobs_of(settings).items():
        default = default_of(settings, name)
        value = quantities.get(name, default)
        if declared.options is not None:
            if not declared.offers(value, values):
                if name in quantities:
                    expected = declared.expected(values)
                    raise ValueError(f"{name} must be {expected}, got {str(value)[:40]!r}")
                value = next(iter(declared.choices(values)))
        elif declared.kind != "text":
            value = _clamped(name, value, declared, isinstance(default, int), values)
        elif name in quantities:
            try:
                value = declared.parse(str(value))
            except ValueError as refusal:
                raise ValueError(f"{name} cannot be read: {refusal}") from None
        values[name] = value
    missing = tuple(name for name in values if name not in quantities)
    for field in dataclasses.fields(settings):  # type: ignore[arg-type]
        if field.init and field.name in quantities:
            values.setdefault(field.name, quantities[field.name])
    return settings(**values), missing


def _clamped(name: str, value: Any, declared: Knob, whole: bool, values: Values) -> float:
    """Return a number [SI] within bounds that depend on the settings before it."""
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_real or not abs(value) < math.inf:
        raise ValueError(f"{name} must be a number, got {str(value)[:40]!r}")
    if whole and value != round(value):
        raise ValueError(f"{name} must be a whole number, got {value!r}")
    low, high = declared.bounds(values)
    inside = min(max(value, low), high)
    if not math.isclose(inside, value, rel_tol=1e-9):
        value = inside
    return round(value) if whole else float(value)
