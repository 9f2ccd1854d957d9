"""Storage architecture: a design as the knobs describe it, with its knobs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from physics import constants as k
from physics.checkpointing.collisions import writing_shares
from physics.storage import (
    ObjectStorePlan,
    Relocation,
    data_rate,
    metadata_capacity,
    metadata_rate,
    move_or_not,
    object_store_plan,
)
from physics.storage.designs import CheckpointBurst, Loads, checkpoint_burst, saturating_accelerators, storage_loads
from physics.storage.local import LocalCopy, compute_nodes, drive_rate, local_copy, local_loads
from ui.base import format as f
from ui.knobs import MORE, Group, choice, knob

ORGANIZATIONS = {
    "files": "A file a sample",
    "shards": "Shards of many samples",
    "objects": "Object store",
    "local": "On local NVMe",
}
#: The knob that holds the size of a read.
SIZE_OF = {"files": "file_size", "shards": "shard_size", "objects": "request_size", "local": "file_size"}
MONTH = 30 * k.DAY

#: Positions of the knobs that span powers of ten, in the widget's unit; floats, so that a scenario may name any.
FILE_MB = (0.004, 0.016, 0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 1000.0)
SHARD_MB = (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
REQUEST_MB = (0.004, 0.016, 0.0625, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1000.0)
PARAMETERS_BILLION = (1.0, 7.0, 13.0, 34.0, 70.0, 175.0, 405.0, 1000.0)
DATASET_TB = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
LINK_GB = (0.125, 0.3, 1.25, 3.0, 5.0, 12.5, 25.0, 50.0)

#: What reads nothing while the dataset is organized otherwise, by quantity.
FILE_SYSTEM = ("metadata_servers", "storage_nodes", "operations_per_file", "directory_spread", "server_rate")
OBJECT_STORE = ("request_size", "prefixes", "connections", "first_byte", "connection_bandwidth")
LOCAL_DRIVES = ("local_drives", "local_copy")

COPIES = {"share": "its share", "whole": "all the data"}

PHASES = {"random": "At random", "aligned": "All at once", "staggered": "Evenly staggered"}

CHECKPOINTS = Group("Part 2: checkpoints", ":material/save:")
CROWD = Group("Many jobs' checkpoints", ":material/stacks:")
GROWTH = Group("Capacity and growth", ":material/trending_up:")
DISTANCE = Group("Part 3: move the data or the job", ":material/moving:")


def with_local(before: Mapping[str, object]) -> Group | None:
    """Fold away what only local drives need, unless the dataset is copied to them."""
    return None if before["organization"] == "local" else MORE


def with_store(before: Mapping[str, object]) -> Group | None:
    """Fold away what only an object store needs while the dataset is copied to local drives."""
    return MORE if before["organization"] == "local" else None


@dataclass(frozen=True)
class Design:
    """A storage design and the fleet that it feeds; all SI, prices in dollars."""

    page: ClassVar[str] = "storage_architecture"

    accelerators: int = knob(k.STORAGE_FLEET)
    organization: str = choice(ORGANIZATIONS)
    file_size: float = knob(k.STORAGE_FILE_SIZE, unit=k.MB, positions=FILE_MB, spoken=f.data)
    request_size: float = knob(k.STORAGE_REQUEST_SIZE, unit=k.MB, positions=REQUEST_MB, group=with_store, spoken=f.data)
    metadata_servers: int = knob(k.METADATA_SERVERS, spoken=lambda number: f.count(number, "metadata server"))
    prefixes: int = knob(
        k.OBJECT_PREFIXES, typed=True, group=with_store, spoken=lambda number: f.count(number, "prefix", "prefixes")
    )
    storage_nodes: int = knob(k.STORAGE_NODES, spoken=lambda number: f.count(number, "storage node"))
    local_drives: int = knob(k.LOCAL_DRIVES, group=with_local, spoken=lambda number: f.count(number, "drive"))
    local_copy: str = choice(COPIES, group=with_local)
    demand: float = knob(k.STORAGE_DEMAND, unit=k.MB, group=MORE)
    shard_size: float = knob(k.STORAGE_SHARD_SIZE, unit=k.MB, positions=SHARD_MB, group=MORE, spoken=f.data)
    operations_per_file: float = knob(
        k.OPERATIONS_PER_FILE, group=MORE, spoken=lambda number: f.count(number, "operation")
    )
    directory_spread: float = knob(k.DIRECTORY_SPREAD, unit=0.01, group=MORE, spoken=f.share)
    server_rate: float = knob(k.METADATA_SERVER_RATE, group=MORE, spoken=f.significant)
    connections: int = knob(k.OBJECT_CONNECTIONS, group=MORE, spoken=lambda number: f.count(number, "connection"))
    first_byte: float = knob(k.OBJECT_FIRST_BYTE, unit=1e-3, group=MORE, spoken=f.duration)
    connection_bandwidth: float = knob(k.OBJECT_CONNECTION_BANDWIDTH, unit=k.MB, group=MORE, spoken=f.data_rate)
    parameters: float = knob(k.STORAGE_CHECKPOINT_PARAMETERS, unit=1e9, positions=PARAMETERS_BILLION, group=CHECKPOINTS)
    interval: float = knob(k.STORAGE_CHECKPOINT_INTERVAL, unit=k.MINUTE, group=CHECKPOINTS)
    write_share: float = knob(k.STORAGE_CHECKPOINT_SHARE, unit=0.01, group=CHECKPOINTS)
    write_speed: float = knob(k.STORAGE_WRITE_SPEED, unit=0.01, group=CHECKPOINTS)
    jobs: int = knob(k.STORAGE_CROWD_JOBS, group=CROWD)
    crowd_write: float = knob(k.STORAGE_CROWD_WRITE, unit=k.MINUTE, group=CROWD)
    crowd_interval: float = knob(k.STORAGE_CROWD_INTERVAL, unit=k.MINUTE, group=CROWD)
    phases: str = choice(PHASES, group=CROWD)
    reserved: int = knob(k.STORAGE_CROWD_RESERVED, group=CROWD)
    data: float = knob(k.STORAGE_DATA, unit=k.TB, group=GROWTH)
    growth: float = knob(k.STORAGE_GROWTH, unit=0.01, group=GROWTH)
    node_capacity: float = knob(k.STORAGE_NODE_CAPACITY, unit=k.TB, group=GROWTH)
    dataset: float = knob(k.DATASET_SIZE, unit=k.TB, positions=DATASET_TB, group=DISTANCE)
    egress_price: float = knob(k.EGRESS_PRICE_1, unit=1 / k.GB, format="%.3f", group=DISTANCE)
    link: float = knob(k.WAN_BANDWIDTH, unit=k.GB, positions=LINK_GB, group=DISTANCE)
    price_near: float = knob(k.GPU_HOUR_NEAR, format="%.2f", group=DISTANCE)
    price_far: float = knob(k.GPU_HOUR_FAR, format="%.2f", group=DISTANCE)
    job_gpus: int = knob(k.RELOCATION_GPUS, group=DISTANCE)
    hours: float = knob(k.RELOCATION_HOURS, group=DISTANCE)

    def idle(self) -> dict[str, str]:
        """Name the knobs that change no load at the moment, and why."""
        if self.from_objects:
            idle = ("file_size", "shard_size", *FILE_SYSTEM, *LOCAL_DRIVES)
            return dict.fromkeys(idle, "on reads, which come from objects")
        found = dict.fromkeys(OBJECT_STORE, "no object store")
        if self.organization == "shards":
            found["file_size"] = "the data are shards"
        else:
            found["shard_size"] = "no shards"
        if not self.local:
            found |= dict.fromkeys(LOCAL_DRIVES, "on reads, which come from the file system")
        if self.metadata_servers == 1:
            found["directory_spread"] = "one metadata server"
        return found

    @property
    def unit_size(self) -> float:
        """Bytes of one read: a file, a shard, or what one GET fetches."""
        return getattr(self, SIZE_OF[self.organization])

    @property
    def from_objects(self) -> bool:
        """Whether the dataset is read from an object store."""
        return self.organization == "objects"

    @property
    def local(self) -> bool:
        """Whether each GPU node reads from drives of its own, after a copy."""
        return self.organization == "local"

    @property
    def apart(self) -> bool:
        """Whether reads leave storage nodes and metadata servers alone."""
        return self.from_objects or self.local

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
    def loads(self) -> Loads:
        """Load of every limit that this design uses."""
        return self.loads_of(self.organization)

    def loads_of(self, organization: str) -> Loads:
        """Load of every limit, were the dataset organized like this."""
        other = replace(self, organization=organization)
        if other.local:
            drives = {"drives": other.local_drives, "whole": other.whole}
            return _snapped(local_loads(other.accelerators, other.demand, other.data, other.unit_size, **drives))
        loads = storage_loads(
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
        return _snapped(loads)

    @property
    def used(self) -> tuple[str, ...]:
        """Names of the limits that this design uses."""
        if self.local:
            return ("drives", "space")
        return ("requests", "connections") if self.from_objects else ("bandwidth", "metadata")

    @property
    def saturates_at(self) -> dict[str, float]:
        """Fleet size at which each limit saturates; the space of local drives is full below it."""
        if not self.local:
            return saturating_accelerators(self.loads, self.accelerators)
        space = (math.inf if self.loads.space > 1 else 0.0) if self.whole else self.loads.space * self.accelerators
        return {"drives": math.inf if self.loads.drives < 1 else 0.0, "space": space}

    @property
    def whole(self) -> bool:
        """Whether each GPU node copies all of the data."""
        return self.local_copy == "whole"

    @property
    def nodes(self) -> int:
        """GPU nodes."""
        return compute_nodes(self.accelerators)

    @property
    def node_demand(self) -> float:
        """Data rate that a full GPU node asks for [B/s]."""
        return min(self.accelerators, int(k.IO_ACCELERATORS_PER_NODE)) * self.demand

    @property
    def node_rate(self) -> float:
        """Data rate of the drives in one GPU node, for files of this size [B/s]."""
        return drive_rate(self.file_size, self.local_drives)

    @property
    def node_space(self) -> float:
        """What the drives in one GPU node hold [B]."""
        return self.local_drives * k.LOCAL_DRIVE_CAPACITY

    @property
    def local_capacity(self) -> float:
        """Data that the drives of all GPU nodes hold, were they organized like this [B]."""
        return self.node_space * (1 if self.whole else self.nodes)

    @cached_property
    def copy(self) -> LocalCopy:
        """The copy from the file system onto the drives of all GPU nodes, each its part."""
        return self.copy_of(self.whole)

    def copy_of(self, whole: bool) -> LocalCopy:
        """The copy, did each GPU node get its share or all of the data."""
        return local_copy(
            self.data,
            self.nodes,
            self.shard_size if self.organization == "shards" else self.file_size,
            metadata_capacity=self.sustained,
            store_bandwidth=self.bandwidth,
            node_link=k.IO_NODE_LINK,
            drive_bandwidth=self.local_drives * k.LOCAL_DRIVE_WRITE,
            operations_per_file=self.operations_per_file,
            whole=whole,
        )

    @property
    def waiting(self) -> float:
        """GPU-hours for which the fleet waits for the copy [GPU-h]; none without one."""
        return self.accelerators * self.copy.time / k.HOUR if self.local else 0.0

    @property
    def sustained(self) -> float:
        """Operations that the metadata servers sustain [1/s]."""
        return metadata_capacity(self.metadata_servers, self.directory_spread, self.server_rate)

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
        """Request fees in 30 days of reading [$]; none without an object store."""
        return self.plan.cost_per_hour * MONTH / k.HOUR if self.from_objects else 0.0

    @property
    def hardware(self) -> float:
        """What storage nodes and metadata servers cost in 30 days [$], used or not, and local drives that are used."""
        drives = self.nodes * self.local_drives * k.LOCAL_DRIVE_PRICE if self.local else 0.0
        return self.storage_nodes * k.STORAGE_NODE_PRICE + self.metadata_servers * k.METADATA_SERVER_PRICE + drives

    @property
    def burst(self) -> CheckpointBurst:
        """What a checkpoint does to the reads that share its storage nodes."""
        let_through = 1.0 if self.apart else 1 / max(1.0, self.loads.metadata)
        return checkpoint_burst(
            self.parameters,
            self.interval,
            self.rate,
            self.bandwidth,
            self.write_share,
            let_through=let_through,
            write_speed=self.write_speed,
        )

    @property
    def crowd(self) -> list[float]:
        """Share of the time in which exactly 0, 1, … of the jobs write their checkpoints [1]."""
        return writing_shares(self.jobs, self.crowd_write / self.crowd_interval, self.phases)

    @property
    def capacity(self) -> float:
        """What all storage nodes hold [B]."""
        return self.storage_nodes * self.node_capacity

    @property
    def relocation(self) -> Relocation:
        """Moving the data against moving the job, at the flat egress price."""
        return move_or_not(
            self.dataset, self.link, self.egress_price, self.price_far, self.price_near, self.job_gpus, self.hours
        )

    @property
    def holds(self) -> bool:
        """Whether every limit is below saturation."""
        return self.loads.holds

    @property
    def good(self) -> bool | None:
        """True where every limit has room, None where queues build up, False where one is saturated."""
        return None if self.holds and getattr(self.loads, self.loads.queued) >= k.STORAGE_QUEUE_LOAD else self.holds


def _snapped(loads: Loads) -> Loads:
    """Loads of which one that differs from a limit by the rounding of floating point is that limit."""
    limits = (1.0, float(k.STORAGE_QUEUE_LOAD), float(k.STORAGE_CHALLENGE_LOAD))

    def one(load: float) -> float:
        return next((limit for limit in limits if math.isclose(load, limit, rel_tol=1e-9)), load)

    return type(loads)(**{name: one(load) for name, load in vars(loads).items()})
