"""GPU slices: the challenge, a large instance placed so that the smaller ones beside it leave nothing idle."""

from lessons.gpu_slices.settings import Slices, say
from ui.base.lesson import Verdict

#: The instance that must be there, and how many others at least.
LARGE, OTHERS = "3g.40gb", 2


def judge(wish: Slices) -> Verdict:
    """Say what is still missing or idle."""
    if LARGE not in [one.profile for one in wish.layout]:
        return Verdict(say("no_large", wish))
    if wish.left.compute or wish.left.memory:
        return Verdict(say("stranded", wish), False)
    if wish.free_compute or wish.free_memory:
        return Verdict(say("idle", wish))
    if wish.instances - 1 < OTHERS:
        return Verdict(say("too_few", wish), False)
    return Verdict(say("won", wish), True)
