"""Run visitors' long work in processes beside the server, so that other pages don't wait.

Python runs one thread at a time: reading a file or making a frame of 300,000 jobs blocks all pages
for a tenth of a second at a time, however often the work gives way between such steps. In another
process it blocks none. A script that runs a page needs no other process, and only Linux forks
safely: in these cases the work is done here, in turns.
"""

import logging
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from physics.sealed import Sealed
from ui.base import device, state, time_slices, worker

ROOT = Path(__file__).resolve().parents[2]
#: Pieces of work at a time; small hosts do not have the memory for more.
AT_ONCE = 4
#: How often a thread that waits for work, or for a place, checks whether it is still wanted [s].
GLANCE = 0.05
#: Work with more input than this is large [B]; 3,000 jobs of a log have a third of it.
LARGE = 1_000_000
#: Smaller inputs are treated as if they had this size [B].
SMALL = 10_000
#: Longest time for a child to read its input [s].
PATIENCE = 60.0

#: The arguments of `waited_for` in a thread without a page; None in a thread with a page.
_WAITING: ContextVar = ContextVar("waiting", default=None)


@dataclass(eq=False)
class _Request:
    """Request for a place, waiting or granted."""

    who: str  #: address, or another name of the visitor
    size: int  #: of the work's input [B]
    since: float = field(default_factory=time.monotonic)

    @property
    def large(self) -> bool:
        """Whether the work is large."""
        return self.size > LARGE

    def urgency(self, now: float) -> float:
        """Return the priority of the request at a time: the most urgent request is next.

        By this ratio of waiting time to size, small work goes first, and large work does not wait
        forever.
        """
        return (now - self.since + 1.0) / max(self.size, SMALL)


class Places:
    """Limited slots for work: small work first; one address, or large work, gets at most half."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.half = max(count // 2, 1)
        self.changed = threading.Condition()
        self.taken: list[_Request] = []
        self.waiting: list[_Request] = []

    @contextmanager
    def hold_place(self, who: str, size: int, heed: Callable[[], Any]) -> Iterator[None]:
        """Wait for a slot for work on `size` bytes, and occupy the slot during the block.

        Requests of the same name share half of the places. `heed` is called every `GLANCE` during
        the wait, and raises an exception to end it.
        """
        request = _Request(who, size)
        with self.changed:
            self.waiting.append(request)
        try:
            while not self._take(request):
                heed()
            yield
        finally:
            with self.changed:
                (self.taken if request in self.taken else self.waiting).remove(request)
                self.changed.notify_all()

    def _take(self, request: _Request) -> bool:
        """Take a place and return True if this request is next; otherwise wait a moment."""
        with self.changed:
            if request is not self._next():
                self.changed.wait(GLANCE)
                return False
            self.waiting.remove(request)
            self.taken.append(request)
            self.changed.notify_all()
            return True

    def _next(self) -> _Request | None:
        """Return the most urgent of the requests that may have a place now."""
        if len(self.taken) >= self.count:
            return None
        now = time.monotonic()
        allowed = filter(self._may, self.waiting)
        return max(allowed, key=lambda request: request.urgency(now), default=None)

    def _may(self, request: _Request) -> bool:
        """Return whether a request would leave half of the places to other names and small work."""
        same = [other for other in self.taken if other.who == request.who]
        large = [other for other in self.taken if request.large and other.large]
        return max(len(same), len(large)) < self.half


PLACES = Places(AT_ONCE)


class ForkServer:
    """Process that forks a child per piece of work.

    It starts on first use and restarts if it has ended.
    """

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.process: subprocess.Popen | None = None
        self.line: socket.socket | None = None

    def end(self) -> None:
        """End the fork server and its children."""
        if self.line is not None:
            self.line.close()
            self.line = None
        if self.process is not None:
            self.process.wait()
            self.process = None

    def _start(self) -> None:
        """Start the fork server, with a socket on which it gets a socket for each child."""
        self.end()
        # A process with threads does not fork safely, so numpy and pyarrow must start none.
        threads = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
        parent_socket, child_socket = socket.socketpair()
        try:
            with child_socket:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "ui.base.worker", str(child_socket.fileno())],
                    cwd=ROOT,
                    env=os.environ | threads,
                    pass_fds=[child_socket.fileno()],
                    stdin=subprocess.DEVNULL,
                )
        except OSError:
            parent_socket.close()
            raise
        self.line = parent_socket

    def runs(self) -> bool:
        """Start the fork server if necessary and return whether it runs.

        The result is False if the system forbids it.
        """
        with self.guard:
            try:
                if self.process is None or self.process.poll() is not None:
                    self._start()
            except OSError:
                message = "no process beside the server: long work is done in it"
                logging.getLogger(__name__).exception(message)
                return False
            return True

    def child(self) -> socket.socket:
        """Return a socket to a new child."""
        with self.guard:
            if self.line is None:
                raise OSError("the process beside the server has not been started")
            parent_socket, child_socket = socket.socketpair()
            with child_socket:
                socket.send_fds(self.line, [b"."], [child_socket.fileno()])
            return parent_socket


FORK_SERVER = ForkServer()


def possible() -> bool:
    """Return whether work can run beside the server: for a browser, on a safely forking system."""
    return sys.platform == "linux" and device.in_browser()


@contextmanager
def waited_for(
    heed: Callable[[], Any], longest: float, beside: bool, who: str = ""
) -> Iterator[None]:
    """Within the block, set a thread's function to call while it waits, and its time limit [s].

    `heed` is called every few milliseconds and raises an exception to end the work. `beside` and
    `who` are the page's `possible()` and `device.address()`, which this thread cannot determine.
    """
    token = _WAITING.set((heed, longest, beside, who))
    try:
        yield
    finally:
        _WAITING.reset(token)


def compute(
    function: Callable, *args: Any, progress: Callable[[float, str], Any] | None = None
) -> Any:
    """Run long work in a process beside the server, or else here in turns; return its result.

    The module of the function must not import Streamlit, and the function must call `physics.pace`
    regularly. Its arguments and its result are sent between processes, large ones as
    `physics.sealed.Sealed`. `progress`, an argument of the function, too, gets the share of the
    work that is done and the next step.

    Raises
    ------
    time_slices.TooLong
        If the work has used up its processor time.
    ValueError
        If the function raises it; the sentence is the same.
    MemoryError
        If there is too little memory, or the system has ended the child.
    Exception
        If the wait has ended, because the visitor has left or moved a knob.
    """
    heed, longest, beside, who = _WAITING.get() or (
        state.heed,
        time_slices.LONGEST,
        possible(),
        device.address(),
    )
    if not beside or not FORK_SERVER.runs():
        options = {} if progress is None else {"progress": progress}
        with time_slices.turn(longest, heed):
            return function(*args, **options)
    time_slices.leave()
    with PLACES.hold_place(who, _size(args), heed):
        return _ask_child((function, args, longest, progress is not None), heed, progress)


def _size(args: Any) -> int:
    """Return the approximate size of a piece of work's input [B]."""
    if isinstance(args, tuple | list):
        return sum(map(_size, args))
    if isinstance(args, Sealed | bytes):
        return len(args.data if isinstance(args, Sealed) else args)
    return 0


def _ask_child(question: tuple, heed: Callable[[], Any], progress: Callable | None) -> Any:
    """Send a question to a child and wait for the answer."""
    try:
        with FORK_SERVER.child() as line:
            line.settimeout(PATIENCE)
            worker.send(line, question)
            # Not `select`, which allows 1,024 files only: a busy server has more.
            answers = select.poll()
            answers.register(line, select.POLLIN)
            while True:
                if not answers.poll(1000 * GLANCE):
                    heed()
                    continue
                kind, outcome = worker.receive(line)
                if kind != "progress":
                    break
                if progress is not None:
                    progress(*outcome)
    except OSError as error:
        raise MemoryError("the process beside the server has ended without an answer") from error
    if kind == "done":
        return outcome
    if kind == "refused":
        raise ValueError(outcome)
    if kind == "too long":
        raise time_slices.TooLong
    if kind == "no memory":
        raise MemoryError
    logging.getLogger(__name__).error("background work has failed: %s", outcome)
    raise RuntimeError("work beside the server has failed")
