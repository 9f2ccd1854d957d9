"""Placement of a job's GPUs: cost of scattering, worthwhile waits, policies, unusable GPUs."""

import heapq
import math
from typing import Literal

import numpy as np
import pandas as pd

from physics.arguments import (
    Count,
    Flag,
    NonNegative,
    Positive,
    Probabilities,
    Wholes,
    count,
    elementwise,
    within_range,
)
from physics.scheduling.workload import numbers, refuse, require
from physics.speedup import all_reduce_time

#: Pieces of a job: node and number of GPUs.
Pieces = tuple[tuple[int, int], ...]

__all__ = ["hierarchical_all_reduce_time", "place", "unusable", "worth_waiting"]

MOST_NODES = 1_000_000


@elementwise
def hierarchical_all_reduce_time(
    nodes: Count,
    per_node: Count,
    gradient_size: NonNegative,
    inside: Positive,
    between: Positive,
    latency_inside: NonNegative = 0.0,
    latency_between: NonNegative = 0.0,
) -> float:
    """Time of an all-reduce over m nodes of g GPUs, with a slower network between nodes [s].

    Args:
        nodes, per_node, gradient_size: m, g [1]; G, bytes that each GPU contributes [B].
        inside, between: B_in, B_out: bandwidth of each GPU's own link inside a node and between
            nodes, one way [B/s].
        latency_inside, latency_between: α_in, α_out: time to start one message [s].

    2 (g − 1)(α_in + G/(g B_in)) + 2 (m − 1)(α_out + G/(g m B_out)); 0 without a gradient.
    Reduce-scatter inside each node, g rings between nodes at the same time, each over the links of
    its own GPUs, and all-gather inside each node. With one node or one GPU a node it is
    `physics.speedup.all_reduce_time`. Additions are not counted.

    Source: Cho et al., "BlueConnect: Decomposing all-reduce for deep learning on heterogeneous
    network hierarchy", 2019; the ring as in Patarasuk and Yuan (2009).

    >>> # 14 GB on one GPU of each of eight nodes
    >>> round(hierarchical_all_reduce_time(8, 1, 14e9, 450e9, 25e9), 3)
    0.98
    """
    near = all_reduce_time(per_node, gradient_size, inside, latency_inside)
    return near + all_reduce_time(nodes, gradient_size / per_node, between, latency_between)


@elementwise
def worth_waiting(runtime: NonNegative, step_near: Positive, step_far: Positive) -> float:
    """Longest wait for a better placement that does not make the job end later [s].

    The alternative is to start scattered immediately. runtime · (step_far ÷ step_near − 1), and 0
    if scattered is not slower: `runtime` [s] and the time of a step `step_near` [s] are those of
    the better place. Only this job's end counts, not the GPUs that stay free meanwhile, and the
    wait for the better place is not known in practice.

    Source: Both ends set equal, wait + runtime = runtime · step_far ÷ step_near; the trade as in
    delay scheduling: Zaharia et al., "Delay scheduling", EuroSys 2010.

    >>> round(worth_waiting(12 * 3600, 1.0544, 1.98) / 3600, 1)  # hours
    10.5
    """
    return runtime * max(0.0, step_far - step_near) / step_near


@within_range
def place(
    stream: pd.DataFrame,
    nodes: int,
    gpus_per_node: Count = 8,
    rule: Literal["best", "worst", "first"] = "best",
    whole: Flag = True,
) -> pd.DataFrame:
    """Table of a stream of jobs served in order of arrival, each placed by a policy [s].

    Args:
        stream: A row a job: `arrival` [s], `gpus` [1], `runtime` [s], and if given `slowdown`, how
            many times longer it runs when scattered (1 by default, at least 1). Served by arrival,
            equal arrivals by row.
        nodes, gpus_per_node: The fleet; nodes are numbered from 0.
        rule: Of the nodes with enough free GPUs take the one with fewest free ("best"), with most
            free ("worst"), or the lowest number ("first"); ties go to the lowest number.
        whole: Whether a job of at most a node's size must have its GPUs on one node. If not, and no
            node has room, it starts on any free GPUs: from the nodes with fewest free first, lowest
            number on ties.

    Returns: The stream in its own order and index with `start`, `end` [s] and `nodes`, a tuple of
    (node, GPUs) sorted by node. A job larger than the fleet never starts (NaN, NaN, ()) and stands
    in nobody's way.

    First in, first out, without backfill. At one instant ends go before starts. A job larger than a
    node takes whole free nodes, lowest numbers first, and the rest of it goes to one node by the
    rule.

    Source: Best, worst and first fit as in Johnson et al., "Worst-case performance bounds for
    simple one-dimensional packing algorithms", 1974; whole nodes for a gang as in Jeon et al.,
    "Analysis of large-scale multi-tenant GPU clusters for DNN training workloads", USENIX ATC 2019.

    Two small jobs, then one that needs a whole node. Best fit keeps a node free for it, worst fit
    does not:

    >>> jobs = pd.DataFrame({"arrival": [0, 1, 2], "gpus": [2, 2, 8], "runtime": [10, 10, 10]})
    >>> place(jobs, nodes=2)["start"].tolist(), place(jobs, nodes=2, rule="worst")["start"].tolist()
    ([0.0, 1.0, 2.0], [0.0, 1.0, 10.0])
    """
    require("stream", stream, "arrival", "gpus", "runtime")
    arrival = numbers(stream, "arrival")
    gpus = numbers(stream, "gpus")
    runtime = numbers(stream, "runtime")
    slowdown = np.ones(len(stream))
    if "slowdown" in stream:
        slowdown = numbers(stream, "slowdown")
    is_bad = (gpus < 1) | (gpus != np.floor(gpus))
    refuse(stream, is_bad, "gpus must be a whole number of at least 1", gpus)
    refuse(stream, runtime <= 0, "runtime must be positive", runtime)
    refuse(stream, slowdown < 1, "slowdown must be at least 1", slowdown)
    free = [gpus_per_node] * count("nodes", nodes, most=MOST_NODES)
    capacity = gpus_per_node * len(free)
    idle = capacity
    running: list[tuple[float, int, Pieces]] = []
    clock = -math.inf
    start = np.full(len(gpus), math.nan)
    end = np.full(len(gpus), math.nan)
    nodes_by_row: list[Pieces] = [()] * len(gpus)
    for row in np.argsort(arrival, kind="stable").tolist():
        size = int(gpus[row])
        if size > capacity:
            continue
        clock = max(clock, float(arrival[row]))
        while True:
            while running and running[0][0] <= clock:
                for node, number in heapq.heappop(running)[2]:
                    free[node] += number
                    idle += number
            pieces = None
            stretch = 1.0
            if size <= idle:
                pieces = _gathered(free, size, gpus_per_node, rule)
                if pieces is None and not whole and size <= gpus_per_node:
                    pieces = _scattered(free, size)
                    stretch = float(slowdown[row])
            if pieces is not None:
                break
            clock = running[0][0]
        start[row] = clock
        end[row] = clock + float(runtime[row]) * stretch
        if not math.isfinite(end[row]):
            raise OverflowError
        nodes_by_row[row] = pieces
        for node, number in pieces:
            free[node] -= number
        idle -= size
        heapq.heappush(running, (float(end[row]), row, pieces))
    nodes_used = pd.Series(nodes_by_row, index=stream.index, dtype=object)
    return stream.assign(start=start, end=end, nodes=nodes_used)


@within_range
def unusable(free: Wholes, mix: Probabilities) -> float:
    """Mean number of free GPUs that a job drawn from a mix cannot use: fragmentation [GPUs].

    Σ_nodes Σ_jobs p · (free GPUs of the node if fewer than the job needs, else 0). `mix` maps the
    GPUs of a job, at most those of a node, to the probability that the next job is of that size
    [1].

    Source: Weng et al., "Beware of fragmentation: scheduling GPU-sharing workloads with
    fragmentation gradient descent", USENIX ATC 2023, the part on GPUs (their measure also knows
    CPUs and memory).

    >>> unusable([1, 4, 8], {1: 0.5, 8: 0.5})  # the jobs of eight cannot use 1 + 4
    2.5
    """
    chances = {count("gpus of the mix", size): chance for size, chance in mix.items()}
    return math.fsum(p * idle for idle in free for size, p in chances.items() if idle < size)


def _gathered(free: list[int], gpus: int, per_node: int, rule: str) -> Pieces | None:
    """Find empty nodes and one node for the remainder, or None if there are not enough."""
    full_nodes, remainder = divmod(gpus, per_node)
    empty = []
    if full_nodes:
        empty = [node for node, idle in enumerate(free) if idle == per_node][:full_nodes]
        if len(empty) < full_nodes:
            return None
    pieces = [(node, per_node) for node in empty]
    if remainder:
        node = _pick_node(free, remainder, set(empty), rule)
        if node is None:
            return None
        pieces.append((node, remainder))
    return tuple(sorted(pieces))


def _pick_node(free: list[int], gpus: int, barred: set[int], rule: str) -> int | None:
    """Return the node that a rule picks for some GPUs, or None if no node has room."""
    nodes = (node for node, idle in enumerate(free) if idle >= gpus and node not in barred)
    if rule == "first":
        return next(nodes, None)
    pick = min if rule == "best" else max  # the first of equals: the lowest number
    return pick(nodes, key=free.__getitem__, default=None)


def _scattered(free: list[int], gpus: int) -> Pieces:
    """Take GPUs wherever they are free, from the nodes with fewest free first."""
    pieces = []
    for node in sorted(range(len(free)), key=free.__getitem__):
        size = min(gpus, free[node])
        if size:
            pieces.append((node, size))
            gpus -= size
    return tuple(sorted(pieces))
