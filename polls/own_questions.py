"""The questions of a class's own."""

import secrets
from collections.abc import Sequence

import sqlalchemy as sa

from polls import questions
from polls.database import transaction
from polls.questions import Question
from polls.tables import CLASSES, QUESTIONS


def add_questions(database: sa.Engine, code: str, written: Sequence[Question]) -> list[str]:
    """Give a class questions of its own and return their ids; they are deleted with it.

    `ValueError` if it would have more than `polls.questions.MOST`, or there is no such class; then none is added.
    """
    ids = [f"own/{secrets.token_hex(8)}" for _ in written]
    with transaction(database) as link:
        if link.execute(sa.select(CLASSES.c.code).where(CLASSES.c.code == code).with_for_update()).first() is None:
            raise ValueError("There is no class with this code any more.")
        query = sa.select(sa.func.count()).select_from(QUESTIONS).where(QUESTIONS.c.code == code)
        held = int(link.execute(query).scalar() or 0)
        if held + len(written) > questions.MOST:
            raise ValueError(f"A class has at most {questions.MOST} questions of its own; it has {held} already.")
        for place, (name, one) in enumerate(zip(ids, written, strict=True), held):
            link.execute(QUESTIONS.insert().values(code=code, id=name, place=place, question=one.to_json()))
    return ids


def own_questions(database: sa.Engine, code: str) -> dict[str, Question]:
    """Return a class's own questions by id, in the order in which they were written."""
    query = sa.select(QUESTIONS.c.id, QUESTIONS.c.question).where(QUESTIONS.c.code == code).order_by(QUESTIONS.c.place)
    with database.connect() as link:
        return {name: Question.from_json(written) for name, written in link.execute(query)}
