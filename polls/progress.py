"""How far a class is with each lesson: counts only, nothing about a single person."""

from collections.abc import Mapping

import sqlalchemy as sa

from polls.classes import expired
from polls.database import insert, now_of, transaction
from polls.tables import CLASSES, PROGRESS
from polls.votes import check_voter

#: How far somebody is with a lesson, added up.
PREDICTED, FINISHED, WON = _STEPS = (1, 2, 4)


def note_progress(
    database: sa.Engine, code: str, voter: str, steps: Mapping[str, int], now: float | None = None
) -> bool:
    """Add to how far a voter who has joined a class is with each lesson; False if there is no such class any more.

    `steps` are sums of `PREDICTED`, `FINISHED` and `WON` by lesson; a step that was taken is never taken back.
    """
    check_voter(voter)
    with transaction(database) as link:
        old = sa.select(expired(now_of(database, now))).where(CLASSES.c.code == code)
        if (found := link.execute(old).first()) is None or found[0]:
            return False
        for lesson, sum_of_steps in steps.items():
            row = {"code": code, "lesson": lesson, "voter": voter, "steps": sum_of_steps}
            statement = insert(database, PROGRESS).values(**row)
            both = PROGRESS.c.steps.op("|")(statement.excluded.steps)
            same = [PROGRESS.c.code, PROGRESS.c.lesson, PROGRESS.c.voter]
            link.execute(statement.on_conflict_do_update(index_elements=same, set_={"steps": both}))
    return True


def progress(database: sa.Engine, code: str) -> dict[str, dict[int, int]]:
    """Return of how many it is known that they have taken each step, `{"trap": {PREDICTED: 20, …}}`."""
    counts = [sa.func.sum(sa.case((PROGRESS.c.steps.op("&")(step) != 0, 1), else_=0)) for step in _STEPS]
    query = sa.select(PROGRESS.c.lesson, *counts).where(PROGRESS.c.code == code).group_by(PROGRESS.c.lesson)
    with database.connect() as link:
        return {lesson: dict(zip(_STEPS, map(int, found), strict=True)) for lesson, *found in link.execute(query)}
