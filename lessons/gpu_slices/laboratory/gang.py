"""GPU slices: the probability that a job of many nodes finds enough free nodes at the same time."""

from functools import lru_cache

from lessons.gpu_slices.settings import Slices, chance, say
from physics import constants as k
from physics.checkpointing.spares import gang_start_probability
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, level, line, marks, picture

#: The right end of the chart: beyond the largest number of nodes.
EXTENT = int(k.SLICES_NODES.high or 0) + 64


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


@picture(
    say,
    "gang",
    "How likely is it that enough nodes are free?",
    axes.x("x:Q", "nodes that the job may use", [0, EXTENT], tickCount=8),
    axes.y(
        "y:Q",
        "chance that enough are free",
        [0, 1.08],
        format=".0%",
        values=[0, 0.25, 0.5, 0.75, 1],
    ),
    level("list", "bad"),
    line("blocks", "s3", (8, 3), 2),
    line("alone"),
    lines=("alone",),
)
def figure(wish: Slices) -> list[marks.Row]:
    """Chart of the probability against the number of nodes, for independent nodes, blocks, and one
    list.
    """
    at = wish.nodes
    found = wish.gang
    told = {name: chance(found[name]) for name in ("chance", "together", "named")}
    if at > 0.6 * EXTENT:
        side = -12
    else:
        side = 12
    # clear of the label along the foot of the chart
    if found["chance"] < 0.15:
        above = -26
    else:
        above = 8
    list_ = f"{f.count(wish.needed, 'node')} of a list: {told['named']}"
    any_of = f"any {wish.needed} of {at}: "
    foot = {"short": told["named"], "tone": "bad", "align": "right", "baseline": "bottom", "dy": -5}
    here = {"short": told["chance"], "tone": "accent", "dx": side, "dy": above}
    rows = [
        *marks.limit("list", EXTENT, found["named"], list_, **foot),
        _curve("alone", wish.free, wish.needed, 1),
        *marks.here(at, found["chance"], any_of + told["chance"], **here),
    ]
    if wish.block > 1:
        words = f"blocks of {wish.block}: {told['together']}"
        looks = {"tone": "s3", "dx": -side, "dy": -8}
        rows += [
            _curve("blocks", wish.free, wish.needed, wish.block),
            marks.point(at, found["together"], shape="diamond", tone="s3"),
            marks.label(at, found["together"], words, short=told["together"], **looks),
        ]
    return rows


def verdict(wish: Slices) -> Verdict:
    """Return the verdict on how likely the job is to start, with independent nodes and with
    blocks.
    """
    if wish.block == 1:
        name = "gang"
    else:
        name = "gang_blocks"
    return Verdict(say(name, wish), bool(wish.gang["likely"]))
