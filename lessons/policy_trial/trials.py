"""Policy trial: the visitor's own trials, drawn at random from all runs, and their saved text."""

import re
import secrets
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.policy_trial import choices
from physics import constants as k

#: Most trials of a visitor, weeks of each policy in a trial, and number of random seeds.
MOST = int(k.TRIAL_NUMBER.high)
WEEKS = int(k.TRIAL_WEEKS)
SEEDS = 10_000_000
_TRIAL = re.compile(r"([0-9]{1,7})([abAB]?)")


@dataclass(frozen=True)
class Played:
    """A visitor's trial: the seed of its random weeks and letters, and the policy kept, if any."""

    seed: int
    #: letter of the policy kept: "a" or "b" by the visitor, "A" or "B" by the shorter mean
    kept: str = ""

    def weeks(self, way: str) -> dict[str, np.ndarray]:
        """Weekly mean waits by letter in this kind of trial [s].

        If the policies run one after the other, each has a random window of weeks; otherwise both
        have the same window.
        """
        worse, better = (rows.reshape(-1, WEEKS) for rows in choices.windows(way, WEEKS))
        worse_number, better_number, _ = _random_numbers(self.seed)
        if way != "after":
            better_number = worse_number
        waits = {
            choices.WORSE: worse[int(worse_number * len(worse))],
            choices.BETTER: better[int(better_number * len(better))],
        }
        return {letter: waits[name] for letter, name in self.names.items()}

    @property
    def names(self) -> dict[str, str]:
        """Ids of the policies by letter, assigned at random for each trial."""
        pair = choices.PAIR
        if _random_numbers(self.seed)[2] >= 0.5:
            pair = reversed(pair)
        return dict(zip("AB", pair, strict=True))

    def shorter(self, way: str) -> str:
        """Letter of the policy with the shorter mean; A on a tie."""
        waits = self.weeks(way)
        return min("AB", key=lambda letter: waits[letter].sum())

    def better(self, letter: str) -> bool:
        """Whether the policy of this letter has the shorter mean in the long run."""
        return self.names[letter.upper()] == choices.BETTER


@lru_cache(maxsize=256)
def _random_numbers(seed: int) -> tuple[float, float, float]:
    """Uniform numbers that choose the window of strict priority, that of EASY, and policy A."""
    return tuple(np.random.default_rng([int(k.TRIAL_SEED), seed]).random(3).tolist())


def draw() -> Played:
    """Draw a new random trial."""
    return Played(secrets.randbelow(SEEDS))


def read(text: str) -> list[Played]:
    """Parse a line of trials, skipping invalid ones; only the last may be undecided.

    >>> read("17a 4B x 5")
    [Played(seed=17, kept='a'), Played(seed=4, kept='B'), Played(seed=5, kept='')]
    >>> read("17")
    [Played(seed=17, kept='')]
    """
    trials = []
    for entry in text.split():
        match = _TRIAL.fullmatch(entry)
        if match:
            trials.append(Played(int(match[1]), match[2]))
    decided = [trial for trial in trials[:-1] if trial.kept]
    return decided[: MOST - 1] + trials[-1:]


def write(trials: list[Played]) -> str:
    """Write trials as one short line.

    >>> write([Played(17, "a"), Played(5)])
    '17a 5'
    """
    return " ".join(f"{trial.seed}{trial.kept}" for trial in trials)
