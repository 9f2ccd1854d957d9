"""Numbers that a model gives have at most three digits in verdicts and headline numbers, and no
standard error.
"""

import math
import random
import re
from dataclasses import replace

import pytest

from lessons import LESSONS
from ui.base import format as f
from ui.knobs.declared import knobs_of, read

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


#: What a sentence says would be, after what it says is.
WOULD = re.compile(r"would \w+ it to ([\d.,]+%?)")


@pytest.mark.parametrize("tries", [1, pytest.param(12, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "lesson",
    [lesson for lesson in LESSONS if lesson.id in (*IDS, "spot", "fair", "autoscale")],
    ids=lambda lesson: lesson.id,
)
def test_what_would_be_differs_as_written_from_what_is_and_nines_end(lesson, tries):
    draw = random.Random(57)
    for _ in range(tries):
        changes = {}
        for name, knob in knobs_of(lesson.settings).items():
            values = list(knob.values({}) or [])
            if values:
                changes[name] = draw.choice(values)
        settings = read(lesson.settings, changes)[0]
        for view in lesson.pictures:
            text = lesson.speaker(view, "verdict")(view.shown(settings)).text
            for match in WOULD.finditer(text):
                before = NUMBER.findall(text[: match.start()])
                assert match[1].strip("%.") not in before, text
            assert "±" not in text and not re.search(r"99\.9{4,}", text), text


def test_a_mean_is_written_with_the_digits_of_its_interval():
    for value, half, text in ((23.4, 2.1, "23"), (8.4, 1.8, "8"), (6797.0, 310.0, "6,800")):
        assert f.significant(f.Mean(value, half)) == text
    assert f.duration(f.Mean(1404.0, 126.0)) == "23 min"
    assert f.share(f.Mean(0.7123, 0.012)) == "71%"


def test_a_simulated_wait_of_the_trap_has_no_more_digits_than_its_interval_allows():
    from lessons.utilization_trap.laboratory.simulation import found_words
    from lessons.utilization_trap.settings import Fleet
    from physics.queueing import Replications

    wide = Replications(10, 16056.0, 13000.0, 19112.0, 1.06e-3, 19656.0, 20.7)
    assert "mean wait 4.5 h," in found_words(Fleet(), wide)
    narrow = replace(wide, wait_low=16000.0, wait_high=16112.0)
    assert "mean wait 4.46 h," in found_words(Fleet(), narrow)
    first = replace(wide, runs=1, wait_low=-math.inf, wait_high=math.inf)
    assert "mean wait 4.46 h," in found_words(Fleet(), first)


def test_a_team_that_has_not_run_alone_has_no_time_alone_in_the_numbers():
    fair = next(lesson for lesson in LESSONS if lesson.id == "fair")
    notes = [one.note for one in fair.metrics(replace(fair.settings(), alone=0.0))]
    assert "A has not run alone" in notes and not any("0 s" in (note or "") for note in notes)
