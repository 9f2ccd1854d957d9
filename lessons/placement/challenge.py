"""Placement: the challenge, a mean completion below a limit with links that cost money."""

from math import isclose

from lessons.placement.settings import Training
from lessons.placement.stream import run
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs.declared import moved

#: Where it is played: the settings of the preset, of which only these may be changed.
#: At this load a long stream has steady waits under the setting that wins; at 60 % a backlog could grow and stay.
START = {"mix": "five", "load": 0.55, "draw": 10, "rule": "worst", "between": 12.5e9}
FREE = ("rule", "whole", "between")
#: Mean completion at most [s], and money for the links at most [$].
LIMIT = 4.7 * float(k.HOUR)
BUDGET = 100_000.0
#: Load, number of the stream, and limit of the task; those of the task before it, for reports that have won it.
TASKS = ((START["load"], START["draw"], LIMIT), (0.8, 16, 5.5 * float(k.HOUR)))
#: What makes the stream that it is played on.
STREAM = ("mix", "load", "draw")


def limit(training: Training) -> float | None:
    """Mean completion at most [s] where the stream is the challenge's own; None where it is not."""
    own = (limit for load, draw, limit in TASKS if isclose(training.load, load) and training.draw == draw)
    return next(own, None) if training.mix == START["mix"] else None


def task() -> str:
    """The task in words."""
    return (
        f"Open “Challenge: jobs of 5 GPUs”. Bring the mean completion (from arrival to end) within "
        f"{f.duration(LIMIT)}, and spend at most {f.money(BUDGET)} on links between nodes, at "
        f"{f.money(float(k.PLACE_LINK_PRICE) * k.GB)} for each GB/s of each GPU."
    )


def judge(training: Training) -> Verdict:
    """Say how far the settings have come."""
    most = limit(training)
    if most is None:
        return Verdict("Not begun: it has a stream of its own, which that preset opens.")
    if labels := moved(training, (*FREE, *STREAM)):
        return Verdict(f"Put back first: {', '.join(labels)}.")
    completion, cost = run(training).completion, training.network_cost
    found = f"Mean completion {f.duration(completion)}, links for {f.money(cost)}"
    if cost > BUDGET:
        return Verdict(f"{found}: too expensive.", False)
    if completion > most:
        return Verdict(f"{found}: too slow.", False)
    return Verdict(f"Won: {found[0].lower()}{found[1:]}.", True)
