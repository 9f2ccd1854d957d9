"""Constants: GPU slices."""

from physics.constants.kinds import Constant

SLICES_COMPUTE = Constant(
    7,
    unit="1",
    meaning="compute slices of a GPU that can be cut in slices",
    source="NVIDIA, Multi-Instance GPU User Guide, Concepts: A100 and H100",
    kind="datasheet",
)
SLICES_MEMORY = Constant(
    8,
    unit="1",
    meaning="memory slices of a GPU that can be cut in slices",
    source="NVIDIA, Multi-Instance GPU User Guide, Concepts: A100 and H100",
    kind="datasheet",
)
SLICES_ONE = Constant(
    1,
    unit="1",
    meaning="instances of profile 1g.10gb that are asked for",
    source="assumed: the message's request",
    low=0,
    high=7,
)
SLICES_ONE_WIDE = Constant(
    0,
    unit="1",
    meaning="instances of profile 1g.20gb that are asked for",
    source="assumed: the message's request",
    low=0,
    high=4,
)
SLICES_TWO = Constant(
    0,
    unit="1",
    meaning="instances of profile 2g.20gb that are asked for",
    source="assumed: the message's request",
    low=0,
    high=4,
)
SLICES_THREE = Constant(
    2,
    unit="1",
    meaning="instances of profile 3g.40gb that are asked for",
    source="assumed: the message's request",
    low=0,
    high=3,
)
SLICES_FOUR = Constant(
    0,
    unit="1",
    meaning="instances of profile 4g.40gb that are asked for",
    source="assumed: the message's request",
    low=0,
    high=2,
)
SLICES_SEVEN = Constant(
    0,
    unit="1",
    meaning="instances of profile 7g.80gb that are asked for",
    source="assumed: the message's request",
    low=0,
    high=1,
)
SLICES_GPUS = Constant(
    2,
    unit="1",
    meaning="GPUs that serve the stream of requests",
    source="assumed: few enough to see every slice",
    low=1,
    high=4,
)
SLICES_REQUESTS = Constant(
    60,
    unit="1",
    meaning="requests of the stream",
    source="assumed: enough for the GPUs to fill up and turn over several times",
)
SLICES_STAY = Constant(
    8,
    unit="1",
    meaning="mean stay of an instance, in arrivals",
    source="assumed: somewhat more is asked for than two GPUs hold",
    low=1,
    high=30,
)
SLICES_DRAW = Constant(
    1, unit="1", meaning="number of the random stream", source="assumed: the first of twenty", low=1, high=20
)
SLICES_MOMENT = Constant(
    30,
    unit="1",
    meaning="request after whose arrival the GPUs are shown",
    source="assumed: the middle of the stream",
    low=1,
    high=60,
)
SLICES_FREE = Constant(
    0.2,
    symbol="p",
    unit="1",
    meaning="share of the time in which a node is free",
    source="assumed: the lecture notes' cluster, 80 % busy",
    low=0.01,
    high=0.99,
)
SLICES_NODES = Constant(
    320,
    symbol="N",
    unit="1",
    meaning="nodes that a gang may run on",
    source="assumed: as many as have the gang's 64 free on average",
    low=64,
    high=1024,
)
SLICES_NEEDED = Constant(
    64,
    symbol="n",
    unit="1",
    meaning="nodes that a gang takes, all at the same time",
    source="assumed: the lecture notes' gang",
    low=1,
    high=256,
)
SLICES_BLOCK = Constant(
    8,
    symbol="b",
    unit="1",
    meaning="nodes that come free together",
    source="assumed: a rack, or what one job held",
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
    low=1,
    high=8,
)
