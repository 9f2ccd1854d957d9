"""Constants: notebook sharing."""

from physics.constants import units
from physics.constants.kinds import Constant

_TALK = "slides of a talk on scheduling notebooks at cell granularity, statistics of a public trace of think times"
THINK_MEAN = Constant(15, "s", "mean pause between two cells", _TALK, symbol="Z", kind="measured", low=1, high=300)
THINK_DEVIATION = Constant(696, "s", "standard deviation of a pause", _TALK, symbol="σ_Z", kind="measured")
THINK_MAXIMUM = Constant(40_000, "s", "longest pause", _TALK, symbol="Z_max", kind="measured")
THINK_SHORT_MEDIAN = Constant(0.5, "s", "median of the short pauses",
    "half a second: cells run one after another by key; the three measured figures allow at most 5.8 s", symbol="m_Z")
THINK_SHORT_SIGMA = Constant(1.35, "1", "deviation of the logarithm of the short pauses",
    "one short pause in a hundred is longer than 12 s; leaves a mean of 1.2 s to the short ones", symbol="s_Z")
_SYNTHETIC = "chosen so that A to D last 2, 3, 6 and 8 minutes alone; the talk's own notebooks are not available"
NOTEBOOK_USERS = Constant(40, "1", "notebook users who hold a node each", "the lesson's story")
NOTEBOOK_CORES = Constant(8, "1", "cores of the shared node; the synthetic notebooks' lengths are those on this many",
    "small enough to see each core in a chart", symbol="C", low=2, high=64)
NOTEBOOK_COPIES = Constant(1, "1", "copies of each notebook on the node", "the talk's study has one of each",
    low=1, high=5)
NOTEBOOK_SHORT_CELL = Constant(20, "s", "length of a cell of A and B, alone", _SYNTHETIC)
NOTEBOOK_LONG_CELL = Constant(30, "s", "length of a cell of C and D, alone", _SYNTHETIC)
NOTEBOOK_PAIR_CELL = Constant(60, "s", "length of the one cell of each notebook of the pair, alone",
    "the question's two notebooks; the answer does not depend on the length")
NOTEBOOK_OVERHEAD = Constant(0, "s", "time to give a cell its cores",
    "the question's case; from milliseconds (cores added to a process) to half a minute (a container started)",
    symbol="h", low=0, high=30, step=0.5)
NOTEBOOK_LOSS = Constant(0, "1", "share of the speed lost while threads exceed cores",
    "the question's case; depends on the program, and is a knob because of that", low=0, high=0.5)
NOTEBOOK_ANTT_BOUND = Constant(1.5, "1", "longest mean slowdown (ANTT) that users accept", "half as long again",
    low=1.05, high=5, step=0.05)
NOTEBOOK_CULL = Constant(86400, "s", "idle time after which a notebook is culled; a day is longer than any pause",
    "off at first; common settings are a quarter of an hour to a day",
    symbol="τ", low=900, high=86400, step=0.25 * units.HOUR)
NOTEBOOK_ENDLESS = Constant(0, "1", "threads of a cell that never ends, such as a server left running",
    "nobody left one running", low=0, high=64)
NOTEBOOK_DRAW = Constant(1, "1", "number of the random draw of pauses", "any whole number", low=1, high=20)
