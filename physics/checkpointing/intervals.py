"""How often to write a checkpoint: Young's estimate, Daly's, and the exact answer."""

import math

from physics.arguments import NonNegative, Positive, elementwise
from physics.numerics.lambert import one_plus_w0


@elementwise
def young(dump: NonNegative, mtbf: Positive) -> float:
    """Young's first-order estimate of the best interval between checkpoints, √(2 δ M) [s].

    Args:
        dump: δ, time to write a checkpoint [s].
        mtbf: M, mean time between interruptions of the job [s].

    Assumes δ ≪ M and no interruption during dumps and restarts; too long where dumps are not short compared with M.

    Source: Young, "A first order approximation to the optimum checkpoint interval", Communications of the ACM 17, 1974.

    >>> round(young(dump=5 * 60, mtbf=24 * 3600) / 60, 6)  # minutes
    120.0
    """
    return math.sqrt(2 * dump) * math.sqrt(mtbf)


@elementwise
def daly(dump: NonNegative, mtbf: Positive) -> float:
    """Daly's higher-order estimate of the best interval between checkpoints [s].

    Args:
        dump, mtbf: δ and M [s], as in `young`.

    τ = √(2 δ M) · (1 + ⅓ √(δ/2M) + ⅑ · δ/2M) − δ for δ < 2 M, and M for δ ≥ 2 M.

    Source: Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future Generation
    Computer Systems 22, 2006, eq. 37.

    >>> [round(daly(dump=5, mtbf=mtbf), 2) for mtbf in (24 * 60, 6 * 60, 15)]  # minutes
    [116.69, 56.71, 9.14]
    """
    ratio = dump / mtbf / 2
    if ratio >= 1:
        return mtbf
    return young(dump, mtbf) * (1 + math.sqrt(ratio) / 3 + ratio / 9) - dump


@elementwise
def optimal_interval(dump: NonNegative, mtbf: Positive) -> float:
    """Best interval between checkpoints, exact in the complete model [s].

    Args:
        dump, mtbf: δ and M [s], as in `young`.

    τ = M (1 + W₀(−e^{−(δ/M + 1)})), where (1 − τ/M) e^{(τ+δ)/M} = 1: 0 when dumps take no time, never above M. Assumes
    whole segments and no notice; the restart time and the amount of work do not move it.

    Source: Daly (2006), see `daly`, solves the same equation by perturbation; W₀ as in Corless et al., "On the Lambert
    W function", Advances in Computational Mathematics 5, 1996.

    >>> [round(optimal_interval(dump=5, mtbf=mtbf), 3) for mtbf in (24 * 60, 6 * 60, 15)]  # minutes
    [116.69, 56.714, 9.167]
    """
    ratio = dump / mtbf
    return mtbf * one_plus_w0(ratio) if math.isfinite(ratio) else mtbf
