"""Constants: the trial of a policy."""

from physics.constants.kinds import Constant
from physics.constants.units import HOUR

TRIAL_WEEKS = Constant(8, "1", "weeks for which each policy is tried",
    "assumed: the message's story", symbol="n", low=1, high=16)
TRIAL_LONG = Constant(26, "1", "weeks of each policy in the second question", "assumed: half a year")
TRIAL_NUMBER = Constant(1, "1", "which of the visitor's own trials is shown", "assumed: room for ten", low=1, high=10)
TRIAL_RUNS = Constant(72, "1", "simulated runs; each has other jobs", "assumed")
TRIAL_SEED = Constant(1, "1", "seed of the simulated runs, with the number of each", "assumed")
TRIAL_WARM_UP = Constant(16, "1",
    "weeks at the start of each simulated run that are not counted, as the fleet begins empty",
    "assumed: by then the queue has forgotten that it was empty")
TRIAL_LENGTH = Constant(192, "1", "weeks of each simulated run that are counted", "assumed")
TRIAL_TURNS = Constant(96, "1", "counted weeks of each simulated run in which the policies take turns week by week",
    "assumed: room for a year of both policies")
TRIAL_POLICIES = Constant(3, "1", "policies on trial at once", "assumed: one more than the message's", low=2, high=10)
TRIAL_CONFIDENCE = Constant(0.95, "1", "confidence of the interval around a difference of two means",
    "assumed: customary", low=0.8, high=0.99)
TRIAL_DIFFERENCE = Constant(15 * HOUR, "s", "difference of two policies' mean waits that is to be found",
    "assumed: about what EASY gains over strict priority", symbol="Δ", low=1 * HOUR, high=30 * HOUR)
TRIAL_ROUNDS = Constant(104, "1", "weeks for which a bandit chooses",
    "assumed: two years", symbol="n", low=26, high=208, step=26)
TRIAL_EPSILON = Constant(0.1, "1", "share of its choices in which ε-greedy takes any policy",
    "assumed: customary", symbol="ε")
TRIAL_EXPLORE = Constant(8, "1", "weeks of each policy before explore-then-commit decides",
    "assumed: the message's trial")
TRIAL_BLOCK = Constant(1, "1", "weeks that each policy keeps the fleet, where the policies alternate",
    "assumed: every week another policy", low=1, high=8)
TRIAL_SKIPPED = Constant(0, "1", "weeks after each change of the policy that do not count",
    "assumed: every week counts", low=0, high=7, step=1)
TRIAL_APART = Constant(10 * HOUR, "s", "measured difference that the challenge asks for",
    "assumed: about two thirds of what EASY gains over strict priority")
TRIAL_COUNTED = Constant(0.5, "1", "share of the weeks that must count in the challenge", "assumed")
TRIAL_GOAL = Constant(0.95, "1", "share of the trials in which the better policy should be found",
    "assumed: customary")
