"""Questions written by staff for a class: typed or read from a TOML file, and checked.

```toml
[[questions]]
name = "queue"         # may be missing: by it a playlist asks the question, as own/queue
text = "Which queue is longer?"
options = ["The first", "The second"]
right = "b"            # may be missing: an opinion has no right answer
why = "It holds more." # may be missing, too: what phones say once the answer is shown

[[questions]]
text = "How long do jobs wait?"
number = true          # the answer is a number, and there are no options
unit = "h"             # may be missing
right = 4.3            # may be missing
```
"""

import json
import math
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Self, TypeVar

import sqlalchemy as sa

from physics.texts import toml_of
from polls.database import rows_of, transaction
from polls.tables import CLASSES, QUESTIONS

T = TypeVar("T")
#: Ids of options, in order: a question has two to six.
IDS = "abcdef"
FEWEST_OPTIONS = 2
#: Longest question and longest option that can be read from a hall's last row [characters].
LONGEST_TEXT = 300
LONGEST_OPTION = 120
#: Longest reason and longest unit [characters].
LONGEST_WHY = 300
LONGEST_UNIT = 20
#: Largest number that an answer may be.
LARGEST = 1e12
#: Pattern of a question's name.
NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")
#: Questions of its own that a class may have, and the largest file that is read [B].
MOST = 50
LARGEST_FILE = 64_000


@dataclass(frozen=True)
class Question:
    """Question with two to six options or a numeric answer, and the right answer or None."""

    text: str
    options: tuple[str, ...] = ()
    right: str | float | None = None
    name: str = ""  #: what staff call it; unique in a class
    why: str = ""  #: sentence on why the right answer is right
    number: bool = False  #: whether the answer is a number
    unit: str = ""  #: unit of the number

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the question's options in order."""
        return tuple(IDS[: len(self.options)])

    @classmethod
    def checked(
        cls,
        text: object = None,
        options: object = None,
        right: object = None,
        name: object = "",
        why: object = "",
        number: object = False,
        unit: object = "",
    ) -> Self:
        """Make a question from text typed by staff, with spaces trimmed and lines joined.

        `ValueError` says in one sentence what is wrong.

        >>> Question.checked(" More  GPUs? ", ["yes", "no"], "B").right
        'b'
        >>> Question.checked("More GPUs?", ["yes"])
        Traceback (most recent call last):
        ValueError: A question needs two to six options, got 1.
        >>> Question.checked("How long do jobs wait?", right="4.3", number=True, unit="h").right
        4.3
        """
        text = line(text or "", "The question", LONGEST_TEXT)
        if type(number) is not bool:
            raise ValueError(f"number must be true or false, got {str(number)[:40]!r}.")
        unit = line(unit or "", "The unit", LONGEST_UNIT)
        offered: tuple[str, ...] = ()
        answer: str | float | None
        if not number:
            if unit:
                raise ValueError("Only a question whose answer is a number has a unit.")
            offered = _offered(text, options)
            letter = line("" if right is None else right, "The right answer").lower()
            if letter and letter not in set(IDS[: len(offered)]):
                raise ValueError(
                    f"The right answer must be a letter of an option, got {letter[:20]!r}."
                )
            answer = letter or None
        elif not text:
            raise ValueError("A question needs a text.")
        elif options:
            raise ValueError("A question whose answer is a number has no options.")
        else:
            answer = _right_number(right)
        name = line(name or "", "The name")
        if name and not NAME.fullmatch(name):
            raise ValueError(
                "A name has at most 30 small letters, digits and hyphens, and begins with a "
                f"letter, got {name!r}."
            )
        why = line(why or "", "The sentence that says why", LONGEST_WHY)
        if why and answer is None:
            raise ValueError("Only a question with a right answer can say why it is right.")
        return cls(text, offered, answer, name, why, number, unit)

    def to_json(self) -> str:
        """Serialize the question for the database."""
        data = asdict(self)
        for name in ("name", "why", "number", "unit"):
            if not data[name]:
                del data[name]  # older versions of the app do not know these fields
        return json.dumps(data)

    @classmethod
    def from_json(cls, written: str) -> Self:
        """Deserialize a question written by `to_json`."""
        data = json.loads(written)
        return cls(**data | {"options": tuple(data["options"])})


def _offered(text: str, options: object) -> tuple[str, ...]:
    """Return the checked options of a question with this text."""
    if not isinstance(options, list):
        raise ValueError("The options must be a list of texts.")
    if not FEWEST_OPTIONS <= len(options) <= len(IDS):
        raise ValueError(f"A question needs two to six options, got {len(options)}.")
    offered = tuple(
        line(option, f"Option {letter}", LONGEST_OPTION)
        for letter, option in zip(IDS.upper(), options, strict=False)
    )
    if not text or not all(offered):
        raise ValueError("A question and each of its options need a text.")
    if len({option.casefold() for option in offered}) < len(offered):
        raise ValueError("Two options of a question must not be the same.")
    return offered


def _right_number(right: object) -> float | None:
    """Return the right answer of a numeric question, typed or from a file; None if it is empty."""
    if right is None or right == "":
        return None
    number = math.nan
    if isinstance(right, int | float | str) and type(right) is not bool:
        with suppress(ValueError, OverflowError):
            number = float(right)
    if abs(number) <= LARGEST:  # which NaN is not
        return number
    raise ValueError(
        f"The right answer must be a number from -{LARGEST:g} to {LARGEST:g}, "
        f"got {str(right)[:20]!r}."
    )


def add_questions(database: sa.Engine, code: str, written: Sequence[Question]) -> list[str]:
    """Add questions to a class and return their ids; they are deleted with the class.

    The id of a named question is "own/" and its name. `ValueError` if there is no such class, or
    the class would have more than `MOST` questions, or two of one name; then none is added.
    """
    ids = [f"own/{own_question.name or secrets.token_hex(8)}" for own_question in written]
    with transaction(database) as connection:
        row_of_class = sa.select(CLASSES.c.code).filter_by(code=code).with_for_update()
        if connection.scalar(row_of_class) is None:
            raise ValueError("There is no class with this code any more.")
        existing = set(connection.scalars(sa.select(QUESTIONS.c.id).filter_by(code=code)))
        if len(existing) + len(written) > MOST:
            raise ValueError(
                f"A class has at most {MOST} questions of its own; it has {len(existing)} already."
            )
        for name, own_question in zip(ids, written, strict=True):
            if name in existing:
                raise ValueError(f"A question of this class is called {name[4:]} already.")
            row = {"id": name, "place": len(existing), "question": own_question.to_json()}
            connection.execute(QUESTIONS.insert().values(code=code, **row))
            existing.add(name)
    return ids


def own_questions(database: sa.Engine, code: str) -> dict[str, Question]:
    """Return a class's own questions by id, in the order of their creation."""
    query = sa.select(QUESTIONS.c.id, QUESTIONS.c.question).filter_by(code=code)
    rows = rows_of(database, query.order_by(QUESTIONS.c.place))
    return {name: Question.from_json(written) for name, written in rows}


def read(data: bytes) -> list[Question]:
    """Parse the questions of a TOML file.

    `ValueError` names the faulty question in one sentence.
    """
    keys = ("name", "text", "options", "right", "why", "number", "unit")
    return tables(
        data, "The file", "Question", MOST, keys, (), lambda table, *_: Question.checked(**table)
    )[1]


def tables(
    data: bytes,
    file: str,
    kind: str,
    limit: int,
    keys: Sequence[str],
    top: Sequence[str],
    read: Callable[..., T],
    largest: int = LARGEST_FILE,
) -> tuple[dict, list[T]]:
    """Parse a user's TOML file: return its content, and each of its tables converted by `read`.

    Besides the tables, the file of at most `largest` bytes may have the keys `top`. A table may
    have the `keys`, and `kind` is its name in error messages. `read` gets the table, the items made
    of earlier tables, and the file's content. `ValueError` says in one sentence what is wrong, and
    with which table.
    """
    content = toml_of(data, file, largest)
    key = f"{kind.lower()}s"
    items: list = []
    _check_keys(content, file, (*top, key))
    listed = content.get(key)
    if not isinstance(listed, list) or not 0 < len(listed) <= limit:
        raise ValueError(f"{file} needs 1 to {limit} {key}, each under [[{key}]].")
    for number, table in enumerate(listed, 1):
        try:
            if not isinstance(table, dict):
                raise ValueError(f"it must be a table under [[{key}]].")
            _check_keys(table, "it", keys)
            items.append(read(table, items, content))
        except ValueError as error:
            raise ValueError(f"{kind} {number} of {file.lower()}: {error}") from None
    return content, items


def _check_keys(table: dict, name: str, keys: Sequence[str]) -> None:
    """Raise ValueError if a table has a key that is not one of `keys`."""
    extra = sorted(set(table) - set(keys))
    if extra:
        raise ValueError(f"{name} may have {', '.join(keys)}, got the key {extra[0][:40]!r}.")


def line(text: object, name: str, longest: int = 40) -> str:
    """Return a text as one line; ValueError if it is no text, too long, or not printable."""
    if not isinstance(text, str):
        raise ValueError(f"{name} must be a text, got {str(text)[:40]!r}.")
    joined = " ".join(text.split())
    if len(joined) > longest or not joined.isprintable():
        raise ValueError(
            f"{name} must have at most {longest} characters that can be seen, got {len(joined)}."
        )
    return joined
