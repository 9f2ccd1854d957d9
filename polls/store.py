"""Classes and votes in a database: SQLite in one file, or PostgreSQL.

This module collects what the app needs of the other modules, which use SQLAlchemy Core and keep no
state of their own.
"""
# ruff: noqa: F401 -- other modules import the names from here

from polls.classes import (
    CLOSED,
    EARNED,
    IDLE,
    KEPT_PIN_DIGITS,
    LIFETIME,
    OPEN,
    OVER,
    PIN_DIGITS,
    REVEALED,
    SEMESTER,
    UNEARNED,
    USED_EVERY,
    WAITING,
    Full,
    Poll,
    check_pin,
    close_class,
    every,
    excuse,
    expire,
    find,
    let_present,
    may_present,
    open_class,
    replace_pin,
    resign,
    use,
)
from polls.database import create, engine, may_keep, transaction
from polls.questions import add_questions, own_questions
from polls.rehearsal import end_rehearsal, simulate, simulate_numbers
from polls.tables import CLASSES, METADATA, PRESENTERS, USES, VOTES
from polls.votes import (
    FINISHED,
    PREDICTED,
    WON,
    count,
    my_vote,
    note_progress,
    numbers,
    progress,
    results,
    revealed,
    rounds_voted,
    vote,
)
