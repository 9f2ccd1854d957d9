"""Classes: open, find by code, present with a PIN, and delete with all their data."""

import hashlib
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from polls import rule
from polls.database import change, first, insert, may_keep, now_of, transaction
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
#: A question is on the screen whose vote has not been opened.
WAITING = "waiting"
OPEN = "open"
CLOSED = "closed"
REVEALED = "revealed"
#: The class is over; what it has answered stays until it is deleted.
OVER = "over"
#: Digits of a PIN: a day of a thousand guesses a second, more than a server answers, finds one with
#: a chance of 1%.
PIN_DIGITS = 10
#: The same for a class that is kept longer: half a year of such guesses finds one with a chance of
#: 0.2%.
KEPT_PIN_DIGITS = 13
#: Most classes at a time.
MOST_CLASSES = 10_000
#: Most classes that are kept longer than a day; they are counted apart, so that classes of a day
#: push none of them out.
MOST_KEPT = 1_000
#: A class without votes, questions and members goes when nobody has presented it for so long [s].
IDLE = 3600.0
#: A class that is kept longer than a day stays for its time once so many people have voted in it;
#: before, it goes when nobody has presented it for so long [s]. Rehearsals do not count.
EARNED = 5
UNEARNED = 14 * 24 * 3600.0
#: How often it is noted that a class is in use [s].
USED_EVERY = 60.0


class Full(Exception):
    """Raised when there is no room for another class, because all existing ones may still be in
    use.
    """

    def __init__(self, most: int, kept: bool):
        if kept:
            what = "classes that are kept longer than a day"
        else:
            what = "classes"
        if kept:
            way_on = "open one for 24 hours, or try again in an hour"
        else:
            way_on = "try again in an hour"
        super().__init__(
            f"There are {most:,} {what} already, and none of them is out of use; {way_on}."
        )


@dataclass(frozen=True)
class Poll:
    """State of a class: its code, the question on screen, the round, and the voting phase."""

    code: str
    lesson: str  #: the question's id, see `ui.classes.questions`
    round: int  #: 1 or 2
    phase: str  #: "waiting", "open", "closed", "revealed" or "over"
    own: Question | None = None  #: the question itself, if staff have written it
    lifetime: float = LIFETIME  #: how long the class is kept after it was opened [s]
    small: bool = False  #: whether it agreed to show bars of few votes
    rehearsal: bool = False  #: whether all its votes are simulated
    told: bool = False  #: whether the hall has been shown the right answer

    @property
    def fewest(self) -> int:
        """Minimum number of votes for showing a result."""
        if self.small:
            return rule.FEWEST_AGREED
        return rule.FEWEST


def open_class(
    database: sa.Engine,
    lesson: str,
    lifetime: float = LIFETIME,
    small: bool = False,
    rehearsal: bool = False,
) -> tuple[Poll, str]:
    """Open a class on a lesson's question and return it with its PIN, which is stored only as a
    hash.

    `Full` if there are `MOST_CLASSES` already, or `MOST_KEPT` of those that are kept longer than a
    day: none is deleted for a new one. `ValueError` if `lifetime` [s] is not between a day and a
    semester, or longer than a day in a file.
    """
    if may_keep(database):
        longest = SEMESTER
    else:
        longest = LIFETIME
    kept = lifetime > LIFETIME
    if not LIFETIME <= lifetime <= longest:
        raise ValueError(
            f"lifetime must be between {LIFETIME} and {longest} s in this store, got {lifetime}"
        )
    code = "".join(secrets.choice(LETTERS) for _ in range(6))
    pin, secret = _new_pin(kept)
    when = now_of(database)
    expire(database)  # by itself: it stays done when there is no room
    with transaction(database) as link:
        _check_room(link, kept)
        row = {"code": code, **secret, "lesson": lesson, "round": 1}
        link.execute(CLASSES.insert().values(**row, phase=OPEN, created_at=when))
        link.execute(USES.insert().values(code=code, used_at=when))
        if kept:
            link.execute(LIFETIMES.insert().values(code=code, seconds=lifetime))
        for table in [SMALL] * small + [REHEARSALS] * rehearsal:
            link.execute(table.insert().values(code=code))
    poll = find(database, code)
    if poll is None:
        raise RuntimeError(f"class {code} was deleted while it was opened")
    return poll, pin


def find(database: sa.Engine, code: str) -> Poll | None:
    """Find a class by its code in any case; None if there is none or it has `expired`."""
    own_question = sa.and_(QUESTIONS.c.code == CLASSES.c.code, QUESTIONS.c.id == CLASSES.c.lesson)
    old = expired(now_of(database))
    agreed = (_has(SMALL).label("small"), _has(REHEARSALS).label("rehearsal"))
    answer_shown = _has(STAGES, STAGES.c.told == CLASSES.c.lesson).label("told")
    columns = (
        CLASSES,
        QUESTIONS.c.question,
        _lifetime().label("lifetime"),
        old.label("old"),
        *agreed,
        answer_shown,
    )
    row = first(
        database,
        sa.select(*columns)
        .outerjoin(QUESTIONS, own_question)
        .where(CLASSES.c.code == _spelled(code)),
    )
    if row is None:
        return None
    if row.old:
        with suppress(
            sa.exc.SQLAlchemyError
        ):  # on a full disk it is deleted later, and gone all the same
            expire(database)
        return None
    if row.question:
        own = Question.from_json(row.question)
    else:
        own = None
    stands = (row.code, row.lesson, row.round, row.phase)
    kinds = (bool(row.small), bool(row.rehearsal), bool(row.told))
    return Poll(*stands, own, row.lifetime, *kinds)


def check_pin(database: sa.Engine, code: str, pin: str) -> bool:
    """Check the PIN of a class in constant time; the caller must limit the number of attempts."""
    query = sa.select(CLASSES.c.pin_salt, CLASSES.c.pin_hash).filter_by(code=_spelled(code))
    # A class that does not exist takes as long as one that does.
    salt, wanted = first(database, query) or ("00" * 16, "")
    return hmac.compare_digest(_hash(pin[:20], salt), wanted)


def replace_pin(database: sa.Engine, code: str, token: str) -> str:
    """Give a class a new PIN and return it; only the browser with this token may still present the
    class.

    `ValueError` if there is no such class.
    """
    here = {"code": code}
    with transaction(database) as link:
        if standing(link, code) is None:
            raise ValueError("There is no class with this code any more.")
        kept = link.execute(sa.select(LIFETIMES.c.code).filter_by(**here)).first() is not None
        pin, secret = _new_pin(kept)
        link.execute(CLASSES.update().filter_by(**here).values(**secret))
        others = PRESENTERS.c.token_hash != _digest(token)
        link.execute(PRESENTERS.delete().filter_by(**here).where(others))
    return pin


def every(database: sa.Engine) -> list[dict[str, Any]]:
    """Return all classes, oldest first, with question, round, phase, ages [s], voters, and own
    questions.
    """
    now = sa.literal(0.0) + now_of(database)
    voters, own = (
        sa.select(sa.func.count(column.distinct()))
        .where(column.table.c.code == CLASSES.c.code)
        .correlate(CLASSES)
        .scalar_subquery()
        for column in (VOTES.c.voter, QUESTIONS.c.id)
    )
    used = sa.select(USES.c.used_at).where(USES.c.code == CLASSES.c.code).correlate(CLASSES)
    columns = (
        CLASSES.c.code,
        CLASSES.c.lesson,
        CLASSES.c.round,
        CLASSES.c.phase,
        (now - CLASSES.c.created_at).label("age"),
        (now - sa.func.coalesce(used.scalar_subquery(), CLASSES.c.created_at)).label("unused"),
        _lifetime().label("lifetime"),
        voters.label("voters"),
        own.label("questions"),
        _has(REHEARSALS).label("rehearsal"),
    )
    with database.connect() as link:
        rows = link.execute(sa.select(*columns).order_by(CLASSES.c.created_at, CLASSES.c.code))
        return [dict(row._mapping) for row in rows]


def standing(link: sa.Connection, code: str, **lock: Any) -> sa.Row | None:
    """Return question, round, and phase of a class, locked until the transaction ends."""
    query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).filter_by(code=code)
    return link.execute(query.with_for_update(**lock)).first()


def let_present(database: sa.Engine, code: str, token: str) -> bool:
    """Allow a browser to present a class, and return True; only a hash of its token is stored."""
    row = insert(database, PRESENTERS).values(code=code, token_hash=_digest(token))
    return change(database, row.on_conflict_do_nothing())


def may_present(database: sa.Engine, code: str, token: str) -> bool:
    """Return whether a browser may present a class."""
    return (
        first(database, sa.select(PRESENTERS).filter_by(code=code, token_hash=_digest(token)))
        is not None
    )


def resign(database: sa.Engine, code: str, token: str) -> bool:
    """Revoke a browser's right to present a class, and return True."""
    return change(database, PRESENTERS.delete().filter_by(code=code, token_hash=_digest(token)))


def use(database: sa.Engine, code: str) -> None:
    """Record that somebody presents a class; an empty class without a presenter is deleted after an
    hour.
    """
    when = now_of(database)
    change(
        database,
        USES.update().where(USES.c.code == code, USES.c.used_at < when).values(used_at=when),
    )


def excuse(database: sa.Engine, away: float) -> None:
    """Restart the idle hour of classes that were active before the database was `away` [s]."""
    when = now_of(database)
    change(database, USES.update().where(USES.c.used_at > when - IDLE - away).values(used_at=when))


def close_class(database: sa.Engine, code: str) -> None:
    """Delete a class with all its rows in the database."""
    change(database, CLASSES.delete().filter_by(code=code))


def expire(database: sa.Engine) -> None:
    """Delete every class that has `expired`, with its votes."""
    when = now_of(database)
    with transaction(database) as link:
        # A class from the future was opened by a clock that has been set back since: its day begins
        # now, and its hour.
        for column in (CLASSES.c.created_at, USES.c.used_at):
            link.execute(
                column.table.update().where(column > when + USED_EVERY).values({column: when})
            )
        link.execute(CLASSES.delete().where(expired(when)))


def _lifetime() -> sa.ColumnElement:
    """How long a class is kept [s]; only one that is kept longer than a day has a row of its
    own.
    """
    own = (
        sa.select(LIFETIMES.c.seconds).where(LIFETIMES.c.code == CLASSES.c.code).correlate(CLASSES)
    )
    return sa.func.coalesce(own.scalar_subquery(), float(LIFETIME))


def expired(now: float | sa.ColumnElement) -> sa.ColumnElement:
    """SQL condition for expired classes: too old, empty and idle for `IDLE`, or unused for
    `UNEARNED` without votes.
    """
    empty = (~_has(table) for table in (VOTES, QUESTIONS, PROGRESS))
    idle = sa.and_(_has(USES, USES.c.used_at < now - IDLE), *empty)
    voters = (
        sa.select(sa.func.count(VOTES.c.voter.distinct()))
        .where(VOTES.c.code == CLASSES.c.code)
        .correlate(CLASSES)
    )
    unearned = sa.and_(
        _has(LIFETIMES),
        _has(USES, USES.c.used_at < now - UNEARNED),
        sa.or_(_has(REHEARSALS), voters.scalar_subquery() < EARNED),
    )
    return sa.or_(CLASSES.c.created_at < now - _lifetime(), idle, unearned)


def _has(table: sa.Table, *more: sa.ColumnElement) -> sa.Exists:
    """Condition: a class has a row in a table."""
    return sa.exists().where(table.c.code == CLASSES.c.code, *more).correlate(CLASSES)


def _check_room(link: sa.Connection, kept: bool) -> None:
    """Raise `Full` where there is no room for one class more of a kind."""
    longer = CLASSES.c.code.in_(sa.select(LIFETIMES.c.code))
    if kept:
        kind = longer
        most = MOST_KEPT
    else:
        kind = ~longer
        most = MOST_CLASSES
    if (
        link.execute(sa.select(sa.func.count()).select_from(CLASSES).where(kind)).scalar_one()
        >= most
    ):
        raise Full(most, kept)


def _spelled(code: str) -> str:
    """Return a code as it is stored, "" if it cannot be one: PostgreSQL, asked for some others,
    ends in an error.
    """
    code = code.strip()
    if len(code) == 6 and code.isascii() and code.isalpha():
        return code.upper()
    return ""


def _new_pin(kept: bool) -> tuple[str, dict[str, str]]:
    """Return a PIN, and what the database has of it: a salt and a hash."""
    if kept:
        digits = KEPT_PIN_DIGITS
    else:
        digits = PIN_DIGITS
    pin = f"{secrets.randbelow(10**digits):0{digits}d}"
    salt = secrets.token_hex(16)
    return pin, {"pin_salt": salt, "pin_hash": _hash(pin, salt)}


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _hash(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32).hex()
