"""GPU slices: the challenge, to leave no slice of one GPU idle."""

from lessons.gpu_slices.settings import Slices
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict

#: Fewest instances that win: two large ones would be easy.
LEAST = 3


def task() -> str:
    """What the challenge asks for."""
    return (
        f"Serve at least {LEAST} models on one GPU and leave nothing idle: all {k.SLICES_COMPUTE:.0f} compute slices "
        f"and all {k.SLICES_MEMORY:.0f} memory slices in use."
    )


def judge(wish: Slices) -> Verdict:
    """Say what is still idle, or too much."""
    if not wish.fits:
        return Verdict("Not yet: this does not fit on one GPU.", False)
    idle = {"compute slice": int(k.SLICES_COMPUTE) - wish.compute, "memory slice": int(k.SLICES_MEMORY) - wish.memory}
    missing = [f"{f.count(number, words)} idle" for words, number in idle.items() if number]
    if len(wish.names) < LEAST:
        missing.append(f"{f.count(len(wish.names), 'instance')} only")
    if missing:
        return Verdict(f"Not yet: {', '.join(missing)}.", False)
    return Verdict(f"Won: {f.count(len(wish.names), 'instance')}, and no slice of the GPU is idle.", True)
