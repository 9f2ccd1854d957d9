"""Constants: scheduling policy."""

from physics.constants import units
from physics.constants.kinds import Constant

FLEET_GPUS = Constant(
    1024,
    symbol="C",
    unit="1",
    meaning="GPUs of the fleet that the policies share",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    low=256,
    high=4096,
)
INTERACTIVE_GPUS = Constant(
    8,
    unit="1",
    meaning="GPUs of an interactive job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
INTERACTIVE_RUNTIME = Constant(
    30 * units.MINUTE,
    unit="s",
    meaning="mean runtime of an interactive job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
INTERACTIVE_RATE = Constant(
    50 / units.DAY,
    symbol="λ",
    unit="1/s",
    meaning="interactive jobs submitted a second (50 a day)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    low=0,
    high=10 / units.HOUR,
)
SEARCH_GPUS_STEP = Constant(
    8,
    unit="1",
    meaning="step between the sizes of search jobs (8, 16, 24, 32 GPUs)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
SEARCH_RUNTIME = Constant(
    2 * units.HOUR,
    unit="s",
    meaning="mean runtime of a search job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
SEARCH_RATE = Constant(
    20 / units.DAY,
    symbol="λ",
    unit="1/s",
    meaning="search jobs submitted a second (20 a day)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
    low=0,
    high=100 / units.DAY,
)
TRAINING_GPUS_STEP = Constant(
    64,
    unit="1",
    meaning="step between the sizes of training jobs (64, 128, …, 512 GPUs)",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
TRAINING_RUNTIME_LEAST = Constant(
    12 * units.HOUR,
    unit="s",
    meaning="shortest runtime of a training job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
TRAINING_RUNTIME_MOST = Constant(
    24 * units.HOUR,
    unit="s",
    meaning="longest runtime of a training job",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
TRAINING_RATE = Constant(
    3.5 / units.DAY,
    symbol="λ",
    unit="1/s",
    meaning="training jobs submitted a second (3.5 a day)",
    source="assumed: the message's ten a day are 215 % of the fleet, which nothing can carry; 3.5 make 77.9 %",
    low=1 / units.DAY,
    high=12 / units.DAY,
)
SIMULATED_TIME = Constant(
    60 * units.DAY,
    unit="s",
    meaning="time during which jobs are submitted in one replication",
    source="assumed: long enough for some 200 training jobs, short enough to answer within a second",
)
INTERACTIVE_TARGET = Constant(
    5 * units.MINUTE,
    unit="s",
    meaning="wait within which an interactive job must start",
    source="assumed: the lesson's message, a platform of this size as the draft lab 08 tells it",
)
TRAINING_LIMIT = Constant(
    48 * units.HOUR,
    unit="s",
    meaning="wait above which a training job counts as kept too long",
    source="assumed: two days, twice the longest run",
)
CHECKPOINT_INTERVAL = Constant(
    1 * units.HOUR,
    unit="s",
    meaning="work between two checkpoints of a job that may be preempted",
    source="assumed: hourly, so that a preempted job repeats half an hour on average",
    low=0.25 * units.HOUR,
    high=12 * units.HOUR,
)
RESTART_TIME = Constant(
    10 * units.MINUTE,
    unit="s",
    meaning="time that a preempted job needs before it works again",
    source="assumed: reloading a checkpoint and the input pipeline",
    low=0,
    high=60 * units.MINUTE,
)
FAIR_SHARE_HALF_LIFE = Constant(
    7 * units.DAY,
    unit="s",
    meaning="time after which past use counts half in fair-share order",
    source="SchedMD, Slurm 24.05 manual, Multifactor Priority Plugin: PriorityDecayHalfLife defaults to 7 days",
    kind="datasheet",
    low=1 * units.DAY,
    high=30 * units.DAY,
)


def _policy(
    value: float,
    unit: str,
    meaning: str,
    why: str,
    low: float | None = None,
    high: float | None = None,
    symbol: str = "",
) -> Constant:
    return Constant(value, symbol=symbol, unit=unit, meaning=meaning, source=f"assumed: {why}", low=low, high=high)


POLICY_RESERVED = _policy(0, "1", "GPUs that only interactive jobs may use", "none in the message", 0, 128)
POLICY_QUOTA_INTERACTIVE = _policy(
    40, "1", "quota of interactive jobs, in GPUs", "as large as the slice preset", 8, 128
)
POLICY_QUOTA_SEARCH = _policy(64, "1", "quota of search jobs, in GPUs", "twice what they use on average", 32, 128)
POLICY_WORTH_INTERACTIVE = _policy(1, "1", "worth of an interactive job that starts in time", "the unit", 0, 10)
POLICY_WORTH_SEARCH = _policy(1, "1", "worth of a search job that starts in time", "as an interactive one", 0, 10)
POLICY_WORTH_TRAINING = _policy(5, "1", "worth of a training job that starts in time", "five of the others", 0, 50)
POLICY_WORTH_PENALTY = _policy(0.5, "1", "penalty for an hour that a training job waits", "a tenth of its worth", 0, 10)
POLICY_GONE = _policy(0.5, "1", "share of the nodes that is gone for a day", "half, so that every policy falls behind")
POLICY_OUTAGE_RUNS = _policy(16, "1", "replications of the day without them", "as many as a result has")
POLICY_MAX_WAIT = _policy(
    0,
    "s",
    "wait after which a job goes before all that have waited less; 0: no limit",
    "none in the message",
    0,
    7 * units.DAY,
)
POLICY_TRAINING_SIZE = _policy(
    512, "1", "GPUs of the largest training jobs; sizes are its multiples of 64 up to it", "the message", 64, 1024
)
POLICY_ESTIMATES = _policy(1, "1", "estimate ÷ runtime of every job", "exact unless told otherwise", 1, 10)
POLICY_WEIGHT = _policy(1, "1", "fair-share weight of a class", "equal weights unless told otherwise", 1, 10, "w")
POLICY_SEED = _policy(1, "1", "number of the random draw of jobs", "any will do", 1, 999)
POLICY_REPLICATIONS = _policy(
    16, "1", "independent replications behind each result", "8 leave ± 5 h on training waits", 4, 64
)
POLICY_JUDGED = _policy(32, "1", "replications that decide the challenge", "twice as many as are shown")
POLICY_INTERACTIVE_SHARE = _policy(0.95, "1", "share of interactive jobs that must start in time", "the challenge")
POLICY_TRAINING_SHARE = _policy(0.20, "1", "share of training jobs that may wait too long", "the challenge")
POLICY_LOST_SHARE = _policy(0.02, "1", "share of executed GPU-hours that may be lost", "the challenge")
POLICY_TEN_A_DAY = _policy(10 / units.DAY, "1/s", "training jobs that the message speaks of (ten a day)", "the message")
POLICY_PARTITIONS = _policy(3, "1", "equal partitions of answer (d)", "one for each class")
POLICY_NODE = _policy(8, "1", "GPUs of a node", "the usual number of GPUs in a server")
POLICY_TRACE_BYTES = _policy(20e6, "B", "largest trace that is taken", "a year of a large machine fits")
