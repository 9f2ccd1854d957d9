"""Storage architecture: a design as the knobs describe it, and the scenarios that have a name."""

from dataclasses import dataclass, replace
from functools import cached_property

from physics import constants as k
from physics.storage import ObjectStorePlan, Relocation, data_rate, metadata_rate, move_or_not, object_store_plan
from physics.storage.designs import (
    CheckpointBurst,
    StorageLoads,
    checkpoint_burst,
    saturating_accelerators,
    storage_loads,
)

ORGANIZATIONS = {"files": "A file a sample", "shards": "Shards of many samples", "objects": "Object store"}
VIEWS = {"size": "How large is a read?", "checkpoint": "Checkpoints", "distance": "Move the data or the job?"}
MONTH = 30 * k.DAY

#: Positions of the knobs that span powers of ten, in the widget's unit; floats, so that a scenario may name any.
FILE_MB = (0.004, 0.016, 0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 1000.0)
SHARD_MB = (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
REQUEST_MB = (0.004, 0.016, 0.0625, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1000.0)
PARAMETERS_BILLION = (1.0, 7.0, 13.0, 34.0, 70.0, 175.0, 405.0, 1000.0)
DATASET_TB = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
LINK_GB = (0.125, 0.3, 1.25, 3.0, 5.0, 12.5, 25.0, 50.0)

PRESETS = {
    "The CTO's design: 4 MB files": {},
    "Small samples: 62.5 kB files": {"file_size": 62.5e3},
    "Small samples, five metadata servers": {"file_size": 62.5e3, "metadata_servers": 5},
    "Packed into 1 GB shards": {"organization": "shards"},
    "Object store, a 62.5 kB object a sample": {"organization": "objects", "request_size": 62.5e3},
    "Object store, ranges of 8 MB": {"organization": "objects", "prefixes": 8},
    "Twelve storage nodes and a checkpoint": {"organization": "shards", "storage_nodes": 12, "view": "checkpoint"},
}


@dataclass(frozen=True)
class Design:
    """A storage design and the fleet that it feeds; all SI, prices in dollars."""

    accelerators: int = int(k.STORAGE_FLEET)
    organization: str = "files"
    file_size: float = float(k.STORAGE_FILE_SIZE)
    request_size: float = float(k.STORAGE_REQUEST_SIZE)
    metadata_servers: int = int(k.METADATA_SERVERS)
    prefixes: int = int(k.OBJECT_PREFIXES)
    storage_nodes: int = int(k.STORAGE_NODES)
    demand: float = float(k.STORAGE_DEMAND)
    shard_size: float = float(k.STORAGE_SHARD_SIZE)
    operations_per_file: float = float(k.OPERATIONS_PER_FILE)
    directory_spread: float = float(k.DIRECTORY_SPREAD)
    server_rate: float = float(k.METADATA_SERVER_RATE)
    connections: int = int(k.OBJECT_CONNECTIONS)
    first_byte: float = float(k.OBJECT_FIRST_BYTE)
    connection_bandwidth: float = float(k.OBJECT_CONNECTION_BANDWIDTH)
    parameters: float = float(k.STORAGE_CHECKPOINT_PARAMETERS)
    interval: float = float(k.STORAGE_CHECKPOINT_INTERVAL)
    write_share: float = float(k.STORAGE_CHECKPOINT_SHARE)
    dataset: float = float(k.DATASET_SIZE)
    egress_price: float = float(k.EGRESS_PRICE_1)
    link: float = float(k.WAN_BANDWIDTH)
    price_near: float = float(k.GPU_HOUR_NEAR)
    price_far: float = float(k.GPU_HOUR_FAR)
    job_gpus: int = int(k.RELOCATION_GPUS)
    hours: float = float(k.RELOCATION_HOURS)

    @property
    def unit_size(self) -> float:
        """Bytes of one read: a file, a shard, or what one GET fetches."""
        return {"files": self.file_size, "shards": self.shard_size, "objects": self.request_size}[self.organization]

    @property
    def from_objects(self) -> bool:
        """Whether the dataset is read from an object store."""
        return self.organization == "objects"

    @property
    def rate(self) -> float:
        """Data rate of the whole fleet [B/s]."""
        return data_rate(self.accelerators, self.demand)

    @property
    def bandwidth(self) -> float:
        """Bandwidth of all storage nodes [B/s]."""
        return self.storage_nodes * k.STORAGE_NODE_BANDWIDTH

    @property
    def operations(self) -> float:
        """Metadata operations a second, were the dataset read as files or shards [1/s]."""
        return metadata_rate(self.accelerators, self.demand, self.unit_size, self.operations_per_file)

    @cached_property
    def loads(self) -> StorageLoads:
        """Load of every limit that this design uses."""
        return self.loads_of(self.organization)

    def loads_of(self, organization: str) -> StorageLoads:
        """Load of every limit, were the dataset organized like this."""
        other = replace(self, organization=organization)
        return storage_loads(
            other.accelerators,
            other.demand,
            other.unit_size,
            organization,
            operations_per_file=other.operations_per_file,
            metadata_servers=other.metadata_servers,
            directory_spread=other.directory_spread,
            server_rate=other.server_rate,
            storage_nodes=other.storage_nodes,
            prefixes=other.prefixes,
            connections=other.connections,
            first_byte=other.first_byte,
            connection_bandwidth=other.connection_bandwidth,
        )

    @property
    def used(self) -> tuple[str, ...]:
        """Names of the limits that this design uses."""
        return ("requests", "connections") if self.from_objects else ("bandwidth", "metadata")

    @property
    def saturates_at(self) -> dict[str, float]:
        """Fleet size at which each limit saturates."""
        return saturating_accelerators(self.loads, self.accelerators)

    @cached_property
    def plan(self) -> ObjectStorePlan:
        """What an object store would need to offer, and its fees."""
        return object_store_plan(
            self.accelerators,
            self.demand,
            self.request_size,
            first_byte=self.first_byte,
            connection_bandwidth=self.connection_bandwidth,
        )

    @property
    def fees(self) -> float:
        """Request fees in 30 days of reading [$]; none for a file system."""
        return self.plan.cost_per_hour * MONTH / k.HOUR if self.from_objects else 0.0

    @property
    def burst(self) -> CheckpointBurst:
        """What a checkpoint does to the reads that share its storage nodes."""
        let_through = 1.0 if self.from_objects else 1 / max(1.0, self.loads.metadata)
        return checkpoint_burst(
            self.parameters, self.interval, self.rate, self.bandwidth, self.write_share, let_through=let_through
        )

    @property
    def relocation(self) -> Relocation:
        """Moving the data against moving the job, at the flat egress price."""
        return move_or_not(
            self.dataset, self.link, self.egress_price, self.price_far, self.price_near, self.job_gpus, self.hours
        )

    @property
    def holds(self) -> bool:
        """Whether every limit is below saturation."""
        return self.loads.highest < 1

    @property
    def good(self) -> bool | None:
        """True where every limit has room, None where queues build up, False where one is saturated."""
        return None if k.STORAGE_QUEUE_LOAD <= self.loads.highest < 1 else self.holds
