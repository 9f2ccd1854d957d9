"""Database of class polls in SQLite or PostgreSQL, set up for many writers, and its clock."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from polls.tables import METADATA


def engine(url: str, **options: object) -> sa.Engine:
    """Open a database by its URL, and create the tables that are missing.

    SQLite is made ready for many writers (write-ahead log, waiting instead of failing).
    """
    database = sa.create_engine(url, **options)
    try:
        if database.dialect.name == "sqlite":
            sa.event.listen(database, "connect", _sqlite_settings)
        with database.connect():
            pass  # without a database, fail here, because `create` would try again
        create(database)
    except BaseException:
        database.dispose()
        raise
    return database


def with_driver(url: str) -> str:
    """Add our driver, psycopg 3, to a database address, because hosts' addresses name no driver."""
    return re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", url)


def create(database: sa.Engine) -> None:
    """Create missing tables; several servers may do so at the same moment."""
    for attempt in range(5):
        try:
            METADATA.create_all(database)
            return
        except (sa.exc.OperationalError, sa.exc.ProgrammingError, sa.exc.IntegrityError):
            # Another server created the same table after we had found it missing.
            if attempt == 4:
                raise
            time.sleep(0.1 * (attempt + 1))


def may_keep(database: sa.Engine) -> bool:
    """Return whether classes can be kept longer than a day, which needs PostgreSQL."""
    return database.dialect.name == "postgresql"


@contextmanager
def transaction(database: sa.Engine) -> Iterator[sa.Connection]:
    """Run a block as one transaction, which is committed or rolled back as a whole.

    On SQLite the write lock is taken at once, so that two writers wait for each other.
    """
    with database.begin() as connection:
        if database.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def rows_of(database: sa.Engine, query: sa.Select) -> Sequence[sa.Row]:
    """Return all rows of a query."""
    with database.connect() as connection:
        return connection.execute(query).all()


def first(database: sa.Engine, query: sa.Select) -> sa.Row | None:
    """Return the first row of a query, or None."""
    with database.connect() as connection:
        return connection.execute(query).first()


def change(database: sa.Engine, statement: sa.Executable) -> bool:
    """Execute a statement in its own transaction and return True."""
    with transaction(database) as connection:
        connection.execute(statement)
    return True


def insert(database: sa.Engine, table: sa.Table) -> Any:
    """Return an insert statement of the database's dialect, which can handle conflicts."""
    return {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[database.dialect.name](table)


def now_of(database: sa.Engine) -> float | sa.ColumnElement:
    """Return the current time [s]: PostgreSQL's for all copies of the app, else a monotonic clock.

    Tests set the time with the engine's execution option `now`.
    """
    set_time = database.get_execution_options().get("now")
    if set_time is not None:
        return set_time
    if database.dialect.name == "postgresql":
        return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Float(53))
    return _CLOCK_START + _ticks()


def _ticks() -> float:
    """Return the time [s] of a clock that nobody sets; if possible, it counts a machine's sleep."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    if boot is None:
        return time.monotonic()
    return time.clock_gettime(boot)


#: Time of day at the clock's zero, as this process saw it at its start [s].
_CLOCK_START = time.time() - _ticks()


def _sqlite_settings(connection: Any, _: object) -> None:
    """Set up a new connection to SQLite for many writers."""
    # `transaction` begins transactions itself.
    connection.isolation_level = None
    for setting in (
        "journal_mode=WAL",
        "busy_timeout=15000",
        "synchronous=NORMAL",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {setting}")  # type: ignore[attr-defined]
