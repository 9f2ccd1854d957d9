"""An index of waiting jobs by width and planned length, so that a pass does not look at thousands that cannot start.

Jobs of one width (and one line and reservation) share a tree of minima over their planned lengths, in queue order: the
first of them that is short enough is found in a time that grows with the logarithm of their number.
"""

import math
import sys
from collections.abc import Hashable, Sequence

__all__ = ["ANY", "LONG", "WaitingIndex", "longest_between"]

#: Queue length from which the index pays; below half of it, it is dropped again.
LONG = 64
#: Longer than any planned length: take the first job of any.
ANY = sys.float_info.max
#: Relative slack with which lengths are preselected, before they are compared exactly.
SLACK = 1e-9


def longest_between(now: float, end: float) -> float:
    """Return a length that no job which starts now and ends by `end` exceeds, whatever rounding does to its end.

    >>> 3e7 + 0.7 - 3e7 < 0.7 < longest_between(3e7, 3e7 + 0.7)
    True
    """
    return (end - now) * (1 + SLACK) + math.ulp(max(abs(now), abs(end)))


class WaitingIndex:
    """Waiting jobs of a workload, grouped by key.

    Args:
        keys: The group of every job of the workload, by job number.

    >>> index = WaitingIndex([4, 4, 8, 4])
    >>> for job, length in ((0, 90.0), (1, 20.0), (2, 5.0)):
    ...     index.add(job, length)
    >>> index.first(4, 100.0), index.first(4, 30.0), index.first(8, 1.0)
    (0, 1, None)
    """

    def __init__(self, keys: Sequence[Hashable]) -> None:
        members: dict[Hashable, list[int]] = {}
        self.slot = [0] * len(keys)
        for job, key in enumerate(keys):
            jobs = members.setdefault(key, [])
            self.slot[job] = len(jobs)
            jobs.append(job)
        self.keys = keys
        self.keys_by_size = sorted(members)
        self.members = members
        self.size = {key: 1 << (len(jobs) - 1).bit_length() for key, jobs in members.items()}
        self.trees = {key: [math.inf] * (2 * size) for key, size in self.size.items()}

    def add(self, job: int, length: float) -> None:
        """Let a job wait."""
        key = self.keys[job]
        tree, place = self.trees[key], self.slot[job] + self.size[key]
        while place and tree[place] > length:
            tree[place] = length
            place >>= 1

    def remove(self, job: int) -> None:
        """Let a job wait no longer."""
        key = self.keys[job]
        tree, place = self.trees[key], self.slot[job] + self.size[key]
        tree[place] = math.inf
        place >>= 1
        while place:
            left, right = tree[2 * place], tree[2 * place + 1]
            least = left if left < right else right
            if tree[place] == least:
                return
            tree[place] = least
            place >>= 1

    def first(self, key: Hashable, longest: float, slot: int = 0) -> int | None:
        """First job of a group, in queue order from a slot on, whose planned length is at most `longest` (finite)."""
        tree, size = self.trees[key], self.size[key]
        place = slot + size
        if tree[1] > longest or slot >= size:
            return None
        while tree[place] > longest:
            while place & 1:  # a right child: its parent's next neighbor comes after it
                place >>= 1
            if not place:
                return None
            place += 1
        while place < size:
            place *= 2
            if tree[place] > longest:
                place += 1
        return self.members[key][place - size]
