"""Who goes to the front of the queue because it has waited for long."""

from bisect import bisect_left, insort


class LongWaits:
    """Waiting jobs that have waited `max_wait`, and those that will have.

    Args:
        max_wait: Time after which a job goes before all that have waited less [s].
        arrivals: Job numbers in order of arrival, which breaks ties.

    >>> line = LongWaits(10.0, [0, 1])
    >>> line.join(1, now=0.0), line.coming[0][0]
    (True, 10.0)
    >>> line.ripen(), line.aged
    (1, [(0.0, 1, 1)])
    """

    def __init__(self, max_wait: float, arrivals: list[int]) -> None:
        self.max_wait = max_wait
        self.place = {job: place for place, job in enumerate(arrivals)}
        self.since: dict[int, float] = {}
        self.aged: list[tuple[float, int, int]] = []  #: waiting since, place in order of arrival, job; sorted
        self.coming: list[tuple[float, int]] = []  #: when it will have waited that long, job; sorted

    def join(self, job: int, now: float) -> bool:
        """Let a job wait from now on; say whether its place is still that of the policy's order."""
        self.since[job] = now
        if now + self.max_wait > now:
            insort(self.coming, (now + self.max_wait, job))
            return True
        insort(self.aged, self._entry(job))
        return False

    def leave(self, job: int) -> bool:
        """Remove a job from those that wait; say whether it had waited for long."""
        place = bisect_left(self.aged, self._entry(job))
        if place < len(self.aged) and self.aged[place][-1] == job:
            del self.aged[place]
            return True
        del self.coming[bisect_left(self.coming, (self.since[job] + self.max_wait, job))]
        return False

    def ripen(self) -> int:
        """Move the next job among those that have waited for long, and return it."""
        job = self.coming.pop(0)[1]
        insort(self.aged, self._entry(job))
        return job

    def _entry(self, job: int) -> tuple[float, int, int]:
        return self.since[job], self.place[job], job
