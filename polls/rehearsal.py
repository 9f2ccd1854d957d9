"""Rehearsal with simulated voters, so that an empty room shows counts and bars.

Simulated votes have a table of their own. A class shows either these or real votes, so the two are
never added up.
"""

from collections.abc import Sequence
from random import Random

import sqlalchemy as sa

from polls.classes import OPEN, Poll, lock_class
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

#: Number of simulated voters, and the time within which they vote [s].
VOTERS = 60
SECONDS = 12.0
#: Range of the share of right answers in the first and in the second vote [1]: discussion helps.
RIGHT = {1: (0.4, 0.6), 2: (0.72, 0.86)}
#: Share of certain voters among those with a wrong and with a right answer [1].
CERTAIN_SHARE = (0.25, 0.5)
#: Spread of numeric answers about the right one in both votes: standard deviation of the logarithm.
SPREAD = {1: 0.9, 2: 0.35}


def ballots(
    ids: Sequence[str], right: str | None, round: int, seed: str
) -> list[tuple[str, bool, float]]:
    """Return each simulated voter's answer, certainty, and time of the vote after the opening [s].

    With the same seed, the same wrong answer is the most tempting in both rounds.

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
    """Return a random time between the opening and a simulated vote [s]."""
    return random.triangular(0.5, SECONDS, SECONDS / 3)


def simulate(
    database: sa.Engine, poll: Poll, ids: Sequence[str], right: str | None, certain: bool
) -> None:
    """Have the simulated voters vote in the current round of a rehearsal, once.

    `certain` says whether the question also asks how sure the voters are.
    """
    seed = f"{poll.code} {poll.lesson}"
    votes = ballots(ids, right, poll.round, seed)
    _cast(database, poll, [(answer, certain and sure, delay) for answer, sure, delay in votes])


def simulate_numbers(database: sa.Engine, poll: Poll, right: float | None) -> None:
    """Have the simulated voters answer a numeric question in the current round, once."""
    random = Random(f"{poll.code} {poll.lesson} {poll.round}")
    typical = right or 10.0
    values = []
    for _ in range(VOTERS):
        value = typical * random.lognormvariate(0, SPREAD[poll.round])
        values.append(float(f"{value:.2g}"))
    votes = [(NUMBER, False, _delay(random)) for _ in values]
    _cast(database, poll, votes, values)


def _cast(
    database: sa.Engine,
    poll: Poll,
    votes: Sequence[tuple[str, bool, float]],
    values: Sequence[float] = (),
) -> None:
    """Store votes of answer, certainty, and delay [s], and the numbers of a numeric question."""
    keys = {"code": poll.code, "lesson": poll.lesson, "round": poll.round}
    earlier = sa.select(SIMULATED.c.voter).filter_by(**keys).limit(1)
    if not poll.rehearsal or poll.phase != OPEN or first(database, earlier):
        return
    start_time = now_of(database)
    rows = [
        keys | {"voter": voter, "answer": answer, "certain": sure, "at": start_time + delay}
        for voter, (answer, sure, delay) in enumerate(votes)
    ]
    numbers = [keys | {"voter": voter, "value": value} for voter, value in enumerate(values)]
    with transaction(database) as connection:
        if lock_class(connection, poll.code, read=True) != (poll.lesson, poll.round, OPEN):
            return
        # Another screen may have ended the rehearsal after this one had read the class.
        if not connection.execute(sa.select(REHEARSALS).filter_by(code=poll.code)).first():
            return
        # Numbers outlive deleted votes, and the same seed gives the same numbers again.
        for table, new_rows in ((SIMULATED, rows), (SIMULATED_NUMBERS, numbers)):
            if new_rows:
                connection.execute(
                    insert(database, table).values(new_rows).on_conflict_do_nothing()
                )


def end_rehearsal(database: sa.Engine, code: str) -> bool:
    """End a rehearsal: delete its votes, and open the first vote on its question."""
    with transaction(database) as connection:
        if connection.execute(REHEARSALS.delete().filter_by(code=code)).rowcount == 0:
            return False
        for table in (VOTES, NUMBERS, CERTAIN, PROGRESS, STAGES, STARTS):
            connection.execute(table.delete().filter_by(code=code))
        connection.execute(CLASSES.update().filter_by(code=code).values(round=1, phase=OPEN))
    return True
