"""How many of several independent things are up, or busy, at once: spare replicas, and checkpoints that collide."""

import math

from physics.numerics.arrays import elementwise
from physics.numerics.checks import MANY, count, fraction
from physics.slicing.gangs import binomial_tail

__all__ = ["replicas_for", "writing_at_once"]


@elementwise
def replicas_for(needed: int, up: float, target: float, block: int = 1) -> int:
    """Fewest replicas so that enough of them are up with a given probability [1].

    Args:
        needed: n, replicas that must be up.
        up: p, share of the time in which a block is up [1].
        target: Probability with which at least n shall be up [1].
        block: b, replicas that vanish together: a machine, or a zone of spot capacity. 1 makes every replica
            independent.

    The least multiple of b so that P(at least n up) ≥ target; blocks are up independently of one another. A chance that
    is equal to the target but for rounding meets it.

    Raises ValueError if no number up to a thousand million blocks reaches the target: 1 with machines that fail, or
    anything above 0 with machines that are never up.

    ⌈n/b⌉ of the blocks must be up. The chance grows with the number of blocks, so the fewest is found by halving. The
    chance of too few, not its complement, is compared, so that many nines keep their accuracy.

    Source: k-out-of-n systems, as in Barlow and Proschan, *Statistical Theory of Reliability and Life Testing*, 1975,
    section 2.1; the binomial tail as in `physics.slicing.gangs.binomial_tail`.

    >>> replicas_for(8, up=0.95, target=0.999), replicas_for(8, up=0.95, target=0.999, block=4)
    (12, 16)
    """
    size, up, target = count("block", block, most=MANY), fraction("up", up), fraction("target", target)
    least = math.ceil(count("needed", needed, most=MANY) / size)
    if target == 0:
        return 0
    allowed = (1 - target) * (1 + 1e-9) + 1e-16
    unreachable = ValueError(f"target must be one that some number of replicas reaches, got {target} with up = {up}")
    if up == 0 or (target == 1 and up < 1):
        raise unreachable

    def enough(blocks: int) -> bool:
        return binomial_tail(blocks - least + 1, blocks, 1 - up) <= allowed

    few, many = least - 1, least
    while not enough(many):
        if many >= MANY:
            raise unreachable
        few, many = many, min(2 * many, MANY)
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many * size


@elementwise
def writing_at_once(jobs: int, share: float, at_least: int) -> float:
    """Chance that at least a given number of jobs write their checkpoints at the same time [1].

    Args:
        jobs: n, jobs that each write now and then.
        share: p, of the time that a job spends writing [1].
        at_least: k.

    Σ_{i ≥ k} C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ, the binomial tail of `physics.slicing.gangs.binomial_tail`. On average n p write at
    a time.

    The jobs' phases are independent and random. Jobs that started together and write at the same interval are not:
    aligned, all write at once for a share p of the time. Writing longer because others write too is left out.

    20 jobs that write 3 of 43 minutes:

    >>> round(20 * 3 / 43, 1), round(writing_at_once(20, 3 / 43, at_least=4), 3)
    (1.4, 0.047)
    """
    n = count("jobs", jobs, least=0, most=MANY)
    return binomial_tail(count("at_least", at_least, least=0), n, fraction("share", share))
