"""Constants: notebook sharing."""

from physics.constants.kinds import Constant

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
)
THINK_SHORT_SIGMA = Constant(
    1.35,
    symbol="s_Z",
    unit="1",
    meaning="deviation of the logarithm of the short pauses",
    source="one short pause in a hundred is longer than 12 s; leaves a mean of 1.2 s to the short ones",
)
_SYNTHETIC = "chosen so that A to D last 2, 3, 6 and 8 minutes alone; the talk's own notebooks are not available"
NOTEBOOK_USERS = Constant(40, unit="1", meaning="notebook users who hold a node each", source="the lesson's story")
NOTEBOOK_CORES = Constant(
    8,
    symbol="C",
    unit="1",
    meaning="cores of the shared node; the synthetic notebooks' lengths are those on this many",
    source="small enough to see each core in a chart",
    low=2,
    high=64,
)
NOTEBOOK_COPIES = Constant(
    1, unit="1", meaning="copies of each notebook on the node", source="the talk's study has one of each", low=1, high=5
)
NOTEBOOK_SHORT_CELL = Constant(20, unit="s", meaning="length of a cell of A and B, alone", source=_SYNTHETIC)
NOTEBOOK_LONG_CELL = Constant(30, unit="s", meaning="length of a cell of C and D, alone", source=_SYNTHETIC)
NOTEBOOK_PAIR_CELL = Constant(
    60,
    unit="s",
    meaning="length of the one cell of each notebook of the pair, alone",
    source="the question's two notebooks; the answer does not depend on the length",
)
NOTEBOOK_OVERHEAD = Constant(
    0,
    symbol="h",
    unit="s",
    meaning="time to give a cell its cores",
    source="the question's case; from milliseconds (cores added to a process) to half a minute (a container started)",
    low=0,
    high=30,
)
NOTEBOOK_LOSS = Constant(
    0,
    unit="1",
    meaning="share of the speed lost while threads exceed cores",
    source="the question's case; depends on the program, and is a knob because of that",
    low=0,
    high=0.5,
)
NOTEBOOK_ANTT_BOUND = Constant(
    1.5,
    unit="1",
    meaning="longest mean slowdown (ANTT) that users accept",
    source="half as long again",
    low=1.05,
    high=5,
)
NOTEBOOK_CULL = Constant(
    86400,
    symbol="τ",
    unit="s",
    meaning="idle time after which a notebook is culled; a day is longer than any pause",
    source="off at first; common settings are a quarter of an hour to a day",
    low=900,
    high=86400,
)
NOTEBOOK_ENDLESS = Constant(
    0,
    unit="1",
    meaning="threads of a cell that never ends, such as a server left running",
    source="nobody left one running",
    low=0,
    high=64,
)
NOTEBOOK_DRAW = Constant(
    1, unit="1", meaning="number of the random draw of pauses", source="any whole number", low=1, high=20
)
