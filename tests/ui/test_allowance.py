"""Allowances: what one name has taken is nobody else's, and what is remembered is bounded."""

import pytest

from ui.base.allowance import Allowance


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
