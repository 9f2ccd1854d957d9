"""Steady state of a shared fleet whose jobs read while they compute: hours, bottleneck, and cost.

Five models in one: a line of waiting jobs, its order, the input pipeline, metadata and storage
nodes, and a resource that many share. Slow reading makes jobs longer, longer jobs fill the fleet,
and a full fleet makes the line.

Each of n running jobs proceeds at AU(n), the utilization that `input_pipeline` gives n g
accelerators, with batches, samples, and latency of the lesson I/O bottleneck: min(1, what the
loader workers reach, K / n), K being the jobs that the store feeds at full speed. So jobs leave at
n AU(n) / T while n ≤ c run, and at c AU(c) / T = μ, the most, while others wait: a birth-death
chain with a geometric tail.

Assumptions: Poisson arrivals; jobs that differ only in their work; a store that shares evenly and
has a hard limit, no queue of readers below it. Exact mean value analysis of the readers at the
metadata servers makes AU up to 5.7% lower, most where these are just full. Exact for exponential
work; for SCV 0 and 4 simulated totals differ by −1.1 to +7.8%, which is the Allen–Cunneen factor's
own error: the same where the store never limits. It is then `mgc` with a service time of T / AU.

Source: Kleinrock, L., *Queueing Systems*, vol. 1, 1975, sections 3.1 and 3.2 (birth-death chains);
Cobham, A., *Priority assignment in waiting line problems*, 1954; Allen, A. O., 1990, see
`physics.queueing.mgc`; `input_pipeline`, `metadata_rate`, and `metadata_capacity` for the stages.
"""

import math
from dataclasses import dataclass

import numpy as np

from physics import constants as c
from physics.arguments import Count, Finite, NonNegative, Positive, Share, elementwise
from physics.dataloading import (
    COMPUTE,
    IOPS,
    NODE_LINK,
    STORAGE,
    WORKERS,
    InputPipeline,
    input_pipeline,
)
from physics.storage import metadata_capacity, metadata_rate

#: What limits the jobs that can leave, by the stage of the input pipeline that is the slowest.
BINDING = {
    COMPUTE: "places",
    WORKERS: "loader workers",
    NODE_LINK: "node links",
    STORAGE: "storage nodes",
    IOPS: "metadata servers",
}
MOST_PLACES = 1_000_000  # jobs at once; the chain has a state for each
_FULL = 1 - 1e-12  # a load that is 1 but for rounding has no steady state


@dataclass(frozen=True)
class Fleet:
    """Steady state of a fleet that reads while it computes.

    Times are infinite without a steady state.
    """

    stable: bool  #: whether fewer jobs arrive than can leave
    servers: int  #: c, jobs that fit at once [1]
    fed: float  #: K, jobs that the store feeds at full speed [1]
    speed_alone: float  #: AU(1), speed of a job that has the store to itself [1]
    speed_full: float  #: AU(c), speed of each job when all places are taken [1]
    #: AU, share of a running job's time in which it computes, the mean over jobs [1]
    utilization: float
    run_time: float  #: S, mean time from start to end: computing and waiting for data [s]
    occupied: float  #: share of all GPUs that jobs occupy [1]
    useful: float  #: share of all GPUs that compute [1]
    prob_wait: float  #: share of the jobs that find no place free [1]
    wait: float  #: Wq, mean time in line over all jobs [s]
    total: float  #: W, mean time from submission to result [s]
    wait_urgent: float  #: mean time in line of urgent jobs if they go first [s]
    wait_others: float  #: mean time in line of the others if urgent jobs go first [s]
    load: float  #: arrivals ÷ the most jobs that can leave; no steady state from 1 on [1]
    load_metadata: float  #: metadata operations that arrivals ask for ÷ capacity [1]
    load_nodes: float  #: data rate that arrivals ask for ÷ the storage nodes' bandwidth [1]
    opens: float  #: files that arrivals ask for per second [1/s]
    data_rate: float  #: data that arrivals ask for per second [B/s]
    binding: str  #: a name in `BINDING`: what limits the jobs that can leave
    growth: float  #: jobs per second by which the line grows; 0 in a steady state [1/s]
    cost: float  #: cost in 30 days, as `fleet_cost` says [$]
    cost_per_job: float  #: cost ÷ jobs that end in 30 days [$]

    @property
    def reading(self) -> float:
        """Mean time that a running job waits for data [s], with rounding noise removed."""
        waiting = 1 - self.utilization
        if waiting < 1e-12:
            return 0.0
        return self.run_time * waiting


@elementwise
def fleet_cost(
    gpus: Count, workers: Count, metadata_servers: Count, storage_nodes: Count
) -> Finite:
    """Cost of a fleet for 30 days, busy or not [$].

    Each of the `workers` of each GPU takes a CPU core, `CPU_CORE_HOUR`; the other prices are those
    of the storage models: `GPU_HOUR_NEAR`, `METADATA_SERVER_PRICE`, `STORAGE_NODE_PRICE`.

    >>> round(fleet_cost(1024, workers=1, metadata_servers=7, storage_nodes=2))
    2635344
    """
    hours = c.HOURS_SPAN / c.HOUR
    computing = (c.GPU_HOUR_NEAR + workers * c.CPU_CORE_HOUR) * hours * gpus
    storing = metadata_servers * c.METADATA_SERVER_PRICE + storage_nodes * c.STORAGE_NODE_PRICE
    return float(computing + storing)


@elementwise
@np.errstate(over="raise", divide="raise", invalid="raise")
def one_fleet(
    gpus: Count,
    width: Count,
    work: Positive,
    arrival_rate: Positive,
    workers: Count,
    samples_per_open: Count,
    metadata_servers: Count,
    storage_nodes: Count,
    scv: NonNegative = 1.0,
    urgent: Share = 0.0,
) -> Fleet:
    """Compute a job's time by activity in a shared fleet [s], the loads [1], and the cost [$].

    Args:
        gpus, width: N, of the fleet; g, of each job; c = ⌊N / g⌋ jobs run at once.
        work: T, mean time that a job would compute if it never waited for data [s].
        arrival_rate: λ, jobs that arrive per second, at random [1/s].
        workers, samples_per_open: Of each GPU; samples in a file, which is opened once.
        metadata_servers, storage_nodes: That all jobs share.
        scv: Of the jobs' work: variance over squared mean [1].
        urgent: p, share of the jobs that go first, if they do; without interrupting others [1].

    The model is the chain that the module describes, in which at most μ jobs per second leave. With
    ρ = λ / μ (`load`), the wait is W = P(wait) / (μ − λ) × (1 + scv) / 2, the run time the mean
    number of running jobs over λ (Little), and W (1 − ρ) / (1 − p ρ) and W / (1 − p ρ) the waits of
    urgent and other jobs. The loads of metadata servers and nodes depend neither on GPUs nor on
    workers.

    With ρ ≥ 1 the line grows by λ − μ, waits are infinite, and what runs is given for a full fleet;
    urgent jobs still have a finite wait while p ρ < 1. Where K ≤ c, the total is the same for any
    number of GPUs: what jobs no longer wait in line, they wait inside.

    >>> center = {"width": 256, "work": 3600, "arrival_rate": 2.2619 / 3600, "samples_per_open": 8}
    >>> today = one_fleet(1024, workers=1, metadata_servers=7, storage_nodes=2, **center)
    >>> round(today.total / 3600, 1), round(today.occupied, 2), round(today.useful, 2)
    (9.2, 0.95, 0.57)
    >>> today.binding
    'loader workers'
    >>> fewer = one_fleet(768, workers=2, metadata_servers=7, storage_nodes=2, **center)
    >>> round(fewer.total / 3600, 1), fewer.binding
    (2.5, 'storage nodes')
    """
    places = gpus // width
    if not 1 <= places <= MOST_PLACES:
        raise ValueError(
            f"gpus must have room for 1 to {MOST_PLACES:,} jobs of {width}, got {gpus}"
        )
    reading = (workers, samples_per_open, metadata_servers, storage_nodes)
    alone = _pipeline(width, *reading)
    full = _pipeline(places * width, *reading)
    fed = min(alone.rates[STORAGE], alone.rates[IOPS]) / alone.rates[COMPUTE]
    speeds = _speeds(alone, full, fed, places)
    leaving = speeds * np.arange(1, places + 1) / work
    max_rate = float(leaving[-1])
    data_rate = arrival_rate * work * alone.needed_bandwidth
    operations = metadata_rate(1, data_rate, samples_per_open * c.IO_SAMPLE_SIZE)
    cost = fleet_cost(gpus, workers, metadata_servers, storage_nodes)
    line = _line(arrival_rate, leaving, scv, urgent)
    run_time = line.running / arrival_rate
    if not line.stable:
        run_time = work / full.accelerator_utilization
    return Fleet(
        stable=line.stable,
        servers=places,
        fed=fed,
        speed_alone=alone.accelerator_utilization,
        speed_full=full.accelerator_utilization,
        utilization=work / run_time,
        run_time=run_time,
        occupied=line.running * width / gpus,
        useful=line.ending * work * width / gpus,
        prob_wait=line.prob_wait,
        wait=line.wait,
        total=line.wait + run_time,
        wait_urgent=line.wait_urgent,
        wait_others=line.wait_others,
        load=arrival_rate / max_rate,
        load_metadata=operations / metadata_capacity(metadata_servers),
        load_nodes=data_rate / (storage_nodes * c.STORAGE_NODE_BANDWIDTH),
        opens=operations / c.OPERATIONS_PER_FILE,
        data_rate=data_rate,
        binding=BINDING[full.bottleneck],
        growth=max(0.0, arrival_rate - max_rate),
        cost=cost,
        cost_per_job=cost / (line.ending * c.HOURS_SPAN),
    )


def _pipeline(
    accelerators: int, workers: int, samples_per_open: int, metadata_servers: int, nodes: int
) -> InputPipeline:
    """Input pipeline of running jobs that occupy so many accelerators."""
    return input_pipeline(
        batch_size=int(c.IO_BATCH_SIZE),
        sample_size=c.IO_SAMPLE_SIZE,
        compute_time=c.IO_COMPUTE_TIME,
        accelerators=accelerators,
        workers=workers,
        fetch_latency=c.IO_LATENCY,
        stream_bandwidth=c.IO_STREAM_BANDWIDTH,
        decode_time=c.IO_DECODE_TIME,
        prefetch_depth=int(c.IO_PREFETCH_DEPTH),
        samples_per_request=samples_per_open,
        node_bandwidth=c.IO_NODE_LINK,
        storage_bandwidth=nodes * c.STORAGE_NODE_BANDWIDTH,
        storage_iops=metadata_capacity(metadata_servers) / c.OPERATIONS_PER_FILE,
    )


def _speeds(alone: InputPipeline, full: InputPipeline, fed: float, places: int) -> np.ndarray:
    """Speed of each of n running jobs, AU(n), for n from 1 to all places [1].

    What a job brings itself, workers and links, is as fast for n jobs as for one; the store is
    divided by n. The ends are those of `input_pipeline`.
    """
    unshared = min(alone.rates[COMPUTE], alone.rates[WORKERS], alone.rates[NODE_LINK])
    speeds = np.minimum(unshared / alone.rates[COMPUTE], fed / np.arange(1, places + 1))
    speeds[0] = alone.accelerator_utilization
    speeds[-1] = full.accelerator_utilization
    return speeds


@dataclass
class _Line:
    """Jobs that run and wait in the long run; of a line that grows, with a full fleet."""

    stable: bool
    running: float
    ending: float  # [1/s]
    prob_wait: float = 1.0
    wait: float = math.inf  # [s]
    wait_others: float = math.inf  # [s]
    wait_urgent: float = math.inf  # [s]


def _line(arrival_rate: float, leaving: np.ndarray, scv: float, urgent: float) -> _Line:
    """Compute the line from the rates at which 1, 2, … running jobs leave."""
    max_rate = float(leaving[-1])
    load = arrival_rate / max_rate
    not_urgent = 1 - urgent * load  # 1 − p ρ
    if load >= _FULL:
        line = _Line(stable=False, running=float(len(leaving)), ending=max_rate)
        if urgent > 0 and urgent * load < _FULL:
            line.wait_urgent = (1 + scv) / 2 / max_rate / not_urgent
        return line
    prob_wait, running = _chain(arrival_rate, leaving, load)
    wait = prob_wait / (max_rate - arrival_rate) * (1 + scv) / 2
    return _Line(
        stable=True,
        running=running,
        ending=arrival_rate,
        prob_wait=prob_wait,
        wait=wait,
        wait_others=wait / not_urgent,
        wait_urgent=wait * (1 - load) / not_urgent,
    )


def _chain(arrival_rate: float, leaving: np.ndarray, load: float) -> tuple[float, float]:
    """Share of arrivals that wait, and mean number of jobs that run, in the steady state [1].

    Probabilities relative to the likeliest state, through logarithms: nothing overflows.
    """
    steps = math.log(arrival_rate) - np.log(leaving)
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(logs - logs.max())
    weights[-1] = weights[-1] / (1 - load)
    total = float(weights.sum())
    running = float(weights @ np.arange(len(weights)))
    return float(weights[-1]) / total, running / total
