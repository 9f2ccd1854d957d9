"""Policy trial: the challenge, the best of three policies within a budget of simulated weeks."""

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, weeks
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict

BUDGET, GOAL = int(k.TRIAL_BUDGET), float(k.TRIAL_GOAL)


def task() -> str:
    """The task in words."""
    return (
        f"Put three policies on trial: FIFO, strict priority, and priority with EASY. With at most {weeks(BUDGET)} in "
        f"all, find the one with the shortest mean wait of training in at least {f.share(GOAL)} of all draws."
    )


def judge(trial: Trial) -> Verdict:
    """Say how far these settings have come."""
    if trial.policies != "three":
        return Verdict("Not begun: it is about three policies, and two are on trial.")
    spent = len(choices.names(trial)) * trial.weeks
    if spent > BUDGET:
        return Verdict(f"{weeks(spent)} in all: more than the {BUDGET} there are.", False)
    found = choices.share(trial)
    said = f"{weeks(spent)} in all: the best is found in {f.apart(1 - found.value, GOAL, f.share)} of all"
    if 1 - found.value >= GOAL:
        return Verdict(f"Won: {said} draws.", True)
    return Verdict(f"{said} draws.", False)
