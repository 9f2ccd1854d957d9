"""Numeric votes: cast them, read them, and return them after their round is revealed.

Such a vote is a row among all votes, with the answer `NUMBER`, so whatever counts votes counts it;
its number stands in a table beside.
"""

import math

import sqlalchemy as sa

from polls.classes import OPEN, Poll, standing
from polls.database import first, insert, now_of, transaction
from polls.questions import LARGEST
from polls.tables import NUMBERS, SIMULATED, SIMULATED_NUMBERS, VOTES
from polls.votes import check_voter, last_revealed

#: The answer of a vote that is a number.
NUMBER = "n"


def vote_number(
    database: sa.Engine, code: str, lesson: str, round: int, voter: str, value: float
) -> bool:
    """Cast or change a numeric vote; False if the round is closed or the question has changed.

    `ValueError` if voter or number do not have the shape they must have.
    """
    check_voter(voter)
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise ValueError(f"value must be from -{LARGEST:g} to {LARGEST:g}, got {value}")
    mine = {"code": code, "lesson": lesson, "round": round, "voter": voter}
    with transaction(database) as link:
        if standing(link, code, read=True) != (lesson, round, OPEN):
            return False
        for table, written in ((VOTES, {"answer": NUMBER}), (NUMBERS, {"value": float(value)})):
            row = insert(database, table).values(**mine, **written)
            link.execute(row.on_conflict_do_update(index_elements=table.primary_key, set_=written))
    return True


def my_number(database: sa.Engine, code: str, lesson: str, round: int, voter: str) -> float | None:
    """Return a voter's number in a round, or None."""
    mine = {"code": code, "lesson": lesson, "round": round, "voter": voter}
    of_mine = (NUMBERS.c[key] == value for key, value in mine.items())
    joined = sa.select(NUMBERS.c.value).join(VOTES, _same(VOTES, NUMBERS))
    row = first(database, joined.where(*of_mine))
    if row is None:
        return None
    return row.value


def numbers(
    database: sa.Engine, poll: Poll, question: str | None = None
) -> dict[str, dict[int, list[float]]]:
    """Return the sorted numbers of a class in revealed rounds: `{"own/queue": {1: [0.5, 4.0]}}`.

    A question that the class has left counts as revealed. With `question` this one alone.
    """
    if poll.rehearsal:
        cast = SIMULATED
        values = SIMULATED_NUMBERS
    else:
        cast = VOTES
        values = NUMBERS
    query = sa.select(cast.c.lesson, cast.c.round, values.c.value)
    query = query.join(values, _same(cast, values)).where(cast.c.code == poll.code)
    if poll.rehearsal:
        query = query.where(SIMULATED.c.at <= now_of(database))
    if question is not None:
        query = query.where(cast.c.lesson == question)
    found: dict[str, dict[int, list[float]]] = {}
    with database.connect() as link:
        for lesson, number, value in link.execute(query.order_by(values.c.value)):
            if lesson != poll.lesson or number <= last_revealed(poll):
                found.setdefault(lesson, {}).setdefault(number, []).append(value)
    return found


def _same(cast: sa.Table, values: sa.Table) -> sa.ColumnElement:
    """Condition: a vote and a number are of the same voter in the same round."""
    keys = ("code", "lesson", "round", "voter")
    return sa.and_(cast.c.answer == NUMBER, *(cast.c[key] == values.c[key] for key in keys))
