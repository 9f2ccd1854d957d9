"""GPU slices, second act: the chance that a gang of whole nodes starts."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.gpu_slices.settings import Slices
from physics import constants as k
from physics.slicing.gangs import gang_start_probability
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack
from ui.knobs import remedies as search

#: The right end of the chart: beyond the largest number of nodes.
EXTENT = int(k.SLICES_NODES.high or 0) + 64


def chance_words(probability: float, possible: bool = True) -> str:
    """Write a chance: as percent, or as a power of ten where a percentage says nothing.

    >>> chance_words(0.5223), chance_words(0.2**64), chance_words(0.0), chance_words(0.0, possible=False)
    ('52.2 %', '1.8 × 10⁻⁴⁵', 'less than 10⁻³⁰⁰', '0 %')
    """
    if probability > 1e-6:
        return f.share(probability)
    if probability > 1e-300:
        return f.scientific(probability, 2)
    return f"less than {f.power(-300)}" if possible else "0 %"


def gang_chance(wish: Slices, block: int = 1) -> str:
    """The chance of the gang in words."""
    return chance_words(wish.chance(block=block), wish.nodes >= wish.needed)


def named_chance(wish: Slices) -> str:
    """The chance that as many named nodes are free, in words; none when there are not so many nodes."""
    if wish.nodes < wish.needed:
        return "0 %"
    return chance_words(wish.free**wish.needed)


@lru_cache(maxsize=64)
def _curve(free: float, needed: int, block: int) -> tuple[list[int], list[float]]:
    """Chance that the gang can start over the nodes of the chart."""
    nodes = np.unique(np.append(np.arange(0, EXTENT + 1, 8), np.arange(0, EXTENT + 1, block)) // block * block)
    steep = needed / free
    keep = [int(n) for n in nodes if n % 16 == 0 or block > 8 or abs(n - steep) < 160]
    return keep, [gang_start_probability(free, n, needed, block) for n in keep]


@lru_cache(maxsize=64)
def gang_frame(wish: Slices, told: bool = True) -> pa.Table:
    """Rows of the chart of the chance against the nodes, by kind; the curve of blocks tells the reflection's answer."""
    parts: list[dict] = []
    for kind, size in (("alone", 1), ("blocks", wish.block)):
        if kind == "alone" or (told and size > 1):
            nodes, chances = _curve(wish.free, wish.needed, size)
            parts.append({"kind": kind, "nodes": nodes, "chance": chances})
    chance, possible = wish.chance(), wish.nodes >= wish.needed
    named = wish.free**wish.needed if possible else 0.0
    # The label goes where the curve is not; along the foot of the chart the named nodes have theirs.
    side = {"align": "right", "dx": -12} if wish.nodes > 0.6 * EXTENT else {"align": "left", "dx": 12}
    low = chance < 0.15
    words = f"any {wish.needed} of {wish.nodes}: {chance_words(chance, possible)}"
    rows = [
        marks.point(wish.nodes, chance, size=120),
        marks.label(
            wish.nodes,
            chance,
            words,
            short=words.split(": ")[1],
            tone="accent",
            bold=True,
            baseline="bottom" if low else "middle",
            dy=-6 if low else 8,
            **side,
        ),
        marks.label(
            0,
            named,
            f"{f.count(wish.needed, 'named node')}: {chance_words(named, possible)}",
            short=chance_words(named, possible),
            tone="bad",
            baseline="bottom",
            dx=6,
            dy=-24 if low else -5,
        ),
    ]
    parts.append({"kind": "named line", "nodes": wish.needed, "chance": named})
    if wish.block > 1:
        together = wish.chance(block=wish.block)
        rows.insert(0, marks.point(wish.nodes, together, shape="diamond", tone="s3", size=120))
        if max(together, chance) > 0.005:
            other = {"align": "left", "dx": 12} if side["align"] == "right" else {"align": "right", "dx": -12}
            words = f"blocks of {wish.block}: {chance_words(together, possible)}"
            rows.append(marks.label(wish.nodes, together, words, short=words.split(": ")[1], tone="s3", dy=-8, **other))
    if (mean := wish.needed / wish.free) <= EXTENT:
        parts.append({"kind": "mean", "nodes": mean, "chance": 0.0})
        words = f"{wish.needed} free on average"
        rows.append(marks.label(mean, 1.01, words, tone="quiet", align="center", baseline="bottom"))
    return stack([*parts, *marks.renamed(rows, "nodes", "chance")])


@lru_cache(maxsize=8)
def gang_spec(look: Look) -> dict:
    """Chance that the gang can start against the number of nodes: independent, in blocks, and named."""
    x = axes.x("nodes:Q", "nodes N that the gang may run on", [0, EXTENT], tickCount=8)
    y = axes.y("chance:Q", "chance that the gang can start", [0, 1.08], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("nodes:Q", format="d"), alt.Tooltip("chance:Q", format=".3~g")]

    drawn = base.encode(order="nodes:Q", tooltip=tips)
    layers = [
        marks.level(base, "named line", color=look.bad, strokeDash=[6, 3], strokeWidth=2),
        base.transform_filter(only("mean")).mark_rule(color=look.quiet, strokeDash=[2, 2]).encode(y2=alt.datum(1)),
        marks.line(drawn, "blocks", look.series[3], look.stroke - 0.5, [8, 3]),
        marks.line(drawn, "alone", look.accent, look.stroke),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 280, halo=False)


def gang_alt(wish: Slices) -> str:
    """The chart of the chance in one sentence with its numbers."""
    return f"Chance that a gang can start against the number of nodes. {gang_words(wish)}"


def gang_words(wish: Slices) -> str:
    """The chance of the gang at these settings."""
    blocks = ""
    if wish.block > 1:
        blocks = f" ({gang_chance(wish, wish.block)} in blocks of {wish.block})"
    return (
        f"Any {wish.needed} of {f.count(wish.nodes, 'node')} free: a chance of {gang_chance(wish)}{blocks}; "
        f"{f.count(wish.needed, 'named node')} with {named_chance(wish)}. On average "
        f"{f.significant(wish.nodes * wish.free)} of the nodes are free."
    )


def metrics(wish: Slices) -> list[Metric]:
    """The headline numbers of the gang."""
    mean, good = wish.nodes * wish.free, wish.chance() >= 0.5
    blocks = f"of {wish.block} nodes, free together" if wish.block > 1 else "every node by itself"
    return [
        Metric("The gang can start", gang_chance(wish), "nodes free one by one", good),
        Metric("In blocks", gang_chance(wish, wish.block), blocks),
        Metric("Free on average", f.significant(mean), f"of {f.count(wish.nodes, 'node')}"),
        Metric("Named nodes", named_chance(wish), f"all of {f.count(wish.needed, 'named node')} free"),
    ]


def verdict(wish: Slices) -> Verdict:
    """Name the bottleneck, and whether the gang starts more often than not."""
    words = gang_words(wish)
    if wish.chance() >= 0.5:
        even = "That is an even chance or better."
        if wish.chance(block=wish.block) < 0.5:
            even = "That is an even chance or better as long as nodes come free one by one, and less in blocks."
        return Verdict(f"{words} {even}", True)
    if wish.nodes < wish.needed:
        return Verdict(f"{words} There are fewer nodes than the gang takes.", False)
    return Verdict(f"{words} That is too few." if wish.nodes * wish.free < wish.needed else words, False)


def remedies(wish: Slices) -> str:
    """The smallest change of each knob that gives an even chance by itself, counted node by node."""
    if wish.chance() >= 0.5:
        return ""
    found = search.remedies(wish, lambda tried: tried.chance() >= 0.5, ("nodes", "needed", "free"))
    if not found:
        return "No single knob here was found to give the gang an even chance."
    counted = ", counted node by node" if wish.block > 1 else ""
    return f"For an even chance of the gang{counted}: {search.listed(found)}."


def figures(wish: Slices, look: Look, told: bool = True) -> list[Figure]:
    """The chance against the nodes; in blocks as a curve once it is `told`, before that at the present nodes."""
    title = "How likely is it that the gang can start?"
    return [Figure("gang", title, gang_frame(wish, told), gang_spec(look), gang_alt(wish))]


def _deviation(wish: Slices) -> float:
    """Standard deviation of the free nodes when they come free in blocks."""
    blocks, rest = divmod(wish.nodes, wish.block)
    return math.sqrt((blocks * wish.block**2 + rest**2) * wish.free * (1 - wish.free))


def values(wish: Slices) -> dict[str, str]:
    """Numbers of the gang that the lesson's words need."""
    return {
        "gang_free": f.share(wish.free),
        "gang_nodes": f.significant(wish.nodes, 4),
        "gang_needed": f.significant(wish.needed),
        "gang_named_nodes": f.count(wish.needed, "node"),
        "gang_mean": f.significant(wish.nodes * wish.free),
        "gang_chance": gang_chance(wish),
        "gang_named": named_chance(wish),
        "gang_block": f.count(wish.block, "node"),
        "gang_blocks": f.count(-(-wish.nodes // wish.block), "block"),
        "gang_together": gang_chance(wish, wish.block),
        "gang_deviation": f.significant(math.sqrt(wish.nodes * wish.free * (1 - wish.free))),
        "gang_block_deviation": f.significant(_deviation(wish)),
    }
