"""Policy trial: kind and length of a trial, and a bandit that chooses each week's policy."""

import math
from dataclasses import dataclass
from typing import ClassVar

from lessons.policy_trial import choices
from lessons.policy_trial.laboratory.luck import Luck, luck
from lessons.policy_trial.laboratory.regret import RUNS, Regret, regret
from lessons.policy_trial.weeks import BLOCKS
from physics import constants as k
from physics.experiments import BANDITS, weeks_needed
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Kinds of trials: one policy after the other, alternating weekly, or replaying the same weeks.
WAYS = ("after", "turns", "replay")


@dataclass(frozen=True)
class Trial:
    """Trial of strict priority against EASY; all SI except counts of weeks."""

    page: ClassVar[str] = "policy_trial"
    load: ClassVar[float] = choices.LOAD  #: offered load of the fleet [1]
    bandits: ClassVar[int] = RUNS  #: simulated runs of a bandit [1]

    number: int = knob(k.TRIAL_NUMBER, pushed=True)
    way: str = choice(WAYS, pushed=True)
    weeks: int = knob(k.TRIAL_WEEKS, spoken="week")
    block: int = knob(k.TRIAL_BLOCK, positions=BLOCKS, spoken="week")
    skipped: int = knob(k.TRIAL_SKIPPED, spoken="week")
    policies: int = knob(k.TRIAL_POLICIES)
    difference: float = knob(k.TRIAL_DIFFERENCE, unit=k.HOUR)
    confidence: float = knob(k.TRIAL_CONFIDENCE, positions=(80, 90, 95, 99), unit=0.01)
    rule: str = choice(BANDITS)
    rounds: int = knob(k.TRIAL_ROUNDS)

    @property
    def wrong(self) -> f.Mean:
        """Share of such trials in which the worse policy has the shorter mean [1]."""
        return choices.wrong(self.way, self.weeks)

    @property
    def shuffled(self) -> float:
        """Share of wrong sequential trials if weeks were independent [1]."""
        return choices.shuffled(self.weeks)

    @property
    def simulated(self) -> bool:
        """Whether the trial needs a simulator."""
        return self.way == "replay"

    @property
    def strict(self) -> choices.Habit:
        """Statistics of weeks under strict priority."""
        return choices.habit("strict")

    @property
    def easy(self) -> choices.Habit:
        """Statistics of weeks under EASY."""
        return choices.habit("easy")

    @property
    def apart(self) -> f.Mean:
        """Long-run difference of the two policies' mean waits [s]."""
        return choices.of_pair(choices.gap)

    @property
    def weekly(self) -> choices.Alternated:
        """Result of a trial that alternates weekly."""
        return choices.alternated(1, 0)

    @property
    def alternated(self) -> choices.Alternated:
        """Result of a trial that alternates policies in blocks of this length."""
        return choices.alternated(self.block, self.skipped)

    @property
    def reached(self) -> dict[str, bool]:
        """Whether each goal of the challenge is reached, by name."""
        return {
            "apart": self.alternated.apart >= k.TRIAL_APART,
            "counted": self.alternated.counted >= k.TRIAL_COUNTED,
        }

    @property
    def deviation(self) -> f.Mean:
        """Standard deviation of a week's mean, from the average of both policies' variances [s]."""
        return choices.of_pair(choices.deviation)

    @property
    def r(self) -> f.Mean:
        """Correlation of a week with the next, averaged over both policies [1]."""
        return choices.of_pair(choices.mean_correlation)

    @property
    def needed(self) -> f.Mean:
        """Weeks per policy until the difference equals the half-width of its interval."""
        return choices.needed(self.difference, self.confidence)

    @property
    def independent(self) -> int:
        """Weeks per policy if weeks were independent."""
        return math.ceil(self.needed_for(self.difference, 0.0))

    def needed_for(self, difference: float, r: float) -> float:
        """Return the weeks per policy for another difference [s] and correlation [1], unrounded."""
        return max(1.0, weeks_needed(self.deviation**2, r, difference, self.confidence))

    @property
    def several(self) -> Luck:
        """Result of trials with several policies."""
        return luck(self.weeks, self.policies)

    @property
    def bandit(self) -> Regret:
        """Regret of the bandit that follows the selected rule."""
        return regret(self.rule, self.rounds)


def hours(seconds: float, digits: int = 3) -> str:
    """Write a time in hours, with no more digits than its interval allows."""
    time = seconds / k.HOUR
    if isinstance(time, f.Mean):
        return f"{f.significant(time, digits)} h"
    return f"{f.rounded(time, digits)} h"


say = Sentences(
    Trial,
    formats={"hours": hours, "weeks": lambda number: f.count(number, "week")},
)
