"""Close silent connections: those without a request, and those with an unfinished body.

The server waits for a client forever, except for five seconds after an answer. Each connection is
an open file, so a thousand silent connections would lock everybody out. Here a connection is closed
when the server has waited too long for its client. An open page is not affected: it has a
websocket, which answers the server's pings (`ui.server.inbound`).
"""

from typing import Any

from ui.server import insides

#: Longest silence of a client while the server waits for it [s].
SILENT = 15.0
#: Longest time from the first byte of a request to the last byte of its body [s]: 20 MB at
#: 1 Mbit/s need 160 s.
LONGEST = 240.0
#: Longest time for a client to begin a request and to end its head [s].
HEAD = 15.0
#: Time between two checks of a connection [s].
GLANCE = 5.0


class Watch:
    """State of one connection: since when the server has been waiting for its client."""

    def __init__(self, protocol: Any) -> None:
        self.protocol = protocol
        self.heard = protocol.loop.time()  #: when the last bytes arrived [s]
        self.since = self.heard  #: when the last answer ended or the current request began [s]
        self.cycle: Any = None  #: the request at the last check
        protocol.loop.call_later(GLANCE, self.look)

    def look(self) -> None:
        """Close the connection if it has been silent too long, else schedule the next check."""
        protocol = self.protocol
        if protocol.transport.is_closing() or protocol.transport.get_protocol() is not protocol:
            return  # closed, or a websocket by now
        current_time = protocol.loop.time()
        cycle = protocol.cycle
        is_asked = cycle is not None and not cycle.response_complete
        is_answering = is_asked and not cycle.more_body
        if cycle is not self.cycle or is_answering:
            self.since = current_time
            self.cycle = cycle
        if is_answering or protocol.flow.read_paused:
            self.heard = current_time
        longest = HEAD
        if is_asked:
            longest = LONGEST
        if current_time - self.heard > SILENT or current_time - self.since > longest:
            protocol.transport.abort()
        else:
            protocol.loop.call_later(GLANCE, self.look)


def begin(protocol: Any, *_: Any) -> None:
    """Watch a connection that has just been made."""
    protocol.fleet_watch = Watch(protocol)


def note(protocol: Any, *_: Any) -> None:
    """Record when bytes came last on a connection."""
    if hasattr(protocol, "fleet_watch"):  # a connection from before the first page has none
        protocol.fleet_watch.heard = protocol.loop.time()


def watch() -> None:
    """Make the server watch each new connection for silence."""
    for name in insides.HTTP:
        kind = insides.find(*name)
        insides.call_after(kind, "connection_made", begin)
        insides.call_before(kind, "data_received", note)
