"""Numbers that a model gives have at most three digits in verdicts and headline numbers, and no
standard error.
"""

import re

import pytest

from lessons import LESSONS
from ui.knobs.declared import read

#: Lessons in which this is so, and what may have more: settings, prices and what is told apart from
#: a limit.
IDS = ("trap", "share", "notebooks", "drf", "slices", "io", "storage")
NUMBER = re.compile(r"(?<![\w.,$])\d[\d,]*(?:\.\d+)?")
GIVEN = re.compile(r"[\d,.]+ (?:GPUs?|servers?|places?|nodes?|GB/s)|(?:of|\$)\s?[\d,.]+")


def digits(text: str) -> int:
    """Significant digits of a written number; zeros at its end do not count."""
    return len(text.replace(",", "").replace(".", "").lstrip("0").rstrip("0"))


@pytest.mark.parametrize(
    "lesson", [one for one in LESSONS if one.id in IDS], ids=lambda lesson: lesson.id
)
def test_headline_numbers_and_verdicts_have_at_most_three_digits(lesson):
    for name, preset in lesson.presets.items():
        settings = read(lesson.settings, preset.changes)[0]
        said = [f"{one.value}; {one.note}" for one in lesson.metrics(settings)] + [
            lesson.verdict(settings).text
        ]
        for text in said:
            assert "±" not in text, (name, text)
            left = GIVEN.sub("", text)
            long = [
                one
                for one in NUMBER.findall(left)
                if digits(one) > 3 and not one.startswith(("99.9", "0.999"))
            ]
            assert not long, (name, text)
