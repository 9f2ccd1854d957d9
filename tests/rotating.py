"""Try each thing in one way, and all pairs nightly."""

from collections.abc import Iterable

import pytest


def rotated(names: Iterable, ways: Iterable) -> list:
    """Return the pairs of names and ways as parameters: each name with one way, the other pairs
    marked nightly.
    """
    names = list(names)
    ways = list(ways)
    pairs = [
        (at, name, turn, way) for turn, way in enumerate(ways) for at, name in enumerate(names)
    ]
    return [
        pytest.param(name, way, marks=() if at % len(ways) == turn else pytest.mark.nightly)
        for at, name, turn, way in pairs
    ]
