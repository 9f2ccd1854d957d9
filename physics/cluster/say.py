"""Numbers in the sentences beside a log's tables: two or three digits, with their unit."""

import math
from collections.abc import Iterable

#: Below this a power of ten says more than zeros do.
TINY = 1e-6


def number(value: float, digits: int = 3) -> str:
    """Write a number with some significant digits, thousands separated.

    >>> number(228_993), number(1.9051), number(0.0715123), number(-3.0), number(99.97), number(0)
    ('229,000', '1.91', '0.0715', '−3', '100', '0')
    """
    if not math.isfinite(value):
        return "not known" if math.isnan(value) else "infinite"
    if abs(value) < TINY:
        return f"{value:.{digits}g}"
    value = float(f"{value:.{digits - 1}e}")
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def together(values: Iterable[float]) -> list[str]:
    """Write numbers that are compared, all rounded where the largest has its third digit.

    >>> together([229_273, 78_569, 75_370, 0.4])
    ['229,000', '79,000', '75,000', '0']
    """
    values = list(values)
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest == 0:
        return [number(value) for value in values]
    step = 10.0 ** (math.floor(math.log10(largest)) - 2)
    return [number(step * round(value / step), 12) if math.isfinite(value) else number(value) for value in values]


def share(value: float) -> str:
    """Write a share in percent.

    >>> share(0.5152), share(12.5), share(0.0712)
    ('51.5%', '1,250%', '7.12%')
    """
    return f"{number(100 * value)}%" if math.isfinite(value) else number(value)


def time(seconds: float) -> str:
    """Write a time in hours, and a short one in minutes or seconds.

    >>> time(15_293), time(90), time(9.04), time(-5544)
    ('4.25 h', '1.5 min', '9.04 s', '−1.54 h')
    """
    for least, length, unit in ((1800.0, 3600.0, "h"), (60.0, 60.0, "min")):
        if abs(seconds) >= least or not math.isfinite(seconds):
            return f"{number(seconds / length)} {unit}" if math.isfinite(seconds) else number(seconds)
    return f"{number(seconds)} s"


def counted(value: float, noun: str) -> str:
    """Write a number of things, such as GPUs, CPUs or nodes.

    >>> counted(1, "node"), counted(1024, "GPU")
    ('1 node', '1,024 GPUs')
    """
    return f"{value:,} {noun}{'s' * (value != 1)}"
