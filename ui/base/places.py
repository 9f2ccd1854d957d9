"""Places for long work: few of them, small work first, and no address or large work on more than half of them."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Work that is given more than this counts as large [B]; 3,000 jobs of a log have a third of it.
LARGE = 1_000_000
#: Below this sizes make no difference [B].
SMALL = 10_000
#: How often whoever waits for a place looks whether it is still wanted [s].
GLANCE = 0.05


@dataclass(eq=False)
class _Asked:
    """Somebody who waits for a place or has one."""

    who: str  #: address, or another name of whoever asks
    size: int  #: of what the work is given [B]
    since: float = field(default_factory=time.monotonic)

    @property
    def large(self) -> bool:
        return self.size > LARGE

    def urgency(self, now: float) -> float:
        """Highest response ratio next: small work goes first, and large work does not wait without end."""
        return (now - self.since + 1.0) / max(self.size, SMALL)


class Places:
    """A limited number of places, for which callers wait in line."""

    def __init__(self, count: int) -> None:
        self.count, self.half = count, max(count // 2, 1)
        self.changed = threading.Condition()
        self.taken: list[_Asked] = []
        self.waiting: list[_Asked] = []

    @contextmanager
    def place(self, who: str, size: int, heed: Callable[[], object]) -> Iterator[None]:
        """Wait for a place and hold it, for work that is given so much [B].

        All of the same name share one half of the places. `heed` is asked every few milliseconds while there is none,
        and raises to end the wait.
        """
        asked = _Asked(who, size)
        with self.changed:
            self.waiting.append(asked)
        try:
            while not self._take(asked):
                heed()
            yield
        finally:
            with self.changed:
                (self.taken if asked in self.taken else self.waiting).remove(asked)
                self.changed.notify_all()

    def _take(self, asked: _Asked) -> bool:
        """Take a place if this one is next, or wait a moment."""
        with self.changed:
            if asked is not self._next():
                self.changed.wait(GLANCE)
                return False
            self.waiting.remove(asked)
            self.taken.append(asked)
            self.changed.notify_all()
            return True

    def _next(self) -> _Asked | None:
        """The most urgent of those who may have a place now."""
        if len(self.taken) >= self.count:
            return None
        now = time.monotonic()
        return max(filter(self._may, self.waiting), key=lambda one: one.urgency(now), default=None)

    def _may(self, asked: _Asked) -> bool:
        same = sum(one.who == asked.who for one in self.taken)
        return same < self.half and not (asked.large and sum(one.large for one in self.taken) >= self.half)
