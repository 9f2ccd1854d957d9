"""Constants: placement."""

from physics.constants.kinds import Constant

PLACE_WAIT = Constant(
    6 * 3600,
    symbol="W",
    unit="s",
    meaning="time until a whole node is free",
    source="assumed: an afternoon; the message does not know it",
    low=0,
    high=24 * 3600,
)
PLACE_PARAMETERS = Constant(
    7e9,
    symbol="P",
    unit="1",
    meaning="parameters of the model that is trained",
    source="assumed: the message's model; sizes up to the largest that 80 GB a GPU hold with sharded optimizer states",
    low=0.125e9,
    high=13e9,
)
PLACE_GRADIENT = Constant(
    2,
    unit="B",
    meaning="bytes of the gradient of one parameter, in bfloat16",
    source="Micikevicius and others, Mixed precision training, ICLR 2018: gradients in 16 bits",
    kind="exact",
)
PLACE_COMPUTE = Constant(
    1,
    symbol="C",
    unit="s",
    meaning="computing of one step on each GPU",
    source="assumed: the message's training",
    low=0.1,
    high=10,
)
PLACE_RUNTIME = Constant(
    12 * 3600,
    symbol="T",
    unit="s",
    meaning="run time of the training on one whole node",
    source="assumed: the message's training",
    low=3600,
    high=24 * 3600,
)
PLACE_BETWEEN = Constant(
    25e9,
    symbol="B_out",
    unit="B/s",
    meaning="bandwidth of each GPU's own link between nodes, in one direction",
    source="NVIDIA DGX A100 datasheet: one 200 Gb/s adapter a GPU; DGX H100: 400 Gb/s; the lowest is 10 Gb/s Ethernet",
    kind="datasheet",
    low=1.25e9,
    high=50e9,
)
PLACE_INSIDE = Constant(
    450e9,
    symbol="B_in",
    unit="B/s",
    meaning="bandwidth of each GPU's links inside a node, in one direction",
    source="NVIDIA H100 datasheet: NVLink, 900 GB/s in both directions together; A100: 600; the lowest is PCIe 5.0 ×16",
    kind="datasheet",
    low=64e9,
    high=450e9,
)
PLACE_OVERLAP = Constant(
    0,
    symbol="h",
    unit="1",
    meaning="share of the communication that computing hides",
    source="assumed: nothing is hidden, the worst case",
    low=0,
    high=1,
)
PLACE_GPUS = Constant(8, unit="1", meaning="GPUs of the training", source="assumed: as many as a node has")
PLACE_SPREAD = Constant(
    1,
    symbol="g",
    unit="1",
    meaning="free GPUs on each of the nodes that the training is scattered over",
    source="assumed: the message's cluster",
    low=1,
    high=4,
)
PLACE_NODES = Constant(
    8, unit="1", meaning="nodes that serve the stream of jobs", source="assumed: few enough to see every GPU"
)
PLACE_JOBS = Constant(
    120,
    unit="1",
    meaning="jobs of the stream",
    source="assumed: enough for the nodes to fill up and turn over several times",
)
PLACE_STREAM_RUNTIME = Constant(
    4 * 3600,
    unit="s",
    meaning="mean run time of a job of the stream on one node; exponential",
    source="assumed: a few hours",
)
PLACE_LOAD = Constant(
    0.7,
    unit="1",
    meaning="share of the GPUs that the stream would keep busy if no GPU were wasted and no job slowed down",
    source="assumed: busy, but not full",
    low=0.3,
    high=0.9,
)
PLACE_DRAW = Constant(
    1, unit="1", meaning="number of the random stream", source="assumed: the first of twenty", low=1, high=20
)
PLACE_LINK_PRICE = Constant(
    50e-9,
    unit="$ s/B",
    meaning="price of a byte per second between nodes for one GPU: adapter, cables and its share of the switches",
    source="assumed: some $2,500 for a link of 400 Gb/s",
)
