"""Policy trial: how a trial is run and for how long, and the bandit that would run it by itself."""

from dataclasses import dataclass
from typing import ClassVar

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

    page: ClassVar[str] = "policy_trial"

    way: str = choice(WAYS)
    weeks: int = knob(k.TRIAL_WEEKS, spoken=weeks)
    policies: str = choice(PAIRS)
    number: int = knob(k.TRIAL_NUMBER)
    difference: float = knob(k.TRIAL_DIFFERENCE, unit=k.HOUR)
    confidence: float = knob(k.TRIAL_CONFIDENCE, positions=(80, 90, 95, 99), unit=0.01)
    rule: str = choice(RULES)
    rounds: int = knob(k.TRIAL_ROUNDS, group=MORE)
    epsilon: float = knob(k.TRIAL_EPSILON, unit=0.01, group=MORE)
    explore: int = knob(k.TRIAL_EXPLORE, group=MORE)

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
