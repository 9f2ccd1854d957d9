"""Places for long work: small work first, and neither one address nor large work takes more than half of them."""

import threading
from contextlib import ExitStack

import pytest

from ui.base.places import LARGE, Places, _Asked

PATIENCE = 10.0


class Left(Exception):
    """Whoever waited has left."""


def leave() -> None:
    raise Left


def test_one_address_holds_at_most_half_of_the_places():
    places = Places(4)
    with ExitStack() as held:
        for _ in range(2):
            held.enter_context(places.place("one", 1, leave))
        with pytest.raises(Left), places.place("one", 1, leave):
            pass
        for _ in range(2):
            held.enter_context(places.place("another", 1, leave))
        with pytest.raises(Left), places.place("a third", 1, leave):
            pass
    assert not places.taken and not places.waiting


def test_large_work_of_however_many_leaves_half_of_the_places_to_small_work():
    places = Places(4)
    with ExitStack() as held:
        for who in ("one", "two"):
            held.enter_context(places.place(who, LARGE + 1, leave))
        with pytest.raises(Left), places.place("three", LARGE + 1, leave):
            pass
        for who in ("one", "three"):
            held.enter_context(places.place(who, LARGE, leave))


def test_small_work_goes_before_large_work_that_came_earlier():
    places, order = Places(1), []

    def work(size: int) -> None:
        with places.place(str(size), size, lambda: None):
            order.append(size)

    with places.place("first", 1, leave):
        threads = [threading.Thread(target=work, args=[size]) for size in (1_000_000, 300_000, 3_000)]
        for number, thread in enumerate(threads, 1):
            thread.start()
            with places.changed:
                assert places.changed.wait_for(lambda number=number: len(places.waiting) == number, PATIENCE)
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [3_000, 300_000, 1_000_000]


def test_large_work_does_not_wait_for_small_work_without_end():
    large, small = _Asked("one", 1_000_000, since=0.0), _Asked("two", 10_000, since=90.0)
    assert small.urgency(90.0) > large.urgency(90.0)
    small.since = 4000.0
    assert large.urgency(4000.0) > small.urgency(4000.0)


def test_work_on_nothing_is_the_smallest():
    assert _Asked("one", 0, since=0.0).urgency(1.0) >= _Asked("one", 1, since=0.0).urgency(1.0)
