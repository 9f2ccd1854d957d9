"""Act as presenter and voter on the class page."""

import re

from streamlit.testing.v1 import AppTest


def click(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def opened(come, **address) -> tuple[AppTest, str, str]:
    app = click(come(**address), "class_open")
    return app, app.metric[0].value, re.search(r"\*\*(\d{10})\*\*", app.info[0].value)[1]


def cast(app: AppTest, answer: str) -> AppTest:
    app.radio(key="class_answer").set_value(answer).run()
    return click(app, "class_vote")
