"""Constants: placement."""

from physics.constants.kinds import Constant, datasheet, exact
from physics.constants.units import HOUR

_MESSAGE = "assumed: the message's training run"

PLACE_WAIT = Constant(6 * 3600, "s", "time until a whole node is free",
    "assumed: an afternoon; the message does not know it", symbol="W", low=0, high=24 * 3600, step=0.5 * HOUR)
PLACE_PARAMETERS = Constant(7e9, "1", "parameters of the model that is trained",
    "assumed: the message's model; sizes up to the largest that 80 GB a GPU hold with sharded optimizer states",
    symbol="P", low=0.125e9, high=13e9)
PLACE_GRADIENT = exact(2, "B", "bytes of the gradient of one parameter, in bfloat16",
    "Micikevicius and others, Mixed precision training, ICLR 2018: gradients in 16 bits")
PLACE_COMPUTE = Constant(1, "s", "computing of one step on each GPU", _MESSAGE, symbol="C", low=0.1, high=10)
PLACE_RUNTIME = Constant(12 * 3600, "s", "run time of the training on one whole node", _MESSAGE,
    symbol="T", low=3600, high=24 * 3600)
PLACE_BETWEEN = datasheet(25e9, "B/s", "bandwidth of each GPU's own link between nodes, in one direction",
    "NVIDIA DGX A100 datasheet: one 200 Gb/s adapter a GPU; DGX H100: 400 Gb/s; the lowest is 10 Gb/s Ethernet",
    symbol="B_out", low=1.25e9, high=50e9)
PLACE_INSIDE = datasheet(450e9, "B/s", "bandwidth of each GPU's links inside a node, in one direction",
    "NVIDIA H100 datasheet: NVLink, 900 GB/s in both directions together", symbol="B_in")
PLACE_OVERLAP = Constant(0, "1", "share of the communication that computing hides",
    "assumed: nothing is hidden, the worst case", symbol="h", low=0, high=1, step=0.05)
PLACE_GPUS = Constant(8, "1", "GPUs of the training", "assumed: as many as a node has")
PLACE_SPREAD = Constant(1, "1", "free GPUs on each of the nodes that the training is scattered over",
    "assumed: the message's cluster", symbol="g", low=1, high=4)
PLACE_NODES = Constant(8, "1", "nodes that serve the stream of jobs", "assumed: few enough to see every GPU")
PLACE_JOBS = Constant(120, "1", "jobs of the stream",
    "assumed: enough for the nodes to fill up and turn over several times")
PLACE_STREAMS = Constant(300, "1", "random streams that are averaged",
    "assumed: enough for two digits of the averages")
PLACE_STREAM_RUNTIME = Constant(4 * 3600, "s", "mean run time of a job of the stream on one node; exponential",
    "assumed: a few hours")
PLACE_LOAD = Constant(0.7, "1",
    "share of the GPUs that the stream would keep busy if no GPU were wasted and no job slowed down",
    "assumed: busy, but not full", low=0.3, high=0.9, step=0.05)
PLACE_DRAW = Constant(1, "1", "number of the random stream", "assumed: the first of twenty", low=1, high=20)
PLACE_NODE_CORES = datasheet(128, "1", "CPU cores of a node", "NVIDIA DGX A100 datasheet: two processors of 64 cores")
PLACE_NODE_MEMORY = datasheet(1024e9, "B", "memory of a node", "NVIDIA DGX A100 datasheet: 1 TB; here 128 GB per GPU")
PLACE_RACK = Constant(2, "1", "nodes of a rack", "assumed: few enough for a rack to be free sometimes")
PLACE_LEAN_CORES = Constant(8, "1", "cores that a lean job takes with each GPU", "assumed: half of its share of a node")
PLACE_LEAN_MEMORY = Constant(64e9, "B", "memory that a lean job takes with each GPU",
    "assumed: half of its share of a node")
PLACE_HEAVY_MEMORY = Constant(256e9, "B", "memory that a memory-heavy job takes with each GPU",
    "assumed: twice its share of a node")
PLACE_CORES = Constant(32, "1", "cores that a core-heavy job takes with each GPU",
    "assumed: twice its share of a node", low=8, high=32)
