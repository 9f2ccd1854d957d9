"""Alone and beside are measured in turns, and a slider is tried by a visitor who has moved none."""

import argparse
from contextlib import asynccontextmanager
from types import SimpleNamespace

from serving import talk

from benchmarks import heavy, load


def test_alone_and_beside_come_in_turns_in_one_run(monkeypatch):
    turns = []

    async def plans(*_):
        return []

    async def turn(name, *_):
        turns.append(name)
        return [0.2 if name != "alone" else 0.1]

    monkeypatch.setattr(heavy, "plans", plans)
    monkeypatch.setattr(heavy, "turn", turn)
    for name in ("packed_log", "hostile_zip", "largest_trace"):
        monkeypatch.setattr(heavy, name, lambda: None)
    talk(heavy.heavy(argparse.Namespace(), SimpleNamespace(url="")))
    assert turns[::2] == ["alone"] * heavy.ROUNDS * (len(heavy.BURDENS) + 1)
    assert set(turns[1::2]) == {*heavy.BURDENS, "all of them"}


def test_each_slider_is_tried_by_a_fresh_visitor(monkeypatch):
    visitors = []

    @asynccontextmanager
    async def opened(*_):
        visitors.append(object())
        yield visitors[-1]

    tried = []

    async def script(visitor, lesson, key):
        tried.append(visitor)
        raise ValueError("cannot be compared")

    monkeypatch.setattr(load, "opened", opened)
    monkeypatch.setattr(load, "sliders", lambda _: ["a", "b", "c"])
    monkeypatch.setattr(load, "script", script)
    lesson = SimpleNamespace(page="p", id="p")
    assert talk(load.plans("", [lesson])) == []
    assert len(tried) == 3 == len(set(map(id, tried))) and len(visitors) == 4
