"""Spot training: the same picture with the time that a checkpoint and a restart take, and with a notice."""

from lessons.spot_training import cost
from lessons.spot_training.settings import Plan, say

beside, figure = cost.beside, cost.figure


def words(plan: Plan) -> str:
    """Say what the interval follows, and what a notice does."""
    notice = "notice_saves" if plan.saved_by_notice else "notice_late" if plan.warning else "notice_none"
    return f"{say('faster_words', plan)} {say(notice, plan)}"
