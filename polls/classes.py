"""Classes: open, find by code, present with a PIN, and delete with all their data."""

import hashlib
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from polls import rule
from polls.database import change, first, insert, may_keep, now_of, rows_of, transaction
from polls.questions import Question
from polls.tables import (
    CLASSES,
    LIFETIMES,
    PRESENTERS,
    PROGRESS,
    QUESTIONS,
    REHEARSALS,
    SMALL,
    STAGES,
    USES,
    VOTES,
)

#: Seconds after which a class and its votes are deleted.
LIFETIME = 24 * 3600
#: The longest that a class can be kept where the store is PostgreSQL: a semester of 26 weeks [s].
SEMESTER = 26 * 7 * 24 * 3600
#: Letters of a code: none that is mistaken for another.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
#: Phases of a class. Waiting: the screen shows a question whose vote has not been opened.
WAITING = "waiting"
OPEN = "open"
CLOSED = "closed"
REVEALED = "revealed"
#: The class is over; its votes are kept until it is deleted.
OVER = "over"
#: Digits of a PIN. A thousand guesses per second, more than a server answers, find it in a day with
#: a probability of 1%.
PIN_DIGITS = 10
#: Digits for a class that is kept longer: in half a year, such guesses find its PIN with a
#: probability of 0.2%.
KEPT_PIN_DIGITS = 13
#: Most classes of a day at a time.
MOST_CLASSES = 10_000
#: Most classes that are kept longer than a day. They are counted separately, so that classes of a
#: day never use up their number.
MOST_KEPT = 1_000
#: Time without a presenter after which a class without votes, questions, or members is deleted
#: [s].
IDLE = 3600.0
#: Number of voters from which on a class is kept for its whole lifetime. Rehearsals do not count.
EARNED = 5
#: Time without a presenter after which a class of several days with fewer voters is deleted [s].
UNEARNED = 14 * 24 * 3600.0
#: Time between two notes that a class is in use [s].
USED_EVERY = 60.0


#: Columns of a class's row that describe its screens.
_SHOWN = ("code", "lesson", "round", "phase")


class Full(Exception):
    """Raised when no class can be added, because all existing ones may still be in use."""

    def __init__(self, limit: int, is_kept: bool):
        kind = "classes"
        way_on = "try again in an hour"
        if is_kept:
            kind = "classes that are kept longer than a day"
            way_on = f"open one for 24 hours, or {way_on}"
        super().__init__(
            f"There are {limit:,} {kind} already, and none of them is out of use; {way_on}."
        )


@dataclass(frozen=True)
class Poll:
    """State of a class: its code, the question on screen, the round, and the voting phase."""

    code: str
    lesson: str  #: the question's id, see `ui.classes.questions`
    round: int  #: 1 or 2
    phase: str  #: "waiting", "open", "closed", "revealed" or "over"
    lifetime: float = LIFETIME  #: how long the class is kept after it was opened [s]
    small: bool = False  #: whether it agreed to show bars of few votes
    rehearsal: bool = False  #: whether all its votes are simulated
    told: bool = False  #: whether the hall has been shown the right answer
    own: Question | None = None  #: the question itself if staff have written it

    @property
    def fewest(self) -> int:
        """Minimum number of votes for showing a result."""
        if self.small:
            return rule.FEWEST_AGREED
        return rule.FEWEST

    @property
    def may_vote(self) -> bool:
        """Whether the round's vote is open or still to be opened."""
        return self.phase in (WAITING, OPEN)


def open_class(
    database: sa.Engine,
    lesson: str,
    lifetime: float = LIFETIME,
    small: bool = False,
    rehearsal: bool = False,
) -> tuple[Poll, str]:
    """Open a class on a lesson's question and return it with its PIN.

    `Full` if there are `MOST_CLASSES` already, or `MOST_KEPT` of those that are kept longer than a
    day: none is deleted for a new one. `ValueError` if `lifetime` [s] is not between a day and a
    semester, or longer than a day in a file.
    """
    longest = LIFETIME
    if may_keep(database):
        longest = SEMESTER
    is_kept = lifetime > LIFETIME
    if not LIFETIME <= lifetime <= longest:
        raise ValueError(
            f"lifetime must be between {LIFETIME} and {longest} s in this store, got {lifetime}"
        )
    code = "".join(secrets.choice(LETTERS) for _ in range(6))
    pin, secret = _new_pin(is_kept)
    current_time = now_of(database)
    expire(database)  # in its own transaction, which stays valid if there is no room
    with transaction(database) as connection:
        _check_room(connection, is_kept)
        row = {"code": code, **secret, "lesson": lesson, "round": 1}
        connection.execute(CLASSES.insert().values(**row, phase=OPEN, created_at=current_time))
        connection.execute(USES.insert().values(code=code, used_at=current_time))
        if is_kept:
            connection.execute(LIFETIMES.insert().values(code=code, seconds=lifetime))
        for table, is_chosen in ((SMALL, small), (REHEARSALS, rehearsal)):
            if is_chosen:
                connection.execute(table.insert().values(code=code))
    poll = find(database, code)
    if poll is None:
        raise RuntimeError(f"class {code} was deleted while it was opened")
    return poll, pin


def find(database: sa.Engine, code: str) -> Poll | None:
    """Find a class by its code in any case; None if there is none or it has `expired`."""
    own_question = sa.and_(QUESTIONS.c.code == CLASSES.c.code, QUESTIONS.c.id == CLASSES.c.lesson)
    query = sa.select(
        *CLASSES.c[_SHOWN],
        _lifetime().label("lifetime"),
        _has(SMALL).label("small"),
        _has(REHEARSALS).label("rehearsal"),
        _has(STAGES, STAGES.c.told == CLASSES.c.lesson).label("told"),
        QUESTIONS.c.question,
        expired(now_of(database)).label("old"),
    )
    query = query.outerjoin(QUESTIONS, own_question).where(CLASSES.c.code == _spelled(code))
    row = first(database, query)
    if row is None:
        return None
    *state, question, old = row
    if old:
        with suppress(sa.exc.SQLAlchemyError):
            expire(database)  # on a full disk, the class is deleted later
        return None
    poll = Poll(*state)
    if question:
        return replace(poll, own=Question.from_json(question))
    return poll


def check_pin(database: sa.Engine, code: str, pin: str) -> bool:
    """Check the PIN of a class in constant time; the caller must limit the number of attempts."""
    query = sa.select(CLASSES.c.pin_salt, CLASSES.c.pin_hash).filter_by(code=_spelled(code))
    # A class that does not exist takes as long as one that does.
    salt, pin_hash = first(database, query) or ("00" * 16, "")
    return hmac.compare_digest(_hash(pin[:20], salt), pin_hash)


def replace_pin(database: sa.Engine, code: str, token: str) -> str:
    """Give a class a new PIN and return it.

    Only the browser with this token may still present the class.

    `ValueError` if there is no such class.
    """
    key = {"code": code}
    with transaction(database) as connection:
        if lock_class(connection, code) is None:
            raise ValueError("There is no class with this code any more.")
        is_kept = connection.scalar(sa.select(LIFETIMES.c.code).filter_by(**key)) is not None
        pin, secret = _new_pin(is_kept)
        connection.execute(CLASSES.update().filter_by(**key).values(**secret))
        others = PRESENTERS.c.token_hash != _digest(token)
        connection.execute(PRESENTERS.delete().filter_by(**key).where(others))
    return pin


def every(database: sa.Engine) -> list[dict[str, Any]]:
    """Return all classes, oldest first, with their state, ages [s], voters, and questions."""
    current_time = sa.literal(0.0) + now_of(database)
    used_at = sa.func.coalesce(_of_class(USES, USES.c.used_at), CLASSES.c.created_at)
    query = sa.select(
        *CLASSES.c[_SHOWN],
        (current_time - CLASSES.c.created_at).label("age"),
        (current_time - used_at).label("unused"),
        _lifetime().label("lifetime"),
        _voters().label("voters"),
        _of_class(QUESTIONS, sa.func.count()).label("questions"),
        _has(REHEARSALS).label("rehearsal"),
    )
    rows = rows_of(database, query.order_by(CLASSES.c.created_at, CLASSES.c.code))
    return [dict(row._mapping) for row in rows]


def lock_class(connection: sa.Connection, code: str, **lock: Any) -> sa.Row | None:
    """Lock a class until the transaction ends, and return its question, round, and phase."""
    query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).filter_by(code=code)
    return connection.execute(query.with_for_update(**lock)).first()


def let_present(database: sa.Engine, code: str, token: str) -> bool:
    """Allow a browser to present a class, and return True; only a hash of its token is stored."""
    row = insert(database, PRESENTERS).values(code=code, token_hash=_digest(token))
    return change(database, row.on_conflict_do_nothing())


def may_present(database: sa.Engine, code: str, token: str) -> bool:
    """Return whether a browser may present a class."""
    query = sa.select(PRESENTERS.c.code).filter_by(code=code, token_hash=_digest(token))
    return first(database, query) is not None


def resign(database: sa.Engine, code: str, token: str) -> bool:
    """Revoke a browser's right to present a class, and return True."""
    return change(database, PRESENTERS.delete().filter_by(code=code, token_hash=_digest(token)))


def use(database: sa.Engine, code: str) -> None:
    """Record that a class is being presented now.

    An empty class without a presenter is deleted after an hour.
    """
    current_time = now_of(database)
    change(
        database,
        USES.update()
        .where(USES.c.code == code, USES.c.used_at < current_time)
        .values(used_at=current_time),
    )


def excuse(database: sa.Engine, away: float) -> None:
    """Restart the idle hour of classes that were active before the database's outage `away` [s]."""
    current_time = now_of(database)
    change(
        database,
        USES.update()
        .where(USES.c.used_at > current_time - IDLE - away)
        .values(used_at=current_time),
    )


def close_class(database: sa.Engine, code: str) -> None:
    """Delete a class with all its rows in the database."""
    change(database, CLASSES.delete().filter_by(code=code))


def expire(database: sa.Engine) -> None:
    """Delete every class that has `expired`, with its votes."""
    current_time = now_of(database)
    with transaction(database) as connection:
        # A class from the future was opened before a clock was set back: its lifetime and its idle
        # hour start again now.
        for column in (CLASSES.c.created_at, USES.c.used_at):
            connection.execute(
                column.table.update()
                .where(column > current_time + USED_EVERY)
                .values({column: current_time})
            )
        connection.execute(CLASSES.delete().where(expired(current_time)))


def _of_class(table: sa.Table, value: sa.ColumnElement) -> sa.ScalarSelect:
    """Return SQL for a value of a class's rows in another table, in a query of classes."""
    rows = sa.select(value).where(table.c.code == CLASSES.c.code)
    return rows.correlate(CLASSES).scalar_subquery()


def _voters() -> sa.ScalarSelect:
    """Return SQL for the number of people who have voted in a class."""
    return _of_class(VOTES, sa.func.count(VOTES.c.voter.distinct()))


def _lifetime() -> sa.ColumnElement:
    """Return SQL for a class's lifetime [s]; one without a row in `LIFETIMES` lasts a day."""
    return sa.func.coalesce(_of_class(LIFETIMES, LIFETIMES.c.seconds), float(LIFETIME))


def expired(current_time: float | sa.ColumnElement) -> sa.ColumnElement:
    """Return the SQL condition that a class has expired.

    It is older than its lifetime, empty and unused for `IDLE`, or without enough voters and unused
    for `UNEARNED`.
    """
    empty = (~_has(table) for table in (VOTES, QUESTIONS, PROGRESS))
    idle = sa.and_(_has(USES, USES.c.used_at < current_time - IDLE), *empty)
    unearned = sa.and_(
        _has(LIFETIMES),
        _has(USES, USES.c.used_at < current_time - UNEARNED),
        sa.or_(_has(REHEARSALS), _voters() < EARNED),
    )
    return sa.or_(CLASSES.c.created_at < current_time - _lifetime(), idle, unearned)


def _has(table: sa.Table, *more: sa.ColumnElement) -> sa.Exists:
    """Return the SQL condition that a class has a row in a table, with further conditions."""
    return sa.exists().where(table.c.code == CLASSES.c.code, *more).correlate(CLASSES)


def _check_room(connection: sa.Connection, is_kept: bool) -> None:
    """Raise `Full` if there is no room for another class of a kind."""
    kind = CLASSES.c.code.in_(sa.select(LIFETIMES.c.code))
    limit = MOST_KEPT
    if not is_kept:
        kind = ~kind
        limit = MOST_CLASSES
    if (
        connection.execute(sa.select(sa.func.count(CLASSES.c.code)).where(kind)).scalar_one()
        >= limit
    ):
        raise Full(limit, is_kept)


def _spelled(code: str) -> str:
    """Return a code as it is stored; "" for a text that is no code, which PostgreSQL may refuse."""
    code = code.strip()
    if len(code) == 6 and code.isascii() and code.isalpha():
        return code.upper()
    return ""


def _new_pin(is_kept: bool) -> tuple[str, dict[str, str]]:
    """Return a new PIN, and the columns that the database stores of it: salt and hash."""
    digits = PIN_DIGITS
    if is_kept:
        digits = KEPT_PIN_DIGITS
    pin = f"{secrets.randbelow(10**digits):0{digits}d}"
    salt = secrets.token_hex(16)
    return pin, {"pin_salt": salt, "pin_hash": _hash(pin, salt)}


def _digest(token: str) -> str:
    """Return the hash of a presenter's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _hash(pin: str, salt: str) -> str:
    """Return the hash of a PIN, which is slow to compute on purpose."""
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32).hex()
