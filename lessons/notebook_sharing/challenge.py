"""Notebook sharing: the challenge, a start of the second cell at which one gains enough and the other loses little."""

from lessons.notebook_sharing.pair import goals_of
from lessons.notebook_sharing.settings import TIE, Study, say
from physics import constants as k
from ui.base.lesson import Challenge, Preset, Verdict
from ui.knobs.declared import knobs_of

START = {"second_length": int(k.NOTEBOOK_QUICK_CELL), "second_cores": 8, "overhead": 0.0, "loss": 0.0}


def judge(study: Study) -> Verdict:
    """Say which of the two users is not served well enough yet."""
    labels = [knobs_of(Study)[name].label for name, value in START.items() if getattr(study, name) != value]
    if labels:
        return Verdict(say("reset", study, labels=", ".join(labels)))
    first, second = goals_of(study)
    if study.ordered.one > first + TIE:
        return Verdict(say("too_little", study), False)
    if study.ordered.two > second + TIE:
        return Verdict(say("too_late", study), False)
    return Verdict(say("won" if study.delay > 0 else "won_even", study), True)


CHALLENGE = Challenge(lambda: say("task", Study()), judge, Preset(changes=START))
