"""Rules of the page's flow, for every lesson."""

import re
from collections import Counter

import pytest
from driving import at_share, each_lesson, each_picture, quick

from lessons import LESSONS
from ui.base.lesson import Film, Lesson
from ui.charts.look import Look
from ui.knobs.declared import knobs_of

LOOK = Look()


def seen(lesson: Lesson, view, settings) -> list:
    """What a view shows at some settings: numbers, verdict, and the picture's rows."""
    found = [str(one) for one in lesson.speaker(view, "metrics")(settings)]
    if isinstance(view, Film):
        shown = view.showing(settings)
        return [*found, shown.alt, shown.film.boxes.to_csv()]
    return [*found, *(figure.rows.to_pylist() for figure in view.figures(settings, LOOK))]


def movers(lesson: Lesson, view, names) -> list[str]:
    """Those of some knobs that change what a view shows, the others at the message's case."""
    found = []
    knobs = knobs_of(lesson.settings)
    now = seen(lesson, view, quick(lesson, {}))
    for name in names:
        number = knobs[name].constant is not None and not knobs[name].positions
        if number:
            values = [at_share(knobs[name], end) for end in (0, 1)]
        else:
            values = knobs[name].values({})
        turned = (quick(lesson, {name: value}) for value in values)
        if any(seen(lesson, view, one) != now for one in turned):
            found.append(name)
    return found


@each_picture()
def test_every_knob_in_sight_does_something_in_the_picture_in_sight(lesson, view):
    assert movers(lesson, view, view.knobs) == list(view.knobs)


#: Pictures that are not a simulation of seconds.
QUICK = [one for one in each_picture().args[1] if not one.values[0].coarse]


@pytest.mark.nightly
@pytest.mark.parametrize(("lesson", "view"), QUICK)
def test_a_knob_out_of_sight_is_named_beside_a_picture_if_it_moves_that(lesson, view):
    knobs = knobs_of(lesson.settings)
    # A text has no list of values to try.
    hidden = [name for name in knobs if name not in view.knobs and knobs[name].kind != "text"]
    named = {name for name in view.also if knobs[name].kind != "text"}
    assert set(movers(lesson, view, hidden)) == named - set(view.knobs)


def questions(lesson: Lesson):
    return (
        lesson.prediction,
        lesson.reflection,
        *(lesson.transferred(one.id, 0) for one in lesson.transfer),
    )


def test_each_place_is_right_in_a_fifth_to_a_third_of_all_questions():
    asked = [question for lesson in LESSONS for question in questions(lesson)]
    right = Counter(question.letter(question.right) for question in asked)
    assert all(len(asked) / 5 <= right[letter] <= len(asked) / 3 for letter in "ABCD"), right


@each_lesson()
def test_all_options_give_a_reason_or_none_and_each_has_a_feedback_of_its_own(lesson):
    reason = re.compile(r"[;:]|\bbecause\b|\bsince\b|, (so|as|for)\b")
    for question in questions(lesson):
        assert len({bool(reason.search(option.text)) for option in question.options}) == 1, (
            question.text
        )
    for question in (lesson.prediction, lesson.reflection):
        assert len({option.feedback for option in question.options}) == 4


def test_the_right_option_is_not_known_by_its_length():
    told = []
    for question in (question for lesson in LESSONS for question in questions(lesson)):
        lengths = sorted(len(option.text) for option in question.options if not option.right)
        right = len(question.option(question.right).text)
        told.append(right > 4 / 3 * lengths[-1] or right < 3 / 4 * lengths[0])
    assert sum(told) <= len(told) / 3


@each_lesson()
def test_every_option_has_a_case_on_the_page(lesson):
    for option in lesson.prediction.options:
        assert option.test and option.test.settings.keys() <= knobs_of(lesson.settings).keys(), (
            option.id
        )
        assert option.test.view in (None, *lesson.views), option.id
