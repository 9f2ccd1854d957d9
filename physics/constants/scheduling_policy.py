"""Constants: scheduling policy."""

from physics.constants.kinds import Constant, datasheet
from physics.constants.units import DAY, HOUR, MINUTE

_MESSAGE = "assumed: the lesson's message, a platform of this size as the draft lab 08 tells it"

FLEET_GPUS = Constant(1024, "1", "GPUs of the fleet that the policies share", _MESSAGE, symbol="C")
INTERACTIVE_GPUS = Constant(8, "1", "GPUs of an interactive job", _MESSAGE)
INTERACTIVE_RUNTIME = Constant(30 * MINUTE, "s", "mean runtime of an interactive job", _MESSAGE)
INTERACTIVE_RATE = Constant(50 / DAY, "1/s", "interactive jobs submitted a second (50 a day)", _MESSAGE,
    symbol="λ", low=0.25 / HOUR, high=20 / HOUR, step=0.25 / HOUR)
SEARCH_GPUS_STEP = Constant(8, "1", "step between the sizes of search jobs (8, 16, 24, 32 GPUs)", _MESSAGE)
SEARCH_RUNTIME = Constant(2 * HOUR, "s", "mean runtime of a search job", _MESSAGE)
SEARCH_RATE = Constant(20 / DAY, "1/s", "search jobs submitted a second (20 a day)", _MESSAGE, symbol="λ")
TRAINING_GPUS_STEP = Constant(64, "1", "step between the sizes of training jobs (64, 128, …, 512 GPUs)", _MESSAGE)
TRAINING_RUNTIME_LEAST = Constant(12 * HOUR, "s", "shortest runtime of a training job", _MESSAGE)
TRAINING_RUNTIME_MOST = Constant(24 * HOUR, "s", "longest runtime of a training job", _MESSAGE)
TRAINING_RATE = Constant(3.5 / DAY, "1/s", "training jobs submitted a second (3.5 a day)",
    "assumed: the draft's ten a day are 215% of the fleet, which nothing can carry; 3.5 make 77.9%",
    symbol="λ", low=1 / DAY, high=12 / DAY, step=0.5 / DAY)
SIMULATED_TIME = Constant(60 * DAY, "s", "time during which jobs are submitted in one replication",
    "assumed: long enough for some 200 training jobs, short enough to answer within a second")
INTERACTIVE_TARGET = Constant(5 * MINUTE, "s", "wait within which an interactive job must start", _MESSAGE)
TRAINING_LIMIT = Constant(48 * HOUR, "s", "wait above which a training job counts as kept too long",
    "assumed: two days, twice the longest run")
CHECKPOINT_INTERVAL = Constant(1 * HOUR, "s", "work between two checkpoints of a job that may be preempted",
    "assumed: hourly, so that a preempted job repeats half an hour on average",
    low=0.25 * HOUR, high=12 * HOUR, step=0.25 * HOUR)
RESTART_TIME = Constant(10 * MINUTE, "s", "time that a preempted job needs before it works again",
    "assumed: reloading a checkpoint and the input pipeline")
FAIR_SHARE_HALF_LIFE = datasheet(7 * DAY, "s", "time after which past use counts half in fair-share order",
    "SchedMD, Slurm 24.05 manual, Multifactor Priority Plugin: PriorityDecayHalfLife defaults to 7 days")

POLICY_RESERVED = Constant(0, "1", "GPUs that only interactive jobs may use", "assumed: none in the message",
    low=0, high=128, step=8)
POLICY_QUOTA_INTERACTIVE = Constant(40, "1", "quota of interactive jobs, in GPUs",
    "assumed: as large as the preset of reserved GPUs", low=8, high=128, step=8)
POLICY_QUOTA_SEARCH = Constant(64, "1", "quota of search jobs, in GPUs", "assumed: twice what they use on average",
    low=32, high=128, step=8)
POLICY_WORTH_TRAINING = Constant(5, "1", "worth of a training job that starts in time", "assumed: five of the others",
    low=0, high=50)
POLICY_WORTH_PENALTY = Constant(0.5, "1", "penalty for an hour that a training job waits",
    "assumed: a tenth of its worth", low=0, high=10)
POLICY_GONE = Constant(0.5, "1", "share of the nodes that is gone for a day",
    "assumed: half, so that every policy falls behind")
POLICY_OUTAGE_RUNS = Constant(16, "1", "replications of the day without them", "assumed: as many as a result has")
POLICY_BLOCKED = Constant(41.22 * DAY, "s", "moment at which the animation opens on the message's jobs",
    "assumed: one of the largest jobs is first in line under FIFO, and most of the GPUs that it needs are idle")
POLICY_WEIGHT = Constant(1, "1", "fair-share weight of a class", "assumed: equal weights unless told otherwise",
    symbol="w", low=1, high=200)
POLICY_SEED = Constant(1, "1", "number of the random draw of jobs", "assumed: any will do", low=1, high=999)
POLICY_REPLICATIONS = Constant(16, "1", "independent replications behind each result",
    "assumed: 8 leave ± 5 h on training waits")
POLICY_INTERACTIVE_SHARE = Constant(0.95, "1", "share of interactive jobs that must start in time",
    "assumed: the challenge")
POLICY_TRAINING_WAIT = Constant(18 * HOUR, "s", "mean wait of training jobs that is still accepted",
    "assumed: the challenge, about as long as a training job runs")
POLICY_TEN_A_DAY = Constant(10 / DAY, "1/s", "training jobs of the draft (ten a day)", "assumed: the message")
POLICY_TRACE_BYTES = Constant(20e6, "B", "largest trace that is taken", "assumed: a year of a large machine fits")
