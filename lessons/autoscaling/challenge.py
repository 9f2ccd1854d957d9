"""Autoscaling: the challenge, two thresholds with which every steady load settles."""

from lessons.autoscaling.settings import Fleet, say
from physics import constants as k
from physics.autoscaling.rules import ROUNDING
from ui.base.lesson import Verdict


def judge(fleet: Fleet) -> Verdict:
    """Say which of the three goals is missed, if any."""
    if fleet.upper > k.SCALE_UP_ABOVE * (1 + ROUNDING):
        return Verdict(say("too_busy", fleet), False)
    if fleet.counterexample is not None:
        return Verdict(say("still_swings", fleet), False)
    if fleet.lower < k.SCALE_UP_ABOVE / 2 * (1 - ROUNDING):
        return Verdict(say("too_idle", fleet), False)
    return Verdict(say("won", fleet), True)
