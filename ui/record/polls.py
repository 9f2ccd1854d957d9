"""App's access to class polls: their database, and a visitor's votes while a class is open.

The database is an embedded SQLite file, or what one secret names; one engine a process holds the
connections. Without a secret the file is `polls.sqlite` in the folder that the environment variable
POLLS_FOLDER names, in `data/` beside the app, or where that cannot be written, in the system's
temporary folder. With a secret, `[connections.sql]` and `url = "postgresql://…"`, several servers
share one database.

Whatever goes wrong with it is one exception, `Gone`: the class page says so and the lessons go on.

Whoever has joined a class is counted in it: how far they are with each lesson, and nothing else.
What is kept is the random token of a voter and the steps taken. It is told when the class page or a
lesson is opened and when a challenge is won; a visit without a class tells nothing.
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
#: A reading of a class this young serves every student of a server [s]; a hall of hundreds asks the
#: database once.
FRESH = 1.0
#: After a failure the pages that only watch leave the database alone for this long [s].
REST = 3.0
#: Readings kept before they are dropped.
MOST = 500

_REPORTED = "_class_told"
_WINNERS = "_class_winners"
_LOG = logging.getLogger(__name__)
_TURN = threading.Lock()


class Gone(Exception):
    """Raised when the database of class polls cannot be reached."""


@contextmanager
def database(create: bool = False) -> Iterator[sa.Engine]:
    """Connect to the database; any failure inside the block raises `Gone`.

    An embedded file that was taken away while the server ran counts as gone, so that one which
    comes back still holds its votes; with `create` a new one is begun.
    """
    global _AWAY
    time_slices.leave()  # a database may keep one waiting
    try:
        engine = _engine(create)
        if _AWAY is not None:
            with engine.connect():
                pass  # back: meanwhile no screen could note which class it shows
            with suppress(sa.exc.SQLAlchemyError):
                store.excuse(engine, time.monotonic() - _AWAY[0])
            _AWAY = None
        yield engine
    except (sa.exc.SQLAlchemyError, ImportError, OSError) as error:
        _LOG.warning("class polls: %s", (str(error).splitlines() or [type(error).__name__])[0])
        moment = time.monotonic()
        _AWAY = (_AWAY[0] if _AWAY else moment, moment)
        raise Gone from error


def ask(act: Callable[..., T], *args: Any) -> T:
    """Call a function with the database and return its result."""
    with database() as engine:
        return act(engine, *args)


def latest(code: str, age: float = 0.0) -> Poll | None:
    """Return the state of a class, None if there is none.

    A cached reading of at most `age` seconds is accepted.

    `Gone` if the database cannot be reached, or could not a moment ago and `age` is positive.
    """
    moment = time.monotonic()
    if age and _AWAY and moment - _AWAY[1] < REST:
        raise Gone
    if code in _SEEN and moment - _SEEN[code][0] < age:
        return _SEEN[code][1]
    poll = ask(store.find, code)
    _SEEN.pop(code, None)
    if poll is not None:  # anyone can make up codes; those of no class are not kept
        if len(_SEEN) >= MOST:
            _SEEN.clear()
        _SEEN[code] = (moment, poll)
    return poll


def voted(lesson_id: str, code: str, answer: str) -> None:
    """Record a first-round vote, which becomes the lesson's prediction after the round."""
    state.write(state.CLASS_VOTES, lesson_id, [code, answer])
    if state.get(f"{lesson_id}_prediction") is None:
        state.put(f"{lesson_id}_prediction", answer)


def lock_votes(poll: Poll | None, code: str) -> None:
    """Lock in the votes of finished rounds, keeping predictions locked in before."""
    for lesson in menu():
        class_code, answer = state.read(state.CLASS_VOTES).get(lesson.id) or ("", "")
        current = None
        if poll is not None and poll.lesson == lesson.id:
            current = poll
        if class_code == code and not (current and current.may_vote and current.round == 1):
            if state.commit(state.PREDICTIONS, lesson.id, answer, lesson.prediction.ids):
                ledger.keep_first(lesson.id, sure=state.get(f"{lesson.id}_sure"))
            ledger.keep_lock(lesson)
            state.forget(state.CLASS_VOTES, lesson.id)
        if current and current.round == 2 and not current.may_vote and not current.rehearsal:
            _keep_second(lesson, current.code)


def _keep_second(lesson: Words, code: str) -> None:
    """Note the visitor's second vote for the report, once a class and lesson: the database is asked
    for it.
    """
    name = f"{code}/{lesson.id}"
    voter = local_storage.mine("voter")
    if voter and name not in state.read("_second_votes"):
        answer = ask(store.my_vote, code, lesson.id, 2, voter)
        state.write("_second_votes", name, answer)
        if answer in lesson.prediction.ids:
            ledger.update(lesson.id, second=answer, second_at=ledger.now())


def lock_votes_of(lesson: Lesson) -> None:
    """Lock in a vote on this lesson if its round has ended; without the database, do nothing."""
    noted = state.read(state.CLASS_VOTES).get(lesson.id)
    if noted:
        with suppress(Gone):
            lock_votes(latest(noted[0], FRESH), noted[0])


def join(code: str) -> None:
    """Join a class, whose counts then include this visit."""
    if state.get(state.CLASS_JOINED) != code:
        state.put(state.CLASS_JOINED, code)
        state.drop(_REPORTED)
    tell()


def leave() -> None:
    """Leave the class; this visitor's further progress is not added to its counts."""
    state.drop(state.CLASS_JOINED)
    state.drop(_REPORTED)


def tell() -> None:
    """Send the class this visit's progress if it has joined one and the progress has changed."""
    code = state.get(state.CLASS_JOINED)
    if not isinstance(code, str):
        return
    taken = {lesson.id: steps for lesson in menu() if (steps := _steps(lesson))}
    if not taken or state.get(_REPORTED) == taken:
        return
    with suppress(Gone):
        # A reading that failed a moment ago fails at once, so that a database that is gone keeps no
        # lesson waiting.
        if latest(code, FRESH) is None:
            leave()
        elif ask(store.note_progress, code, local_storage.token("voter"), taken):
            state.put(_REPORTED, taken)


def winners(lesson: Lesson, code: str) -> Mapping[int, str]:
    """Return the most frequent answer in each revealed round of a class on this lesson.

    A tie has none, nor has a round with too few votes to be shown.

    The database is asked once for each step that the class takes: a round that is over stays as it
    is.
    """
    winners_by_round: dict[int, str] = {}
    with suppress(Gone):
        poll = latest(code, FRESH)
        if poll is None:
            return {}
        state.put(state.CLASS_SIMULATED, poll.rehearsal)
        seen_poll, seen_winners = state.read(_WINNERS).get(lesson.id) or (None, {})
        if seen_poll == poll:
            return seen_winners
        votes, _ = ask(store.results, poll, lesson.id)
        for number, counts in rule.shown(votes.get(lesson.id, {}), poll.fewest).items():
            first = [answer for answer in counts if counts[answer] == max(counts.values())]
            if len(first) == 1:
                winners_by_round[number] = first[0]
        state.write(_WINNERS, lesson.id, (poll, winners_by_round))
    return winners_by_round


def _steps(lesson: Words) -> int:
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

    `OSError` if the secret has no URL.
    """
    if not secret:
        return f"sqlite:///{_folder() / 'polls.sqlite'}"
    url = str(secret.get("url") or "")
    if not url:
        raise OSError("the secret has no url")
    return with_driver(url)


def _folder() -> Path:
    folder = Path(os.environ.get("POLLS_FOLDER") or ROOT / "data")
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    folder = Path(tempfile.gettempdir()) / "fleet-what-if"
    folder.mkdir(mode=0o700, exist_ok=True)
    # Anybody may have made it: in the system's temporary folder, or as a link elsewhere.
    if os.name == "posix":
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            raise OSError(f"{folder} belongs to somebody else")
        folder.chmod(0o700)
    return folder


def _engine(create: bool) -> sa.Engine:
    """The one engine of this process; another address, or a file that was taken away or replaced,
    disposes of it.
    """
    global _HELD
    url = url_of(secret_of_host())
    with _TURN:
        mark: tuple | None = ()
        if _HELD is not None:
            last_url, engine, last_mark = _HELD
            if last_url == url:
                mark = _mark(engine)
                if mark is not None and mark == last_mark:
                    return engine
            engine.dispose()  # connections to what is no longer there would still seem to work
        if mark is None and not create:
            raise OSError("the file of the database has been taken away")
        engine = _begun(url)
        _HELD = url, engine, _mark(engine)
        return engine


def _mark(engine: sa.Engine) -> tuple | None:
    """Tell a database's file apart from others; None if it is gone, the same of every server."""
    if engine.dialect.name != "sqlite":
        return ()
    try:
        status = os.stat(engine.url.database or "")
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _begun(url: str) -> sa.Engine:
    """Make an engine whose database answers and has its tables."""
    try:
        return store.engine(url, **_options(url))
    except (sa.exc.SQLAlchemyError, ImportError, OSError):
        raise
    except Exception as error:
        # Drivers and the reading of an address raise whatever they like; the text may hold a
        # password.
        raise OSError(
            f"the address of the database cannot be used ({type(error).__name__})"
        ) from None


def _options(url: str) -> dict:
    """How many connections, and how long one waits for them."""
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
            # At most ten connections a copy of the app: a server has a hundred by default, and many
            # copies share them. A connection that a restarted server has dropped is replaced; one
            # that does not answer fails in seconds.
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


#: The address of the database, an engine whose tables are there, and what tells it apart from one
#: that took its place. It lives in the module, not in Streamlit's caches: any visitor may have
#: those emptied, and an engine that is merely dropped leaves its connections to the server open.
_HELD: tuple[str, sa.Engine, tuple | None] | None = None
#: Since when the database has been away, and when that was noticed last, by the process's own clock
#: [s].
_AWAY: tuple[float, float] | None = None
#: When classes were read, and how they stood, by code, for all visitors of this server.
_SEEN: dict[str, tuple[float, Poll]] = {}
