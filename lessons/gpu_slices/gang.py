"""GPU slices: the chance that a job of many nodes finds enough of them free at once."""

from functools import lru_cache

from lessons.gpu_slices.settings import Slices, chance, say
from physics import constants as k
from physics.checkpointing.spares import gang_start_probability
from ui.base import format as f
from ui.base.lesson import Figure, Verdict
from ui.charts import Look, axes, level, line, marks, plane, stack

#: The right end of the chart: beyond the largest number of nodes.
EXTENT = int(k.SLICES_NODES.high or 0) + 64


@lru_cache(maxsize=64)
def _curve(free: float, needed: int, block: int) -> tuple[list[int], list[float]]:
    """Chance that enough nodes are free, over the nodes of the chart, in whole blocks."""
    nodes = list(range(0, EXTENT + 1, max(4, block)))
    return nodes, [gang_start_probability(free, n, needed, block) for n in nodes]


@plane
def _spec(look: Look) -> tuple:
    """Chance against the number of nodes: each free by itself, in blocks, and those of one list."""
    x = axes.x("x:Q", "nodes that the job may use", [0, EXTENT], tickCount=8)
    y = axes.y("y:Q", "chance that enough are free", [0, 1.08], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    return x, y, level("list", "bad"), line("blocks", "s3", (8, 3), look.stroke - 0.5), line("alone")


def figure(wish: Slices, look: Look) -> Figure:
    """The chance against the number of nodes."""

    def named(x: float, y: float, words: str, **looks: object) -> dict[str, object]:
        return marks.label(x, y, words, short=words.rpartition(": ")[2], **looks)

    at, blocks = wish.nodes, wish.block > 1
    parts: list[dict] = [{"kind": "list", "x": 0, "y": wish.named}]
    for kind, size in (("alone", 1), ("blocks", wish.block))[: 1 + blocks]:
        nodes, chances = _curve(wish.free, wish.needed, size)
        parts.append({"kind": kind, "x": nodes, "y": chances})
    side = -12 if at > 0.6 * EXTENT else 12
    above = -26 if wish.chance < 0.15 else 8  # clear of the label along the foot of the chart
    any_of = f"any {wish.needed} of {at}: {chance(wish.chance)}"
    listed = f"{f.count(wish.needed, 'node')} of a list: {chance(wish.named)}"
    found = [
        marks.point(at, wish.chance, role="here"),
        named(at, wish.chance, any_of, tone="accent", bold=True, dx=side, dy=above),
        named(EXTENT, wish.named, listed, tone="bad", align="right", baseline="bottom", dy=-5),
    ]
    if blocks:
        words = f"blocks of {wish.block}: {chance(wish.together)}"
        found.insert(0, marks.point(at, wish.together, shape="diamond", tone="s3"))
        found.append(named(at, wish.together, words, tone="s3", dx=-side, dy=-8))
    title = "How likely is it that enough nodes are free?"
    return Figure("gang", title, stack([*parts, *found]), _spec(look), say("gang_chart", wish), lines=("alone",))


def verdict(wish: Slices) -> Verdict:
    """Say how likely the job starts, and how likely in blocks."""
    return Verdict(say("gang" if wish.block == 1 else "gang_blocks", wish), wish.likely)
