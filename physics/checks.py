"""One-sentence refusals of nonsense, shared by every model.

Overload is not nonsense: a model answers it. Zero, negative, NaN and infinite quantities, and counts that are not
whole, are nonsense, and the sentence names the quantity and the value.
"""

import math
from collections.abc import Iterable
from numbers import Real


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


def count(name: str, value: float, least: int = 1) -> int:
    """Return value as an int, or raise ValueError unless it is a whole number of at least `least` (4.0 is whole)."""
    number = finite(name, value)
    if number != int(number):
        raise ValueError(f"{name} must be a whole number, got {value}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)
