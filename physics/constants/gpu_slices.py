"""Constants: GPU slices."""

from physics.constants.kinds import Constant, datasheet

_MIG_GUIDE = "NVIDIA, Multi-Instance GPU User Guide, Concepts: A100 and H100"

SLICES_COMPUTE = datasheet(7, "1", "compute slices of a GPU that can be cut in slices", _MIG_GUIDE)
SLICES_MEMORY = datasheet(8, "1", "memory slices of a GPU that can be cut in slices", _MIG_GUIDE)
SLICES_START = Constant(0, "1", "memory slice at which the next instance begins", "assumed: the first", low=0, high=7)
SLICES_GPUS = Constant(2, "1", "GPUs that serve the stream of requests", "assumed: few enough to see every slice",
    low=1, high=4)
SLICES_REQUESTS = Constant(60, "1", "requests of the stream",
    "assumed: enough for the GPUs to fill up and turn over several times")
SLICES_STREAMS = Constant(300, "1", "random streams over which the policies are compared",
    "assumed: enough to tell which refuses fewer requests in most settings")
SLICES_STAY = Constant(8, "1", "mean stay of an instance, in arrivals",
    "assumed: somewhat more is asked for than two GPUs hold")
SLICES_DRAW = Constant(1, "1", "number of the random stream", "assumed: the first of twenty", low=1, high=20)
SLICES_FREE = Constant(0.2, "1", "share of the time in which a node is free",
    "assumed: the lecture notes' cluster, 80% busy", symbol="p", low=0.01, high=0.99)
SLICES_NODES = Constant(320, "1", "nodes that a gang may run on",
    "assumed: as many as have the gang's 64 free on average", symbol="N", low=64, high=1024, step=16)
SLICES_NEEDED = Constant(64, "1", "nodes that a gang takes, all at the same time", "assumed: the lecture notes' gang",
    symbol="n", low=1, high=256)
SLICES_BLOCK = Constant(8, "1", "nodes that come free together", "assumed: a rack, or what one job held",
    symbol="b", low=1, high=64)
SLICES_NODE_GPUS = datasheet(8, "1", "GPUs of a node", "NVIDIA DGX A100 and DGX H100 datasheets", symbol="m")

