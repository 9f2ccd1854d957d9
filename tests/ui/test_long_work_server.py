"""On a real server: long work ends with its visitor, or when a knob is turned."""

import asyncio
import contextlib

import psutil
import pytest
from serving import Server, talk

from benchmarks.load import largest_trace, unlock
from benchmarks.visitor import Visitor
from lessons import LESSONS as COURSE

pytestmark = pytest.mark.slow


def used(server: Server) -> float:
    """Processor time of the server so far [s]."""
    times = psutil.Process(server.process.pid).cpu_times()
    return times.user + times.system


async def leaves(server: Server) -> tuple[float, float]:
    """Somebody sends a trace and leaves while it is read; return the server's processor time with and without."""
    policy = next(lesson for lesson in COURSE if lesson.id == "policy")
    async with Visitor(server.url, policy.page) as visitor:
        await visitor.run()
        await unlock(visitor, policy)
        before = used(server)
        sending = asyncio.create_task(visitor.upload("policy_trace", largest_trace(100_000)))
        while used(server) - before < 0.5:
            await asyncio.sleep(0.1)
        during = used(server)
        await asyncio.sleep(0.2)
        assert not sending.done()
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending
    await asyncio.sleep(0.5)
    after = used(server)
    await asyncio.sleep(3)
    return during - before, used(server) - after


async def turns_a_knob_while_simulating(server: Server) -> list[str]:
    """Return what the buttons of the trap say at the setting that was being simulated when the knob was turned."""
    trap = next(lesson for lesson in COURSE if lesson.id == "trap")
    async with Visitor(server.url, trap.page) as visitor:
        await visitor.run()
        await unlock(visitor, trap)
        pressed = asyncio.create_task(visitor.set("trap_simulate", True))
        while not visitor.all("progress"):
            await asyncio.sleep(0.01)
        await visitor.ask(*visitor.moved("trap_job_length", 2.0))
        await pressed
        await visitor.set("trap_job_length", 1.0)
        return [button.label for button in visitor.all("button")]


def test_a_turn_of_a_knob_ends_a_simulation_and_nothing_of_it_is_kept():
    server = Server()
    server.start()
    try:
        labels = talk(turns_a_knob_while_simulating(server))
    finally:
        server.stop()
    assert "Simulate this setting" in labels


def test_long_work_ends_when_its_visitor_leaves():
    server = Server()
    server.start()
    try:
        during, after = talk(leaves(server))
    finally:
        server.stop()
    assert during >= 0.5
    assert after < 0.3
