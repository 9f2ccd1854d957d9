"""Reading from drives inside the compute nodes: their loads, and the copy that has to be made before."""

from dataclasses import dataclass

from physics.constants import (
    IO_ACCELERATORS_PER_NODE,
    LOCAL_DRIVE_CAPACITY,
    LOCAL_DRIVE_READ,
    LOCAL_DRIVE_READS,
    LOCAL_DRIVES,
    OPERATIONS_PER_FILE,
)
from physics.numerics.arrays import elementwise
from physics.numerics.checks import count, finite, positive
from physics.storage.capacity import staging_time
from physics.storage.designs import Loads

__all__ = ["LocalCopy", "LocalLoads", "compute_nodes", "drive_rate", "local_copy", "local_loads"]


@dataclass(frozen=True)
class LocalLoads(Loads):
    """Demand over capacity of the drives inside one compute node; no storage node or metadata server is on the path.

    Reads queue before the drives, not before their space: data that fill it exactly still fit.
    """

    drives: float  #: data rate that a full node asks for over what its drives give [1]
    space: float  #: data that are to lie on a node over what its drives hold [1]

    @property
    def queued(self) -> str:
        """Name of the load before which reads queue."""
        return "drives"

    @property
    def holds(self) -> bool:
        """Whether the data fit and the drives keep up."""
        return self.drives < 1 and self.space <= 1


@dataclass(frozen=True)
class LocalCopy:
    """The copy from the shared store onto the drives of all nodes, made before the first read."""

    part: float  #: data that each node copies [B]
    files: float  #: files that all nodes together open for it [1]
    opening: float  #: time that the metadata servers need for these opens [s]
    carrying: float  #: time that the bytes need through store, link and drives, see `staging_time` [s]

    @property
    def time(self) -> float:
        """Time that the copy takes when it is as fast as its slowest part [s]."""
        return max(self.opening, self.carrying)


@elementwise
def compute_nodes(accelerators: int, accelerators_per_node: int = int(IO_ACCELERATORS_PER_NODE)) -> int:
    """Nodes of a fleet; a last one that is not full counts [1].

    >>> compute_nodes(4096), compute_nodes(9)
    (512, 2)
    """
    return -(-count("accelerators", accelerators) // count("accelerators_per_node", accelerators_per_node))


@elementwise
def drive_rate(
    read_size: float,
    drives: int = int(LOCAL_DRIVES),
    drive_bandwidth: float = LOCAL_DRIVE_READ,
    drive_reads: float = LOCAL_DRIVE_READS,
) -> float:
    """Data rate of the drives of one node, min(bandwidth, reads a second · size of a read) each [B/s].

    >>> drive_rate(4e6) / 1e9, drive_rate(4e3) / 1e9
    (26.0, 14.4)
    """
    most = min(
        positive("drive_bandwidth", drive_bandwidth),
        positive("read_size", read_size) * positive("drive_reads", drive_reads),
    )
    return positive("the rate of the drives", finite("the rate of the drives", count("drives", drives) * most))


@elementwise
def local_loads(
    accelerators: int,
    demand: float,
    size: float,
    read_size: float,
    *,
    drives: int = int(LOCAL_DRIVES),
    whole: bool = False,
    accelerators_per_node: int = int(IO_ACCELERATORS_PER_NODE),
    drive_bandwidth: float = LOCAL_DRIVE_READ,
    drive_reads: float = LOCAL_DRIVE_READS,
    drive_capacity: float = LOCAL_DRIVE_CAPACITY,
) -> LocalLoads:
    """Load of the drives inside each node when it reads its own copy and nothing else [1].

    Each node holds its share, size/nodes, and reads only that, or with `whole` all of the data. So bandwidth grows
    with the fleet; space does so only where each holds a share.

        drives = n · demand / (drives · min(bandwidth, reads · read_size))
        space = part / (drives · capacity),  part = size / nodes, or size

    with n accelerators in a full node. Where the data do not fit, a share 1/space of them lies on the drives, and as
    every sample is read equally often the same share of the reads finds them.

    Args:
        accelerators: Accelerators that read [1].
        demand: Data rate of one accelerator [B/s].
        size: Dataset [B].
        read_size: Size of one read [B].
        drives: Drives inside one node [1].
        whole: Whether every node holds all of the data.
        accelerators_per_node: Accelerators of a full node [1].
        drive_bandwidth, drive_reads, drive_capacity: What one drive reads [B/s], how many small reads it answers [1/s],
            and what it holds [B].

    Source: The bottleneck bound of Denning and Buzen, "The Operational Analysis of Queueing Network Models" (1978).

    >>> loads = local_loads(4096, 80e6, 400e12, 4e6)
    >>> round(loads.drives, 4), round(loads.space, 4)
    (0.0246, 0.0254)
    >>> round(local_loads(4096, 80e6, 400e12, 4e6, whole=True).space, 2)
    13.02
    """
    nodes = compute_nodes(accelerators, accelerators_per_node)
    full = min(count("accelerators", accelerators), accelerators_per_node)
    asked = finite("the rate that a node asks for", full * positive("demand", demand))
    part = positive("size", size) / (1 if whole else nodes)
    held = count("drives", drives) * positive("drive_capacity", drive_capacity)
    rate = drive_rate(read_size, drives, drive_bandwidth, drive_reads)
    return LocalLoads(finite("the load of the drives", asked / rate), finite("the load of their space", part / held))


@elementwise
def local_copy(
    size: float,
    nodes: int,
    file_size: float,
    *,
    metadata_capacity: float,
    store_bandwidth: float,
    node_link: float,
    drive_bandwidth: float,
    operations_per_file: float = OPERATIONS_PER_FILE,
    whole: bool = False,
) -> LocalCopy:
    """Time to copy a dataset of files onto the drives of all compute nodes at once, each file opened once per copy [s].

        opening = nodes · part / file_size · operations / metadata capacity,  carrying as in `staging_time`

    Opens and bytes overlap, so the copy takes as long as the slower of the two. No node passes data on to another.

    Args:
        size, file_size: Dataset, and one of its files [B].
        nodes: Compute nodes [1].
        metadata_capacity: Operations that the metadata servers sustain [1/s].
        store_bandwidth, node_link, drive_bandwidth, whole: As in `staging_time`.
        operations_per_file: Metadata operations for each file [1].

    400 TB in files of 4 MB onto 512 nodes: the metadata servers take twenty times as long as the bytes

    >>> copy = local_copy(400e12, 512, 4e6, metadata_capacity=5e4, store_bandwidth=1344e9, node_link=25e9,
    ...                   drive_bandwidth=16e9)
    >>> round(copy.opening), round(copy.carrying), copy.time == copy.opening
    (6000, 298, True)
    """
    many = count("nodes", nodes)
    part = positive("size", size) / (1 if whole else many)
    files = finite("files to copy", many * part / positive("file_size", file_size))
    operations = files * positive("operations_per_file", operations_per_file)
    opening = finite("the time to open", operations / positive("metadata_capacity", metadata_capacity))
    carrying = staging_time(size, many, store_bandwidth, node_link, drive_bandwidth, whole=whole)
    return LocalCopy(part, files, opening, carrying)
