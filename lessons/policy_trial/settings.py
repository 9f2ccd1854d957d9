"""Policy trial: how a trial is run and for how long, and a bandit that would choose the policy of
each week.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from lessons.policy_trial import choices
from physics import constants as k
from physics.experiments import BANDITS, WEEK, weeks_needed
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

WAYS = ("after", "turns", "replay")
BUDGET = int(k.TRIAL_BUDGET)
GOAL = float(k.TRIAL_GOAL)


@dataclass(frozen=True)
class Trial:
    """A trial of strict priority and EASY, all SI but for counts of weeks."""

    page: ClassVar[str] = "policy_trial"
    load: ClassVar[float] = choices.LOAD  #: offered load of the fleet [1]
    bandits: ClassVar[int] = choices.BANDITS

    number: int = knob(k.TRIAL_NUMBER, pushed=True)
    way: str = choice(WAYS, pushed=True)
    weeks: int = knob(k.TRIAL_WEEKS, spoken="week")
    policies: int = knob(k.TRIAL_POLICIES)
    difference: float = knob(k.TRIAL_DIFFERENCE, unit=k.HOUR)
    confidence: float = knob(k.TRIAL_CONFIDENCE, positions=(80, 90, 95, 99), unit=0.01)
    rule: str = choice(BANDITS)
    rounds: int = knob(k.TRIAL_ROUNDS)

    @property
    def wrong(self) -> float:
        """Share of all trials of this kind in which the worse policy has the shorter mean [1]."""
        return choices.missed(self.way, self.weeks)

    @property
    def shuffled(self) -> float:
        """The same, one after the other, if weeks were independent [1]."""
        return choices.shuffled(self.weeks)

    @property
    def spent(self) -> int:
        """Weeks of both policies together."""
        return 2 * self.weeks

    @property
    def to_run(self) -> int:
        """Weeks that one of the visitor's trials takes: replayed, both policies have the same."""
        return int(k.TRIAL_WEEKS) * (1 if self.way == "replay" else 2)

    @property
    def strict(self) -> choices.Habit:
        """What weeks are like under strict priority."""
        return choices.habit("strict")

    @property
    def easy(self) -> choices.Habit:
        """What weeks are like under EASY."""
        return choices.habit("easy")

    @property
    def apart(self) -> float:
        """By how much they differ [s]."""
        return self.strict.mean - self.easy.mean

    @property
    def turned_apart(self) -> float:
        """By how much these differ [s]."""
        return self.strict.turned - self.easy.turned

    @property
    def deviation(self) -> float:
        """Standard deviation of a week's mean, from the average of both policies' variances [s]."""
        return math.hypot(self.strict.deviation, self.easy.deviation) / math.sqrt(2)

    @property
    def r(self) -> float:
        """Correlation of a week with the next, the average of both policies [1]."""
        return (self.strict.r + self.easy.r) / 2

    @property
    def needed(self) -> int:
        """Weeks of each policy until the difference is as long as its interval's half width."""
        return math.ceil(self.needed_for(self.difference, self.r))

    @property
    def independent(self) -> int:
        """The same if weeks were independent."""
        return math.ceil(self.needed_for(self.difference, 0.0))

    def needed_for(self, difference: float, r: float) -> float:
        """Return the same for another difference [s] and correlation [1], not rounded and at least
        one week.
        """
        return max(1.0, weeks_needed(self.deviation**2, r, difference, self.confidence))

    @property
    def several(self) -> choices.Luck:
        """What comes of a trial of several policies."""
        return choices.luck(self.weeks, self.policies)

    @property
    def bandit(self) -> choices.Regret:
        """What the bandit's rule loses."""
        return choices.regret(self.rule, self.rounds)


say = Sentences(
    Trial,
    formats={
        "hours": lambda seconds, digits=3: f"{f.rounded(seconds / k.HOUR, digits)} h",
        "weeks": lambda number: f.count(number, "week"),
        "lasting": lambda number: f.duration(number * WEEK),
    },
    cases={
        "one": {"weeks": 1},
        "sixteen": {"weeks": 16},
        "long": {"weeks": int(k.TRIAL_LONG)},
        "year": {"weeks": 2 * int(k.TRIAL_LONG)},
        "replayed": {"way": "replay", "weeks": 1},
        "two": {"way": "replay", "weeks": 2},
        "four": {"way": "replay", "weeks": 4},
    },
)
