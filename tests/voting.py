"""Act as presenter and voter on the class page."""

import re
from dataclasses import replace

import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from polls import stage, store
from polls.store import Poll


def click(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def opened(come, **address) -> tuple[AppTest, str, str]:
    app = click(come(**address), "class_open")
    return app, app.metric[0].value, re.search(r"\*\*(\d{10})\*\*", app.info[0].value)[1]


def entered(come, code: str, pin: str) -> AppTest:
    """Come by code and PIN."""
    app = come(class_=code)
    app.text_input(key="class_pin").set_value(pin).run()
    return click(app, "class_enter")


def reveal(presenter: AppTest) -> AppTest:
    """Close the round and reveal its votes."""
    return click(click(presenter, "class_close"), "class_reveal")


def cast(app: AppTest, answer: str) -> AppTest:
    app.radio(key="class_answer").set_value(answer).run()
    return click(app, "class_vote")


def move(database: sa.Engine, code: str, phase: str, seen: Poll | None = None) -> bool:
    return _stand(database, code, seen, phase=phase)


def second_round(database: sa.Engine, code: str, seen: Poll | None = None) -> bool:
    return _stand(database, code, seen, round=2, phase=store.OPEN)


def ask(database: sa.Engine, code: str, question: str, seen: Poll | None = None) -> bool:
    return _stand(database, code, seen, True, question=question, round=1, phase=store.OPEN)


def _stand(database: sa.Engine, code: str, seen: Poll | None, drop: bool = False, **change: object) -> bool:
    """Let a class stand otherwise, as a presenter's screen does."""
    poll, held = seen or store.find(database, code), stage.read(database, code)
    return stage.write(database, poll, held, held, replace(stage.standing(poll), **change), drop)
