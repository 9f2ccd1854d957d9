"""Sharing a GPU: what is full, how much slower that makes each job, and what would fix it."""

from lessons.gpu_sharing.settings import TIE, Sharing
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search

#: Said below the charts of the pair.
BEST_CASE = (
    "A best case: each job reaches its share of the roofline, the most that compute and memory bandwidth allow. Caches "
    "and all else that keeps jobs below it are left out; measured pairs can be slower."
)


def times(ratio: float, beside: float | None = None) -> str:
    """Write a slowdown: what is no full 1 is never written as 1, and what is not `beside` never like it.

    >>> times(1.29484), times(1.0004), times(1.5001, 1.5)
    ('1.29 times', '1.0004 times', '1.5001 times')
    """
    digits, same = 3, {1.0} if beside is None else {1.0, beside}
    while digits < 12 and any(
        abs(ratio - one) > TIE and f.significant(ratio, digits) == f.significant(one, digits) for one in same
    ):
        digits += 1
    return f.times(ratio, digits)


def slower(ratio: float) -> str:
    """Word a slowdown: "1.29 times slower", or "as fast as alone"."""
    return "as fast as alone" if ratio <= 1 else f"{times(ratio)} slower"


def written(pair: Sharing) -> str:
    """The slowdown of the pair as a number, or "not at all"; it looks like the accepted one only if it is the same."""
    return times(pair.slowdown, pair.accepted) if pair.slowdown > 1 else "not at all"


def bound(pair: Sharing) -> str:
    """What is accepted, in words."""
    return times(pair.accepted, pair.slowdown)


def full_words(pair: Sharing) -> str:
    """The fullest resource, or both: "compute and memory bandwidth"."""
    return " and ".join(pair.fullest)


def verdict(pair: Sharing) -> Verdict:
    """Say what is full, and whether the slowdown is accepted."""
    asked = f"Together they ask for {f.share(max(pair.asked))} of the {full_words(pair)}"
    if pair.slowdown <= 1:
        return Verdict(f"{asked}, no more than there is: each runs as fast as alone.", True)
    held = f"{'within' if pair.accepts else 'beyond'} the accepted {bound(pair)}"
    full = "Both are full" if len(pair.fullest) > 1 else "It is full"
    return Verdict(f"{asked}. {full}, and each is {written(pair)} slower: {held}.", pair.accepts)


def metrics(pair: Sharing) -> list[Metric]:
    """The four headline numbers."""
    alone = [
        f"alone: {f.share(mine)} and {f.share(theirs)}" for mine, theirs in zip(pair.yours, pair.other, strict=True)
    ]
    return [
        Metric(
            "Each slower",
            written(pair),
            f"{'within' if pair.accepts else 'beyond'} {bound(pair)}",
            pair.accepts,
            "How long each takes together for what it does alone in one second.",
        ),
        Metric(
            "System throughput",
            f.significant(2 * pair.speed),
            "sum of the speeds; 2 on two GPUs",
            help="STP: the work of a second, counted in seconds that each job would need alone on a GPU of its own.",
        ),
        Metric("Compute in use", f.share(pair.used.compute), alone[0]),
        Metric("Memory bandwidth in use", f.share(pair.used.memory), alone[1]),
    ]


def remedies(pair: Sharing) -> str:
    """List the smallest change of each knob of the pair that brings the slowdown within what is accepted."""
    if pair.accepts:
        return ""
    found = search.remedies(pair, _accepts, ("neighbor", "intensity", "reach", "neighbor_reach"))
    if not found:
        return f"No single knob of the pair was found that keeps each within {bound(pair)}; turn two of them."
    return f"Keeps each within {bound(pair)}: {search.listed(found)}."


def _accepts(pair: Sharing) -> bool:
    return pair.accepts
