"""Work that is done beside the server in tests: it asks, never asks, tells, dies."""

import os
import signal

import numpy as np

from physics import pace
from physics.sealed import Sealed


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


def sum_of(numbers: Sealed[np.ndarray]) -> float:
    return float(numbers.open().sum())
