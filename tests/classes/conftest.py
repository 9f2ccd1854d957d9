"""Fixtures of the class polls' tests."""

import pytest
from driving import ROOT
from streamlit.testing.v1 import AppTest
from voting import opened

from polls import store


@pytest.fixture
def database(tmp_path):
    """The database of those who `come`."""
    (tmp_path / "class").mkdir(exist_ok=True)
    engine = store.engine(f"sqlite:///{tmp_path / 'class' / 'polls.sqlite'}")
    yield engine
    engine.dispose()


@pytest.fixture
def come(tmp_path):
    """Open the class page as somebody new, all with the same database; through app.py if other
    pages are visited.
    """

    def go(url: str | None = None, travels: bool = False, **address: str) -> AppTest:
        if travels:
            start = "app.py"
        else:
            start = "pages/class_poll.py"
        app = AppTest.from_file(str(ROOT / start), default_timeout=60)
        app.secrets["connections"] = {
            "sql": {"url": url or f"sqlite:///{tmp_path / 'class' / 'polls.sqlite'}"}
        }
        (tmp_path / "class").mkdir(exist_ok=True)
        if travels:
            app.run()
        for key, value in address.items():
            app.query_params[key.rstrip("_")] = value
        if travels:
            app.switch_page("pages/class_poll.py")
        app.run()
        assert not app.exception
        return app

    return go


@pytest.fixture
def lecture(come):
    """A class that is open: its presenter's page, its code and its PIN."""
    return opened(come)


@pytest.fixture
def presenter(lecture):
    return lecture[0]


@pytest.fixture
def code(lecture):
    return lecture[1]


@pytest.fixture
def pin(lecture):
    return lecture[2]
