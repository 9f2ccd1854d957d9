"""Run visitors' long work in processes beside the server, so that other pages don't wait.

Python runs one thread at a time: reading a file or making a frame of 300,000 jobs holds all pages
for a tenth of a second at a time, however often the work gives way between such steps. In a process
of its own it holds nobody. A script that runs a page has nobody to keep waiting, and only Linux
forks safely: elsewhere the work is done here, in turns.
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
#: Pieces of work at a time; more would take memory that small hosts do not have, and wait in line.
AT_ONCE = 4
#: How often whoever waits for work, or for its place, looks whether it is still wanted [s].
GLANCE = 0.05
#: Work that is given more than this counts as large [B]; 3,000 jobs of a log have a third of it.
LARGE = 1_000_000
#: Below this sizes make no difference [B].
SMALL = 10_000
#: Longest time for a piece of work to take its question [s].
PATIENCE = 60.0

#: In a thread without a page: who is asked while work is waited for, its processor time [s],
#: whether it is beside, who it is for.
_WAITING: ContextVar = ContextVar("waiting", default=None)


@dataclass(eq=False)
class _Request:
    """Somebody who waits for a place or has one."""

    who: str  #: address, or another name of whoever asks
    size: int  #: of what the work is given [B]
    since: float = field(default_factory=time.monotonic)

    @property
    def large(self) -> bool:
        return self.size > LARGE

    def urgency(self, now: float) -> float:
        """Highest response ratio next: small work goes first, and large work does not wait without
        end.
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

        All of the same name share one half of the places. `heed` is asked every few milliseconds
        while there is none, and raises to end the wait.
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
        """Take a place if this one is next, or wait a moment."""
        with self.changed:
            if request is not self._next():
                self.changed.wait(GLANCE)
                return False
            self.waiting.remove(request)
            self.taken.append(request)
            self.changed.notify_all()
            return True

    def _next(self) -> _Request | None:
        """The most urgent of those who may have a place now."""
        if len(self.taken) >= self.count:
            return None
        now = time.monotonic()
        allowed = filter(self._may, self.waiting)
        return max(allowed, key=lambda request: request.urgency(now), default=None)

    def _may(self, request: _Request) -> bool:
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
        self.end()
        # A process with threads does not fork safely: no threads of numpy's, none of pyarrow's
        # allocator.
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
                what = "no process beside the server: long work is done in it"
                logging.getLogger(__name__).exception(what)
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
    """Return whether work can run beside the server: for browser visitors on systems that fork
    safely.
    """
    return sys.platform == "linux" and device.in_browser()


@contextmanager
def waited_for(
    heed: Callable[[], Any], longest: float, beside: bool, who: str = ""
) -> Iterator[None]:
    """Within the block, set a thread's function to call while it waits, and its time limit [s].

    `heed` is asked every few milliseconds and raises to end the work. Whether it is done `beside`
    the server and `who` it is for are `possible()` and `device.address()`, as the page has found.
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

    The function is of a module that imports no Streamlit, and asks `physics.pace` whether to go on.
    What it is given and its result go from one process to the other: large things as
    `physics.sealed.Sealed`. `progress`, handed on by this name, is told the share that is done and
    what comes next.

    Raises
    ------
    time_slices.TooLong
        Once it has taken its processor time.
    ValueError
        What the function refuses, in its words.
    MemoryError
        Where there is too little memory, or the system has ended the child.
    Exception
        Whatever ends the wait: a visitor who has left, or moved a knob.
    """
    heed, longest, beside, who = _WAITING.get() or (
        state.heed,
        time_slices.LONGEST,
        possible(),
        device.address(),
    )
    if not beside or not FORK_SERVER.runs():
        more = {} if progress is None else {"progress": progress}
        with time_slices.turn(longest, heed):
            return function(*args, **more)
    time_slices.leave()
    with PLACES.hold_place(who, _size(args), heed):
        return _ask_child((function, args, longest, progress is not None), heed, progress)


def _size(args: Any) -> int:
    """About how much work is given [B]."""
    if isinstance(args, tuple | list):
        return sum(map(_size, args))
    if isinstance(args, Sealed | bytes):
        return len(args.data if isinstance(args, Sealed) else args)
    return 0


def _ask_child(question: tuple, heed: Callable[[], Any], progress: Callable | None) -> Any:
    """Put the question to a child and wait for the answer."""
    try:
        with FORK_SERVER.child() as line:
            line.settimeout(PATIENCE)
            worker.send(line, question)
            # Not `select`, which takes no file beyond the 1,024th: a busy server has more.
            answers = select.poll()
            answers.register(line, select.POLLIN)
            while True:
                if not answers.poll(1000 * GLANCE):
                    heed()
                    continue
                what, outcome = worker.receive(line)
                if what != "progress":
                    break
                if progress is not None:
                    progress(*outcome)
    except OSError as error:
        raise MemoryError("the process beside the server has ended without an answer") from error
    if what == "done":
        return outcome
    if what == "refused":
        raise ValueError(outcome)
    if what == "too long":
        raise time_slices.TooLong
    if what == "no memory":
        raise MemoryError
    logging.getLogger(__name__).error("background work has failed: %s", outcome)
    raise RuntimeError("work beside the server has failed")
