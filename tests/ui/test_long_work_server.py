"""On a real server: long work ends with its visitor, or when a knob is turned; a turn runs a part
of the page alone.
"""

import asyncio
import contextlib
import time

import psutil
import pytest
from browsing import PHONE
from driving import BY_ID
from serving import PATIENCE, Server, talk

from benchmarks import visitor as visitors
from benchmarks.heavy import largest_trace
from benchmarks.visitor import Visitor, unlock

pytestmark = pytest.mark.slow


async def at_work(server: Server, wanted: bool, seconds: float = PATIENCE) -> bool:
    """Whether somebody's work is done beside the server, or is not any more, before long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        beside = psutil.Process(server.process.pid).children()
        if wanted == any(one.children() for one in beside if one.is_running()):
            return True
        await asyncio.sleep(0.1)
    return False


async def leaves(server: Server) -> tuple[bool, bool]:
    """Somebody sends a trace and leaves while it is read; say whether that began, and ended before
    the replay.
    """
    async with Visitor(server.url, "your_cluster") as visitor:
        await visitor.run()
        sending = asyncio.create_task(visitor.upload("policy_trace", largest_trace(100_000)))
        begun = await at_work(server, True)
        assert not sending.done()
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending
    return begun, await at_work(server, False) and not await at_work(server, True, 3.0)


async def turns_a_knob_while_simulating(server: Server) -> list[str]:
    """Return what the buttons of the trap say at the setting that was being simulated when the knob
    was turned.
    """
    trap = BY_ID["trap"]
    async with Visitor(server.url, trap.page) as visitor:
        await visitor.run()
        await unlock(visitor, trap)
        await visitor.set("trap_test", True)  # parts are sent once the prediction is tested
        home, lesson = (
            next(path for path in visitor.pages if name in path)
            for name in ("laboratory", trap.page)
        )
        await visitor.go(home)
        visitor.query = "trap_view=spread"  # as the laboratory's link does
        await visitor.go(lesson)
        pressed = asyncio.create_task(visitor.set("trap_simulate", True))
        async with asyncio.timeout(PATIENCE):
            while not visitor.all("progress"):
                await asyncio.sleep(0.01)
        await visitor.ask(*visitor.moved("trap_job_length", 2.0))
        await pressed
        await visitor.set("trap_job_length", 1.0)
        return [button.label for button in visitor.all("button")]


def test_a_turn_of_a_knob_ends_a_simulation_and_nothing_of_it_is_kept(server):
    labels = talk(turns_a_knob_while_simulating(server))
    assert "Run simulation" in labels


def test_long_work_ends_when_its_visitor_leaves(server):
    begun, ended = talk(leaves(server))
    assert begun and ended


#: A knob of each page, to be moved to its ends: at one of them something may leave the frame of the
#: main chart.
KNOBS = {"place": "place_between", "trap": "trap_utilization"}


async def errors_at_the_ends(url: str, name: str) -> list[str]:
    """Turn a knob to its ends, and return the errors that the page then shows beside its charts."""
    found = []
    async with Visitor(url, BY_ID[name].page) as someone:
        await someone.run()
        await unlock(someone, BY_ID[name])
        _, knob = someone.widget(KNOBS[name])
        for end in (knob.options[0], knob.options[-1]) if knob.options else (knob.min, knob.max):
            state = visitors.WidgetState(id=knob.id)
            if knob.options:
                held = state.string_array_value
            else:
                held = state.double_array_value
            held.data.append(end)
            someone.states[knob.id] = state
            await someone.run(None, someone.fragments[someone._position(KNOBS[name])])
            assert someone.all("vega_lite_chart")
            found += [error.message for error in someone.all("exception")]
    return found


@pytest.mark.parametrize("name", KNOBS)
def test_on_a_phone_what_leaves_its_frame_on_a_turn_of_a_knob_has_its_place(
    monkeypatch, server, name
):
    monkeypatch.setattr(visitors, "AGENT", PHONE["user_agent"])
    assert talk(errors_at_the_ends(server.url, name)) == []
