"""Limits on data from one browser: message size, and bytes and messages per second.

All visitors share one Python interpreter, and parsing blocks it: while one browser sends 3 MB
messages, everybody else's turns of a knob take ten times as long. A session of many small objects
needs twenty times the memory of its message. Streamlit's `server.maxWidgetStateSize` counts whole
MB and does not limit the rate. So a connection that exceeds its allowance is closed here, before
its message is parsed. The page reconnects automatically, and nothing is lost.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.server import insides
from ui.server.allowance import Allowance

#: The largest message [B]. A turn of a knob has a few kB. Once per visit the browser sends its
#: saved data, about 50 kB for a whole course and at most the limit of `ui/record/local_storage.js`.
LARGEST = 400_000
#: Burst [B] and rate [B/s] of a connection; a pressed arrow key makes thirty turns per second.
AT_ONCE = 1_500_000
RATE = 250_000
#: Burst [messages] and rate [1/s] of a connection.
MESSAGES_AT_ONCE = 300
MESSAGES_RATE = 40
#: Longest time from opening a websocket to its first message [s]; a browser sends it immediately.
FIRST = 30.0
#: Codes for closing a websocket: the message is too big, or it violates the policy.
TOO_BIG = 1009
TOO_MUCH = 1008

_LOG = logging.getLogger(__name__)
_ALLOWED: WeakKeyDictionary[WebSocket, tuple[Allowance, Allowance]] = WeakKeyDictionary()
#: Connections without a message so far, among those opened since the first page was drawn.
_UNHEARD: WeakSet[WebSocket] = WeakSet()


def limit_messages(read: Callable[[WebSocket], Awaitable[bytes]]) -> Callable:
    """Wrap a message reader to close a connection that exceeds its limits."""

    async def receive_bytes(self: WebSocket) -> bytes:
        """Return the next message, if it is within the limits."""
        if self in _UNHEARD:
            _UNHEARD.discard(self)
            data = await first(self, read)
        else:
            data = await read(self)
        await check(self, data)
        return data

    return receive_bytes


async def first(connection: WebSocket, read: Callable[[WebSocket], Awaitable[bytes]]) -> bytes:
    """Return the first message; close the connection if none arrives in time."""
    try:
        return await asyncio.wait_for(read(connection), FIRST)
    except TimeoutError:
        await connection.close(TOO_MUCH)
        raise WebSocketDisconnect(TOO_MUCH) from None


def note(connection: WebSocket, *_: Any, **__: Any) -> None:
    """Mark a newly accepted connection as one without a message so far."""
    _UNHEARD.add(connection)


async def check(connection: WebSocket, data: bytes) -> None:
    """Close a connection if its message exceeds the limits."""
    if connection not in _ALLOWED:
        _ALLOWED[connection] = Allowance(AT_ONCE, RATE), Allowance(MESSAGES_AT_ONCE, MESSAGES_RATE)
    bytes_allowed, messages_allowed = _ALLOWED[connection]
    if len(data) > LARGEST:
        code = TOO_BIG
    elif messages_allowed.take("") or bytes_allowed.take("", len(data)):
        code = TOO_MUCH
    else:
        return
    _LOG.warning("a browser has sent too much at once: its connection is closed (%s)", code)
    await connection.close(code)
    raise WebSocketDisconnect(code)


def watch() -> None:
    """Make the server count incoming data on every connection, including open ones."""
    socket = insides.find(*insides.WEB_SOCKET)
    insides.replace(socket, "receive_bytes", limit_messages)
    insides.call_before(socket, "accept", note)
