"""Policy trial: the numbers that the lesson's words need, and the headline results."""

import math
from collections.abc import Mapping
from dataclasses import replace
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
        "strict": choices.hours(strict[0]),
        "easy": choices.hours(easy[0]),
        "strict_jobs": choices.hours(choices.over_jobs("strict")[0]),
        "easy_jobs": choices.hours(choices.over_jobs("easy")[0]),
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
        "story_needed": needed.written(needed.number(plain)),
        "story_difference": choices.hours(plain.difference),
    }


def live_values(trial: Trial) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    formula = replace(trial, way="after") if trial.way == "replay" else trial
    variance, r = needed.spread(formula)
    turned = [choices.mean(name, trial.policies, "turns") for name in ("strict", "easy")]
    return _story() | {
        "weeks": weeks(trial.weeks),
        "now": choices.share(trial).told,
        "deviation": choices.hours(math.sqrt(variance), 3),
        "r": f.significant(r, 2),
        "difference": choices.hours(trial.difference),
        "confidence": f.share(trial.confidence),
        "needed": needed.written(needed.number(formula)),
        "independent": needed.written(needed.number(formula, correlation=0.0)),
        "meant": needed.meant(trial),
        "rounds": weeks(trial.rounds),
        "bound": f.rounded(bandits.bound(trial), 3),
        "worst": f.rounded(max(bandits.gaps(trial)) * trial.rounds, 3),
        "regret": bandits.told(trial),
        "strict_turns": choices.hours(turned[0][0]),
        "easy_turns": choices.hours(turned[1][0]),
    }


def results(trial: Trial) -> list[Result]:
    """The headline numbers that are pinned, kept and handed in."""
    wrong, long = choices.missed(trial.policies, trial.way, trial.weeks), needed.number(trial)
    return [
        Result("Wrong trials", wrong, f.share(wrong)),
        Result("Weeks needed", long, weeks(math.ceil(long))),
    ]
