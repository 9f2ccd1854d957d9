"""The words of every lesson load, and a mistake in a file is one sentence with file, table and key."""

import importlib
import re
from pathlib import Path

import pytest
from driving import ROOT, texts, unlocked

from lessons import LESSONS as COURSE
from ui.base.words import FOLDER, LessonError, fill, load, read
from ui.knobs.widgets import Knobs
from ui.page.shell import Page

PAGES = [lesson.page for lesson in COURSE]
HEAVY = [pytest.param(page, marks=pytest.mark.slow) if page == "scheduling_policy" else page for page in PAGES]


@pytest.mark.parametrize("page", HEAVY)
def test_a_lesson_has_words_a_page_and_a_number_for_every_placeholder(page):
    lesson = load(page)
    assert (ROOT / lesson.path).exists()
    view = importlib.import_module(f"lessons.{page}").view
    values = view.live_values(view.defaults())
    assert lesson.placeholders() <= set(values)
    assert all(isinstance(value, str) and value for value in values.values())


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_kept_settings_are_enough_to_compute_the_results_again(page):
    view = importlib.import_module(f"lessons.{page}").view
    record = unlocked(page).session_state["ledger"][load(page).id]
    again = {result.label: result.text for result in view.results(view.settings(record["settings"]))}
    assert record["results"] == again and again


@pytest.mark.parametrize("page", PAGES)
def test_the_view_names_the_constant_of_every_number_knob(page, monkeypatch):
    drawn = {}

    def watched(draw):
        def draw_and_note(self, name, label, constant, *rest, **options):
            drawn[name] = constant
            return draw(self, name, label, constant, *rest, **options)

        return draw_and_note

    for kind in ("slider", "number", "steps"):
        monkeypatch.setattr(Knobs, kind, watched(getattr(Knobs, kind)))
    app = unlocked(page)
    assert not app.exception and drawn
    named = importlib.import_module(f"lessons.{page}").view.KNOBS
    assert set(named) == set(drawn)
    assert all(named[name] is drawn[name] for name in drawn)


@pytest.mark.parametrize("page", PAGES)
def test_a_lesson_says_something_about_every_option(page):
    lesson = load(page)
    for question in (lesson.prediction, lesson.reflection, *lesson.predictions.values()):
        assert question.ids == ("a", "b", "c", "d")
        assert len({option.feedback for option in question.options}) == 4


@pytest.mark.parametrize("page", PAGES)
def test_staff_find_a_plan_for_every_lesson_and_what_it_quotes_is_on_the_page(page, monkeypatch):
    seen, views = set(), Page.views

    def noted(self, options):
        seen.update(options.values())
        return views(self, options)

    monkeypatch.setattr(Page, "views", noted)
    seen.update(texts(unlocked(page)))
    staff = load(page).staff
    assert staff is not None and len(staff.heard) >= 3
    quoted = re.findall("“(.+?)”", f"{staff.ten} {staff.thirty}")
    assert quoted and set(quoted) <= seen


def test_lessons_are_numbered_without_a_gap_and_have_ids_of_their_own():
    found = COURSE
    assert [lesson.order for lesson in found] == list(range(1, len(PAGES) + 1))
    assert len({lesson.id for lesson in found}) == len(found)


GOOD = (FOLDER / "utilization_trap" / "words.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("find", "put", "says"),
    [
        (r'title = "Utilization trap"', "", "broken.toml: key title: is missing"),
        (r"order = 1", 'order = "one"', "broken.toml: key order: must be a whole number, found 'one'"),
        (r"right = true", "", "table [prediction], key options: exactly one option must have right = true, found 0"),
        (r'id = "d"', 'id = "e"', "table [prediction], key options: ids must be a, b, c, d in order, found a, b, c, e"),
        (r'feedback = "More', 'feedbak = "More', "table [prediction.options 1], key feedback: is missing"),
        (r"What do I answer\?", "It is {wait}.", "{wait} stands in a text that is shown before the lock"),
        (r'id = "trap"', 'id = "trap"\ncolour = "red"', "broken.toml: key colour: is not a key of this table"),
        (r'\[message\]\nsender = "[^"]*"', "[message]", "table [message], key sender: is missing"),
        (r'id = "trap"', "id = ", "broken.toml: not valid TOML"),
    ],
)
def test_a_mistake_in_a_lesson_is_one_sentence(tmp_path: Path, find, put, says):
    text, changed = re.subn(find, lambda _: put, GOOD, count=1)
    assert changed
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as refusal:
        read(path)
    sentence = str(refusal.value)
    assert says in sentence and sentence.startswith("broken.toml") and "\n" not in sentence


def test_two_right_options_are_refused(tmp_path: Path):
    path = tmp_path / "broken.toml"
    path.write_text(GOOD.replace('id = "a"', 'id = "a"\nright = true', 1), encoding="utf-8")
    with pytest.raises(LessonError, match="exactly one option must have right = true, found 2"):
        read(path)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path):
    with pytest.raises(LessonError, match=r"gone.toml: there is no such file"):
        read(tmp_path / "gone.toml")


def test_a_number_that_the_page_does_not_compute_is_refused():
    with pytest.raises(LessonError, match=r"no value for \{wait\}"):
        fill("The wait is {wait}.", {})
