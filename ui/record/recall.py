"""Choice of transfer questions: one after the takeaways, and two on a later day.

Each lesson has a small bank of them, and each question has variants with other numbers. Who visits
and what day it is decide what is asked, so that a reload asks the same again; with the same numbers
a question is asked only once. A name such as "beds/0" is a question's id and the number of its
variant.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from itertools import chain, zip_longest
from random import Random

import streamlit as st

from ui.base import device
from ui.base.lesson import Lesson, menu
from ui.base.words import Words
from ui.record import ledger, local_storage

#: Questions of one day on the home page.
A_DAY = 2


def answered(lesson: Lesson, record: Mapping) -> list[ledger.Answer]:
    """List a record's answers to transfer questions in the format of `ui.record.report.answers`."""
    answers = []
    for name, entry in ledger.transfers(lesson, record.get("transfer")).items():
        question_id, _, number = name.partition("/")
        question = lesson.transferred(question_id, int(number))
        option = entry["answer"]
        right = option == question.right
        answers.append(ledger.Answer("Elsewhere", question, option, right, entry["at"]))
    return sorted(answers, key=lambda answer: answer.at)


def due(today: date) -> list[tuple[Words, str]]:
    """List today's review questions, at most `A_DAY`, as pairs of lesson and question name."""
    waiting = []
    for lesson in menu():
        done = ledger.record(lesson.id).get("reflected_at")
        finished = ledger.progress(lesson) == "finished" and ledger.is_time(done)
        if not finished or not lesson.transfer or day_of(str(done)) >= today:
            continue
        # What was answered today does not change what today asks.
        answers = ledger.grown(lesson, "transfer").items()
        days = {name: day_of(entry["at"]) for name, entry in answers}
        earlier = {name: day for name, day in days.items() if day < today}
        names_asked = {own(lesson), *earlier}
        opened = ledger.grown(lesson, "parts")
        # The core idea, which the first question is about, then the others, before one of them
        # comes with other numbers.
        variants = [
            [name for name in ledger.variants(question) if name not in names_asked]
            for question in lesson.transfer
            if not question.part or question.part in opened
        ]
        last_day = max([day_of(str(done)), *earlier.values()])
        toss = _dice(lesson, today).random()
        for number, name in enumerate(filter(None, chain(*zip_longest(*variants)))):
            waiting.append(((number, last_day, toss), (lesson, name)))
    # One lesson after the other, before one of them is asked again.
    waiting.sort(key=lambda entry: entry[0])
    return [entry for _, entry in waiting[:A_DAY]]


def own(lesson: Words) -> str:
    """Return the name of the question and variant at the end of a lesson, such as "beds/0"."""
    dice = _dice(lesson)
    question = dice.choice([candidate for candidate in lesson.transfer if not candidate.part])
    return f"{question.id}/{dice.randrange(len(question.variants))}"


def _dice(lesson: Words, today: date | None = None) -> Random:
    """Return the dice of a visitor, a lesson, and a day; a script, which is nobody, has the same in
    each run.
    """
    return Random(
        f"{local_storage.token('report') if device.in_browser() else ''} {lesson.id} {today or ''}"
    )


def day_of(time: str) -> date:
    """Return the visitor's local date of a recorded time, if the browser's time zone is known."""
    ahead = -max(-840, min(840, st.context.timezone_offset or 0))
    return datetime.fromisoformat(time).astimezone(timezone(timedelta(minutes=ahead))).date()
