"""Take turns with long computations, so that one visitor's simulation does not stall the others.

All visitors share one Python interpreter, which runs one thread at a time. With ten simulations under way a page that
needs ten milliseconds would get one of eleven slices of it. With one at a time it gets every second one. Hold a turn
for tens of milliseconds, between two signs of progress, and never while drawing.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# A page that waits for the interpreter gets it after 1 ms, not 5: beside ten simulating visitors its median falls
# by a third.
sys.setswitchinterval(0.001)

#: Re-entrant: a step of a search may itself ask for a replication.
_TURN = threading.RLock()


@contextmanager
def turn() -> Iterator[None]:
    """Compute while nobody else does."""
    with _TURN:
        yield
