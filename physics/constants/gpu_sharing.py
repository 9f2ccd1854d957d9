"""Constants: sharing a GPU."""

from physics.constants.kinds import Constant, datasheet, measured

_DRIVER = "listed by NVIDIA's driver, `nvidia-smi mig -lgip`, for the H100 and H200, which have one chip"
_PUZZLE = "assumed: for the pairing puzzle"

SHARE_PEAK = datasheet(989e12, "FLOP/s", "arithmetic rate of an H100 SXM, dense BF16",
    "NVIDIA, H100 Tensor Core GPU datasheet, SXM: 1,979 TFLOP/s with sparsity, half of it without", symbol="π")
SHARE_BANDWIDTH = datasheet(3.35e12, "B/s", "memory bandwidth of an H100 SXM",
    "NVIDIA, H100 Tensor Core GPU datasheet, SXM", symbol="β")
SHARE_MEMORY = datasheet(80e9, "B", "memory of an H100 SXM", "NVIDIA, H100 Tensor Core GPU datasheet, SXM")
SHARE_C2C = datasheet(450e9, "B/s", "rate at which a GPU reads host memory over NVLink-C2C",
    "NVIDIA, GH200 Grace Hopper Superchip datasheet: 900 GB/s in both directions together")
SHARE_PCIE = datasheet(64e9, "B/s", "rate at which a GPU reads host memory over PCIe 5.0 with 16 lanes",
    "NVIDIA, H100 Tensor Core GPU datasheet, SXM: 128 GB/s in both directions together")
SHARE_NEED = Constant(31e9, "B", "GPU memory that your job needs",
    "assumed: as job A of the pairing puzzle, decoding 32 sequences", low=2e9, high=80e9, step=1e9)
SHARE_OTHER_NEED = Constant(40e9, "B", "GPU memory that its neighbor needs",
    "assumed: as job E of the pairing puzzle, training", low=2e9, high=80e9, step=1e9)
SHARE_MULTIPROCESSORS = datasheet(132, "1", "multiprocessors of an H100 SXM",
    "NVIDIA, H100 Tensor Core GPU Architecture, 2022: H100 SXM5")
SHARE_MULTIPROCESSORS_2G = measured(32, "1", "multiprocessors of a 2g instance of an H100 SXM", _DRIVER)
SHARE_MULTIPROCESSORS_3G = measured(60, "1", "multiprocessors of a 3g instance of an H100 SXM", _DRIVER)
SHARE_MULTIPROCESSORS_4G = measured(64, "1", "multiprocessors of a 4g instance of an H100 SXM", _DRIVER)
SHARE_INTENSITY = Constant(32, "FLOP/B", "arithmetic per byte of your job",
    "assumed: decoding 32 sequences at once, two operations for each weight of two bytes and each sequence",
    symbol="I", low=1, high=4000)
SHARE_NEIGHBOR = Constant(1000, "FLOP/B", "arithmetic per byte of its neighbor",
    "assumed: training; a product of square matrices of 3,000 rows in BF16 has 1,000", symbol="I", low=1, high=4000)
SHARE_REACH = Constant(1, "1", "share of the roofline that a job reaches alone",
    "assumed: all of it, the case in which sharing costs most", low=0.05, high=1, step=0.05)
SHARE_ACCEPTED = Constant(1.5, "1", "longest time for the work of a second that is accepted",
    "assumed: the message's bound", low=1.05, high=2.2, step=0.05)
SHARE_QUANTUM = Constant(2e-3, "s", "length of a turn on the GPU", "assumed: the lecture notes' turn",
    symbol="q", low=0.5e-3, high=30e-3, step=0.0005)
SHARE_SWITCH = Constant(1e-3, "s", "time from the end of a turn to the start of the next",
    "assumed: a tenth of the lecture notes' 10 ms", symbol="s", low=0, high=10e-3, step=0.0005)
SHARE_SWITCH_NOTES = Constant(10e-3, "s",
    "time from the end of a turn to the start of the next, as in the lecture notes", "assumed: the lecture notes",
    symbol="s")
SHARE_RACE = Constant(10, "s", "time of the work of a progress bar, if its job has a GPU to itself",
    "assumed: long enough to watch")
SHARE_CHAT_BOUND = Constant(1.05, "1", "longest time for a second of work of the chat, in the pairing puzzle",
    "assumed: just too short for a training job that reaches the roofline")
SHARE_THROUGHPUT = Constant(7, "1", "system throughput wanted of the pairing puzzle",
    "assumed: few pairings reach it, and one of these keeps the chat fast")
_DECODES = "assumed: 14 GB of weights (7 billion parameters of 2 B) and a KV cache of 0.524 MB per token for {} tokens"
_TRAINS = ("assumed: 16 B of weights, gradients, and optimizer states for each of {} billion parameters "
    "(mixed-precision Adam), and {} GB of activations")
# Jobs of the pairing puzzle: letter, what it does, arithmetic per byte, share of the roofline, memory and its source.
for _letter, _does, _intensity, _reach, _memory, _source in (
    ("A", "chat, decoding 32 sequences at once", 32, 0.8, 31e9, _DECODES.format("32 sequences of 1,000")),
    ("B", "decoding 64 sequences at once", 64, 1, 48e9, _DECODES.format("64 sequences of 1,000")),
    ("C", "decoding 128 sequences at once", 128, 0.7, 48e9, _DECODES.format("128 sequences of 500")),
    ("D", "decoding 16 sequences at once", 16, 0.9, 22e9, _DECODES.format("16 sequences of 1,000")),
    ("E", "training with large layers", 1000, 1, 40e9, _TRAINS.format(2, 8)),
    ("F", "training with smaller layers", 600, 0.9, 28e9, _TRAINS.format(1.25, 8)),
    ("G", "training with very large layers", 2000, 0.8, 48e9, _TRAINS.format(2.5, 8)),
    ("H", "fine-tuning in a notebook", 400, 0.4, 20e9, _TRAINS.format(1, 4)),
):
    _job = f"job {_letter} of the pairing puzzle"
    globals().update({
        f"SHARE_{_letter}_INTENSITY": Constant(_intensity, "FLOP/B", f"arithmetic per byte of {_job}: {_does}", _PUZZLE,
            symbol="I"),
        f"SHARE_{_letter}_REACH": Constant(_reach, "1", f"share of the roofline that {_job} reaches alone", _PUZZLE),
        f"SHARE_{_letter}_MEMORY": Constant(_memory, "B", f"GPU memory that {_job} allocates", _source),
    })
