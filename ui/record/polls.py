"""App's access to class polls: their database, and a visitor's votes while a class is open.

The database is an embedded SQLite file or the one that a secret names; each process has one engine
with its connections. Without a secret, the file is `polls.sqlite` in the folder that the
environment variable POLLS_FOLDER names, or else in `data/` next to the app. If that folder cannot
be written, the file is in the system's temporary folder. With a secret, `[connections.sql]` and
`url = "postgresql://…"`, several servers share one database.

Any failure of the database raises one exception, `Gone`: the class page tells the visitor, and the
lessons work without the class.

The database stores the progress of a visitor who has joined a class: a random token and the steps
taken in each lesson, and nothing else. It is sent when the class page or a lesson is opened and
when a challenge is won; a visit without a class sends nothing.
"""

import logging
import os
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from polls import rule, store
from polls.database import with_driver
from polls.store import Poll
from ui.base import state, time_slices
from ui.base.lesson import Lesson, menu
from ui.base.words import Words
from ui.record import ledger, local_storage

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
#: Maximum age of a cached class [s]; hundreds of students then cause one reading per server.
MAX_AGE = 1.0
#: Pause after a failure before pages that only watch try to read the database again [s].
RETRY_PAUSE = 3.0
MAX_CACHED = 500

_REPORTED = "_class_told"
_WINNERS = "_class_winners"
_LOG = logging.getLogger(__name__)
_ENGINE_LOCK = threading.Lock()
#: Address of the database, its engine, and the id of its file. This is not in Streamlit's caches,
#: because any visitor can empty those, and an engine that is not disposed of keeps its connections.
_ENGINE: tuple[str, sa.Engine, tuple | None] | None = None
#: Times of the first and the last failure since the database was reached [s, `time.monotonic`].
_OUTAGE: tuple[float, float] | None = None
#: Cache of classes for all visitors of this server: time of reading [s] and state, by code.
_CACHE: dict[str, tuple[float, Poll]] = {}


class Gone(Exception):
    """Raised when the database of class polls cannot be reached."""


@contextmanager
def database(create: bool = False) -> Iterator[sa.Engine]:
    """Connect to the database; any failure inside the block raises `Gone`.

    Failures are errors of the database and any OSError. An embedded file that was removed while
    the server ran counts as one, so that its votes are still there if it comes back; with `create`,
    a new file replaces it.
    """
    global _OUTAGE
    time_slices.leave()  # the database may be slow, and other pages need not wait for it
    try:
        engine = _engine(create)
        outage = _OUTAGE  # another thread may set it to None meanwhile
        if outage is not None:
            with engine.connect():
                pass
            # Reachable again. During the outage, no screen could note that its class is in use.
            with suppress(sa.exc.SQLAlchemyError):
                store.excuse(engine, time.monotonic() - outage[0])
            _OUTAGE = None
        yield engine
    except (sa.exc.SQLAlchemyError, ImportError, OSError) as error:
        _LOG.warning("class polls: %s", (str(error).splitlines() or [type(error).__name__])[0])
        moment = time.monotonic()
        outage = _OUTAGE or (moment, moment)
        _OUTAGE = (outage[0], moment)
        raise Gone from error


def ask(query: Callable[..., T], *args: Any) -> T:
    """Call a function with the database and return its result; a failure raises `Gone`."""
    with database() as engine:
        return query(engine, *args)


def latest(code: str, age: float = 0.0) -> Poll | None:
    """Return the state of a class; None if there is no such class.

    A cached state that is less than `age` seconds old is accepted.

    Raises
    ------
    Gone
        If the database cannot be reached, or could not be within `RETRY_PAUSE` and `age` is
        positive.
    """
    moment = time.monotonic()
    outage = _OUTAGE
    if age and outage and moment - outage[1] < RETRY_PAUSE:
        raise Gone
    cached = _CACHE.get(code)
    if cached and moment - cached[0] < age:
        return cached[1]
    poll = ask(store.find, code)
    _CACHE.pop(code, None)
    if poll is not None:  # codes without a class are not cached, because anybody can make them up
        if len(_CACHE) >= MAX_CACHED:
            _CACHE.clear()
        _CACHE[code] = (moment, poll)
    return poll


def record_vote(lesson_id: str, code: str, answer: str) -> None:
    """Record a first-round vote, which becomes the lesson's prediction after the round."""
    state.write(state.CLASS_VOTES, lesson_id, [code, answer])
    if state.get(f"{lesson_id}_prediction") is None:
        state.put(f"{lesson_id}_prediction", answer)


def lock_votes(poll: Poll | None, code: str) -> None:
    """Lock in the votes of finished rounds, keeping predictions locked in before.

    Raises `Gone` if a second vote cannot be read.
    """
    for lesson in menu():
        class_code, answer = state.read(state.CLASS_VOTES).get(lesson.id) or ("", "")
        current = None
        if poll is not None and poll.lesson == lesson.id:
            current = poll
        is_open = current and current.may_vote and current.round == 1
        if class_code == code and not is_open:
            if state.commit(state.PREDICTIONS, lesson.id, answer, lesson.prediction.ids):
                ledger.keep_first(lesson.id, sure=state.get(f"{lesson.id}_sure"))
            ledger.keep_lock(lesson)
            state.forget(state.CLASS_VOTES, lesson.id)
        if current and current.round == 2 and not current.may_vote and not current.rehearsal:
            _keep_second(lesson, current.code)


def _keep_second(lesson: Words, code: str) -> None:
    """Add the visitor's second vote to the report; it is read once per class and lesson."""
    name = f"{code}/{lesson.id}"
    voter = local_storage.mine("voter")
    if voter and name not in state.read("_second_votes"):
        answer = ask(store.my_vote, code, lesson.id, 2, voter)
        state.write("_second_votes", name, answer)
        if answer in lesson.prediction.ids:
            ledger.update(lesson.id, second=answer, second_at=ledger.now())


def lock_votes_of(lesson: Lesson) -> None:
    """Lock in a vote on this lesson if its round has ended; without the database, do nothing."""
    vote = state.read(state.CLASS_VOTES).get(lesson.id)
    if vote:
        code = vote[0]
        with suppress(Gone):
            lock_votes(latest(code, MAX_AGE), code)


def join(code: str) -> None:
    """Join a class, whose counts then include this visit."""
    if state.get(state.CLASS_JOINED) != code:
        state.put(state.CLASS_JOINED, code)
        state.drop(_REPORTED)
    send_progress()


def leave() -> None:
    """Leave the class; this visitor's further progress is not added to its counts."""
    state.drop(state.CLASS_JOINED)
    state.drop(_REPORTED)


def send_progress() -> None:
    """Send the class this visit's progress if it has joined one and the progress has changed."""
    code = state.get(state.CLASS_JOINED)
    if not isinstance(code, str):
        return
    steps = {lesson.id: _steps(lesson) for lesson in menu()}
    steps = {lesson_id: number for lesson_id, number in steps.items() if number}
    if not steps or state.get(_REPORTED) == steps:
        return
    with suppress(Gone):
        # Soon after a failure this fails immediately, so that no lesson waits for the database.
        if latest(code, MAX_AGE) is None:
            leave()
        elif ask(store.note_progress, code, local_storage.token("voter"), steps):
            state.put(_REPORTED, steps)


def winners(lesson: Lesson, code: str) -> Mapping[int, str]:
    """Return the most frequent answer in each revealed round of a class on this lesson, by round.

    A round that ended in a tie or has too few votes to be shown is left out. The database is read
    once for each state of the class, because the votes of a finished round do not change. The
    answers are kept for the visit, and returned while the database cannot be reached.
    """
    last_poll, last_winners = state.read(_WINNERS).get(lesson.id) or (None, {})
    try:
        poll = latest(code, MAX_AGE)
        if poll is None:
            return {}
        state.put(state.CLASS_SIMULATED, poll.rehearsal)
        if last_poll == poll:
            return last_winners
        votes, _ = ask(store.results, poll, lesson.id)
    except Gone:
        if last_poll is not None and last_poll.code == code:
            return last_winners
        return {}
    winners_by_round = {}
    for number, counts in rule.shown(votes.get(lesson.id, {}), poll.fewest).items():
        most_frequent = [answer for answer in counts if counts[answer] == max(counts.values())]
        if len(most_frequent) == 1:
            winners_by_round[number] = most_frequent[0]
    state.write(_WINNERS, lesson.id, (poll, winners_by_round))
    return winners_by_round


def _steps(lesson: Words) -> int:
    """Return the visitor's steps in a lesson as a sum of the flags in `polls.store`."""
    answer = state.committed(state.PREDICTIONS, lesson.id, lesson.prediction.ids)
    predicted = answer in lesson.prediction.ids
    finished = ledger.progress(lesson) == "finished"
    won = "won" in ledger.record(lesson.id)
    return store.PREDICTED * predicted + store.FINISHED * finished + store.WON * won


def secret_of_host() -> Mapping:
    """Return the connection settings in the host's secrets; empty if there are none."""
    secrets = None
    try:
        if st.secrets.load_if_toml_exists():
            secrets = st.secrets.get("connections")
    except StreamlitSecretNotFoundError as error:  # a file that is no TOML
        raise OSError("the secrets cannot be read") from error
    match secrets:
        case {"sql": Mapping() as secret}:
            return secret
    return {}


def url_of(secret: Mapping) -> str:
    """Return the database URL in the host's secrets, or else the URL of a local file.

    Raises
    ------
    OSError
        If there is a secret without a URL.
    """
    if not secret:
        return f"sqlite:///{_folder() / 'polls.sqlite'}"
    url = str(secret.get("url") or "")
    if not url:
        raise OSError("the secret has no url")
    return with_driver(url)


def _folder() -> Path:
    """Return a folder that can be written for the database's file, and create it."""
    folder = Path(os.environ.get("POLLS_FOLDER") or ROOT / "data")
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    folder = Path(tempfile.gettempdir()) / "fleet-what-if"
    folder.mkdir(mode=0o700, exist_ok=True)
    # In the system's temporary folder, another user may have created it, or a link to elsewhere.
    if os.name == "posix":
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            raise OSError(f"{folder} belongs to somebody else")
        folder.chmod(0o700)
    return folder


def _engine(create: bool) -> sa.Engine:
    """Return the one engine of this process.

    A new engine replaces it if the address changes, or if the file was removed or replaced.
    """
    global _ENGINE
    url = url_of(secret_of_host())
    with _ENGINE_LOCK:
        if _ENGINE is not None:
            last_url, engine, last_id = _ENGINE
            same_url = last_url == url
            current_id = _file_id(engine)
            if same_url and current_id is not None and current_id == last_id:
                return engine
            engine.dispose()  # connections to a removed file would still seem to work
            if same_url and current_id is None and not create:
                raise OSError("the file of the database has been taken away")
        engine = _new_engine(url)
        _ENGINE = url, engine, _file_id(engine)
        return engine


def _file_id(engine: sa.Engine) -> tuple | None:
    """Return an id of the database's file; None if the file is gone, () for a database server."""
    if engine.dialect.name != "sqlite":
        return ()
    try:
        status = os.stat(engine.url.database or "")
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _new_engine(url: str) -> sa.Engine:
    """Return a new engine whose database answers and has its tables."""
    try:
        return store.engine(url, **_options(url))
    except (sa.exc.SQLAlchemyError, ImportError, OSError):
        raise
    except Exception as error:
        # Drivers raise all kinds of exceptions for an invalid address, and their text may contain
        # its password.
        raise OSError(
            f"the address of the database cannot be used ({type(error).__name__})"
        ) from None


def _options(url: str) -> dict:
    """Return the engine's options: the number of connections, and timeouts.

    They are in seconds, but `tcp_user_timeout` is in milliseconds.
    """
    address = sa.make_url(url)
    options: dict[str, Any] = {"pool_timeout": 10}
    match address.get_backend_name():
        case "sqlite":
            if address.database in (None, "", ":memory:") or "uri" in address.query:
                raise OSError(
                    "class polls need a file or a server: a database in memory is not shared"
                )
            return options | {"pool_size": 10, "max_overflow": 20}
        case "postgresql":
            # At most ten connections per copy of the app: many copies share the hundred that a
            # server has by default. A connection that a restarted server has dropped is replaced;
            # one that does not answer fails within seconds.
            options |= {
                "pool_size": 5,
                "max_overflow": 5,
                "pool_pre_ping": True,
                "pool_recycle": 1800,
            }
            # Poolers between us and PostgreSQL do not carry prepared statements from one
            # transaction to the next.
            if address.get_driver_name() == "psycopg":
                options["connect_args"] = {
                    "connect_timeout": 3,
                    "tcp_user_timeout": 5000,
                    "prepare_threshold": None,
                }
            return options
        case kind:
            raise OSError(f"class polls need SQLite or PostgreSQL, got {kind}")
