"""Votes: cast, counted, and told once their round has been revealed."""

import sqlalchemy as sa

from polls import questions
from polls.classes import OPEN, REVEALED, Poll, note_use
from polls.database import insert, now_of, transaction
from polls.tables import CERTAIN, CLASSES, VOTES


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

    Raises
    ------
    ValueError
        If voter or answer do not have the shape they must have.
    """
    check_voter(voter)
    if answer not in set(questions.IDS):
        raise ValueError(f"answer must be one of {', '.join(questions.IDS)}, got {answer[:10]!r}")
    row = {"code": code, "lesson": lesson, "round": round, "voter": voter, "answer": answer}
    with transaction(database) as link:
        query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).where(CLASSES.c.code == code)
        if database.dialect.name == "postgresql":
            query = query.with_for_update(read=True)  # the round cannot close while the vote is being written
        if link.execute(query).first() != (lesson, round, OPEN):
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


def my_vote(database: sa.Engine, code: str, lesson: str, round: int, voter: str) -> str | None:
    """Return what a voter has voted in a round, or None."""
    query = sa.select(VOTES.c.answer).where(
        VOTES.c.code == code, VOTES.c.lesson == lesson, VOTES.c.round == round, VOTES.c.voter == voter
    )
    with database.connect() as link:
        return link.execute(query).scalar()


def count(database: sa.Engine, poll: Poll) -> int:
    """Return the number of votes in the present round."""
    query = (
        sa.select(sa.func.count())
        .select_from(VOTES)
        .where(VOTES.c.code == poll.code, VOTES.c.lesson == poll.lesson, VOTES.c.round == poll.round)
    )
    with database.connect() as link:
        return int(link.execute(query).scalar() or 0)


def distributions(database: sa.Engine, poll: Poll) -> dict[int, dict[str, int]]:
    """Return votes by round and answer, `{1: {"a": 3, …}, 2: …}`, of the rounds that have been revealed.

    An answer that nobody gave is left out.
    """
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    query = (
        sa.select(VOTES.c.round, VOTES.c.answer, sa.func.count())
        .where(VOTES.c.code == poll.code, VOTES.c.lesson == poll.lesson, VOTES.c.round <= last)
        .group_by(VOTES.c.round, VOTES.c.answer)
        .order_by(VOTES.c.round, VOTES.c.answer)
    )
    found: dict[int, dict[str, int]] = {number: {} for number in range(1, last + 1)}
    with database.connect() as link:
        for number, answer, votes in link.execute(query):
            found[number][answer] = votes
    return found


def certain(database: sa.Engine, poll: Poll) -> dict[int, dict[str, int]]:
    """Return the votes of revealed rounds whose voters were certain, by round and answer; empty where nobody was."""
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    same = [VOTES.c[name] == CERTAIN.c[name] for name in ("code", "lesson", "round", "voter")]
    query = (
        sa.select(VOTES.c.round, VOTES.c.answer, sa.func.count())
        .join(CERTAIN, sa.and_(*same))
        .where(VOTES.c.code == poll.code, VOTES.c.lesson == poll.lesson, VOTES.c.round <= last)
        .group_by(VOTES.c.round, VOTES.c.answer)
    )
    found: dict[int, dict[str, int]] = {}
    with database.connect() as link:
        for number, answer, votes in link.execute(query):
            found.setdefault(number, {})[answer] = votes
    return found


def results(database: sa.Engine, poll: Poll) -> dict[str, dict[int, dict[str, int]]]:
    """Return votes by question, round and answer of all that a class was asked, as far as they have been revealed.

    A question that the class has left counts as revealed. A round in which nobody voted is left out.
    """
    query = (
        sa.select(VOTES.c.lesson, VOTES.c.round, VOTES.c.answer, sa.func.count())
        .where(VOTES.c.code == poll.code)
        .group_by(VOTES.c.lesson, VOTES.c.round, VOTES.c.answer)
        .order_by(VOTES.c.lesson, VOTES.c.round, VOTES.c.answer)
    )
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    found: dict[str, dict[int, dict[str, int]]] = {}
    with database.connect() as link:
        for lesson, number, answer, votes in link.execute(query):
            if lesson != poll.lesson or number <= last:
                found.setdefault(lesson, {}).setdefault(number, {})[answer] = votes
    return found


def check_voter(voter: str) -> None:
    """Refuse what is no random token of a voter."""
    if not (len(voter) == 32 and set(voter) <= set("0123456789abcdef")):
        raise ValueError("voter must be 32 hexadecimal digits")
