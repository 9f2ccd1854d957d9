"""Checks of model arguments, and decorators that apply them or extend scalar models to arrays.

A public function says in its annotations what its arguments may be, such as `servers: Count`, and
`within_range` or `elementwise` holds it to them; what depends on several arguments is checked in
the body. A refusal is one sentence that names the quantity and the value.
"""

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from numbers import Real
from operator import le, lt
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

import numpy as np

#: More than this of anything is not simulated or laid out one by one.
MANY = 10**9

T = TypeVar("T", bound=Callable)
Check = Callable[[str, Any], Any]  #: of a name and a value: the value, or ValueError


def finite(name: str, value: Any) -> float:
    """Return `value` as a float; raise ValueError unless it is a finite real number.

    True and "1" are not numbers.
    """
    # Asking for a float first is several times faster than asking for any kind of real number.
    if not isinstance(value, float) and (isinstance(value, bool) or not isinstance(value, Real)):
        if getattr(value, "ndim", 0) > 0:
            raise ValueError(
                f"{name} must be one number, got an array: call the model once for each of its "
                "elements"
            )
        raise ValueError(f"{name} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be a finite number, got an integer beyond 1.8e308") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {value}")
    return number


def _number(name: str, value: float, must: str, holds: Callable[[float], bool]) -> float:
    """Return `value` as a float; raise ValueError unless it is finite and meets a condition."""
    number = finite(name, value)
    if not holds(number):
        raise ValueError(f"{name} must {must}, got {value}")
    return number


def number_that(must: str, holds: Callable[[float], bool]) -> Check:
    """Return a check that a number is finite and meets a condition.

    `must` ends the error text "… must …".
    """
    return partial(_number, must=must, holds=holds)


positive = number_that("be positive", partial(lt, 0))
non_negative = number_that("not be negative", partial(le, 0))
fraction = number_that("be between 0 and 1", lambda number: 0 <= number <= 1)


def positive_or_infinite(name: str, value: float) -> float:
    """Return `value` as a float; raise ValueError unless it is above zero (infinity is allowed)."""
    if isinstance(value, float) and value == math.inf:
        return math.inf
    return positive(name, value)


def several(name: str, values: Iterable) -> list:
    """Return `values` as a list; raise ValueError for a string or anything not iterable."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a list, got {values!r}")
    return list(values)


def count(name: str, value: float, least: int = 1, most: int | None = None) -> int:
    """Return `value` as an int; raise ValueError unless it is a whole number in a range.

    4.0 is a whole number.
    """
    number = finite(name, value)
    if number != int(number):
        raise ValueError(f"{name} must be a whole number, got {value}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {most:,}, got {number:g}")
    return int(value)


def numbers(
    name: str, values: Iterable[float] | float, most: float = sys.float_info.max
) -> np.ndarray:
    """Return one or many values as an array of floats from 0 to `most`; ValueError beyond."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, got {values!r}") from None
    sound = (array >= 0) & (array <= most)
    if not sound.all():
        kinds = {math.inf: "numbers", sys.float_info.max: "finite numbers"}
        kind = kinds.get(most, f"at most {most:,}")
        raise ValueError(f"{name} must be {kind} and not negative, got {array[~sound].flat[0]:g}")
    return array


def _choice(name: str, value: str, options: tuple[str, ...]) -> str:
    """Return `value` if it is one of the options; raise ValueError otherwise."""
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(options)}, got {value!r}")
    return value


def one_of(options: Iterable[str]) -> Check:
    """Return a check that a value is one of some options."""
    return partial(_choice, options=tuple(options))


def _record(name: str, value: Any, kind: type) -> Any:
    """Return a value, or raise ValueError unless it is a record of a kind."""
    if not isinstance(value, kind):
        article = "a" + "n" * (kind.__name__[0] in "AEIOU")
        raise ValueError(f"{name} must be {article} {kind.__name__}, got {value!r}")
    return value


def _or_none(name: str, value: Any, check: Check) -> Any:
    """Return None, or any other value checked."""
    if value is None:
        return None
    return check(name, value)


def within_range(model: T) -> T:
    """Decorate a model to raise ValueError for bad arguments, overflow, and invalid results.

    NumPy's overflow and invalid operations count too, so the results in arrays are sound.
    """
    return refusing(
        model if isinstance(model, type) else np.errstate(over="raise", invalid="raise")(model)
    )


def refusing(model: T) -> T:
    """Decorate a model or dataclass so that bad arguments and overflow raise a short error.

    A result that has a check in its annotation, such as `-> Finite`, is held to it too, by the
    model's name.

    >>> @refusing
    ... def growth(rate: Positive) -> float:
    ...     return math.exp(rate)
    >>> growth(0)
    Traceback (most recent call last):
    ValueError: rate must be positive, got 0
    >>> growth(1e308)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: growth must stay within floating point, up to 1.8e308: ...
    """
    if isinstance(model, type):
        setattr(model, "__init__", refusing(vars(model)["__init__"]))  # noqa: B010
        return model
    overflows = OverflowError, ZeroDivisionError, FloatingPointError
    name = model.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    refusal = (
        f"{name} must stay within floating point, up to 1.8e308: an input is too large or too small"
    )
    hints = inspect.get_annotations(model)
    checks = []
    for position, parameter in enumerate(inspect.signature(model).parameters):
        check = _check_of(hints.get(parameter))
        if check:
            checks.append((position, parameter, check))
    result_checks = getattr(hints.get("return"), "__metadata__", None)

    @wraps(model)
    def call(*args: Any, **kwargs: Any) -> Any:
        """Check the arguments, call the model, and check what it returns."""
        values = list(args)
        try:
            for position, parameter, check in checks:
                if position < len(args):
                    values[position] = check(parameter, args[position])
                elif parameter in kwargs:
                    kwargs[parameter] = check(parameter, kwargs[parameter])
            result = model(*values, **kwargs)
        except overflows:
            raise ValueError(refusal) from None
        if result_checks:
            return result_checks[0](name, result)
        return result

    return cast(T, call)


def _check_of(hint: Any) -> Check | None:
    """Return the check that an annotation asks for; None if it asks for none.

    The check is the annotation's own, that of a choice of a `Literal`, or that of a record of a
    dataclass; each of these may also allow None.
    """
    options = get_args(hint)
    if get_origin(hint) is Literal:
        return one_of(options)
    if hasattr(hint, "__metadata__"):
        return hint.__metadata__[0]
    if NoneType in options:
        inner = _check_of(options[0])
        return inner and partial(_or_none, check=inner)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return partial(_record, kind=hint)
    return None


def elementwise(model: T) -> T:
    """Decorate a scalar model to accept arrays, evaluated per element with numpy's broadcasting.

    A model that returns a number then returns an array; one that returns a record, the record with
    arrays in its fields.

    >>> @elementwise
    ... def wait(load, service_time=1.0):
    ...     return load * service_time / (1 - load)
    >>> wait(np.array([0.5, 0.75])), wait(0.5)
    (array([1., 3.]), 1.0)
    """
    signature = inspect.signature(model)
    model = refusing(model)

    @wraps(model)
    def call_each(*args: Any, **kwargs: Any) -> Any:
        """Call the model once, or once for each element of the arrays."""
        if not any(map(_is_array, args)) and not any(map(_is_array, kwargs.values())):
            return model(*args, **kwargs)
        shape, rows = _rows(signature.bind(*args, **kwargs).arguments)
        return _gathered([model(**row) for row in rows], shape)

    return cast(T, call_each)


def elements(record: Any) -> list[Any]:
    """Split a record with arrays in its fields into one record per element, in their order."""
    return [type(record)(**row) for row in _rows(vars(record))[1]]


def _rows(arguments: dict[str, Any]) -> tuple[tuple[int, ...], list[dict[str, Any]]]:
    """Return the shape to which arrays are broadcast together, and the arguments by element."""
    arrays = {name: value for name, value in arguments.items() if _is_array(value)}
    shape = np.broadcast_shapes(*map(np.shape, arrays.values()))
    columns = (np.broadcast_to(value, shape).ravel().tolist() for value in arrays.values())
    rows = zip(*columns, strict=True)
    return shape, [arguments | dict(zip(arrays, row, strict=True)) for row in rows]


def _is_array(value: Any) -> bool:
    """Whether a value is an array with at least one dimension."""
    # A pandas Series is not an instance of ndarray, and numpy makes one of it.
    return getattr(value, "ndim", 0) > 0 and hasattr(value, "__array__")


def _gathered(results: list[Any], shape: tuple[int, ...]) -> Any:
    """Put results into one array of a shape, or into one record of arrays.

    A text that is always the same stays one text.
    """
    if results and dataclasses.is_dataclass(results[0]):
        record: Any = type(results[0])
        columns = {}
        for field in dataclasses.fields(record):
            values = [getattr(result, field.name) for result in results]
            columns[field.name] = _gathered(values, shape)
        return record(**columns)
    if results and isinstance(results[0], str) and len(set(results)) == 1:
        return results[0]
    if all(np.ndim(result) == 0 for result in results):
        return np.array(results).reshape(shape)
    # Lists and tuples stay whole: NumPy would make columns of their elements.
    array = np.empty(len(results), dtype=object)
    array[:] = results
    return array.reshape(shape)


def _each(name: str, values: Iterable[Any], check: Check) -> list[Any]:
    """Return values as a list, all checked."""
    return [check(name, value) for value in several(name, values)]


def _by_name(name: str, values: Mapping[Any, float], check: Check) -> dict[Any, float]:
    """Return a mapping as a dictionary, all values checked."""
    if not isinstance(values, Mapping):
        raise ValueError(f"{name} must map names to numbers, got {values!r}")
    return {key: check(f"{name} of {key}", value) for key, value in values.items()}


def _probabilities(name: str, values: Mapping[Any, float]) -> dict[Any, float]:
    """Return probabilities by name, or raise ValueError unless they add up to 1."""
    chances = _by_name(name, values, non_negative)
    total = math.fsum(chances.values())
    if not math.isclose(total, 1, abs_tol=1e-9):
        raise ValueError(f"probabilities of the {name} must add up to 1, got {total:g}")
    return chances


def _series(name: str, values: Iterable[float]) -> np.ndarray:
    """Return a list of at least one number, none below zero, as an array."""
    series = numbers(name, several(name, values))
    if series.ndim != 1 or not len(series):
        raise ValueError(f"{name} must be a list of at least one number, got {values!r}")
    return series


def _flag(name: str, value: bool) -> bool:
    """Return a value, or raise ValueError unless it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


Finite = Annotated[float, finite]
Positive = Annotated[float, positive]
PositiveOrInfinite = Annotated[float, positive_or_infinite]
NonNegative = Annotated[float, non_negative]
Share = Annotated[float, fraction]  #: 0 to 1, both included
PositiveShare = Annotated[
    float, number_that("be above 0 and at most 1", lambda number: 0 < number <= 1)
]  #: 0 to 1, without 0
InnerShare = Annotated[
    float, number_that("be above 0 and below 1", lambda number: 0 < number < 1)
]  #: 0 to 1, without both
FromOne = Annotated[float, number_that("be at least 1", partial(le, 1))]  #: from 1 on
Count = Annotated[int, count]  #: from 1 on
whole = partial(count, least=0)
Whole = Annotated[int, whole]  #: from 0 on
LimitedCount = Annotated[int, partial(count, most=MANY)]
LimitedWhole = Annotated[int, partial(count, least=0, most=MANY)]
Flag = Annotated[bool, _flag]
Finites = Annotated[Sequence[float], partial(_each, check=finite)]
Positives = Annotated[Sequence[float], partial(_each, check=positive)]
NonNegatives = Annotated[Sequence[float], partial(_each, check=non_negative)]
PositivesByName = Annotated[Mapping[Any, float], partial(_by_name, check=positive)]
NonNegativesByName = Annotated[Mapping[Any, float], partial(_by_name, check=non_negative)]
WholesByName = Annotated[Mapping[Any, int], partial(_by_name, check=whole)]
Probabilities = Annotated[Mapping[Any, float], _probabilities]
# A model gets these as arrays, whatever holds the numbers that it is called with.
Series = Annotated[Any, _series]
Numbers = Annotated[Any, numbers]
Counts = Annotated[Sequence[int], partial(_each, check=count)]
Wholes = Annotated[Sequence[int], partial(_each, check=whole)]
