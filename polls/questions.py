"""Questions that staff write for a class: typed in the page or read from a TOML file, checked,
bounded and kept.

```toml
[[questions]]
name = "queue"         # may be missing: by it a playlist asks the question, as own/queue
text = "Which queue is longer?"
options = ["The first", "The second"]
right = "b"            # may be missing: an opinion has no right answer
```
"""

import json
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Self, TypeVar

import sqlalchemy as sa

from physics.texts import toml_of
from polls.database import transaction
from polls.tables import CLASSES, QUESTIONS

T = TypeVar("T")
#: Ids of options, in order: a question has two to six.
IDS = "abcdef"
FEWEST_OPTIONS = 2
#: Longest question and longest option [characters]: both are read from the last row.
LONGEST_TEXT = 300
LONGEST_OPTION = 120
#: What staff may call a question.
NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")
#: Questions of its own that a class may have, and the largest file that is read [B].
MOST = 50
LARGEST_FILE = 64_000


@dataclass(frozen=True)
class Question:
    """A question with two to six options "a" to "f", and the id of the right one, or None for an
    opinion.
    """

    text: str
    options: tuple[str, ...]
    right: str | None = None
    name: str = ""  #: what staff call it; unique in a class

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its options in order."""
        return tuple(IDS[: len(self.options)])

    @classmethod
    def checked(
        cls, text: object = None, options: object = None, right: object = None, name: object = ""
    ) -> Self:
        """Make a question of what somebody has written; space is trimmed, lines are joined.

        `ValueError` says in one sentence what is wrong.

        >>> Question.checked(" More  GPUs? ", ["yes", "no"], "B")
        Question(text='More GPUs?', options=('yes', 'no'), right='b', name='')
        >>> Question.checked("More GPUs?", ["yes"])
        Traceback (most recent call last):
        ValueError: A question needs two to six options, got 1.
        """
        words = line(text or "", "The question", LONGEST_TEXT)
        if not isinstance(options, list):
            raise ValueError("The options must be a list of texts.")
        if not FEWEST_OPTIONS <= len(options) <= len(IDS):
            raise ValueError(f"A question needs two to six options, got {len(options)}.")
        named = zip(IDS.upper(), options, strict=False)
        offered = tuple(line(one, f"Option {letter}", LONGEST_OPTION) for letter, one in named)
        if not words or not all(offered):
            raise ValueError("A question and each of its options need a text.")
        if len({option.casefold() for option in offered}) < len(offered):
            raise ValueError("Two options of a question must not be the same.")
        chosen = line(right or "", "The right answer").lower() or None
        if chosen is not None and chosen not in IDS[: len(offered)]:
            raise ValueError(
                f"The right answer must be a letter of an option, got {chosen[:20]!r}."
            )
        called = line(name or "", "The name")
        if called and not NAME.fullmatch(called):
            raise ValueError(
                "A name has at most 30 small letters, digits and hyphens, and begins with a "
                "letter, "
                f"got {called!r}."
            )
        return cls(words, offered, chosen, called)

    def to_json(self) -> str:
        """Write the question for the database."""
        written = asdict(self)
        if not self.name:
            del written["name"]  # a version of the app that knows no names reads it, too
        return json.dumps(written)

    @classmethod
    def from_json(cls, written: str) -> Self:
        """Read what `to_json` has written."""
        found = json.loads(written)
        return cls(**found | {"options": tuple(found["options"])})


def add_questions(database: sa.Engine, code: str, written: Sequence[Question]) -> list[str]:
    """Give a class questions of its own and return their ids; they are deleted with it.

    The id of one with a name is "own/" and the name. `ValueError` if the class would have more than
    `MOST`, or two of one name, or there is no such class; then none is added.
    """
    ids = [f"own/{one.name or secrets.token_hex(8)}" for one in written]
    with transaction(database) as link:
        if (
            link.execute(sa.select(CLASSES.c.code).filter_by(code=code).with_for_update()).first()
            is None
        ):
            raise ValueError("There is no class with this code any more.")
        held = link.execute(
            sa.select(sa.func.count()).select_from(QUESTIONS).filter_by(code=code)
        ).scalar_one()
        if held + len(written) > MOST:
            raise ValueError(
                f"A class has at most {MOST} questions of its own; it has {held} already."
            )
        taken = set(
            link.execute(sa.select(QUESTIONS.c.id).filter_by(code=code)).scalars(),
        )
        for name in ids:
            if name in taken:
                raise ValueError(f"A question of this class is called {name[4:]} already.")
            taken.add(name)
        for place, (name, one) in enumerate(zip(ids, written, strict=True), held):
            link.execute(
                QUESTIONS.insert().values(code=code, id=name, place=place, question=one.to_json())
            )
    return ids


def own_questions(database: sa.Engine, code: str) -> dict[str, Question]:
    """Return a class's own questions by id, in the order in which they were written."""
    query = (
        sa.select(QUESTIONS.c.id, QUESTIONS.c.question)
        .filter_by(code=code)
        .order_by(QUESTIONS.c.place)
    )
    with database.connect() as link:
        return {name: Question.from_json(written) for name, written in link.execute(query)}


def read(data: bytes) -> list[Question]:
    """Read the questions of a TOML file; `ValueError` says in one sentence what is wrong, and with
    which question.
    """
    keys = ("name", "text", "options", "right")
    return tables(
        data, "The file", "Question", MOST, keys, (), lambda table, *_: Question.checked(**table)
    )[1]


def tables(
    data: bytes,
    file: str,
    one: str,
    most: int,
    keys: Sequence[str],
    top: Sequence[str],
    read: Callable[..., T],
    largest: int = LARGEST_FILE,
) -> tuple[dict, list[T]]:
    """Read a TOML file that somebody has written: its `top` keys, and what `read` makes of each of
    its tables.

    The text has at most `largest` bytes.

    `one` names such a table, which has these `keys`. `read` is given the table, what was made of
    those before, and the whole. `ValueError` says in one sentence what is wrong, and with which
    table.
    """
    found = toml_of(data, file, largest)
    key = f"{one.lower()}s"
    made: list = []
    _check_keys(found, file, (*top, key))
    listed = found.get(key)
    if not isinstance(listed, list) or not 0 < len(listed) <= most:
        raise ValueError(f"{file} needs 1 to {most} {key}, each under [[{key}]].")
    for number, table in enumerate(listed, 1):
        try:
            if not isinstance(table, dict):
                raise ValueError(f"it must be a table under [[{key}]].")
            _check_keys(table, "it", keys)
            made.append(read(table, made, found))
        except ValueError as error:
            raise ValueError(f"{one} {number} of {file.lower()}: {error}") from None
    return found, made


def _check_keys(table: dict, name: str, keys: Sequence[str]) -> None:
    extra = sorted(set(table) - set(keys))
    if extra:
        raise ValueError(f"{name} may have {', '.join(keys)}, got the key {extra[0][:40]!r}.")


def line(text: object, name: str, longest: int = 40) -> str:
    """Return a text as one line of plain characters; `ValueError` says what is wrong with the text
    of this name.
    """
    if not isinstance(text, str):
        raise ValueError(f"{name} must be a text, got {str(text)[:40]!r}.")
    words = " ".join(text.split())
    if len(words) > longest or not words.isprintable():
        raise ValueError(
            f"{name} must have at most {longest} characters that can be seen, got {len(words)}."
        )
    return words
