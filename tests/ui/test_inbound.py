"""What a browser may send is bounded on the real server, and nobody else notices who exceeds it.

The counting hooks into how Streamlit's server reads its websocket, for which there is no option:
when a new version reads in another way, these tests fail.
"""

import asyncio
import json

import pytest
import websockets
from driving import BY_ID
from serving import PATIENCE, talk
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.visitor import Visitor, unlock
from ui.server import inbound

pytestmark = pytest.mark.slow
TRAP = BY_ID["trap"]
ALIVE = BackMsg(app_heartbeat=True).SerializeToString()


async def send(visitor: Visitor, size: int, times: int) -> None:
    """Send messages of a size as fast as they are taken.

    Without a size they are signs of life, which run no page: a slow server would read too few
    others in a second.
    """
    state = WidgetState(id="nothing", json_value=json.dumps({"stored": "x" * size}))
    for _ in range(times):
        await (visitor.ask(state) if size else visitor.socket.send(ALIVE))


async def closed(visitor: Visitor, size: int, times: int) -> int | None:
    """Send until the server closes the connection; the code that it closes with."""
    try:
        await send(visitor, size, times)
        while True:
            await visitor.socket.recv()
    except websockets.ConnectionClosed as end:
        return end.rcvd and end.rcvd.code


def beside_a_knob(server, size: int, times: int) -> int | None:
    """Let one visitor send, and another one move a knob before and after that."""

    async def both() -> int | None:
        async with (
            Visitor(server.url, TRAP.page) as other,
            Visitor(server.url, TRAP.page) as sender,
        ):
            for visitor in (other, sender):
                await visitor.run()
            await unlock(other, TRAP)
            before = other.metrics()
            code = await closed(sender, size, times)
            await other.set("trap_utilization", 60)
            assert other.metrics() != before and not other.all("exception")
            return code

    return talk(asyncio.wait_for(both(), 2 * PATIENCE))


@pytest.mark.parametrize("size", [inbound.LARGEST, 1_100_000])
def test_a_large_message_is_refused_unparsed(server, size):
    assert beside_a_knob(server, size, 1) == inbound.TOO_BIG


@pytest.mark.parametrize(
    ("size", "times"),
    [
        (350_000, inbound.AT_ONCE // 350_000 + 3),
        (0, inbound.MESSAGES_AT_ONCE + inbound.MESSAGES_RATE * 5),
    ],
)
def test_who_sends_too_much_at_once_is_closed_and_nobody_else_notices(server, size, times):
    assert beside_a_knob(server, size, times) == inbound.TOO_MUCH


def test_a_held_arrow_key_and_a_browser_that_hands_over_a_whole_course_stay_below_the_limits(
    server,
):
    sizes = []

    async def hold() -> None:
        async with Visitor(server.url, TRAP.page) as visitor:
            await visitor.run()
            await unlock(visitor, TRAP)
            pass_on = visitor.socket.send
            visitor.socket.send = lambda data: (sizes.append(len(data)), pass_on(data))[1]
            await visitor.set("trap_utilization", 60)
            await send(visitor, 350_000, 2)
            await visitor.set("trap_utilization", 70)  # it is still connected

    talk(hold())
    assert 30 * sizes[0] < inbound.RATE and inbound.MESSAGES_RATE > 30
