"""Votes: cast, counted, and told once their round has been revealed."""

import sqlalchemy as sa

from polls import questions
from polls.classes import OPEN, REVEALED, Poll, note_use
from polls.database import insert, now_of, transaction
from polls.tables import CERTAIN, CLASSES, SIMULATED, VOTES

#: Votes by round and answer.
Rounds = dict[int, dict[str, int]]


def vote(
    database: sa.Engine,
    code: str,
    lesson: str,
    round: int,
    voter: str,
    answer: str,
    now: float | None = None,
    certain: bool = False,
) -> bool:
    """Cast or change a vote; False if the round is not open (any more) or shows another question.

    `ValueError` if voter or answer do not have the shape they must have.
    """
    check_voter(voter)
    if answer not in set(questions.IDS):
        raise ValueError(f"answer must be one of {', '.join(questions.IDS)}, got {answer[:10]!r}")
    row = {"code": code, "lesson": lesson, "round": round, "voter": voter, "answer": answer}
    with transaction(database) as link:
        if not is_open(link, code, lesson, round):
            return False
        statement = insert(database, VOTES).values(**row)
        same = [VOTES.c.code, VOTES.c.lesson, VOTES.c.round, VOTES.c.voter]
        link.execute(statement.on_conflict_do_update(index_elements=same, set_={"answer": answer}))
        mark = {name: one for name, one in row.items() if name != "answer"}
        if certain:
            link.execute(insert(database, CERTAIN).values(**mark).on_conflict_do_nothing())
        else:
            link.execute(sa.delete(CERTAIN).where(*(CERTAIN.c[name] == one for name, one in mark.items())))
        note_use(link, code, now_of(database, now))
    return True


def is_open(link: sa.Connection, code: str, lesson: str, round: int) -> bool:
    """Say within a transaction whether a class votes on this in this round; until it ends the round cannot close."""
    query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).where(CLASSES.c.code == code)
    if link.dialect.name == "postgresql":
        query = query.with_for_update(read=True)
    return link.execute(query).first() == (lesson, round, OPEN)


def my_vote(database: sa.Engine, code: str, lesson: str, round: int, voter: str) -> str | None:
    """Return what a voter has voted in a round, or None."""
    query = sa.select(VOTES.c.answer).where(
        VOTES.c.code == code, VOTES.c.lesson == lesson, VOTES.c.round == round, VOTES.c.voter == voter
    )
    with database.connect() as link:
        return link.execute(query).scalar()


def count(database: sa.Engine, poll: Poll, now: float | None = None) -> int:
    """Return the number of votes in the present round."""
    cast = _cast(database, poll, now=now)
    query = sa.select(sa.func.count()).where(cast.c.lesson == poll.lesson, cast.c.round == poll.round)
    with database.connect() as link:
        return int(link.execute(query).scalar() or 0)


def revealed(database: sa.Engine, poll: Poll) -> tuple[Rounds, Rounds]:
    """Return the votes on the question at hand, and those of them whose voters were certain, of the revealed rounds.

    Both are by round and answer, `{1: {"a": 3, …}, 2: …}`; an answer that nobody gave is left out.
    """
    votes, certain = (results(database, poll, poll.lesson, sure).get(poll.lesson, {}) for sure in (False, True))
    return {number: votes.get(number, {}) for number in range(1, _last(poll) + 1)}, certain


def results(database: sa.Engine, poll: Poll, question: str | None = None, certain: bool = False) -> dict[str, Rounds]:
    """Return votes by question, round and answer of all that a class was asked, as far as they have been revealed.

    A question that the class has left counts as revealed. A round in which nobody voted is left out. With `question`
    this one alone, with `certain` only the votes whose voters were.
    """
    cast = _cast(database, poll, certain)
    kinds = (cast.c.lesson, cast.c.round, cast.c.answer)
    query = sa.select(*kinds, sa.func.count()).group_by(*kinds).order_by(*kinds)
    if question is not None:
        query = query.where(cast.c.lesson == question)
    found: dict[str, Rounds] = {}
    with database.connect() as link:
        for lesson, number, answer, votes in link.execute(query):
            if lesson != poll.lesson or number <= _last(poll):
                found.setdefault(lesson, {}).setdefault(number, {})[answer] = votes
    return found


def _last(poll: Poll) -> int:
    """The last round that has been revealed."""
    return poll.round if poll.phase == REVEALED else poll.round - 1


def _cast(database: sa.Engine, poll: Poll, certain: bool = False, now: float | None = None) -> sa.Subquery:
    """The votes of a class: real ones, or in a rehearsal the simulated ones that have been cast by now."""
    table = SIMULATED if poll.rehearsal else VOTES
    votes = sa.select(table.c.lesson, table.c.round, table.c.answer).where(table.c.code == poll.code)
    if poll.rehearsal:
        votes = votes.where(SIMULATED.c.at <= now_of(database, now), sa.or_(SIMULATED.c.certain, not certain))
    elif certain:
        # A vote and its mark are brought together by grouping: PostgreSQL, whose statistics of a class that is voting
        # are old, would compare each vote with each mark (a second for 2,000 voters).
        mine = [table.c.lesson, table.c.round, table.c.voter]
        marks = sa.select(CERTAIN.c.lesson, CERTAIN.c.round, CERTAIN.c.voter, sa.null(), sa.literal(1))
        both = sa.select(*mine, VOTES.c.answer, sa.literal(0).label("sure")).where(VOTES.c.code == poll.code)
        every = both.union_all(marks.where(CERTAIN.c.code == poll.code)).subquery()
        answer = sa.func.max(every.c.answer)
        votes = sa.select(every.c.lesson, every.c.round, answer.label("answer"))
        votes = votes.group_by(every.c.lesson, every.c.round, every.c.voter)
        votes = votes.having(sa.func.max(every.c.sure) == 1, answer.is_not(None))
    return votes.subquery()


def check_voter(voter: str) -> None:
    """Refuse what is no random token of a voter."""
    if not (len(voter) == 32 and set(voter) <= set("0123456789abcdef")):
        raise ValueError("voter must be 32 hexadecimal digits")
