"""Classes and votes in a database: SQLite in one file, or PostgreSQL. SQLAlchemy Core, no state of its own.

One vote per class, question, round and voter is a constraint of the database, so that a double click, two tabs or two
servers cannot make two. No names and no addresses are stored: a voter is a random token that the browser keeps.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from polls import questions
from polls.questions import Question

#: Seconds after which a class and its votes are deleted.
LIFETIME = 24 * 3600
#: The longest that a class can be kept where the store is PostgreSQL: a semester of 26 weeks [s].
SEMESTER = 26 * 7 * 24 * 3600
#: Letters of a code: none that is mistaken for another.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
OPEN, CLOSED, REVEALED = "open", "closed", "revealed"
#: Digits of a PIN: a day of a thousand guesses a second, more than a server answers, finds one with a chance of 1 %.
PIN_DIGITS = 10
#: The same for a class that is kept longer: half a year of such guesses finds one with a chance of 0.2 %.
KEPT_PIN_DIGITS = 13
#: Most classes at a time; for one more an empty one goes that nobody has presented for an hour.
MOST_CLASSES = 10_000
#: Most classes that are kept longer than a day; they are counted apart, so that classes of a day push none of them out.
MOST_KEPT = 1_000
#: A class without votes, questions and members that nobody has presented for so long makes room for another one [s].
IDLE = 3600.0
#: How far somebody is with a lesson, added up.
PREDICTED, FINISHED, WON = _STEPS = (1, 2, 4)
#: A class in use is noted as such at most once in this time [s].
USED_EVERY = 60.0

METADATA = sa.MetaData()
CLASSES = sa.Table(
    "poll_classes",
    METADATA,
    sa.Column("code", sa.String(6), primary_key=True),
    sa.Column("pin_salt", sa.String(32), nullable=False),
    sa.Column("pin_hash", sa.String(64), nullable=False),
    sa.Column("lesson", sa.String(40), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    # No longer read; databases made before have them, and they may not be empty there.
    sa.Column("guesses", sa.Integer, nullable=False, default=0),
    sa.Column("pause_until", sa.Float, nullable=False, default=0.0),
)
VOTES = sa.Table(
    "poll_votes",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), nullable=False),
    sa.Column("lesson", sa.String(40), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("voter", sa.String(32), nullable=False),
    sa.Column("answer", sa.String(1), nullable=False),
    sa.PrimaryKeyConstraint("code", "lesson", "round", "voter", name="one_vote"),
)
#: Votes whose voters are certain: a table of its own, so that a database of before goes on.
CERTAIN = sa.Table(
    "poll_certain",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("lesson", sa.String(40), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("voter", sa.String(32), primary_key=True),
)
PRESENTERS = sa.Table(
    "poll_presenters",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("token_hash", sa.String(64), primary_key=True),
)
USES = sa.Table(
    "poll_uses",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("used_at", sa.Float, nullable=False),
)
LIFETIMES = sa.Table(
    "poll_lifetimes",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("seconds", sa.Float, nullable=False),
)
PROGRESS = sa.Table(
    "poll_progress",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("lesson", sa.String(40), primary_key=True),
    sa.Column("voter", sa.String(32), primary_key=True),
    sa.Column("steps", sa.Integer, nullable=False),
)
QUESTIONS = sa.Table(
    "poll_questions",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
)


class Full(Exception):
    """There is no room for one more class: each one that is there is used, or may still be."""

    def __init__(self, most: int, kept: bool):
        what = "classes that are kept longer than a day" if kept else "classes"
        way_on = "open one for 24 hours, or try again in an hour" if kept else "try again in an hour"
        super().__init__(f"There are {most:,} {what} already, and none of them is out of use; {way_on}.")


@dataclass(frozen=True)
class Poll:
    """A class as it stands: its code, the question on the screen, the round and what it allows."""

    code: str
    lesson: str  #: the question's id, see `ui.classes.questions`
    round: int  #: 1 or 2
    phase: str  #: "open", "closed" or "revealed"
    own: Question | None = None  #: the question itself, if staff have written it
    lifetime: float = LIFETIME  #: how long the class is kept after it was opened [s]


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
            METADATA.create_all(database)
            return
        except (sa.exc.OperationalError, sa.exc.ProgrammingError, sa.exc.IntegrityError):
            # Another server was creating the same table between our look and our act.
            if attempt == 4:
                raise
            time.sleep(0.1 * (attempt + 1))


def may_keep(database: sa.Engine) -> bool:
    """Say whether classes can be kept longer than a day: a file beside the app may be lost at any restart."""
    return database.dialect.name == "postgresql"


def open_class(
    database: sa.Engine, lesson: str, now: float | None = None, lifetime: float = LIFETIME
) -> tuple[Poll, str]:
    """Open a class on a lesson's question and return it with its PIN, which is shown once and stored nowhere.

    If there are `MOST_CLASSES` already (`MOST_KEPT` of those that are kept longer than a day), it takes the place of an
    empty one that nobody has presented for `IDLE` seconds.

    Raises
    ------
    Full
        If there is no such class: what somebody has put into a class is never deleted for a new one.
    ValueError
        If `lifetime` [s] is not between a day and a semester, or longer than a day where the store is a file.
    """
    if not LIFETIME <= lifetime <= SEMESTER:
        raise ValueError(f"lifetime must be between {LIFETIME} and {SEMESTER} s, got {lifetime}")
    kept = lifetime > LIFETIME
    if kept and not may_keep(database):
        raise ValueError(f"lifetime must be {LIFETIME} s unless the store is PostgreSQL, got {lifetime}")
    digits = KEPT_PIN_DIGITS if kept else PIN_DIGITS
    pin, salt = f"{secrets.randbelow(10**digits):0{digits}d}", secrets.token_hex(16)
    when = _time(database, now)
    expire(database, now)  # by itself: it stays done when there is no room
    with transaction(database) as link:
        _make_room(link, kept, when)
        for _ in range(20):
            code = "".join(secrets.choice(LETTERS) for _ in range(6))
            if link.execute(sa.select(CLASSES.c.code).where(CLASSES.c.code == code)).first() is None:
                break
        row = {"code": code, "pin_salt": salt, "pin_hash": _hash(pin, salt), "lesson": lesson, "round": 1}
        link.execute(CLASSES.insert().values(**row, phase=OPEN, created_at=when, guesses=0, pause_until=0.0))
        link.execute(USES.insert().values(code=code, used_at=when))
        if kept:
            link.execute(LIFETIMES.insert().values(code=code, seconds=lifetime))
    return Poll(code, lesson, 1, OPEN, lifetime=lifetime), pin


def find(database: sa.Engine, code: str, now: float | None = None) -> Poll | None:
    """Return a class by its code (any case), or None if there is none or it has expired."""
    if not _may_be_code(code):
        return None
    lifetime, old = _lifetime().label("lifetime"), _old(_time(database, now)).label("old")
    asked = sa.and_(QUESTIONS.c.code == CLASSES.c.code, QUESTIONS.c.id == CLASSES.c.lesson)
    query = sa.select(CLASSES, QUESTIONS.c.question, lifetime, old).outerjoin(QUESTIONS, asked)
    with database.connect() as link:
        row = link.execute(query.where(CLASSES.c.code == code.strip().upper())).mappings().first()
    if row is None:
        return None
    if row["old"]:
        with suppress(sa.exc.SQLAlchemyError):  # on a full disk it is deleted later, and gone all the same
            expire(database, now)
        return None
    own = Question.from_json(row["question"]) if row["question"] else None
    return Poll(row["code"], row["lesson"], row["round"], row["phase"], own, row["lifetime"])


def check_pin(database: sa.Engine, code: str, pin: str) -> bool:
    """Say whether a PIN is that of a class; compared in constant time. Count wrong ones with `polls.guesses`."""
    row = None
    if _may_be_code(code):
        query = sa.select(CLASSES.c.pin_salt, CLASSES.c.pin_hash).where(CLASSES.c.code == code.strip().upper())
        with database.connect() as link:
            row = link.execute(query).first()
    # A class that does not exist takes as long as one that does.
    salt, wanted = row if row else ("00" * 16, "")
    return hmac.compare_digest(_hash(pin[:20], salt), wanted)


def let_present(database: sa.Engine, code: str, token: str) -> None:
    """Let a browser present a class from now on; of its token only a hash is kept."""
    insert = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[database.dialect.name]
    row = {"code": code, "token_hash": _digest(token)}
    with transaction(database) as link:
        link.execute(insert(PRESENTERS).values(**row).on_conflict_do_nothing())


def may_present(database: sa.Engine, code: str, token: str) -> bool:
    """Say whether a browser may present a class."""
    query = sa.select(PRESENTERS.c.code).where(PRESENTERS.c.code == code, PRESENTERS.c.token_hash == _digest(token))
    with database.connect() as link:
        return link.execute(query).first() is not None


def resign(database: sa.Engine, code: str, token: str) -> None:
    """Take the right to present a class back from a browser."""
    with transaction(database) as link:
        link.execute(PRESENTERS.delete().where(PRESENTERS.c.code == code, PRESENTERS.c.token_hash == _digest(token)))


def use(database: sa.Engine, code: str, now: float | None = None) -> None:
    """Note that a class is in use, so that it is not the first to go when there are too many."""
    with transaction(database) as link:
        _use(link, code, _time(database, now))


def vote(
    database: sa.Engine,
    code: str,
    lesson: str,
    round: int,
    voter: str,
    answer: str,
    now: float | None = None,
    certain: bool = False,
) -> bool:
    """Cast or change a vote; False if the round is not open (any more) or shows another question.

    Raises
    ------
    ValueError
        If voter or answer do not have the shape they must have.
    """
    _check_voter(voter)
    if answer not in set(questions.IDS):
        raise ValueError(f"answer must be one of {', '.join(questions.IDS)}, got {answer[:10]!r}")
    insert = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[database.dialect.name]
    row = {"code": code, "lesson": lesson, "round": round, "voter": voter, "answer": answer}
    with transaction(database) as link:
        query = sa.select(CLASSES.c.lesson, CLASSES.c.round, CLASSES.c.phase).where(CLASSES.c.code == code)
        if database.dialect.name == "postgresql":
            query = query.with_for_update(read=True)  # the round cannot close while the vote is being written
        if link.execute(query).first() != (lesson, round, OPEN):
            return False
        statement = insert(VOTES).values(**row)
        same = [VOTES.c.code, VOTES.c.lesson, VOTES.c.round, VOTES.c.voter]
        link.execute(statement.on_conflict_do_update(index_elements=same, set_={"answer": answer}))
        mark = {name: one for name, one in row.items() if name != "answer"}
        if certain:
            link.execute(insert(CERTAIN).values(**mark).on_conflict_do_nothing())
        else:
            link.execute(sa.delete(CERTAIN).where(*(CERTAIN.c[name] == one for name, one in mark.items())))
        _use(link, code, _time(database, now))
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
    """Return votes by round and answer, `{1: {"a": 3, …}, 2: …}`, of the rounds that have been revealed.

    An answer that nobody gave is left out.
    """
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    query = (
        sa.select(VOTES.c.round, VOTES.c.answer, sa.func.count())
        .where(VOTES.c.code == poll.code, VOTES.c.lesson == poll.lesson, VOTES.c.round <= last)
        .group_by(VOTES.c.round, VOTES.c.answer)
        .order_by(VOTES.c.round, VOTES.c.answer)
    )
    found: dict[int, dict[str, int]] = {number: {} for number in range(1, last + 1)}
    with database.connect() as link:
        for number, answer, votes in link.execute(query):
            found[number][answer] = votes
    return found


def certain(database: sa.Engine, poll: Poll) -> dict[int, dict[str, int]]:
    """Return the votes of revealed rounds whose voters were certain, by round and answer; empty where nobody was."""
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    same = [VOTES.c[name] == CERTAIN.c[name] for name in ("code", "lesson", "round", "voter")]
    query = (
        sa.select(VOTES.c.round, VOTES.c.answer, sa.func.count())
        .join(CERTAIN, sa.and_(*same))
        .where(VOTES.c.code == poll.code, VOTES.c.lesson == poll.lesson, VOTES.c.round <= last)
        .group_by(VOTES.c.round, VOTES.c.answer)
    )
    found: dict[int, dict[str, int]] = {}
    with database.connect() as link:
        for number, answer, votes in link.execute(query):
            found.setdefault(number, {})[answer] = votes
    return found


def results(database: sa.Engine, poll: Poll) -> dict[str, dict[int, dict[str, int]]]:
    """Return votes by question, round and answer of all that a class was asked, as far as they have been revealed.

    A question that the class has left counts as revealed. A round in which nobody voted is left out.
    """
    query = (
        sa.select(VOTES.c.lesson, VOTES.c.round, VOTES.c.answer, sa.func.count())
        .where(VOTES.c.code == poll.code)
        .group_by(VOTES.c.lesson, VOTES.c.round, VOTES.c.answer)
        .order_by(VOTES.c.lesson, VOTES.c.round, VOTES.c.answer)
    )
    last = poll.round if poll.phase == REVEALED else poll.round - 1
    found: dict[str, dict[int, dict[str, int]]] = {}
    with database.connect() as link:
        for lesson, number, answer, votes in link.execute(query):
            if lesson != poll.lesson or number <= last:
                found.setdefault(lesson, {}).setdefault(number, {})[answer] = votes
    return found


def move(database: sa.Engine, code: str, phase: str, seen: Poll | None = None) -> bool:
    """Set the phase of the present round: "open", "closed" or "revealed".

    With `seen`, only if the class still stands as the presenter saw it: a click on an old page must not close or
    reveal a round that has begun since. Says whether anything was set.
    """
    if phase not in (OPEN, CLOSED, REVEALED):
        raise ValueError(f"phase must be open, closed or revealed, got {phase[:20]!r}")
    with transaction(database) as link:
        return _change(link, code, seen, phase=phase)


def second_round(database: sa.Engine, code: str, seen: Poll | None = None) -> bool:
    """Open the second round of the present question; the first one's votes stay. `seen` and result as for `move`."""
    with transaction(database) as link:
        return _change(link, code, seen, CLASSES.c.round == 1, round=2, phase=OPEN)


def ask(database: sa.Engine, code: str, lesson: str, seen: Poll | None = None) -> bool:
    """Put another question on the screen, from its first round; votes on it that a class had are dropped.

    `seen` and result as for `move`.
    """
    with transaction(database) as link:
        done = _change(link, code, seen, lesson=lesson, round=1, phase=OPEN)
        if done:
            link.execute(VOTES.delete().where(VOTES.c.code == code, VOTES.c.lesson == lesson))
    return done


def add_questions(database: sa.Engine, code: str, written: Sequence[Question]) -> list[str]:
    """Give a class questions of its own and return their ids; they are deleted with it.

    Raises
    ------
    ValueError
        If it would have more than `polls.questions.MOST`, or there is no such class; then none of them is added.
    """
    ids = [f"own/{secrets.token_hex(8)}" for _ in written]
    with transaction(database) as link:
        if link.execute(sa.select(CLASSES.c.code).where(CLASSES.c.code == code).with_for_update()).first() is None:
            raise ValueError("There is no class with this code any more.")
        query = sa.select(sa.func.count()).select_from(QUESTIONS).where(QUESTIONS.c.code == code)
        held = int(link.execute(query).scalar() or 0)
        if held + len(written) > questions.MOST:
            raise ValueError(f"A class has at most {questions.MOST} questions of its own; it has {held} already.")
        for place, (name, one) in enumerate(zip(ids, written, strict=True), held):
            link.execute(QUESTIONS.insert().values(code=code, id=name, place=place, question=one.to_json()))
    return ids


def own_questions(database: sa.Engine, code: str) -> dict[str, Question]:
    """Return a class's own questions by id, in the order in which they were written."""
    query = sa.select(QUESTIONS.c.id, QUESTIONS.c.question).where(QUESTIONS.c.code == code).order_by(QUESTIONS.c.place)
    with database.connect() as link:
        return {name: Question.from_json(written) for name, written in link.execute(query)}


def close_class(database: sa.Engine, code: str) -> None:
    """Delete a class and its votes."""
    with transaction(database) as link:
        _delete(link, CLASSES.c.code == code)


def note_progress(
    database: sa.Engine, code: str, voter: str, steps: Mapping[str, int], now: float | None = None
) -> bool:
    """Add to how far somebody who has joined a class is with each lesson; False if there is no such class any more.

    Parameters
    ----------
    voter : str
        The random token of a voter.
    steps : mapping
        Sums of `PREDICTED`, `FINISHED` and `WON` by lesson; a step that was taken is never taken back.
    """
    _check_voter(voter)
    insert = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[database.dialect.name]
    with transaction(database) as link:
        old = sa.select(_old(_time(database, now))).where(CLASSES.c.code == code)
        if (found := link.execute(old).first()) is None or found[0]:
            return False
        for lesson, sum_of_steps in steps.items():
            row = {"code": code, "lesson": lesson, "voter": voter, "steps": sum_of_steps}
            statement = insert(PROGRESS).values(**row)
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


def expire(database: sa.Engine, now: float | None = None) -> None:
    """Delete every class that is older than it was to be kept, with its votes."""
    with transaction(database) as link:
        _expire(link, _time(database, now))


def _change(link: sa.Connection, code: str, seen: Poll | None, *conditions: sa.ColumnElement, **values: object) -> bool:
    """Change a class if it stands as it was seen; say whether it did."""
    change = CLASSES.update().where(CLASSES.c.code == code, *conditions)
    if seen is not None:
        same = (CLASSES.c.lesson == seen.lesson, CLASSES.c.round == seen.round, CLASSES.c.phase == seen.phase)
        change = change.where(*same)
    return link.execute(change.values(**values)).rowcount > 0


def _delete(link: sa.Connection, which: sa.ColumnElement) -> None:
    """Delete classes; the database itself takes along what belongs to them."""
    link.execute(CLASSES.delete().where(which))


def _expire(link: sa.Connection, now: float | sa.ColumnElement) -> None:
    # A class from the future was opened by a clock that has been set back since: its day begins now, and its hour.
    for table, when in ((CLASSES, CLASSES.c.created_at), (USES, USES.c.used_at)):
        link.execute(table.update().where(when > now + USED_EVERY).values({when: now}))
    _delete(link, _old(now))


def _lifetime() -> sa.ColumnElement:
    """How long a class is kept [s]; only one that is kept longer than a day has a row of its own."""
    own = sa.select(LIFETIMES.c.seconds).where(LIFETIMES.c.code == CLASSES.c.code).correlate(CLASSES)
    return sa.func.coalesce(own.scalar_subquery(), float(LIFETIME))


def _old(now: float | sa.ColumnElement) -> sa.ColumnElement:
    return CLASSES.c.created_at < now - _lifetime()


def _make_room(link: sa.Connection, kept: bool, now: float | sa.ColumnElement) -> None:
    """Make room for one class more of a kind, at the cost of an empty one that nobody presents, or raise `Full`."""
    longer = CLASSES.c.code.in_(sa.select(LIFETIMES.c.code))
    kind, most = (longer, MOST_KEPT) if kept else (~longer, MOST_CLASSES)
    held = int(link.execute(sa.select(sa.func.count()).select_from(CLASSES).where(kind)).scalar() or 0)
    if held < most:
        return
    used = sa.func.coalesce(USES.c.used_at, CLASSES.c.created_at)
    empty = [~sa.exists().where(table.c.code == CLASSES.c.code) for table in (VOTES, QUESTIONS, PROGRESS)]
    idle = sa.select(CLASSES.c.code).outerjoin(USES, USES.c.code == CLASSES.c.code)
    idle = idle.where(kind, used < now - IDLE, *empty).order_by(used).limit(held - most + 1)
    codes = list(link.execute(idle).scalars())
    if len(codes) <= held - most:
        raise Full(most, kept)
    _delete(link, CLASSES.c.code.in_(codes))


def _use(link: sa.Connection, code: str, now: float | sa.ColumnElement) -> None:
    change = USES.update().where(USES.c.code == code, USES.c.used_at < now - USED_EVERY)
    link.execute(change.values(used_at=now))


def _ticks() -> float:
    """Seconds of a clock that nobody sets; where there is one, of one that runs on while the machine sleeps."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


#: What the time of day was when the ticks began, as this process saw it at its start.
_BEGAN = time.time() - _ticks()


def _time(database: sa.Engine, now: float | None) -> float | sa.ColumnElement:
    """The time [s]: PostgreSQL's own, one for all copies of the app; otherwise one that no setting of a clock moves."""
    if now is not None:
        return now
    if database.dialect.name == "postgresql":
        return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Float(53))
    return _BEGAN + _ticks()


@contextmanager
def transaction(database: sa.Engine) -> Iterator[sa.Connection]:
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


def _may_be_code(code: str) -> bool:
    """Say whether a text may be a class's code; PostgreSQL, asked for some others, ends in an error."""
    return len(code) <= 20 and code.strip().isascii() and code.strip().isalpha()


def _check_voter(voter: str) -> None:
    if not (len(voter) == 32 and set(voter) <= set("0123456789abcdef")):
        raise ValueError("voter must be 32 hexadecimal digits")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _hash(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32).hex()


def _sqlite_settings(connection: object, _: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]  # transactions are begun by hand, above
    for setting in ("journal_mode=WAL", "busy_timeout=15000", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")  # type: ignore[attr-defined]
