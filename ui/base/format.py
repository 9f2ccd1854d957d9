"""Format SI numbers for readers; no other module rounds."""

import math
from collections.abc import Callable, Iterable

MINUS = "−"
#: Shares above this and below 1 are not written out, because more nines tell a reader nothing.
ALMOST_ALL = 0.999995
#: A year [s].
YEAR = 365.25 * 86400.0
#: Units of a time: up to which time each is used [s], its size [s], and its name.
TIME_UNITS = (
    (1e-3, 1e-6, "µs"),
    (1.0, 1e-3, "ms"),
    (60.0, 1.0, "s"),
    (3600.0, 60.0, "min"),
    (72 * 3600.0, 3600.0, "h"),
    (3 * YEAR, 86400.0, "days"),
    (math.inf, YEAR, "years"),
)
#: Units of a number of bytes, each a thousand of the one before.
BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")


class Mean(float):
    """Mean of random draws, with the half-width of its 95% interval in the same unit.

    It is written with no more digits than the interval allows, unless it would then look like a
    limit that it does not equal: the last digit is worth no less than the first digit of the
    half-width. Multiplied or divided by a number it stays a `Mean`.

    >>> significant(Mean(23.4, 2.1)), significant(Mean(6797, 310)), significant(Mean(57.86, 0.31))
    ('23', '6,800', '57.9')
    """

    half_width: float

    def __new__(cls, value: float, half_width: float) -> "Mean":
        mean = super().__new__(cls, value)
        mean.half_width = abs(float(half_width))
        return mean

    def __getnewargs__(self) -> tuple[float, float]:  # type: ignore[override]
        return float(self), self.half_width

    def __mul__(self, factor: float) -> "Mean":
        return Mean(float(self) * factor, self.half_width * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> "Mean":
        return Mean(float(self) / divisor, self.half_width / divisor)

    @property
    def digits(self) -> int:
        """Number of significant digits that the interval allows, 1 to 3."""
        if not self or not self.half_width or not math.isfinite(self.half_width):
            return 3
        first = math.floor(math.log10(abs(self)))
        return min(3, max(1, 1 + first - math.floor(math.log10(self.half_width))))


def _rounded(value: float, digits: int) -> float:
    """Return a number rounded to the given significant digits."""
    return float(f"{value:.{digits - 1}e}")


def capital(text: str) -> str:
    """Return a text with its first letter capitalized and all others as they are.

    >>> capital("GPUs"), capital("node")
    ('GPUs', 'Node')
    """
    return text[:1].upper() + text[1:]


def significant(value: float, digits: int = 3) -> str:
    """Return a number with at least the given significant digits and separated thousands.

    Digits before the decimal point are never rounded, except those of a `Mean`. Trailing zeros are
    dropped. Below 10⁻⁶ and from 10¹⁵ on the number is in scientific notation, and below 10⁻¹² and
    from 10¹⁸ on only the bound is written.

    >>> significant(28264.4), significant(0.071512), significant(4.0), significant(-0.5)
    ('28,264', '0.0715', '4', '−0.5')
    >>> significant(3.2e-8), significant(2.9e-215), significant(-4e26)
    ('3.20 × 10⁻⁸', 'below 10⁻¹²', 'below −10¹⁸')
    """
    if math.isnan(value):
        return "not defined"
    if math.isinf(value):
        if value > 0:
            return "∞"
        return f"{MINUS}∞"
    if value == 0:
        return "0"
    if isinstance(value, Mean):
        digits = min(digits, value.digits)
        value = _rounded(value, digits)
    beyond = _beyond(value, 1e-12, "10⁻¹²", 1e18, "10¹⁸")
    if beyond:
        return beyond
    magnitude = abs(value)
    if magnitude >= 1e15 or magnitude < 1e-6:
        return scientific(value, digits)
    decimals = max(0, digits - 1 - math.floor(math.log10(magnitude)))
    text = f"{value:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", MINUS)


def scientific(value: float, digits: int = 3) -> str:
    """Return a number in scientific notation, for texts about its order of magnitude.

    >>> scientific(0.2**64, 2)
    '1.8 × 10⁻⁴⁵'
    """
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa.replace('-', MINUS)} × {power(int(exponent))}"


def _beyond(value: float, tiny: float, tiny_text: str, huge: float, huge_text: str) -> str:
    """Return the bound that a number is beyond, such as "below 10⁻¹²"; "" if it is within both.

    Digits beyond it would mean nothing.
    """
    sign = MINUS if value < 0 else ""
    if 0 < abs(value) < tiny:
        return f"{'above' if value < 0 else 'below'} {sign}{tiny_text}"
    if abs(value) >= huge:
        return f"{'below' if value < 0 else 'over'} {sign}{huge_text}"
    return ""


def rounded(value: float, digits: int = 2) -> str:
    """Return a number rounded to the given significant digits, such as 3,500 for 3458.

    For use after "about".

    >>> rounded(3458), rounded(629.6), rounded(0.0718)
    ('3,500', '630', '0.072')
    """
    return significant(_rounded(value, digits), digits)


def power(exponent: int) -> str:
    """Return a power of ten with a superscript exponent.

    >>> power(-45), power(15)
    ('10⁻⁴⁵', '10¹⁵')
    """
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def duration(seconds: float, digits: int = 3) -> str:
    """Return a time [s] as text in a suitable unit: µs, ms, s, min, h, days, or years.

    >>> duration(16044), duration(1447), duration(3600), duration(0.0574), duration(float("inf"))
    ('4.46 h', '24.1 min', '1 h', '57.4 ms', 'without limit')
    >>> duration(2.95e-221), duration(1.3e34)
    ('below 1 ns', 'over 10¹⁰ years')
    """
    if seconds == math.inf:
        return "without limit"
    if math.isnan(seconds):
        return "not defined"
    if seconds == 0:
        return "0 s"
    beyond = _beyond(seconds, 1e-9, "1 ns", 1e10 * YEAR, "10¹⁰ years")
    if beyond:
        return beyond
    # A value that would round up to the limit belongs to the next unit: 59.99 min is 1 h.
    magnitude = abs(seconds) * (1 + 0.5 * 10.0**-digits)
    unit, name = next((unit, name) for limit, unit, name in TIME_UNITS if magnitude < limit)
    return f"{significant(seconds / unit, digits)} {name}"


def share(fraction: float, digits: int = 3) -> str:
    """Return a fraction as a percentage; only exactly 1 is written as 100%.

    >>> share(0.95), share(0.74678), share(0.0018), share(0.99996), share(1.005)
    ('95%', '74.7%', '0.18%', '99.996%', '100.5%')
    >>> share(0.9999999), share(float("nan"))
    ('over 99.999%', 'not defined')
    """
    if math.isnan(fraction):
        return "not defined"
    if ALMOST_ALL < fraction < 1:
        return "over 99.999%"
    text = significant(fraction * 100, digits)
    if isinstance(fraction, Mean):
        digits = min(digits, fraction.digits)
    while text.lstrip(MINUS) == "100" and abs(fraction) != 1 and digits < 12:
        digits += 1
        text = significant(float(fraction) * 100, digits)
    return f"{text}%"


def apart(value: float, limit: float, write: Callable[..., str] = significant) -> str:
    """Return a number with enough digits to look different from a limit that it does not equal.

    >>> apart(1.5004, 1.5), apart(0.98996, 0.99, share), apart(0.99, 0.99, share), apart(1.8, 1.5)
    ('1.5004', '98.996%', '99%', '1.8')
    """
    if abs(value - limit) <= 1e-9 * abs(limit):
        return write(value)
    text = write(value)
    digits = value.digits if isinstance(value, Mean) else 3
    while text == write(limit) and digits < 12:
        digits += 1
        text = write(float(value), digits)
    return text


def data(size: float, digits: int = 3) -> str:
    """Return a number of bytes in decimal units.

    >>> data(62_500), data(327.68e9, 5), data(1e14)
    ('62.5 kB', '327.68 GB', '100 TB')
    """
    if math.isnan(size):
        return "not defined"
    if math.isinf(size):
        return f"{significant(size)} B"
    # A number that would round up to 1,000 belongs to the next unit: 999,999 bytes are 1 MB.
    limit = 1000 - 0.5 * 10.0 ** (3 - max(3, digits))
    steps = sum(abs(size) >= limit * 1000.0**step for step in range(len(BYTE_UNITS) - 1))
    return f"{significant(size / 1000.0**steps, digits)} {BYTE_UNITS[steps]}"


def data_rate(rate: float, digits: int = 3) -> str:
    """Return bytes per second in decimal units.

    >>> data_rate(80e6)
    '80 MB/s'
    """
    return f"{data(rate, digits)}/s"


def money(dollars: float, digits: int = 3) -> str:
    """Return an amount of US dollars; amounts from one dollar have two digits of cents or none.

    >>> money(169869.3), money(117.94, 4), money(11.4), money(0.0004), money(8.1e153), money(-2e-9)
    ('$169,869', '$117.94', '$11.40', '$0.0004', 'over $10¹⁵', 'above −$10⁻⁶')
    """
    beyond = _beyond(dollars, 1e-6, "$10⁻⁶", 1e15, "$10¹⁵")
    if beyond:
        return beyond
    if math.isnan(dollars):
        return "not defined"
    if isinstance(dollars, Mean):
        dollars = _rounded(dollars, min(digits, dollars.digits))
    text = significant(abs(dollars), digits)
    whole, _, cents = text.partition(".")
    if len(cents) == 1 or (cents and whole != "0"):
        text = f"{abs(dollars):,.2f}".removesuffix(".00")
    return f"{MINUS if dollars < 0 else ''}${text}"


def times(ratio: float, digits: int = 2) -> str:
    """Return a ratio as a multiple, such as "11 times".

    >>> times(11.13), times(4.457, 3), times(1), times(1.0007)
    ('11 times', '4.46 times', '1.0 times', '1.001 times')
    """
    while significant(ratio, digits) == "1" and abs(ratio - 1) > 1e-6 and digits < 7:
        digits += 1
    text = significant(ratio, digits)
    return f"{'1.0' if text == '1' else text} times"


def listed(texts: Iterable[str], word: str = "and") -> str:
    """Join texts with commas and a final word such as "and"; "" if there are no texts.

    >>> listed(["A"]), listed(["A", "B"], "or"), listed(["A", "B", "C"])
    ('A', 'A or B', 'A, B, and C')
    """
    items = list(texts)
    if len(items) > 2:
        items = [", ".join(items[:-1]) + ",", items[-1]]
    return f" {word} ".join(items)


def count(number: float, singular: str, plural: str | None = None) -> str:
    """Return a number and its noun, in the plural unless the number is written as 1.

    >>> count(1, "server"), count(128, "server"), count(2.5, "job"), count(1.0004, "job")
    ('1 server', '128 servers', '2.5 jobs', '1 job')
    """
    text = significant(number)
    if text == "1":
        return f"{text} {singular}"
    return f"{text} {plural or f'{singular}s'}"
