"""A slip in a course's words.toml costs the course its words, never a page."""

import importlib
import random
import sys

import pytest
from driving import BROWSER, ROOT, each_lesson, unlocked, visit

from lessons import LESSONS
from ui.base import lesson as lessons
from ui.base import own_words, words
from ui.base.lesson import Lesson, once
from ui.base.words import LessonError, load

MUTATIONS = 25
#: The same at night, and at how many of them a lesson's pages are opened.
MANY = 300
OPENED = 6


def mutated(text: str, rng: random.Random) -> str:
    """Lose, double, or swap a character, a word, or a line of a text."""
    unit = rng.choice(("", " ", "\n"))
    parts = text.split(unit) if unit else list(text)
    at = rng.randrange(len(parts) - 1)
    kind = rng.choice(("lose", "double", "swap"))
    if kind == "lose":
        parts.pop(at)
    elif kind == "double":
        parts.insert(at, parts[at])
    else:
        parts[at], parts[at + 1] = parts[at + 1], parts[at]
    return unit.join(parts)


def text_of(page: str) -> str:
    """The shipped words of a lesson, as they are written."""
    return (ROOT / "lessons" / page / "words.toml").read_text(encoding="utf-8")


def made_anew(page: str) -> Lesson:
    """A lesson as a server makes it that starts now."""
    own_words.USED.clear()
    own_words.REFUSED.clear()
    return importlib.reload(sys.modules[f"lessons.{page}"]).LESSON


def write(folder, page: str, text: str):
    (folder / page).mkdir(parents=True, exist_ok=True)
    (folder / page / "words.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_no_slip_in_a_file_ends_in_anything_but_a_sentence(lesson, tmp_path):
    text = text_of(lesson.page)
    names = lesson.values(lesson.settings()).keys()
    rng = random.Random(lesson.page)
    for _ in range(MUTATIONS):
        folder = write(tmp_path, lesson.page, mutated(text, rng))
        for sentence in own_words.check(folder, {lesson.page: lambda: names}):
            assert sentence.startswith(f"{lesson.page}/words.toml")


@each_lesson("nightly")
def test_the_shipped_words_are_in_order_as_a_courses_own(lesson, tmp_path):
    folder = write(tmp_path, lesson.page, text_of(lesson.page))
    names = lesson.values(lesson.settings()).keys()
    assert list(own_words.check(folder, {lesson.page: lambda: names})) == []


@pytest.mark.nightly
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_the_app_takes_what_the_check_takes_and_every_page_opens(lesson, tmp_path, monkeypatch):
    page = lesson.page
    for held, name in ((own_words, "USED"), (own_words, "REFUSED")):
        monkeypatch.setattr(held, name, [])
    monkeypatch.setitem(words._IN_USE, page, load(page))
    names = lesson.values(lesson.settings()).keys()
    rng = random.Random(f"{page} at night")
    for number in range(MANY):
        folder = write(tmp_path, page, mutated(text_of(page), rng))
        faults = list(own_words.check(folder, {page: lambda: names}))
        assert not any("cannot be used" in one for one in faults)
        if number % (MANY // OPENED):
            continue
        monkeypatch.setenv(own_words.SETTING, str(folder))
        monkeypatch.setitem(lessons._MENU, page, made_anew(page))
        monkeypatch.delenv(own_words.SETTING)
        assert bool(own_words.REFUSED) == bool(faults)
        for app in (visit(page), unlocked(page), unlocked(page, BROWSER), visit("staff")):
            assert not app.exception and app.title
    once.cache_clear()


@pytest.mark.parametrize(
    "slip", ["{on_target:either good}", "{on_target:either good/}", "{wait:time", "wait}"]
)
def test_a_number_with_a_slip_is_named_and_the_shipped_words_stand_in(slip, tmp_path, monkeypatch):
    page = "autoscaling"
    lesson = next(one for one in LESSONS if one.page == page)
    names = lesson.values(lesson.settings()).keys()
    folder = write(tmp_path, page, f"takeaways = ['''It is {slip}.''']\n")
    assert len(list(own_words.check(folder, {page: lambda: names}))) == 1
    monkeypatch.setenv(own_words.SETTING, str(folder))
    monkeypatch.setattr(own_words, "REFUSED", [])
    assert own_words.over(page, lambda: names) == load(page) and own_words.REFUSED


@pytest.mark.parametrize(
    "calls",
    [
        "[a link][1]\n\n> [1]: /a.png",
        "[a link][1]\n\n- > [1]: /a.png",
        "<irc://course.example/x>",
        "<tel:123>",
        "irc://course.example",
        "dean@course.example",
        "http&colon;//course.example",
        r"http\://course.example",
    ],
)
def test_a_link_is_refused_by_whichever_way_it_comes(calls, tmp_path):
    page = "utilization_trap"
    folder = write(tmp_path, page, f"[message]\ntext = '''So slow {calls} today?'''\n")
    with pytest.raises(LessonError, match="must not contain images, links, or HTML"):
        own_words.merged(folder, page, set())


def test_a_test_of_an_option_that_names_no_setting_is_refused_by_the_check(tmp_path):
    page = "io_bottleneck"
    slip = text_of(page).replace(
        "settings = { accelerators = 8 }", "settings = { acelerators = 8 }"
    )
    lesson = next(one for one in LESSONS if one.page == page)
    names = lesson.values(lesson.settings()).keys()
    faults = list(own_words.check(write(tmp_path, page, slip), {page: lambda: names}))
    assert any("acelerators, which is not a setting" in fault for fault in faults)
