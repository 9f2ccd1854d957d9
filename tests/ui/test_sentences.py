"""A lesson's sentences: its words hold them, its settings their numbers; and each is swept over the
settings.
"""

import random
import re
from dataclasses import dataclass
from typing import ClassVar

import pytest
from driving import at_share, quick
from odd_texts import odd

from lessons import LESSONS
from ui.base import words
from ui.base.lesson import Metric
from ui.base.lesson.view import listed
from ui.base.sentences import Sentences
from ui.base.words import LessonError
from ui.charts.look import Look
from ui.knobs.declared import knobs_of

#: Lessons that simulate take minutes, with few replications, too: their sweeps wait for the night.
SIMULATED = ("policy", "stutter", "place")
SWEPT = [
    pytest.param(lesson, id=lesson.page, marks=[pytest.mark.nightly] * (lesson.id in SIMULATED))
    for lesson in LESSONS
]
#: What no sentence says: numbers that are none, a placeholder left over, a singular with several, a
#: minus before zero.
WRONG = re.compile(
    r"\bnan\b|\bNone\b(?! of)|\binf\b|\{\w|(?<![\d.,])1 (?:days|jobs|draws|GPUs)\b|[-−]0\b(?!\.)|  "
)


def at_random(lesson, number):
    """The defaults, every knob's ends, some settings at random, and all low ends at once."""
    knobs = {
        name: knob
        for name, knob in knobs_of(lesson.settings).items()
        if knob.kind != "text" and not callable(knob.high)
    }
    dice = random.Random(7)
    tried = [{}, *({name: at_share(knob, end)} for name, knob in knobs.items() for end in (0, 1))]
    tried += [
        {name: at_share(knob, dice.random()) for name, knob in knobs.items()} for _ in range(number)
    ]
    tried.append({name: at_share(knob, 0) for name, knob in knobs.items()})
    return [quick(lesson, changes) for changes in tried]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in range(1, 8))]
)
@pytest.mark.parametrize("lesson", SWEPT)
def test_every_sentence_that_a_page_can_show_is_whole_at_every_setting(lesson, part):
    """The ends of knobs and settings at random; one part in eight by day."""
    for settings in at_random(lesson, 24)[part::8]:
        for sentence in lesson.sentences(settings, Look()):
            assert not WRONG.search(sentence) and not odd(sentence), (settings, sentence)


@dataclass(frozen=True)
class Queue:
    page: ClassVar[str] = "fair_queueing"
    load: float = 0.5
    jobs: int = 1
    state: str = "idle"
    late: bool = False


SAY = Sentences(
    Queue, {"halves": lambda value: f"{value * 2:g} halves"}, {"busy": {"load": 0.98765, "jobs": 3}}
)


@pytest.mark.parametrize(
    ("placeholder", "text"),
    [
        ("load:share", "50%"),
        ("load:halves", "1 halves"),
        ("busy.load:share", "98.8%"),
        ("busy.load:share2", "99%"),
        ("story.jobs:count GPU", "1 GPU"),
        ("busy.jobs:count query/queries", "3 queries"),
        ("late:either misses/is within", "is within"),
        ("state", "idle"),
        ("load.real:share", "50%"),
        ("busy.load.real:share", "98.8%"),
        ("k.HOUR:time", "1 h"),
        ("k.TRAP_FLEET.high:number", "4,096"),
    ],
)
def test_a_placeholder_names_a_quantity_a_case_and_a_format(placeholder, text):
    assert words.PLACEHOLDER.findall(f"it is {{{placeholder}}}.") == [placeholder]
    assert SAY.written(placeholder, Queue()) == text
    assert SAY.live(Queue())[placeholder] == text and placeholder in SAY.live(Queue())


def test_a_line_of_headline_numbers_may_lack_a_help_and_be_colored_by_a_truth_value():
    lines = SAY.filled("Load | {load:share}\nIn time | yes | of all | | {late}", Queue())
    assert listed(lines) == [Metric("Load", "50%"), Metric("In time", "yes", "of all", good=False)]


@pytest.mark.parametrize(
    "placeholder", ["loads:share", "quiet.load", "load:percent", "story.__class__", "k.NONE:time"]
)
def test_what_there_is_not_is_refused_in_one_sentence(placeholder):
    with pytest.raises(LessonError, match=re.escape(f"{{{placeholder}}}")):
        SAY.written(placeholder, Queue())
    assert placeholder not in SAY.live(Queue())
