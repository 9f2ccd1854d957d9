"""Constants: notebook sharing."""

from physics.constants.kinds import Constant, measured
from physics.constants.units import HOUR

_TALK = "slides of a talk on scheduling notebooks at cell granularity, statistics of a public trace of think times"
THINK_MEAN = measured(15, "s", "mean pause between two cells", _TALK, symbol="Z")
THINK_DEVIATION = measured(696, "s", "standard deviation of a pause", _TALK, symbol="σ_Z")
THINK_MAXIMUM = measured(40_000, "s", "longest pause", _TALK, symbol="Z_max")
THINK_SHORT_MEDIAN = Constant(0.5, "s", "median of the short pauses",
    "half a second: cells run one after another by key; the three measured figures allow at most 5.8 s", symbol="m_Z")
THINK_SHORT_SIGMA = Constant(1.35, "1", "deviation of the logarithm of the short pauses",
    "one short pause in a hundred is longer than 12 s; leaves a mean of 1.2 s to the short ones", symbol="s_Z")
_SYNTHETIC = "chosen so that A to D last 2, 3, 6 and 8 minutes alone; the talk's own notebooks are not available"
NOTEBOOK_CORES = Constant(8, "1", "cores of the shared node; the synthetic notebooks' lengths are those on this many",
    "small enough to see each core in a chart", symbol="C", low=2, high=64)
NOTEBOOK_SHORT_CELL = Constant(20, "s", "length of a cell of A and B, alone", _SYNTHETIC)
NOTEBOOK_LONG_CELL = Constant(30, "s", "length of a cell of C and D, alone", _SYNTHETIC)
NOTEBOOK_PAIR_CELL = Constant(60, "s", "length of the one cell of each notebook of the pair, alone",
    "the message's long cell; only its ratio to the second one's length matters")
NOTEBOOK_SECOND_START = Constant(0, "s", "time from the start of the pair's first cell to that of its second",
    "the message's case; beyond a minute the first cell has ended", low=0, high=75, step=5)
NOTEBOOK_SECOND_CORES = Constant(8, "1", "cores that the pair's second cell can use",
    "the message's case: all of the node", low=1, high=8)
NOTEBOOK_SOONER = Constant(15, "s", "least gain of the first user that the challenge asks for",
    "a quarter of the cell's length")
NOTEBOOK_LATER = Constant(5, "s", "largest loss of the second user that the challenge allows",
    "a step of the slider that sets the second start")
NOTEBOOK_QUICK_CELL = Constant(20, "s", "length of the pair's second cell, alone",
    "the message's short cell: a third of the first's", low=5, high=90, step=5)
NOTEBOOK_OVERHEAD = Constant(0, "s", "time to give a cell its cores",
    "the message's case; from milliseconds (cores added to a process) to half a minute (a container started)",
    symbol="h", low=0, high=30, step=0.5)
NOTEBOOK_LOSS = Constant(0, "1", "share of the speed lost while threads exceed cores",
    "the message's case; depends on the program, and is a knob because of that", low=0, high=0.3)
NOTEBOOK_CULL = Constant(3600, "s", "idle time after which a notebook is culled",
    "an hour; common settings are a quarter of an hour to a day, but no pause of the trace is longer than 11.1 h",
    symbol="τ", low=900, high=39600, step=0.25 * HOUR)
NOTEBOOK_GPU_USERS = Constant(4, "1", "notebooks that share one GPU by the cell", "assumed", low=1, high=6)
NOTEBOOK_GPU_CELL = Constant(30, "s", "length of a cell that needs the GPU", "assumed: as long as the other cells",
    low=10, high=60, step=5)
NOTEBOOK_GPU_OTHER = Constant(30, "s", "length of a cell that needs no GPU", "assumed: as the cells of C and D")
NOTEBOOK_GPU_ROUNDS = Constant(10, "1", "rounds of one cell without and one with the GPU", "assumed: ten minutes of work")
NOTEBOOK_GPU_PAUSE = Constant(60, "s", "mean pause before the next round in a semi-interactive session, exponential",
    "assumed: a minute to look at a result")
NOTEBOOK_GPU_NIGHT = Constant(14 * HOUR, "s", "pause of a notebook that is left overnight",
    "assumed: from 6 p.m. to 8 a.m.")
NOTEBOOK_GPU_RUNS = Constant(60, "1", "simulated runs of sessions on one GPU", "enough to see a worst and a best case")
NOTEBOOK_GPU_HOUR = Constant(2.5, "$/h", "price of a GPU for an hour", "assumed: about what clouds ask for a large GPU")
