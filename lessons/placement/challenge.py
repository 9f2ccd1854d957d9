"""Placement: the challenge, scattered GPUs on which a run ends before a node that is soon free could have run it."""

from lessons.placement.settings import TIE, Training, say
from physics import constants as k
from ui.base.lesson import Challenge, Preset, Verdict
from ui.knobs.declared import default_of, knobs_of

START = {
    "wait": float(k.PLACE_CHALLENGE_WAIT),
    "runtime": float(k.PLACE_CHALLENGE_RUNTIME),
    "between": float(k.PLACE_CHALLENGE_BETWEEN),
}
#: What it leaves as it is; the knobs of the stream have no part in it.
FIXED = ("wait", "runtime", "parameters", "compute", "overlap", "inside")


def judge(training: Training) -> Verdict:
    """Say how far the settings have come."""
    set_to = {name: START.get(name, default_of(Training, name)) for name in FIXED}
    off = [knobs_of(Training)[name].label for name, value in set_to.items() if getattr(training, name) != value]
    if off:
        return Verdict(say("reset", training, labels=", ".join(off)))
    if training.link_cost > k.PLACE_CHALLENGE_BUDGET:
        return Verdict(say("too_expensive", training), False)
    if training.gain > TIE * training.now_ends:
        return Verdict(say("too_slow", training), False)
    return Verdict(say("won", training), True)


CHALLENGE = Challenge(lambda: say("task", Training()), judge, Preset("", START))
