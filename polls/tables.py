"""The tables of class polls. What comes later is a table of its own, so that a database of before goes on.

One vote per class, question, round and voter is a constraint of the database, so that a double click, two tabs or two
servers cannot make two. No names and no addresses are stored: a voter is a random token that the browser keeps.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import sqlalchemy as sa

METADATA = sa.MetaData()


def _filled(**columns: sa.types.TypeEngine) -> Iterator[sa.Column]:
    """Make columns of which none may be empty."""
    return (sa.Column(name, kind, nullable=False) for name, kind in columns.items())


def _of(
    name: str, key: Mapping[str, sa.types.TypeEngine] = MappingProxyType({}), parent: str = "poll_classes", **columns
) -> sa.Table:
    """Make a table whose rows belong to a class and are deleted with it: its code, then the rest of the key."""
    code = sa.Column("code", sa.String(6), sa.ForeignKey(f"{parent}.code", ondelete="CASCADE"), primary_key=True)
    more = (sa.Column(part, kind, primary_key=True, autoincrement=False) for part, kind in key.items())
    return sa.Table(name, METADATA, code, *more, *_filled(**columns))


CLASSES = sa.Table(
    "poll_classes",
    METADATA,
    sa.Column("code", sa.String(6), primary_key=True),
    *_filled(pin_salt=sa.String(32), pin_hash=sa.String(64)),
    *_filled(lesson=sa.String(40), round=sa.Integer, phase=sa.String(10), created_at=sa.Float),
    # No longer read; databases made before have them, and they may not be empty there.
    sa.Column("guesses", sa.Integer, nullable=False, default=0),
    sa.Column("pause_until", sa.Float, nullable=False, default=0.0),
)
_VOTE = {"lesson": sa.String(40), "round": sa.Integer, "voter": sa.String(32)}
VOTES = _of("poll_votes", _VOTE, answer=sa.String(1))
#: Votes whose voters are certain.
CERTAIN = _of("poll_certain", _VOTE)
PRESENTERS = _of("poll_presenters", {"token_hash": sa.String(64)})
USES = _of("poll_uses", used_at=sa.Float)
LIFETIMES = _of("poll_lifetimes", seconds=sa.Float)
#: Classes that agreed, when they were opened, to show bars of few votes.
SMALL = _of("poll_small")
REHEARSALS = _of("poll_rehearsals")
#: Votes of nobody. All of a round are there once it opens; each counts from its own moment on.
SIMULATED = _of(
    "poll_simulated",
    _VOTE | {"voter": sa.Integer},
    "poll_rehearsals",
    answer=sa.String(1),
    certain=sa.Boolean,
    at=sa.Float,
)
PROGRESS = _of("poll_progress", {"lesson": sa.String(40), "voter": sa.String(32)}, steps=sa.Integer)
QUESTIONS = _of("poll_questions", {"id": sa.String(40)}, place=sa.Integer, question=sa.Text)
#: What the screens of a class show, see `polls.stage`.
STAGES = _of(
    "poll_stages",
    plan=sa.Text,
    place=sa.Integer,
    far=sa.Integer,
    plays=sa.Integer,
    told=sa.String(40),
    begun_at=sa.Float,
)
