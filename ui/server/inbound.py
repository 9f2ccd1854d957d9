"""Limits on data from one browser: message size, and bytes and messages per second.

All visitors share one Python interpreter, and parsing holds it: who sends 3 MB messages makes
everybody else's knob ten times as slow, and a session holds twenty times of what it was sent, if
that is many small objects. Streamlit's `server.maxWidgetStateSize` counts whole MB and leaves open
how much comes a second, so the reading of its server's websocket is watched here: before a message
is parsed, the connection that exceeds its allowance is closed. The page opens another one by
itself, and nothing is lost.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.server import insides
from ui.server.allowance import Allowance

#: The largest message [B]. A turn of a knob is a few kB; once a visit the browser hands over what
#: it has kept, about 50 kB of a whole course and at most what `ui/record/local_storage.js` says.
LARGEST = 400_000
#: What a connection may send at once, and then a second [B]: thirty turns while an arrow key is
#: held.
AT_ONCE = 1_500_000
RATE = 250_000
#: The same in messages.
MESSAGES_AT_ONCE = 300
MESSAGES_RATE = 40
#: How long a websocket may be open before its page asks for anything [s]; a browser does so at
#: once.
FIRST = 30.0
#: What a websocket is closed with: a message that is too big, a violation of policy.
TOO_BIG = 1009
TOO_MUCH = 1008

_LOG = logging.getLogger(__name__)
_ALLOWED: WeakKeyDictionary[WebSocket, tuple[Allowance, Allowance]] = WeakKeyDictionary()
#: Connections on which nothing has come, of those that were opened since the first page was drawn.
_UNHEARD: WeakSet[WebSocket] = WeakSet()


def bounded(read: Callable[[WebSocket], Awaitable[bytes]]) -> Callable:
    """Wrap a message reader to close a connection that exceeds its limits."""

    async def receive_bytes(self: WebSocket) -> bytes:
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
    insides.replace(socket, "receive_bytes", bounded)
    insides.call_before(socket, "accept", note)
