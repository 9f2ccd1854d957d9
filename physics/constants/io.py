"""Constants: I/O bottleneck."""

from physics.constants import storage
from physics.constants.kinds import Constant

IO_ACCELERATORS = Constant(
    128, symbol="N", unit="1", meaning="GPUs of the training job", source="the message of the lesson", low=1, high=4096
)
IO_ACCELERATORS_PER_NODE = Constant(
    8, unit="1", meaning="GPUs in one node", source="NVIDIA DGX H100 datasheet (2022): 8 H100 GPUs", kind="datasheet"
)
IO_BATCH_SIZE = Constant(
    64,
    symbol="B",
    unit="1",
    meaning="samples a GPU takes in one step",
    source="the message of the lesson",
    low=1,
    high=1024,
)
IO_SAMPLE_SIZE = Constant(
    62.5e3,
    symbol="c",
    unit="B",
    meaning="size of one stored sample",
    source="makes the 80 MB/s a GPU of the draft lab true (64 in 50 ms); the range holds UNet3D's 147 MB",
    low=1e3,
    high=200e6,
)
IO_CACHED = Constant(
    0,
    symbol="x",
    unit="1",
    meaning="share of the dataset for which the GPU nodes' memory has room",
    source="assumed: none, as if every epoch were the first; Mohan et al. (2021) study 35 and 65 %, among others",
    low=0,
    high=1,
)
IO_MEMORY_BANDWIDTH = Constant(
    10e9,
    symbol="M",
    unit="B/s",
    meaning="rate at which one worker copies a cached sample out of its node's memory",
    source="assumed: the order of one core's copying; as fast as the fastest stream that can be set",
)
IO_SHUFFLE_BUFFER = Constant(
    1000,
    symbol="B",
    unit="1",
    meaning="samples for which a shuffle buffer has room",
    source="the size in WebDataset's documented examples, .shuffle(1000)",
    low=1,
    high=10_000_000,
)
IO_SAMPLES = Constant(
    1_281_167,
    symbol="N",
    unit="1",
    meaning="samples of the dataset that are read in sequence",
    source="Russakovsky et al., ImageNet Large Scale Visual Recognition Challenge, 2015: images to train on",
    kind="datasheet",
    low=2,
    high=100_000_000,
)
IO_COMPUTE_TIME = Constant(
    0.050,
    symbol="T_c",
    unit="s",
    meaning="time one training step computes",
    source="the message of the lesson",
    low=1e-3,
    high=2.0,
)
IO_WORKERS = Constant(
    1,
    symbol="W",
    unit="1",
    meaning="loader workers of one GPU",
    source="the message of the lesson: reads one at a time; 16 is a common share of a node's CPU cores",
    low=1,
    high=16,
)
IO_LATENCY = Constant(
    6.0e-3,
    symbol="L",
    unit="s",
    meaning="time of one small read before bytes flow: open, lock, read, close on a busy parallel file system",
    source="chosen so that one worker keeps the GPU 11.9 % busy; such reads take a tenth to tens of milliseconds",
    low=0.1e-3,
    high=50e-3,
)
IO_STREAM_BANDWIDTH = Constant(
    1e9,
    symbol="β",
    unit="B/s",
    meaning="rate of one worker's stream once bytes flow",
    source="the order of one client thread on a parallel file system",
    low=0.1e9,
    high=10e9,
)
IO_DECODE_TIME = Constant(
    0.5e-3,
    symbol="d",
    unit="s",
    meaning="time one worker decodes one sample",
    source="samples stored as ready arrays; JPEG images take 1 to 10 ms",
    low=0.0,
    high=20e-3,
)
IO_PACKING = Constant(
    1, symbol="k", unit="1", meaning="samples that one read brings", source="one file a sample", low=1, high=10_000
)
IO_PREFETCH_DEPTH = Constant(
    2,
    symbol="D",
    unit="1",
    meaning="batches read ahead",
    source="PyTorch DataLoader documentation: prefetch_factor is 2 by default (batches a worker)",
    low=0,
    high=64,
)
IO_STORAGE_NODES = Constant(
    24,
    unit="1",
    meaning="storage nodes of the parallel file system",
    source="the message of the lesson",
    low=1,
    high=96,
)
IO_STORAGE_NODE_BANDWIDTH = Constant(
    28e9,
    unit="B/s",
    meaning="rate of one storage node, or of the NVMe drives inside one GPU node",
    source="the message of the lesson: the draft lab's figure, four PCIe 4.0 or two PCIe 5.0 drives of 7 or 14 GB/s",
)
IO_STORAGE_NODE_IOPS = Constant(
    750e3,
    unit="1/s",
    meaning="small reads a storage node answers in a second",
    source="Lustre Software Release 2.x Operations Manual, table 1.1: 750,000 a second from one OSS in production",
    kind="datasheet",
    low=1e3,
    high=1e6,
)
IO_LOCAL_IOPS = Constant(
    4 * storage.LOCAL_DRIVE_READS,
    unit="1/s",
    meaning="small reads that the four NVMe drives inside one GPU node answer in a second",
    source="Samsung PM9A3 data sheet (2020), a PCIe 4.0 drive: 900,000 random reads of 4 KB a second from each",
    kind="datasheet",
)
IO_NODE_LINK = Constant(
    25e9,
    unit="B/s",
    meaning="rate of one GPU node's link to the store",
    source="one 200 Gbit/s port, headers left out",
    low=1e9,
    high=100e9,
)
IO_TARGET = Constant(
    0.80,
    unit="1",
    meaning="accelerator utilization that the lesson asks for",
    source="the lesson; MLPerf Storage asks for 0.9 (UNet3D, ResNet-50) and 0.7 (CosmoFlow)",
)
IO_TIME_SCV = Constant(
    1.0,
    symbol="c_io²",
    unit="1",
    meaning="squared coefficient of variation of the time to read a batch",
    source="as variable as exponential times",
    low=0.0,
    high=4.0,
)
IO_COMPUTE_SCV = Constant(
    0.0,
    symbol="c_c²",
    unit="1",
    meaning="squared coefficient of variation of the time a step computes",
    source="steps of one shape on one GPU take nearly the same time",
    low=0.0,
    high=4.0,
)
IO_STALL = Constant(
    0.01,
    symbol="ε",
    unit="1",
    meaning="share of steps that may wait for their batch",
    source="one step in a hundred costs little",
)
IO_MORE_STORAGE_NODES = Constant(
    48, unit="1", meaning="storage nodes after doubling them", source="twice those of the message"
)
IO_MORE_ACCELERATORS = Constant(256, unit="1", meaning="further GPUs on order", source="the message of the lesson")
IO_PACKED = Constant(
    32,
    symbol="k",
    unit="1",
    meaning="samples a read in the lesson's packed case",
    source="chosen: enough for one worker to reach the target",
)
IO_SLOW_DECODE_LATENCY = Constant(
    2.5e-3,
    symbol="L",
    unit="s",
    meaning="latency of a read in the lesson's second case, slow decoding",
    source="chosen so that a sample takes a worker as long as in the message",
)
IO_SLOW_DECODE_TIME = Constant(
    4.0e-3,
    symbol="d",
    unit="s",
    meaning="decoding of a sample in the lesson's second case",
    source="chosen within the 1 to 10 ms of JPEG images",
)
IO_CHALLENGE_WORKERS = Constant(
    2,
    symbol="W",
    unit="1",
    meaning="loader workers of one GPU that the lesson's challenge allows at most",
    source="chosen: too few to reach the challenge's utilization with one sample a read",
)
IO_CHALLENGE_STORAGE_NODES = Constant(
    2,
    unit="1",
    meaning="storage nodes that the lesson's challenge allows at most",
    source="chosen: the fewest that feed all GPUs of the challenge without slowing them",
)
IO_LOCAL_LATENCY = Constant(
    0.1e-3,
    symbol="L",
    unit="s",
    meaning="latency of a read from a drive in the node itself",
    source="the order of an NVMe drive's read time",
)


def _draft(value: float, unit: str, meaning: str) -> Constant:
    source = "Machine Learning Systems, volume 2, draft lab 04 (March 2026), first act; used for the corrections alone"
    return Constant(value, unit=unit, meaning=meaning, source=source)


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
