"""Rate limit per name: a burst at once, and then a steady rate per second.

The names are sessions, addresses, connections. What is remembered of them is bounded, by a clock
that nobody can set.
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

    #: Names that are remembered; then the one goes that would be whole again first.
    MOST = 10_000

    def __init__(self, at_once: float, rate: float, clock: Callable[[], float] = time.monotonic):
        self._at_once = at_once
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._whole: dict[Hashable, float] = {}  # when each name has its whole allowance again

    def take(self, name: Hashable, units: float = 1.0) -> float:
        """Consume a name's units and return 0, or consume nothing and return the wait until enough
        are left [s].
        """
        with self._lock:
            current_time = self._clock()
            whole = max(current_time, self._whole.get(name, current_time)) + units / self._rate
            wait = whole - current_time - self._at_once / self._rate
            if wait > 1e-9:
                return wait
            self._whole[name] = whole
            if len(self._whole) > self.MOST:
                del self._whole[min(self._whole, key=self._whole.__getitem__)]
            return 0.0
