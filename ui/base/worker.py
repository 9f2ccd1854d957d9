"""Worker process for long work beside the server: `python -m ui.base.worker SOCKET`, started by the
pool.

It imports the models once and then waits. For each piece of work it forks a child, which shares
what is imported, answers on a socket of its own and ends. So whatever a visitor's file does to
memory, time or the interpreter, it does to one child; the server keeps drawing. Streamlit is not
imported here.
"""

import gc
import mmap
import os
import pickle
import select
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import physics.cluster  # noqa: F401 -- before the fork, so that no child has to
from physics import pace

#: How much less than pages this work is worth to the scheduler of the system: about a tenth.
NICE = 10
#: Beyond its processor time a child that asks nobody is ended by the system [s].
GRACE = 10
#: What precedes each message: how many large things it has, and the lengths of the message and of
#: these.
LENGTH = struct.Struct("!Q")


class TooLong(Exception):
    """Raised when a piece of work has used up its processor time."""


def send(line: socket.socket, message: Any) -> None:
    """Send one message without copying its large buffers, which would block the server."""
    large: list[pickle.PickleBuffer] = []
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL, buffer_callback=large.append)
    parts: list[bytes | memoryview] = [data, *(piece.raw() for piece in large)]
    line.sendall(LENGTH.pack(len(large)) + b"".join(LENGTH.pack(len(piece)) for piece in parts))
    for piece in parts:
        line.sendall(piece)


def receive(line: socket.socket) -> Any:
    """Wait for one message and return it; raise ConnectionError if the connection closes."""
    (count,) = LENGTH.unpack(_exactly(line, bytearray(LENGTH.size)))
    lengths = [LENGTH.unpack(_exactly(line, bytearray(LENGTH.size)))[0] for _ in range(count + 1)]
    data = _exactly(line, bytearray(lengths[0]))
    # Pages of the system's own: nobody waits until they are filled with zeros, and they are given
    # back at once.
    large = [
        _exactly(line, mmap.mmap(-1, length) if length else bytearray()) for length in lengths[1:]
    ]
    return pickle.loads(data, buffers=large)


def _exactly(line: socket.socket, data: Any) -> Any:
    """Fill a buffer from a connection and return it."""
    view = memoryview(data)
    done = 0
    while done < len(view):
        size = line.recv_into(view[done:])
        if not size:
            raise ConnectionResetError("hung up")
        done += size
    return data


def _end_with(line: socket.socket) -> None:
    """End this process when nobody waits for its answer any more: after the question nothing is
    sent but the end.
    """
    select.select([line], [], [])
    os._exit(0)


def _answer(line: socket.socket) -> None:
    """Do one piece of work, and answer with what became of it and the result, the sentence or the
    traceback.
    """
    import resource  # Windows has none, and the server imports this module for what it sends

    try:
        function, args, longest, wants_progress = receive(line)
        threading.Thread(target=_end_with, args=[line], daemon=True).start()
        limit = int(longest) + GRACE
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

        def go_on() -> None:
            if time.process_time() > longest:
                raise TooLong

        more = {}
        if wants_progress:
            more["progress"] = lambda share, step: send(line, ("progress", (share, step)))
        with pace.paced(go_on):
            answer = ("done", function(*args, **more))
    except ValueError as refusal:
        answer = ("refused", str(refusal))
    except TooLong:
        answer = ("too long", None)
    except MemoryError:
        answer = ("no memory", None)
    except ConnectionError:  # progress that nobody wants
        return
    except Exception:
        answer = ("failed", traceback.format_exc())
    send(line, answer)


def _first_to_go() -> None:
    """Where memory runs out, the system ends this process before the server."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    except OSError:  # not Linux, or not allowed: then the system chooses
        return


def _serve(server: socket.socket) -> None:
    """Fork a child for each socket that comes, until the server is gone."""
    while True:
        word, lines, *_ = socket.recv_fds(server, 1, 1)
        if not word:
            return
        if os.fork():
            os.close(lines[0])
            continue
        status = 1
        try:
            server.close()
            with socket.socket(fileno=lines[0]) as line:
                _answer(line)
            status = 0
        except ConnectionError:
            status = 0  # hung up
        finally:
            os._exit(status)


def main(descriptor: int) -> None:
    """Serve work from the inherited socket."""
    os.nice(NICE)
    _first_to_go()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets children that have ended
    # Ctrl-C is meant for the server, and its end for this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    with socket.socket(fileno=descriptor) as server:
        _serve(server)


if __name__ == "__main__":
    main(int(sys.argv[1]))
