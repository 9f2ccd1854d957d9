"""The papers of a lecture: its results and its script."""

import re

from lessons import LESSONS
from polls import rehearsal
from polls.store import Poll
from ui.classes import after_class, questions, results
from ui.page import script

CORE = [lesson for lesson in LESSONS if lesson.script]


def sheets(page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_the_results_of_an_hour_print_on_two_sheets_and_fit_a_phone(page):
    asked = [questions.find(name, {}) for lesson in CORE for name in (lesson.id, f"{lesson.id}/reflection")][:6]
    found = {one.id: {} for one in asked}
    for one in asked:
        for number in (1, 2):
            cast = [answer for answer, *_ in rehearsal.ballots(one.ids, one.right, number, one.id)]
            found[one.id][number] = {answer: cast.count(answer) for answer in one.ids}
    answered = results.outcomes(found, found, {})
    page.set_content(after_class.page(Poll("ABCDEF", "trap", 2, "revealed"), answered, "2026-03-01").decode())
    assert sheets(page) <= 2
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_longest_speakers_scripts_print_on_two_sheets_and_fit_a_phone(page):
    for lesson in sorted(CORE, key=lambda lesson: len(script.to_html(lesson)))[-2:]:
        page.set_content(script.to_html(lesson).decode())
        assert sheets(page) <= 2, lesson.page
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, lesson.page
