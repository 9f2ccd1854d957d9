"""Act as presenter and voter on the class page."""

import csv
import io
import re
from dataclasses import replace

import sqlalchemy as sa
from driving import click, put
from streamlit.testing.v1 import AppTest

from polls import stage, store
from polls.store import Poll
from ui.classes import after_class


def opened(come, **address) -> tuple[AppTest, str, str]:
    app = click(come(**address), "class_open")
    return app, app.metric[0].value, re.search(r"\*\*(\d{10})\*\*", app.info[0].value)[1]


def entered(come, code: str, pin: str) -> AppTest:
    """Come by code and PIN."""
    return click(put(come(class_=code), "class_pin", pin), "class_enter")


def reveal(presenter: AppTest) -> AppTest:
    """Close the round and reveal its votes."""
    return click(presenter, "class_close", "class_reveal")


def cast(app: AppTest, answer: str) -> AppTest:
    return click(put(app, "class_answer", answer), "class_vote")


def hall(come, code: str, answers: str) -> list[AppTest]:
    """Let somebody new come for each answer, and vote so."""
    return [cast(come(class_=code), answer) for answer in answers]


def ballots(database: sa.Engine, code: str, answers: str, number: int = 1) -> None:
    """Let voter after voter give an answer to the question that is asked now, without their
    pages.
    """
    for voter, answer in enumerate(answers):
        asked = store.find(database, code).lesson
        assert store.vote(database, code, asked, number, f"{voter:032x}", answer)


def csv_of(*answered, **more) -> list[dict]:
    """The rows of a class's table of results."""
    return list(csv.DictReader(io.StringIO(after_class.table(*answered, **more))))


def plays(app: AppTest, written: str) -> AppTest:
    """Begin a playlist that is pasted."""
    return click(put(app, "class_plan_text", written), "class_plan_paste")


def at(database: sa.Engine, now: float) -> sa.Engine:
    """A database that takes the time to be `now` [s]."""
    return database.execution_options(now=float(now))


def move(database: sa.Engine, code: str, phase: str, seen: Poll | None = None) -> bool:
    return _stand(database, code, seen, phase=phase)


def second_round(database: sa.Engine, code: str, seen: Poll | None = None) -> bool:
    return _stand(database, code, seen, round=2, phase=store.OPEN)


def ask(database: sa.Engine, code: str, question: str, seen: Poll | None = None) -> bool:
    return _stand(database, code, seen, True, lesson=question, round=1, phase=store.OPEN)


def _stand(
    database: sa.Engine, code: str, seen: Poll | None, drop: bool = False, **change: object
) -> bool:
    """Let a class stand otherwise, as a presenter's screen does."""
    poll = seen or store.find(database, code)
    held = stage.read(database, code)
    return stage.write(database, poll, held, held, replace(poll, **change), drop)
