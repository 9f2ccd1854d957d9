"""Constants: fair queueing."""

from physics.constants.kinds import Constant, datasheet
from physics.constants.units import DAY, HOUR, MINUTE

_CHALLENGE = "assumed: between two and three weeks alone reach both goals"

FAIR_ALONE = Constant(3650 * DAY, "s", "time for which one team has run alone before the other returns",
    "assumed: the message's ten years", symbol="T", low=0, high=3650 * DAY)
FAIR_BATCH_DECAY = datasheet(604_800, "s",
    "longest time over which AWS Batch weighs past use (shareDecaySeconds); 0 stands for its shortest, 600 s",
    "Amazon Web Services, AWS Batch API Reference: FairsharePolicy, shareDecaySeconds; the AWS Batch User Guide says "
    "that at 0 only current use is measured", low=10 * MINUTE, high=604_800)
FAIR_KUEUE_HALF_LIFE = datasheet(168 * HOUR, "s",
    "half-life of past use in the example of Kueue's documentation (usageHalfLifeTime)",
    "The Kubernetes Authors, Kueue documentation: Admission Fair Sharing")
FAIR_WEIGHT_RATIO = Constant(1, "1", "weight of the team that returns ÷ weight of the team that ran alone",
    "assumed: equal shares", symbol="r", low=0.25, high=10)
FAIR_WANTED = Constant(1 * DAY, "s", "longest lock-out that the team that ran alone would accept", "assumed")
FAIR_FLOW_JOB = Constant(1 * DAY, "s", "length of every job, which takes the whole cluster",
    "assumed: long enough to be seen one by one")
FAIR_QUEUED = Constant(40, "1", "jobs that the team that ran alone has waiting when the other returns",
    "assumed: enough to fill the picture")
FAIR_TICKETS = Constant(0.1, "1", "share of a lottery's tickets that is held", "assumed",
    symbol="p", low=0.01, high=0.5)
FAIR_DRAWS = Constant(100, "1", "draws of the lottery so far", "assumed", symbol="n", low=10, high=10_000)
FAIR_TOLERANCE = Constant(0.1, "1", "how near the share won has to be to the share of the tickets, relative to it",
    "assumed", symbol="ε")
FAIR_LOTTERY = Constant(1, "1", "number of the lottery that is shown", "assumed: the first")
FAIR_AGING_RATIO = Constant(10, "1", "rate at which a waiting urgent job gains priority ÷ that of a patient one",
    "assumed", low=1, high=100)
FAIR_LOAD = Constant(0.9, "1", "utilization of the one server that both classes share, half of it by each", "assumed",
    symbol="ρ", low=0.5, high=0.95)
FAIR_SERVICE = Constant(1 * HOUR, "s", "mean length of the jobs of both classes", "assumed", symbol="S")
FAIR_GOAL_HALF_LIFE = Constant(14 * DAY, "s", "half-life of past use in the challenge", _CHALLENGE)
FAIR_LEAST_ALONE = Constant(15 * DAY, "s", "least time alone that the challenge asks for", _CHALLENGE)
FAIR_MOST_WAIT = Constant(10 * DAY, "s", "longest wait of the team that ran alone in the challenge", _CHALLENGE)
