"""Loads of a storage design's limits: bandwidth, metadata, request rates, connections.

Loads are demand over capacity: 1 is saturated, nothing is capped, and a limit that a design does
not use has 0. `accelerators` N read [1], each of them `demand` d [B/s].

Source: The bottleneck bound of Denning and Buzen, "The Operational Analysis of Queueing Network
Models" (1978).
"""

import math
from dataclasses import dataclass
from typing import Literal

from physics import constants as c
from physics.arguments import Count, Positive, PositiveShare, elementwise, finite, positive
from physics.storage.demands import (
    checkpoint_write,
    data_rate,
    metadata_capacity,
    metadata_rate,
    object_store_plan,
)


class Loads:
    """Loads of a design, each field being demand ÷ capacity of one limit."""

    @property
    def binding(self) -> str:
        """Name of the limit with the highest load, saturated or not."""
        loads = vars(self)
        return max(loads, key=loads.__getitem__)

    @property
    def highest(self) -> float:
        """Load of the limit with the highest load [1]."""
        return max(vars(self).values())

    @property
    def achieved(self) -> float:
        """Share of the demanded data rate that is achieved, 1 ÷ the highest load, at most 1 [1]."""
        return 1 / max(1.0, self.highest)

    @property
    def holds(self) -> bool:
        """Whether every limit has slack, its load being below 1."""
        return self.highest < 1


@dataclass(frozen=True)
class StorageLoads(Loads):
    """Demand ÷ capacity of each limit of a design; 0 if the design does not use it."""

    bandwidth: float  #: data rate over the bandwidth of all storage nodes [1]
    metadata: float  #: operations a second over what the metadata servers sustain [1]
    requests: float  #: GETs a second over what the prefixes carry [1]
    connections: float  #: GETs that must be in flight over the connections an accelerator has [1]


@dataclass(frozen=True)
class CheckpointBurst:
    """Checkpoint written while training reads from the same storage nodes."""

    duration: float  #: time that one checkpoint takes [s]
    #: duration over interval; at 1 and above a checkpoint is still being written when the next is
    #: due [1]
    duty: float
    read_share: float  #: share of the demanded reads that get through during the burst [1]
    mean_read_share: float  #: the same, averaged over the interval [1]

    @property
    def finishes(self) -> bool:
        """Whether each checkpoint is written before the next is due."""
        return self.duty < 1


@elementwise
def storage_loads(
    accelerators: int,
    demand: float,
    unit_size: float,
    organization: Literal["files", "shards", "objects"] = "files",
    *,
    operations_per_file: float = c.OPERATIONS_PER_FILE,
    metadata_servers: int = 1,
    server_rate: float = c.METADATA_SERVER_RATE,
    storage_nodes: Count = 48,
    node_bandwidth: Positive = c.STORAGE_NODE_BANDWIDTH,
    prefixes: Count = 1,
    connections: Count = 16,
) -> StorageLoads:
    """Load of every limit when a fleet reads a dataset in units of `unit_size` bytes [1].

    Files and shards are read from a parallel file system: storage nodes carry the bytes, metadata
    servers the opens. Of an object store the prefixes carry the requests, over each accelerator's
    connections. Mean rates, evenly spread.

    Args:
        unit_size: s, of a file, a shard or the range that one GET fetches [B].
        organization: "files", "shards" (large ones of many samples) or "objects"; files and shards
            differ in size only.
        operations_per_file, metadata_servers, server_rate: As in `metadata_rate` and
            `metadata_capacity`.
        storage_nodes, node_bandwidth: Number [1], and bandwidth of one [B/s].
        prefixes, connections: Over which keys are spread evenly; that one accelerator keeps open
            [1].

    >>> loads = storage_loads(4096, 80e6, 4e6)
    >>> round(loads.bandwidth, 3), loads.metadata, loads.binding
    (0.244, 4.9152, 'metadata')
    """
    if organization == "objects":
        plan = object_store_plan(accelerators, demand, unit_size)
        requests = plan.requests_per_second / (prefixes * c.OBJECT_PREFIX_RATE)
        return StorageLoads(0.0, 0.0, requests, plan.connections_per_accelerator / connections)
    bandwidth = storage_nodes * node_bandwidth
    opens = metadata_rate(accelerators, demand, unit_size, operations_per_file)
    capacity = metadata_capacity(metadata_servers, server_rate=server_rate)
    return StorageLoads(data_rate(accelerators, demand) / bandwidth, opens / capacity, 0.0, 0.0)


@elementwise
def checkpoint_burst(
    parameters: float,
    interval: Positive,
    read_rate: Positive,
    bandwidth: Positive,
    write_share: PositiveShare = 0.5,
) -> CheckpointBurst:
    """Time to write a checkpoint [s], and the share of reads served during it [1].

    duration = b P / (φ B), read_share = min(1, (1 − φ) B / read_rate): while the checkpoint of P
    parameters is written it takes the share φ of the bandwidth B of all storage nodes [B/s].
    Outside the burst reads have all of B; with a `duty`, duration over interval [s], of 1 or more
    it never ends.

    >>> burst = checkpoint_burst(175e9, interval=1800, read_rate=327.68e9, bandwidth=336e9)
    >>> round(burst.duration, 1), round(burst.read_share, 3)
    (14.6, 0.513)
    """
    duration = checkpoint_write(parameters, write_share * bandwidth)
    duty = duration / interval
    during = min(1.0, (1 - write_share) * bandwidth / read_rate)
    otherwise = min(1.0, bandwidth / read_rate)
    busy = min(1.0, duty)
    return CheckpointBurst(duration, duty, during, busy * during + (1 - busy) * otherwise)


@dataclass(frozen=True)
class LocalLoads(Loads):
    """Demand ÷ capacity of the drives inside one compute node.

    No storage nodes and no metadata servers are used.
    """

    drives: float  #: data rate that a full node asks for over what its drives give [1]
    space: float  #: data that are to lie on a node over what its drives hold [1]


@dataclass(frozen=True)
class LocalCopy:
    """Copy from the shared store onto the drives of all nodes, before the first read."""

    part: float  #: data that each node copies [B]
    opening: float  #: time that the metadata servers need for these opens [s]
    carrying: float  #: time that the bytes need through store, link and drives [s]

    @property
    def time(self) -> float:
        """Time of the copy, limited by its slowest part [s]."""
        return max(self.opening, self.carrying)


@elementwise
def compute_nodes(accelerators: Count) -> int:
    """Number of nodes of a fleet, including a partly filled one [1].

    >>> compute_nodes(4096), compute_nodes(9)
    (512, 2)
    """
    return math.ceil(accelerators / c.IO_ACCELERATORS_PER_NODE)


@elementwise
def drive_rate(read_size: Positive, drives: Count = int(c.LOCAL_DRIVES)) -> Positive:
    """Data rate of the drives of one node [B/s].

    Each drive gives min(bandwidth, reads per second · size of a read).

    >>> drive_rate(4e6) / 1e9, drive_rate(4e3) / 1e9
    (26.0, 14.4)
    """
    return drives * min(float(c.LOCAL_DRIVE_READ), read_size * c.LOCAL_DRIVE_READS)


@elementwise
def local_loads(
    accelerators: Count,
    demand: Positive,
    size: Positive,
    read_size: float,
    *,
    drives: int = int(c.LOCAL_DRIVES),
    whole: bool = False,
) -> LocalLoads:
    """Load of the drives inside each node if they serve only its own copy of the data [1].

    drives = n demand / (drives min(bandwidth, reads read_size)) with n accelerators in a full node,
    and space = part / (drives capacity), with part = size / nodes, or the size if every node holds
    the `whole` data [B]. Where the data do not fit, a share 1/space of them lies on the drives.

    >>> loads = local_loads(4096, 80e6, 400e12, 4e6)
    >>> round(loads.drives, 4), round(loads.space, 4)
    (0.0246, 0.0254)
    """
    rate = min(accelerators, c.IO_ACCELERATORS_PER_NODE) * demand  # of a full node [B/s]
    copied = size / (1 if whole else compute_nodes(accelerators))
    load = finite("the load of the drives", rate / drive_rate(read_size, drives))
    return LocalLoads(load, copied / (drives * c.LOCAL_DRIVE_CAPACITY))


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
    """Time to copy a dataset of files onto the drives of all compute nodes at once [s].

    Each file is opened once per copy. opening = nodes part / file_size × operations /
    metadata_capacity, carrying = max(nodes part / store_bandwidth, part / node_link, part /
    drive_bandwidth), with part = size / nodes, or the size if every node gets a `whole` copy. Opens
    and bytes overlap. Sizes in [B], rates in [B/s], operations that the metadata servers sustain in
    [1/s]; `drive_bandwidth` is what one node's drives write.

    >>> copy = local_copy(
    ...     400e12, 512, 4e6, metadata_capacity=5e4, store_bandwidth=1344e9, node_link=25e9,
    ...     drive_bandwidth=16e9)
    >>> round(copy.opening), round(copy.carrying), copy.time == copy.opening
    (6000, 298, True)
    """
    copied = size / (1 if whole else nodes)
    opening = finite(
        "the time to open", nodes * copied / file_size * c.OPERATIONS_PER_FILE / metadata_capacity
    )
    rate = min(store_bandwidth / nodes, node_link, drive_bandwidth)
    return LocalCopy(
        copied, opening, finite("the time to copy", copied / positive("the rate of one node", rate))
    )
