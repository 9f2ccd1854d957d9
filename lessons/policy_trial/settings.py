"""Policy trial: how a trial is run and for how long, and the bandit that would run it by itself."""

from dataclasses import dataclass

from physics import constants as k
from ui.base import format as f
from ui.knobs import MORE, choice, knob

WAYS = {
    "after": "One after the other",
    "turns": "In turns, week by week",
    "replay": "The same weeks replayed",
}
PAIRS = {"two": "Strict priority, EASY", "three": "FIFO, strict priority, EASY"}
RULES = {
    "ucb1": "UCB1",
    "epsilon_greedy": "ε-greedy",
    "explore_then_commit": "Explore, then commit",
    "thompson": "Thompson sampling",
}


def weeks(number: float) -> str:
    """Write a number of weeks."""
    return f.count(number, "week")


@dataclass(frozen=True)
class Trial:
    """A trial of policies on a fleet, all SI but for counts of weeks."""

    way: str = choice(WAYS, "How the trial is run", help="Who meets which weeks.", change="run as “{}”")
    weeks: int = knob(
        k.TRIAL_WEEKS,
        "Weeks of each policy",
        help="How long each policy is tried.",
        change="{} of each",
        spoken=weeks,
    )
    policies: str = choice(PAIRS, "Policies on trial", help="EASY is strict priority with EASY backfill.")
    number: int = knob(k.TRIAL_NUMBER, "Number of the trial", help="Other jobs; it acts on “One trial” and the film.")
    difference: float = knob(
        k.TRIAL_DIFFERENCE,
        "Difference to be found (h)",
        unit=k.HOUR,
        help="Of the mean waits of training; it acts on “Weeks needed” alone.",
    )
    confidence: float = knob(
        k.TRIAL_CONFIDENCE,
        "Confidence (%)",
        positions=(80, 90, 95, 99),
        unit=0.01,
        help="Of the interval around the difference; it acts on “Weeks needed” alone.",
    )
    rule: str = choice(RULES, "Rule of the bandit", help="How it chooses next week's policy.")
    rounds: int = knob(k.TRIAL_ROUNDS, "Weeks of the bandit", help="How long the bandit chooses.", group=MORE)
    epsilon: float = knob(
        k.TRIAL_EPSILON,
        "ε of ε-greedy (%)",
        unit=0.01,
        help="Share of its choices in which it takes any policy.",
        group=MORE,
    )
    explore: int = knob(
        k.TRIAL_EXPLORE, "Weeks before it commits", help="Of each policy, for explore-then-commit.", group=MORE
    )

    def idle(self) -> dict[str, str]:
        """Say of knobs that have no effect at the moment why, by quantity."""
        found = {}
        if self.rule != "epsilon_greedy":
            found["epsilon"] = "the rule is not ε-greedy"
        if self.way == "replay":
            found["difference"] = "replayed weeks are counted at the table's own difference"
        if self.rule != "explore_then_commit":
            found["explore"] = "the rule never commits"
        return found
