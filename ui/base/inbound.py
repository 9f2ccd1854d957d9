"""What one browser may send: so large a message, so many bytes and so many messages a second.

All visitors share one Python interpreter, and parsing holds it: who sends 3 MB messages makes everybody else's knob
ten times as slow. `server.maxWidgetStateSize` refuses a large message before it is parsed. How much comes a second,
Streamlit leaves open, so the reading of its server's websocket is counted here, and the connection that exceeds its
allowance is closed. The page opens another one by itself, and nothing is lost.
"""

import logging
from weakref import WeakKeyDictionary

from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.base.allowance import Allowance

#: What a connection may send at once, and then a second [B]. A turn of a knob is a few kB, with what the browser has
#: handed over of a long course up to 100 kB, and comes thirty times a second while an arrow key is held.
AT_ONCE, RATE = 3_000_000, 250_000
#: The same in messages.
MESSAGES_AT_ONCE, MESSAGES_RATE = 300, 40
#: What a websocket is closed with that sends too much: a violation of policy.
CODE = 1008

_LOG = logging.getLogger(__name__)
_READ = WebSocket.receive_bytes
_ALLOWED: WeakKeyDictionary[WebSocket, tuple[Allowance, Allowance]] = WeakKeyDictionary()


async def receive_bytes(self: WebSocket) -> bytes:
    """Read a message as the server does; a connection that sends more than it may is closed instead."""
    data = await _READ(self)
    if self not in _ALLOWED:
        _ALLOWED[self] = Allowance(AT_ONCE, RATE), Allowance(MESSAGES_AT_ONCE, MESSAGES_RATE)
    bytes_allowed, messages_allowed = _ALLOWED[self]
    if messages_allowed.take("") or bytes_allowed.take("", len(data)):
        _LOG.warning("a browser has sent too much at once: its connection is closed")
        await self.close(CODE)
        raise WebSocketDisconnect(CODE)
    return data


def watch() -> None:
    """Count from now on what comes in on every connection, those that are open already among them."""
    WebSocket.receive_bytes = receive_bytes  # type: ignore[method-assign]  # the server has no option for it
