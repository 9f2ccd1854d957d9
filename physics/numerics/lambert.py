"""Lambert's W₀, the inverse of w·eʷ, safe at the branch point where checkpoint intervals live.

The best checkpoint interval is M (1 + W₀(−e^{−(δ/M + 1)})). When dumps are short, the argument is −1/e but for a few
parts in 10¹⁰ or fewer, and 1 + W₀ taken as written loses every digit. `one_plus_w0` solves for the difference itself.
"""

import math

from physics.arguments import Finite, NonNegative, elementwise

_BRANCH = -math.exp(-1)  # where the two real branches of W meet
_SERIES_BELOW = 0.1  # below this, −ln(1 − w) − w is summed as a series: no digits cancel
_NEAR = 0.4  # from here on −e^{−1−x} is far enough from −1/e for Halley's method


@elementwise
def lambert_w0(z: Finite) -> float:
    """Principal branch of Lambert's function: the w of at least −1 that solves w·eʷ = z [1].

    Args:
        z: [1], at least −1/e.

    Halley's method, from ln(1 + z) for small z and ln z − ln ln z for large z. Near −1/e the number z itself can no
    longer tell two values of w apart; `one_plus_w0` takes the distance from the branch point instead.

    Source: Corless, Gonnet, Hare, Jeffrey and Knuth, "On the Lambert W function", Advances in Computational Mathematics
    5, 1996, section 4 (Halley's method, eq. 5.9) and eq. 4.22 (series at the branch point).

    >>> round(lambert_w0(1.0), 9)  # the omega constant
    0.56714329
    >>> lambert_w0(-1 / math.e)
    -1.0
    """
    if z < _BRANCH * (1 + 1e-15):
        raise ValueError(f"z must be at least -1/e = {_BRANCH:.6f}, got {z}")
    if z < -0.25:
        return one_plus_w0(max(0.0, -1 - math.log(-z))) - 1
    if z == 0:
        return 0.0
    w = math.log1p(z) if z < math.e else math.log(z) - math.log(math.log(z))
    for _ in range(50):
        power = math.exp(w)
        miss = w * power - z
        step = miss / (power * (w + 1) - (w + 2) * miss / (2 * w + 2))
        w -= step
        if abs(step) <= 1e-16 * abs(w):
            break
    return w


@elementwise
def one_plus_w0(x: NonNegative) -> float:
    """1 + W₀(−e^{−(1 + x)}), to full precision however small x is [1].

    Args:
        x: Distance from the branch point on a logarithmic scale [1].

    With w = 1 + W the definition W·e^W = −e^{−(1 + x)} becomes −ln(1 − w) − w = x, whose left side is
    w²/2 + w³/3 + w⁴/4 + … Newton's method on that form, which is convex, starting above the root.

    Source: Corless et al. (1996), see `lambert_w0`; the substitution is done by hand above.

    >>> one_plus_w0(0.0)
    0.0
    >>> f"{one_plus_w0(5e-21):.6e}"  # 1e-10 - 1e-20/3; as written, 1 + W₀ would give 0
    '1.000000e-10'
    """
    if x > _NEAR:
        return 1 + lambert_w0(-math.exp(-1 - x))
    if x == 0:
        return 0.0
    w = math.sqrt(2 * x)  # the root is below it, since w²/2 is the first of only positive terms
    for _ in range(50):
        step = (_log_excess(w) - x) * (1 - w) / w
        w -= step
        if abs(step) <= 1e-16 * w:
            break
    return w


def _log_excess(w: float) -> float:
    """Return −ln(1 − w) − w, without cancellation at small w."""
    if w < _SERIES_BELOW:
        return math.fsum(w**k / k for k in range(2, 19))
    return -math.log1p(-w) - w
