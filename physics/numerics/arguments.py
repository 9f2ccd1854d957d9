"""What an argument of a model may be: for signatures, to which `checks.within_range` holds the model."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np

from physics.numerics.checks import (
    MANY,
    Check,
    count,
    finite,
    fraction,
    non_negative,
    numbers,
    positive,
    positive_or_infinite,
    several,
)


def _each(check: Check) -> Check:
    """Return the check of a list whose elements all pass a check."""
    return lambda name, values: [check(name, value) for value in several(name, values)]


def _by_name(check: Check) -> Check:
    """Return the check of a mapping whose values all pass a check."""

    def mapping(name: str, values: Mapping[Any, float]) -> dict[Any, float]:
        if not isinstance(values, Mapping):
            raise ValueError(f"{name} must map names to numbers, got {values!r}")
        return {one: check(f"{name} of {one}", value) for one, value in values.items()}

    return mapping


def _probabilities(name: str, values: Mapping[Any, float]) -> dict[Any, float]:
    chances = _by_name(non_negative)(name, values)
    if not math.isclose(math.fsum(chances.values()), 1, abs_tol=1e-9):
        raise ValueError(f"probabilities of the {name} must add up to 1, got {math.fsum(chances.values()):g}")
    return chances


def _series(name: str, values: Iterable[float]) -> np.ndarray:
    found = numbers(name, several(name, values))
    if found.ndim != 1 or not len(found):
        raise ValueError(f"{name} must be a list of at least one number, got {values!r}")
    return found


def _positive_share(name: str, value: float) -> float:
    return positive(name, fraction(name, value))


def _inner_share(name: str, value: float) -> float:
    if not 0 < fraction(name, value) < 1:
        raise ValueError(f"{name} must be above 0 and below 1, got {value}")
    return float(value)


def _flag(name: str, value: bool) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


Finite = Annotated[float, finite]
Positive = Annotated[float, positive]
PositiveOrInfinite = Annotated[float, positive_or_infinite]
NonNegative = Annotated[float, non_negative]
Share = Annotated[float, fraction]  #: 0 to 1, both included
PositiveShare = Annotated[float, _positive_share]  #: 0 to 1, without 0
InnerShare = Annotated[float, _inner_share]  #: 0 to 1, without both
Count = Annotated[int, count]  #: from 1 on
Whole = Annotated[int, partial(count, least=0)]  #: from 0 on
LimitedCount = Annotated[int, partial(count, most=MANY)]
LimitedWhole = Annotated[int, partial(count, least=0, most=MANY)]
Flag = Annotated[bool, _flag]
Finites = Annotated[Sequence[float], _each(finite)]
Positives = Annotated[Sequence[float], _each(positive)]
NonNegatives = Annotated[Sequence[float], _each(non_negative)]
PositivesByName = Annotated[Mapping[Any, float], _by_name(positive)]
NonNegativesByName = Annotated[Mapping[Any, float], _by_name(non_negative)]
WholesByName = Annotated[Mapping[Any, int], _by_name(partial(count, least=0))]
Probabilities = Annotated[Mapping[Any, float], _probabilities]
Series = Annotated[Sequence[float], _series]
Numbers = Annotated[Sequence[float], numbers]
Counts = Annotated[Sequence[int], _each(count)]
Wholes = Annotated[Sequence[int], _each(partial(count, least=0))]
