"""Rate limit per name: a burst at once, and then a steady rate per second.

A name is a session, an address, or a connection. The number of remembered names is bounded, and
the clock is monotonic, so that setting the system's time changes nothing.
"""

import threading
import time
from collections.abc import Callable, Hashable


class Allowance:
    """Rate limiter: each name gets `at_once` units, refilled at `rate` [1/s] up to that number.

    >>> allowance = Allowance(at_once=2, rate=0.1, clock=lambda: 0.0)
    >>> [allowance.take("a visitor") for _ in range(3)], allowance.take("another")
    ([0.0, 0.0, 10.0], 0.0)
    """

    #: Number of remembered names; one more displaces the name whose allowance is refilled first.
    MOST = 10_000

    def __init__(self, at_once: float, rate: float, clock: Callable[[], float] = time.monotonic):
        self._at_once = at_once
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._refilled: dict[Hashable, float] = {}  # time at which each name's allowance is full

    def take(self, name: Hashable, units: float = 1.0) -> float:
        """Consume a name's units and return 0, or consume none and return the time to wait [s]."""
        with self._lock:
            current_time = self._clock()
            refilled = (
                max(current_time, self._refilled.get(name, current_time)) + units / self._rate
            )
            wait = refilled - current_time - self._at_once / self._rate
            if wait > 1e-9:
                return wait
            self._refilled[name] = refilled
            if len(self._refilled) > self.MOST:
                del self._refilled[min(self._refilled, key=self._refilled.__getitem__)]
            return 0.0
