"""State shared by the screens of one class: playlist, current step, and when each began.

A step may say how the class then stands: on which question, in which round, in which phase. Both
change together or not at all, and only if both still are as the presenter saw them: a clicker
pressed twice, or a key on each of two screens, moves one step.
"""

from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from polls.classes import Poll, standing
from polls.database import insert, now_of, transaction
from polls.tables import CLASSES, SIMULATED, STAGES, STARTS, VOTES


@dataclass(frozen=True)
class Stage:
    """State of the screens of a class."""

    plan: str = ""  #: the playlist as TOML; "" for the steps of the question at hand
    place: int = 0  #: of the step that is shown
    far: int = 0  #: of the furthest step so far
    #: how often the animation of this step was started or paused; of a picture, what it shows
    plays: int = 0
    told: str = ""  #: the question whose right answer is shown
    #: how long the step has been shown [s]; None before the first
    age: float | None = field(default=None, compare=False)
    #: how long ago the playlist's first step was left [s]; None before
    lasts: float | None = field(default=None, compare=False)


_SHOWN = ("plan", "place", "far", "plays", "told")


def read(database: sa.Engine, code: str) -> Stage:
    """Return the state of the screens of a class."""
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
    """Change the screens, and set question, round, and phase of the class to those of `stands`.

    False, and nothing changes, if either is no longer as it was seen. With `drop`, the votes that
    the class has given before on the question on which it then stands go.
    """
    when = now_of(database)
    key = {"code": poll.code}
    with transaction(database) as link:
        # The class's row is the lock of both.
        if standing(link, poll.code) != (poll.lesson, poll.round, poll.phase):
            return False
        current = _read(link, poll.code, when)
        if current != seen:
            return False
        if stands is not None:
            row = {"lesson": stands.lesson, "round": stands.round, "phase": stands.phase}
            link.execute(CLASSES.update().filter_by(**key).values(**row))
            # The class moves on without the simulated votes that have not been cast.
            link.execute(SIMULATED.delete().filter_by(**key).where(SIMULATED.c.at > when))
            if drop:
                for table in (VOTES, SIMULATED):
                    link.execute(table.delete().filter_by(**key, lesson=stands.lesson))
        row = key | {name: getattr(after, name) for name in _SHOWN}
        if current.age is None or (after.plan, after.place) != (seen.plan, seen.place):
            row["begun_at"] = when
        if current.age is None:
            link.execute(STAGES.insert().values(**row))
        else:
            link.execute(STAGES.update().filter_by(**key).values(**row))
        # When a playlist's first step is left; one that begins anew has not left it.
        if after.place > 0:
            start = insert(database, STARTS).values(**key, began_at=when)
            link.execute(start.on_conflict_do_nothing())
        elif after.plan != seen.plan:
            link.execute(STARTS.delete().filter_by(**key))
    return True


def _read(link: sa.Connection, code: str, when: float | sa.ColumnElement) -> Stage:
    time = sa.literal(0.0) + when
    ages = (time - STAGES.c.begun_at, time - STARTS.c.began_at)
    started = STAGES.outerjoin(STARTS, STARTS.c.code == STAGES.c.code)
    query = sa.select(*STAGES.c[_SHOWN], *ages).select_from(started)
    row = link.execute(query.where(STAGES.c.code == code)).first()
    if row is None:
        return Stage()
    *shown, shown_for, running_for = row
    return replace(Stage(*shown), age=max(0.0, shown_for), lasts=running_for)
