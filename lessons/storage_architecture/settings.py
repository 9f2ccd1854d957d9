"""Storage architecture: a storage design, its fleet, and the results."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from physics import constants as k
from physics.checkpointing.spares import writing_shares
from physics.storage import ObjectStorePlan, Relocation, egress_cost, move_or_not, object_store_plan
from physics.storage.demands import full_after, grown
from physics.storage.designs import (
    CheckpointBurst,
    LocalCopy,
    LocalLoads,
    StorageLoads,
    checkpoint_burst,
    compute_nodes,
    local_copy,
    local_loads,
    storage_loads,
)
from physics.storage.readers import ReaderQueue, reader_queue
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Positions of the knobs that span powers of ten, in the widget's unit.
SIZE_MB = (0.004, 0.016, 0.0625, *(2.0**power for power in range(-3, 9)), 1000.0)
PARAMETERS_BILLION = (1.0, 7.0, 13.0, 34.0, 70.0, 175.0, 405.0, 1000.0)
DATASET_TB = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
FILES_MILLION = (1.0, 10.0, 100.0, 1000.0, 10000.0)
#: Load from which queues build up.
QUEUES = float(k.STORAGE_QUEUE_LOAD)


@dataclass(frozen=True)
class Design:
    """Storage design with its fleet; SI, prices in dollars."""

    page: ClassVar[str] = "storage_architecture"

    accelerators: int = knob(k.STORAGE_FLEET)
    file_size: float = knob(k.STORAGE_FILE_SIZE, unit=k.MB, positions=SIZE_MB, spoken=f.data)
    metadata_servers: int = knob(k.METADATA_SERVERS, spoken="metadata server")
    storage_nodes: int = knob(k.STORAGE_NODES, spoken="storage node")
    files: float = knob(k.STORAGE_FILES, unit=1e6, positions=FILES_MILLION)
    request_size: float = knob(k.STORAGE_REQUEST_SIZE, unit=k.MB, positions=SIZE_MB, spoken=f.data)
    prefixes: int = knob(k.OBJECT_PREFIXES, typed=True)
    connections: int = int(k.OBJECT_CONNECTIONS)
    data: float = knob(k.STORAGE_DATA, unit=k.TB)
    local_drives: int = knob(k.LOCAL_DRIVES)
    local_copy: str = choice(("share", "whole"))
    parameters: float = knob(
        k.STORAGE_CHECKPOINT_PARAMETERS, unit=1e9, positions=PARAMETERS_BILLION
    )
    interval: float = knob(k.STORAGE_CHECKPOINT_INTERVAL, unit=k.MINUTE)
    jobs: int = knob(k.STORAGE_CROWD_JOBS)
    phases: str = choice(("random", "aligned", "staggered"))
    reserved: int = knob(k.STORAGE_CROWD_RESERVED)
    growth: float = knob(k.STORAGE_GROWTH, unit=0.01)
    dataset: float = knob(k.DATASET_SIZE, unit=k.TB, positions=DATASET_TB)
    price_far: float = knob(k.GPU_HOUR_FAR, format="%.2f")
    hours: float = knob(k.RELOCATION_HOURS)

    @property
    def rate(self) -> float:
        """Data rate of the whole fleet [B/s]."""
        return self.accelerators * k.STORAGE_DEMAND

    @property
    def bandwidth(self) -> float:
        """Bandwidth of all storage nodes [B/s]."""
        return self.storage_nodes * k.STORAGE_NODE_BANDWIDTH

    @property
    def files_each(self) -> float:
        """Files that one GPU opens per second [1/s]."""
        return k.STORAGE_DEMAND / self.file_size

    @property
    def operations(self) -> float:
        """Metadata operations of the whole fleet per second [1/s]."""
        return self.accelerators * self.files_each * k.OPERATIONS_PER_FILE

    @property
    def sustained(self) -> float:
        """Operations per second that the metadata servers sustain, evenly spread [1/s]."""
        return self.metadata_servers * k.METADATA_SERVER_RATE

    @cached_property
    def loads(self) -> StorageLoads:
        """Load of the storage nodes and of the metadata servers [1]."""
        return storage_loads(
            self.accelerators,
            k.STORAGE_DEMAND,
            self.file_size,
            metadata_servers=self.metadata_servers,
            storage_nodes=self.storage_nodes,
        )

    @property
    def open_time(self) -> float:
        """Time that one metadata server needs to open, check and close a file [s]."""
        return k.OPERATIONS_PER_FILE / k.METADATA_SERVER_RATE

    @cached_property
    def readers(self) -> ReaderQueue:
        """Queue of GPUs, each with one request at a time, at the metadata servers."""
        read_time = self.file_size / k.STORAGE_DEMAND
        if self.loads.bandwidth > max(1.0, self.loads.metadata):
            read_time *= self.loads.bandwidth
        return reader_queue(self.accelerators, read_time, self.open_time, self.metadata_servers)

    @property
    def opening(self) -> float:
        """Mean time from the request of a file until it is open [s]."""
        return self.readers.wait + self.open_time

    @property
    def lost(self) -> float:
        """Share of reading that the GPUs lose to opens, if the storage nodes have capacity [1]."""
        return 1 - self.readers.pace

    @property
    def rush(self) -> float:
        """Time until the last file is open if all GPUs request one at the same moment [s]."""
        return self.accelerators * self.open_time / self.metadata_servers

    @property
    def at_nodes(self) -> float:
        """Mean number of GPUs waiting for bytes, if the storage nodes are the bottleneck [1]."""
        load = self.loads.bandwidth
        if load <= max(1.0, self.loads.metadata):
            return 0.0
        return self.accelerators * (1 - 1 / load)

    @property
    def nodes_busy(self) -> float:
        """Busy share of the storage nodes, limited by the opens [1]."""
        return self.loads.bandwidth * self.loads.achieved

    @property
    def servers_calm(self) -> int:
        """Fewest metadata servers whose load is too low for queues to build up [1]."""
        return math.floor(self.servers_worth / QUEUES) + 1

    @property
    def bytes_full(self) -> float:
        """Fleet size at which the storage nodes are saturated [GPUs]."""
        return self.bandwidth / k.STORAGE_DEMAND

    @property
    def opens_full(self) -> float:
        """Fleet size at which the metadata servers are saturated [GPUs]."""
        return self.accelerators * self.sustained / self.operations

    @property
    def servers_worth(self) -> float:
        """Number of metadata servers that the operations would keep fully busy [1]."""
        return self.operations / k.METADATA_SERVER_RATE

    @property
    def servers_needed(self) -> int:
        """Fewest metadata servers that sustain the operations [1]."""
        return math.floor(self.servers_worth) + 1

    @property
    def cost(self) -> float:
        """Cost of storage nodes and metadata servers for 30 days [$]."""
        return (
            self.storage_nodes * k.STORAGE_NODE_PRICE
            + self.metadata_servers * k.METADATA_SERVER_PRICE
        )

    @cached_property
    def plan(self) -> ObjectStorePlan:
        """Object store that would feed the fleet, and its fees."""
        return object_store_plan(self.accelerators, k.STORAGE_DEMAND, self.request_size)

    @cached_property
    def objects(self) -> StorageLoads:
        """Load of the object store's prefixes and of each GPU's connections [1]."""
        return storage_loads(
            self.accelerators,
            k.STORAGE_DEMAND,
            self.request_size,
            "objects",
            prefixes=self.prefixes,
            connections=self.connections,
        )

    @property
    def fees(self) -> float:
        """Request fees for 30 days of reading [$]."""
        return self.plan.cost_per_hour * 30 * k.DAY / k.HOUR

    @property
    def nodes(self) -> int:
        """Number of GPU nodes."""
        return compute_nodes(self.accelerators)

    @cached_property
    def local(self) -> LocalLoads:
        """Loads of one GPU node's drives: data rate and space [1]."""
        return local_loads(
            self.accelerators,
            k.STORAGE_DEMAND,
            self.data,
            self.file_size,
            drives=self.local_drives,
            whole=self.local_copy == "whole",
        )

    @property
    def node_space(self) -> float:
        """Capacity of the drives in one GPU node [B]."""
        return self.local_drives * k.LOCAL_DRIVE_CAPACITY

    @cached_property
    def copy(self) -> LocalCopy:
        """The copy onto the drives of all GPU nodes before the first read."""
        return local_copy(
            self.data,
            self.nodes,
            self.file_size,
            metadata_capacity=self.sustained,
            store_bandwidth=self.bandwidth,
            node_link=k.IO_NODE_LINK,
            drive_bandwidth=self.local_drives * k.LOCAL_DRIVE_WRITE,
            whole=self.local_copy == "whole",
        )

    @property
    def waiting(self) -> float:
        """Cost of the GPUs while they wait for the copy [$]."""
        return self.accelerators * self.copy.time / k.HOUR * k.GPU_HOUR_NEAR

    @property
    def checkpoint(self) -> float:
        """Size of one checkpoint [B]."""
        return self.parameters * k.STORAGE_CHECKPOINT_BYTES

    @cached_property
    def burst(self) -> CheckpointBurst:
        """Effect of a checkpoint on the reads that share its storage nodes."""
        return checkpoint_burst(
            self.parameters, self.interval, self.rate, self.bandwidth, k.STORAGE_CHECKPOINT_SHARE
        )

    @property
    def left(self) -> float:
        """Bandwidth that a checkpoint leaves for the reads [B/s]."""
        return (1 - k.STORAGE_CHECKPOINT_SHARE) * self.bandwidth

    @cached_property
    def crowd(self) -> list[float]:
        """Share of the time in which exactly 0, 1, … of the jobs write their checkpoints [1]."""
        return writing_shares(self.jobs, k.STORAGE_CROWD_WRITE / self.interval, self.phases)

    @property
    def crowd_mean(self) -> float:
        """Mean number of jobs that write at the same time [1]."""
        return self.jobs * k.STORAGE_CROWD_WRITE / self.interval

    @property
    def crowd_over(self) -> float:
        """Share of time in which more jobs write than have reserved bandwidth [1]."""
        return min(1.0, sum(self.crowd[self.reserved + 1 :]))

    @property
    def crowd_most(self) -> int:
        """Most jobs that write at the same time, ignoring very rare cases [1]."""
        return max(number for number, share in enumerate(self.crowd) if share >= 5e-4)

    @property
    def capacity(self) -> float:
        """Capacity of all storage nodes [B]."""
        return self.storage_nodes * k.STORAGE_NODE_CAPACITY

    @property
    def full_after(self) -> float:
        """Years until the storage is full: 0 if it is full now, infinite if it never is."""
        return full_after(self.data, self.capacity, self.growth)

    @property
    def then(self) -> float:
        """Size of the data at the end of the planned years [B]."""
        return grown(self.data, self.growth, float(k.STORAGE_YEARS))

    @cached_property
    def move(self) -> Relocation:
        """Comparison of moving the data and moving the job, at the flat egress price."""
        return move_or_not(
            self.dataset,
            k.WAN_BANDWIDTH,
            k.EGRESS_PRICE_1,
            self.price_far,
            k.GPU_HOUR_NEAR,
            int(k.RELOCATION_GPUS),
            self.hours,
        )

    @property
    def tiers_cost(self) -> float:
        """Cost of moving the data at the published price tiers [$]."""
        return egress_cost(self.dataset)


def load_words(load: float) -> str:
    """Write a load as a percentage of the capacity, even far above 100%.

    >>> load_words(0.244), load_words(4.9152), load_words(314.6)
    ('24.4%', '492%', '31,500%')
    """
    if load < 10:
        return f.share(load)
    return f"{f.rounded(100 * load, 3)}%"


def room(load: float) -> str:
    """Return "True" if a limit has slack, "None" if queues build up, and "False" if it is full.

    >>> room(0.7), room(0.9), room(1.0)
    ('True', 'None', 'False')
    """
    if QUEUES <= load < 1:
        return "None"
    return str(load < 1)


def drafted(design: Design, answer: str, right: bool) -> dict[str, object]:
    """Return part 2 of draft lab 04's ledger, with its keys; it has no second answer."""
    del answer, right
    if design.file_size <= k.STORAGE_FILE_SIZE:
        kind = "individual_files"
    else:
        kind = "sequential_shards"
    full = design.loads.metadata > 1
    return {
        "storage_type": kind,
        "gpu_count": design.accelerators,
        "act2_result": design.operations / 1000,
        "act2_decision": kind,
        "constraint_hit": full,
        "mds_saturated": full,
    }


say = Sentences(
    Design,
    formats={
        "load": load_words,
        "room": room,
        "gpus": lambda fleet: f.count(math.ceil(fleet), "GPU"),
        "gb": lambda rate: f"{f.significant(rate / k.GB)} GB/s",
        "tb": lambda size: f"{f.significant(size / k.TB, 4)} TB",
        "million": lambda files: f"{files / 1e6:,.0f} million",
        "dollars": lambda cost: f.money(float(f"{cost:.3g}")),
        "run": lambda hours: f.duration(hours * k.HOUR),
        "over": lambda hours: (
            "never" if math.isinf(hours) else f"for runs over {f.duration(hours * k.HOUR)}"
        ),
    },
)
