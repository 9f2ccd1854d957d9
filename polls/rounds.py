"""What a class is asked, round by round: another question, a phase, a second vote, and questions of its own."""

import secrets
from collections.abc import Sequence

import sqlalchemy as sa

from polls import questions
from polls.classes import CLOSED, OPEN, REVEALED, Poll
from polls.database import now_of, transaction
from polls.questions import Question
from polls.tables import CLASSES, QUESTIONS, SIMULATED, VOTES


def move(database: sa.Engine, code: str, phase: str, seen: Poll | None = None) -> bool:
    """Set the phase of the present round: "open", "closed" or "revealed".

    With `seen`, only if the class still stands as the presenter saw it: a click on an old page must not close or
    reveal a round that has begun since. Says whether anything was set.
    """
    if phase not in (OPEN, CLOSED, REVEALED):
        raise ValueError(f"phase must be open, closed or revealed, got {phase[:20]!r}")
    with transaction(database) as link:
        return _change(link, code, seen, phase=phase)


def second_round(database: sa.Engine, code: str, seen: Poll | None = None) -> bool:
    """Open the second round of the present question; the first one's votes stay. `seen` and result as for `move`."""
    with transaction(database) as link:
        return _change(link, code, seen, CLASSES.c.round == 1, round=2, phase=OPEN)


def ask(database: sa.Engine, code: str, lesson: str, seen: Poll | None = None) -> bool:
    """Put another question on the screen, from its first round; votes on it that a class had are dropped.

    `seen` and result as for `move`.
    """
    with transaction(database) as link:
        done = _change(link, code, seen, lesson=lesson, round=1, phase=OPEN)
        if done:
            for table in (VOTES, SIMULATED):
                link.execute(table.delete().where(table.c.code == code, table.c.lesson == lesson))
    return done


def add_questions(database: sa.Engine, code: str, written: Sequence[Question]) -> list[str]:
    """Give a class questions of its own and return their ids; they are deleted with it.

    Raises
    ------
    ValueError
        If it would have more than `polls.questions.MOST`, or there is no such class; then none of them is added.
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


def _change(link: sa.Connection, code: str, seen: Poll | None, *conditions: sa.ColumnElement, **values: object) -> bool:
    """Change a class if it stands as it was seen; say whether it did."""
    change = CLASSES.update().where(CLASSES.c.code == code, *conditions)
    if seen is not None:
        same = (CLASSES.c.lesson == seen.lesson, CLASSES.c.round == seen.round, CLASSES.c.phase == seen.phase)
        change = change.where(*same)
    if not link.execute(change.values(**values)).rowcount:
        return False
    drop_late(link, code)
    return True


def drop_late(link: sa.Connection, code: str) -> None:
    """Drop the simulated votes that have not been cast: the class moves on without them."""
    late = SIMULATED.c.at > now_of(link.engine, None)
    link.execute(SIMULATED.delete().where(SIMULATED.c.code == code, late))
