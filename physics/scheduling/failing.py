"""Nodes with outages.

An outage closes whole nodes, those with the fewest GPUs in use first, ties by number, until they
have at least its GPUs. Jobs on them run to their ends, and no other job is placed there until the
outage is over.
"""

import math
from collections.abc import Iterator, Sequence

from physics.scheduling.floor import Nodes, lowest_node


def _members(nodes: int) -> Iterator[int]:
    """Yield the numbers of the nodes of a set.

    >>> list(_members(0b1101))
    [0, 2, 3]
    """
    while nodes:
        yield lowest_node(nodes)
        nodes &= nodes - 1


class FailingNodes(Nodes):
    """GPUs on nodes, some of which are closed by outages; otherwise like `Nodes`.

    >>> nodes = FailingNodes([4, 4], [1, 3, 5], "best")
    >>> nodes.allocate(0)
    >>> nodes.apply_outages([], [1])  # the outage with the number 1 is of 3 GPUs
    >>> nodes.idle, nodes.fits(2)
    (3, False)
    """

    def __init__(self, sizes: Sequence[int], gpus: Sequence[int], fit: str) -> None:
        super().__init__(sizes, gpus, fit)
        self.closed = 0  #: nodes with an outage, as a set
        self.held_whole = 0  #: nodes that jobs hold wholly, as a set
        self.down: dict[int, int] = {}  #: set of nodes of each outage

    def apply_outages(self, over: Sequence[int], begun: Sequence[int]) -> None:
        """Reopen nodes after outages, and close nodes for new outages."""
        for outage in over:
            nodes = self.down.pop(outage)
            self.closed &= ~nodes
            for node in _members(nodes & ~self.held_whole):
                self._serve(node, self.free[node])
        for outage in begun:
            missing = self.gpus[outage]
            nodes = 0
            open_nodes = _members(~self.closed & (1 << len(self.sizes)) - 1)
            for node in sorted(open_nodes, key=self._in_use):
                if missing <= 0:
                    break
                missing -= self.sizes[node]
                nodes |= 1 << node
            for node in _members(nodes & ~self.held_whole):
                self._serve(node, -self.free[node])
            self.closed |= nodes
            self.down[outage] = nodes

    def _in_use(self, node: int) -> int:
        """GPUs of a node that are in use [1]."""
        if self.held_whole >> node & 1:
            return self.sizes[node]
        return self.sizes[node] - self.free[node]

    def _serve(self, node: int, gpus: int) -> None:
        """Count the free GPUs of a node that opens, or, below zero, of one that closes."""
        if not gpus:
            return
        bit = 1 << node
        self._move(bit, max(0, -gpus), max(0, gpus))
        self.idle += gpus
        if abs(gpus) == self.sizes[node]:
            self.empty_nodes ^= bit
            self.empty_gpus += gpus

    def _use(self, node: int, width: int) -> None:
        """Use GPUs of one node; those of a closed node are none of the free ones meanwhile."""
        if self.closed >> node & 1:
            self.free[node] -= width
        else:
            super()._use(node, width)

    def _use_whole(self, nodes: int, is_start: bool) -> int:
        """Take empty nodes, or give them back unless they are closed by then."""
        if is_start:
            self.held_whole |= nodes
            return super()._use_whole(nodes, is_start)
        self.held_whole &= ~nodes
        return super()._use_whole(nodes & ~self.closed, is_start)

    def reserve(self, head: int, planned_ends: Sequence[tuple[float, int]]) -> float:
        """Reserve nodes as `Nodes` does, with closed nodes available after their outages."""
        if not self.down:
            return super().reserve(head, planned_ends)
        free = self.free[:]
        need = self.gpus[head]
        is_wide = self.is_wide[head]
        closed = self.closed
        held_whole = self.held_whole
        ready = 0
        room = 0
        if is_wide:
            ready = self.empty_nodes
            room = self.empty_gpus
        shadow = -math.inf
        for end, number in planned_ends:
            if room >= need and end > shadow:
                break
            shadow = end
            if number in self.down:
                closed &= ~self.down[number]
                freed = self.down[number] & ~held_whole
            else:
                placement = self.placements[number]
                if isinstance(placement, int):
                    free[placement] += self.gpus[number]
                    freed = 1 << placement
                else:
                    held_whole &= ~placement[0]
                    freed = placement[0]
            for node in _members(freed & ~closed & ~ready):
                if is_wide and free[node] == self.sizes[node]:
                    ready |= 1 << node
                    room += self.sizes[node]
                elif not is_wide and free[node] >= need:
                    ready |= 1 << node
                    room = need
        self.reserved = self._reservation(need, is_wide, ready, free)
        return shadow
