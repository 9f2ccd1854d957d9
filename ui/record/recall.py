"""Choice of transfer questions: one after the takeaways, and two on a later day.

Each lesson has a few transfer questions, and each question has variants with other numbers. Visitor
and day determine the choice, so that a reload asks the same questions; each variant is asked only
once. A name such as "beds/0" is a question's id and the number of its variant.
"""

from collections.abc import Mapping
from datetime import date, datetime
from itertools import chain, zip_longest
from random import Random

from ui.base import device
from ui.base.lesson import Lesson, menu
from ui.base.words import Words
from ui.record import answer_marks, ledger, local_storage

#: Maximum number of review questions per day on the home page.
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
    return sorted(answers, key=lambda answer: datetime.fromisoformat(answer.at))


def due(today: date) -> list[tuple[Words, str]]:
    """List today's review questions, at most `A_DAY`, as pairs of lesson and question name."""
    waiting = []
    for lesson in menu():
        done = ledger.record(lesson.id).get("reflected_at")
        finished = ledger.progress(lesson) == "finished" and ledger.is_time(done)
        if not finished or not lesson.transfer or day_of(str(done)) >= today:
            continue
        # Today's answers are left out, because they must not change today's questions.
        answers = ledger.grown(lesson, "transfer").items()
        days = {name: day_of(entry["at"]) for name, entry in answers}
        earlier = {name: day for name, day in days.items() if day < today}
        done_names = {own(lesson), *earlier}
        opened = ledger.grown(lesson, "parts")
        # First one variant of each question, starting with the core idea's, then second variants.
        variants = [
            [name for name in ledger.variants(question) if name not in done_names]
            for question in lesson.transfer
            if not question.part or question.part in opened
        ]
        last_day = max([day_of(str(done)), *earlier.values()])
        toss = _dice(lesson, today).random()
        for number, name in enumerate(filter(None, chain(*zip_longest(*variants)))):
            waiting.append(((number, last_day, toss), (lesson, name)))
    # First one question of each lesson, then second ones.
    waiting.sort(key=lambda entry: entry[0])
    return [entry for _, entry in waiting[:A_DAY]]


def own(lesson: Words) -> str:
    """Return the name of the visitor's transfer question at the end of a lesson, as "beds/0"."""
    dice = _dice(lesson)
    question = dice.choice([candidate for candidate in lesson.transfer if not candidate.part])
    return f"{question.id}/{dice.randrange(len(question.variants))}"


def _dice(lesson: Words, today: date | None = None) -> Random:
    """Return the random numbers of a visitor, a lesson, and a day; scripts share the same ones."""
    visitor = local_storage.token("report") if device.in_browser() else ""
    return Random(f"{visitor} {lesson.id} {today or ''}")


def day_of(time: str) -> date:
    """Return the date of a recorded time in the visitor's time zone."""
    return answer_marks.moment(time).date()
