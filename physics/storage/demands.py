"""Demands of a fleet on a file system, an object store, and a link, and growth of data.

Arguments: `accelerators`, N, those that read [1]; `demand`, d, data rate of one [B/s].

Source of metadata operations: Lustre Software Release 2.x Operations Manual, sections 1.2 and 1.3
(a client asks the metadata server for every open and close, and reads the bytes from the object
storage servers without it), table 1.1, and the sections on the distributed namespace (DNE). Its
capacity is the formula of Amdahl (1967).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    Count,
    Finite,
    NonNegative,
    Positive,
    Share,
    elementwise,
    finite,
    non_negative,
    positive,
    within_range,
)

#: Published egress tiers: (size of the tier [B], price [$/B]); the last one has no end.
EGRESS_TIERS = (
    (c.EGRESS_TIER_1, c.EGRESS_PRICE_1),
    (c.EGRESS_TIER_2, c.EGRESS_PRICE_2),
    (c.EGRESS_TIER_3, c.EGRESS_PRICE_3),
    (math.inf, c.EGRESS_PRICE_4),
)


@dataclass(frozen=True)
class ObjectStorePlan:
    """Requirements for an object store that feeds a fleet, and the cost of its requests."""

    requests_per_second: float  #: X, GETs of the whole fleet [1/s]
    prefixes: int  #: fewest prefixes that carry them when keys are spread evenly [1]
    #: N, GETs that one accelerator must keep in flight, on average [1]
    connections_per_accelerator: float
    first_byte: float  #: L, time from a GET to its first byte [s]
    request_time: float  #: R, time from a GET to its last byte [s]
    cost_per_hour: float  #: request fees; storing the data costs extra [$/h]


@dataclass(frozen=True)
class Relocation:
    """Options for moving the data or the job, and the run length at which they cost the same."""

    #: run length beyond which moving the data is cheaper; infinite when it never is [h]
    break_even_hours: float
    cost_moving_data: float  #: egress, and the run far from where the data was [$]
    cost_moving_job: float  #: the run next to the data; nothing is moved [$]
    transfer_cost: float  #: egress alone [$]
    transfer_time: float  #: time on the link, a delay before the run starts [s]


@elementwise
def metadata_rate(
    accelerators: int,
    demand: float,
    file_size: Positive,
    operations_per_file: Positive = c.OPERATIONS_PER_FILE,
) -> Finite:
    """Metadata operations for reading whole files, N d m / s [1/s].

    To compare with `metadata_capacity`.

    Args:
        file_size: s, mean size of a file, or of a shard that is read from end to end [B].
        operations_per_file: m; open, stat and close make 3 [1].

    >>> round(metadata_rate(4096, 80e6, 4e6))
    245760
    """
    return data_rate(accelerators, demand) / file_size * operations_per_file


@elementwise
def metadata_capacity(
    servers: Count, spread: Share = 1.0, server_rate: Positive = c.METADATA_SERVER_RATE
) -> Finite:
    """Metadata operations that n servers sustain before the busiest one is full [1/s].

    With the rate μ of each server, μ / ((1 − φ) + φ / n): the share φ, `spread`, of the operations
    falls evenly on all servers and the rest, in directories of one server, on the first one.

    >>> metadata_capacity(5), metadata_capacity(5, spread=0)
    (250000.0, 50000.0)
    """
    return server_rate / ((1 - spread) + spread / servers)


@elementwise
def object_store_plan(
    accelerators: int,
    demand: float,
    request_size: Positive,
    *,
    first_byte: NonNegative = c.OBJECT_FIRST_BYTE,
    connection_bandwidth: Positive = c.OBJECT_CONNECTION_BANDWIDTH,
    requests_per_prefix: Positive = c.OBJECT_PREFIX_RATE,
    price_per_request: NonNegative = c.OBJECT_GET_PRICE,
) -> ObjectStorePlan:
    """Requests [1/s], prefixes, and connections [1] that feed a fleet, and the fees [$/h].

    One GET of s, `request_size`, [B] takes R = L + s/β, with L the time to the first byte [s] and β
    the data rate of a connection once bytes flow [B/s]. By Little's law N = X·R = d (L / s + 1 / β)
    are in flight for each accelerator, with X = d/s GETs a second. A prefix carries, at least,
    `requests_per_prefix` [1/s] once the store has adapted.

    Source: Amazon S3 User Guide, Best practices design patterns: optimizing Amazon S3 performance;
    Little, A proof for the queuing formula L = λW, 1961.

    >>> plan = object_store_plan(4096, 80e6, 62.5e3)
    >>> plan.prefixes, round(plan.connections_per_accelerator)
    (954, 193)
    """
    request_time = first_byte + request_size / connection_bandwidth
    total = finite("requests_per_second", data_rate(accelerators, demand) / request_size)
    return ObjectStorePlan(
        requests_per_second=total,
        prefixes=max(1, math.ceil(total / requests_per_prefix)),
        connections_per_accelerator=finite(
            "connections_per_accelerator", demand / request_size * request_time
        ),
        first_byte=first_byte,
        request_time=finite("request_time", request_time),
        cost_per_hour=finite("cost_per_hour", total * c.HOUR * price_per_request),
    )


@elementwise
def checkpoint_write(
    parameters: Positive,
    bandwidth: Positive,
    bytes_per_parameter: Positive = c.STORAGE_CHECKPOINT_BYTES,
) -> Finite:
    """Time to write the state of a model of P parameters at a bandwidth B, P b / B [s].

    For each parameter b bytes are kept: 2-byte weights, their 4-byte master copy, and Adam's two
    4-byte moments make 14; gradients are not kept. Every writer is assumed to finish at the same
    moment.

    Source: Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter
    Models, 2020, section 3.1.

    >>> round(checkpoint_write(175e9, 35e9), 9)
    70.0
    """
    return parameters * bytes_per_parameter / bandwidth


@within_range
def egress_cost(
    size: Positive, price: float | Sequence[tuple[float, float]] = EGRESS_TIERS
) -> Finite:
    """Price of moving data out of a cloud one time [$].

    Args:
        size: Data moved [B].
        price: A flat price [$/B], or tiers as (size of the tier [B], price within it [$/B]) in
            order. Each byte costs what its own tier says; bytes beyond the last tier cost what the
            last tier says.

    Source: Amazon EC2 on-demand pricing, data transfer; tiers of 10,240, 40,960 and 102,400 GB.

    >>> round(egress_cost(100e12)), round(egress_cost(100e12, 0.09e-9))
    (7819, 9000)
    """
    if not isinstance(price, Sequence) or isinstance(price, str):
        return size * non_negative("egress_price", price)
    if not price:
        raise ValueError("egress_price must have at least one tier, got none")
    remaining = size
    total = 0.0
    tier_price = 0.0
    for tier in price:
        if not isinstance(tier, Sequence) or isinstance(tier, str) or len(tier) != 2:
            raise ValueError(
                f"egress_price must be a number or tiers of (size, price), got a tier of {tier!r}"
            )
        tier_size, tier_price = tier
        tier_price = non_negative("price of a tier", tier_price)
        if tier_size != math.inf:
            tier_size = positive("size of a tier", tier_size)
        in_tier = min(remaining, tier_size)
        total += in_tier * tier_price
        remaining -= in_tier
    return total + remaining * tier_price


@elementwise
def move_or_not(
    size: float,
    bandwidth: Positive,
    egress_price: float | Sequence[tuple[float, float]],
    price_far: NonNegative,
    price_near: NonNegative,
    accelerators: Count,
    hours: Positive,
) -> Relocation:
    """Costs of moving the data or the job [$], and the run length at which they are equal [h].

    Moving the data costs egress + price_far N h, moving the job price_near N h: N accelerators run
    for h hours, at a price for each away from the data and next to it [$/h]. Both are equal after
    egress ÷ (N (price_near − price_far)) hours: infinite when the far place is not cheaper, 0 when
    moving is free and it is. The transfer over the `bandwidth` between the two places [B/s] is a
    delay and not a cost. `egress_price` is that of `egress_cost`.

    >>> choice = move_or_not(
    ...     100e12, 12.5e9, 0.09e-9, price_far=2.5, price_near=3.5, accelerators=512, hours=24)
    >>> round(choice.cost_moving_job), round(choice.cost_moving_data)
    (43008, 39720)
    >>> round(choice.break_even_hours, 1)
    17.6
    """
    transfer = egress_cost(size, egress_price)
    run = accelerators * hours
    saved_hourly = (price_near - price_far) * accelerators
    return Relocation(
        break_even_hours=transfer / saved_hourly if saved_hourly > 0 else math.inf,
        cost_moving_data=finite("cost_moving_data", transfer + price_far * run),
        cost_moving_job=finite("cost_moving_job", price_near * run),
        transfer_cost=transfer,
        transfer_time=finite("transfer_time", size / bandwidth),
    )


@elementwise
def node_local_bandwidth(
    accelerators: Count,
    accelerators_per_node: Count = 8,
    node_bandwidth: Positive = c.STORAGE_NODE_BANDWIDTH,
) -> Finite:
    """Total bandwidth of the drives inside the compute nodes, which grows with the fleet [B/s].

    >>> node_local_bandwidth(4096) / 1e9
    14336.0
    """
    return math.ceil(accelerators / accelerators_per_node) * node_bandwidth


@elementwise
def data_rate(accelerators: Count, demand: Positive) -> Finite:
    """Data rate of a whole fleet, accelerators · demand [B/s].

    >>> data_rate(4096, 80e6) / 1e9
    327.68
    """
    return accelerators * demand


@elementwise
def grown(size: Positive, growth: NonNegative, years: NonNegative) -> Finite:
    """Size of data that grows by the same rate every year: size · (1 + growth)^years [B].

    >>> round(grown(400e12, 0.40, 3) / 1e12)
    1098
    """
    return size * (1 + growth) ** years


@elementwise
def full_after(size: Positive, capacity: Positive, growth: NonNegative) -> float:
    """Years until growing data fill a store: ln(capacity/size) / ln(1 + growth).

    The result is 0 if full now, infinite if never.

    >>> round(full_after(400e12, 1152e12, 0.5), 2), full_after(1.0, 2.0, 0.0)
    (2.61, inf)
    """
    room = math.log(capacity) - math.log(size)
    rate = math.log1p(growth)
    if room <= 0:
        return 0.0
    if rate > 0:
        return room / rate
    return math.inf


@within_range
def tandem(first_load: NonNegative, second_load: NonNegative, reads: Count) -> pd.DataFrame:
    """Table of reads through two stages, each behind a queue [time between reads].

    Reads are evenly spaced, at most 100,000. A load ρ₁, ρ₂ is what is asked of a stage over what it
    can do, which is its time for one read over the time from one read to the next [1]. Each row is
    a read: `asked`, `opens`, `opened` (begin and end at the first stage), `sends`, `sent` (at the
    second one). A read begins at a stage when it has come there and the one before it has left:
    b(i) = max(a(i), e(i − 1)), e(i) = b(i) + ρ. The servers of a stage are drawn as one of their
    joint rate.

    Source: D. V. Lindley, "The theory of queues with a single server", 1952, for the recursion.

    >>> tandem(2.0, 0.5, 3)["sent"].tolist()
    [2.5, 4.5, 6.5]
    """
    if reads > 100_000:
        raise ValueError(f"reads must be at most 100,000, got {reads}")
    table = pd.DataFrame({"asked": np.arange(reads, dtype=float)})
    table["opens"], table["opened"] = _stage(table["asked"].to_numpy(), first_load)
    table["sends"], table["sent"] = _stage(table["opened"].to_numpy(), second_load)
    return table


def _stage(arrivals: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Start and end of each read at one server, in the order of their arrivals."""
    steps = time * np.arange(len(arrivals))
    starts = np.maximum.accumulate(arrivals - steps) + steps
    starts = np.maximum(starts, arrivals)  # against rounding
    return starts, starts + time
