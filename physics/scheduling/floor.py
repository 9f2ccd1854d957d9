"""GPUs of the simulated cluster: placed on nodes, or in one pool.

A job of at most the largest node's GPUs runs on one node. A larger one takes empty nodes, the
lowest-numbered ones until they suffice, and all of their GPUs. A set of nodes is stored as an
integer whose bit n is node n, so that one operation covers thousands of nodes.
"""

import math
from collections.abc import Sequence

import numpy as np

from physics.arguments import count, several
from physics.scheduling.machine import LONG, shadow_of

#: Rules that choose one of several nodes with enough free GPUs for a job; see `Nodes`.
FITS = ("best", "first", "worst")
#: More GPUs (or CPUs) than any node has, and more nodes than any cluster has.
MOST_ON_NODE = 4_096
MOST_NODES = 100_000


def node_sizes(capacity: int, gpus_per_node: int | None, nodes: Sequence[int] | None) -> list[int]:
    """Return the GPUs of each node; empty if jobs are not placed on nodes.

    Raises ValueError if both arguments are there, or the nodes do not add up to the capacity.

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
    totals = np.cumsum(sizes)
    index = np.minimum(np.searchsorted(totals, gpus), len(sizes) - 1)
    return np.where(gpus > max(sizes), totals[index], gpus)


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

    has_nodes = False

    def __init__(self, capacity: int, gpus: Sequence[int]) -> None:
        self.idle = capacity
        self.gpus = gpus
        self.usual_gpus = gpus
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
    >>> nodes.free, nodes.usual_gpus, nodes.fits(3)
    ([0, 2], [1, 3, 2, 8], False)
    """

    has_nodes = True

    def __init__(self, sizes: Sequence[int], gpus: Sequence[int], fit: str) -> None:
        self.sizes = list(sizes)
        self.free = list(sizes)  #: free GPUs of each node
        self.gpus = gpus
        self.fit = fit
        self.idle = sum(sizes)
        self.largest = max(sizes)
        self.nodes_by_size: dict[int, int] = {}  #: sets of nodes by their size
        self.nodes_by_free = [0] * (self.largest + 1)  #: sets of nodes by their free GPUs
        for node, size in enumerate(sizes):
            self.nodes_by_size[size] = self.nodes_by_size.get(size, 0) | 1 << node
            self.nodes_by_free[size] |= 1 << node
        #: the numbers of free GPUs that nodes have, as a set: bit g is set if a node has g
        self.free_counts = sum(1 << size for size in self.nodes_by_size)
        self.max_free = self.largest  #: free GPUs of the node that has most of them
        self.empty_nodes = (1 << len(self.sizes)) - 1  #: as a set
        self.empty_gpus = self.idle  #: GPUs of the empty nodes
        #: by running job: its node, or the set of its whole nodes and their GPUs
        self.placements: dict[int, int | tuple[int, int]] = {}
        self.reserved = 0  #: nodes that are reserved for the head of the queue, as a set
        self.is_wide = [width > self.largest for width in gpus]  #: by job
        self.widths = np.array(gpus, np.int64)
        self.usual_gpus = occupied(
            self.widths, self.sizes
        ).tolist()  #: GPUs that each job holds on an empty machine

    def apply_outages(self, over: Sequence[int], begun: Sequence[int]) -> None:
        """Do nothing, because these nodes are never down (see `physics.scheduling.failing`)."""

    def fits(self, job: int) -> bool:
        """Whether a node has enough free GPUs for the job now, or enough nodes are empty."""
        if self.is_wide[job]:
            return self.gpus[job] <= self.empty_gpus
        return self.gpus[job] <= self.max_free

    def select_fitting(self, jobs: Sequence[int]) -> list[int]:
        """Which of these jobs could be placed on the nodes now."""
        max_free = self.max_free
        empty_gpus = self.empty_gpus
        if len(jobs) < LONG:
            gpus = self.gpus
            if empty_gpus <= self.largest:
                return [job for job in jobs if gpus[job] <= max_free]
            if max_free == self.largest:
                return [job for job in jobs if gpus[job] <= empty_gpus]
            return list(filter(self.fits, jobs))  # the largest node is in use, smaller ones are not
        numbers = np.array(jobs)
        widths = self.widths[numbers]
        fits_several = (widths <= empty_gpus) & (widths > self.largest)
        return numbers[(widths <= max_free) | fits_several].tolist()

    def _choose(self, width: int, barred: int) -> int:
        """Node outside a barred set for a job of at most a node's GPUs; −1 if none has enough."""
        free_counts = self.free_counts >> width << width
        candidates = 0
        while free_counts:
            if self.fit == "worst":
                free = free_counts.bit_length() - 1
            else:
                free = lowest_node(free_counts)
            free_counts ^= 1 << free
            nodes = self.nodes_by_free[free] & ~barred
            if nodes and self.fit != "first":
                return lowest_node(nodes)
            candidates |= nodes
        return lowest_node(candidates)

    def _choose_several(self, width: int, empty: int) -> int:
        """The lowest-numbered nodes of a set that together have enough GPUs; 0 without any."""
        rest = empty
        if len(self.nodes_by_size) == 1:
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

    def _move(self, nodes: int, before: int, after: int) -> None:
        """Record that nodes of a set have another number of free GPUs than before."""
        nodes_by_free = self.nodes_by_free
        nodes_by_free[before] ^= nodes
        if not nodes_by_free[before]:
            self.free_counts ^= 1 << before
        if not nodes_by_free[after]:
            self.free_counts |= 1 << after
        nodes_by_free[after] |= nodes
        self.max_free = self.free_counts.bit_length() - 1

    def _use_whole(self, nodes: int, is_start: bool) -> int:
        """Take empty nodes at the start of a job, or give them back; return their GPUs [1].

        Their numbers in `free` stay, since no other job is placed there meanwhile.
        """
        gpus = 0
        for size, nodes_of_size in self.nodes_by_size.items():
            changed = nodes & nodes_of_size
            if changed and is_start:
                self._move(changed, size, 0)
            elif changed:
                self._move(changed, 0, size)
            gpus += size * changed.bit_count()
        self.empty_nodes ^= nodes
        change = -gpus if is_start else gpus
        self.idle += change
        self.empty_gpus += change
        return gpus

    def _use(self, node: int, width: int) -> None:
        """Use GPUs of one node; a negative number gives them back."""
        bit = 1 << node
        before = self.free[node]
        self.free[node] = after = before - width
        self._move(bit, before, after)
        self.idle -= width
        size = self.sizes[node]
        if before == size:
            self.empty_nodes ^= bit
            self.empty_gpus -= size
        elif after == size:
            self.empty_nodes ^= bit
            self.empty_gpus += size

    def allocate(self, job: int) -> None:
        """Place a job that fits."""
        self._place(job, 0)

    def _place(self, job: int, barred: int) -> bool:
        """Place a job on nodes outside a barred set; return whether that was possible."""
        width = self.gpus[job]
        if self.is_wide[job]:
            nodes = self._choose_several(width, self.empty_nodes & ~barred)
            if not nodes:
                return False
            self.placements[job] = (nodes, self._use_whole(nodes, is_start=True))
        else:
            node = self._choose(width, barred)
            if node < 0:
                return False
            self._use(node, width)
            self.placements[job] = node
        return True

    def allocated_to(self, job: int) -> int:
        """GPUs allocated to a running job, including whole nodes [1]."""
        placement = self.placements[job]
        if isinstance(placement, int):
            return self.gpus[job]
        return placement[1]

    def release(self, job: int) -> None:
        """Free the GPUs of a job."""
        placement = self.placements.pop(job)
        if isinstance(placement, int):
            self._use(placement, -self.gpus[job])
        else:
            self._use_whole(placement[0], is_start=False)

    def reserve(self, head: int, planned_ends: Sequence[tuple[float, int]]) -> float:
        """Reserve nodes for a job that does not fit now; return its planned start [s].

        They are the nodes that the job would get then by the same rule if no other job started.
        """
        free = self.free[:]
        gpus = self.gpus
        sizes = self.sizes
        placements = self.placements
        need = gpus[head]
        is_wide = self.is_wide[head]
        if is_wide:
            ready = self.empty_nodes
            room = self.empty_gpus
        else:
            ready = room = 0
        shadow = -math.inf
        for end, job in planned_ends:
            if room >= need and end > shadow:
                break
            placement = placements[job]
            shadow = end
            if isinstance(placement, int):
                free[placement] += gpus[job]
                if is_wide:
                    if free[placement] == sizes[placement]:
                        ready |= 1 << placement
                        room += sizes[placement]
                elif free[placement] >= need:
                    ready |= 1 << placement
                    room = need
                continue
            nodes, node_gpus = placement
            if is_wide:
                ready |= nodes
                room += node_gpus
            else:
                for size, nodes_of_size in self.nodes_by_size.items():
                    if size >= need and nodes & nodes_of_size:
                        ready |= nodes & nodes_of_size
                        room = need
        self.reserved = self._reservation(need, is_wide, ready, free)
        return shadow

    def _reservation(self, need: int, is_wide: bool, ready: int, free: Sequence[int]) -> int:
        """Set of nodes that a job would get of a ready set, with so many GPUs free on each node."""
        if is_wide:
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
