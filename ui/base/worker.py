"""Worker process for long work beside the server, started by `ui.base.worker_pool`.

`python -m ui.base.worker SOCKET` imports the models once and then waits. For each piece of work it
forks a child, which shares the imported modules, answers on its own socket and ends. So a visitor's
file can only use up the memory and time of one child, and the server keeps drawing. Streamlit is
not imported here.
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
from functools import partial
from pathlib import Path
from typing import Any

import physics.cluster  # noqa: F401 -- before the fork, so that no child has to
from physics import pace

#: Niceness of the work: it gets about a tenth of the processor time of pages.
NICE = 10
#: Processor time beyond its limit after which the system ends a child that never checks it [s].
GRACE = 10
#: Format of the numbers before each message: the number of its large buffers, the length of the
#: message, and the length of each buffer [B].
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
    # Anonymous memory maps need not be filled with zeros first, and are freed immediately.
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
    """End this process when the connection closes, because nobody waits for the answer then."""
    select.select([line], [], [])
    os._exit(0)


def _check_time(longest: float) -> None:
    """Raise TooLong if this process has used more than `longest` processor time [s]."""
    if time.process_time() > longest:
        raise TooLong


def _answer(line: socket.socket) -> None:
    """Do one piece of work, and send its outcome with the result, the sentence or the traceback."""
    import resource  # Windows lacks it, and the server imports this module everywhere

    try:
        function, args, longest, wants_progress = receive(line)
        threading.Thread(target=_end_with, args=[line], daemon=True).start()
        limit = int(longest) + GRACE
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        options = {}
        if wants_progress:
            options["progress"] = lambda share, step: send(line, ("progress", (share, step)))
        with pace.paced(partial(_check_time, longest)):
            answer = ("done", function(*args, **options))
    except ValueError as refusal:
        answer = ("refused", str(refusal))
    except TooLong:
        answer = ("too long", None)
    except MemoryError:
        answer = ("no memory", None)
    except ConnectionError:  # nobody waits for the progress any more
        return
    except Exception:
        answer = ("failed", traceback.format_exc())
    send(line, answer)


def _first_to_go() -> None:
    """Have the system end this process before the server when memory runs out."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    except OSError:  # not Linux, or not allowed: then the system chooses
        return


def _serve(server: socket.socket) -> None:
    """Fork a child for each socket that arrives, until the server closes the connection."""
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
            status = 0  # the server has closed the connection
        finally:
            os._exit(status)


def main(descriptor: int) -> None:
    """Serve work from the inherited socket."""
    os.nice(NICE)
    _first_to_go()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system removes ended children
    # Ctrl-C is for the server; this process ends when the server does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    with socket.socket(fileno=descriptor) as server:
        _serve(server)


if __name__ == "__main__":
    main(int(sys.argv[1]))
