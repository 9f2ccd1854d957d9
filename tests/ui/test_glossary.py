"""The glossary: every word of the field that a lesson uses first is explained where it is used."""

import re

import pytest
from driving import (
    BROWSER,
    ROOT,
    all_text,
    each_lesson,
    each_picture,
    elements,
    keys,
    put,
    texts,
    visit,
)

from lessons import LESSONS as COURSE
from ui.page.glossary import frame, glossary, shown_first, used_in, words_of

ASKED_FOR = (
    "server, utilization, FIFO, backfill, EASY, preemption, gang, slice, checkpoint, replication, "
    "standard error, SCV, "
    "knee, executor, dominant share, ANTT, STP, moldable, oversubscription, prefix, GET, HPA, "
    "decode, batch, "
    "node link, CEEI, half-life, aging, ring all-reduce, roofline, max-min, bandit, regret, quota, "
    "borrowing, "
    "forecast, reserve"
)
#: Short names that need no glossary: units, products, and what the sentence itself spells out.
KNOWN = {"CPU", "GB", "TB", "MB", "JPEG", "CTO", "ML"}


def test_the_glossary_has_the_words_that_a_newcomer_stumbles_over_each_once_and_in_one_clause():
    names = [term.name for term in glossary()]
    assert set(ASKED_FOR.split(", ")) <= set(names)
    assert len({name.casefold() for name in names}) == len(names)
    assert not [
        one.name
        for one in glossary()
        if len(one.says) > 120 or one.says.endswith(".") or ". " in one.says
    ]


@pytest.mark.parametrize("term", glossary(), ids=lambda term: term.name)
def test_the_lesson_that_a_term_names_uses_it(term):
    room = ROOT / "lessons" / term.page
    written = [
        path.read_text(encoding="utf-8") for path in (*room.glob("*.toml"), *room.glob("*.py"))
    ]
    assert any(term.pattern.search(text.replace("_", " ")) for text in written)


def test_definitions_give_no_answer_away():
    for term in glossary():
        # An answer is a number, or the words of a right option.
        assert not re.search(r"\d", term.says), term.name
    said = " ".join(term.says for term in glossary()).casefold()
    for lesson in COURSE:
        for question in (lesson.prediction, lesson.reflection):
            assert question.option(question.right).text.rstrip(".").casefold() not in said


def test_a_term_is_found_as_a_whole_word_in_its_spellings_and_get_is_not_GET():
    found = used_in(["Two servers get a GPU-hour.", "Backfilling, EASY"])
    assert [term.name for term in found] == ["server", "GPU", "backfill", "EASY"]
    assert not used_in(["easy to get; an observer sliced it"])


def listed(app) -> list[str]:
    """The names that a page's “Words” explains, in order."""
    return re.findall(
        r"^- \*\*(.+?)\*\*: ", next(m.value for m in app.markdown if "- **" in m.value), re.M
    )


@each_lesson()
def test_every_word_of_the_field_that_a_lesson_uses_first_is_explained_on_its_page(lesson):
    app = visit(lesson)
    sent = all_text(app)
    for term in used_in(shown_first(lesson)):
        assert f"**{term.name}**: {term.says}." in sent, term.name
    assert listed(app) == [term.name for term in used_in(shown_first(lesson))]


@pytest.mark.slow
@each_picture()
def test_every_word_of_the_field_in_sight_after_the_lock_is_explained_on_its_page(lesson, view):
    state = {
        "predictions": {lesson.id: "skipped"},
        f"{lesson.id}_words": True,
        f"{lesson.id}_view": view.id,
    }
    app = visit(lesson, BROWSER | state)
    explained = next(text for text in texts(app) if "- **" in text)
    links = {element.label for element in elements(app) if element.type == "page_link"}
    said = [text for text in texts(app) if text not in links and text != explained]
    # Said on the spot: "System throughput … the sum of the speeds". A class poll of one's own is no
    # lesson's.
    missing = {term.name for term in used_in(said)} - set(listed(app)) - {"STP"}
    assert not missing
    assert {term.name for term in words_of(lesson, locked=False)} <= set(listed(app))


@each_lesson()
def test_what_a_lesson_shows_first_has_no_short_name_that_nobody_explains(lesson):
    shown = shown_first(lesson)
    terms = used_in(shown)
    for text in shown:
        for short in re.findall(r"\b[A-Z]{2,}\b", text):
            known = short in KNOWN or any(term.pattern.fullmatch(short) for term in terms)
            assert known or re.search(rf"\({short}\)|{short} \(", text), f"{short} in “{text}”"


def test_a_browser_is_sent_the_words_when_it_opens_them():
    app = visit("utilization_trap", BROWSER)
    meaning = next(t.says for t in glossary() if t.name == "utilization")
    assert "trap_words" in keys(app) and meaning not in all_text(app)
    assert meaning in all_text(visit("utilization_trap", BROWSER | {"trap_words": True}))


def test_the_page_lists_every_word_and_finds_them():
    app = visit("glossary")
    assert not app.exception and len(app.table[0].value) == len(frame()) == len(glossary())
    found = put(app, "glossary_search", "NOTEBOOK sharing cores").table[0].value
    assert 0 < len(found) < 10 and "moldable" in found.index
    assert not put(app, "glossary_search", "zzzz nothing").table and any(
        "No matches" in one.value for one in app.markdown
    )
