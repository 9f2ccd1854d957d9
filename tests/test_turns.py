"""One page is drawn after the other, and nobody keeps the place."""

import threading

import pytest

from ui import turns


class Drawer(threading.Thread):
    """A page's run: it draws, and stays until it is told to go on."""

    def __init__(self, then=lambda: None):
        super().__init__(daemon=True)
        self.then, self.drawing, self.go_on = then, threading.Event(), threading.Event()
        self.start()

    def run(self):
        turns.draw()
        turns.draw()  # a run that begins anew keeps its place
        self.drawing.set()
        self.go_on.wait(10)
        self.then()


def test_a_page_waits_until_the_one_before_it_is_drawn():
    first = Drawer()
    assert first.drawing.wait(10)
    second = Drawer()
    assert not second.drawing.wait(0.1)
    first.go_on.set()
    assert second.drawing.wait(10)
    second.go_on.set()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_run_that_breaks_off_gives_its_place_back():
    def fail():
        raise RuntimeError("a page that breaks off")

    first = Drawer(then=fail)
    first.go_on.set()
    first.join(10)
    second = Drawer()
    assert second.drawing.wait(10)
    second.go_on.set()


def test_a_long_computation_lets_others_draw():
    computing, done = threading.Event(), threading.Event()

    def compute():
        with turns.turn():
            computing.set()
            done.wait(10)

    first = Drawer(then=compute)
    first.go_on.set()
    assert computing.wait(10)
    second = Drawer()
    assert second.drawing.wait(10)
    second.go_on.set()
    done.set()


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    first = Drawer()
    assert first.drawing.wait(10)
    second = Drawer()
    assert second.drawing.wait(10)
    for drawer in (first, second):
        drawer.go_on.set()
        drawer.join(10)
    assert turns._DRAWING._value == 1
