"""Input pipeline of a training step: demand, the loader's throughput, and the bottleneck.

Reading is modelled by mean rates, stage by stage; jitter is the subject of
`physics.dataloading.prefetching`. Published workloads and results of MLPerf Storage, retyped, hold
the model against the field: MLCommons, MLPerf Storage v1.0 (2024), workload files, the same in v2.0
(2025) for these workloads; its results (2024), closed division, DDN AI400X2T with H100s: first
run's summary.json.
"""

import math
from dataclasses import dataclass

from physics import constants as c
from physics.arguments import (
    MANY,
    Count,
    Finite,
    LimitedCount,
    NonNegative,
    Positive,
    PositiveOrInfinite,
    PositiveShare,
    Share,
    Whole,
    count,
    elementwise,
    finite,
    positive,
    positive_or_infinite,
)
from physics.dataloading.cores import core_limit

WORKERS = "workers"
NODE_LINK = "node link"
STORAGE = "storage"
IOPS = "IOPS"
COMPUTE = "compute"
STAGES = (WORKERS, NODE_LINK, STORAGE, IOPS, COMPUTE)  #: in the order a sample meets them

#: Two rates closer than this are a tie: the binding stage is then the earlier of `_TIE_ORDER`.
_TIE = 1e-9
_TIE_ORDER = (COMPUTE, WORKERS, NODE_LINK, STORAGE, IOPS)


@dataclass(frozen=True)
class InputPipeline:
    """Steady mean state of a synchronous training job with its input pipeline.

    All accelerators are equal. The dictionaries are keyed by the names in `STAGES`. A stage without
    a limit (`storage_iops=None`) has an infinite rate and no load.
    """

    accelerator_utilization: float  #: AU, share of a step in which the accelerator computes [1]
    step_time: float  #: T, time from one step to the next [s]
    io_time: float  #: T_io, time the pipeline takes to deliver one batch to every accelerator [s]
    compute_time: float  #: T_c, time one step computes [s]
    #: part of `io_time` spent decoding; the rest is fetching, stretched if a shared stage binds [s]
    decode_time: float
    #: the stage with the lowest rate; "compute" when the accelerator itself is the slowest
    bottleneck: str
    #: samples/s that each stage could sustain alone, summed over all accelerators [1/s]
    rates: dict[str, float]
    loads: dict[str, float]  #: what each stage carries ÷ what it could sustain; never above 1 [1]
    #: what each stage would have to carry at full speed ÷ what it could; may exceed 1 [1]
    needs: dict[str, float]
    throughput: float  #: samples/s that all accelerators together really consume [1/s]
    achieved_bandwidth: float  #: B/s that all accelerators together really read [B/s]
    needed_bandwidth: float  #: B/s that they would read if none ever waited [B/s]
    prefetch_depth: int  #: D, batches read ahead; 0 when reading and computing take turns [1]


@elementwise
def demand(batch_size: Count, sample_size: Positive, compute_time: Positive) -> Finite:
    """Data rate that one accelerator needs so that it never waits, B c ÷ T_c [B/s].

    `batch_size` B, samples per accelerator and step; `sample_size` c, of one stored sample [B];
    `compute_time` T_c, of one step [s].

    Source: MLCommons, "MLPerf Storage Benchmark Rules" v1.0 (2024), definition of accelerator
    utilization; its workload files give B, c and T_c.

    >>> demand(64, 62.5e3, 0.050)  # 80 MB/s
    80000000.0
    """
    return float(batch_size) * sample_size / compute_time


@elementwise
def stream_rate(
    request_size: Positive, latency: NonNegative, bandwidth: Positive, outstanding: Positive = 1
) -> Finite:
    """Data rate of n synchronous read streams, n c ÷ (L + c ÷ β) [B/s].

    A read of c, `request_size`, [B] takes a latency L before its first byte [s] and then flows at
    the bandwidth β [B/s]; n, `outstanding`, is the mean number of reads in flight. By Little's law;
    what a shared link or store allows is for the caller to compare.

    Source: J. D. C. Little, "A proof for the queuing formula L = λW" (1961); R. W. Hockney, "The
    communication challenge for MPP: Intel Paragon and Meiko CS-2" (1994), for the time of a
    message, start-up plus length over rate.

    >>> round(stream_rate(62.5e3, 6e-3, 1e9, outstanding=8) / 1e6, 1)
    82.5
    """
    time = positive("the time of one read", latency + request_size / bandwidth)
    return outstanding / time * request_size


@elementwise
def input_pipeline(
    *,
    batch_size: Count,
    sample_size: Positive,
    compute_time: Positive,
    accelerators: Count,
    workers: Count,
    fetch_latency: NonNegative,
    stream_bandwidth: Positive,
    decode_time: NonNegative,
    prefetch_depth: Whole,
    samples_per_request: Count = 1,
    accelerators_per_node: Count = 8,
    node_bandwidth: Positive | None,
    storage_bandwidth: Positive,
    storage_iops: Positive | None = None,
    hit_share: Share = 0.0,
    memory_bandwidth: PositiveOrInfinite = math.inf,
    cores_per_node: Positive | None = None,
) -> InputPipeline:
    """Utilization [1], step time [s], and loads [1] of a training job that reads while it computes.

    Args:
        batch_size, sample_size, compute_time: As in `demand`.
        accelerators, workers: N, that step together; W, loader processes of each: one fetches a
            sample, decodes it, and begins the next.
        fetch_latency: L, time of one read before bytes flow: open, lock, look-up [s]; may be 0.
        stream_bandwidth: β, rate of one worker's stream once bytes flow [B/s].
        decode_time: d, time one worker needs to decode one sample [s]; may be 0.
        prefetch_depth: D, batches read ahead; 0 for none.
        samples_per_request: k, samples that one read brings (1: one file a sample; more: shards
            read in sequence).
        accelerators_per_node, node_bandwidth: That share one node link, nodes being filled one
            after the other; and its rate [B/s], None if the data crosses no link.
        storage_bandwidth, storage_iops: Of the whole store [B/s, reads/s]; None if reads have no
            such limit.
        hit_share: h, share of the reads that the nodes' memory serves, without link and store [1].
        memory_bandwidth: M, rate at which a worker copies a sample out of memory [B/s].
        cores_per_node: n_c, CPU cores that the workers of a node share [1]; None if each worker has
            its own.

    A sample takes one worker t = (1 − h)(L ÷ k + c ÷ β) + h c ÷ M + d on average. Samples per
    second, summed over all N: N W ÷ t for the workers, at most what `core_limit` lets them; N ×
    node_bandwidth ÷ (c × accelerators on the fullest node, which holds back the rest) for the node
    link, storage_bandwidth ÷ c and storage_iops × k for the store, these three divided by 1 − h,
    for only misses reach them. The slowest of these gives T_io = N B ÷ min(rates). With prefetch (D
    ≥ 1) a step takes max(T_c, T_io); without, T_c + T_io. Rates are means: the depth beyond 1 only
    absorbs jitter, and queueing at a nearly full stage is left out.

    Source: J. Mohan et al., "Analyzing and Mitigating Data Stalls in DNN Training" (VLDB 2021),
    section 3, for stalls as a pipeline of rates; P. J. Denning and J. P. Buzen, "The Operational
    Analysis of Queueing Network Models" (1978), section 5; J. D. C. Little (1961).

    >>> slow = input_pipeline(
    ...     batch_size=64, sample_size=62.5e3, compute_time=0.050, accelerators=128, workers=1,
    ...     fetch_latency=6e-3, stream_bandwidth=1e9, decode_time=0.5e-3, prefetch_depth=2,
    ...     node_bandwidth=25e9, storage_bandwidth=672e9)
    >>> round(slow.accelerator_utilization, 3), slow.bottleneck, round(slow.loads["storage"], 4)
    (0.119, 'workers', 0.0018)
    """
    missed = 1 - hit_share
    moving = missed * sample_size / stream_bandwidth
    if hit_share:
        moving += hit_share * sample_size / memory_bandwidth
    fetch = missed * fetch_latency / samples_per_request + moving
    link = math.inf if node_bandwidth is None else node_bandwidth
    iops = math.inf if storage_iops is None else storage_iops
    sharing = min(accelerators, accelerators_per_node)
    workers_rate = accelerators * workers / positive("the time of one sample", fetch + decode_time)
    if cores_per_node is not None:
        allowed = core_limit(cores_per_node, moving + decode_time, sharing) * accelerators
        workers_rate = min(workers_rate, allowed)
    rates = {
        WORKERS: workers_rate,
        NODE_LINK: link / sample_size / sharing * accelerators,
        STORAGE: storage_bandwidth / sample_size,
        IOPS: iops * samples_per_request,
        COMPUTE: accelerators * batch_size / compute_time,
    }
    for stage in (NODE_LINK, STORAGE, IOPS):  # only misses reach these
        rates[stage] = rates[stage] / missed if missed else math.inf
    for stage, rate in rates.items():
        positive_or_infinite(f"the rate of the stage {stage}", rate)
    batch = accelerators * batch_size
    decoding = decode_time * batch_size / workers
    return _paced_by(rates, batch, sample_size, compute_time, decoding, prefetch_depth)


def _paced_by(
    rates: dict[str, float],
    batch: int,
    sample_size: float,
    compute_time: float,
    decode_time: float,
    prefetch_depth: int,
) -> InputPipeline:
    """Pipeline at the pace of its slowest stage, from the rates of all stages [samples/s].

    `batch` is the samples of all accelerators in a step, `decode_time` what one worker takes to
    decode its part of them [s].
    """
    slowest = min(rates[stage] for stage in STAGES[:-1])
    io_time = positive("the time of one batch", batch / slowest)
    step = max(compute_time, io_time) if prefetch_depth else compute_time + io_time
    finite("the time of one step", step)
    throughput = batch / step
    just_slowest = min(rates.values()) * (1 + _TIE)
    loads = {}
    needs = {}
    for stage, rate in rates.items():
        loads[stage] = min(throughput / rate, 1.0)  # 1 + 2e-16 is rounding
        needs[stage] = rates[COMPUTE] / rate
    return InputPipeline(
        accelerator_utilization=compute_time / step,
        step_time=step,
        io_time=io_time,
        compute_time=compute_time,
        decode_time=min(decode_time, io_time),
        bottleneck=next(stage for stage in _TIE_ORDER if rates[stage] <= just_slowest),
        rates=rates,
        loads=loads,
        needs=needs,
        throughput=throughput,
        achieved_bandwidth=finite("the achieved bandwidth", throughput * sample_size),
        needed_bandwidth=finite("the needed bandwidth", rates[COMPUTE] * sample_size),
        prefetch_depth=prefetch_depth,
    )


@elementwise
def prefetch_depth_for(
    utilization: NonNegative,
    io_scv: NonNegative,
    compute_scv: NonNegative = 0.0,
    stall: PositiveShare = 0.01,
) -> int | float:
    """Rough prefetch depth [batches] at which at most a share ε, `stall`, of the steps waits.

    D* = ⌈(ρ c_c² + c_io²) ln(1/ε) ÷ (2 (1 − ρ))⌉, 0 without jitter, `math.inf` for ρ ≥ 1: the
    heavy-traffic (diffusion) tail of the queue of free slots, set equal to ε. The utilization ρ of
    the readers is the mean time to read a batch ÷ mean time to compute on it; c_io² and c_c² are
    the squared coefficients of variation of these times. Against the simulation (gamma times; ρ
    0.5, 0.7, 0.9; SCV 0.1, 1, 4) it gives 0.5 to 3.4 times the depth needed: too shallow for smooth
    times, too deep for wild ones.

    Source: H. Kobayashi, "Application of the diffusion approximation to queueing networks I"
    (1974), the geometric tail exp(−2 (1 − ρ) ÷ (ρ c_a² + c_s²)) of GI/G/1; J. F. C. Kingman, "On
    queues in heavy traffic" (1962).

    >>> prefetch_depth_for(0.7, 1.0)
    8
    """
    jitter = utilization * compute_scv + io_scv
    if utilization >= 1:
        return math.inf
    return math.ceil(
        finite("the prefetch depth", jitter * -math.log(stall) / (2 * (1 - utilization)))
    )


@elementwise
def lru_hit_share(cached: Share) -> float:
    """Share of reads served by an LRU cache if every epoch reads in a new random order [1].

    x + (1 − x) ln(1 − x), with room for a share x, `cached`, of the data set. A cache that simply
    keeps what it has serves x. A sample read at u of one epoch (0 to 1) and at v of the next is
    still there if what was read in between, a share 1 − u (1 − v) of all samples, fits.

    Source: Mohan et al., "Analyzing and Mitigating Data Stalls in DNN Training", VLDB 2021, section
    4.1 (thrashing of the page cache; MinIO, which keeps what it has); the formula is derived here.

    >>> round(lru_hit_share(0.65), 3), round(lru_hit_share(0.5), 3)
    (0.283, 0.153)
    """
    if cached == 1:
        return 1.0
    if cached > 0.5:
        return cached + (1 - cached) * math.log1p(-cached)
    return math.fsum(cached**k / (k * (k - 1)) for k in range(2, 55))


@elementwise
def shuffle_randomness(buffer: LimitedCount, samples: int) -> float:
    """Randomness of the order of samples read through a shuffle buffer, from 0 to 1 [1].

    N `samples` are read in sequence through a `buffer` for B of them. 1 − ρ, with ρ the expected
    rank correlation (Spearman) between a sample's place in the store and the one at which it is
    used: 0 for the stored order (B = 1), 1 for a full shuffle (B ≥ N), 6 B² ÷ N² for B far below N;
    N is at least 2. From a buffer of the first B samples one, each as likely, is used and the next
    sample read in its place. With q = 1 − 1/B, counting from 0, sample i is used on average at i −
    (B − 1) q^(N − 1 − i) ÷ 2 if i ≥ B, and at (B − 1)(1 − q^(N − B) ÷ 2) if i < B; the sum of i
    times this place gives ρ exactly.

    Source: WebDataset documentation, `shuffle`; Spearman, "The Proof and Measurement of Association
    between Two Things", 1904. The formula is derived here.

    >>> shuffle_randomness(1, 100), round(shuffle_randomness(10, 100), 3)
    (0.0, 0.047)
    >>> round(shuffle_randomness(100, 100), 12)
    1.0
    """
    n = count("samples", samples, least=2, most=MANY)
    b = min(buffer, n)
    if b == 1:
        return 0.0
    q = 1 - 1 / b
    later = n - b  # samples read after the buffer is full
    power = q**later
    later_sum = b * (n - 1) * (1 - power) - b * (b - 1) * (
        1 - later * (power / q) + (later - 1) * power
    )
    first_sum = (b - 1) * b * (2 * b - 1) / 6 - (1 - power / 2) * b * (b - 1) ** 2 / 2
    return (first_sum + (b - 1) / 2 * later_sum) * 12 / (n * (n * n - 1))


@dataclass(frozen=True)
class Workload:
    """Training workload of the benchmark on one kind of accelerator."""

    name: str  #: model and accelerator
    sample_size: float  #: c, mean bytes of a sample [B]
    batch_size: int  #: B, samples per accelerator and step [1]
    compute_time: float  #: T_c, time one step computes [s]
    required_utilization: float  #: AU below which the benchmark does not count a run [1]

    @property
    def demand(self) -> float:
        """Data rate of one accelerator that never waits, from the workload's definition [B/s]."""
        return demand(self.batch_size, self.sample_size, self.compute_time)


@dataclass(frozen=True)
class Result:
    """Measured run, whose published utilization the model converts to samples/s for comparison."""

    workload: Workload
    accelerators: int  #: N, emulated accelerators [1]
    utilization: float  #: AU, as the benchmark measured and published it [1]
    published_rate: float  #: samples/s over all accelerators, as published [1/s]

    @property
    def model_rate(self) -> float:
        """AU N B ÷ T_c, the model's samples/s at the run's utilization [1/s]."""
        samples = self.utilization * self.accelerators * self.workload.batch_size
        return samples / self.workload.compute_time

    @property
    def miss(self) -> float:
        """Relative error of the model's sample rate, model ÷ published − 1 [1]."""
        return self.model_rate / self.published_rate - 1


_UNET3D = (c.UNET3D_SAMPLE_SIZE, int(c.UNET3D_BATCH_SIZE))
_RESNET50 = (c.RESNET50_SAMPLE_SIZE, int(c.RESNET50_BATCH_SIZE))
_COSMOFLOW = (c.COSMOFLOW_SAMPLE_SIZE, int(c.COSMOFLOW_BATCH_SIZE))

WORKLOADS = (
    Workload("UNet3D on H100", *_UNET3D, c.UNET3D_COMPUTE_H100, 0.9),
    Workload("UNet3D on A100", *_UNET3D, c.UNET3D_COMPUTE_A100, 0.9),
    Workload("ResNet-50 on H100", *_RESNET50, c.RESNET50_COMPUTE_H100, 0.9),
    Workload("ResNet-50 on A100", *_RESNET50, c.RESNET50_COMPUTE_A100, 0.9),
    Workload("CosmoFlow on H100", *_COSMOFLOW, c.COSMOFLOW_COMPUTE_H100, 0.7),
    Workload("CosmoFlow on A100", *_COSMOFLOW, c.COSMOFLOW_COMPUTE_A100, 0.7),
)

RESULTS = (
    Result(WORKLOADS[0], accelerators=36, utilization=0.9359, published_rate=708.9),
    Result(WORKLOADS[2], accelerators=512, utilization=0.9252, published_rate=843_065),
    Result(WORKLOADS[4], accelerators=64, utilization=0.7026, published_rate=12_557),
)
