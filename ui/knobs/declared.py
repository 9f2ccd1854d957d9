"""Declare settings: a frozen dataclass per lesson whose fields carry their knobs. No Streamlit
here.

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
from ui.base.words import KnobWords, LessonError, in_use
from ui.knobs.knob import Bound, Knob, nearest, tidy

Settings = TypeVar("Settings")


def knob(
    constant: Constant,
    *,
    step: float | None = None,
    unit: float = 1.0,
    positions: Sequence[float] = (),
    typed: bool = False,
    low: Bound = None,
    high: Bound = None,
    format: str | None = None,
    spoken: Callable[[float], str] | str | None = None,
    pushed: bool = False,
) -> Any:
    """Declare a number: a slider, a number field (`typed`), or a slider over given `positions`.

    Default, range and step are the constant's, SI. Label, help and `change` stand in the lesson's
    words.toml under `[knobs.<quantity>]`. `step` and `positions` are in the widget's unit, whose SI
    value is `unit`; a whole step makes whole numbers. `low` and `high` [SI] are bounds other than
    the constant's: a number, the name of a knob declared before, or a function of those. The rest
    is as in `Knob`.
    """
    if step is None:
        if constant.step:
            step = tidy(constant.step / unit)
        else:
            step = 1
    if positions:
        kind = "steps"
    elif typed:
        kind = "number"
    else:
        kind = "slider"
    declared = Knob(
        kind,
        constant,
        float(unit),
        step,
        tuple(positions),
        None,
        low,
        high,
        format,
        spoken,
        pushed=pushed,
    )
    whole = declared.whole and unit == 1
    default = float(constant)
    if whole:
        default = int(constant)
    if positions:
        at = nearest(positions, constant / unit)
        if whole:
            default = int(at)
        else:
            default = tidy(at * unit)
    return dataclasses.field(default=default, metadata={"knob": declared})


def choice(
    options: Sequence[str] | Mapping[str, str] | Callable[[Mapping[str, Any]], Mapping[str, str]],
    *,
    default: str | None = None,
    segmented: bool = False,
    pushed: bool = False,
) -> Any:
    """Declare a choice among {id: label}; the first is the default unless another one is named.

    Given ids alone, the words are those of `[knobs.<quantity>.options]` in the lesson's words.toml.
    """
    if not callable(options) and not isinstance(options, Mapping):
        options = dict.fromkeys(options, "")
    if default is None:
        if callable(options):
            offered: Mapping[str, str] = options({})
        else:
            offered = options
        default = next(iter(offered))
    kind = "choice"
    if segmented:
        kind = "segmented"
    declared = Knob(kind, options=options, pushed=pushed)
    return dataclasses.field(default=default, metadata={"knob": declared})


def toggle(default: bool = False) -> Any:
    """Declare a switch."""
    return dataclasses.field(
        default=default, metadata={"knob": Knob("toggle", options={False: "off", True: "on"})}
    )


def text(
    default: Any,
    *,
    parse: Callable[[str], Any],
    write: Callable[[Any], str],
    spoken: Callable[[Any], str] | None = None,
) -> Any:
    """Declare a value edited by a widget of the page's own, such as a table, stored as text; "" is
    the default.

    The settings hold what `parse` makes of the text; address, session state, ledger and reports
    hold what `write` makes of that. `spoken` writes it for a reader.
    """
    return dataclasses.field(
        default=default,
        metadata={"knob": Knob("text", spoken=spoken or write, parse=parse, write=write)},
    )


def knobs_of(settings: type[Any]) -> dict[str, Knob]:
    """Return the settings of a settings class in the order of their fields, by quantity.

    Labels, helps and the words of changes are those of its lesson's words.toml; a class that names
    no `page` has none.
    """
    kind: type = settings
    if hasattr(settings, "page"):
        return _knobs_of(kind, id(in_use(settings.page)))
    return _knobs_of(kind, 0)


@lru_cache(maxsize=64)
def _knobs_of(settings: type[Any], words: int) -> dict[str, Knob]:
    fields = {field.name: field.metadata.get("knob") for field in dataclasses.fields(settings)}
    declared = {
        name: knob_declared for name, knob_declared in fields.items() if knob_declared is not None
    }
    if words:
        texts = in_use(settings.page).knobs
    else:
        texts = {}
    strangers = [name for name in texts if name not in declared]
    if strangers:
        raise LessonError(
            f"{settings.page}/words.toml: table [knobs.{strangers[0]}]: there is no such setting"
        )
    worded = {
        name: _worded(settings, name, knob_declared, texts.get(name, KnobWords()))
        for name, knob_declared in declared.items()
    }
    nameless = [name for name, knob_declared in worded.items() if words and not knob_declared.label]
    if nameless:
        raise LessonError(
            f"{settings.page}/words.toml: table [knobs.{nameless[0]}], key label: is missing"
        )
    return worded


def _worded(settings: type[Any], name: str, declared: Knob, texts: KnobWords) -> Knob:
    """Return a knob with the words of its table, and those of its options in their declared
    order.
    """
    words: dict[str, Any] = {key: text for key, text in vars(texts).items() if text}
    if texts.options:
        if not isinstance(declared.options, Mapping) or set(declared.options) != set(texts.options):
            raise LessonError(
                f"{settings.page}/words.toml: table [knobs.{name}.options]: needs each option's id "
                "once"
            )
        words["options"] = {option: texts.options[option] for option in declared.options}
    return dataclasses.replace(declared, **words)


def default_of(settings: type[Any], name: str) -> Any:
    """Return the default of one setting, in SI or as an id."""
    return settings.__dataclass_fields__[name].default


def quantities(settings: Any) -> dict[str, Any]:
    """Return {quantity: SI value or id} of all settings, as saved in a record."""
    values_by_name = {
        name: (declared, getattr(settings, name))
        for name, declared in knobs_of(type(settings)).items()
    }
    return {
        name: declared.write(value) if declared.kind == "text" else value
        for name, (declared, value) in values_by_name.items()
    }


def moved(settings: Any, free: Collection[str]) -> list[str]:
    """List the labels of settings that differ from their defaults, except those in `free`."""
    kind = type(settings)
    by_name = {name: declared for name, declared in knobs_of(kind).items() if name not in free}
    return [
        declared.label
        for name, declared in by_name.items()
        if getattr(settings, name) != default_of(kind, name)
    ]


def read(
    settings: type[Settings], quantities: Mapping[str, Any]
) -> tuple[Settings, tuple[str, ...]]:
    """Read settings from SI values by quantity; return them and the missing names, which get their
    defaults.

    Numbers are clamped to their knobs' ranges, those that depend on other knobs included; a number
    that differs from a bound by rounding only is left as it is. Quantities that are no knobs are
    left alone: fields without a knob take them as they are. A ValueError says in one sentence which
    number is none, or which option the page does not offer.
    """
    values: dict[str, Any] = {}
    missing = []
    for name, declared in knobs_of(settings).items():
        default = default_of(settings, name)
        if name not in quantities:
            missing.append(name)
        value = quantities.get(name, default)
        if declared.options is not None:
            offered = declared.offers(value, values)
            if not offered and name in quantities:
                raise ValueError(
                    f"{name} must be {declared.expected(values)}, got {str(value)[:40]!r}"
                )
            if offered:
                values[name] = value
            else:
                values[name] = next(iter(declared.choices(values)))
        elif declared.kind == "text":
            try:
                if name in quantities:
                    values[name] = declared.parse(str(value))
                else:
                    values[name] = default
            except ValueError as refusal:
                raise ValueError(f"{name} cannot be read: {refusal}") from None
        else:
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not abs(value) < math.inf
            ):
                raise ValueError(f"{name} must be a number, got {str(value)[:40]!r}")
            if isinstance(default, int) and value != round(value):
                raise ValueError(f"{name} must be a whole number, got {value!r}")
            low, high = declared.bounds(values)
            inside = min(max(value, low), high)
            if not (math.isclose(inside, value, rel_tol=1e-9)):
                value = inside
            values[name] = type(default)(round(value) if isinstance(default, int) else value)
    further = {
        field.name: quantities[field.name]
        for field in dataclasses.fields(settings)  # type: ignore[arg-type]
        if field.init and "knob" not in field.metadata and field.name in quantities
    }
    return settings(**values, **further), tuple(missing)
