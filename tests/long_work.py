"""Work that is done beside the server in tests: it asks, never asks, tells, dies."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from physics import pace
from physics.sealed import Sealed

#: Longest wait on a busy machine [s].
PATIENCE = 30.0


def asks_for_ever(progress=print) -> None:
    progress(0.0, os.getpid())
    while True:
        pace.step()


def asks_nobody(progress=print) -> None:
    progress(0.0, os.getpid())
    while True:
        os.getpid()


def tells(progress) -> int:
    for part in range(4):
        progress(part / 4, f"part {part}")
    return os.getpid()


def is_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def threads_of_the_parent() -> int:
    return len(os.listdir(f"/proc/{os.getppid()}/task"))


def sealed_again(numbers: Sealed[np.ndarray]) -> Sealed[np.ndarray]:
    return Sealed.of(numbers.open())


def sum_of(numbers: Sealed[np.ndarray]) -> float:
    return float(numbers.open().sum())


def eventually(holds: Callable[[], bool], pause: float = 0.02) -> bool:
    """Whether something holds, or does soon."""
    end = time.monotonic() + PATIENCE
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(pause)
    return held


@contextmanager
def ends_within(seconds: float) -> Iterator[None]:
    """Fail, in the main thread, where something waits longer."""

    def fail(*_: object) -> None:
        raise TimeoutError(f"it did not end within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
