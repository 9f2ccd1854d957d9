"""Constants: sharing a GPU."""

from physics.constants.kinds import Constant

SHARE_PEAK = Constant(
    989e12,
    symbol="π",
    unit="FLOP/s",
    meaning="arithmetic rate of an H100 SXM, dense BF16",
    source="NVIDIA, H100 Tensor Core GPU datasheet, SXM: 1,979 TFLOP/s with sparsity, half of it without",
    kind="datasheet",
)
SHARE_BANDWIDTH = Constant(
    3.35e12,
    symbol="β",
    unit="B/s",
    meaning="memory bandwidth of an H100 SXM",
    source="NVIDIA, H100 Tensor Core GPU datasheet, SXM",
    kind="datasheet",
)
SHARE_MULTIPROCESSORS = Constant(
    132,
    unit="1",
    meaning="multiprocessors of an H100 SXM",
    source="NVIDIA, H100 Tensor Core GPU Architecture, 2022: H100 SXM5",
    kind="datasheet",
)
SHARE_MULTIPROCESSORS_2G = Constant(
    32,
    unit="1",
    meaning="multiprocessors of a 2g instance of an H100 SXM",
    source="listed by NVIDIA's driver, `nvidia-smi mig -lgip`, for the H100 and H200, which have one chip",
    kind="measured",
)
SHARE_MULTIPROCESSORS_3G = Constant(
    60,
    unit="1",
    meaning="multiprocessors of a 3g instance of an H100 SXM",
    source="listed by NVIDIA's driver, `nvidia-smi mig -lgip`, for the H100 and H200, which have one chip",
    kind="measured",
)
SHARE_MULTIPROCESSORS_4G = Constant(
    64,
    unit="1",
    meaning="multiprocessors of a 4g instance of an H100 SXM",
    source="listed by NVIDIA's driver, `nvidia-smi mig -lgip`, for the H100 and H200, which have one chip",
    kind="measured",
)
SHARE_INTENSITY = Constant(
    32,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of your job",
    source="assumed: decoding 32 sequences at once, two operations for each weight of two bytes and each sequence",
    low=1,
    high=4000,
)
SHARE_NEIGHBOR = Constant(
    1000,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of its neighbor",
    source="assumed: training; a product of square matrices of 3,000 rows in BF16 has 1,000",
    low=1,
    high=4000,
)
SHARE_REACH = Constant(
    1,
    unit="1",
    meaning="share of the roofline that a job reaches alone",
    source="assumed: all of it, the case in which sharing costs most",
    low=0.05,
    high=1,
)
SHARE_ACCEPTED = Constant(
    1.5,
    unit="1",
    meaning="longest time for the work of a second that is accepted",
    source="assumed: the message's bound",
    low=1.05,
    high=2.2,
)
SHARE_QUANTUM = Constant(
    2e-3,
    symbol="q",
    unit="s",
    meaning="length of a turn on the GPU",
    source="assumed: the lecture notes' turn",
    low=0.5e-3,
    high=30e-3,
)
SHARE_SWITCH = Constant(
    1e-3,
    symbol="s",
    unit="s",
    meaning="time from the end of a turn to the start of the next",
    source="assumed: a tenth of the lecture notes' 10 ms",
    low=0,
    high=10e-3,
)
SHARE_SWITCH_NOTES = Constant(
    10e-3,
    symbol="s",
    unit="s",
    meaning="time from the end of a turn to the start of the next, as in the lecture notes",
    source="assumed: the lecture notes",
)
SHARE_CHAT_BOUND = Constant(
    1.05,
    unit="1",
    meaning="longest time for a second of work of the chat, in the pairing puzzle",
    source="assumed: just too short for a training job that reaches the roofline",
)
SHARE_THROUGHPUT = Constant(
    7,
    unit="1",
    meaning="system throughput wanted of the pairing puzzle",
    source="assumed: few pairings reach it and keep the chat fast",
)
SHARE_A_INTENSITY = Constant(
    32,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job A of the pairing puzzle: chat, decoding 32 sequences at once",
    source="assumed: for the pairing puzzle",
)
SHARE_A_REACH = Constant(
    0.8,
    unit="1",
    meaning="share of the roofline that job A of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_B_INTENSITY = Constant(
    64,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job B of the pairing puzzle: decoding 64 sequences at once",
    source="assumed: for the pairing puzzle",
)
SHARE_B_REACH = Constant(
    1,
    unit="1",
    meaning="share of the roofline that job B of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_C_INTENSITY = Constant(
    128,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job C of the pairing puzzle: decoding 128 sequences at once",
    source="assumed: for the pairing puzzle",
)
SHARE_C_REACH = Constant(
    0.7,
    unit="1",
    meaning="share of the roofline that job C of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_D_INTENSITY = Constant(
    16,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job D of the pairing puzzle: decoding 16 sequences at once",
    source="assumed: for the pairing puzzle",
)
SHARE_D_REACH = Constant(
    0.9,
    unit="1",
    meaning="share of the roofline that job D of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_E_INTENSITY = Constant(
    1000,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job E of the pairing puzzle: training with large layers",
    source="assumed: for the pairing puzzle",
)
SHARE_E_REACH = Constant(
    1,
    unit="1",
    meaning="share of the roofline that job E of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_F_INTENSITY = Constant(
    600,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job F of the pairing puzzle: training with smaller layers",
    source="assumed: for the pairing puzzle",
)
SHARE_F_REACH = Constant(
    0.9,
    unit="1",
    meaning="share of the roofline that job F of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_G_INTENSITY = Constant(
    2000,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job G of the pairing puzzle: training with very large layers",
    source="assumed: for the pairing puzzle",
)
SHARE_G_REACH = Constant(
    0.8,
    unit="1",
    meaning="share of the roofline that job G of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
SHARE_H_INTENSITY = Constant(
    400,
    symbol="I",
    unit="FLOP/B",
    meaning="arithmetic per byte of job H of the pairing puzzle: fine-tuning in a notebook",
    source="assumed: for the pairing puzzle",
)
SHARE_H_REACH = Constant(
    0.4,
    unit="1",
    meaning="share of the roofline that job H of the pairing puzzle reaches alone",
    source="assumed: for the pairing puzzle",
)
