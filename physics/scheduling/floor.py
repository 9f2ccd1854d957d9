"""GPUs of the simulated cluster: placed on nodes, or in one pool.

A job of at most the largest node's GPUs runs on one node; a larger one takes wholly free nodes, the
lowest-numbered ones until they suffice, and all of their GPUs. A set of nodes is a whole number
whose bit n is node n, so that thousands of nodes are looked through at once.
"""

import math
from collections.abc import Sequence

import numpy as np

from physics.arguments import count, several
from physics.scheduling.machine import LONG, shadow_of

#: Which of several nodes with enough free GPUs a job is given.
FITS = ("best", "first", "worst")
#: More GPUs (or CPUs) than this no node has, and more nodes no cluster.
MOST_ON_NODE = 4_096
MOST_NODES = 100_000


def node_sizes(capacity: int, gpus_per_node: int | None, nodes: Sequence[int] | None) -> list[int]:
    """Return the GPUs of each node; empty if jobs are not placed on nodes.

    Raises ValueError for both ways to say it, and for nodes that do not add up to the capacity.

    >>> node_sizes(16, 8, None), node_sizes(12, None, [8, 4]), node_sizes(16, None, None)
    ([8, 8], [8, 4], [])
    """
    if gpus_per_node is not None and nodes is not None:
        raise ValueError(f"nodes must be None beside gpus_per_node={gpus_per_node}, got {nodes!r}")
    if gpus_per_node is not None:
        size = count("gpus_per_node", gpus_per_node, most=MOST_ON_NODE)
        if capacity % size:
            raise ValueError(
                f"capacity must be a multiple of gpus_per_node {size}, got {capacity}; nodes=[…] "
                "names unlike ones"
            )
        number = count("nodes", capacity // size, most=MOST_NODES)
        return [size] * number
    if nodes is None:
        return []
    sizes = several("nodes", nodes)
    count("nodes", len(sizes), most=MOST_NODES)
    sizes = [count("GPUs of a node", size, most=MOST_ON_NODE) for size in sizes]
    if sum(sizes) != capacity:
        raise ValueError(f"nodes must add up to the capacity {capacity}, got {sum(sizes)}")
    return sizes


def occupied(gpus: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Return the GPUs that jobs occupy on an empty machine, including whole nodes [1].

    >>> occupied(np.array([3, 8, 9, 17]), [8, 8, 8]).tolist()
    [3, 8, 16, 24]
    """
    if not sizes:
        return gpus
    together = np.cumsum(sizes)
    index = np.minimum(np.searchsorted(together, gpus), len(sizes) - 1)
    return np.where(gpus > max(sizes), together[index], gpus)


def lowest_node(nodes: int) -> int:
    """Index of the first node in a nonempty set.

    >>> lowest_node(0b1100)
    2
    """
    return (nodes & -nodes).bit_length() - 1


class Pool:
    """Pool of GPUs without nodes.

    Args:
        capacity: GPUs [1].
        gpus: GPUs of each job, then of each outage [1].
    """

    nodes = False

    def __init__(self, capacity: int, gpus: Sequence[int]) -> None:
        self.idle = capacity
        self.gpus = gpus
        self.takes = gpus
        self.extra = 0
        self.widths = np.array(gpus, np.int64)

    def apply_outages(self, over: Sequence[int], begun: Sequence[int]) -> None:
        """Return the GPUs of finished outages, and remove those of new outages."""
        for outage in over:
            self.idle += self.gpus[outage]
        for outage in begun:
            self.idle -= self.gpus[outage]

    def fits(self, job: int) -> bool:
        """Whether enough GPUs are free for the job now."""
        return self.gpus[job] <= self.idle

    def select_fitting(self, jobs: Sequence[int]) -> list[int]:
        """Which of these jobs have enough free GPUs now."""
        if len(jobs) < LONG:
            return [job for job in jobs if self.gpus[job] <= self.idle]
        numbers = np.array(jobs)
        return numbers[self.widths[numbers] <= self.idle].tolist()

    def allocate(self, job: int) -> None:
        """Allocate GPUs to a job that fits."""
        self.idle -= self.gpus[job]

    def allocated_to(self, job: int) -> int:
        """GPUs allocated to a running job [1]."""
        return self.gpus[job]

    def release(self, job: int) -> None:
        """Free the GPUs of a job."""
        self.idle += self.gpus[job]

    def reserve(self, head: int, planned_ends: Sequence[tuple[float, int]]) -> float:
        """Reserve GPUs for a job that does not fit now; return its planned start [s]."""
        shadow, self.extra = shadow_of(self.gpus[head], self.idle, self.gpus, planned_ends)
        return shadow

    def allocate_beside(self, job: int) -> bool:
        """Allocate GPUs to a job unless they are reserved; return whether that was possible."""
        if self.gpus[job] > self.extra:
            return False
        self.extra -= self.gpus[job]
        self.idle -= self.gpus[job]
        return True


class Nodes:
    """GPUs on nodes, with each job placed by one policy.

    Args:
        sizes: GPUs of each node [1].
        gpus: GPUs of each job [1].
        fit: "best": the node with the least free GPUs that suffices; "first": the one with the
            lowest number; "worst": the one with the most. Ties: the lowest number.

    >>> nodes = Nodes([4, 4], [1, 3, 2, 5], "best")
    >>> for job in (0, 1, 2):
    ...     nodes.allocate(job)
    >>> nodes.free, nodes.takes, nodes.fits(3)
    ([0, 2], [1, 3, 2, 8], False)
    """

    nodes = True

    def __init__(self, sizes: Sequence[int], gpus: Sequence[int], fit: str) -> None:
        self.sizes = list(sizes)
        self.free = list(sizes)
        self.gpus = gpus
        self.fit = fit
        self.idle = sum(sizes)
        self.largest = max(sizes)
        #: nodes by how many GPUs are free on them, and those that are wholly free, with their GPUs
        self.levels = [0] * (self.largest + 1)
        for node, size in enumerate(sizes):
            self.levels[size] |= 1 << node
        #: those numbers of free GPUs that a node has, as a set
        self.filled = sum(1 << size for size in set(sizes))
        self.empty = (1 << len(self.sizes)) - 1
        self.room = self.idle
        self.most = self.largest  #: free GPUs of the node that has most of them
        #: node of each running job, or its whole nodes as a set and their GPUs
        self.places: dict[int, int | tuple[int, int]] = {}
        self.of_size: dict[int, int] = {}  #: nodes by their size, as sets
        for node, size in enumerate(sizes):
            self.of_size[size] = self.of_size.get(size, 0) | 1 << node
        self.reserved = 0
        self.wide = [width > self.largest for width in gpus]
        self.widths = np.array(gpus, np.int64)
        self.takes = occupied(self.widths, self.sizes).tolist()  #: GPUs that each job will hold [1]

    def apply_outages(self, over: Sequence[int], begun: Sequence[int]) -> None:
        """Do nothing, because these nodes are never down (see `physics.scheduling.failing`)."""

    def fits(self, job: int) -> bool:
        """Whether a node has enough free GPUs for the job now, or enough nodes are entirely
        free.
        """
        if self.wide[job]:
            return self.gpus[job] <= self.room
        return self.gpus[job] <= self.most

    def select_fitting(self, jobs: Sequence[int]) -> list[int]:
        """Which of these jobs could be placed on the nodes now."""
        most = self.most
        room = self.room
        if len(jobs) < LONG:
            gpus = self.gpus
            if room <= self.largest:
                return [job for job in jobs if gpus[job] <= most]
            return [job for job in jobs if gpus[job] <= room]
        numbers = np.array(jobs)
        widths = self.widths[numbers]
        return numbers[(widths <= most) | ((widths <= room) & (widths > self.largest))].tolist()

    def _choose(self, width: int, barred: int) -> int:
        """Node for a job of at most a node's GPUs, -1 if none has enough but barred ones."""
        filled = self.filled >> width << width
        together = 0
        while filled:
            if self.fit == "worst":
                free = filled.bit_length() - 1
            else:
                free = lowest_node(filled)
            filled ^= 1 << free
            nodes = self.levels[free] & ~barred
            if nodes and self.fit != "first":
                return lowest_node(nodes)
            together |= nodes
        return lowest_node(together)

    def _choose_several(self, width: int, empty: int) -> int:
        """The lowest-numbered nodes of a set that together have enough GPUs; none if all have too
        few.
        """
        rest = empty
        if len(self.of_size) == 1:
            for _ in range(-(-width // self.largest)):
                if not rest:
                    return 0
                rest &= rest - 1
            return empty ^ rest
        while width > 0:
            if not rest:
                return 0
            width -= self.sizes[lowest_node(rest)]
            rest &= rest - 1
        return empty ^ rest

    def _use_whole(self, nodes: int, taken: bool) -> int:
        """Take or give back nodes that are wholly free otherwise; return their GPUs [1].

        Each keeps its number in `free`, since nobody else is on it meanwhile.
        """
        together = 0
        levels = self.levels
        for size, those in self.of_size.items():
            mine = nodes & those
            if mine:
                together += size * mine.bit_count()
                levels[size] ^= mine
                levels[0] ^= mine
                if not levels[size]:
                    self.filled &= ~(1 << size)
                else:
                    self.filled |= 1 << size
        self.filled |= 1
        if not levels[0]:
            self.filled ^= 1
        self.empty ^= nodes
        change = -together if taken else together
        self.idle += change
        self.room += change
        return together

    def _use(self, node: int, width: int) -> None:
        """Use GPUs of one node; a negative number gives them back."""
        bit = 1 << node
        before = self.free[node]
        after = before - width
        self.free[node] = after
        levels = self.levels
        levels[before] ^= bit
        if not levels[before]:
            self.filled ^= 1 << before
        if not levels[after]:
            self.filled |= 1 << after
        levels[after] |= bit
        self.idle -= width
        size = self.sizes[node]
        if before == size:
            self.empty ^= bit
            self.room -= size
        elif after == size:
            self.empty ^= bit
            self.room += size

    def allocate(self, job: int) -> None:
        """Place a job that fits."""
        self._place(job, 0)

    def _place(self, job: int, barred: int) -> bool:
        """Place a job on nodes that are not barred, if there are any; say whether it was placed."""
        width = self.gpus[job]
        if self.wide[job]:
            several = self._choose_several(width, self.empty & ~barred)
            if not several:
                return False
            self.places[job] = (several, self._use_whole(several, taken=True))
        else:
            node = self._choose(width, barred)
            if node < 0:
                return False
            self._use(node, width)
            self.places[job] = node
        self.most = self.filled.bit_length() - 1
        return True

    def allocated_to(self, job: int) -> int:
        """GPUs allocated to a running job, including whole nodes [1]."""
        where = self.places[job]
        if isinstance(where, int):
            return self.gpus[job]
        return where[1]

    def release(self, job: int) -> None:
        """Free the GPUs of a job."""
        where = self.places.pop(job)
        if isinstance(where, int):
            self._use(where, -self.gpus[job])
        else:
            self._use_whole(where[0], taken=False)
        self.most = self.filled.bit_length() - 1

    def reserve(self, head: int, planned_ends: Sequence[tuple[float, int]]) -> float:
        """Reserve nodes for a job that does not fit now; return its planned start [s].

        They are those that it would be given then by the same rule, if nothing started until then.
        """
        free = self.free[:]
        gpus = self.gpus
        sizes = self.sizes
        places = self.places
        need = gpus[head]
        wide = self.wide[head]
        if wide:
            ready = self.empty
            room = self.room
        else:
            ready = room = 0
        shadow = -math.inf
        for end, job in planned_ends:
            if room >= need and end > shadow:
                break
            where = places[job]
            shadow = end
            if isinstance(where, int):
                free[where] += gpus[job]
                if wide:
                    if free[where] == sizes[where]:
                        ready |= 1 << where
                        room += sizes[where]
                elif free[where] >= need:
                    ready |= 1 << where
                    room = need
                continue
            nodes, together = where
            if wide:
                ready |= nodes
                room += together
            else:
                for size, those in self.of_size.items():
                    if size >= need and nodes & those:
                        ready |= nodes & those
                        room = need
        self.reserved = self._reservation(need, wide, ready, free)
        return shadow

    def _reservation(self, need: int, wide: bool, ready: int, free: Sequence[int]) -> int:
        """Nodes that a job would be given of those that are ready for it, with so many free
        GPUs.
        """
        if wide:
            return self._choose_several(need, ready)
        chosen = lowest_node(ready)
        if self.fit != "first":
            sign = 1 if self.fit == "best" else -1
            rest = ready & (ready - 1)
            while rest:
                node = lowest_node(rest)
                rest &= rest - 1
                if sign * free[node] < sign * free[chosen]:
                    chosen = node
        return 1 << chosen

    def allocate_beside(self, job: int) -> bool:
        """Place a job on nodes that are not reserved; return whether it was placed."""
        return self._place(job, self.reserved)
