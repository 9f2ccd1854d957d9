"""For instructors: one page in the app and in docs/, whose tables come from the lessons."""

from driving import ROOT, all_text, keys, visit

from lessons import LESSONS
from ui.base.lesson import built_on
from ui.classes import playlist
from ui.instructors import page

CORE = [lesson for lesson in LESSONS if not lesson.theme]
DOCUMENT = (ROOT / "docs" / "for-instructors.md").read_text(encoding="utf-8")


def test_the_page_has_every_section_and_keeps_answers_folded():
    app = visit("instructors", {"_agent": "Mozilla/5.0"})
    assert not app.exception
    heads = [header.value for header in app.header]
    assert heads == [line[3:] for line in DOCUMENT.splitlines() if line.startswith("## ")]
    folds = {f"instructors_{lesson.id}" for lesson in LESSONS if lesson.staff}
    assert folds <= keys(app)
    first = page.misconceptions(LESSONS[0])[0]
    assert first not in all_text(app)
    opened = visit("instructors", {f"instructors_{LESSONS[0].id}": True})
    assert "95% busy means 5% idle" in all_text(opened)
    links = {link.proto.page for link in app.get("page_link")}
    assert {"exam", "rubric", "staff"} <= links


def test_every_lesson_has_its_objective_and_its_misconceptions_in_the_document():
    for lesson in LESSONS:
        assert lesson.objective.removeprefix("You can ")[:-1] in DOCUMENT, "run `python -m lessons`"
        assert f"### {lesson.title}" in DOCUMENT and len(page.misconceptions(lesson)) >= 3
        assert not lesson.theme or built_on(lesson) in DOCUMENT
    for text in page.SAYS.values():
        assert text.strip() in DOCUMENT


def test_the_plan_names_every_core_lesson_once_and_fits_its_sessions():
    rows = [row for row in page.SAYS["plan"].splitlines() if row.startswith("| Week")]
    assert len(rows) == 4
    named = [[lesson for lesson in CORE if lesson.title in row] for row in rows]
    assert sorted(lesson.id for row in named for lesson in row) == sorted(one.id for one in CORE)
    for row in named:
        plans = [playlist.shipped()[f"{lesson.id}/30"].encode() for lesson in row]
        assert sum(playlist.read(plan).minutes for plan in plans) <= 60


def test_the_lessons_that_retell_the_drafts_are_named_with_their_lab():
    rows = dict(page.book()[1:])
    assert rows["Utilization trap"] == "volume 2, lab 08"
    assert rows["I/O bottleneck"] == "volume 2, lab 04"
    assert len(rows) == sum(lesson.drafted is not None for lesson in LESSONS)
