"""Votes: cast, counted, and readable after their round is revealed; and voters' progress in the
lessons.
"""

from collections.abc import Mapping

import sqlalchemy as sa

from polls import questions
from polls.classes import OPEN, OVER, REVEALED, Poll, expired, standing
from polls.database import first, insert, now_of, transaction
from polls.tables import CERTAIN, CLASSES, PROGRESS, SIMULATED, VOTES

#: How far somebody is with a lesson, added up.
PREDICTED, FINISHED, WON = _STEPS = (1, 2, 4)

#: Votes by round and answer.
Rounds = dict[int, dict[str, int]]


def vote(
    database: sa.Engine,
    code: str,
    lesson: str,
    round: int,
    voter: str,
    answer: str,
    certain: bool = False,
) -> bool:
    """Cast or change a vote; False if the round is closed or the question has changed.

    `ValueError` if voter or answer do not have the shape they must have.
    """
    check_voter(voter)
    if answer not in set(questions.IDS):
        raise ValueError(f"answer must be one of {', '.join(questions.IDS)}, got {answer[:10]!r}")
    mine = {"code": code, "lesson": lesson, "round": round, "voter": voter}
    with transaction(database) as link:
        # Until the vote is kept the round cannot close.
        if standing(link, code, read=True) != (lesson, round, OPEN):
            return False
        statement = insert(database, VOTES).values(**mine, answer=answer)
        link.execute(
            statement.on_conflict_do_update(
                index_elements=VOTES.primary_key, set_={"answer": answer}
            )
        )
        link.execute(CERTAIN.delete().filter_by(**mine))
        if certain:
            link.execute(CERTAIN.insert().values(**mine))
    return True


def my_vote(database: sa.Engine, code: str, lesson: str, round: int, voter: str) -> str | None:
    """Return a voter's answer in a round, or None."""
    query = sa.select(VOTES.c.answer).filter_by(code=code, lesson=lesson, round=round, voter=voter)
    row = first(database, query)
    if row is None:
        return None
    return row.answer


def count(database: sa.Engine, poll: Poll) -> int:
    """Return the number of votes in the current round."""
    query = sa.select(sa.func.count()).select_from(SIMULATED if poll.rehearsal else VOTES)
    if poll.rehearsal:
        query = query.where(SIMULATED.c.at <= now_of(database))
    query = query.filter_by(code=poll.code, lesson=poll.lesson, round=poll.round)
    with database.connect() as link:
        return link.execute(query).scalar_one()


def rounds_voted(database: sa.Engine, poll: Poll) -> dict[str, int]:
    """Return the last round with any votes, by question: `{"trap": 2}`."""
    table = VOTES
    if poll.rehearsal:
        table = SIMULATED
    query = sa.select(table.c.lesson, sa.func.max(table.c.round)).group_by(table.c.lesson)
    with database.connect() as link:
        return {lesson: last for lesson, last in link.execute(query.filter_by(code=poll.code))}


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
    cast = _cast(database, poll)
    kinds = (cast.c.lesson, cast.c.round, cast.c.answer)
    query = (
        sa.select(*kinds, sa.func.count(), sa.func.sum(cast.c.sure))
        .group_by(*kinds)
        .order_by(*kinds)
    )
    if question is not None:
        query = query.where(cast.c.lesson == question)
    votes: dict[str, Rounds] = {}
    certain: dict[str, Rounds] = {}
    with database.connect() as link:
        for lesson, number, answer, *numbers in link.execute(query):
            for votes_by_question, voters in zip((votes, certain), numbers, strict=True):
                if voters and (lesson != poll.lesson or number <= last_revealed(poll)):
                    votes_by_question.setdefault(lesson, {}).setdefault(number, {})[answer] = int(
                        voters
                    )
    return votes, certain


def last_revealed(poll: Poll) -> int:
    """Return the number of the last revealed round."""
    if poll.phase in (REVEALED, OVER):
        return poll.round
    return poll.round - 1


def _cast(database: sa.Engine, poll: Poll) -> sa.Subquery:
    """The votes of a class and whether they are sure: real ones, or in a rehearsal the simulated
    ones cast by now.
    """
    if poll.rehearsal:
        sure = sa.case((SIMULATED.c.certain, 1), else_=0).label("sure")
        votes = sa.select(SIMULATED.c.lesson, SIMULATED.c.round, SIMULATED.c.answer, sure)
        return votes.where(
            SIMULATED.c.code == poll.code, SIMULATED.c.at <= now_of(database)
        ).subquery()
    # A vote and its mark are brought together by grouping: PostgreSQL, whose statistics of a class
    # that is voting are old, would compare each vote with each mark (a second for 2,000 voters).
    votes, marks = (
        sa.select(
            table.c.lesson,
            table.c.round,
            table.c.voter,
            answer.label("answer"),
            sa.literal(sure).label("sure"),
        ).where(table.c.code == poll.code)
        for table, answer, sure in ((VOTES, VOTES.c.answer, 0), (CERTAIN, sa.null(), 1))
    )
    every = votes.union_all(marks).subquery()
    answer = sa.func.max(every.c.answer).label("answer")
    sure = sa.func.max(every.c.sure).label("sure")
    together = sa.select(every.c.lesson, every.c.round, answer, sure)
    return (
        together.group_by(every.c.lesson, every.c.round, every.c.voter)
        .having(answer.is_not(None))
        .subquery()
    )


def note_progress(database: sa.Engine, code: str, voter: str, steps: Mapping[str, int]) -> bool:
    """Add a voter's progress with each lesson to a class; False if the class no longer exists.

    `steps` are sums of `PREDICTED`, `FINISHED` and `WON` by lesson; a step that was taken is never
    taken back.
    """
    check_voter(voter)
    with transaction(database) as link:
        if not link.execute(
            sa.select(~expired(now_of(database))).where(CLASSES.c.code == code)
        ).scalar():
            return False
        rows = [
            {"code": code, "lesson": lesson, "voter": voter, "steps": taken}
            for lesson, taken in steps.items()
        ]
        statement = insert(database, PROGRESS).values(rows)
        both = PROGRESS.c.steps.op("|")(statement.excluded.steps)
        link.execute(
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
    query = (
        sa.select(PROGRESS.c.lesson, *counts)
        .where(PROGRESS.c.code == code)
        .group_by(PROGRESS.c.lesson)
    )
    with database.connect() as link:
        return {
            lesson: dict(zip(_STEPS, map(int, numbers), strict=True))
            for lesson, *numbers in link.execute(query)
        }


def check_voter(voter: str) -> None:
    """Raise ValueError unless the text is a voter's token of 32 hexadecimal digits."""
    if not (len(voter) == 32 and set(voter) <= set("0123456789abcdef")):
        raise ValueError("voter must be 32 hexadecimal digits")
