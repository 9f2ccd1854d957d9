"""One-sentence refusals of nonsense, shared by every model.

Overload is not nonsense: a model answers it. Zero, negative, NaN and infinite quantities, and counts that are not
whole, are nonsense, and the sentence names the quantity and the value.
"""

import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterable
from numbers import Real
from typing import ParamSpec, TypeVar

import numpy as np

__all__ = [
    "MANY",
    "count",
    "finite",
    "fraction",
    "non_negative",
    "numbers",
    "positive",
    "positive_or_infinite",
    "several",
    "within_range",
]

#: More than this of anything is not simulated or laid out one by one.
MANY = 10**9

P = ParamSpec("P")
R = TypeVar("R")


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


def within_range(function: Callable[P, R]) -> Callable[P, R]:
    """Let a model answer in one sentence when numbers that make sense by themselves lead beyond floating point.

    >>> @within_range
    ... def growth(rate):
    ...     return math.exp(rate)
    >>> growth(1e308)
    Traceback (most recent call last):
    ValueError: growth must stay within floating point, up to 1.8e308: an input is too large or too small
    """
    beyond = OverflowError, ZeroDivisionError, FloatingPointError
    name = function.__qualname__.removesuffix(".__post_init__").rpartition(".")[2]
    sentence = f"{name} must stay within floating point, up to 1.8e308: an input is too large or too small"

    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def items(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                yield from function(*args, **kwargs)
            except beyond:
                raise ValueError(sentence) from None

        return items

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with np.errstate(over="raise", invalid="raise"):
                return function(*args, **kwargs)
        except beyond:
            raise ValueError(sentence) from None

    return guarded
