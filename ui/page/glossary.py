"""Glossary of technical terms: each lesson's key terms, and the table of all terms."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import pandas as pd

from ui.base import device
from ui.base.lesson import Lesson, menu
from ui.base.records import Table
from ui.base.words import FOLDER, parsed
from ui.knobs.declared import knobs_of
from ui.page import prediction


@dataclass(frozen=True)
class Term:
    """Technical term with its explanation in the glossary."""

    name: str
    says: str  #: its meaning, in one clause
    page: str  #: id of the page of the lesson that explains it
    forms: tuple[str, ...] = ()  #: further spellings to look for
    also: tuple[str, ...] = ()  #: pages of lessons that use it only in a later view or in a value

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Pattern that finds the term as a whole word, plurals included.

        Only a spelling with capitals is case-sensitive.
        """
        spellings = []
        for form in (self.name, *self.forms):
            spelling = re.escape(form)
            spellings.append(f"(?i:{spelling})" if form == form.lower() else spelling)
        return re.compile(rf"(?<!\w)(?:{'|'.join(spellings)})(?:e?s)?(?!\w)")


@lru_cache(maxsize=1)
def glossary() -> tuple[Term, ...]:
    """Return the terms of `lessons/glossary.toml` in the order of the file.

    Raises
    ------
    LessonError
        If the file is invalid: one sentence with the file, the table, and the key.
    """
    name = "glossary.toml"
    top = Table(name, "", parsed(FOLDER / name, name))
    terms = []
    for table in top.tables("terms"):
        term = table.record(Term, ("lesson",), page="")
        terms.append(replace(term, page=table.value("lesson")))
    for key in sorted(top.raw.keys() - {"terms"}):
        raise top.error(key, "is not a key of this table")
    return tuple(terms)


def used_in(texts: Iterable[str]) -> tuple[Term, ...]:
    """Return the glossary's terms in these texts, in the order of their first use.

    >>> [term.name for term in used_in(["Get a gang of servers.", "No gang waits."])]
    ['gang', 'server']
    """
    return _used_in("\n".join(texts))


@lru_cache(maxsize=64)
def _used_in(text: str) -> tuple[Term, ...]:
    """Return the glossary's terms in a text, in the order of their first use."""
    starts = {}
    for term in glossary():
        match = term.pattern.search(text)
        if match:
            starts[term] = match.start()
    return tuple(sorted(starts, key=starts.__getitem__))


def shown_first(lesson: Lesson) -> list[str]:
    """List the texts before the prediction is locked in, including those of disabled settings."""
    texts = list(lesson.texts_before_lock)
    for knob in knobs_of(lesson.settings).values():
        texts += [knob.label, knob.help]
        if isinstance(knob.options, dict):
            texts += knob.options.values()
    return texts


def words_of(lesson: Lesson, locked: bool) -> tuple[Term, ...]:
    """Return the terms that a lesson's page uses.

    Once the prediction is locked in, the terms that appear only then are included, and so are the
    terms that name this lesson in the glossary.
    """
    first = used_in(shown_first(lesson))
    if not locked:
        return first
    texts = [*lesson.views.values(), *(preset.words for preset in lesson.presets.values())]
    if lesson.challenge:
        texts.append(lesson.challenge.task())
    later = used_in([*texts, *lesson.says.values(), *lesson.texts_after_lock])
    own = (term for term in glossary() if lesson.page in (term.page, *term.also))
    return tuple(dict.fromkeys((*first, *later, *own)))


def offer(lesson: Lesson) -> None:
    """Draw a popover with the lesson's key terms, which it loads when opened."""
    key = f"{lesson.id}_words"
    icon = ":material/dictionary:"
    box = device.popover("Key terms", key, icon, type="tertiary", width="content")
    if box:
        terms = words_of(lesson, prediction.is_locked(lesson))
        box.markdown("\n".join(f"- **{term.name}**: {term.says}." for term in terms))


@lru_cache(maxsize=1)
def frame() -> pd.DataFrame:
    """Table of all terms by name: meaning, and title of the lesson that explains the term."""
    titles = {lesson.page: lesson.title for lesson in menu()}
    rows = sorted(glossary(), key=lambda term: term.name.casefold())
    return pd.DataFrame(
        {"Word": term.name, "What it means": term.says, "Lesson": titles[term.page]}
        for term in rows
    )
