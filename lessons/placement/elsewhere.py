"""Placement elsewhere: what is near takes less time per round, and is worth a wait."""

from physics.placement import worth_waiting


def site(runtime: float, near: float, far: float, work: float = 0.0) -> dict[str, float]:
    """Return how long the near place is worth waiting for [s], of a job whose rounds hold some work, and guesses."""
    worth = worth_waiting(runtime, work + near, work + far)
    found = {"worth": worth, "far_run": runtime + worth, "saved": runtime * worth / (runtime + worth)}
    return found | {"links": far / near, "ignoring": worth_waiting(runtime, near, far)}
