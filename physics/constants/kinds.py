"""What a constant is: a float that knows its unit, meaning, source, kind, and the range of its knob."""

from typing import Literal

Kind = Literal["exact", "datasheet", "measured", "assumed"]


class Constant(float):
    """A number with its provenance.

    Parameters
    ----------
    value : float
        In SI units.
    unit : str
        SI unit, or "1" for a pure number.
    meaning : str
        One phrase.
    source : str
        Where the value is from; for an assumed one, why it was chosen.
    symbol : str
        As written in formulas; "" where the literature has none.
    kind : {"exact", "datasheet", "measured", "assumed"}
        Assumed unless it says otherwise.
    low, high : float, optional
        Range in which a learner may vary it, in the same unit.

    Examples
    --------
    >>> hour = Constant(3600, symbol="h", unit="s", meaning="an hour", source="SI", kind="exact")
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

    def __new__(
        cls,
        value: float,
        *,
        unit: str,
        meaning: str,
        source: str,
        symbol: str = "",
        kind: Kind = "assumed",
        low: float | None = None,
        high: float | None = None,
    ) -> "Constant":
        if low is not None and high is not None and not low <= value <= high:
            raise ValueError(f"the value of {meaning} must lie in {low} to {high}, got {value}")
        self = super().__new__(cls, value)
        self.symbol, self.unit, self.meaning, self.source, self.kind = symbol, unit, meaning, source, kind
        self.low, self.high = low, high
        return self

    def __reduce__(self):
        """Copy and pickle as a plain float: results carry numbers, not provenance."""
        return float, (float(self),)
