"""Wrong PINs slow down whoever sends them, and nobody else: a class that all wrong PINs paused would keep its own
presenter out.

Somebody who comes back under ever new names is not slowed; against that the PIN is long (`polls.store.PIN_DIGITS`).
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

#: Wrong PINs that are free; each further one doubles the pause, up to the longest [s].
FREE, LONGEST_PAUSE = 3, 60
#: Names that are remembered; then the one that has been quiet longest is forgotten.
MOST = 10_000


class Pause(Exception):
    """Too many wrong PINs: try again after some seconds."""

    def __init__(self, seconds: float):
        super().__init__(f"Too many wrong PINs; try again in {max(1.0, seconds):.0f} s.")
        self.seconds = seconds


class Guesses:
    """Counts wrong PINs by name, in this process and by a clock that nobody can set.

    >>> guesses = Guesses(clock=lambda: 0.0)
    >>> [guesses.check(["a student"], lambda: False) for _ in range(4)]
    [False, False, False, False]
    >>> guesses.check(["a student"], lambda: True)
    Traceback (most recent call last):
    polls.guesses.Pause: Too many wrong PINs; try again in 2 s.
    >>> guesses.check(["the presenter"], lambda: True)
    True
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._lock = threading.Lock()
        self._held: OrderedDict[str, tuple[int, float]] = OrderedDict()  # wrong ones, end of the pause

    def check(self, names: Iterable[str], right: Callable[[], bool]) -> bool:
        """Ask whether a PIN is right, on behalf of all these names; a wrong one counts for each of them.

        Raises
        ------
        Pause
            While one of the names is paused; the PIN is not looked at.
        """
        names = tuple(names)
        with self._lock:
            now = self._clock()
            rest = max((self._held.get(name, (0, now))[1] - now for name in names), default=0.0)
            if rest > 0:
                raise Pause(rest)
            for name in names:  # counted first: guesses sent at the same moment must not all be free
                self._count(name, now)
        found = right()
        if found:
            with self._lock:
                for name in names:
                    self._held.pop(name, None)
        return found

    def _count(self, name: str, now: float) -> None:
        wrong = self._held.pop(name, (0, now))[0] + 1
        pause = 0.0 if wrong <= FREE else min(LONGEST_PAUSE, 2.0 ** min(wrong - FREE, 10))
        self._held[name] = (wrong, now + pause)
        if len(self._held) > MOST:
            self._held.popitem(last=False)
