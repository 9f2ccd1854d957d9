"""Policy trial: the visitor's own trials, drawn at random from all runs, and the text that is kept
of them.
"""

import re
import secrets
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.policy_trial import choices
from physics import constants as k

#: Trials of a row, weeks of each policy, and how many different trials can be drawn.
MOST = int(k.TRIAL_NUMBER.high or 1)
WEEKS = int(k.TRIAL_WEEKS)
SEEDS = 10_000_000
_ONE = re.compile(r"([0-9]{1,7})([abAB]?)")


@dataclass(frozen=True)
class Played:
    """One trial: its weeks and who is A follow from a number drawn at random; which letter was
    kept, if any.
    """

    seed: int
    kept: str = ""  #: "a" or "b" by the visitor, "A" or "B" by the shorter mean, "" for not yet

    def weeks(self, way: str) -> dict[str, np.ndarray]:
        """Weekly means by letter, where the trial is run in this way [s].

        One after the other, each policy has a window of its own; otherwise both have the window
        that strict priority then has.
        """
        worse, better = (one.reshape(-1, WEEKS) for one in choices.windows(way, WEEKS))
        first, second, _ = _drawn(self.seed)
        own = int(first * len(worse))
        found = {
            choices.WORSE: worse[own],
            choices.BETTER: better[int(second * len(better)) if way == "after" else own],
        }
        return {letter: found[name] for letter, name in self.names.items()}

    @property
    def names(self) -> dict[str, str]:
        """Ids of the policies by letter: which one is A is drawn anew for each trial."""
        return dict(
            zip(
                "AB",
                choices.PAIR if _drawn(self.seed)[2] < 0.5 else choices.PAIR[::-1],
                strict=True,
            )
        )

    def shorter(self, way: str) -> str:
        """Letter of the policy with the shorter mean; A where both are equal, which chance has
        drawn.
        """
        return min("AB", key=lambda letter: self.weeks(way)[letter].sum())

    def better(self, letter: str) -> bool:
        """Whether this letter is the policy with the shorter mean in the long run."""
        return self.names[letter.upper()] == choices.BETTER


@lru_cache(maxsize=256)
def _drawn(seed: int) -> tuple[float, float, float]:
    """Three uniform numbers: the window of strict priority, that of EASY, and who is A."""
    return tuple(np.random.default_rng([int(k.TRIAL_SEED), seed]).random(3).tolist())


def draw() -> Played:
    """Draw a trial that nobody knows beforehand."""
    return Played(secrets.randbelow(SEEDS))


def read(text: str) -> list[Played]:
    """Return the trials that a text holds; what is none is left out, and only the last may be
    undecided.

    >>> read("17a 4B x 5"), read("17")
    ([Played(seed=17, kept='a'), Played(seed=4, kept='B'), Played(seed=5, kept='')], [Played(seed=17, kept='')])
    """
    matches = [_ONE.fullmatch(part) for part in text.split()]
    found = [Played(int(one[1]), one[2]) for one in matches if one]
    return [one for one in found[:-1] if one.kept][: MOST - 1] + found[-1:]


def write(trials: list[Played]) -> str:
    """Return the text of some trials.

    >>> write([Played(17, "a"), Played(5)])
    '17a 5'
    """
    return " ".join(f"{one.seed}{one.kept}" for one in trials)
