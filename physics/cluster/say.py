"""Sentences of `words.toml`, with numbers of two or three digits and their units."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from string import Formatter
from typing import Any

from physics import constants as c
from physics.texts import toml_beside

WORDS = toml_beside(__file__, "words.toml")
#: Numbers below this are written with a power of ten.
TINY = 1e-6
#: Times from which on a unit is used [s], its length [s], and its name.
TIME_UNITS = ((1800.0, 3600.0, "h"), (60.0, 60.0, "min"), (0.0, 1.0, "s"))


def number(value: float, digits: int = 3) -> str:
    """Write a number with some significant digits and thousands separators.

    >>> number(228_993), number(1.9051), number(0.0715123), number(-3.0), number(99.97), number(0)
    ('229,000', '1.91', '0.0715', '−3', '100', '0')
    """
    if not math.isfinite(value):
        if math.isnan(value):
            return "not known"
        return "infinite"
    if abs(value) < TINY:
        return f"{value:.{digits}g}"
    value = float(f"{value:.{digits - 1}e}")
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    if decimals:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def _largest(values: Iterable[float]) -> float:
    """Largest size of the finite values; 0 if there are none."""
    return max((abs(value) for value in values if math.isfinite(value)), default=0.0)


def together(values: Iterable[float]) -> list[str]:
    """Write numbers for comparison, all rounded to the third digit of the largest.

    >>> together([229_273, 78_569, 75_370, 0.4])
    ['229,000', '79,000', '75,000', '0']
    """
    values = list(values)
    largest = _largest(values)
    if largest == 0:
        return [number(value) for value in values]
    step = 10.0 ** (math.floor(math.log10(largest)) - 2)
    return [
        number(step * round(value / step), 12) if math.isfinite(value) else number(value)
        for value in values
    ]


def share(value: float) -> str:
    """Write a share as a percentage.

    >>> share(0.5152), share(12.5), share(math.inf)
    ('51.5%', '1,250%', '∞%')
    """
    if value == math.inf:
        return "∞%"
    if math.isnan(value):
        return number(value)
    return f"{number(100 * value)}%"


def time(seconds: float) -> str:
    """Write a time in hours, or a short one in minutes or seconds.

    >>> time(15_293), time(90), time(9.04), time(-5544)
    ('4.25 h', '1.5 min', '9.04 s', '−1.54 h')
    """
    return alike(seconds)[0]


def alike(*seconds: float) -> list[str]:
    """Write times for comparison, all in the unit of the longest.

    >>> alike(2250, 1650), alike(90, 0), alike(3.5), alike(-7200, 60)
    (['0.625 h', '0.458 h'], ['1.5 min', '0 min'], ['3.5 s'], ['−2 h', '0.0167 h'])
    """
    longest = _largest(seconds)
    length, unit = next((length, unit) for least, length, unit in TIME_UNITS if longest >= least)
    return [
        f"{number(value / length)} {unit}" if math.isfinite(value) else number(value)
        for value in seconds
    ]


def days(seconds: float) -> str:
    """Write a time span in days, or a short one as a time.

    >>> days(31_708_800), days(3600)
    ('367 days', '1 h')
    """
    if seconds < 2 * c.DAY:
        return time(seconds)
    return f"{number(seconds / c.DAY)} days"


def counted(value: float, noun: str) -> str:
    """Write a count with its noun, such as GPUs, CPUs, or nodes.

    >>> counted(1, "node"), counted(1024, "GPU"), counted(2.0, "GPU"), counted(1 / 7, "GPU")
    ('1 node', '1,024 GPUs', '2 GPUs', '0.143 GPUs')
    """
    if float(value).is_integer():
        text = f"{int(value):,}"
    else:
        text = number(value)
    return f"{text} {noun}{'s' * (value != 1)}"


def policy(name: str) -> str:
    """Write the name of a policy within a sentence.

    >>> policy("priority, EASY"), policy("conservative"), policy("EASY")
    ('priority with EASY', 'conservative backfill', 'EASY')
    """
    if name == "conservative":
        return "conservative backfill"
    return name.replace(", EASY", " with EASY")


def hours(seconds: float) -> str:
    """Write a time in hours, without the unit.

    >>> hours(-5544)
    '−1.54'
    """
    return number(seconds / c.HOUR)


#: Functions that write a placeholder's value, by the name of the format; "count" takes a noun.
FORMATS: dict[str, Callable[..., str]] = {
    "number": number,
    "number2": partial(number, digits=2),
    "share": share,
    "time": time,
    "hours": hours,
    "days": days,
    "count": counted,
    "policy": policy,
}


class _Sentence(Formatter):
    """Formatter of sentences: `FORMATS`, words by number of `words.toml`, and Python's formats."""

    def format_field(self, value: Any, form: str) -> str:
        """Write a placeholder's value; `form` is what stands after its colon."""
        name, _, noun = form.partition(" ")
        if name in WORDS["by_number"]:
            singular, plural = WORDS["by_number"][name]
            if value == 1:
                return singular
            return plural
        if name not in FORMATS:
            return format(value, form)
        if noun:
            return FORMATS[name](value, noun)
        return FORMATS[name](value)


def filled(text: str, /, **values: Any) -> str:
    """Fill the placeholders of a text, such as `{wait:time}` or `{jobs:count job}`.

    >>> filled("{jobs:count job} wait{jobs:s} {row[mean]:time}", jobs=1, row={"mean": 90.0})
    '1 job waits 1.5 min'
    """
    return _Sentence().vformat(text, (), values)


def say(name: str, /, **values: Any) -> str:
    """Return a sentence of `words.toml`, with its placeholders filled.

    >>> say("few_weeks", what="mean wait")
    'This log covers fewer than 13 weeks, too few to estimate a range for the mean wait.'
    """
    return filled(WORDS["says"][name], says=WORDS["says"], **values)


def written(conditions: Mapping[str, Any], /, **values: Any) -> list[str]:
    """Write the sentences whose condition holds; a sentence's {many} is the value of its condition.

    >>> written({"no_cost": True, "nobody_long": False, "why_never": 3})
    ['without more hardware', 'and 3 jobs never start']
    """
    return list(_sentences(conditions, **values))


def first(conditions: Mapping[str, Any], /, **values: Any) -> str:
    """Return the first sentence whose condition holds; "" if none does.

    >>> first({"no_cost": True, "band": True}), first({"no_cost": False})
    ('without more hardware', '')
    """
    return next(_sentences(conditions, **values), "")


def _sentences(conditions: Mapping[str, Any], /, **values: Any) -> Iterator[str]:
    """Yield the sentences whose condition holds."""
    for name, holds in conditions.items():
        if holds:
            yield say(name, many=holds, **values)
