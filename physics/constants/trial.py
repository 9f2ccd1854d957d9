"""Constants: the trial of a policy."""

from physics.constants.kinds import Constant
from physics.constants.units import HOUR

__all__ = [
    "TRIAL_BUDGET",
    "TRIAL_CONFIDENCE",
    "TRIAL_DIFFERENCE",
    "TRIAL_EPSILON",
    "TRIAL_EXPLORE",
    "TRIAL_GOAL",
    "TRIAL_LENGTH",
    "TRIAL_LONG",
    "TRIAL_NUMBER",
    "TRIAL_ROUNDS",
    "TRIAL_SEED",
    "TRIAL_TURNS",
    "TRIAL_WARM_UP",
    "TRIAL_WEEKS",
]

TRIAL_WEEKS = Constant(
    8,
    symbol="n",
    unit="1",
    meaning="weeks for which each policy is tried",
    source="assumed: the message's story",
    kind="assumed",
    low=1,
    high=26,
)
TRIAL_LONG = Constant(
    26,
    symbol="",
    unit="1",
    meaning="weeks of each policy in the second question",
    source="assumed: half a year",
    kind="assumed",
)
TRIAL_NUMBER = Constant(
    13,
    symbol="",
    unit="1",
    meaning="number of the trial that is shown; each has other jobs. There are as many as simulated runs",
    source="assumed",
    kind="assumed",
    low=1,
    high=72,
)
TRIAL_SEED = Constant(
    1,
    symbol="",
    unit="1",
    meaning="seed of the simulated runs, with the number of each",
    source="assumed",
    kind="assumed",
)
TRIAL_WARM_UP = Constant(
    12,
    symbol="",
    unit="1",
    meaning="weeks at the start of each simulated run that are not counted, as the fleet begins empty",
    source="assumed: by then the queue has forgotten that it was empty",
    kind="assumed",
)
TRIAL_LENGTH = Constant(
    192,
    symbol="",
    unit="1",
    meaning="weeks of each simulated run that are counted",
    source="assumed",
    kind="assumed",
)
TRIAL_TURNS = Constant(
    96,
    symbol="",
    unit="1",
    meaning="counted weeks of each simulated run in which the policies take turns week by week",
    source="assumed: room for 26 weeks of each of three policies",
    kind="assumed",
)
TRIAL_CONFIDENCE = Constant(
    0.95,
    symbol="",
    unit="1",
    meaning="confidence of the interval around a difference of two means",
    source="assumed: customary",
    kind="assumed",
    low=0.8,
    high=0.99,
)
TRIAL_DIFFERENCE = Constant(
    15 * HOUR,
    symbol="Δ",
    unit="s",
    meaning="difference of two policies' mean waits that is to be found",
    source="assumed: about what EASY gains over strict priority",
    kind="assumed",
    low=1 * HOUR,
    high=30 * HOUR,
)
TRIAL_ROUNDS = Constant(
    104,
    symbol="n",
    unit="1",
    meaning="weeks for which a bandit chooses",
    source="assumed: two years",
    kind="assumed",
    low=26,
    high=208,
)
TRIAL_EPSILON = Constant(
    0.1,
    symbol="ε",
    unit="1",
    meaning="share of its choices in which ε-greedy takes any policy",
    source="assumed: customary",
    kind="assumed",
    low=0,
    high=1,
)
TRIAL_EXPLORE = Constant(
    8,
    symbol="",
    unit="1",
    meaning="weeks of each policy before explore-then-commit decides",
    source="assumed: the message's trial",
    kind="assumed",
    low=1,
    high=26,
)
TRIAL_BUDGET = Constant(
    20,
    symbol="",
    unit="1",
    meaning="simulated weeks that the challenge allows for all policies together",
    source="assumed: six of each of three policies, and not seven",
    kind="assumed",
)
TRIAL_GOAL = Constant(
    0.9,
    symbol="",
    unit="1",
    meaning="share of the draws in which the challenge wants the best policy found",
    source="assumed",
    kind="assumed",
)
