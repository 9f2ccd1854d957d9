"""The tables of class polls. What comes later is a table of its own, so that a database of before goes on.

One vote per class, question, round and voter is a constraint of the database, so that a double click, two tabs or two
servers cannot make two. No names and no addresses are stored: a voter is a random token that the browser keeps.
"""

import sqlalchemy as sa

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
#: Classes that agreed, when they were opened, to show bars of few votes.
SMALL = sa.Table(
    "poll_small",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
)
REHEARSALS = sa.Table(
    "poll_rehearsals",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
)
#: Votes of nobody. All of a round are there once it opens; each counts from its own moment on.
SIMULATED = sa.Table(
    "poll_simulated",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_rehearsals.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("lesson", sa.String(40), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("voter", sa.Integer, primary_key=True),
    sa.Column("answer", sa.String(1), nullable=False),
    sa.Column("certain", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
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
#: What the screens of a class show, see `polls.stage`.
STAGES = sa.Table(
    "poll_stages",
    METADATA,
    sa.Column("code", sa.String(6), sa.ForeignKey("poll_classes.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("far", sa.Integer, nullable=False),
    sa.Column("plays", sa.Integer, nullable=False),
    sa.Column("told", sa.String(40), nullable=False),
    sa.Column("begun_at", sa.Float, nullable=False),
)
