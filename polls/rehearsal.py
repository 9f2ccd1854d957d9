"""Rehearsal with simulated voters, so that an empty room shows counts and bars.

Their votes stand in a table of their own and a class shows either these or real ones, so the two
are never added up.
"""

from collections.abc import Sequence
from random import Random

import sqlalchemy as sa

from polls.classes import OPEN, Poll, standing
from polls.database import first, insert, now_of, transaction
from polls.tables import (
    CERTAIN,
    CLASSES,
    NUMBERS,
    PROGRESS,
    REHEARSALS,
    SIMULATED,
    SIMULATED_NUMBERS,
    STAGES,
    STARTS,
    VOTES,
)
from polls.votes import NUMBER

#: How many simulated voters there are, and within how many seconds they vote.
VOTERS = 60
SECONDS = 12.0
#: Share of right answers in the first and in the second vote, from and to: a discussion that has
#: helped.
RIGHT = {1: (0.4, 0.6), 2: (0.72, 0.86)}
#: Share of voters who are certain, of the wrong and of the right ones.
CERTAIN_SHARE = (0.25, 0.5)
#: How widely answers that are numbers spread about the right one in both votes [1], as the standard
#: deviation of their logarithm.
SPREAD = {1: 0.9, 2: 0.35}


def ballots(
    ids: Sequence[str], right: str | None, round: int, seed: str
) -> list[tuple[str, bool, float]]:
    """Return each simulated voter's answer, certainty, and time of the vote after the opening [s].

    With one seed the same wrong answer tempts most in both rounds.

    >>> votes = ballots("abcd", "c", 1, "a class"), ballots("abcd", "c", 2, "a class")
    >>> [len(votes_of_round) for votes_of_round in votes]
    [60, 60]
    >>> [sum(answer == "c" for answer, *_ in ballots) < 42 for ballots in votes]
    [True, False]
    """
    random = Random(seed)
    wrong = [option for option in ids if option != right]
    tempting = [random.uniform(0.4, 1.6) for _ in wrong]
    hits: list[str] = []
    if right is not None:
        hits = [right] * int(VOTERS * random.uniform(*RIGHT[round]))
    misses = random.choices(wrong, tempting, k=VOTERS - len(hits))
    votes = []
    for answer in random.sample(hits + misses, VOTERS):
        is_certain = random.random() < CERTAIN_SHARE[answer == right]
        votes.append((answer, is_certain, _delay(random)))
    return votes


def _delay(random: Random) -> float:
    """How long after the opening a simulated voter votes [s]."""
    return random.triangular(0.5, SECONDS, SECONDS / 3)


def simulate(
    database: sa.Engine, poll: Poll, ids: Sequence[str], right: str | None, certain: bool
) -> None:
    """Have the simulated voters vote in the current round of a rehearsal, once.

    `certain` says whether the question asks how sure one is.
    """
    seed = f"{poll.code} {poll.lesson}"
    votes = ballots(ids, right, poll.round, seed)
    _begin(database, poll, [(answer, certain and sure, delay) for answer, sure, delay in votes])


def simulate_numbers(database: sa.Engine, poll: Poll, right: float | None) -> None:
    """Have the simulated voters answer a numeric question in the current round, once."""
    random = Random(f"{poll.code} {poll.lesson} {poll.round}")
    typical = right or 10.0
    values = []
    for _ in range(VOTERS):
        value = typical * random.lognormvariate(0, SPREAD[poll.round])
        values.append(float(f"{value:.2g}"))
    votes = [(NUMBER, False, _delay(random)) for _ in values]
    _begin(database, poll, votes, values)


def _begin(
    database: sa.Engine,
    poll: Poll,
    votes: Sequence[tuple[str, bool, float]],
    values: Sequence[float] = (),
) -> None:
    """Let the simulated voters vote: with answer, certainty and delay [s], and perhaps a number."""
    keys = {"code": poll.code, "lesson": poll.lesson, "round": poll.round}
    cast = sa.select(SIMULATED.c.voter).filter_by(**keys).limit(1)
    if not poll.rehearsal or poll.phase != OPEN or first(database, cast):
        return
    begin = now_of(database)
    rows = [
        keys | {"voter": voter, "answer": answer, "certain": sure, "at": begin + delay}
        for voter, (answer, sure, delay) in enumerate(votes)
    ]
    numbers = [keys | {"voter": voter, "value": value} for voter, value in enumerate(values)]
    with transaction(database) as link:
        if standing(link, poll.code, read=True) != (poll.lesson, poll.round, OPEN):
            return
        # Another screen may have ended the rehearsal since this one has read the class.
        if not link.execute(sa.select(REHEARSALS).filter_by(code=poll.code)).first():
            return
        # The same numbers as before votes were deleted, if there were any.
        for table, new_rows in ((SIMULATED, rows), (SIMULATED_NUMBERS, numbers)):
            if new_rows:
                link.execute(insert(database, table).values(new_rows).on_conflict_do_nothing())


def end_rehearsal(database: sa.Engine, code: str) -> bool:
    """End a rehearsal: delete all its votes, and set the class to the first vote on its
    question.
    """
    with transaction(database) as link:
        if link.execute(REHEARSALS.delete().filter_by(code=code)).rowcount == 0:
            return False
        for table in (VOTES, NUMBERS, CERTAIN, PROGRESS, STAGES, STARTS):
            link.execute(table.delete().filter_by(code=code))
        link.execute(CLASSES.update().filter_by(code=code).values(round=1, phase=OPEN))
    return True
