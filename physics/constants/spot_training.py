"""Constants: spot training."""

from physics.constants.kinds import Constant, datasheet
from physics.constants.units import MINUTE

SPOT_WORK = Constant(100 * 3600, "s", "work of the message's training run",
    "assumed: a round 100 hours, so that hours read as percent", symbol="T")
SPOT_PRICE = Constant(1, "$/h", "price of a spot node for an hour",
    "assumed: a round dollar, so that hours read as dollars", symbol="p")
SPOT_ON_DEMAND_PRICE = Constant(3, "$/h", "price of a node for an hour that is never taken away",
    "assumed: three times spot", symbol="p_d")
SPOT_MTBF = Constant(5 * 3600, "s", "mean time between interruptions of one spot node",
    "assumed: often enough that a 100-hour run meets a score of interruptions",
    symbol="M_1", low=15 * 60, high=720 * 3600)
SPOT_NODES = Constant(1, "1", "nodes in the gang", "assumed: the message's run has one", symbol="n", low=1, high=64)
SPOT_INTERVAL = Constant(480 * 60, "s", "work between two checkpoints",
    "assumed: the message's, and none of the answers to its question",
    symbol="τ", low=60, high=24 * 3600)
SPOT_DUMP = Constant(180, "s", "time to write a checkpoint",
    "assumed: 3 minutes, a little more than a two-minute notice", symbol="δ", low=30, high=1800, step=0.5 * MINUTE)
SPOT_RESTART = Constant(360, "s", "time from an interruption until work goes on: a new node, the last checkpoint read",
    "assumed: 6 minutes; it makes the notes' formula say $100.10", symbol="R", low=0, high=3600)
SPOT_NOTICE = datasheet(120, "s", "warning before a spot node is taken away",
    "Amazon EC2 User Guide, Spot Instance interruption notices: two minutes, best effort", symbol="ν")
SPOT_WARNING = Constant(0, "s", "warning that the run makes use of", "assumed: the run ignores notices at first",
    low=0, high=300, step=0.5 * MINUTE)
SPOT_WORKERS = Constant(12, "1", "workers of the elastic job", "assumed: between the best numbers for different goals",
    symbol="n", low=1, high=128)
SPOT_SERIAL = Constant(0.02, "1", "share of a one-worker step that cannot be split",
    "assumed: logging, data loading and the optimizer's serial part", symbol="s", low=0.005, high=0.5, step=0.005)
SPOT_STEP_TIME = Constant(2, "s", "time of a training step on one worker", "assumed: a large batch on one GPU",
    symbol="t")
SPOT_GRADIENT = Constant(2e9, "B", "gradient that each worker contributes to a step",
    "assumed: 10⁹ parameters of 2 bytes", symbol="G")
SPOT_BANDWIDTH = Constant(50e9, "B/s", "bandwidth of a worker's link, in one direction",
    "assumed: a link of 400 Gb/s used in full", symbol="B")
SPOT_LATENCY = Constant(10e-6, "s", "time to start one message", "assumed: a fast cluster network, software included",
    symbol="α")
SPOT_TRAIN_DEADLINE = Constant(24 * 3600, "s", "when the elastic job has to be done", "assumed: a day",
    low=3600, high=100 * 3600)
SPOT_BUDGET = Constant(600, "$", "what the elastic job may cost", "assumed: twice what one on-demand worker costs",
    low=300, high=1500, step=50)
SPOT_WORTH = Constant(2, "$/h", "worth of what one worker does in an hour", "assumed: twice a spot node's price",
    symbol="v", low=0.5, high=20, step=0.5)
SPOT_BAND = Constant(0.2, "1", "how far a worker's gain must be from its price before the job is resized",
    "assumed: a fifth of the price", symbol="b", low=0, high=0.9, step=0.05)
SPOT_SWING = Constant(0.4, "1", "standard deviation of the logarithm of the spot price",
    "assumed: a third down or half up is usual")
SPOT_PRICE_TICK = Constant(15 * 60, "s", "time for which a spot price holds", "assumed: a quarter of an hour")
SPOT_PRICE_MEMORY = Constant(4 * 3600, "s",
    "time in which a spot price forgets all but 1/e of its distance from the mean", "assumed: half a working day")
SPOT_PRICE_SPAN = Constant(48 * 3600, "s", "time for which the elastic job is followed", "assumed: two days")
SPOT_NEEDED = Constant(8, "1", "replicas of a service that must be up", "assumed: a service on a node's worth of GPUs",
    symbol="n", low=1, high=64)
SPOT_BASE = Constant(0, "1", "replicas on demand beside those on spot machines",
    "assumed: none, so that the price of vanishing is seen first", low=0, high=64)
SPOT_UP = Constant(0.95, "1", "share of the time in which a spot replica, or a block of them, is up",
    "assumed: away one hour in twenty", symbol="p")
SPOT_TARGET = Constant(0.999, "1", "share of the time in which enough replicas shall be up", "assumed: three nines",
    low=0.5, high=0.99999)
SPOT_BLOCK = Constant(1, "1", "spot replicas that vanish together", "assumed: each alone", symbol="b", low=1, high=16)
