"""State shared by the screens of one class: playlist, current step, and when each began.

A step may also change the class: its question, round, and phase. Screens and class change together
or not at all, and only if both are still as the presenter saw them. So a clicker pressed twice, or
a key on each of two screens, moves one step.
"""

from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from polls.classes import Poll, lock_class
from polls.database import insert, now_of, transaction
from polls.tables import CLASSES, SIMULATED, STAGES, STARTS, VOTES


@dataclass(frozen=True)
class Stage:
    """State of the screens of a class."""

    plan: str = ""  #: playlist as TOML; "" for the steps of the current question
    place: int = 0  #: index of the current step
    far: int = 0  #: index of the furthest step so far
    #: number of presses in this step: starts and pauses of an animation, or presses of a picture
    plays: int = 0
    told: str = ""  #: id of the question whose right answer is shown
    #: time since the current step was shown [s]; None before any step
    age: float | None = field(default=None, compare=False)
    #: time since the playlist's first step was left [s]; None before
    lasts: float | None = field(default=None, compare=False)


#: Fields of `Stage` that are columns of its table.
_SHOWN = ("plan", "place", "far", "plays", "told")


def read(database: sa.Engine, code: str) -> Stage:
    """Return the state of the screens of a class."""
    with database.connect() as connection:
        return _read(connection, code, now_of(database))


def write(
    database: sa.Engine,
    poll: Poll,
    expected: Stage,
    new_stage: Stage,
    new_poll: Poll | None = None,
    drop: bool = False,
) -> bool:
    """Change the screens, and set question, round, and phase of the class to those of `new_poll`.

    The result is False, and nothing changes, if the class is no longer as in `poll`, or its screens
    are no longer as `expected`. With `drop`, earlier votes on the new question are deleted, and the
    step begins anew.
    """
    current_time = now_of(database)
    key = {"code": poll.code}
    with transaction(database) as connection:
        # The lock on the class's row also protects its screens.
        if lock_class(connection, poll.code) != (poll.lesson, poll.round, poll.phase):
            return False
        current = _read(connection, poll.code, current_time)
        if current != expected:
            return False
        if new_poll is not None:
            row = {"lesson": new_poll.lesson, "round": new_poll.round, "phase": new_poll.phase}
            connection.execute(CLASSES.update().filter_by(**key).values(**row))
            # Simulated votes that are not due yet are left out.
            connection.execute(
                SIMULATED.delete().filter_by(**key).where(SIMULATED.c.at > current_time)
            )
            if drop:
                for table in (VOTES, SIMULATED):
                    connection.execute(table.delete().filter_by(**key, lesson=new_poll.lesson))
        row = key | {name: getattr(new_stage, name) for name in _SHOWN}
        is_new_step = (new_stage.plan, new_stage.place) != (expected.plan, expected.place)
        if current.age is None or is_new_step or drop:
            row["begun_at"] = current_time
        if current.age is None:
            connection.execute(STAGES.insert().values(**row))
        else:
            connection.execute(STAGES.update().filter_by(**key).values(**row))
        # Note when the playlist's first step is left; a playlist that begins, even once more, is
        # without this note. On the way back, the furthest step stays.
        if new_stage.place > 0:
            start = insert(database, STARTS).values(**key, began_at=current_time)
            connection.execute(start.on_conflict_do_nothing())
        elif new_stage.plan != expected.plan or new_stage.far < expected.far:
            connection.execute(STARTS.delete().filter_by(**key))
    return True


def _read(connection: sa.Connection, code: str, now: float | sa.ColumnElement) -> Stage:
    """Return the state of the screens of a class at a time [s]."""
    time = sa.literal(0.0) + now
    ages = (time - STAGES.c.begun_at, time - STARTS.c.began_at)
    started = STAGES.outerjoin(STARTS, STARTS.c.code == STAGES.c.code)
    query = sa.select(*STAGES.c[_SHOWN], *ages).select_from(started)
    row = connection.execute(query.where(STAGES.c.code == code)).first()
    if row is None:
        return Stage()
    *columns, age, lasts = row
    return replace(Stage(*columns), age=max(0.0, age), lasts=lasts)
