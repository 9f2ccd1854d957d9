"""Constants: where the hours go."""

from physics.constants.io_bottleneck import (
    IO_BATCH_SIZE,
    IO_COMPUTE_TIME,
    IO_DECODE_TIME,
    IO_LATENCY,
    IO_SAMPLE_SIZE,
    IO_STREAM_BANDWIDTH,
)
from physics.constants.kinds import Constant
from physics.constants.units import DAY

_LATER = "assumed: the director's cluster one year later"
_AS_BEFORE = "assumed: as in the lesson Utilization trap"

HOURS_GPUS = Constant(1024, "1", "GPUs of the cluster that reads while it computes", _AS_BEFORE,
    symbol="N", low=512, high=1536, step=256)
HOURS_WIDTH = Constant(256, "1", "GPUs that one of its jobs occupies", _AS_BEFORE, symbol="g")
HOURS_WORK = Constant(3600, "s", "mean time that a job would compute if it never waited for data", _AS_BEFORE)
HOURS_WORKERS = Constant(1, "1", "loader workers of one GPU", "assumed: as in the message of the lesson I/O bottleneck",
    symbol="W", low=1, high=8)
HOURS_SAMPLES = Constant(8, "1", "samples in one file",
    f"{_LATER}: packed, so that GPUs compute 60% of the time and not 11.9%", symbol="k", low=1, high=64)
HOURS_METADATA = Constant(7, "1", "metadata servers", f"{_LATER}; with 6 the model's hard limit is 5.7% off",
    symbol="n_m", low=1, high=16)
HOURS_NODES = Constant(2, "1", "storage nodes", f"{_LATER}: a small file system of its own", symbol="n_s", low=1, high=12)
HOURS_OCCUPIED = Constant(0.95, "1", "share of the GPUs that its jobs occupy today", _AS_BEFORE)
_SAMPLE_TIME = IO_LATENCY / HOURS_SAMPLES + IO_SAMPLE_SIZE / IO_STREAM_BANDWIDTH + IO_DECODE_TIME
_SPEED = IO_COMPUTE_TIME / (IO_BATCH_SIZE * _SAMPLE_TIME)
HOURS_ARRIVALS = Constant(HOURS_OCCUPIED * (HOURS_GPUS // HOURS_WIDTH) * _SPEED / HOURS_WORK, "1/s",
    "jobs that arrive per second", "derived: what keeps 95% of the GPUs occupied at the speed of one loader worker",
    symbol="λ")
HOURS_DEMAND = Constant(1.0, "1", "jobs that arrive, over those of today", "assumed: today's arrivals",
    low=0.7, high=1.7, step=0.1)
HOURS_URGENT = Constant(0.2, "1", "share of the jobs that are urgent", "assumed: one job in five", symbol="p")
HOURS_SPAN = Constant(30 * DAY, "s", "time for which costs are given", "as in the lesson Storage architecture")
CPU_CORE_HOUR = Constant(0.05, "$/h", "price of a CPU core for an hour, the core of one loader worker",
    "assumed: the order of a vCPU of a cloud; c5.2xlarge, 8 vCPU, is $0.34 an hour in an example of the AWS documentation")
HOURS_BUDGET = Constant(2_020_000, "$", "cost that the challenge allows in 30 days",
    "chosen for the lesson: too little for the GPUs of today or a third worker")
HOURS_TARGET = Constant(7200, "s", "mean time from submission to result that the challenge allows",
    "chosen for the lesson: two hours, twice what the job computes")
HOURS_URGENT_TARGET = Constant(900, "s", "mean wait that the challenge allows to urgent jobs",
    "chosen for the lesson: a quarter of an hour")
