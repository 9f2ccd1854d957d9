"""Answers of a class on a lesson's chart, next to the visitor's prediction.

A lesson's chart function draws one answer, labeled “you said”. The rows that it adds and removes
for an option are found by a comparison with the chart without an answer. So the answers of several
speakers can be combined on one chart, each labeled with its own speaker.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import streamlit as st

from ui.base import state
from ui.base.device import render_text
from ui.base.lesson import Figure, Lesson
from ui.charts.look import stack

_YOU = "you said"
#: Suffix for a round if the answers of the two votes differ.
ROUNDS = {1: " at first", 2: " in the end"}
#: Columns of a chart's rows that have text.
_TEXT_COLUMNS = ("label", "short")


def winners(lesson: Lesson) -> Mapping[int, str]:
    """Return the most frequent answer in each revealed round of the visitor's class, by round.

    A round that ended in a tie is left out.
    """
    code = state.get(state.CLASS_JOINED) or state.get("_class_code")
    if not code:
        return {}
    from ui.record import polls  # its database is needed only in a class

    answers = polls.winners(lesson, str(code))
    return {number: answer for number, answer in answers.items() if answer in lesson.prediction.ids}


def by_option(guess: str | None, won: Mapping[int, str], who: str = "the class") -> dict[str, str]:
    """Return text on who gave each answer, by option.

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
    """Return the chart with the visitor's guess and the class's answers.

    `draw` returns the chart for one `guess`, the id of an option or None.
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
    """Draw the class's answers as text, because not every answer has a position on a chart."""
    for option, speakers in by_option(None, won, _class()).items():
        answer = lesson.prediction.option(option).text
        st.caption(render_text(f"{speakers.capitalize()}: {answer}"))


def _class() -> str:
    """Return the name of the visitor's class; in a rehearsal the votes are simulated."""
    if state.get(state.CLASS_SIMULATED):
        return "the simulated class"
    return "the class"


def _but(rows: Iterable[dict], others: Iterable[dict]) -> list[dict]:
    """Return the rows that are not among the others."""
    row_sets = {frozenset(row.items()) for row in others}
    return [row for row in rows if frozenset(row.items()) not in row_sets]


def _spoken(row: Mapping, speakers: str) -> dict:
    """Return a row of a guess with its speakers; `said` keeps a chart from joining their lines."""
    texts = {name: str(row[name]).replace(_YOU, speakers) for name in _TEXT_COLUMNS if name in row}
    return {**row, **texts, "said": speakers}
