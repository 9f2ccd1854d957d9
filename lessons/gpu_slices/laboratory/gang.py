"""GPU slices, laboratory: the probability that a job finds enough nodes free at the same time."""

from functools import lru_cache

from lessons.gpu_slices.settings import Slices, chance, say
from physics import constants as k
from physics.checkpointing.spares import gang_start_probability
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Right end of the chart, beyond the largest number of nodes.
RIGHT = int(k.SLICES_NODES.high) + 64


@lru_cache(maxsize=64)
def _curve(kind: str, free: float, needed: int, block: int) -> marks.Row:
    """Return the curve of the probability against the nodes; callers must not change it."""
    step = min(max(4, block), int(k.SLICES_NODES.step))  # each position of the slider has a point
    nodes = list(range(0, RIGHT + 1, step))
    chances = [gang_start_probability(free, n, needed, block) for n in nodes]
    return {"kind": kind, "x": nodes, "y": chances}


@chart(say, "gang", x=[0, RIGHT])
def figure(settings: Slices) -> Rows:
    """Chart of the probability against the number of nodes, for three kinds of nodes."""
    nodes = settings.nodes
    gang = settings.gang
    alone, together, named = (chance(gang[name]) for name in ("chance", "together", "named"))
    side = -12 if nodes > 0.6 * RIGHT else 12
    # A low point has its label above that of the fixed nodes.
    above = -26 if gang["chance"] < 0.15 else 8
    listed = f"{f.count(settings.needed, 'fixed node')}: {named}"
    foot = {"short": named, "tone": "bad", "align": "right", "baseline": "bottom", "dy": -5}
    style = {"short": alone, "tone": "accent", "dx": side, "dy": above}
    rows = [
        *marks.limit("list", RIGHT, gang["named"], listed, **foot),
        _curve("alone", settings.free, settings.needed, 1),
        *marks.here(
            nodes, gang["chance"], f"any {settings.needed} of {nodes} nodes: {alone}", **style
        ),
    ]
    if settings.block > 1:
        words = f"blocks of {settings.block} nodes: {together}"
        point = (nodes, gang["together"])
        rows += [
            _curve("blocks", settings.free, settings.needed, settings.block),
            marks.point(*point, shape="diamond", tone="s3"),
            marks.label(*point, words, short=together, tone="s3", dx=-side, dy=-8),
        ]
    return rows


@verdict_of(say)
def verdict(settings: Slices) -> Outcome:
    """Return the verdict on how likely the job is to start on each kind of node."""
    if settings.block == 1:
        return "gang", settings.gang["likely"]
    return "gang_blocks", settings.gang["likely"]


view = View("gang", figure=figure, verdict=verdict)
