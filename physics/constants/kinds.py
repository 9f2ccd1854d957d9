"""Constants as floats that know their unit, meaning, source, kind, and range."""

from collections.abc import Iterable
from typing import Literal

__all__ = ["Constant", "Kind"]

Kind = Literal["exact", "datasheet", "measured", "assumed"]


class Constant(float):
    """Number with its provenance.

    Args:
        value: In SI units.
        unit: SI unit, or "1" for a pure number.
        meaning: One phrase.
        source: Where the value is from; for an assumed one, why it was chosen.
        symbol: As written in formulas; "" where the literature has none.
        low, high, step: Range in which a learner may vary it, and in what steps, in the same unit.
            Without a step its knob moves by one unit of what the page shows, such as an hour or a
            percent.
        positions: The only values that a learner may choose, in order, in the same unit; () if the
            range has even steps.

    >>> hour = Constant(3600, "s", "an hour", "SI", symbol="h", kind="exact")
    >>> hour / 60, hour.unit, hour.kind
    (60.0, 's', 'exact')
    """

    symbol: str
    unit: str
    meaning: str
    source: str
    kind: Kind
    low: float | None
    high: float | None
    step: float | None
    positions: tuple[float, ...]

    def __new__(
        cls,
        value: float,
        unit: str,
        meaning: str,
        source: str,
        *,
        symbol: str = "",
        kind: Kind = "assumed",
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        positions: Iterable[float] = (),
    ) -> "Constant":
        if low is not None and high is not None and not low <= value <= high:
            raise ValueError(f"the value of {meaning} must lie in {low} to {high}, got {value}")
        self = super().__new__(cls, value)
        self.symbol = symbol
        self.unit = unit
        self.meaning = meaning
        self.source = source
        self.kind = kind
        self.low = low
        self.high = high
        self.step = step
        self.positions = tuple(positions)
        return self

    def __reduce__(self):
        """Copy and pickle as a plain float: results carry numbers, not provenance."""
        return float, (float(self),)
