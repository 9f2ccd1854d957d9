"""A server that has just started: its first page imports no lesson that nobody has opened, and
whoever comes second meets whole pages.
"""

import asyncio
import subprocess
import sys

import pytest
from serving import ROOT, Server, talk

from benchmarks.versions import names, path_of
from benchmarks.visitor import Visitor
from lessons import LESSONS
from ui.base.lesson import menu, with_page

IMPORTED = """
import sys
{}
print(*sorted(name for name in sys.modules if name.startswith("lessons.") or name == "altair"))
"""


def imported(code: str) -> set[str]:
    """Return which lessons a new process has imported after some code, and whether Altair."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(code)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {".".join(name.split(".")[:2]) for name in done.stdout.split()}


@pytest.mark.slow
def test_what_home_needs_of_the_lessons_is_their_words():
    assert imported("import lessons") == set()
    assert imported("import lessons; from ui.base import lesson; lesson.menu()") == set()


@pytest.mark.slow
def test_what_the_class_page_offers_needs_the_lessons_words_alone():
    offers = "import lessons; from ui.classes import poll_page, questions; questions.offered({})"
    assert imported(offers) == set()


@pytest.mark.slow
def test_whoever_asks_for_one_lesson_gets_that_one():
    assert imported("from lessons import PLACEMENT") == {"altair", "lessons.placement"}
    assert len(imported("from lessons import LESSONS")) == 1 + len(LESSONS)


def test_the_menu_lists_the_lessons_in_order_with_the_same_words():
    assert [words.page for words in menu()] == [lesson.page for lesson in LESSONS]
    for words, lesson in zip(menu(), LESSONS, strict=True):
        assert lesson is with_page(words.page)
        assert {name: getattr(lesson, name) for name in vars(words)} == vars(words)


async def _opened_at_once(address: str, pages: list[str]) -> dict[str, list[str]]:
    """Open pages at the same moment; return what each shows as an error or, without one, its
    title.
    """

    async def opened(page: str) -> list[str]:
        async with Visitor(address, path_of(page, "page")) as visitor:
            await visitor.run()
            errors = [error.message for error in visitor.all("exception")]
            return errors or [heading.body for heading in visitor.all("heading")][:1]

    shown = await asyncio.gather(*map(opened, pages))
    return dict(zip(pages, shown, strict=True))


@pytest.mark.slow
def test_all_pages_opened_at_once_on_a_cold_server_are_complete():
    titles = {lesson.page: [lesson.title] for lesson in LESSONS}
    with Server() as server:
        shown = talk(_opened_at_once(server.url, names()))
    assert {page: shown[page] for page in titles} == titles
    assert shown["app"] == ["Fleet What-If"]
    assert shown["your_cluster"] == ["Your cluster"] and shown["class"] == ["Class"]


@pytest.mark.slow
@pytest.mark.parametrize("first", ["utilization_trap", "app", "your_cluster"])
def test_two_cold_pages_at_once_are_complete(first):
    with Server() as server:
        shown = talk(_opened_at_once(server.url, [first, "autoscaling"]))
    assert shown["autoscaling"] == ["Autoscaling"] and len(shown[first]) == 1
