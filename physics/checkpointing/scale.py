"""Failures of a very large run: its useful share, the best number of nodes, and spares.

The run stops when any of its nodes fails, goes back to its last safe checkpoint, and does the lost
work again. Failures are a Poisson process, independent of one another; the work itself scales
perfectly.

Which failures count depends on the question. The useful share and the largest worthwhile run are
about everything that stops the run: of Llama 3's 419 unexpected interruptions one node causes one
in 264 days (`SPOT_CLUSTER_MTBF`). Spare nodes are about faulty nodes, which stay away until they
are repaired: 289 of the 419, one in 383 days for a node (`SCALE_FAULT_MTBF`).
"""

import math

from physics.arguments import (
    Count,
    LimitedWhole,
    NonNegative,
    Positive,
    elementwise,
)
from physics.checkpointing.interruptions import expm1_or_inf
from physics.numerics import rising_root
from physics.queueing.steady_state import erlang_b


@elementwise
def useful_share(
    interval: Positive,
    stall: NonNegative,
    recovery: NonNegative,
    mtbf: Positive,
    write: NonNegative = 0.0,
) -> float:
    """Share of a run's time for work that is kept, with checkpoints in the background [1].

    Δ e^{−w/M} / (M e^{R/M} (e^{(Δ+δ)/M} − 1)), with Δ of work between two checkpoints (`interval`),
    δ for which each stops the run (`stall`), R from a failure until work goes on (`recovery`), M
    between failures of the whole run (`mtbf`), and w from the end of the stall until the checkpoint
    is safe (`write`), all in one unit [s].

    A checkpoint that is safe only w later costs exactly as much as a recovery longer by w: from one
    failure to the next take M e^{R/M} on average, and k checkpoints become safe in it if it has
    work for at least k (Δ + δ) + w, which happens with probability e^{−(k(Δ+δ)+w)/M}. Where w is
    longer than Δ + δ, several checkpoints are being written at once. With w = 0 this is `interval`
    over `expected_runtime` of one interval. Failures strike during stalls and recoveries too.

    Source: Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
    2006 (w = 0, the complete cost function); with w by renewal, as above.

    >>> run = {"interval": 600, "stall": 0, "recovery": 600, "mtbf": 11137.5}
    >>> round(useful_share(**run), 4), round(useful_share(**run, write=600), 4)
    (0.9223, 0.8739)
    """
    period = (interval + stall) / mtbf
    growth = expm1_or_inf(period)
    if math.isinf(growth):
        return 0.0
    kept = math.exp(-recovery / mtbf - write / mtbf)
    if growth == 0:
        return interval / (interval + stall) * kept
    return interval / (interval + stall) * (period / growth) * kept


@elementwise
def largest_worthwhile(
    interval: Positive,
    recovery: NonNegative,
    node_mtbf: Positive,
    stall: NonNegative = 0.0,
    write: NonNegative = 0.0,
) -> int:
    """Number of nodes at which nodes × `useful_share` is greatest; more nodes do less work [1].

    With n nodes a failure stops the run every M₁ / n, M₁ being the `node_mtbf` [s]; interval,
    recovery, and the rest stay as they are, see `useful_share`. The greatest n² e^{−n(R+w)/M₁} /
    (e^{n(Δ+δ)/M₁} − 1) is where y = n (Δ + δ) / M₁ solves y (R + w) / (Δ + δ) + y / (1 − e^{−y}) =
    2; the left side rises, so there is one top, and it is flat: a tenth more or fewer nodes change
    the work by less than 1%. At least 1.

    >>> day = 86400  # all causes of Llama 3's interruptions, hourly checkpoints, 8 GPUs a node
    >>> 8 * largest_worthwhile(interval=3600, recovery=600, node_mtbf=264 * day)
    65680
    """
    cycle = interval + stall
    ratio = (recovery + write) / cycle

    def excess(y: float) -> float:
        """How far the left side of the equation exceeds 2."""
        return y * ratio + y / -math.expm1(-y) - 2

    top = rising_root(excess, 1e-300, 2.0) / cycle * node_mtbf
    few = max(1, math.floor(top))

    def useful_nodes(nodes: int) -> float:
        """Nodes times their useful share."""
        return nodes * useful_share(interval, stall, recovery, node_mtbf / nodes, write)

    return max((few, few + 1), key=useful_nodes)


@elementwise
def waiting_share(
    nodes: Count, spares: LimitedWhole, node_mtbf: Positive, repair: NonNegative
) -> float:
    """Share of the time in which a run is stopped because too few nodes work [1].

    B(s + 1, a), Erlang's loss formula with s `spares` and a = n D / M₁ nodes in repair if no
    failure ever had to wait: n `nodes` must run at once, each fails every M₁ on average while the
    run goes on (`node_mtbf`, faulty nodes only) [s], and its `repair` takes D on average [s].
    Without spares this is a / (1 + a).

    Exact for exponential times between failures and any distribution of the repair: at most s + 1
    nodes are ever in repair, because nothing fails while the run stands still, and each of them is
    repaired by itself. Spare nodes do not fail, and putting one in takes no time here; it belongs
    to the recovery of `useful_share`.

    Source: `physics.queueing.erlang_b`, where it stands.

    >>> day = 86400  # 2,048 nodes with a faulty one in 383 days for each, repaired in a day
    >>> [f"{waiting_share(2048, spares, 383 * day, day):.2%}" for spares in (0, 5, 10, 11)]
    ['84.25%', '21.78%', '1.23%', '0.55%']
    """
    return erlang_b(spares + 1, _in_repair(nodes, node_mtbf, repair))


@elementwise
def replaced_at_once(
    nodes: Count, spares: LimitedWhole, node_mtbf: Positive, repair: NonNegative
) -> float:
    """Share of node failures that find a spare node ready [1].

    1 − B(s, a), with the model, arguments, and source of `waiting_share`: failures happen only
    while the run goes on, so a failure finds all s spares in repair with Erlang's loss formula for
    s, not for s + 1. 0 without spares.

    >>> day = 86400
    >>> [f"{replaced_at_once(2048, spares, 383 * day, day):.2%}" for spares in (0, 11, 12)]
    ['0.00%', '98.77%', '99.45%']
    """
    return 1 - erlang_b(spares, _in_repair(nodes, node_mtbf, repair))


def _in_repair(nodes: int, node_mtbf: float, repair: float) -> float:
    """Nodes in repair on average if no failure ever had to wait, n D / M₁ [1]."""
    return repair / node_mtbf * nodes
