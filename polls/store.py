"""Classes and votes in a database: SQLite in one file, or PostgreSQL. SQLAlchemy Core, no state of its own.

One vote per class, question, round and voter is a constraint of the database, so that a double click, two tabs or two
servers cannot make two. No names and no addresses are stored: a voter is a random token that the browser keeps.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

#: Seconds after which a class and its votes are deleted.
LIFETIME = 24 * 3600
#: Letters of a code: none that is mistaken for another.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
OPEN, CLOSED, REVEALED = "open", "closed", "revealed"
#: Wrong PINs that are free; each further one doubles the pause, up to the longest [s].
FREE_GUESSES, LONGEST_PAUSE = 3, 60

_METADATA = sa.MetaData()
CLASSES = sa.Table(
    "poll_classes",
    _METADATA,
    sa.Column("code", sa.String(6), primary_key=True),
    sa.Column("pin_salt", sa.String(32), nullable=False),
    sa.Column("pin_hash", sa.String(64), nullable=False),
    sa.Column("lesson", sa.String(40), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("guesses", sa.Integer, nullable=False, default=0),
    sa.Column("pause_until", sa.Float, nullable=False, default=0.0),
)
VOTES = sa.Table(
    "poll_votes",
    _METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), nullable=False),
    sa.Column("lesson", sa.String(40), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("voter", sa.String(32), nullable=False),
    sa.Column("answer", sa.String(1), nullable=False),
    sa.PrimaryKeyConstraint("code", "lesson", "round", "voter", name="one_vote"),
)


@dataclass(frozen=True)
class Poll:
    """A class as it stands: its code, the question on the screen, the round and what it allows."""

    code: str
    lesson: str
    round: int  #: 1 or 2
    phase: str  #: "open", "closed" or "revealed"


class Pause(Exception):
    """Too many wrong PINs: try again after some seconds."""

    def __init__(self, seconds: float):
        super().__init__(f"Too many wrong PINs; try again in {seconds:.0f} s.")
        self.seconds = seconds


def engine(url: str) -> sa.Engine:
    """Open a database by its URL; prepare SQLite for many writers. Use `prepare` for an engine made elsewhere."""
    return prepare(sa.create_engine(url))


def prepare(database: sa.Engine) -> sa.Engine:
    """Let SQLite take many writers (write-ahead log, waiting instead of failing) and create the tables if missing."""
    if database.dialect.name == "sqlite" and not sa.event.contains(database, "connect", _sqlite_settings):
        sa.event.listen(database, "connect", _sqlite_settings)
        database.dispose()  # connections opened before have other settings
    create(database)
    return database


def create(database: sa.Engine) -> None:
    """Create the tables if they are missing; safe when several servers do so at the same moment."""
    for attempt in range(5):
        try:
            _METADATA.create_all(database)
            return
        except (sa.exc.OperationalError, sa.exc.ProgrammingError, sa.exc.IntegrityError):
            # Another server was creating the same table between our look and our act.
            if attempt == 4:
                raise
            time.sleep(0.1 * (attempt + 1))


def open_class(database: sa.Engine, lesson: str, now: float | None = None) -> tuple[Poll, str]:
    """Open a class on a lesson's question and return it with its PIN, which is shown once and stored nowhere."""
    now = time.time() if now is None else now
    pin, salt = f"{secrets.randbelow(1_000_000):06d}", secrets.token_hex(16)
    with _transaction(database) as link:
        _expire(link, now)
        for _ in range(20):
            code = "".join(secrets.choice(LETTERS) for _ in range(6))
            if link.execute(sa.select(CLASSES.c.code).where(CLASSES.c.code == code)).first() is None:
                break
        row = {"code": code, "pin_salt": salt, "pin_hash": _hash(pin, salt), "lesson": lesson, "round": 1}
        link.execute(CLASSES.insert().values(**row, phase=OPEN, created_at=now, guesses=0, pause_until=0.0))
    return Poll(code, lesson, 1, OPEN), pin


def find(database: sa.Engine, code: str, now: float | None = None) -> Poll | None:
    """Return a class by its code (any case), or None if there is none or it has expired."""
    now = time.time() if now is None else now
    if len(code) > 20:
        return None
    with database.connect() as link:
        row = link.execute(sa.select(CLASSES).where(CLASSES.c.code == code.strip().upper())).mappings().first()
    if row is None:
        return None
    if row["created_at"] < now - LIFETIME:
        expire(database, now)
        return None
    return Poll(row["code"], row["lesson"], row["round"], row["phase"])


def check_pin(database: sa.Engine, code: str, pin: str, now: float | None = None) -> bool:
    """Say whether a PIN is that of a class; compared in constant time, wrong ones slow the next guess.

    Raises
    ------
    Pause
        While guesses are paused; the PIN is not looked at.
    """
    now = time.time() if now is None else now
    with _transaction(database) as link:
        query = sa.select(CLASSES).where(CLASSES.c.code == code.strip().upper()[:20])
        if database.dialect.name == "postgresql":
            query = query.with_for_update()
        row = link.execute(query).mappings().first()
        if row is None:
            _hash(pin[:20], "00" * 16)  # takes as long as for a class that exists
            return False
        if row["pause_until"] > now:
            raise Pause(row["pause_until"] - now)
        right = hmac.compare_digest(_hash(pin[:20], row["pin_salt"]), row["pin_hash"])
        guesses = 0 if right else row["guesses"] + 1
        pause = 0.0 if guesses <= FREE_GUESSES else min(LONGEST_PAUSE, 2.0 ** (guesses - FREE_GUESSES))
        change = CLASSES.update().where(CLASSES.c.code == row["code"])
        link.execute(change.values(guesses=guesses, pause_until=now + pause if pause else 0.0))
    return right


def vote(database: sa.Engine, code: str, lesson: str, round: int, voter: str, answer: str) -> bool:
    """Cast or change a vote; False if the round is not open (any more) or shows another question.

    Raises
    ------
    ValueError
        If voter or answer do not have the shape they must have.
    """
    if not (len(voter) == 32 and set(voter) <= set("0123456789abcdef")):
        raise ValueError("voter must be 32 hexadecimal digits")
    if answer not in {"a", "b", "c", "d"}:
        raise ValueError(f"answer must be a, b, c or d, got {answer[:10]!r}")
    insert = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[database.dialect.name]
    row = {"code": code, "lesson": lesson, "round": round, "voter": voter, "answer": answer}
    with _transaction(database) as link:
        query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).where(CLASSES.c.code == code)
        if database.dialect.name == "postgresql":
            query = query.with_for_update(read=True)  # the round cannot close while the vote is being written
        if link.execute(query).first() != (lesson, round, OPEN):
            return False
        statement = insert(VOTES).values(**row)
        same = [VOTES.c.code, VOTES.c.lesson, VOTES.c.round, VOTES.c.voter]
        link.execute(statement.on_conflict_do_update(index_elements=same, set_={"answer": answer}))
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
    """Return votes by round and answer, `{1: {"a": 3, …}, 2: …}`, of the rounds that have been revealed."""
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    query = (
        sa.select(VOTES.c.round, VOTES.c.answer, sa.func.count())
        .where(VOTES.c.code == poll.code, VOTES.c.lesson == poll.lesson, VOTES.c.round <= last)
        .group_by(VOTES.c.round, VOTES.c.answer)
    )
    found = {number: dict.fromkeys("abcd", 0) for number in range(1, last + 1)}
    with database.connect() as link:
        for number, answer, votes in link.execute(query):
            found[number][answer] = votes
    return found


def move(database: sa.Engine, code: str, phase: str, seen: Poll | None = None) -> bool:
    """Set the phase of the present round: "open", "closed" or "revealed".

    With `seen`, only if the class still stands as the presenter saw it: a click on an old page must not close or
    reveal a round that has begun since. Says whether anything was set.
    """
    if phase not in (OPEN, CLOSED, REVEALED):
        raise ValueError(f"phase must be open, closed or revealed, got {phase[:20]!r}")
    change = CLASSES.update().where(CLASSES.c.code == code)
    if seen is not None:
        same = (CLASSES.c.lesson == seen.lesson, CLASSES.c.round == seen.round, CLASSES.c.phase == seen.phase)
        change = change.where(*same)
    with _transaction(database) as link:
        return link.execute(change.values(phase=phase)).rowcount > 0


def second_round(database: sa.Engine, code: str) -> None:
    """Open the second round of the present question; the first one's votes stay."""
    with _transaction(database) as link:
        link.execute(CLASSES.update().where(CLASSES.c.code == code, CLASSES.c.round == 1).values(round=2, phase=OPEN))


def ask(database: sa.Engine, code: str, lesson: str) -> None:
    """Put another lesson's question on the screen, from its first round; votes on it that a class had are dropped."""
    with _transaction(database) as link:
        link.execute(CLASSES.update().where(CLASSES.c.code == code).values(lesson=lesson, round=1, phase=OPEN))
        link.execute(VOTES.delete().where(VOTES.c.code == code, VOTES.c.lesson == lesson))


def close_class(database: sa.Engine, code: str) -> None:
    """Delete a class and its votes."""
    with _transaction(database) as link:
        link.execute(VOTES.delete().where(VOTES.c.code == code))
        link.execute(CLASSES.delete().where(CLASSES.c.code == code))


def expire(database: sa.Engine, now: float | None = None) -> None:
    """Delete every class older than 24 hours, with its votes."""
    with _transaction(database) as link:
        _expire(link, time.time() if now is None else now)


def _expire(link: sa.Connection, now: float) -> None:
    old = sa.select(CLASSES.c.code).where(CLASSES.c.created_at < now - LIFETIME)
    link.execute(VOTES.delete().where(VOTES.c.code.in_(old)))
    link.execute(CLASSES.delete().where(CLASSES.c.created_at < now - LIFETIME))


@contextmanager
def _transaction(database: sa.Engine) -> Iterator[sa.Connection]:
    """All of it or nothing. On SQLite the write lock is taken at once, so that two writers wait for each other."""
    with database.connect() as link:
        if database.dialect.name == "sqlite":
            link.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield link
        except BaseException:
            link.rollback()
            raise
        link.commit()


def _hash(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32).hex()


def _sqlite_settings(connection: object, _: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]  # transactions are begun by hand, above
    for setting in ("journal_mode=WAL", "busy_timeout=15000", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")  # type: ignore[attr-defined]
