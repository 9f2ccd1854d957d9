"""Storage architecture: the challenge, twice the fleet for the money of the message's design."""

from lessons.storage_architecture.settings import QUEUES, Design, say
from physics import constants as k
from ui.base.lesson import Verdict
from ui.knobs.declared import default_of, knobs_of

#: What the challenge leaves as it is.
FIXED = ("file_size", "demand", "server_rate")


def judge(design: Design) -> Verdict:
    """Say how far a design has come."""
    off = [knobs_of(Design)[name].label for name in FIXED if getattr(design, name) != default_of(Design, name)]
    if off:
        return Verdict(say("reset", design, labels=", ".join(off)))
    if design.accelerators < k.STORAGE_CHALLENGE_FLEET:
        return Verdict(say("too_few", design))
    if design.loads.highest >= QUEUES:
        return Verdict(say(f"{design.loads.binding}_high", design), False)
    if design.cost > k.STORAGE_CHALLENGE_BUDGET:
        return Verdict(say("too_expensive", design), False)
    return Verdict(say("won", design), True)
