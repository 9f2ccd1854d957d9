"""Policy trial: the numbers that the lesson's words need, and the headline results."""

import math
from collections.abc import Mapping
from functools import lru_cache

from lessons.policy_trial import bandits, choices, needed
from lessons.policy_trial.settings import Trial, weeks
from lessons.policy_trial.weeks import LENGTH
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Result

EIGHT, LONG = int(k.TRIAL_WEEKS), int(k.TRIAL_LONG)


@lru_cache(maxsize=1)
def _story() -> Mapping[str, str]:
    """Numbers of the message and of the two questions, which no knob changes."""
    plain = Trial()
    strict, easy = choices.mean("strict"), choices.mean("easy")
    turned = [choices.mean(name, "two", "turns")[0] for name in ("strict", "easy")]
    block, _ = choices.blocks()
    tied, strictly = choices.ties()
    return {
        "load": f.share(choices.LOAD),
        "runs": f"{choices.RUNS}",
        "length": weeks(LENGTH),
        "strict": choices.hours_with(strict),
        "easy": choices.hours_with(easy),
        "strict_jobs": choices.hours_with(choices.over_jobs("strict")),
        "easy_jobs": choices.hours_with(choices.over_jobs("easy")),
        "apart": choices.hours(strict[0] - easy[0]),
        "strays": choices.hours(choices.spread("strict")[0] ** 0.5, 2),
        "strays_easy": choices.hours(choices.spread("easy")[0] ** 0.5, 2),
        "r_strict": f.significant(choices.spread("strict")[1], 2),
        "r_easy": f.significant(choices.spread("easy")[1], 2),
        "wrong_eight": choices.interval("two", "after", EIGHT).words,
        "wrong_long": choices.interval("two", "after", LONG).words,
        "wrong_year": choices.interval("two", "after", 2 * LONG).words,
        "free_eight": f.share(choices.shuffled(EIGHT), 2),
        "free_long": f.share(choices.shuffled(LONG), 2),
        "replay_one": choices.interval("two", "replay", 1).words,
        "replay_four": choices.interval("two", "replay", 4).words,
        "tied": f.share(tied, 2),
        "strictly": f.share(strictly, 2),
        "block": block.words,
        "turns_gap": choices.hours(turned[0] - turned[1], 2),
        "story_needed": f.significant(math.ceil(needed.number(plain)), 6),
        "story_difference": choices.hours(plain.difference),
    }


def live_values(trial: Trial) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    variance, r = needed.spread(trial)
    turned = [choices.mean(name, trial.policies, "turns") for name in ("strict", "easy")]
    return _story() | {
        "weeks": weeks(trial.weeks),
        "now": choices.share(trial).words,
        "deviation": choices.hours(math.sqrt(variance), 3),
        "r": f.significant(r, 2),
        "difference": choices.hours(trial.difference),
        "confidence": f.share(trial.confidence),
        "needed": f.significant(math.ceil(needed.number(trial)), 6),
        "independent": f.significant(math.ceil(needed.number(trial, correlation=0.0)), 6),
        "rounds": weeks(trial.rounds),
        "bound": f.significant(bandits.bound(trial)),
        "worst": f.significant(max(bandits.gaps(trial)) * trial.rounds),
        "regret": bandits.told(trial),
        "strict_turns": choices.hours_with(turned[0]),
        "easy_turns": choices.hours_with(turned[1]),
    }


def results(trial: Trial) -> list[Result]:
    """The headline numbers that are pinned, kept and handed in."""
    wrong, long = choices.missed(trial.policies, trial.way, trial.weeks), needed.number(trial)
    return [
        Result("Wrong trials", wrong, f.share(wrong)),
        Result("Weeks needed", long, weeks(math.ceil(long))),
    ]
