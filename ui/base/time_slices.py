"""Share the processor among visitors, so that long computations don't stall the other pages.

All visitors share one Python interpreter, which runs one thread at a time. Pages drawn side by side
all come late, and switching among them takes time of its own: so one page is drawn after the other.
Long computations are worth less than pages: one of them runs at a time, in slices that go round
among the visitors who asked, and while a page is being drawn it rests between two slices. A
computation gives way whenever it asks `physics.pace` whether to go on; there it is also ended if
its visitor has left or moved a knob, or once it has taken too long.
"""

import math
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from physics import pace
from ui.base import format as f
from ui.base import state

# A page that waits for the interpreter gets it after 1 ms, not 5: beside ten simulating visitors
# its median falls by a third.
sys.setswitchinterval(0.001)

#: A page that has waited so long is drawn all the same [s].
PATIENCE = 5.0
#: A page that is not finished after so long no longer keeps others waiting [s].
LEASE = 1.0
#: Turns of a knob that are drawn before a page that waits. Whoever turns one expects the answer at
#: once; newcomers do not, but a hall that turns knobs must not keep them out.
AHEAD = 4
#: How often the page that is next looks whether the run before it has ended without a word [s].
GLANCE = 0.002
#: A long computation lets the next visitor's go on after so long, and looks whether it is still
#: wanted [s].
SLICE = 0.004
#: It rests for so long between two slices while pages are being drawn: most pages are done by then
#: [s].
REST = 0.06
#: A page that was given back is still being sent for so long; a computation rests then, too [s].
SENDING = 0.01
#: Processor time after which a computation that one visitor asked for is given up [s].
LONGEST = 20.0


class TooLong(Exception):
    """Raised when a computation has used up its processor time."""


class _Drawing:
    """Who draws: one thread at a time, until it gives its place back, ends, or takes longer than a
    page may take. Turns of a knob go before pages, up to `AHEAD` in a row.
    """

    def __init__(self) -> None:
        #: Who is next of the pages, and of the turns of a knob.
        self.next = {False: threading.Semaphore(1), True: threading.Semaphore(1)}
        self.waiting = {False: 0, True: 0}
        self.ahead = 0  #: turns that were drawn since a page waits
        self.changed = threading.Condition()
        self.holder: threading.Thread | None = None
        self.since = 0.0
        self.given_back = 0.0

    def free(self) -> bool:
        """Whether no page is being drawn."""
        holder = self.holder
        return holder is None or not holder.is_alive() or time.monotonic() - self.since > LEASE

    def quiet(self) -> bool:
        """Whether nobody is drawing or about to draw, and the last drawing has been sent."""
        waiting = any(self.waiting.values())
        return not waiting and self.free() and time.monotonic() - self.given_back > SENDING

    def rest(self, longest: float = REST) -> None:
        """Wait until it is quiet, but not forever [s]: under constant load a computation goes on
        slowly.
        """
        end = time.monotonic() + longest
        while not self.quiet() and (remaining := end - time.monotonic()) > 0:
            with self.changed:
                self.changed.wait(min(remaining, SENDING))

    def goes_first(self, turn: bool) -> bool:
        """Whether the next thread of one kind goes before the next thread of the other."""
        return not self.waiting[not turn] or turn == (self.ahead < AHEAD)

    def take(self, turn: bool = False) -> None:
        """Wait for the place and take it, for a page or for the `turn` of a knob."""
        me = threading.current_thread()
        if self.holder is me and not self.free():
            return
        with self.changed:
            self.waiting[turn] += 1
        first = self.next[turn].acquire(timeout=PATIENCE)
        try:
            with self.changed:
                while first and not (self.free() and self.goes_first(turn)):
                    self.changed.wait(GLANCE)
                if self.free():
                    self.holder = me
                    self.since = time.monotonic()
                    if turn and self.waiting[False]:
                        self.ahead += 1
                    else:
                        self.ahead = 0
        finally:
            if first:
                self.next[turn].release()
            with self.changed:
                self.waiting[turn] -= 1

    def give_back(self) -> None:
        """Let the next thread draw, if this thread had the place."""
        if self.holder is threading.current_thread():
            with self.changed:
                self.holder = None
                self.given_back = time.monotonic()
                self.changed.notify_all()


class _Line:
    """A lock that goes to those who wait in the order in which they came."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.taken = False
        self.waiting: deque[threading.Lock] = deque()

    def acquire(self) -> None:
        """Wait for the place and take it."""
        with self.guard:
            if not self.taken:
                self.taken = True
                return
            lock = threading.Lock()
            lock.acquire()
            self.waiting.append(lock)
        lock.acquire()

    def release(self) -> None:
        """Hand the place to the next in line."""
        with self.guard:
            if self.waiting:
                self.waiting.popleft().release()
            else:
                self.taken = False


class _Work:
    """One visitor's long computation: its slices, and the thread's clock at which it is given
    up.
    """

    def __init__(self, heed: Callable[[], Any], end: float) -> None:
        self.begun = time.monotonic()
        self.heed = heed
        self.end = end

    def go_on(self) -> None:
        """Between two steps, give way to others if the slice is over, or end the computation."""
        if time.monotonic() - self.begun < SLICE:
            return
        if time.thread_time() > self.end:
            raise TooLong
        self.heed()
        DRAWING.rest()
        _LINE.release()
        _LINE.acquire()
        self.begun = time.monotonic()


DRAWING = _Drawing()
_LINE = _Line()
_OF_THREAD = threading.local()


#: Wait until no other page is being drawn; then it is this thread's turn, until it ends or computes
#: at length.
wait_to_draw = DRAWING.take
#: Let other pages be drawn: at the end of a page, and before work that takes long or waits.
leave = DRAWING.give_back


@contextmanager
def turn(longest: float = math.inf, heed: Callable[[], Any] = state.heed) -> Iterator[None]:
    """Run a block of long computation, taking turns with other visitors' computations.

    `heed` is asked between two slices and raises to end the computation; by default it looks at the
    run of the page.

    Raises
    ------
    TooLong
        From inside the computation, once it has taken the `longest` processor time [s].
    """
    end = time.thread_time() + longest
    work = getattr(_OF_THREAD, "work", None)
    if work is not None:  # a step of a search may itself ask for a replication
        earlier_end = work.end
        work.end = min(work.end, end)
        try:
            yield
        finally:
            work.end = earlier_end
        return
    leave()
    _LINE.acquire()
    try:
        _OF_THREAD.work = work = _Work(heed, end)
        with pace.paced(work.go_on):
            yield
    finally:
        _OF_THREAD.work = None
        _LINE.release()


def given_up() -> str:
    """Return the sentence for a visitor whose computation was stopped because it took too long."""
    return f"This took longer than {f.duration(LONGEST)}, so it was stopped."
