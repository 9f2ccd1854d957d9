"""One server shared by priority classes, reexported from `physics.queueing.priority`."""

from physics.queueing.priority import aging_waits, priority_waits

__all__ = ["aging_waits", "priority_waits"]
