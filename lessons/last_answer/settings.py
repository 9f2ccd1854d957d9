"""The last answer: GPUs that write answers until all answers that a step needs are complete."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
import pandas as pd

from physics import constants as k
from physics.rollouts import (
    busy_share,
    draw_lengths,
    kept_mean,
    last_of,
    play_step,
    simulate_steps,
    stale_share,
    step_time,
)
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Coefficient of variation of the answers' lengths; None for memoryless ones, which also have 1.
SPREADS = {"same": 0.0, "half": 0.5, "memoryless": None, "one": 1.0, "two": 2.0}
#: Longest allowed answer, in mean lengths.
LIMITS = {"none": None, "8": 8.0, "6": 6.0, "4": 4.0, "3": 3.0}
#: Seed of the charted step. With the message's answers, its length is within about 3% of the mean
#: step with any number of slots; a test compares them.
SEED = 1348
#: Answers that are simulated for means without a formula.
SIMULATED = 100_000


@lru_cache(maxsize=64)
def play(rollout: "Rollout") -> pd.DataFrame:
    """Simulate a step, with the same random numbers at every setting; do not modify the result."""
    rng = np.random.default_rng(SEED)
    shape = (rollout.mean, SPREADS[rollout.spread], rollout.longest_time)
    lengths = draw_lengths(rollout.started, rng, *shape)
    return play_step(lengths, rollout.places, rollout.answers)


@lru_cache(maxsize=512)
def shares(rollout: "Rollout") -> tuple[float, float]:
    """Return the busy share of the slots, and kept answers' mean length ÷ that of all [1].

    Both are simulated if the formulas are not exact.
    """
    if rollout.exact:
        step = (rollout.answers, rollout.places, rollout.extra_answers)
        return float(busy_share(*step)), float(kept_mean(*step))
    table = simulate_steps(
        rollout.answers,
        np.random.default_rng(SEED),
        rollout.places,
        rollout.extra_answers,
        cv=SPREADS[rollout.spread],
        longest=LIMITS[rollout.longest],
        steps=max(4, SIMULATED // rollout.started),
    )
    busy = (table["busy"] * table["step"]).sum() / table["step"].sum()
    return float(busy), float(table["kept"].sum() / table["all"].sum())


@lru_cache(maxsize=2048)
def mean_step(rollout: "Rollout") -> float:
    """Mean length of a step [s]."""
    counts = (rollout.answers, rollout.places, rollout.extra_answers)
    lengths = (rollout.mean, SPREADS[rollout.spread], rollout.longest_time)
    return float(step_time(*counts, *lengths))


@dataclass(frozen=True)
class Rollout:
    """Training steps that wait for answers, and the GPUs that write them."""

    page: ClassVar[str] = "last_answer"
    mean: ClassVar[float] = float(k.LAST_MEAN)  #: time to write an answer, without a limit [s]

    gpus: int = knob(k.LAST_GPUS, spoken="GPU")
    answers: int = knob(k.LAST_ANSWERS, spoken="answer")
    extra: float = knob(k.LAST_EXTRA, unit=0.01)
    spread: str = choice(tuple(SPREADS), default="memoryless")
    longest: str = choice(tuple(LIMITS))

    @property
    def places(self) -> int:
        """Number of answers that all GPUs can write at the same time [1]."""
        return self.gpus * int(k.LAST_PLACES_PER_GPU)

    @property
    def extra_answers(self) -> int:
        """Number of answers that a step starts beyond those that it waits for [1]."""
        return round(self.extra * self.answers)

    @property
    def started(self) -> int:
        """Number of answers that a step starts [1]."""
        return self.answers + self.extra_answers

    @property
    def longest_time(self) -> float | None:
        """Time after which an answer is cut off [s]; None without a limit."""
        limit = LIMITS[self.longest]
        if limit is None:
            return None
        return limit * k.LAST_MEAN

    @property
    def exact(self) -> bool:
        """Whether the formulas are exact (memoryless lengths without a limit)."""
        return self.spread == "memoryless" and self.longest == "none"

    step = property(mean_step)

    @property
    def busy(self) -> float:
        """Share of the time that the slots spend writing answers [1]."""
        return shares(self)[0]

    @property
    def kept(self) -> float:
        """Mean length of kept answers ÷ mean length of all answers [1]."""
        return shares(self)[1]

    @property
    def cut_short(self) -> bool:
        """Whether the limit on an answer's length shortens the mean step by more than 1%."""
        if self.longest == "none":
            return False
        return self.step < 0.99 * replace(self, longest="none").step

    @property
    def shorter(self) -> float:
        """How much shorter kept answers are on average than all answers, as a share [1]."""
        return 1 - self.kept

    @property
    def rate(self) -> float:
        """Answers that each GPU contributes to learning per hour [1/h]."""
        return self.answers / self.gpus / self.step * k.HOUR

    @property
    def longest_wait(self) -> float:
        """Mean length of a step with a slot for every answer, set by the last answer [s]."""
        cv = SPREADS[self.spread]
        return float(step_time(self.answers, None, 0, self.mean, cv, self.longest_time))

    @property
    def work(self) -> float:
        """Time to write all answers if no slot were ever idle [s]."""
        return self.answers * self.mean / self.places

    @property
    def cut_off(self) -> float:
        """Share of the answers that are cut off [1]."""
        limit = LIMITS[self.longest]
        cv = SPREADS[self.spread]
        if limit is None or cv == 0:
            return 0.0
        if cv is None:
            return math.exp(-limit)
        sigma = math.sqrt(math.log1p(cv**2))
        return math.erfc((math.log(limit) / sigma + sigma / 2) / math.sqrt(2)) / 2

    @property
    def stale(self) -> float:
        """Share of the kept answers started before the last update, if continued [1]."""
        return float(stale_share(self.answers, self.extra_answers))

    @property
    def halved(self) -> float:
        """Relative increase of a step's length if half of the GPUs are removed [1]."""
        return replace(self, gpus=self.gpus // 2).step / self.step - 1

    @property
    def in_time(self) -> bool:
        """Whether a step takes no longer than the message's step."""
        return self.step <= Rollout().step

    @property
    def long_enough(self) -> bool:
        """Whether the kept answers are long enough for the challenge."""
        return self.shorter <= k.LAST_SHORTER


def bus(pupils: int, left: int, late: float, times: int) -> dict[str, float]:
    """Return the times until all or most pupils have arrived [s], and wrong answers."""
    mean = late * k.MINUTE
    everybody = float(mean * last_of(pupils))
    return {
        "all": everybody,
        "half": everybody / 2,
        "without": float(step_time(pupils - left, extra=left, mean=mean)),
        "mean": mean,
        "more": pupils * times,
        "all_of_more": float(mean * last_of(pupils * times)),
        "in_proportion": everybody * times,
        "root": everybody * times**0.75,
    }


say = Sentences(Rollout)
