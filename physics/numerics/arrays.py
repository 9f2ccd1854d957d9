"""Models of single numbers that take arrays too."""

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

from physics.numerics.checks import refusing

P = ParamSpec("P")
R = TypeVar("R")


def elementwise(model: Callable[P, R]) -> Callable[P, R]:
    """Let a model of numbers, held to `refusing`, take arrays: asked for each element, broadcast as numpy does.

    A model that returns a number then returns an array; one that returns a record, the record with arrays in its
    fields.

    >>> @elementwise
    ... def wait(load, service_time=1.0):
    ...     return load * service_time / (1 - load)
    >>> wait(np.array([0.5, 0.75])), wait(0.5)
    (array([1., 3.]), 1.0)
    """

    model = refusing(model)

    @functools.wraps(model)
    def swept(*args: P.args, **kwargs: P.kwargs) -> Any:
        if not any(map(_is_array, args)) and not any(map(_is_array, kwargs.values())):
            return model(*args, **kwargs)
        arrays = [value for value in (*args, *kwargs.values()) if _is_array(value)]
        shape = np.broadcast_shapes(*(np.shape(value) for value in arrays))
        size = math.prod(shape)

        def at(value: Any) -> list[Any]:
            return np.broadcast_to(value, shape).ravel().tolist() if _is_array(value) else [value] * size

        columns = [at(value) for value in (*args, *kwargs.values())]
        rows = (tuple(column[number] for column in columns) for number in range(size))
        named = len(args)
        return _gathered([model(*row[:named], **dict(zip(kwargs, row[named:], strict=True))) for row in rows], shape)

    return swept


def elements(record: Any) -> list[Any]:
    """Split a record with arrays in its fields into one for each element, in the arrays' order."""
    fields = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    size = max(value.size for value in fields.values() if _is_array(value))
    columns = {name: value.ravel().tolist() if _is_array(value) else [value] * size for name, value in fields.items()}
    return [type(record)(*row) for row in zip(*columns.values(), strict=True)]


def _is_array(value: Any) -> bool:
    # A pandas Series is not an instance of ndarray, and numpy makes one of it.
    return getattr(value, "ndim", 0) > 0 and hasattr(value, "__array__")


def _gathered(found: list[Any], shape: tuple[int, ...]) -> Any:
    """Put results into one array of a shape, or into one record of arrays; a text that is always the same stays one."""
    if found and dataclasses.is_dataclass(found[0]):
        names = [field.name for field in dataclasses.fields(found[0])]
        return type(found[0])(*(_gathered([getattr(one, name) for one in found], shape) for name in names))
    if found and isinstance(found[0], str) and len(set(found)) == 1:
        return found[0]
    if all(np.ndim(one) == 0 for one in found):
        return np.array(found).reshape(shape)
    whole = np.empty(len(found), dtype=object)  # of what has parts of its own
    whole[:] = found
    return whole.reshape(shape)
