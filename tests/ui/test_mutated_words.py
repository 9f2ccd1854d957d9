"""A slip in a course's words.toml costs the course its words, never a page."""

import random

import pytest
from driving import ROOT

from lessons import LESSONS
from ui.base import own_words
from ui.base.words import LessonError, load

MUTATIONS = 25


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


def write(folder, page: str, text: str):
    (folder / page).mkdir(parents=True, exist_ok=True)
    (folder / page / "words.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_no_slip_in_a_file_ends_in_anything_but_a_sentence(lesson, tmp_path):
    text = (ROOT / "lessons" / lesson.page / "words.toml").read_text(encoding="utf-8")
    names = lesson.values(lesson.settings()).keys()
    rng = random.Random(lesson.page)
    for _ in range(MUTATIONS):
        folder = write(tmp_path, lesson.page, mutated(text, rng))
        for sentence in own_words.check(folder, {lesson.page: lambda: names}):
            assert sentence.startswith(f"{lesson.page}/words.toml")


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
    with pytest.raises(LessonError, match="no image, no link and no HTML"):
        own_words.merged(folder, page, set())
