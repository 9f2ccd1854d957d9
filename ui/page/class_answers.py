"""Answers of a class on a lesson's chart, next to the visitor's guess.

A lesson draws one guess, with the words “you said”. What it adds to its chart for an option, and
takes away, is the option's mark; so the marks of several options are put on one chart, each with
the words of whoever said it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import streamlit as st

from ui.base import state
from ui.base.device import render_text
from ui.base.lesson import Figure, Lesson
from ui.charts.look import stack

_YOU = "you said"
#: What is added where the answers of the two votes differ.
ROUNDS = {1: " at first", 2: " in the end"}
#: Columns of a chart's rows that hold words.
_WORDS = ("label", "short")


def winners(lesson: Lesson) -> Mapping[int, str]:
    """Return the most frequent answer in each revealed round of the visitor's class.

    None on a tie.
    """
    code = state.get(state.CLASS_JOINED) or state.get("_class_code")
    if not code:
        return {}
    from ui.record import polls  # only who is in a class needs a database

    answers = polls.winners(lesson, str(code))
    return {number: answer for number, answer in answers.items() if answer in lesson.prediction.ids}


def by_option(guess: str | None, won: Mapping[int, str], who: str = "the class") -> dict[str, str]:
    """Return who gave each answer ("you", "your class"), as text by option.

    >>> by_option("a", {1: "a", 2: "c"})
    {'a': 'you and the class said at first', 'c': 'the class said in the end'}
    >>> by_option(None, {1: "b", 2: "b"})
    {'b': 'the class said'}
    """
    texts = {guess: _YOU} if guess else {}
    is_one_answer = len(set(won.values())) == 1
    for number, option in won.items():
        and_you = "you and " if option == guess else ""
        texts[option] = f"{and_you}{who} said{'' if is_one_answer else ROUNDS[number]}"
    return texts


def together(draw: Callable[..., Figure], guess: str | None, won: Mapping[int, str]) -> Figure:
    """Draw the figure with the visitor's guess and the class's answers.

    `draw` makes it with one `guess`.
    """
    if not won:
        return draw(guess=guess)
    baseline = draw(guess=None).cells
    rows = list(baseline)
    for option, speakers in by_option(guess, won, _class()).items():
        answered = draw(guess=option).cells
        rows = _but(rows, _but(baseline, answered))
        rows += [_spoken(row, speakers) for row in _but(answered, baseline)]
    return replace(draw(guess=guess), rows=stack(rows))


def words(lesson: Lesson, won: Mapping[int, str]) -> None:
    """Show the class's answers as text below the visitor's, because not every answer has a position
    on a chart.
    """
    for option, words in by_option(None, won, _class()).items():
        st.caption(render_text(f"{words.capitalize()}: {lesson.prediction.option(option).text}"))


def _class() -> str:
    """A rehearsal's votes are nobody's."""
    if state.get(state.CLASS_SIMULATED):
        return "the simulated class"
    return "the class"


def _but(rows: Iterable[dict], others: Iterable[dict]) -> list[dict]:
    """Those rows that are not among the others."""
    row_sets = {frozenset(row.items()) for row in others}
    return [row for row in rows if frozenset(row.items()) not in row_sets]


def _spoken(row: Mapping, words: str) -> dict:
    """A row of a guess, in the words of whoever said it; a chart parts lines by `said`."""
    spoken = {name: str(row[name]).replace(_YOU, words) for name in _WORDS if name in row}
    return {**row, **spoken, "said": words}
