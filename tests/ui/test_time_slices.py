"""One page is drawn after the other, long computations give way, and nobody keeps the place."""

import threading
import time

import pytest
from long_work import eventually

from physics import pace
from ui.base import time_slices


@pytest.fixture(autouse=True)
def _no_lease_ends_on_a_busy_machine(monkeypatch):
    monkeypatch.setattr(time_slices, "LEASE", 60.0)


class Drawer(threading.Thread):
    """A page's run: it draws, and stays until it is told to go on."""

    def __init__(self, then=lambda: None, turn=False):
        super().__init__(daemon=True)
        self.then = then
        self.turn = turn
        self.drawing = threading.Event()
        self.go_on = threading.Event()
        self.start()

    def run(self):
        time_slices.wait_to_draw(self.turn)
        time_slices.wait_to_draw(self.turn)  # a run that begins anew keeps its place
        self.drawing.set()
        self.go_on.wait(10)
        self.then()


def work(seconds, longest=float("inf")):
    """Compute for so long, asking as often as a simulator does; return the processor time taken."""
    begun = time.thread_time()
    end = time.monotonic() + seconds
    with time_slices.turn(longest):
        while time.monotonic() < end:
            pace.step()
    return time.thread_time() - begun


def test_a_page_waits_until_the_one_before_it_is_drawn():
    first = Drawer()
    assert first.drawing.wait(10)
    second = Drawer()
    assert not second.drawing.wait(0.1)
    first.go_on.set()
    assert second.drawing.wait(10)
    second.go_on.set()


def test_turns_of_a_knob_go_before_pages_that_wait_and_then_let_one_through():
    first = Drawer()
    assert first.drawing.wait(10)
    drawn = []
    waiting = []
    for _ in range(3):
        waiting.append(Drawer(then=lambda: drawn.append("page")))
    for _ in range(2 * time_slices.AHEAD):
        waiting.append(Drawer(then=lambda: drawn.append("turn"), turn=True))
    everybody = {False: 3, True: 2 * time_slices.AHEAD}
    assert eventually(lambda: time_slices.DRAWING.waiting == everybody)
    for drawer in (*waiting, first):
        drawer.go_on.set()
    for drawer in waiting:
        drawer.join(10)
    turns = ["turn"] * time_slices.AHEAD
    assert drawn == [*turns, "page", *turns, "page", "page"]


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
    computing = threading.Event()
    done = threading.Event()

    def compute():
        with time_slices.turn():
            computing.set()
            done.wait(10)

    first = Drawer(then=compute)
    first.go_on.set()
    assert computing.wait(10)
    second = Drawer()
    assert second.drawing.wait(10)
    second.go_on.set()
    done.set()


def test_a_run_that_computed_at_length_waits_its_turn_to_draw_again():
    second = Drawer()
    assert second.drawing.wait(10)
    drawn = threading.Event()

    def compute_and_draw():
        time_slices.leave()
        time_slices.wait_to_draw()
        drawn.set()

    threading.Thread(target=compute_and_draw, daemon=True).start()
    assert not drawn.wait(0.1)
    second.go_on.set()
    assert drawn.wait(10)


def test_a_page_that_hangs_keeps_nobody_waiting_longer_than_its_lease(monkeypatch):
    monkeypatch.setattr(time_slices, "LEASE", 0.05)
    hanging = Drawer()
    assert hanging.drawing.wait(10)
    for _ in range(3):
        drawer = Drawer()
        assert drawer.drawing.wait(10)
        drawer.go_on.set()
        drawer.join(10)
        monkeypatch.setattr(time_slices, "LEASE", 60.0)  # it is over once, not once for each
    hanging.go_on.set()
    hanging.join(10)
    assert time_slices.DRAWING.quiet()


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(time_slices, "PATIENCE", 0.05)
    drawers = [Drawer(), Drawer(), Drawer()]
    assert eventually(
        lambda: sum(drawer.drawing.is_set() for drawer in drawers) == 2
    )  # one is next and stays next
    for drawer in drawers:
        drawer.go_on.set()
        drawer.join(10)
    assert time_slices.DRAWING.quiet()


def test_while_a_page_is_drawn_a_long_computation_takes_a_fifth_of_the_processor_at_most():
    page = Drawer()
    assert page.drawing.wait(10)
    beside = work(0.4)
    page.go_on.set()
    page.join(10)
    assert beside < 0.4 * time_slices.SLICE / time_slices.REST * 1.5


def test_long_computations_go_round_in_slices():
    slices = []

    def compute(name):
        with time_slices.turn(heed=lambda: slices.append(name)):
            eventually(lambda: pace.step() or min(map(slices.count, range(3))) > 9, pause=0.0)

    threads = [threading.Thread(target=compute, args=[name]) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = slices[max(map(slices.index, range(3))) :]
    assert min(map(together.count, range(3))) >= 9 and max(map(together.count, range(3))) < 20


def test_a_computation_is_given_up_after_its_processor_time_and_the_next_one_runs():
    with pytest.raises(time_slices.TooLong):
        work(10.0, longest=0.05)
    assert work(0.02) > 0


def test_a_search_within_a_search_ends_with_the_bound_of_the_outer_one():
    with pytest.raises(time_slices.TooLong), time_slices.turn(0.05):
        work(10.0)
    with time_slices.turn(), pytest.raises(time_slices.TooLong):
        work(10.0, longest=0.05)
    assert time_slices.given_up() == "This took longer than 20 s, so it was stopped."
