"""What the screens of one class share: its playlist, the step that is shown and since when.

A step may say how the class then stands: on which question, in which round, in which phase. Both
change together or not at all, and only if both still are as the presenter saw them: a clicker
pressed twice, or a key on each of two screens, moves one step.
"""

from dataclasses import dataclass, field

import sqlalchemy as sa

from polls.classes import Poll, standing
from polls.database import now_of, transaction
from polls.tables import CLASSES, SIMULATED, STAGES, VOTES


@dataclass(frozen=True)
class Stage:
    """What is on the screens of a class."""

    plan: str = ""  #: the playlist as TOML; "" for the steps of the question at hand
    place: int = 0  #: of the step that is shown
    far: int = 0  #: of the furthest step so far
    #: how often the animation of this step was started or paused; of a picture, what it shows
    plays: int = 0
    told: str = ""  #: the question whose right answer is shown
    #: how long the step has been shown [s]; None before the first
    age: float | None = field(default=None, compare=False)


_SHOWN = ("plan", "place", "far", "plays", "told")


def read(database: sa.Engine, code: str) -> Stage:
    """Return what is on the screens of a class."""
    with database.connect() as link:
        return _read(link, code, now_of(database))


def write(
    database: sa.Engine,
    poll: Poll,
    seen: Stage,
    after: Stage,
    stands: Poll | None = None,
    drop: bool = False,
) -> bool:
    """Change what the screens show, and question, round and phase of the class to those of
    `stands`.

    False, and nothing changes, if either is no longer as it was seen. With `drop`, the votes that
    the class has given before on the question on which it then stands go.
    """
    when = now_of(database)
    here = {"code": poll.code}
    with transaction(database) as link:
        # The class's row is the lock of both.
        if standing(link, poll.code) != (poll.lesson, poll.round, poll.phase):
            return False
        held = _read(link, poll.code, when)
        if held != seen:
            return False
        if stands is not None:
            change = CLASSES.update().filter_by(**here)
            link.execute(
                change.values(lesson=stands.lesson, round=stands.round, phase=stands.phase)
            )
            # The class moves on without the simulated votes that have not been cast.
            link.execute(SIMULATED.delete().filter_by(**here).where(SIMULATED.c.at > when))
            for table in (VOTES, SIMULATED) if drop else ():
                link.execute(table.delete().filter_by(**here, lesson=stands.lesson))
        row = {name: getattr(after, name) for name in _SHOWN}
        if held.age is None or (after.plan, after.place) != (seen.plan, seen.place):
            row["begun_at"] = when
        statement: sa.Insert | sa.Update
        if held.age is None:
            statement = STAGES.insert()
        else:
            statement = STAGES.update().filter_by(**here)
        link.execute(statement.values(**here, **row))
    return True


def _read(link: sa.Connection, code: str, now: float | sa.ColumnElement) -> Stage:
    age = (sa.literal(0.0) + now - STAGES.c.begun_at).label("age")
    found = link.execute(
        sa.select(*(STAGES.c[name] for name in _SHOWN), age).filter_by(code=code)
    ).first()
    if found:
        shown = {name: getattr(found, name) for name in _SHOWN}
        return Stage(**shown, age=max(0.0, found.age))
    return Stage()
