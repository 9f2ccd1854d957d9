"""Every constant of the app: value, unit, meaning, source and kind, declared once.

A `Constant` is a float that knows where it comes from, so that a model uses it as a number and the Sources page shows
it as a row. `low` and `high` bound the knob that varies it. Values are SI: seconds, bytes, bytes per second, fractions;
prices are US dollars. 1 GB is 10⁹ B.

Kinds: "exact" by definition, "datasheet" from a maker's or standard's document, "measured" by somebody who published
it, "assumed" chosen for the lesson.
"""

from typing import Literal

Kind = Literal["exact", "datasheet", "measured", "assumed"]


class Constant(float):
    """A number with its provenance.

    Parameters
    ----------
    value : float
        In SI units.
    symbol : str
        As written in formulas; "" where the literature has none.
    unit : str
        SI unit, or "1" for a pure number.
    meaning : str
        One phrase.
    source : str
        Where the value is from; for an assumed one, why it was chosen.
    kind : {"exact", "datasheet", "measured", "assumed"}
    low, high : float, optional
        Range in which a learner may vary it, in the same unit.

    Examples
    --------
    >>> HOUR / MINUTE
    60.0
    >>> HOUR.unit, HOUR.kind
    ('s', 'exact')
    """

    symbol: str
    unit: str
    meaning: str
    source: str
    kind: Kind
    low: float | None
    high: float | None

    def __new__(
        cls,
        value: float,
        *,
        symbol: str,
        unit: str,
        meaning: str,
        source: str,
        kind: Kind,
        low: float | None = None,
        high: float | None = None,
    ) -> "Constant":
        if low is not None and high is not None and not low <= value <= high:
            raise ValueError(f"the value of {meaning} must lie in {low} to {high}, got {value}")
        self = super().__new__(cls, value)
        self.symbol, self.unit, self.meaning, self.source, self.kind = symbol, unit, meaning, source, kind
        self.low, self.high = low, high
        return self

    def __reduce__(self):
        """Copy and pickle as a plain float: results carry numbers, not provenance."""
        return float, (float(self),)


def table() -> list[dict[str, object]]:
    """List every constant as a row: name, symbol, value, unit, meaning, source, kind, low, high.

    >>> next(row for row in table() if row["name"] == "DAY")["value"]
    86400.0
    """
    fields = ("symbol", "unit", "meaning", "source", "kind", "low", "high")
    return [
        {"name": name, "value": float(value)} | {field: getattr(value, field) for field in fields}
        for name, value in globals().items()
        if isinstance(value, Constant)
    ]


# --- units ----------------------------------------------------------------------------------------------------------
MINUTE = Constant(60, symbol="min", unit="s", meaning="one minute", source="SI brochure, table 8", kind="exact")
HOUR = Constant(3600, symbol="h", unit="s", meaning="one hour", source="SI brochure, table 8", kind="exact")
DAY = Constant(86400, symbol="d", unit="s", meaning="one day", source="SI brochure, table 8", kind="exact")
KB = Constant(1e3, symbol="kB", unit="B", meaning="one kilobyte", source="SI prefix kilo", kind="exact")
MB = Constant(1e6, symbol="MB", unit="B", meaning="one megabyte", source="SI prefix mega", kind="exact")
GB = Constant(1e9, symbol="GB", unit="B", meaning="one gigabyte", source="SI prefix giga", kind="exact")
TB = Constant(1e12, symbol="TB", unit="B", meaning="one terabyte", source="SI prefix tera", kind="exact")

# --- utilization trap -------------------------------------------------------------------------------------------------
TRAP_FLEET = Constant(
    1024,
    symbol="N",
    unit="1",
    meaning="GPUs of the director's cluster",
    source="assumed: a mid-size center, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=8,
    high=4096,
)
TRAP_GPUS_PER_JOB = Constant(
    256,
    symbol="g",
    unit="1",
    meaning="GPUs that one job of the director's cluster occupies",
    source="assumed: the job size at which a 4-hour wait for 1-hour jobs at 95 % is what M/M/c gives",
    kind="assumed",
    low=1,
    high=4096,
)
TRAP_UTILIZATION = Constant(
    0.95,
    symbol="ρ",
    unit="1",
    meaning="share of its servers that the director's cluster keeps busy",
    source="assumed: as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=0.5,
    high=1.2,
)
TRAP_ADDED = Constant(
    0,
    symbol="ΔN",
    unit="1",
    meaning="GPUs bought",
    source="assumed: the director asks for 256; the knob begins before the purchase",
    kind="assumed",
    low=0,
    high=1024,
)
TRAP_REQUESTED = Constant(
    256,
    symbol="ΔN",
    unit="1",
    meaning="GPUs that the director asks for",
    source="assumed: a quarter of the fleet, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
)
TRAP_JOB_LENGTH = Constant(
    3600,
    symbol="S",
    unit="s",
    meaning="mean length of the director's jobs",
    source="assumed: 1-hour jobs, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=360,
    high=86400,
)
TRAP_SCV = Constant(
    1,
    symbol="c_s²",
    unit="1",
    meaning="squared coefficient of variation of job lengths",
    source="assumed: 1 is exponential; runtimes of 83,154 jobs of the Philly GPU trace (M. Jeon et al., Analysis of "
    "Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads, 2019) have 38.9, knob 0 to 40",
    kind="assumed",
    low=0,
    high=40,
)
TRAP_TARGET = Constant(
    1800,
    symbol="Wq*",
    unit="s",
    meaning="largest mean wait that the director accepts",
    source="assumed: half the length of a job",
    kind="assumed",
    low=60,
    high=28800,
)

# --- scheduling policy ------------------------------------------------------------------------------------------------
FLEET_GPUS = Constant(
    1024,
    symbol="C",
    unit="1",
    meaning="GPUs of the fleet that the policies share",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
    low=256,
    high=4096,
)
INTERACTIVE_GPUS = Constant(
    8,
    symbol="",
    unit="1",
    meaning="GPUs of an interactive job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
INTERACTIVE_RUNTIME = Constant(
    30 * MINUTE,
    symbol="",
    unit="s",
    meaning="mean runtime of an interactive job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
INTERACTIVE_RATE = Constant(
    50 / DAY,
    symbol="λ",
    unit="1/s",
    meaning="interactive jobs submitted a second (50 a day)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
    low=0,
    high=10 / HOUR,
)
SEARCH_GPUS_STEP = Constant(
    8,
    symbol="",
    unit="1",
    meaning="step between the sizes of search jobs (8, 16, 24, 32 GPUs)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
SEARCH_RUNTIME = Constant(
    2 * HOUR,
    symbol="",
    unit="s",
    meaning="mean runtime of a search job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
SEARCH_RATE = Constant(
    20 / DAY,
    symbol="λ",
    unit="1/s",
    meaning="search jobs submitted a second (20 a day)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
    low=0,
    high=100 / DAY,
)
TRAINING_GPUS_STEP = Constant(
    64,
    symbol="",
    unit="1",
    meaning="step between the sizes of training jobs (64, 128, …, 512 GPUs)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
TRAINING_RUNTIME_LEAST = Constant(
    12 * HOUR,
    symbol="",
    unit="s",
    meaning="shortest runtime of a training job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
TRAINING_RUNTIME_MOST = Constant(
    24 * HOUR,
    symbol="",
    unit="s",
    meaning="longest runtime of a training job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
TRAINING_RATE = Constant(
    3.5 / DAY,
    symbol="λ",
    unit="1/s",
    meaning="training jobs submitted a second (3.5 a day)",
    source="assumed: the message's ten a day are 215 % of the fleet, which nothing can carry; 3.5 make 77.9 %",
    kind="assumed",
    low=1 / DAY,
    high=12 / DAY,
)
SIMULATED_TIME = Constant(
    60 * DAY,
    symbol="",
    unit="s",
    meaning="time during which jobs are submitted in one replication",
    source="assumed: long enough for some 200 training jobs, short enough to answer within a second",
    kind="assumed",
)
INTERACTIVE_TARGET = Constant(
    5 * MINUTE,
    symbol="",
    unit="s",
    meaning="wait within which an interactive job must start",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    kind="assumed",
)
TRAINING_LIMIT = Constant(
    48 * HOUR,
    symbol="",
    unit="s",
    meaning="wait above which a training job counts as kept too long",
    source="assumed: two days, twice the longest run",
    kind="assumed",
)
CHECKPOINT_INTERVAL = Constant(
    1 * HOUR,
    symbol="",
    unit="s",
    meaning="work between two checkpoints of a job that may be preempted",
    source="assumed: hourly, so that a preempted job repeats half an hour on average",
    kind="assumed",
    low=0.25 * HOUR,
    high=12 * HOUR,
)
RESTART_TIME = Constant(
    10 * MINUTE,
    symbol="",
    unit="s",
    meaning="time that a preempted job needs before it works again",
    source="assumed: reloading a checkpoint and the input pipeline",
    kind="assumed",
    low=0,
    high=60 * MINUTE,
)
FAIR_SHARE_HALF_LIFE = Constant(
    7 * DAY,
    symbol="",
    unit="s",
    meaning="time after which past use counts half in fair-share order",
    source="SchedMD, Slurm 24.05 manual, Multifactor Priority Plugin: PriorityDecayHalfLife defaults to 7 days",
    kind="datasheet",
    low=1 * DAY,
    high=30 * DAY,
)


def _policy(
    value: float,
    unit: str,
    meaning: str,
    why: str,
    low: float | None = None,
    high: float | None = None,
    symbol: str = "",
) -> Constant:
    return Constant(
        value, symbol=symbol, unit=unit, meaning=meaning, source=f"assumed: {why}", kind="assumed", low=low, high=high
    )


POLICY_RESERVED = _policy(0, "1", "GPUs that only interactive jobs may use", "none in the message", 0, 128)
POLICY_TRAINING_SIZE = _policy(
    512, "1", "GPUs of the largest training jobs; sizes are its multiples of 64 up to it", "the message", 64, 1024
)
POLICY_ESTIMATES = _policy(1, "1", "estimate ÷ runtime of every job", "exact unless told otherwise", 1, 10)
POLICY_WEIGHT = _policy(1, "1", "fair-share weight of a class", "equal weights unless told otherwise", 1, 10, "w")
POLICY_SEED = _policy(1, "1", "number of the random draw of jobs", "any will do", 1, 999)
POLICY_REPLICATIONS = _policy(
    16, "1", "independent replications behind each result", "8 leave ± 5 h on training waits", 4, 64
)
POLICY_JUDGED = _policy(32, "1", "replications that decide the challenge", "twice as many as are shown")
POLICY_INTERACTIVE_SHARE = _policy(0.95, "1", "share of interactive jobs that must start in time", "the challenge")
POLICY_TRAINING_SHARE = _policy(0.20, "1", "share of training jobs that may wait too long", "the challenge")
POLICY_LOST_SHARE = _policy(0.02, "1", "share of executed GPU-hours that may be lost", "the challenge")
POLICY_TEN_A_DAY = _policy(10 / DAY, "1/s", "training jobs that the message speaks of (ten a day)", "the message")
POLICY_PARTITIONS = _policy(3, "1", "equal partitions of answer (d)", "one for each class")
POLICY_NODE = _policy(8, "1", "GPUs of a node", "the usual number of GPUs in a server")
POLICY_TRACE_BYTES = _policy(20e6, "B", "largest trace that is taken", "a year of a large machine fits")

# --- I/O bottleneck ---------------------------------------------------------------------------------------------------
IO_ACCELERATORS = Constant(
    128,
    symbol="N",
    unit="1",
    meaning="GPUs of the training job",
    source="the message of the lesson",
    kind="assumed",
    low=1,
    high=4096,
)
IO_ACCELERATORS_PER_NODE = Constant(
    8,
    symbol="",
    unit="1",
    meaning="GPUs in one node",
    source="NVIDIA DGX H100 datasheet (2022): 8 H100 GPUs",
    kind="datasheet",
)
IO_BATCH_SIZE = Constant(
    64,
    symbol="B",
    unit="1",
    meaning="samples a GPU takes in one step",
    source="the message of the lesson",
    kind="assumed",
    low=1,
    high=1024,
)
IO_SAMPLE_SIZE = Constant(
    62.5e3,
    symbol="c",
    unit="B",
    meaning="size of one stored sample",
    source="makes the 80 MB/s a GPU of the draft lab true (64 in 50 ms); the range holds UNet3D's 147 MB",
    kind="assumed",
    low=1e3,
    high=200e6,
)
IO_COMPUTE_TIME = Constant(
    0.050,
    symbol="T_c",
    unit="s",
    meaning="time one training step computes",
    source="the message of the lesson",
    kind="assumed",
    low=1e-3,
    high=2.0,
)
IO_WORKERS = Constant(
    1,
    symbol="W",
    unit="1",
    meaning="loader workers of one GPU",
    source="the message of the lesson: reads one at a time; 16 is a common share of a node's CPU cores",
    kind="assumed",
    low=1,
    high=16,
)
IO_LATENCY = Constant(
    6.0e-3,
    symbol="L",
    unit="s",
    meaning="time of one small read before bytes flow: open, lock, read, close on a busy parallel file system",
    source="chosen so that one worker keeps the GPU 11.9 % busy; such reads take a tenth to tens of milliseconds",
    kind="assumed",
    low=0.1e-3,
    high=50e-3,
)
IO_STREAM_BANDWIDTH = Constant(
    1e9,
    symbol="β",
    unit="B/s",
    meaning="rate of one worker's stream once bytes flow",
    source="the order of one client thread on a parallel file system",
    kind="assumed",
    low=0.1e9,
    high=10e9,
)
IO_DECODE_TIME = Constant(
    0.5e-3,
    symbol="d",
    unit="s",
    meaning="time one worker decodes one sample",
    source="samples stored as ready arrays; JPEG images take 1 to 10 ms",
    kind="assumed",
    low=0.0,
    high=20e-3,
)
IO_PACKING = Constant(
    1,
    symbol="k",
    unit="1",
    meaning="samples that one read brings",
    source="one file a sample",
    kind="assumed",
    low=1,
    high=10_000,
)
IO_PREFETCH_DEPTH = Constant(
    2,
    symbol="D",
    unit="1",
    meaning="batches read ahead",
    source="PyTorch DataLoader documentation: prefetch_factor is 2 by default (batches a worker)",
    kind="assumed",
    low=0,
    high=64,
)
IO_STORAGE_NODES = Constant(
    24,
    symbol="",
    unit="1",
    meaning="storage nodes of the parallel file system",
    source="the message of the lesson",
    kind="assumed",
    low=1,
    high=96,
)
IO_STORAGE_NODE_BANDWIDTH = Constant(
    28e9,
    symbol="",
    unit="B/s",
    meaning="rate of one storage node, or of the NVMe drives inside one GPU node",
    source="the message of the lesson: the draft lab's figure, four PCIe 4.0 or two PCIe 5.0 drives of 7 or 14 GB/s",
    kind="assumed",
)
IO_STORAGE_NODE_IOPS = Constant(
    750e3,
    symbol="",
    unit="1/s",
    meaning="small reads a storage node answers in a second",
    source="Lustre Software Release 2.x Operations Manual, table 1.1: 750,000 a second from one OSS in production",
    kind="datasheet",
    low=1e3,
    high=1e6,
)
IO_LOCAL_IOPS = Constant(
    4 * 900e3,
    symbol="",
    unit="1/s",
    meaning="small reads that the four NVMe drives inside one GPU node answer in a second",
    source="Samsung PM9A3 data sheet (2020), a PCIe 4.0 drive: 900,000 random reads of 4 KB a second from each",
    kind="datasheet",
)
IO_NODE_LINK = Constant(
    25e9,
    symbol="",
    unit="B/s",
    meaning="rate of one GPU node's link to the store",
    source="one 200 Gbit/s port, headers left out",
    kind="assumed",
    low=1e9,
    high=100e9,
)
IO_TARGET = Constant(
    0.80,
    symbol="",
    unit="1",
    meaning="accelerator utilization that the lesson asks for",
    source="the lesson; MLPerf Storage asks for 0.9 (UNet3D, ResNet-50) and 0.7 (CosmoFlow)",
    kind="assumed",
)
IO_TIME_SCV = Constant(
    1.0,
    symbol="c_io²",
    unit="1",
    meaning="squared coefficient of variation of the time to read a batch",
    source="as variable as exponential times",
    kind="assumed",
    low=0.0,
    high=4.0,
)
IO_COMPUTE_SCV = Constant(
    0.0,
    symbol="c_c²",
    unit="1",
    meaning="squared coefficient of variation of the time a step computes",
    source="steps of one shape on one GPU take nearly the same time",
    kind="assumed",
    low=0.0,
    high=4.0,
)
IO_STALL = Constant(
    0.01,
    symbol="ε",
    unit="1",
    meaning="share of steps that may wait for their batch",
    source="one step in a hundred costs little",
    kind="assumed",
)
IO_MORE_STORAGE_NODES = Constant(
    48,
    symbol="",
    unit="1",
    meaning="storage nodes after doubling them",
    source="twice those of the message",
    kind="assumed",
)
IO_MORE_ACCELERATORS = Constant(
    256,
    symbol="",
    unit="1",
    meaning="further GPUs on order",
    source="the message of the lesson",
    kind="assumed",
)
IO_PACKED = Constant(
    32,
    symbol="k",
    unit="1",
    meaning="samples a read in the lesson's packed case",
    source="chosen: enough for one worker to reach the target",
    kind="assumed",
)
IO_SLOW_DECODE_LATENCY = Constant(
    2.5e-3,
    symbol="L",
    unit="s",
    meaning="latency of a read in the lesson's second case, slow decoding",
    source="chosen so that a sample takes a worker as long as in the message",
    kind="assumed",
)
IO_SLOW_DECODE_TIME = Constant(
    4.0e-3,
    symbol="d",
    unit="s",
    meaning="decoding of a sample in the lesson's second case",
    source="chosen within the 1 to 10 ms of JPEG images",
    kind="assumed",
)
IO_LOCAL_LATENCY = Constant(
    0.1e-3,
    symbol="L",
    unit="s",
    meaning="latency of a read from a drive in the node itself",
    source="the order of an NVMe drive's read time",
    kind="assumed",
)


def _draft(value: float, unit: str, meaning: str) -> Constant:
    source = "Machine Learning Systems, volume 2, draft lab 04 (March 2026), first act; used for the corrections alone"
    return Constant(value, symbol="", unit=unit, meaning=meaning, source=source, kind="assumed")


IO_DRAFT_SAMPLE_SIZE = _draft(4e6, "B", "size of a sample in the draft lab's loader")
IO_DRAFT_LOADED_SIZE = _draft(4e9 / 1024, "B", "the same sample as its loading time counts it: 4 MB ÷ 1,024, called GB")
IO_DRAFT_LINKS = _draft(16 * 25e9, "B/s", "all node links of the draft lab together")
IO_DRAFT_RANDOM = _draft(0.07, "1", "the draft lab's efficiency of small random reads")
IO_DRAFT_SEQUENTIAL = _draft(0.85, "1", "the draft lab's efficiency of sequential reads")
IO_DRAFT_PREFETCH = _draft(0.78, "1", "the draft lab's efficiency with prefetch")
IO_DRAFT_ONE_WORKER = _draft(0.25, "1", "the draft lab's efficiency of 1 worker")
IO_DRAFT_FOUR_WORKERS = _draft(0.85, "1", "the draft lab's efficiency of 4 workers")
IO_DRAFT_ALL_WORKERS = _draft(0.986, "1", "the draft lab's efficiency of 16 workers, its most")
IO_DRAFT_SMALLEST_BATCH = _draft(32, "1", "the draft lab's smallest batch")


def _mlperf(value: float, symbol: str, unit: str, meaning: str, file: str) -> Constant:
    source = f"MLCommons, MLPerf Storage v1.0 (2024), workload files {file}_h100.yaml and {file}_a100.yaml"
    return Constant(value, symbol=symbol, unit=unit, meaning=meaning, source=source, kind="measured")


UNET3D_SAMPLE_SIZE = _mlperf(146_600_628, "c", "B", "mean size of a UNet3D sample", "unet3d")
UNET3D_BATCH_SIZE = _mlperf(7, "B", "1", "UNet3D samples a GPU takes in one step", "unet3d")
UNET3D_COMPUTE_H100 = _mlperf(0.323, "T_c", "s", "time of a UNet3D step on an H100", "unet3d")
UNET3D_COMPUTE_A100 = _mlperf(0.636, "T_c", "s", "time of a UNet3D step on an A100", "unet3d")
RESNET50_SAMPLE_SIZE = _mlperf(114_660, "c", "B", "mean size of a ResNet-50 sample, to the byte", "resnet50")
RESNET50_BATCH_SIZE = _mlperf(400, "B", "1", "ResNet-50 samples a GPU takes in one step", "resnet50")
RESNET50_COMPUTE_H100 = _mlperf(0.224, "T_c", "s", "time of a ResNet-50 step on an H100", "resnet50")
RESNET50_COMPUTE_A100 = _mlperf(0.435, "T_c", "s", "time of a ResNet-50 step on an A100", "resnet50")
COSMOFLOW_SAMPLE_SIZE = _mlperf(2_828_486, "c", "B", "mean size of a CosmoFlow sample", "cosmoflow")
COSMOFLOW_BATCH_SIZE = _mlperf(1, "B", "1", "CosmoFlow samples a GPU takes in one step", "cosmoflow")
COSMOFLOW_COMPUTE_H100 = _mlperf(0.0035, "T_c", "s", "time of a CosmoFlow step on an H100", "cosmoflow")
COSMOFLOW_COMPUTE_A100 = _mlperf(0.00551, "T_c", "s", "time of a CosmoFlow step on an A100", "cosmoflow")

# --- storage architecture ---------------------------------------------------------------------------------------------
STORAGE_DEMAND = Constant(
    80e6,
    symbol="d",
    unit="B/s",
    meaning="data that one GPU reads while it trains",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=10e6,
    high=500e6,
)
STORAGE_NODE_BANDWIDTH = Constant(
    28e9,
    symbol="B_n",
    unit="B/s",
    meaning="bandwidth of one storage node",
    source="assumed: four NVMe drives of 7 GB/s, as in the draft lab; table 1.1 of the Lustre Operations Manual has "
    "25 GB/s of reads from one server in production and 50 GB/s as the practical limit",
    kind="assumed",
)
METADATA_SERVER_RATE = Constant(
    50_000,
    symbol="μ_m",
    unit="1/s",
    meaning="operations a second of one metadata server; a range, not a point truth",
    source="Lustre Software Release 2.x Operations Manual, table 1.1: in production 15,000 creates/s and 50,000 "
    "stats/s in older editions, 100,000 and 200,000 in newer ones",
    kind="datasheet",
    low=15_000,
    high=200_000,
)
METADATA_SERVERS_MOST = Constant(
    256,
    symbol="",
    unit="1",
    meaning="most metadata servers of one file system",
    source="Lustre Software Release 2.x Operations Manual, table 1.1 (56 in production)",
    kind="datasheet",
)
OPERATIONS_PER_FILE = Constant(
    3,
    symbol="m",
    unit="1",
    meaning="metadata operations for reading one file: open, stat, close",
    source="assumed: one of each, nothing cached; real clients send 1 to 5",
    kind="assumed",
    low=1,
    high=10,
)
OBJECT_PREFIX_RATE = Constant(
    5_500,
    symbol="μ_p",
    unit="1/s",
    meaning="GET requests a second that one partitioned prefix carries at the least (partitioning takes time)",
    source="Amazon S3 User Guide, Best practices design patterns: optimizing Amazon S3 performance",
    kind="datasheet",
)
OBJECT_FIRST_BYTE = Constant(
    0.150,
    symbol="L",
    unit="s",
    meaning="time from a GET to its first byte; middle of the published 100 to 200 ms",
    source="Amazon S3 User Guide, Best practices design patterns: optimizing Amazon S3 performance",
    kind="datasheet",
    low=0.100,
    high=0.200,
)
OBJECT_CONNECTION_BANDWIDTH = Constant(
    87.5e6,
    symbol="β",
    unit="B/s",
    meaning="bandwidth of one connection once bytes flow; middle of the published 85 to 90 MB/s",
    source="Amazon S3 User Guide, Performance design patterns: one concurrent request for each 85 to 90 MB/s",
    kind="datasheet",
    low=85e6,
    high=90e6,
)
OBJECT_GET_PRICE = Constant(
    0.0004 / 1000,
    symbol="p_g",
    unit="$",
    meaning="fee for one GET request",
    source="Amazon S3 pricing, Standard class, US East: $0.0004 per 1,000 GETs (list price, 2025)",
    kind="datasheet",
)
STORAGE_CHECKPOINT_BYTES = Constant(
    14,
    symbol="b",
    unit="B",
    meaning="bytes of a checkpoint for each parameter: 2 weight, 4 master copy, 8 Adam moments; gradients are not kept",
    source="Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, 2020, section "
    "3.1, without its 2 bytes of gradient; BLOOM's 2.3 TB for 176 billion parameters are 13.1",
    kind="exact",
)
EGRESS_PRICE_1 = Constant(
    0.09e-9,
    symbol="p_e",
    unit="$/B",
    meaning="price of data leaving a cloud, first tier",
    source="Amazon EC2 on-demand pricing, data transfer out to the internet, US East (list price, 2025)",
    kind="datasheet",
    low=0,
    high=0.12e-9,
)
EGRESS_TIER_1 = Constant(
    10_240e9,
    symbol="",
    unit="B",
    meaning="size of the first egress tier, 10 TB counted as 10,240 GB",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_PRICE_2 = Constant(
    0.085e-9,
    symbol="",
    unit="$/B",
    meaning="price of data leaving a cloud, second tier",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_TIER_2 = Constant(
    40_960e9,
    symbol="",
    unit="B",
    meaning="size of the second egress tier, the next 40 TB",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_PRICE_3 = Constant(
    0.07e-9,
    symbol="",
    unit="$/B",
    meaning="price of data leaving a cloud, third tier",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_TIER_3 = Constant(
    102_400e9,
    symbol="",
    unit="B",
    meaning="size of the third egress tier, the next 100 TB",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_PRICE_4 = Constant(
    0.05e-9,
    symbol="",
    unit="$/B",
    meaning="price of data leaving a cloud, beyond the third tier",
    source="as the first tier's price",
    kind="datasheet",
)
GPU_HOUR_NEAR = Constant(
    3.50,
    symbol="p_n",
    unit="$/h",
    meaning="price of a GPU for an hour next to the data",
    source="assumed: the draft lab's price (lab 04, Machine Learning Systems, volume 2, March 2026)",
    kind="assumed",
    low=0.50,
    high=10.00,
)
GPU_HOUR_FAR = Constant(
    2.50,
    symbol="p_f",
    unit="$/h",
    meaning="price of a GPU for an hour away from the data",
    source="assumed: a dollar less than next to the data, so that the question has two sides",
    kind="assumed",
    low=0.50,
    high=10.00,
)
WAN_BANDWIDTH = Constant(
    12.5e9,
    symbol="B_w",
    unit="B/s",
    meaning="bandwidth between the two places, a link of 100 Gb/s used in full",
    source="assumed: the draft lab's link (lab 04, Machine Learning Systems, volume 2, March 2026)",
    kind="assumed",
    low=0.125e9,
    high=50e9,
)
STORAGE_FLEET = Constant(
    4096,
    symbol="N",
    unit="1",
    meaning="GPUs that read the dataset",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=128,
    high=16384,
)
STORAGE_FILE_SIZE = Constant(
    4e6,
    symbol="s",
    unit="B",
    meaning="size of a file that holds one sample",
    source="assumed: a large image; 62.5 kB is the small sample of the I/O lesson",
    kind="assumed",
    low=4e3,
    high=1e9,
)
STORAGE_SHARD_SIZE = Constant(
    1e9,
    symbol="s",
    unit="B",
    meaning="size of a shard that holds many samples",
    source="assumed: between the 100 MB and a few GB that shard formats are usually cut to",
    kind="assumed",
    low=10e6,
    high=10e9,
)
STORAGE_REQUEST_SIZE = Constant(
    8e6,
    symbol="s",
    unit="B",
    meaning="bytes that one GET fetches",
    source="Amazon S3 User Guide, Performance design patterns: ranges of 8 to 16 MB",
    kind="datasheet",
    low=4e3,
    high=1e9,
)
STORAGE_NODES = Constant(
    48,
    symbol="n_s",
    unit="1",
    meaning="storage nodes",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=1,
    high=512,
)
METADATA_SERVERS = Constant(
    1,
    symbol="n_m",
    unit="1",
    meaning="metadata servers",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026); "
    "the range ends where table 1.1 of the Lustre Operations Manual ends",
    kind="assumed",
    low=1,
    high=256,
)
DIRECTORY_SPREAD = Constant(
    1,
    symbol="σ",
    unit="1",
    meaning="share of the operations in directories that are spread evenly over all metadata servers",
    source="assumed: all of them, the best case; without striped or remote directories it is 0",
    kind="assumed",
    low=0,
    high=1,
)
OBJECT_PREFIXES = Constant(
    1,
    symbol="n_p",
    unit="1",
    meaning="prefixes over which the keys are spread evenly",
    source="assumed: what a bucket has before anybody thinks of it",
    kind="assumed",
    low=1,
    high=10000,
)
OBJECT_CONNECTIONS = Constant(
    16,
    symbol="c",
    unit="1",
    meaning="connections that one GPU keeps open to the object store",
    source="assumed: the Amazon S3 User Guide has about 15 for a link of 10 Gb/s",
    kind="assumed",
    low=1,
    high=256,
)
STORAGE_CHECKPOINT_PARAMETERS = Constant(
    175e9,
    symbol="P",
    unit="1",
    meaning="parameters of the model whose checkpoints are written",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=1e9,
    high=1e12,
)
STORAGE_CHECKPOINT_INTERVAL = Constant(
    1800,
    symbol="τ",
    unit="s",
    meaning="time from one checkpoint to the next",
    source="assumed: twice an hour, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=60,
    high=14400,
)
STORAGE_CHECKPOINT_SHARE = Constant(
    0.5,
    symbol="φ",
    unit="1",
    meaning="share of the storage bandwidth that a checkpoint takes while it is written",
    source="assumed: reads and writes get half each",
    kind="assumed",
    low=0.1,
    high=1,
)
DATASET_SIZE = Constant(
    100e12,
    symbol="S",
    unit="B",
    meaning="size of the dataset that might be moved",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=1e12,
    high=10e15,
)
RELOCATION_GPUS = Constant(
    512,
    symbol="N_j",
    unit="1",
    meaning="GPUs of the job that might be moved",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=8,
    high=16384,
)
RELOCATION_HOURS = Constant(
    24,
    symbol="h",
    unit="h",
    meaning="length of the run",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    kind="assumed",
    low=1,
    high=720,
)
STORAGE_QUEUE_LOAD = Constant(
    0.8,
    symbol="",
    unit="1",
    meaning="load from which on the page says that queues build up",
    source="chosen for the lesson: at one server with random arrivals (M/M/1) a request then takes 5 times its service",
    kind="assumed",
)
STORAGE_CHALLENGE_FLEET = Constant(
    16384,
    symbol="N",
    unit="1",
    meaning="GPUs of the challenge",
    source="chosen for the lesson: four times the fleet of the message",
    kind="assumed",
)
STORAGE_CHALLENGE_LOAD = Constant(
    0.6,
    symbol="",
    unit="1",
    meaning="load below which the challenge wants every limit",
    source="chosen for the lesson: room for bursts and growth",
    kind="assumed",
)
STORAGE_CHALLENGE_FEES = Constant(
    200_000,
    symbol="",
    unit="$",
    meaning="request fees that the challenge allows in 30 days",
    source="chosen for the lesson: 8 MB ranges stay below it, 4 MB ranges do not",
    kind="assumed",
)

# --- DRF story --------------------------------------------------------------------------------------------------------
DRF_CPU = Constant(
    200,
    symbol="c",
    unit="1",
    meaning="virtual CPUs of the shared pool",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
    low=1,
    high=10_000,
)
DRF_MEMORY = Constant(
    800e9,
    symbol="c",
    unit="B",
    meaning="memory of the shared pool",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
    low=1e9,
    high=100_000e9,
)
DRF_GPUS = Constant(
    16,
    symbol="c",
    unit="1",
    meaning="GPUs of the shared pool",
    source="Two nodes of 8; the story's jobs need none, so the value matters only to jobs that students add",
    kind="assumed",
    low=1,
    high=10_000,
)
DRF_GPU_MEMORY = Constant(
    1280e9,
    symbol="c",
    unit="B",
    meaning="GPU memory of the shared pool",
    source="16 GPUs of 80 GB; the story's jobs need none, so the value matters only to jobs that students add",
    kind="assumed",
    low=1e9,
    high=1_000_000e9,
)
DRF_EXECUTOR_CPU = Constant(
    2,
    symbol="d",
    unit="1",
    meaning="virtual CPUs of one executor",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_EXECUTOR_MEMORY = Constant(
    16e9,
    symbol="d",
    unit="B",
    meaning="memory of one executor",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_HEAVIEST_CPU = Constant(
    60,
    symbol="s",
    unit="1",
    meaning="virtual CPUs that the heaviest job holds at the start",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_MEDIUM_CPU = Constant(
    40,
    symbol="s",
    unit="1",
    meaning="virtual CPUs that the medium job holds at the start",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_LIGHT_CPU = Constant(
    20,
    symbol="s",
    unit="1",
    meaning="virtual CPUs that the light evaluation holds at the start",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_HEAVY_MEMORY = Constant(
    240e9,
    symbol="s",
    unit="B",
    meaning="memory that the heaviest and the medium job each hold at the start",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_LIGHT_MEMORY = Constant(
    40e9,
    symbol="s",
    unit="B",
    meaning="memory that the light evaluation holds at the start",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
)
DRF_EXECUTORS = Constant(
    15,
    symbol="n",
    unit="1",
    meaning="executors to hand out",
    source="Notebook on fair scheduling (the story)",
    kind="assumed",
    low=0,
    high=400,
)
DRF_STEP = Constant(
    1,
    symbol="t",
    unit="1",
    meaning="step of the hand-out that is shown",
    source="The first one, where the story begins",
    kind="assumed",
    low=0,
    high=400,
)
DRF_CEILING = Constant(
    30,
    symbol="",
    unit="1",
    meaning="most new executors of a job in the notebook",
    source="Notebook on fair scheduling",
    kind="assumed",
)
DRF_SMALL_CEILING = Constant(
    5,
    symbol="",
    unit="1",
    meaning="a ceiling low enough to bind before the story's pool is full",
    source="Chosen for the lesson: a third of the 15 executors",
    kind="assumed",
)
DRF_CLAIM = Constant(
    1,
    symbol="",
    unit="1",
    meaning="claimed over true demand of one resource",
    source="1 is the truth; the range covers the lies in the literature",
    kind="assumed",
    low=0.1,
    high=10,
)

# --- notebook sharing -------------------------------------------------------------------------------------------------
_TALK = "slides of a talk on scheduling notebooks at cell granularity, statistics of a public trace of think times"
THINK_MEAN = Constant(
    15, symbol="Z", unit="s", meaning="mean pause between two cells", source=_TALK, kind="measured", low=1, high=300
)
THINK_DEVIATION = Constant(
    696, symbol="σ_Z", unit="s", meaning="standard deviation of a pause", source=_TALK, kind="measured"
)
THINK_MAXIMUM = Constant(40_000, symbol="Z_max", unit="s", meaning="longest pause", source=_TALK, kind="measured")
THINK_SHORT_MEDIAN = Constant(
    0.5,
    symbol="m_Z",
    unit="s",
    meaning="median of the short pauses",
    source="half a second: cells run one after another by key; the three measured figures allow at most 5.8 s",
    kind="assumed",
)
THINK_SHORT_SIGMA = Constant(
    1.35,
    symbol="s_Z",
    unit="1",
    meaning="deviation of the logarithm of the short pauses",
    source="one short pause in a hundred is longer than 12 s; leaves a mean of 1.2 s to the short ones",
    kind="assumed",
)
_SYNTHETIC = "chosen so that A to D last 2, 3, 6 and 8 minutes alone; the talk's own notebooks are not available"
NOTEBOOK_USERS = Constant(
    40, symbol="", unit="1", meaning="notebook users who hold a node each", source="the lesson's story", kind="assumed"
)
NOTEBOOK_CORES = Constant(
    8,
    symbol="C",
    unit="1",
    meaning="cores of the shared node; the synthetic notebooks' lengths are those on this many",
    source="small enough to see each core in a chart",
    kind="assumed",
    low=2,
    high=64,
)
NOTEBOOK_COPIES = Constant(
    1,
    symbol="",
    unit="1",
    meaning="copies of each notebook on the node",
    source="the talk's study has one of each",
    kind="assumed",
    low=1,
    high=5,
)
NOTEBOOK_SHORT_CELL = Constant(
    20, symbol="", unit="s", meaning="length of a cell of A and B, alone", source=_SYNTHETIC, kind="assumed"
)
NOTEBOOK_LONG_CELL = Constant(
    30, symbol="", unit="s", meaning="length of a cell of C and D, alone", source=_SYNTHETIC, kind="assumed"
)
NOTEBOOK_PAIR_CELL = Constant(
    60,
    symbol="",
    unit="s",
    meaning="length of the one cell of each notebook of the pair, alone",
    source="the question's two notebooks; the answer does not depend on the length",
    kind="assumed",
)
NOTEBOOK_OVERHEAD = Constant(
    0,
    symbol="h",
    unit="s",
    meaning="time to give a cell its cores",
    source="the question's case; from milliseconds (cores added to a process) to half a minute (a container started)",
    kind="assumed",
    low=0,
    high=30,
)
NOTEBOOK_LOSS = Constant(
    0,
    symbol="",
    unit="1",
    meaning="share of the speed lost while threads exceed cores",
    source="the question's case; depends on the program, and is a knob because of that",
    kind="assumed",
    low=0,
    high=0.5,
)
NOTEBOOK_ANTT_BOUND = Constant(
    1.5,
    symbol="",
    unit="1",
    meaning="longest mean slowdown (ANTT) that users accept",
    source="half as long again",
    kind="assumed",
    low=1.05,
    high=5,
)
NOTEBOOK_CULL = Constant(
    86400,
    symbol="τ",
    unit="s",
    meaning="idle time after which a notebook is culled; a day is longer than any pause",
    source="off at first; common settings are a quarter of an hour to a day",
    kind="assumed",
    low=900,
    high=86400,
)
NOTEBOOK_ENDLESS = Constant(
    0,
    symbol="",
    unit="1",
    meaning="threads of a cell that never ends, such as a server left running",
    source="nobody left one running",
    kind="assumed",
    low=0,
    high=64,
)
NOTEBOOK_DRAW = Constant(
    1,
    symbol="",
    unit="1",
    meaning="number of the random draw of pauses",
    source="any whole number",
    kind="assumed",
    low=1,
    high=20,
)

# --- autoscaling ------------------------------------------------------------------------------------------------------
HPA_SYNC = Constant(
    15,
    symbol="",
    unit="s",
    meaning="time between two looks of the Horizontal Pod Autoscaler",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default of --horizontal-pod-autoscaler-sync-period",
    kind="datasheet",
)
HPA_WINDOW = Constant(
    300,
    symbol="",
    unit="s",
    meaning="window over which the highest recommendation counts before scaling down",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default scale-down stabilization window",
    kind="datasheet",
    low=0,
    high=1800,
)
HPA_GROWTH_FACTOR = Constant(
    2,
    symbol="",
    unit="1",
    meaning="most that a request may be multiplied by within the growth period",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default scale-up policy, 100 percent in 15 s",
    kind="datasheet",
)
HPA_GROWTH_PODS = Constant(
    4,
    symbol="",
    unit="1",
    meaning="replicas that may be added within the growth period even if that is more than a doubling",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default scale-up policy, 4 pods in 15 s",
    kind="datasheet",
)
HPA_GROWTH_PERIOD = Constant(
    15,
    symbol="",
    unit="s",
    meaning="time over which the growth of a request is limited",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: periodSeconds of the default scale-up policies",
    kind="datasheet",
)
HPA_TOLERANCE = Constant(
    0.1,
    symbol="",
    unit="1",
    meaning="relative distance from the target within which the replicas are let be",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default tolerance",
    kind="datasheet",
    low=0,
    high=0.5,
)
HPA_TARGET = Constant(
    0.6,
    symbol="",
    unit="1",
    meaning="utilization that the autoscaler holds or plans for",
    source="assumed: the target of the cold start preset",
    kind="assumed",
    low=0.3,
    high=0.95,
)
SCALE_UP_ABOVE = Constant(
    0.8,
    symbol="u",
    unit="1",
    meaning="utilization above which a replica is added",
    source="assumed: the upper threshold of the lesson's question",
    kind="assumed",
    low=0.3,
    high=1.0,
)
SCALE_DOWN_BELOW = Constant(
    0.5,
    symbol="l",
    unit="1",
    meaning="utilization below which a replica is removed",
    source="assumed: the lower threshold of the lesson's question",
    kind="assumed",
    low=0.0,
    high=0.9,
)
COLD_START = Constant(
    120,
    symbol="",
    unit="s",
    meaning="time from the order of a replica to its first request",
    source="assumed: minutes are usual where a machine is started and tens of GB of weights are loaded",
    kind="assumed",
    low=0,
    high=900,
)
FORECAST_HORIZON = Constant(
    300,
    symbol="",
    unit="s",
    meaning="how far ahead the predictive controller knows the load",
    source="assumed: longer than the assumed cold start",
    kind="assumed",
    low=0,
    high=1800,
)
FORECAST_REFRESH = Constant(
    300,
    symbol="",
    unit="s",
    meaning="time between two forecasts of the predictive controller",
    source="assumed: a forecast is made anew every five minutes",
    kind="assumed",
)
INFERENCE_TIME = Constant(
    0.5,
    symbol="S",
    unit="s",
    meaning="mean time of one request on a replica",
    source="assumed: a short answer of a language model; a replica serves one request at a time",
    kind="assumed",
    low=0.05,
    high=5,
)
LATENCY_TARGET = Constant(
    1.0,
    symbol="",
    unit="s",
    meaning="target of the mean response time",
    source="assumed: twice the assumed time of a request",
    kind="assumed",
    low=0.1,
    high=10,
)
REPLICA_PRICE = Constant(
    3,
    symbol="",
    unit="USD/h",
    meaning="price of a replica with one GPU, starting or ready",
    source="assumed: a round figure for one data center GPU on demand",
    kind="assumed",
    low=0.1,
    high=20,
)

AUTOSCALE_BASE = Constant(
    0.9,
    symbol="a",
    unit="1",
    meaning="load before a step or burst, or at night [replicas' worth of work]",
    source="assumed: the load of the lesson's question",
    kind="assumed",
    low=0.1,
    high=20,
)
AUTOSCALE_PEAK = Constant(
    12,
    symbol="",
    unit="1",
    meaning="load after a step, in a burst, or at noon [replicas' worth of work]",
    source="assumed: a day that needs a dozen replicas at noon",
    kind="assumed",
    low=0.1,
    high=20,
)
FORECAST_ERROR = Constant(
    0.05,
    symbol="",
    unit="1",
    meaning="standard deviation of forecast ÷ true load",
    source="assumed: a good forecast",
    kind="assumed",
    low=0,
    high=0.5,
)
COOL_DOWN_UP = Constant(
    0,
    symbol="",
    unit="s",
    meaning="least time from any change to the next one up",
    source="assumed: none, as in Kubernetes",
    kind="assumed",
    low=0,
    high=1800,
)
COOL_DOWN_DOWN = Constant(
    300,
    symbol="",
    unit="s",
    meaning="least time from any change to the next one down",
    source="Amazon EC2 Auto Scaling user guide: default cooldown of a group",
    kind="datasheet",
    low=0,
    high=1800,
)
AUTOSCALE_FLOOR = Constant(
    1,
    symbol="",
    unit="1",
    meaning="least replicas that may be requested",
    source="assumed: Kubernetes' default",
    kind="assumed",
    low=1,
    high=20,
)
AUTOSCALE_CEILING = Constant(
    20,
    symbol="",
    unit="1",
    meaning="most replicas that may be requested",
    source="assumed: more than the assumed day needs",
    kind="assumed",
    low=1,
    high=40,
)
AUTOSCALE_START = Constant(
    1,
    symbol="",
    unit="1",
    meaning="replicas ready at the beginning",
    source="assumed: the lesson's question begins with one",
    kind="assumed",
    low=1,
    high=40,
)
AUTOSCALE_SCV = Constant(
    1,
    symbol="",
    unit="1",
    meaning="squared coefficient of variation of request times",
    source="assumed: exponential request times, for which the latency is exact",
    kind="assumed",
    low=0,
    high=10,
)
SLO_SHARE = Constant(
    0.99,
    symbol="",
    unit="1",
    meaning="share of the time in which the latency target shall be met",
    source="assumed: the lesson's challenge",
    kind="assumed",
)
COST_LIMIT = Constant(
    1.3,
    symbol="",
    unit="1",
    meaning="most that the fleet may cost, in units of the cheapest one's cost",
    source="assumed: the lesson's challenge",
    kind="assumed",
)

# --- spot training ----------------------------------------------------------------------------------------------------
SPOT_WORK = Constant(
    100 * 3600,
    symbol="T",
    unit="s",
    meaning="work of the message's training run",
    source="assumed: a round 100 hours, so that hours read as percent",
    kind="assumed",
    low=10 * 3600,
    high=1000 * 3600,
)
SPOT_PRICE = Constant(
    1,
    symbol="p",
    unit="$/h",
    meaning="price of a spot node for an hour",
    source="assumed: a round dollar, so that hours read as dollars",
    kind="assumed",
    low=0.1,
    high=10,
)
SPOT_ON_DEMAND_PRICE = Constant(
    3,
    symbol="p_d",
    unit="$/h",
    meaning="price of a node for an hour that is never taken away",
    source="assumed: three times spot",
    kind="assumed",
    low=0.1,
    high=10,
)
SPOT_MTBF = Constant(
    5 * 3600,
    symbol="M_1",
    unit="s",
    meaning="mean time between interruptions of one spot node",
    source="assumed: often enough that a 100-hour run meets a score of interruptions",
    kind="assumed",
    low=15 * 60,
    high=720 * 3600,
)
SPOT_NODES = Constant(
    1,
    symbol="n",
    unit="1",
    meaning="nodes in the gang",
    source="assumed: the message's run has one",
    kind="assumed",
    low=1,
    high=64,
)
SPOT_INTERVAL = Constant(
    120 * 60,
    symbol="τ",
    unit="s",
    meaning="work between two checkpoints",
    source="assumed: none of the answers to the lesson's question, so that the knob gives nothing away",
    kind="assumed",
    low=60,
    high=24 * 3600,
)
SPOT_DUMP = Constant(
    180,
    symbol="δ",
    unit="s",
    meaning="time to write a checkpoint",
    source="assumed: 3 minutes, a little more than a two-minute notice",
    kind="assumed",
    low=30,
    high=1800,
)
SPOT_RESTART = Constant(
    360,
    symbol="R",
    unit="s",
    meaning="time from an interruption until work goes on: a new node, the last checkpoint read",
    source="assumed: 6 minutes; it makes the notes' formula say $100.10",
    kind="assumed",
    low=0,
    high=3600,
)
SPOT_NOTICE = Constant(
    120,
    symbol="",
    unit="s",
    meaning="warning before a spot node is taken away",
    source="Amazon EC2 User Guide, Spot Instance interruption notices: two minutes, best effort",
    kind="datasheet",
)
SPOT_DEADLINE = Constant(
    125 * 3600,
    symbol="",
    unit="s",
    meaning="when the training run has to be done",
    source="assumed: a quarter more than the work itself",
    kind="assumed",
    low=10 * 3600,
    high=1500 * 3600,
)
SPOT_WORKERS = Constant(
    12,
    symbol="n",
    unit="1",
    meaning="workers of the elastic job",
    source="assumed: between the best numbers for different goals",
    kind="assumed",
    low=1,
    high=128,
)
SPOT_SERIAL = Constant(
    0.02,
    symbol="s",
    unit="1",
    meaning="share of a one-worker step that cannot be split",
    source="assumed: logging, data loading and the optimizer's serial part",
    kind="assumed",
    low=0,
    high=0.5,
)
SPOT_STEP_TIME = Constant(
    2,
    symbol="t",
    unit="s",
    meaning="time of a training step on one worker",
    source="assumed: a large batch on one GPU",
    kind="assumed",
)
SPOT_GRADIENT = Constant(
    2e9,
    symbol="G",
    unit="B",
    meaning="gradient that each worker contributes to a step",
    source="assumed: 10⁹ parameters of 2 bytes",
    kind="assumed",
    low=0,
    high=40e9,
)
SPOT_BANDWIDTH = Constant(
    50e9,
    symbol="B",
    unit="B/s",
    meaning="bandwidth of a worker's link, in one direction",
    source="assumed: a link of 400 Gb/s used in full",
    kind="assumed",
    low=1e9,
    high=900e9,
)
SPOT_LATENCY = Constant(
    10e-6,
    symbol="α",
    unit="s",
    meaning="time to start one message",
    source="assumed: a fast cluster network, software included",
    kind="assumed",
    low=0,
    high=1e-3,
)
SPOT_TRAIN_DEADLINE = Constant(
    24 * 3600,
    symbol="",
    unit="s",
    meaning="when the elastic job has to be done",
    source="assumed: a day",
    kind="assumed",
    low=3600,
    high=200 * 3600,
)
SPOT_BUDGET = Constant(
    600,
    symbol="",
    unit="$",
    meaning="what the elastic job may cost",
    source="assumed: twice what one on-demand worker costs",
    kind="assumed",
    low=50,
    high=5000,
)
SPOT_EFFICIENCY = Constant(
    0.7,
    symbol="e",
    unit="1",
    meaning="least speed-up per worker that is called efficient",
    source="assumed: the lecture notes' knee",
    kind="assumed",
    low=0.3,
    high=0.95,
)

# --- GPU slices -------------------------------------------------------------------------------------------------------
SLICES_COMPUTE = Constant(
    7,
    symbol="",
    unit="1",
    meaning="compute slices of a GPU that can be cut in slices",
    source="NVIDIA, Multi-Instance GPU User Guide, Concepts: A100 and H100",
    kind="datasheet",
)
SLICES_MEMORY = Constant(
    8,
    symbol="",
    unit="1",
    meaning="memory slices of a GPU that can be cut in slices",
    source="NVIDIA, Multi-Instance GPU User Guide, Concepts: A100 and H100",
    kind="datasheet",
)
SLICES_ONE = Constant(
    1,
    symbol="",
    unit="1",
    meaning="instances of profile 1g.10gb that are asked for",
    source="assumed: the message's request",
    kind="assumed",
    low=0,
    high=7,
)
SLICES_ONE_WIDE = Constant(
    0,
    symbol="",
    unit="1",
    meaning="instances of profile 1g.20gb that are asked for",
    source="assumed: the message's request",
    kind="assumed",
    low=0,
    high=4,
)
SLICES_TWO = Constant(
    0,
    symbol="",
    unit="1",
    meaning="instances of profile 2g.20gb that are asked for",
    source="assumed: the message's request",
    kind="assumed",
    low=0,
    high=4,
)
SLICES_THREE = Constant(
    2,
    symbol="",
    unit="1",
    meaning="instances of profile 3g.40gb that are asked for",
    source="assumed: the message's request",
    kind="assumed",
    low=0,
    high=3,
)
SLICES_FOUR = Constant(
    0,
    symbol="",
    unit="1",
    meaning="instances of profile 4g.40gb that are asked for",
    source="assumed: the message's request",
    kind="assumed",
    low=0,
    high=2,
)
SLICES_SEVEN = Constant(
    0,
    symbol="",
    unit="1",
    meaning="instances of profile 7g.80gb that are asked for",
    source="assumed: the message's request",
    kind="assumed",
    low=0,
    high=1,
)
SLICES_GPUS = Constant(
    2,
    symbol="",
    unit="1",
    meaning="GPUs that serve the stream of requests",
    source="assumed: few enough to see every slice",
    kind="assumed",
    low=1,
    high=4,
)
SLICES_REQUESTS = Constant(
    60,
    symbol="",
    unit="1",
    meaning="requests of the stream",
    source="assumed: enough for the GPUs to fill up and turn over several times",
    kind="assumed",
)
SLICES_STAY = Constant(
    8,
    symbol="",
    unit="1",
    meaning="mean stay of an instance, in arrivals",
    source="assumed: somewhat more is asked for than two GPUs hold",
    kind="assumed",
    low=1,
    high=30,
)
SLICES_DRAW = Constant(
    1,
    symbol="",
    unit="1",
    meaning="number of the random stream",
    source="assumed: the first of twenty",
    kind="assumed",
    low=1,
    high=20,
)
SLICES_MOMENT = Constant(
    30,
    symbol="",
    unit="1",
    meaning="request after whose arrival the GPUs are shown",
    source="assumed: the middle of the stream",
    kind="assumed",
    low=1,
    high=60,
)
SLICES_FREE = Constant(
    0.2,
    symbol="p",
    unit="1",
    meaning="share of the time in which a node is free",
    source="assumed: the lecture notes' cluster, 80 % busy",
    kind="assumed",
    low=0.01,
    high=0.99,
)
SLICES_NODES = Constant(
    320,
    symbol="N",
    unit="1",
    meaning="nodes that a gang may run on",
    source="assumed: as many as have the gang's 64 free on average",
    kind="assumed",
    low=64,
    high=1024,
)
SLICES_NEEDED = Constant(
    64,
    symbol="n",
    unit="1",
    meaning="nodes that a gang takes, all at the same time",
    source="assumed: the lecture notes' gang",
    kind="assumed",
    low=1,
    high=256,
)
SLICES_BLOCK = Constant(
    8,
    symbol="b",
    unit="1",
    meaning="nodes that come free together",
    source="assumed: a rack, or what one job held",
    kind="assumed",
    low=1,
    high=64,
)
SLICES_NODE_GPUS = Constant(
    8,
    symbol="m",
    unit="1",
    meaning="GPUs of a node",
    source="NVIDIA DGX A100 and DGX H100 datasheets",
    kind="datasheet",
)
SLICES_JOB = Constant(
    8,
    symbol="g",
    unit="1",
    meaning="GPUs that the next job takes, all on one node",
    source="assumed: a whole node",
    kind="assumed",
    low=1,
    high=8,
)
