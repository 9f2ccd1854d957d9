"""Votes, which can be read after their round is revealed, and voters' progress in the lessons."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from polls import questions
from polls.classes import OPEN, OVER, REVEALED, Poll, expired, lock_class
from polls.database import first, insert, now_of, rows_of, transaction
from polls.tables import (
    CERTAIN,
    CLASSES,
    NUMBERS,
    PROGRESS,
    SIMULATED,
    SIMULATED_NUMBERS,
    VOTES,
)

#: Steps of a voter in a lesson, stored as the sum of those taken.
PREDICTED, FINISHED, WON = _STEPS = (1, 2, 4)

#: Answer of a vote whose number is in a table of its own.
NUMBER = "n"
#: Votes by round and answer.
Rounds = dict[int, dict[str, int]]


def vote(
    database: sa.Engine,
    code: str,
    lesson: str,
    round: int,
    voter: str,
    answer: str | float,
    certain: bool = False,
) -> bool:
    """Cast or change a vote for an option's id or for a number.

    The result is False if the round is closed or the question has changed.

    `ValueError` if `voter` is no token, or `answer` neither an option's id nor a number in range.
    """
    check_voter(voter)
    ids = questions.IDS
    rows: dict[sa.Table, dict[str, Any]] = {VOTES: {"answer": answer}}
    if not isinstance(answer, str):
        largest = questions.LARGEST
        if not abs(answer) <= largest:  # nor is NaN a number
            raise ValueError(f"answer must be from -{largest:g} to {largest:g}, got {answer}")
        rows = {VOTES: {"answer": NUMBER}, NUMBERS: {"value": float(answer)}}
    elif answer not in set(ids):
        raise ValueError(f"answer must be one of {', '.join(ids)}, got {answer[:10]!r}")
    ballot = {"code": code, "lesson": lesson, "round": round, "voter": voter}
    with transaction(database) as connection:
        # The lock keeps the round open until the vote is stored.
        if lock_class(connection, code, read=True) != (lesson, round, OPEN):
            return False
        for table, values in rows.items():
            row = insert(database, table).values(**ballot, **values)
            connection.execute(
                row.on_conflict_do_update(index_elements=table.primary_key, set_=values)
            )
        connection.execute(CERTAIN.delete().filter_by(**ballot))
        if certain:
            connection.execute(CERTAIN.insert().values(**ballot))
    return True


def my_vote(
    database: sa.Engine, code: str, lesson: str, round: int, voter: str
) -> str | float | None:
    """Return a voter's answer in a round, an option's id or a number, or None."""
    query = sa.select(NUMBERS.c.value, VOTES.c.answer).select_from(VOTES)
    query = query.outerjoin(NUMBERS, is_same(VOTES, NUMBERS))
    conditions = (VOTES.c.code == code, VOTES.c.lesson == lesson, VOTES.c.round == round)
    row = first(database, query.where(*conditions, VOTES.c.voter == voter))
    if row is None:
        return None
    number, answer = row
    return answer if number is None else number


def is_same(votes: sa.Table, values: sa.Table) -> sa.ColumnElement[bool]:
    """Return the SQL condition that a vote and a number are of one voter in one round."""
    keys = ("code", "lesson", "round", "voter")
    return sa.and_(votes.c.answer == NUMBER, *(votes.c[key] == values.c[key] for key in keys))


def count(database: sa.Engine, poll: Poll) -> int:
    """Return the number of votes in the current round."""
    table, is_cast = votes_of(database, poll)
    query = sa.select(sa.func.count()).select_from(table).where(is_cast)
    [[number]] = rows_of(database, query.filter_by(lesson=poll.lesson, round=poll.round))
    return number


def rounds_voted(database: sa.Engine, poll: Poll) -> dict[str, int]:
    """Return the last round with any votes, by question: `{"trap": 2}`."""
    table, is_cast = votes_of(database, poll)
    query = sa.select(table.c.lesson, sa.func.max(table.c.round)).group_by(table.c.lesson)
    return {lesson: last for lesson, last in rows_of(database, query.where(is_cast))}


def revealed(database: sa.Engine, poll: Poll) -> tuple[Rounds, Rounds]:
    """Return the votes on the current question in revealed rounds, and those by certain voters.

    Both are by round and answer, `{1: {"a": 3, …}, 2: …}`; an answer that nobody gave is left out.
    """
    votes, certain = (
        votes_by_question.get(poll.lesson, {})
        for votes_by_question in results(database, poll, poll.lesson)
    )
    return {number: votes.get(number, {}) for number in range(1, last_revealed(poll) + 1)}, certain


def results(
    database: sa.Engine, poll: Poll, question: str | None = None
) -> tuple[dict[str, Rounds], dict[str, Rounds]]:
    """Return the revealed votes on all questions of a class, and those by certain voters.

    Both are by question, round and answer. A question that the class has left counts as revealed. A
    round in which nobody voted is left out. With `question` this one alone.
    """
    ballots = _ballots(database, poll)
    kinds = (ballots.c.lesson, ballots.c.round, ballots.c.answer)
    query = sa.select(*kinds, sa.func.count(), sa.func.sum(ballots.c.sure))
    query = query.where(is_revealed(ballots, poll, question)).group_by(*kinds).order_by(*kinds)
    votes: dict[str, Rounds] = {}
    certain: dict[str, Rounds] = {}
    for lesson, number, answer, *counts in rows_of(database, query):
        for rounds_by_question, voters in zip((votes, certain), counts, strict=True):
            if voters:
                rounds = rounds_by_question.setdefault(lesson, {})
                rounds.setdefault(number, {})[answer] = int(voters)
    return votes, certain


def numbers(
    database: sa.Engine, poll: Poll, question: str | None = None
) -> dict[str, dict[int, list[float]]]:
    """Return the sorted numbers of a class in revealed rounds: `{"own/queue": {1: [0.5, 4.0]}}`.

    A question that the class has left counts as revealed. With `question` this one alone.
    """
    votes, is_cast = votes_of(database, poll)
    values = NUMBERS
    if poll.rehearsal:
        values = SIMULATED_NUMBERS
    query = sa.select(votes.c.lesson, votes.c.round, values.c.value)
    query = query.join(values, is_same(votes, values)).order_by(values.c.value)
    numbers_by_question: dict[str, dict[int, list[float]]] = {}
    query = query.where(is_cast, is_revealed(votes, poll, question))
    for lesson, number, value in rows_of(database, query):
        numbers_by_question.setdefault(lesson, {}).setdefault(number, []).append(value)
    return numbers_by_question


def is_revealed(
    votes: sa.FromClause, poll: Poll, question: str | None = None
) -> sa.ColumnElement[bool]:
    """Return the SQL condition that a vote's round is revealed and, if named, on `question`."""
    condition = sa.or_(votes.c.lesson != poll.lesson, votes.c.round <= last_revealed(poll))
    if question is None:
        return condition
    return sa.and_(condition, votes.c.lesson == question)


def last_revealed(poll: Poll) -> int:
    """Return the number of the last revealed round."""
    if poll.phase in (REVEALED, OVER):
        return poll.round
    return poll.round - 1


def votes_of(database: sa.Engine, poll: Poll) -> tuple[sa.Table, sa.ColumnElement[bool]]:
    """Return the table with a class's votes, and the SQL condition for those cast so far."""
    if poll.rehearsal:
        is_due = SIMULATED.c.at <= now_of(database)
        return SIMULATED, sa.and_(SIMULATED.c.code == poll.code, is_due)
    return VOTES, VOTES.c.code == poll.code


def _ballots(database: sa.Engine, poll: Poll) -> sa.Subquery:
    """Return SQL for the votes of a class so far, each with `sure`: 1 if the voter was certain."""
    table, is_cast = votes_of(database, poll)
    keys = (table.c.lesson, table.c.round)
    if poll.rehearsal:
        sure = sa.case((SIMULATED.c.certain, 1), else_=0).label("sure")
        return sa.select(*keys, SIMULATED.c.answer, sure).where(is_cast).subquery()
    # Grouping joins each vote with its mark of certainty. A join would be slow: PostgreSQL, whose
    # statistics lag during a vote, compares every vote with every mark (1 s for 2,000 voters).
    votes = sa.select(*keys, table.c.voter, table.c.answer, sa.literal(0).label("sure"))
    mark = (sa.null().label("answer"), sa.literal(1).label("sure"))
    marks = sa.select(CERTAIN.c.lesson, CERTAIN.c.round, CERTAIN.c.voter, *mark)
    every = votes.where(is_cast).union_all(marks.filter_by(code=poll.code)).subquery()
    answer = sa.func.max(every.c.answer).label("answer")
    sure = sa.func.max(every.c.sure).label("sure")
    together = sa.select(every.c.lesson, every.c.round, answer, sure)
    voters = together.group_by(every.c.lesson, every.c.round, every.c.voter)
    return voters.having(answer.is_not(None)).subquery()


def note_progress(database: sa.Engine, code: str, voter: str, steps: Mapping[str, int]) -> bool:
    """Add a voter's progress with each lesson to a class; False if the class no longer exists.

    `steps` are sums of `PREDICTED`, `FINISHED` and `WON` by lesson. Steps noted before are kept.
    """
    check_voter(voter)
    with transaction(database) as connection:
        if not connection.scalar(
            sa.select(~expired(now_of(database))).where(CLASSES.c.code == code)
        ):
            return False
        rows = [
            {"code": code, "lesson": lesson, "voter": voter, "steps": total}
            for lesson, total in steps.items()
        ]
        statement = insert(database, PROGRESS).values(rows)
        both = PROGRESS.c.steps.op("|")(statement.excluded.steps)
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=PROGRESS.primary_key, set_={"steps": both}
            )
        )
    return True


def progress(database: sa.Engine, code: str) -> dict[str, dict[int, int]]:
    """Return the number of voters known to have taken each step, `{"trap": {PREDICTED: 20, …}}`."""
    counts = [
        sa.func.sum(sa.case((PROGRESS.c.steps.op("&")(step) != 0, 1), else_=0)) for step in _STEPS
    ]
    query = sa.select(PROGRESS.c.lesson, *counts).filter_by(code=code).group_by(PROGRESS.c.lesson)
    return {
        lesson: dict(zip(_STEPS, map(int, numbers), strict=True))
        for lesson, *numbers in rows_of(database, query)
    }


def check_voter(voter: str) -> None:
    """Raise ValueError unless the text is a voter's token of 32 hexadecimal digits."""
    if not (len(voter) == 32 and set(voter) <= set("0123456789abcdef")):
        raise ValueError("voter must be 32 hexadecimal digits")
