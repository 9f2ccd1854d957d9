"""Share the processor among visitors, so that long computations don't stall the other pages.

All visitors share one Python interpreter, which runs one thread at a time. If pages were drawn at
the same time, all of them would be late, and switching among them takes additional time; so one
page is drawn after the other. Long computations have a lower priority than pages: one of them runs
at a time, in slices that alternate among the visitors, and while a page is being drawn it rests
between two slices. A computation gives way whenever it calls `physics.pace`; there it is also ended
if its visitor has left or moved a knob, or once it has taken too long.
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

# A page that waits for the interpreter gets it after 1 ms, not 5 ms: with ten simulating visitors,
# the median time of a page falls by a third.
sys.setswitchinterval(0.001)

#: A page that has waited this long is drawn anyway [s].
PATIENCE = 5.0
#: A page that is not finished after this time no longer keeps others waiting [s].
LEASE = 1.0
#: Turns of a knob that are drawn before a waiting page. A visitor expects the result of a turn
#: immediately, but a class that turns knobs must not lock newcomers out.
AHEAD = 4
#: How often the next page checks whether the run before it has ended without giving back [s].
GLANCE = 0.002
#: After this time a computation checks whether it is still wanted, and lets the next one run [s].
SLICE = 0.004
#: Longest rest between two slices while pages are drawn [s]; most pages are done by then.
REST = 0.06
#: Time to send a page after it was drawn, during which a computation rests, too [s].
SENDING = 0.01
#: Processor time after which a visitor's computation is ended [s].
LONGEST = 20.0


class TooLong(Exception):
    """Raised when a computation has used up its processor time."""


class _Drawing:
    """The right to draw: one thread has it at a time, until it gives it back, ends, or is too slow.

    Turns of a knob go before pages, up to `AHEAD` in a row.
    """

    def __init__(self) -> None:
        #: One waiting thread of each kind, page (False) and turn (True), may watch for its chance.
        self.next = {False: threading.Semaphore(1), True: threading.Semaphore(1)}
        self.waiting = {False: 0, True: 0}  #: number of waiting threads of each kind
        self.ahead = 0  #: turns drawn since a page began to wait
        self.changed = threading.Condition()
        self.holder: threading.Thread | None = None
        self.since = 0.0  #: when the holder began [s]
        self.given_back = 0.0  #: when the last holder ended [s]

    def free(self) -> bool:
        """Return whether no page is being drawn."""
        holder = self.holder
        return holder is None or not holder.is_alive() or time.monotonic() - self.since > LEASE

    def quiet(self) -> bool:
        """Return whether nobody draws or waits to draw, and the last drawing has been sent."""
        waiting = any(self.waiting.values())
        return not waiting and self.free() and time.monotonic() - self.given_back > SENDING

    def rest(self, longest: float = REST) -> None:
        """Wait until it is quiet, at most `longest` [s].

        So a computation continues slowly under constant load.
        """
        end = time.monotonic() + longest
        while not self.quiet() and (remaining := end - time.monotonic()) > 0:
            with self.changed:
                self.changed.wait(min(remaining, SENDING))

    def goes_first(self, turn: bool) -> bool:
        """Return whether the next thread of one kind goes before the next thread of the other."""
        return not self.waiting[not turn] or turn == (self.ahead < AHEAD)

    def take(self, turn: bool = False) -> None:
        """Wait for the right to draw and take it, for a page or for the `turn` of a knob."""
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
        """Let the next thread draw, if this thread has the right."""
        if self.holder is threading.current_thread():
            with self.changed:
                self.holder = None
                self.given_back = time.monotonic()
                self.changed.notify_all()


class _Line:
    """Lock that waiting threads get in the order of their arrival."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.taken = False
        self.waiting: deque[threading.Lock] = deque()

    def acquire(self) -> None:
        """Wait for the lock and take it."""
        with self.guard:
            if not self.taken:
                self.taken = True
                return
            lock = threading.Lock()
            lock.acquire()
            self.waiting.append(lock)
        lock.acquire()

    def release(self) -> None:
        """Hand the lock to the next in line."""
        with self.guard:
            if self.waiting:
                self.waiting.popleft().release()
            else:
                self.taken = False


class _Work:
    """One visitor's long computation, which is done in slices."""

    def __init__(self, heed: Callable[[], Any], end: float) -> None:
        self.begun = time.monotonic()  #: start of the current slice [s]
        self.heed = heed  #: raises an exception if the computation is no longer wanted
        self.end = end  #: processor time of the thread at which the computation is ended [s]

    def go_on(self) -> None:
        """Give way to others if the slice is over, or end the computation."""
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


#: Wait until no other page is being drawn, and reserve drawing for this thread.
wait_to_draw = DRAWING.take
#: Let other pages be drawn, at the end of a page and before long work.
leave = DRAWING.give_back


@contextmanager
def turn(longest: float = math.inf, heed: Callable[[], Any] = state.heed) -> Iterator[None]:
    """Run a block of long computation, taking turns with other visitors' computations.

    `heed` is called between two slices and raises an exception to end the computation. By default
    it does so if the visitor has left the page or moved a slider.

    Raises
    ------
    TooLong
        From inside the computation, once it has taken the `longest` processor time [s].
    """
    end = time.thread_time() + longest
    work = getattr(_OF_THREAD, "work", None)
    if work is not None:  # the block is part of another computation, such as a search
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
