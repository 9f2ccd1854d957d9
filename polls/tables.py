"""The tables of class polls. What comes later is a table of its own, so that a database of before goes on.

One vote per class, question, round and voter is a constraint of the database, so that a double click, two tabs or two
servers cannot make two. No names and no addresses are stored: a voter is a random token that the browser keeps.
"""

import sqlalchemy as sa

METADATA = sa.MetaData()


def _of(parent: str, name: str, *columns: sa.Column) -> sa.Table:
    """Make a table whose rows belong to a class, first part of their key, and are deleted with it."""
    code = sa.Column("code", sa.String(6), sa.ForeignKey(f"{parent}.code", ondelete="CASCADE"), primary_key=True)
    return sa.Table(name, METADATA, code, *columns)


def _vote(voter: sa.types.TypeEngine) -> tuple[sa.Column, ...]:
    """Return the further key of a vote: question, round and voter."""
    kinds = {"lesson": sa.String(40), "round": sa.Integer, "voter": voter}
    return tuple(sa.Column(name, kind, primary_key=True, autoincrement=False) for name, kind in kinds.items())


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
VOTES = _of("poll_classes", "poll_votes", *_vote(sa.String(32)), sa.Column("answer", sa.String(1), nullable=False))
#: Votes whose voters are certain.
CERTAIN = _of("poll_classes", "poll_certain", *_vote(sa.String(32)))
PRESENTERS = _of("poll_classes", "poll_presenters", sa.Column("token_hash", sa.String(64), primary_key=True))
USES = _of("poll_classes", "poll_uses", sa.Column("used_at", sa.Float, nullable=False))
LIFETIMES = _of("poll_classes", "poll_lifetimes", sa.Column("seconds", sa.Float, nullable=False))
#: Classes that agreed, when they were opened, to show bars of few votes.
SMALL = _of("poll_classes", "poll_small")
REHEARSALS = _of("poll_classes", "poll_rehearsals")
#: Votes of nobody. All of a round are there once it opens; each counts from its own moment on.
SIMULATED = _of(
    "poll_rehearsals",
    "poll_simulated",
    *_vote(sa.Integer),
    sa.Column("answer", sa.String(1), nullable=False),
    sa.Column("certain", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
PROGRESS = _of(
    "poll_classes",
    "poll_progress",
    sa.Column("lesson", sa.String(40), primary_key=True),
    sa.Column("voter", sa.String(32), primary_key=True),
    sa.Column("steps", sa.Integer, nullable=False),
)
QUESTIONS = _of(
    "poll_classes",
    "poll_questions",
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
)
#: What the screens of a class show, see `polls.stage`.
STAGES = _of(
    "poll_classes",
    "poll_stages",
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("far", sa.Integer, nullable=False),
    sa.Column("plays", sa.Integer, nullable=False),
    sa.Column("told", sa.String(40), nullable=False),
    sa.Column("begun_at", sa.Float, nullable=False),
)
