"""Constants: I/O bottleneck."""

from physics.constants.kinds import Constant, datasheet, measured

_MESSAGE = "the message of the lesson"

IO_ACCELERATORS = Constant(128, "1", "GPUs of the training job", _MESSAGE, symbol="N", low=1, high=4096)
IO_ACCELERATORS_PER_NODE = datasheet(8, "1", "GPUs in one node", "NVIDIA DGX H100 datasheet (2022): 8 H100 GPUs")
IO_BATCH_SIZE = Constant(64, "1", "samples a GPU takes in one step", _MESSAGE, symbol="B")
IO_SAMPLE_SIZE = Constant(62.5e3, "B", "size of one stored sample",
    "makes the 80 MB/s a GPU of the draft lab true (64 in 50 ms)", symbol="c")
IO_CACHED = Constant(0, "1", "share of the dataset for which the GPU nodes' memory has room",
    "assumed: none, as if every epoch were the first; Mohan et al. (2021) study 35 and 65%, among others",
    symbol="x", low=0, high=1)
IO_MEMORY_BANDWIDTH = Constant(10e9, "B/s", "rate at which one worker copies a cached sample out of its node's memory",
    "assumed: the order of one core's copying; as fast as the fastest stream that can be set", symbol="M")
IO_SHUFFLE_BUFFER = Constant(1000, "1", "samples for which a shuffle buffer has room",
    "the size in WebDataset's documented examples, .shuffle(1000)", symbol="B", low=1, high=10_000_000)
IO_SAMPLES = datasheet(1_281_167, "1", "samples of the dataset that are read in sequence",
    "Russakovsky et al., ImageNet Large Scale Visual Recognition Challenge, 2015: images to train on", symbol="N")
IO_COMPUTE_TIME = Constant(0.050, "s", "time one training step computes", _MESSAGE, symbol="T_c")
IO_WORKERS = Constant(1, "1", "loader workers of one GPU",
    "the message of the lesson: reads one at a time; 16 is a common share of a node's CPU cores",
    symbol="W", low=1, high=16)
IO_LATENCY = Constant(6.0e-3, "s",
    "time of one small read before bytes flow: open, lock, read, close on a busy parallel file system",
    "chosen so that one worker keeps the GPU 11.9% busy; such reads take a tenth to tens of milliseconds",
    symbol="L", low=0.1e-3, high=50e-3, step=0.1e-3)
IO_STREAM_BANDWIDTH = Constant(1e9, "B/s", "rate of one worker's stream once bytes flow",
    "the order of one client thread on a parallel file system", symbol="β")
IO_DECODE_TIME = Constant(0.5e-3, "s", "time one worker decodes one sample",
    "samples stored as ready arrays; JPEG images take 1 to 10 ms", symbol="d", low=0.0, high=20e-3, step=0.1e-3)
IO_CORES = datasheet(112, "1", "CPU cores of a GPU node",
    "NVIDIA DGX H100 datasheet (2022): two processors with 112 cores in all", symbol="n_c", low=8, high=128, step=8)
IO_FEW_CORES = Constant(32, "1", "CPU cores of a GPU node in the part on slow decoding",
    "chosen: four for each GPU, too few for its 80% at any number of workers", symbol="n_c")
IO_PACKING = Constant(1, "1", "samples that one read brings", "one file per sample; the range ends at a batch",
    symbol="k", low=1, high=64)
IO_READING = Constant(0.7, "1", "time to read a batch ÷ time to compute on it, in the part on jitter",
    "chosen: fast enough on average", symbol="ρ", low=0.05, high=1.5, step=0.05)
IO_PREFETCH_DEPTH = Constant(2, "1", "batches read ahead",
    "PyTorch DataLoader documentation: prefetch_factor is 2 by default (batches a worker)", symbol="D", low=0, high=64)
IO_STORAGE_NODES = Constant(24, "1", "storage nodes of the parallel file system", _MESSAGE, low=1, high=96)
IO_STORAGE_NODE_BANDWIDTH = Constant(28e9, "B/s", "rate of one storage node",
    "the message of the lesson: the draft lab's figure, four PCIe 4.0 or two PCIe 5.0 drives of 7 or 14 GB/s")
IO_DRIVE_BANDWIDTH = Constant(7e9, "B/s", "rate of one NVMe drive of a storage node",
    "the draft lab's figure, the sequential rate of a PCIe 4.0 drive")
IO_STORAGE_NODE_IOPS = datasheet(750e3, "1/s", "small reads a storage node answers in a second",
    "Lustre Software Release 2.x Operations Manual, table 1.1: 750,000 a second from one OSS in production")
IO_NODE_LINK = Constant(25e9, "B/s", "rate of one GPU node's link to the store",
    "one 200 Gbit/s port, headers left out", low=1e9, high=100e9)
IO_TARGET = Constant(0.80, "1", "accelerator utilization that the lesson asks for",
    "the lesson; MLPerf Storage asks for 0.9 (UNet3D, ResNet-50) and 0.7 (CosmoFlow)")
IO_TIME_SCV = Constant(1.0, "1", "squared coefficient of variation of the time to read a batch",
    "as variable as exponential times", symbol="c_io²", low=0.0, high=4.0, step=0.1)
IO_STALL = Constant(0.01, "1", "share of steps that may wait for their batch", "one step in a hundred costs little",
    symbol="ε")
IO_MORE_STORAGE_NODES = Constant(48, "1", "storage nodes after doubling them", "twice those of the message")
IO_MORE_ACCELERATORS = Constant(256, "1", "further GPUs on order", _MESSAGE)
IO_PACKED = Constant(32, "1", "samples a read in the lesson's packed case",
    "chosen: enough for one worker to reach the target", symbol="k")
IO_SLOW_DECODE_LATENCY = Constant(2.5e-3, "s", "latency of a read in the lesson's second case, slow decoding",
    "chosen so that a sample takes a worker as long as in the message", symbol="L")
IO_SLOW_DECODE_TIME = Constant(4.0e-3, "s", "decoding of a sample in the lesson's second case",
    "chosen within the 1 to 10 ms of JPEG images", symbol="d")
IO_CHALLENGE_WORKERS = Constant(2, "1", "loader workers of one GPU that the lesson's challenge allows at most",
    "chosen: too few to reach the target with one sample a read", symbol="W")
IO_CHALLENGE_STORAGE_NODES = Constant(2, "1", "storage nodes that the lesson's challenge allows at most",
    "chosen: a twelfth of the message's, and still more than the goal needs")
IO_ROOM = Constant(0.65, "1", "share of the dataset for which memory has room, in the lesson's second epoch",
    "Mohan et al. (2021): the larger of two cache sizes studied", symbol="x")

_UNET3D = "MLCommons, MLPerf Storage v1.0 (2024), workload files unet3d_h100.yaml and unet3d_a100.yaml"
_RESNET50 = "MLCommons, MLPerf Storage v1.0 (2024), workload files resnet50_h100.yaml and resnet50_a100.yaml"
_COSMOFLOW = "MLCommons, MLPerf Storage v1.0 (2024), workload files cosmoflow_h100.yaml and cosmoflow_a100.yaml"

UNET3D_SAMPLE_SIZE = measured(146_600_628, "B", "mean size of a UNet3D sample", _UNET3D, symbol="c")
UNET3D_BATCH_SIZE = measured(7, "1", "UNet3D samples a GPU takes in one step", _UNET3D, symbol="B")
UNET3D_COMPUTE_H100 = measured(0.323, "s", "time of a UNet3D step on an H100", _UNET3D, symbol="T_c")
UNET3D_COMPUTE_A100 = measured(0.636, "s", "time of a UNet3D step on an A100", _UNET3D, symbol="T_c")
RESNET50_SAMPLE_SIZE = measured(114_660, "B", "mean size of a ResNet-50 sample, to the byte", _RESNET50, symbol="c")
RESNET50_BATCH_SIZE = measured(400, "1", "ResNet-50 samples a GPU takes in one step", _RESNET50, symbol="B")
RESNET50_COMPUTE_H100 = measured(0.224, "s", "time of a ResNet-50 step on an H100", _RESNET50, symbol="T_c")
RESNET50_COMPUTE_A100 = measured(0.435, "s", "time of a ResNet-50 step on an A100", _RESNET50, symbol="T_c")
COSMOFLOW_SAMPLE_SIZE = measured(2_828_486, "B", "mean size of a CosmoFlow sample", _COSMOFLOW, symbol="c")
COSMOFLOW_BATCH_SIZE = measured(1, "1", "CosmoFlow samples a GPU takes in one step", _COSMOFLOW, symbol="B")
COSMOFLOW_COMPUTE_H100 = measured(0.0035, "s", "time of a CosmoFlow step on an H100", _COSMOFLOW, symbol="T_c")
COSMOFLOW_COMPUTE_A100 = measured(0.00551, "s", "time of a CosmoFlow step on an A100", _COSMOFLOW, symbol="T_c")
