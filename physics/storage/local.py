"""Reading from drives inside the compute nodes: their loads, and the copy that has to be made before.

Source: The bottleneck bound of Denning and Buzen, "The Operational Analysis of Queueing Network Models" (1978).
"""

import math
from dataclasses import dataclass

from physics.arguments import Count, Positive, elementwise, finite, positive
from physics.constants import (
    IO_ACCELERATORS_PER_NODE,
    LOCAL_DRIVE_CAPACITY,
    LOCAL_DRIVE_READ,
    LOCAL_DRIVE_READS,
    LOCAL_DRIVES,
    OPERATIONS_PER_FILE,
)
from physics.storage.designs import Loads


@dataclass(frozen=True)
class LocalLoads(Loads):
    """Demand over capacity of the drives inside one compute node; no storage node or metadata server is on the path."""

    drives: float  #: data rate that a full node asks for over what its drives give [1]
    space: float  #: data that are to lie on a node over what its drives hold [1]


@dataclass(frozen=True)
class LocalCopy:
    """The copy from the shared store onto the drives of all nodes, made before the first read."""

    part: float  #: data that each node copies [B]
    opening: float  #: time that the metadata servers need for these opens [s]
    carrying: float  #: time that the bytes need through store, link and drives [s]

    @property
    def time(self) -> float:
        """Time that the copy takes when it is as fast as its slowest part [s]."""
        return max(self.opening, self.carrying)


@elementwise
def compute_nodes(accelerators: Count) -> int:
    """Nodes of a fleet; a last one that is not full counts [1].

    >>> compute_nodes(4096), compute_nodes(9)
    (512, 2)
    """
    return math.ceil(accelerators / IO_ACCELERATORS_PER_NODE)


@elementwise
def drive_rate(read_size: Positive, drives: Count = int(LOCAL_DRIVES)) -> float:
    """Data rate of the drives of one node, min(bandwidth, reads a second · size of a read) each [B/s].

    >>> drive_rate(4e6) / 1e9, drive_rate(4e3) / 1e9
    (26.0, 14.4)
    """
    most = min(float(LOCAL_DRIVE_READ), read_size * LOCAL_DRIVE_READS)
    return positive("the rate of the drives", drives * most)


@elementwise
def local_loads(
    accelerators: int,
    demand: Positive,
    size: Positive,
    read_size: float,
    *,
    drives: int = int(LOCAL_DRIVES),
    whole: bool = False,
) -> LocalLoads:
    """Load of the drives inside each node when it reads its own copy and nothing else [1].

    drives = n demand / (drives min(bandwidth, reads read_size)) with n accelerators in a full node, and
    space = part / (drives capacity). Where the data do not fit, a share 1/space of them lies on the drives.

    Args:
        accelerators, demand: Those that read [1]; data rate of one [B/s].
        size, read_size: Dataset, and one read [B].
        drives: Inside one node [1].
        whole: Whether every node holds all of the data, not only its part size/nodes.

    >>> loads = local_loads(4096, 80e6, 400e12, 4e6)
    >>> round(loads.drives, 4), round(loads.space, 4)
    (0.0246, 0.0254)
    """
    nodes = compute_nodes(accelerators)
    asked = min(accelerators, IO_ACCELERATORS_PER_NODE) * demand
    part = size / (1 if whole else nodes)
    load = finite("the load of the drives", asked / drive_rate(read_size, drives))
    return LocalLoads(load, part / (drives * LOCAL_DRIVE_CAPACITY))


@elementwise
def local_copy(
    size: Positive,
    nodes: Count,
    file_size: Positive,
    *,
    metadata_capacity: Positive,
    store_bandwidth: Positive,
    node_link: Positive,
    drive_bandwidth: Positive,
    whole: bool = False,
) -> LocalCopy:
    """Time to copy a dataset of files onto the drives of all compute nodes at once, each file opened once per copy [s].

    opening = nodes part / file_size × operations / metadata_capacity, carrying = max(nodes part / store_bandwidth,
    part / node_link, part / drive_bandwidth), with part = size / nodes. Opens and bytes overlap.

    Args:
        size, file_size: Dataset, and one of its files [B].
        nodes: Compute nodes [1].
        metadata_capacity: Operations that the metadata servers sustain [1/s].
        store_bandwidth, node_link, drive_bandwidth: Reads of the whole store, one node's link, and writes of one node's
            drives [B/s].
        whole: Whether every node gets a copy of its own: its part is then the size.

    >>> copy = local_copy(400e12, 512, 4e6, metadata_capacity=5e4, store_bandwidth=1344e9, node_link=25e9,
    ...                   drive_bandwidth=16e9)
    >>> round(copy.opening), round(copy.carrying), copy.time == copy.opening
    (6000, 298, True)
    """
    part = size / (1 if whole else nodes)
    operations = nodes * part / file_size * OPERATIONS_PER_FILE
    opening = finite("the time to open", operations / metadata_capacity)
    shared = store_bandwidth / nodes
    rate = min(shared, node_link, drive_bandwidth)
    return LocalCopy(part, opening, finite("the time to copy", part / positive("the rate of one node", rate)))
