"""One-sentence refusals of nonsense, shared by every model.

A public function says in its annotations what its arguments may be, such as `servers: Count`, and `within_range` holds
them to it; what depends on several arguments is checked in the body. The sentence names the quantity and the value.
"""

import dataclasses
import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterable
from numbers import Real
from types import NoneType
from typing import Any, Literal, ParamSpec, TypeVar, get_args, get_origin

import numpy as np

#: More than this of anything is not simulated or laid out one by one.
MANY = 10**9

P = ParamSpec("P")
R = TypeVar("R")
Check = Callable[[str, Any], Any]  #: of a name and a value: the value, or ValueError


def positive(name: str, value: float) -> float:
    """Return value as a float, or raise ValueError unless it is a finite number above zero.

    >>> positive("service_time", -1)
    Traceback (most recent call last):
    ValueError: service_time must be positive, got -1
    """
    number = finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be positive, got {value}")
    return number


def positive_or_infinite(name: str, value: float) -> float:
    """Return value as a float, or raise ValueError unless it is a number above zero or infinity."""
    return math.inf if isinstance(value, float) and value == math.inf else positive(name, value)


def non_negative(name: str, value: float) -> float:
    """Return value as a float, or raise ValueError unless it is a finite number, zero or above."""
    number = finite(name, value)
    if number < 0:
        raise ValueError(f"{name} must not be negative, got {value}")
    return number


def finite(name: str, value: float) -> float:
    """Return value as a float, or raise ValueError unless it is a finite real number (True and "1" are not numbers)."""
    # Asking for a float first is several times faster than asking for any kind of real number.
    if not isinstance(value, float) and (isinstance(value, bool) or not isinstance(value, Real)):
        if getattr(value, "ndim", 0) > 0:
            raise ValueError(f"{name} must be one number, got an array: call the model once for each of its elements")
        raise ValueError(f"{name} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be a finite number, got an integer beyond 1.8e308") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {value}")
    return number


def several(name: str, values: Iterable) -> list:
    """Return values as a list, or raise ValueError unless they are several things and not one (a text is one).

    >>> several("arrival_rates", 0.5)
    Traceback (most recent call last):
    ValueError: arrival_rates must be a list, got 0.5
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a list, got {values!r}")
    return list(values)


def fraction(name: str, value: float) -> float:
    """Return value as a float, or raise ValueError unless it lies in 0 to 1, both included."""
    number = finite(name, value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be between 0 and 1, got {value}")
    return number


def count(name: str, value: float, least: int = 1, most: int | None = None) -> int:
    """Return value as an int, or raise ValueError unless it is a whole number in a range (4.0 is whole)."""
    number = finite(name, value)
    if number != int(number):
        raise ValueError(f"{name} must be a whole number, got {value}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {most:,}, got {number:g}")
    return int(value)


def numbers(name: str, values: Iterable[float] | float, most: float = sys.float_info.max) -> np.ndarray:
    """Return one or many values as an array of floats, or raise ValueError unless all are between 0 and `most`.

    >>> numbers("load", [1, float("nan")])
    Traceback (most recent call last):
    ValueError: load must be finite numbers and not negative, got nan
    """
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, got {values!r}") from None
    sound = (array >= 0) & (array <= most)
    if not sound.all():
        kind = (
            "numbers" if most == math.inf else "finite numbers" if most == sys.float_info.max else f"at most {most:,}"
        )
        raise ValueError(f"{name} must be {kind} and not negative, got {array[~sound].flat[0]:g}")
    return array


def one_of(known: Iterable[str]) -> Check:
    """Return the check of a choice.

    >>> one_of(("best", "worst"))("rule", "any")
    Traceback (most recent call last):
    ValueError: rule must be one of best, worst, got 'any'
    """
    known = tuple(known)

    def choice(name: str, value: str) -> str:
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
        return value

    return choice


def _a_record(name: str, value: Any, kind: type, none: bool) -> Any:
    if not (isinstance(value, kind) or (none and value is None)):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise ValueError(f"{name} must be {'None or ' * none}{article} {kind.__name__}, got {value!r}")
    return value


def within_range(model: Callable[P, R]) -> Callable[P, R]:
    """Let a model be `refusing`, and one whose arrays leave floating point as well."""
    if isinstance(model, type) or inspect.isgeneratorfunction(model):
        return refusing(model)
    return refusing(np.errstate(over="raise", invalid="raise")(model))


def refusing(model: Callable[P, R]) -> Callable[P, R]:
    """Let a model, or a dataclass, refuse in one sentence what its annotations exclude and what leaves floating point.

    >>> from typing import Annotated
    >>> @refusing
    ... def growth(rate: Annotated[float, positive]) -> float:
    ...     return math.exp(rate)
    >>> growth(0)
    Traceback (most recent call last):
    ValueError: rate must be positive, got 0
    >>> growth(1e308)
    Traceback (most recent call last):
    ValueError: growth must stay within floating point, up to 1.8e308: an input is too large or too small
    """
    if isinstance(model, type):
        model.__init__ = refusing(model.__init__)
        return model
    beyond = OverflowError, ZeroDivisionError, FloatingPointError
    name = model.__qualname__.removesuffix(".__init__").removesuffix(".__post_init__").rpartition(".")[2]
    sentence = f"{name} must stay within floating point, up to 1.8e308: an input is too large or too small"
    names, hints = list(inspect.signature(model).parameters), inspect.get_annotations(model)
    allowed = {one: check for one in names if (check := _check_of(hints.get(one)))}
    places = [(place, one, allowed[one]) for place, one in enumerate(names) if one in allowed]

    def checked(args: tuple, named: dict[str, Any]) -> list:
        """Positional arguments as checked, and named ones in place."""
        given = list(args)
        for place, one, check in places:
            if place < len(args):
                given[place] = check(one, args[place])
            elif one in named:
                named[one] = check(one, named[one])
        return given

    if inspect.isgeneratorfunction(model):

        @functools.wraps(model)
        def items(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                yield from model(*checked(args, kwargs), **kwargs)
            except beyond:
                raise ValueError(sentence) from None

        return items

    @functools.wraps(model)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return model(*checked(args, kwargs), **kwargs)
        except beyond:
            raise ValueError(sentence) from None

    return guarded


def _check_of(hint: Any) -> Check | None:
    """Check that an annotation asks for: its own, a choice of a `Literal`, a record of a dataclass, or that or None."""
    parts = get_args(hint)
    if get_origin(hint) is Literal:
        return one_of(parts)
    if hasattr(hint, "__metadata__"):
        return hint.__metadata__[0]
    none = NoneType in parts
    kind = parts[0] if none else hint
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return functools.partial(_a_record, kind=kind, none=none)
    if none and (inner := _check_of(kind)):
        return lambda name, value: value if value is None else inner(name, value)
    return None
