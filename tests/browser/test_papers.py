"""What is printed, on paper and on a phone: a lecture's results and scripts, and the report of a
cluster.
"""

import re

from lessons import LESSONS
from physics.cluster import (
    calibrate,
    parse_change,
    report,
    synthetic_log,
    to_html,
    what_happened,
    what_if,
)
from polls import rehearsal
from polls.store import Poll
from ui.classes import after_class, questions, results
from ui.page import script

CORE = [lesson for lesson in LESSONS if lesson.script]


def prints(page, html: str, most: int) -> None:
    """A document takes so many sheets at most, and a phone scrolls it down only."""
    page.set_content(html)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= most
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_results_of_an_hour_print_on_two_sheets_and_fit_a_phone(page):
    asked = [
        questions.find(name, {})
        for lesson in CORE
        for name in (lesson.id, f"{lesson.id}/reflection")
    ][:6]
    found = {one.id: {} for one in asked}
    for one in asked:
        for number in (1, 2):
            cast = [answer for answer, *_ in rehearsal.ballots(one.ids, one.right, number, one.id)]
            found[one.id][number] = {answer: cast.count(answer) for answer in one.ids}
    answered = results.outcomes(found, found, {})
    prints(
        page,
        after_class.page(Poll("ABCDEF", "trap", 2, "revealed"), answered, "2026-03-01").decode(),
        2,
    )


def test_the_longest_speakers_scripts_print_on_two_sheets_and_fit_a_phone(page):
    for lesson in sorted(CORE, key=lambda lesson: len(script.to_html(lesson)))[-2:]:
        prints(page, script.to_html(lesson).decode(), 2)


def test_the_report_of_a_cluster_prints_on_one_page_and_fits_a_phone(page):
    jobs = synthetic_log(seed=5, days=70)
    jobs["job_class"] += "_of_a_site_with_long_names"
    happened = what_happened(jobs, 1024)
    found = calibrate(jobs, 1024)
    texts = [
        "policy=priority,backfill=easy,reserved=32",
        *(f"gpus=+{more},estimates=perfect" for more in range(8, 80, 8)),
    ]
    tried = {
        text: what_if(jobs, 1024, found, parse_change(text, found.policy, 1024)) for text in texts
    }
    prints(page, to_html(report(happened, found, tried, jobs.attrs["digest"])), 1)
