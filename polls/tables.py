"""Tables of class polls. Later additions are separate tables, so that older databases still work.

One vote per class, question, round and voter is a constraint of the database, so that a double
click, two tabs or two servers cannot make two. No names and no addresses are stored: a voter is a
random token that the browser keeps.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, MetaData, String, Table, Text
from sqlalchemy.types import TypeEngine

METADATA = MetaData()
#: Type of a column, as an instance or a class of SQLAlchemy's.
ColumnType = TypeEngine | type[TypeEngine]


def _filled(**columns: ColumnType) -> Iterator[Column]:
    """Yield columns that may not be empty."""
    return (Column(name, kind, nullable=False) for name, kind in columns.items())


def _of(
    name: str,
    key: Mapping = MappingProxyType({}),
    parent: str = "poll_classes",
    **columns: ColumnType,
) -> Table:
    """Return a table whose rows belong to a class and are deleted with it.

    Its key is the class's code and the columns of `key`; `parent` has a row for each such class.
    """
    code = Column(
        "code", String(6), ForeignKey(f"{parent}.code", ondelete="CASCADE"), primary_key=True
    )
    more = (
        Column(column, kind, primary_key=True, autoincrement=False) for column, kind in key.items()
    )
    return Table(name, METADATA, code, *more, *_filled(**columns))


CLASSES = Table(
    "poll_classes",
    METADATA,
    Column("code", String(6), primary_key=True),
    *_filled(pin_salt=String(32), pin_hash=String(64)),
    *_filled(lesson=String(40), round=Integer, phase=String(10), created_at=Float),
    # No longer read; databases made before have them, and they may not be empty there.
    Column("guesses", Integer, nullable=False, default=0),
    Column("pause_until", Float, nullable=False, default=0.0),
)
_VOTE: dict[str, ColumnType] = {"lesson": String(40), "round": Integer, "voter": String(32)}
VOTES = _of("poll_votes", _VOTE, answer=String(1))
#: Votes whose voters are certain.
CERTAIN = _of("poll_certain", _VOTE)
#: Numbers of the votes on numeric questions.
NUMBERS = _of("poll_numbers", _VOTE, value=Float)
PRESENTERS = _of("poll_presenters", {"token_hash": String(64)})
USES = _of("poll_uses", used_at=Float)
LIFETIMES = _of("poll_lifetimes", seconds=Float)
#: Classes that agreed, when they were opened, to show bars of few votes.
SMALL = _of("poll_small")
REHEARSALS = _of("poll_rehearsals")
#: Votes of simulated voters, all stored when the round opens; each counts from its time `at` on.
SIMULATED = _of(
    "poll_simulated",
    _VOTE | {"voter": Integer},
    "poll_rehearsals",
    answer=String(1),
    certain=Boolean,
    at=Float,
)
SIMULATED_NUMBERS = _of(
    "poll_simulated_numbers", _VOTE | {"voter": Integer}, "poll_rehearsals", value=Float
)
PROGRESS = _of("poll_progress", {"lesson": String(40), "voter": String(32)}, steps=Integer)
QUESTIONS = _of("poll_questions", {"id": String(40)}, place=Integer, question=Text)
#: Times at which classes left the first step of their playlists.
STARTS = _of("poll_starts", began_at=Float)
#: States of the screens of classes, see `polls.stage`.
STAGES = _of(
    "poll_stages",
    plan=Text,
    place=Integer,
    far=Integer,
    plays=Integer,
    told=String(40),
    begun_at=Float,
)
