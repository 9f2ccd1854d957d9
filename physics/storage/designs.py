"""Loads of a storage design's limits: bandwidth, metadata, request rates, connections.

Loads are demand over capacity: 1 is saturated, nothing is capped, and a limit that a design does not use has 0.
"""

from dataclasses import dataclass
from typing import Literal

from physics.arguments import Count, Positive, PositiveShare, elementwise
from physics.constants import METADATA_SERVER_RATE, OBJECT_PREFIX_RATE, OPERATIONS_PER_FILE, STORAGE_NODE_BANDWIDTH
from physics.storage.demands import checkpoint_write, data_rate, metadata_capacity, metadata_rate, object_store_plan

#: How a dataset is laid out: one file a sample, large shards of many samples, or objects in an object store.
Organization = Literal["files", "shards", "objects"]


class Loads:
    """What the loads of a design say together; its fields are demand over capacity, one a limit."""

    @property
    def binding(self) -> str:
        """Name of the highest load, whether or not it is saturated."""
        loads = vars(self)
        return max(loads, key=loads.__getitem__)

    @property
    def highest(self) -> float:
        """The highest load [1]."""
        return max(vars(self).values())

    @property
    def achieved(self) -> float:
        """Share of the demanded data rate that gets through: the smallest of 1 and 1/load over all limits [1]."""
        return 1 / max(1.0, self.highest)

    @property
    def holds(self) -> bool:
        """Whether every limit has room: a queue at a load of exactly 1 already grows without limit."""
        return self.highest < 1


@dataclass(frozen=True)
class StorageLoads(Loads):
    """Demand over capacity of each limit of a design; 0 where the design does not use it."""

    bandwidth: float  #: data rate over the bandwidth of all storage nodes [1]
    metadata: float  #: operations a second over what the metadata servers sustain [1]
    requests: float  #: GETs a second over what the prefixes carry [1]
    connections: float  #: GETs that must be in flight over the connections an accelerator has [1]


@dataclass(frozen=True)
class CheckpointBurst:
    """A checkpoint written while training goes on reading from the same storage nodes."""

    duration: float  #: time that one checkpoint takes [s]
    duty: float  #: duration over interval; at 1 and above a checkpoint is still being written when the next is due [1]
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
    organization: Organization = "files",
    *,
    operations_per_file: float = OPERATIONS_PER_FILE,
    metadata_servers: int = 1,
    server_rate: float = METADATA_SERVER_RATE,
    storage_nodes: Count = 48,
    node_bandwidth: Positive = STORAGE_NODE_BANDWIDTH,
    prefixes: Count = 1,
    connections: Count = 16,
) -> StorageLoads:
    """Load of every limit when `accelerators` read a dataset in units of `unit_size` bytes [1].

    Files and shards are read from a parallel file system: storage nodes carry the bytes, metadata servers the opens. Of
    an object store the prefixes carry the requests, over each accelerator's connections. Mean rates, evenly spread.

    Args:
        accelerators, demand: N, those that read [1]; d, data rate of one [B/s].
        unit_size: s, of a file, a shard or the range that one GET fetches [B].
        organization: "files", "shards" or "objects"; files and shards differ in size only.
        operations_per_file, metadata_servers, server_rate: As in `metadata_rate` and `metadata_capacity`.
        storage_nodes, node_bandwidth: Number [1], and bandwidth of one [B/s].
        prefixes, connections: Over which keys are spread evenly; that one accelerator keeps open [1].

    >>> loads = storage_loads(4096, 80e6, 4e6)
    >>> round(loads.bandwidth, 3), loads.metadata, loads.binding
    (0.244, 4.9152, 'metadata')
    """
    if organization == "objects":
        plan = object_store_plan(accelerators, demand, unit_size)
        carried = prefixes * OBJECT_PREFIX_RATE
        in_flight = plan.connections_per_accelerator / connections
        return StorageLoads(0.0, 0.0, plan.requests_per_second / carried, in_flight)
    bandwidth = storage_nodes * node_bandwidth
    opens = metadata_rate(accelerators, demand, unit_size, operations_per_file)
    capacity = metadata_capacity(metadata_servers, server_rate=server_rate)
    return StorageLoads(data_rate(accelerators, demand) / bandwidth, opens / capacity, 0.0, 0.0)


@elementwise
def checkpoint_burst(
    parameters: float, interval: Positive, read_rate: Positive, bandwidth: Positive, write_share: PositiveShare = 0.5
) -> CheckpointBurst:
    """Duration of writing a checkpoint [s], and the share of reads that get through on the same nodes [1].

    Args:
        parameters: P, of the model [1].
        interval: From one checkpoint's start to the next one's [s].
        read_rate: Data rate that training demands [B/s].
        bandwidth: B, of all storage nodes [B/s].
        write_share: φ, share of the bandwidth that the checkpoint takes while it is written [1].

    duration = b P / (φ B), read_share = min(1, (1 − φ) B / read_rate). Outside the burst reads have all of B; with a
    `duty` of 1 or more it never ends.

    >>> burst = checkpoint_burst(175e9, interval=1800, read_rate=327.68e9, bandwidth=336e9)
    >>> round(burst.duration, 1), round(burst.read_share, 3)
    (14.6, 0.513)
    """
    duration = checkpoint_write(parameters, write_share * bandwidth)
    duty = duration / interval
    during, otherwise = min(1.0, (1 - write_share) * bandwidth / read_rate), min(1.0, bandwidth / read_rate)
    busy = min(1.0, duty)
    return CheckpointBurst(duration, duty, during, busy * during + (1 - busy) * otherwise)
