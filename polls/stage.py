"""What the screens of one class share: its playlist, the step that is shown and since when.

A step may say how the class then stands: on which question, in which round, in which phase. Both change together or
not at all, and only if both still are as the presenter saw them: a clicker pressed twice, or a key on each of two
screens, moves one step.
"""

from dataclasses import dataclass, field

import sqlalchemy as sa

from polls.classes import Poll
from polls.database import now_of, transaction
from polls.tables import CLASSES, SIMULATED, STAGES, VOTES


@dataclass(frozen=True)
class Stage:
    """What is on the screens of a class."""

    plan: str = ""  #: the playlist as TOML; "" for the steps of the question at hand
    place: int = 0  #: of the step that is shown
    far: int = 0  #: of the furthest step so far
    plays: int = 0  #: how often the animation of this step was started or paused
    told: str = ""  #: the question whose right answer is shown after its first vote
    age: float | None = field(
        default=None, compare=False
    )  #: how long the step has been shown [s]; None before the first


def read(database: sa.Engine, code: str, now: float | None = None) -> Stage:
    """Return what is on the screens of a class."""
    with database.connect() as link:
        return _read(link, code, now_of(database, now))


def write(
    database: sa.Engine,
    poll: Poll,
    seen: Stage,
    after: Stage,
    stands: Poll | None = None,
    drop: bool = False,
    now: float | None = None,
) -> bool:
    """Change what the screens show, and question, round and phase of the class to those of `stands`.

    False, and nothing changes, if either is no longer as it was seen. With `drop`, the votes that the class has given
    before on the question on which it then stands go.
    """
    when = now_of(database, now)
    with transaction(database) as link:
        query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).where(CLASSES.c.code == poll.code)
        # The class's row is the lock of both.
        if link.execute(query.with_for_update()).first() != (poll.lesson, poll.round, poll.phase):
            return False
        held = _read(link, poll.code, when)
        if held != seen:
            return False
        if stands is not None:
            values = {"lesson": stands.lesson, "round": stands.round, "phase": stands.phase}
            link.execute(CLASSES.update().where(CLASSES.c.code == poll.code).values(**values))
            # The class moves on without the simulated votes that have not been cast.
            link.execute(
                SIMULATED.delete().where(SIMULATED.c.code == poll.code, SIMULATED.c.at > now_of(database, None))
            )
            for table in (VOTES, SIMULATED) if drop else ():
                link.execute(table.delete().where(table.c.code == poll.code, table.c.lesson == stands.lesson))
        row = {name: getattr(after, name) for name in ("plan", "place", "far", "plays", "told")}
        if held.age is None or (after.plan, after.place) != (seen.plan, seen.place):
            row["begun_at"] = when
        if held.age is None:
            link.execute(STAGES.insert().values(code=poll.code, **row))
        else:
            link.execute(STAGES.update().where(STAGES.c.code == poll.code).values(**row))
    return True


def _read(link: sa.Connection, code: str, now: float | sa.ColumnElement) -> Stage:
    query = sa.select(STAGES, (sa.literal(0.0) + now - STAGES.c.begun_at).label("age")).where(STAGES.c.code == code)
    row = link.execute(query).mappings().first()
    if row is None:
        return Stage()
    return Stage(row["plan"], row["place"], row["far"], row["plays"], row["told"], max(0.0, row["age"]))
