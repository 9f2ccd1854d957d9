"""GPU slices: the probability that a job of many nodes finds enough free nodes at the same time."""

from functools import lru_cache

from lessons.gpu_slices.settings import Slices, chance, say
from physics import constants as k
from physics.checkpointing.spares import gang_start_probability
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: The right end of the chart: beyond the largest number of nodes.
EXTENT = int(k.SLICES_NODES.high) + 64


@lru_cache(maxsize=64)
def _curve(kind: str, free: float, needed: int, block: int) -> marks.Row:
    """Chance that enough nodes are free, over the nodes of the chart, in whole blocks; shared, not
    to be changed.
    """
    nodes = list(range(0, EXTENT + 1, max(4, block)))
    return {
        "kind": kind,
        "x": nodes,
        "y": [gang_start_probability(free, n, needed, block) for n in nodes],
    }


@chart(say, "gang", x=[0, EXTENT])
def figure(wish: Slices) -> Rows:
    """Chart of the probability against the number of nodes, for three kinds of nodes."""
    at = wish.nodes
    gang = wish.gang
    alone, together, named = (chance(gang[name]) for name in ("chance", "together", "named"))
    side = -12 if at > 0.6 * EXTENT else 12
    # clear of the label along the foot of the chart
    above = -26 if gang["chance"] < 0.15 else 8
    listed = f"{f.count(wish.needed, 'fixed node')}: {named}"
    foot = {"short": named, "tone": "bad", "align": "right", "baseline": "bottom", "dy": -5}
    here = {"short": alone, "tone": "accent", "dx": side, "dy": above}
    rows = [
        *marks.limit("list", EXTENT, gang["named"], listed, **foot),
        _curve("alone", wish.free, wish.needed, 1),
        *marks.here(at, gang["chance"], f"any {wish.needed} of {at} nodes: {alone}", **here),
    ]
    if wish.block > 1:
        words = f"blocks of {wish.block} nodes: {together}"
        point = (at, gang["together"])
        rows += [
            _curve("blocks", wish.free, wish.needed, wish.block),
            marks.point(*point, shape="diamond", tone="s3"),
            marks.label(*point, words, short=together, tone="s3", dx=-side, dy=-8),
        ]
    return rows


@verdict_of(say)
def verdict(wish: Slices) -> Outcome:
    """Return the verdict on how likely the job is to start on each kind of node."""
    if wish.block == 1:
        return "gang", wish.gang["likely"]
    return "gang_blocks", wish.gang["likely"]


view = View("gang", figure=figure, verdict=verdict)
