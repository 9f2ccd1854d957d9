"""Constants: fair queueing."""

from physics.constants import units
from physics.constants.kinds import Constant

FAIR_ALONE = Constant(
    30 * units.DAY,
    symbol="T",
    unit="s",
    meaning="time for which one team has run alone before the other returns",
    source="assumed: the message's story",
    low=0,
    high=60 * units.DAY,
)
FAIR_BATCH_DECAY = Constant(
    604_800,
    unit="s",
    meaning="longest time over which AWS Batch weighs past use (shareDecaySeconds); 0 stands for its shortest, 600 s",
    source="Amazon Web Services, AWS Batch API Reference: FairsharePolicy, shareDecaySeconds; the AWS Batch User Guide "
    "says that at 0 only current use is measured",
    kind="datasheet",
    low=10 * units.MINUTE,
    high=604_800,
)
FAIR_KUEUE_HALF_LIFE = Constant(
    168 * units.HOUR,
    unit="s",
    meaning="half-life of past use in the example of Kueue's documentation (usageHalfLifeTime)",
    source="The Kubernetes Authors, Kueue documentation: Admission Fair Sharing",
    kind="datasheet",
)
FAIR_WEIGHT_RATIO = Constant(
    1,
    symbol="r",
    unit="1",
    meaning="weight of the team that returns ÷ weight of the team that ran alone",
    source="assumed: equal shares",
    low=0.25,
    high=10,
)
FAIR_WANTED = Constant(
    1 * units.DAY, unit="s", meaning="longest lock-out that the team that ran alone would accept", source="assumed"
)
FAIR_FLOW_JOB = Constant(
    1 * units.DAY,
    unit="s",
    meaning="length of every job where the flows are shown job by job",
    source="assumed: long enough to be seen one by one",
)
FAIR_QUEUED = Constant(
    40,
    unit="1",
    meaning="jobs that the team that ran alone has waiting when the other returns",
    source="assumed: enough to fill the picture",
)
FAIR_TICKETS = Constant(
    0.1,
    symbol="p",
    unit="1",
    meaning="share of a lottery's tickets that is held",
    source="assumed: the second question",
    low=0.01,
    high=0.5,
)
FAIR_DRAWS = Constant(
    100, symbol="n", unit="1", meaning="draws of the lottery so far", source="assumed", low=10, high=10_000
)
FAIR_TOLERANCE = Constant(
    0.1,
    symbol="ε",
    unit="1",
    meaning="how near the share won has to be to the share of the tickets, relative to it",
    source="assumed: the second question",
)
FAIR_LOTTERY = Constant(
    1, unit="1", meaning="number of the lottery that is shown; each draws others", source="assumed", low=1, high=20
)
FAIR_AGING_RATIO = Constant(
    10,
    unit="1",
    meaning="rate at which a waiting urgent job gains priority ÷ that of a patient one",
    source="assumed",
    low=1,
    high=100,
)
FAIR_LOAD = Constant(
    0.9,
    symbol="ρ",
    unit="1",
    meaning="utilization of the one server that both classes share, half of it by each",
    source="assumed",
    low=0.5,
    high=0.95,
)
FAIR_SERVICE = Constant(
    1 * units.HOUR, symbol="S", unit="s", meaning="mean length of the jobs of both classes", source="assumed"
)
FAIR_URGENT_LIMIT = Constant(
    2 * units.HOUR,
    unit="s",
    meaning="longest mean wait of urgent jobs in the challenge",
    source="assumed: binds against the other limit at the highest load that can be carried",
)
FAIR_PATIENT_LIMIT = Constant(
    9.6 * units.HOUR,
    unit="s",
    meaning="longest mean wait of patient jobs in the challenge",
    source="assumed: binds against the other limit at the highest load that can be carried",
)
