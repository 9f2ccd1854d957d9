"""Every constant of the app: value, unit, meaning, source and kind, declared once.

A `Constant` is a float that knows where it comes from, so that a model uses it as a number and the Sources page shows
it as a row. `low` and `high` bound the knob that varies it. Values are SI: seconds, bytes, bytes per second, fractions;
prices are US dollars. 1 GB is 10⁹ B.

Kinds: "exact" by definition, "datasheet" from a maker's or standard's document, "measured" by somebody who published
it, "assumed" chosen for the lesson.
"""

from typing import Literal

Kind = Literal["exact", "datasheet", "measured", "assumed"]


class Constant(float):
    """A number with its provenance.

    Parameters
    ----------
    value : float
        In SI units.
    symbol : str
        As written in formulas; "" where the literature has none.
    unit : str
        SI unit, or "1" for a pure number.
    meaning : str
        One phrase.
    source : str
        Where the value is from; for an assumed one, why it was chosen.
    kind : {"exact", "datasheet", "measured", "assumed"}
    low, high : float, optional
        Range in which a learner may vary it, in the same unit.

    Examples
    --------
    >>> HOUR / MINUTE
    60.0
    >>> HOUR.unit, HOUR.kind
    ('s', 'exact')
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
        symbol: str,
        unit: str,
        meaning: str,
        source: str,
        kind: Kind,
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


def table() -> list[dict[str, object]]:
    """List every constant as a row: name, symbol, value, unit, meaning, source, kind, low, high.

    >>> next(row for row in table() if row["name"] == "DAY")["value"]
    86400.0
    """
    fields = ("symbol", "unit", "meaning", "source", "kind", "low", "high")
    return [
        {"name": name, "value": float(value)} | {field: getattr(value, field) for field in fields}
        for name, value in globals().items()
        if isinstance(value, Constant)
    ]


# --- units ----------------------------------------------------------------------------------------------------------
MINUTE = Constant(60, symbol="min", unit="s", meaning="one minute", source="SI brochure, table 8", kind="exact")
HOUR = Constant(3600, symbol="h", unit="s", meaning="one hour", source="SI brochure, table 8", kind="exact")
DAY = Constant(86400, symbol="d", unit="s", meaning="one day", source="SI brochure, table 8", kind="exact")
KB = Constant(1e3, symbol="kB", unit="B", meaning="one kilobyte", source="SI prefix kilo", kind="exact")
MB = Constant(1e6, symbol="MB", unit="B", meaning="one megabyte", source="SI prefix mega", kind="exact")
GB = Constant(1e9, symbol="GB", unit="B", meaning="one gigabyte", source="SI prefix giga", kind="exact")
TB = Constant(1e12, symbol="TB", unit="B", meaning="one terabyte", source="SI prefix tera", kind="exact")

# --- utilization trap -------------------------------------------------------------------------------------------------

# --- scheduling policy ------------------------------------------------------------------------------------------------

# --- I/O bottleneck ---------------------------------------------------------------------------------------------------

# --- storage architecture ---------------------------------------------------------------------------------------------

# --- DRF story --------------------------------------------------------------------------------------------------------

# --- notebook sharing -------------------------------------------------------------------------------------------------

# --- autoscaling ------------------------------------------------------------------------------------------------------

# --- spot training ----------------------------------------------------------------------------------------------------

# --- GPU slices -------------------------------------------------------------------------------------------------------
