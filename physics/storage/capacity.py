"""When a growing dataset fills a store, and how long copying it onto the drives of the compute nodes takes."""

import math

from physics.numerics.arrays import elementwise
from physics.numerics.checks import count, finite, non_negative, positive

__all__ = ["full_after", "grown", "staging_time"]


@elementwise
def grown(size: float, growth: float, years: float) -> float:
    """Size of data that grows by the same rate every year: size · (1 + growth)^years [B].

    >>> round(grown(400e12, 0.40, 3) / 1e12)
    1098
    """
    years = non_negative("years", years)
    log = math.log(positive("size", size)) + years * math.log1p(non_negative("growth", growth))
    if log > 709:
        raise ValueError(f"size · (1 + growth)^years must stay below 1.8e308, got {years:g} years")
    return finite("size · (1 + growth)^years", size * (1 + growth) ** years)


@elementwise
def full_after(size: float, capacity: float, growth: float) -> float:
    """Years until growing data fill a store: ln(capacity/size) / ln(1 + growth); 0 if full now, infinite if never.

    >>> round(full_after(400e12, 1152e12, 0.5), 2), full_after(1.0, 2.0, 0.0)
    (2.61, inf)
    """
    room = math.log(positive("capacity", capacity)) - math.log(positive("size", size))
    rate = math.log1p(non_negative("growth", growth))
    if room <= 0:
        return 0.0
    return room / rate if rate > 0 else math.inf


@elementwise
def staging_time(
    size: float, nodes: int, store_bandwidth: float, node_link: float, drive_bandwidth: float, *, whole: bool = False
) -> float:
    """Time to copy a dataset from the store onto the drives of all compute nodes at once [s].

    Each node copies its share, size/nodes, or with `whole` all of it. The slowest of three sets the pace: the store,
    which all nodes share, a node's link, and its drives.

        time = max(total/store_bandwidth, part/node_link, part/drive_bandwidth),  total = nodes · part

    Args:
        size: Dataset [B].
        nodes: Compute nodes [1].
        store_bandwidth, node_link, drive_bandwidth: Reads of the whole store, one node's link, and writes of one node's
            drives [B/s].
        whole: Whether every node gets a copy of its own.

    Source: The bottleneck bound of Denning and Buzen, "The Operational Analysis of Queueing Network Models" (1978).

    400 TB over 512 nodes, through 1,344 GB/s of storage nodes: the store is what it waits for

    >>> round(staging_time(400e12, 512, 1344e9, 25e9, 15e9))
    298
    """
    many = count("nodes", nodes)
    part = positive("size", size) / (1 if whole else many)
    shared = positive("store_bandwidth", store_bandwidth) / many
    rate = min(shared, positive("node_link", node_link), positive("drive_bandwidth", drive_bandwidth))
    return finite("the time to copy", part / positive("the rate of one node", rate))
