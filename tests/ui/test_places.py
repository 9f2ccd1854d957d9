"""Places for long work: small work first, none takes more than half; allowances: so much at once
and not more.
"""

import threading
from contextlib import ExitStack

import pytest

from ui.base.worker_pool import LARGE, Places, _Request
from ui.server.allowance import Allowance

PATIENCE = 10.0


class Left(Exception):
    """Whoever waited has left."""


def leave() -> None:
    raise Left


def test_one_address_holds_at_most_half_of_the_places():
    places = Places(4)
    with ExitStack() as held:
        for _ in range(2):
            held.enter_context(places.hold_place("one", 1, leave))
        with pytest.raises(Left), places.hold_place("one", 1, leave):
            pass
        for _ in range(2):
            held.enter_context(places.hold_place("another", 1, leave))
        with pytest.raises(Left), places.hold_place("a third", 1, leave):
            pass
    assert not places.taken and not places.waiting


def test_large_work_of_however_many_leaves_half_of_the_places_to_small_work():
    places = Places(4)
    with ExitStack() as held:
        for who in ("one", "two"):
            held.enter_context(places.hold_place(who, LARGE + 1, leave))
        with pytest.raises(Left), places.hold_place("three", LARGE + 1, leave):
            pass
        for who in ("one", "three"):
            held.enter_context(places.hold_place(who, LARGE, leave))


def test_small_work_goes_before_large_work_that_came_earlier():
    places = Places(1)
    order = []

    def work(size: int) -> None:
        with places.hold_place(str(size), size, lambda: None):
            order.append(size)

    with places.hold_place("first", 1, leave):
        threads = [
            threading.Thread(target=work, args=[size]) for size in (1_000_000, 300_000, 3_000)
        ]
        for number, thread in enumerate(threads, 1):
            thread.start()
            with places.changed:
                assert places.changed.wait_for(
                    lambda number=number: len(places.waiting) == number, PATIENCE
                )
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [3_000, 300_000, 1_000_000]


def test_large_work_does_not_wait_for_small_work_without_end():
    large = _Request("one", 1_000_000, since=0.0)
    small = _Request("two", 10_000, since=90.0)
    assert small.urgency(90.0) > large.urgency(90.0)
    small.since = 4000.0
    assert large.urgency(4000.0) > small.urgency(4000.0)


def allowance(at_once: float = 3, rate: float = 0.5):
    now = [0.0]
    return Allowance(at_once, rate, clock=lambda: now[0]), now


def test_so_much_at_once_and_then_one_after_the_other():
    given, now = allowance()
    assert [given.take("a") for _ in range(4)] == [0, 0, 0, 2]
    now[0] = 1.0
    assert given.take("a") == 1.0 and given.take("b") == 0
    now[0] = 2.0
    assert [given.take("a"), given.take("a")] == [0, 2]


def test_what_is_refused_costs_nothing_and_nothing_is_saved_up_beyond_the_whole():
    given, now = allowance()
    assert given.take("a", 4) == pytest.approx(2)  # never to be had at once, however long one waits
    assert given.take("a", 3) == 0
    now[0] = 1000.0
    assert [given.take("a", 3), given.take("a")] == [0, 2]


def test_of_too_many_names_the_one_that_is_whole_first_is_forgotten(monkeypatch):
    monkeypatch.setattr(Allowance, "MOST", 2)
    given, _ = allowance()
    assert [given.take("spent", 3), given.take("fresh"), given.take("new")] == [0, 0, 0]
    assert given.take("spent") == 2 and given.take("fresh", 3) == 0
