"""Constants: the trial of a policy."""

from physics.constants import units
from physics.constants.kinds import Constant

TRIAL_WEEKS = Constant(
    8,
    symbol="n",
    unit="1",
    meaning="weeks for which each policy is tried",
    source="assumed: the message's story",
    low=1,
    high=26,
)
TRIAL_LONG = Constant(
    26, unit="1", meaning="weeks of each policy in the second question", source="assumed: half a year"
)
TRIAL_NUMBER = Constant(
    13,
    unit="1",
    meaning="number of the trial that is shown; each has other jobs. There are as many as simulated runs",
    source="assumed",
    low=1,
    high=72,
)
TRIAL_SEED = Constant(1, unit="1", meaning="seed of the simulated runs, with the number of each", source="assumed")
TRIAL_WARM_UP = Constant(
    12,
    unit="1",
    meaning="weeks at the start of each simulated run that are not counted, as the fleet begins empty",
    source="assumed: by then the queue has forgotten that it was empty",
)
TRIAL_LENGTH = Constant(192, unit="1", meaning="weeks of each simulated run that are counted", source="assumed")
TRIAL_TURNS = Constant(
    96,
    unit="1",
    meaning="counted weeks of each simulated run in which the policies take turns week by week",
    source="assumed: room for 26 weeks of each of three policies",
)
TRIAL_CONFIDENCE = Constant(
    0.95,
    unit="1",
    meaning="confidence of the interval around a difference of two means",
    source="assumed: customary",
    low=0.8,
    high=0.99,
)
TRIAL_DIFFERENCE = Constant(
    15 * units.HOUR,
    symbol="Δ",
    unit="s",
    meaning="difference of two policies' mean waits that is to be found",
    source="assumed: about what EASY gains over strict priority",
    low=1 * units.HOUR,
    high=30 * units.HOUR,
)
TRIAL_ROUNDS = Constant(
    104, symbol="n", unit="1", meaning="weeks for which a bandit chooses", source="assumed: two years", low=26, high=208
)
TRIAL_EPSILON = Constant(
    0.1,
    symbol="ε",
    unit="1",
    meaning="share of its choices in which ε-greedy takes any policy",
    source="assumed: customary",
    low=0,
    high=1,
)
TRIAL_EXPLORE = Constant(
    8,
    unit="1",
    meaning="weeks of each policy before explore-then-commit decides",
    source="assumed: the message's trial",
    low=1,
    high=26,
)
TRIAL_BUDGET = Constant(
    20,
    unit="1",
    meaning="simulated weeks that the challenge allows for all policies together",
    source="assumed: six of each of three policies, and not seven",
)
TRIAL_GOAL = Constant(
    0.9, unit="1", meaning="share of the draws in which the challenge wants the best policy found", source="assumed"
)
