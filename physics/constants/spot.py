"""Constants: spot training."""

from physics.constants.kinds import Constant

SPOT_WORK = Constant(
    100 * 3600,
    symbol="T",
    unit="s",
    meaning="work of the message's training run",
    source="assumed: a round 100 hours, so that hours read as percent",
    low=10 * 3600,
    high=1000 * 3600,
)
SPOT_PRICE = Constant(
    1,
    symbol="p",
    unit="$/h",
    meaning="price of a spot node for an hour",
    source="assumed: a round dollar, so that hours read as dollars",
    low=0.1,
    high=10,
)
SPOT_ON_DEMAND_PRICE = Constant(
    3,
    symbol="p_d",
    unit="$/h",
    meaning="price of a node for an hour that is never taken away",
    source="assumed: three times spot",
    low=0.1,
    high=10,
)
SPOT_MTBF = Constant(
    5 * 3600,
    symbol="M_1",
    unit="s",
    meaning="mean time between interruptions of one spot node",
    source="assumed: often enough that a 100-hour run meets a score of interruptions",
    low=15 * 60,
    high=720 * 3600,
)
SPOT_NODES = Constant(
    1, symbol="n", unit="1", meaning="nodes in the gang", source="assumed: the message's run has one", low=1, high=64
)
SPOT_INTERVAL = Constant(
    120 * 60,
    symbol="τ",
    unit="s",
    meaning="work between two checkpoints",
    source="assumed: none of the answers to the lesson's question, so that the knob gives nothing away",
    low=60,
    high=24 * 3600,
)
SPOT_DUMP = Constant(
    180,
    symbol="δ",
    unit="s",
    meaning="time to write a checkpoint",
    source="assumed: 3 minutes, a little more than a two-minute notice",
    low=30,
    high=1800,
)
SPOT_RESTART = Constant(
    360,
    symbol="R",
    unit="s",
    meaning="time from an interruption until work goes on: a new node, the last checkpoint read",
    source="assumed: 6 minutes; it makes the notes' formula say $100.10",
    low=0,
    high=3600,
)
SPOT_DELAY = Constant(
    0,
    symbol="D",
    unit="s",
    meaning="mean time until a struck node is replaced",
    source="assumed: the market has another node at once",
    low=0,
    high=3600,
)
SPOT_NOTICE = Constant(
    120,
    unit="s",
    meaning="warning before a spot node is taken away",
    source="Amazon EC2 User Guide, Spot Instance interruption notices: two minutes, best effort",
    kind="datasheet",
)
SPOT_DEADLINE = Constant(
    125 * 3600,
    unit="s",
    meaning="when the training run has to be done",
    source="assumed: a quarter more than the work itself",
    low=10 * 3600,
    high=1500 * 3600,
)
SPOT_WORKERS = Constant(
    12,
    symbol="n",
    unit="1",
    meaning="workers of the elastic job",
    source="assumed: between the best numbers for different goals",
    low=1,
    high=128,
)
SPOT_SERIAL = Constant(
    0.02,
    symbol="s",
    unit="1",
    meaning="share of a one-worker step that cannot be split",
    source="assumed: logging, data loading and the optimizer's serial part",
    low=0,
    high=0.5,
)
SPOT_STEP_TIME = Constant(
    2, symbol="t", unit="s", meaning="time of a training step on one worker", source="assumed: a large batch on one GPU"
)
SPOT_GRADIENT = Constant(
    2e9,
    symbol="G",
    unit="B",
    meaning="gradient that each worker contributes to a step",
    source="assumed: 10⁹ parameters of 2 bytes",
    low=0,
    high=40e9,
)
SPOT_BANDWIDTH = Constant(
    50e9,
    symbol="B",
    unit="B/s",
    meaning="bandwidth of a worker's link, in one direction",
    source="assumed: a link of 400 Gb/s used in full",
    low=1e9,
    high=900e9,
)
SPOT_LATENCY = Constant(
    10e-6,
    symbol="α",
    unit="s",
    meaning="time to start one message",
    source="assumed: a fast cluster network, software included",
    low=0,
    high=1e-3,
)
SPOT_TRAIN_DEADLINE = Constant(
    24 * 3600,
    unit="s",
    meaning="when the elastic job has to be done",
    source="assumed: a day",
    low=3600,
    high=200 * 3600,
)
SPOT_BUDGET = Constant(
    600,
    unit="$",
    meaning="what the elastic job may cost",
    source="assumed: twice what one on-demand worker costs",
    low=50,
    high=5000,
)
SPOT_EFFICIENCY = Constant(
    0.7,
    symbol="e",
    unit="1",
    meaning="least speed-up per worker that is called efficient",
    source="assumed: the lecture notes' knee",
    low=0.3,
    high=0.95,
)
SPOT_WORTH = Constant(
    2,
    symbol="v",
    unit="$/h",
    meaning="worth of what one worker does in an hour",
    source="assumed: twice a spot node's price",
    low=0.5,
    high=20,
)
SPOT_BAND = Constant(
    0.2,
    symbol="b",
    unit="1",
    meaning="how far a worker's gain must be from its price before the job is resized",
    source="assumed: a fifth of the price",
    low=0,
    high=0.9,
)
SPOT_SWING = Constant(
    0.4,
    unit="1",
    meaning="standard deviation of the logarithm of the spot price",
    source="assumed: a third down or half up is usual",
    low=0,
    high=0.5,
)
SPOT_PRICE_TICK = Constant(
    15 * 60, unit="s", meaning="time for which a spot price holds", source="assumed: a quarter of an hour"
)
SPOT_PRICE_MEMORY = Constant(
    4 * 3600,
    unit="s",
    meaning="time in which a spot price forgets all but 1/e of its distance from the mean",
    source="assumed: half a working day",
)
SPOT_PRICE_SPAN = Constant(
    48 * 3600, unit="s", meaning="time for which the elastic job is followed", source="assumed: two days"
)
SPOT_NEEDED = Constant(
    8,
    symbol="n",
    unit="1",
    meaning="replicas of a service that must be up",
    source="assumed: a service on a node's worth of GPUs",
    low=1,
    high=64,
)
SPOT_BASE = Constant(
    0,
    unit="1",
    meaning="replicas on demand beside those on spot machines",
    source="assumed: none, so that the price of vanishing is seen first",
    low=0,
    high=64,
)
SPOT_UP = Constant(
    0.95,
    symbol="p",
    unit="1",
    meaning="share of the time in which a spot replica, or a block of them, is up",
    source="assumed: away one hour in twenty",
    low=0.5,
    high=0.99,
)
SPOT_TARGET = Constant(
    0.999,
    unit="1",
    meaning="share of the time in which enough replicas shall be up",
    source="assumed: three nines",
    low=0.5,
    high=0.99999,
)
SPOT_BLOCK = Constant(
    1, symbol="b", unit="1", meaning="spot replicas that vanish together", source="assumed: each alone", low=1, high=16
)
